/** Eavesdropping: plays a meeting or a game with its own minds and keeps what each of them was asked. */

import { SimulatedClock } from '../actors/engine/clock.ts';
import { type ReadyGame, type ReadyMeeting, startMatch } from '../actors/engine/match.ts';
import type { Mind, MindRequest } from '../actors/minds/port.ts';
import { type BySeat, COLOURS, type Colour } from '../machines/types.ts';

/** One request, and whose mind it went to. */
export type Overheard = { readonly seat: Colour; readonly request: MindRequest };

/** Plays a match with its own minds and collects what each of them is asked. */
export async function collectPrompts(
  match: ReadyMeeting | ReadyGame,
): Promise<readonly Overheard[]> {
  const requests: Overheard[] = [];
  const minds = overheard(match.minds, requests);
  await startMatch({ ...match, minds, clock: new SimulatedClock(), recorder: null }).result;
  return requests;
}

function overheard(minds: BySeat<Mind>, requests: Overheard[]): BySeat<Mind> {
  const heard: Partial<Record<Colour, Mind>> = {};
  for (const seat of COLOURS) {
    const mind = minds[seat];
    if (mind !== undefined)
      heard[seat] = listening(mind, (request) => requests.push({ seat, request }));
  }
  return heard;
}

function listening(mind: Mind, hear: (request: MindRequest) => void): Mind {
  if (mind.pace === 'in-time') {
    return {
      pace: 'in-time',
      answer: (request, signal) => {
        hear(request);
        return mind.answer(request, signal);
      },
    };
  }
  return {
    pace: 'at-once',
    answer: (request) => {
      hear(request);
      return mind.answer(request);
    },
  };
}
