/** Reasons: why a player suspects or clears somebody, and how much each thing adds. */
import type { Colour, Place, Sighting } from '../../../machines/types.ts';

export type SuspicionReason =
  /** Own eyes: a vent or a kill. */
  | {
      readonly type: 'witnessed';
      readonly deed: 'vent' | 'kill';
      readonly place: Place;
      readonly ago: number;
    }
  /** Own eyes: somebody at the body. */
  | { readonly type: 'atBody'; readonly body: Colour; readonly place: Place }
  /** Own eyes: the last who was seen with the victim. */
  | {
      readonly type: 'lastWith';
      readonly body: Colour;
      readonly place: Place;
      readonly ago: number;
    }
  /** Own eyes: somebody only followed the player. */
  | { readonly type: 'followed'; readonly place: Place; readonly ago: number }
  /** Own eyes: somebody where the body lay. */
  | { readonly type: 'near'; readonly place: Place; readonly ago: number }
  /** Their story against an own sighting. */
  | { readonly type: 'clash'; readonly said: Place; readonly seen: Sighting }
  /** They claim a room where the player was and did not see them. */
  | { readonly type: 'absent'; readonly place: Place }
  /** They said something false about `about`, which may be the player. */
  | { readonly type: 'falsehood'; readonly about: Colour }
  | { readonly type: 'told'; readonly by: Colour }
  /** `by` saw them at the body, or alone with the victim. */
  | { readonly type: 'company'; readonly by: Colour }
  /** They came after `by` and did nothing. */
  | { readonly type: 'shadowed'; readonly by: Colour }
  | { readonly type: 'placed'; readonly by: Colour; readonly place: Place }
  /** Their story against what `by` saw. */
  | {
      readonly type: 'contradicted';
      readonly by: Colour;
      readonly said: Place;
      readonly place: Place;
    }
  | { readonly type: 'named'; readonly by: Colour }
  /** They were under suspicion in a meeting before this one. */
  | { readonly type: 'earlier' }
  /** In an earlier meeting they voted for `friend`, who was crew, or not for `friend`, who was an impostor. */
  | { readonly type: 'votedWrong'; readonly friend: Colour }
  | { readonly type: 'spared'; readonly friend: Colour }
  /** They pushed for `friend`, who turned out to be crew. */
  | { readonly type: 'misled'; readonly friend: Colour }
  /** They stood up for `friend`, who turned out to be an impostor. */
  | { readonly type: 'defended'; readonly friend: Colour }
  | { readonly type: 'mute' }
  /** Most others can't have been at the body in time; they can. */
  | { readonly type: 'open' }
  | { readonly type: 'hunch' };

const NOTES: Readonly<Record<SuspicionReason['type'], string>> = {
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
  hunch: 'a feeling',
};

/** A reason as players note it for themselves: a few words in brackets. */
export function noteReason({ type }: SuspicionReason): string {
  return NOTES[type];
}

/** What one thing adds to the suspicion of somebody; points below 0 clear them. */
export type SuspicionCharge = {
  readonly seat: Colour;
  readonly points: number;
  readonly reason: SuspicionReason | null;
};
