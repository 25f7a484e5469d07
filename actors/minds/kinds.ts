/** How a mind of each kind is created. What the kinds are stands in `machines/rules/mindKinds.ts`. */

import type { FilledGame, FilledMeeting } from '../../machines/journal/opening.ts';
import { isPerson, type MindKind } from '../../machines/rules/mindKinds.ts';
import { LEFT } from '../../machines/rules/tick.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import { personaOf } from '../../machines/setup/prepare.ts';
import { createFaultyMind } from './faulty.ts';
import type { LightMind, Mind, SlowMind } from './port.ts';
import { createScriptedMind } from './scripted/mind.ts';
import { holdVoteBack, leaveAt } from './wrap.ts';

/** Milliseconds for an answer at the table and on the ship; null where the match does not say. */
export type AnswerTimes = { readonly table: number | null; readonly ship: number | null };

/**
 * Makes the mind of a seat for which something outside the engine thinks: a language model, a person, or a program of
 * the operator's own. `index` is its place in the match.
 */
export type ModelMinds = (seat: MatchSeat, index: number, times: AnswerTimes) => Mind;

type MindSettings = {
  readonly seed: number;
  /** Share of the answers that go wrong, from 0 to 1. */
  readonly faultRate: number;
  /** Null where nobody outside is to be asked, as when a record is played again. */
  readonly models: ModelMinds | null;
  readonly times: AnswerTimes;
};

type CreateMind = (seat: MatchSeat, index: number, settings: MindSettings) => Mind;

const CREATORS: Readonly<Record<MindKind, CreateMind>> = {
  scripted: (seat, index, { seed }) =>
    createScriptedMind(seed, seat.colour, personaOf(seat, index).temperament, seat.learned),
  silent: () => silentMind,
  openai: createOutsideMind,
  command: createOutsideMind,
  http: createOutsideMind,
  module: createOutsideMind,
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

function createOutsideMind(seat: MatchSeat, index: number, { models, times }: MindSettings): Mind {
  return models === null ? unaskedMind : models(seat, index, times);
}

/** How long a match waits for answers, by its options. */
export function readAnswerTimes(match: FilledMeeting | FilledGame | null): AnswerTimes {
  if (match === null) return { table: null, ship: null };
  const { options } = match;
  const ship = 'round_deadline_ms' in options ? options.round_deadline_ms : null;
  return { table: options.deadline_ms, ship };
}

/** A model, a person or an own program in a run that asks nobody: the answers are recorded, or there are none. */
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
