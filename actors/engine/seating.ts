/** Seating: which mind thinks for a seat, with the habits that it was given. */
import type { LobbySeat } from '../../machines/setup/lobby.ts';
import type { ScenarioSeat } from '../../machines/setup/scenario.ts';
import { personaOf } from '../../machines/setup/setting.ts';
import { faultyMind } from '../minds/faulty.ts';
import { holdingBack, leavingAt } from '../minds/habits.ts';
import type { Mind, SlowMind } from '../minds/port.ts';
import { scriptedMind } from '../minds/scripted/mind.ts';
import { silentMind } from '../minds/silent.ts';

export type AnySeat = LobbySeat & Partial<Pick<ScenarioSeat, 'leaves'>>;

/** Makes the mind of a seat for which a language model or a person thinks. `index` is its place in the lobby. */
export type ModelMinds = (seat: AnySeat, index: number) => Mind;

export type Seating = {
  readonly seed: number;
  /** Share of the answers that go wrong, from 0 to 1. */
  readonly faultRate: number;
  /** Null where nobody outside is to be asked, as when a record is played again. */
  readonly models: ModelMinds | null;
};

export function mindFor(seat: AnySeat, index: number, { seed, faultRate, models }: Seating): Mind {
  const bare = bareMind(seat, index, seed, models);
  const voting = seat.votes === 'after-nudge' ? holdingBack(bare) : bare;
  const staying = seat.leaves === undefined ? voting : leavingAt(voting, seat.leaves);
  // People make mistakes of their own.
  const isSound = faultRate === 0 || seat.mind === 'human';
  return isSound ? staying : faultyMind(staying, seed, seat.colour, faultRate);
}

function bareMind(seat: AnySeat, index: number, seed: number, models: ModelMinds | null): Mind {
  switch (seat.mind) {
    case 'silent':
      return silentMind;
    case 'openai':
    case 'human':
      return models === null ? nobodyAsked : models(seat, index);
    case 'scripted':
      return scriptedMind(seed, seat.colour, personaOf(seat, index).temperament, seat.learned);
  }
}

/** A model or a person who is not asked: the answers are on a tape, or there are none. */
const nobodyAsked: SlowMind = {
  pace: 'in-time',
  answer: () =>
    Promise.resolve({
      ok: false,
      code: 'endpoint/not-asked',
      text: 'no endpoint is asked in this run',
    }),
};
