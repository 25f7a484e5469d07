/**
 * The kinds of minds: what each is and how it is made.
 *
 * A new kind is a word in `MIND_KINDS` of `machines/setup/match.ts` and an entry here. The rest of the program asks for
 * the traits and never for a kind by name.
 */
import { LEFT } from '../../machines/rules/meeting.ts';
import { type MatchSeat, MIND_KINDS } from '../../machines/setup/match.ts';
import { personaOf } from '../../machines/setup/prepare.ts';
import { createFaultyMind } from './faulty.ts';
import type { LightMind, Mind, SlowMind } from './port.ts';
import { createScriptedMind } from './scripted/mind.ts';
import { holdVoteBack, leaveAt } from './wrap.ts';

export type MindKind = (typeof MIND_KINDS)[number];

/** Kinds that take lessons from one game to the next, so that they can play in a league. */
export const LEARNING_KINDS = ['scripted', 'openai'] as const satisfies readonly MindKind[];

/** Makes the mind of a seat for which a language model or a person thinks. `index` is its place in the lobby. */
export type ModelMinds = (seat: MatchSeat, index: number) => Mind;

type MindSettings = {
  readonly seed: number;
  /** Share of the answers that go wrong, from 0 to 1. */
  readonly faultRate: number;
  /** Null where nobody outside is to be asked, as when a record is played again. */
  readonly models: ModelMinds | null;
};

type MindTraits = {
  /** Asked at an endpoint: it needs a model, may need a key, costs money and takes real time. */
  readonly isRemote: boolean;
  /** Played by a person, who is waited for longer and makes mistakes without help. */
  readonly isPerson: boolean;
  readonly create: (seat: MatchSeat, index: number, settings: MindSettings) => Mind;
};

const KINDS: Readonly<Record<MindKind, MindTraits>> = {
  scripted: {
    isRemote: false,
    isPerson: false,
    create: (seat, index, { seed }) =>
      createScriptedMind(seed, seat.colour, personaOf(seat, index).temperament, seat.learned),
  },
  silent: { isRemote: false, isPerson: false, create: () => silentMind },
  openai: { isRemote: true, isPerson: false, create: createOutsideMind },
  human: { isRemote: false, isPerson: true, create: createOutsideMind },
};

/** Kinds that can take over a seat in the middle of a recorded game. */
export const SUCCESSOR_KINDS: readonly MindKind[] = MIND_KINDS.filter(
  (kind) => !KINDS[kind].isPerson,
);

type WithKind = { readonly mind: MindKind };

export function isRemote({ mind }: WithKind): boolean {
  return KINDS[mind].isRemote;
}

export function isPerson({ mind }: WithKind): boolean {
  return KINDS[mind].isPerson;
}

/** The mind of a seat, with the habits that the seat was given. */
export function createMind(seat: MatchSeat, index: number, settings: MindSettings): Mind {
  const { seed, faultRate } = settings;
  const bare = KINDS[seat.mind].create(seat, index, settings);
  const voting = seat.votes === 'after-nudge' ? holdVoteBack(bare) : bare;
  const staying = seat.leaves === undefined ? voting : leaveAt(voting, seat.leaves);
  const isSound = faultRate === 0 || isPerson(seat);
  return isSound ? staying : createFaultyMind(staying, seed, seat.colour, faultRate);
}

function createOutsideMind(seat: MatchSeat, index: number, { models }: MindSettings): Mind {
  return models === null ? unaskedMind : models(seat, index);
}

/** A model or a person in a run that asks nobody: the answers are recorded, or there are none. */
const unaskedMind: SlowMind = {
  pace: 'in-time',
  answer: async () => ({
    ok: false,
    code: 'endpoint/not-asked',
    text: 'no endpoint is asked in this run',
  }),
};

/** Never answers. Every tick is a fault, until the player is disconnected. */
export const silentMind: LightMind = {
  pace: 'at-once',
  answer: () => ({ ok: false, code: 'mind/silent', text: 'this mind never answers' }),
};

/** Has left: the mind of a person's seat in a resumed game. */
export const goneMind: LightMind = {
  pace: 'at-once',
  answer: () => ({ ok: false, code: LEFT, text: 'is not here any more' }),
};
