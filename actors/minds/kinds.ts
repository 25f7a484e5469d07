/** How a mind of each kind is created. What the kinds are stands in `machines/rules/mindKinds.ts`. */
import { LEFT } from '../../machines/rules/meeting.ts';
import { isPerson, type MindKind } from '../../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import { personaOf } from '../../machines/setup/prepare.ts';
import { createFaultyMind } from './faulty.ts';
import type { LightMind, Mind, SlowMind } from './port.ts';
import { createScriptedMind } from './scripted/mind.ts';
import { holdVoteBack, leaveAt } from './wrap.ts';

/** Makes the mind of a seat for which a language model or a person thinks. `index` is its place in the match. */
export type ModelMinds = (seat: MatchSeat, index: number) => Mind;

type MindSettings = {
  readonly seed: number;
  /** Share of the answers that go wrong, from 0 to 1. */
  readonly faultRate: number;
  /** Null where nobody outside is to be asked, as when a record is played again. */
  readonly models: ModelMinds | null;
};

type CreateMind = (seat: MatchSeat, index: number, settings: MindSettings) => Mind;

const CREATORS: Readonly<Record<MindKind, CreateMind>> = {
  scripted: (seat, index, { seed }) =>
    createScriptedMind(seed, seat.colour, personaOf(seat, index).temperament, seat.learned),
  silent: () => silentMind,
  openai: createOutsideMind,
  human: createOutsideMind,
};

/** The mind of a seat, with the habits that the seat was given. */
export function createMind(seat: MatchSeat, index: number, settings: MindSettings): Mind {
  const { seed, faultRate } = settings;
  const bare = CREATORS[seat.mind](seat, index, settings);
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
