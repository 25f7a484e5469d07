/** Reasons: why a player suspects or clears somebody, and how much each thing adds. */
import type { Colour, Place } from '../../../machines/types.ts';
import type { SeenAt } from './death.ts';

/** The type of a reason, with the facts for its clause. `NOTES` has what each means. */
export type SuspicionReason =
  | { readonly type: 'earlier' | 'mute' | 'open' | 'only' | 'hunch' }
  | { readonly type: 'told' | 'company' | 'shadowed' | 'named'; readonly by: Colour }
  /** `friend` is whom they voted for, spared, accused, defended or lied about. It may be the player. */
  | {
      readonly type: 'votedWrong' | 'spared' | 'misled' | 'defended' | 'falsehood';
      readonly friend: Colour;
    }
  | { readonly type: 'absent'; readonly place: Place }
  | { readonly type: 'placed'; readonly by: Colour; readonly place: Place }
  | ({ readonly type: 'followed' | 'near' } & SeenAt)
  | { readonly type: 'atBody'; readonly body: Colour; readonly place: Place }
  | ({ readonly type: 'lastWith'; readonly body: Colour } & SeenAt)
  /** Their story against an own sighting, and against what `by` saw. */
  | ({ readonly type: 'clash'; readonly said: Place } & SeenAt)
  | {
      readonly type: 'contradicted';
      readonly by: Colour;
      readonly said: Place;
      readonly place: Place;
    }
  | ({ readonly type: 'witnessed'; readonly deed: 'vent' | 'kill' } & SeenAt);

export const NOTES: Readonly<Record<SuspicionReason['type'], string>> = {
  witnessed: 'I saw it',
  atBody: 'stood at the body',
  lastWith: 'was last with the victim',
  followed: 'came after me',
  near: 'was near the body',
  clash: 'was not where they say',
  absent: 'was not in the room they name',
  falsehood: 'said what is not so',
  told: 'a witness says so',
  company: 'was seen with the victim',
  shadowed: 'went after somebody',
  placed: 'was seen nearby',
  contradicted: 'was seen elsewhere',
  named: 'others name them',
  earlier: 'was suspect before',
  votedWrong: 'voted for one of the crew',
  spared: 'did not vote for an impostor',
  misled: 'pushed for one of the crew',
  defended: 'stood up for an impostor',
  mute: 'has told nothing',
  open: 'has no alibi',
  only: 'is the only one left',
  hunch: 'a feeling',
};

/** What one thing adds to the suspicion of somebody; points below 0 clear them. */
export type SuspicionCharge = {
  readonly seat: Colour;
  readonly points: number;
  readonly reason: SuspicionReason | null;
};
