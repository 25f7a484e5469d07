/** Creates a mind of each kind. `machines/rules/mindKinds.ts` describes the kinds. */

import type { FilledGame, FilledMeeting } from '../../machines/journal/opening.ts';
import { isPerson } from '../../machines/rules/mindKinds.ts';
import { LEFT } from '../../machines/rules/tick.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import { personaOf } from '../../machines/setup/prepare.ts';
import { createFaultyMind } from './faulty.ts';
import type { LightMind, Mind, SlowMind } from './port.ts';
import { createScriptedMind } from './scripted/mind.ts';
import { holdVoteBack, leaveAt } from './wrap.ts';

/** Milliseconds for an answer, at the table and on the ship; null when the match does not set them. */
export type AnswerTimes = { readonly table: number | null; readonly ship: number | null };

/** Makes the mind of a seat that a model, a person or the operator's program plays, `index`th in the match. */
export type ModelMinds = (seat: MatchSeat, index: number, times: AnswerTimes) => Mind;

type MindSettings = {
  readonly seed: number;
  /** Share of the answers that go wrong, from 0 to 1. */
  readonly faultRate: number;
  /** Null when nobody outside is asked, as in a replay. */
  readonly models: ModelMinds | null;
  readonly times: AnswerTimes;
};

export function createMind(seat: MatchSeat, index: number, settings: MindSettings): Mind {
  const { seed, faultRate } = settings;
  const bare = createBareMind(seat, index, settings);
  const voting = seat.votes === 'after-nudge' ? holdVoteBack(bare) : bare;
  const staying = seat.leaves === undefined ? voting : leaveAt(voting, seat.leaves);
  const isSound = faultRate === 0 || isPerson(seat);
  return isSound ? staying : createFaultyMind(staying, seed, seat.colour, faultRate);
}

function createBareMind(seat: MatchSeat, index: number, settings: MindSettings): Mind {
  const { seed, models, times } = settings;
  if (seat.mind === 'silent') return silentMind;
  if (seat.mind === 'scripted')
    return createScriptedMind(seed, seat.colour, personaOf(seat, index).temperament, seat.learned);
  return models === null ? unaskedMind : models(seat, index, times);
}

export function readAnswerTimes(match: FilledMeeting | FilledGame | null): AnswerTimes {
  if (match === null) return { table: null, ship: null };
  const { options } = match;
  const ship = 'round_deadline_ms' in options ? options.round_deadline_ms : null;
  return { table: options.deadline_ms, ship };
}

/** A model, person or own program in a run that asks nobody: its answers are recorded or missing. */
const unaskedMind: SlowMind = {
  pace: 'in-time',
  answer: async () => ({
    ok: false,
    code: 'endpoint/not-asked',
    text: 'no endpoint is asked in this run',
  }),
};

/** Every tick is a fault, until the player is disconnected. */
export const silentMind: LightMind = {
  pace: 'at-once',
  answer: () => ({ ok: false, code: 'mind/silent', text: 'this mind never answers' }),
};

export const goneMind: LightMind = {
  pace: 'at-once',
  answer: () => ({ ok: false, code: LEFT, text: 'is not here any more' }),
};
