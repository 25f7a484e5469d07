/** Eavesdropping: plays a meeting or a game with its own minds and keeps what each of them was asked. */
import type { Cast } from '../actors/engine/casting.ts';
import { SimulatedClock } from '../actors/engine/clock.ts';
import type { Manned } from '../actors/engine/crewing.ts';
import { hold } from '../actors/engine/hold.ts';
import { play } from '../actors/engine/play.ts';
import type { Mind, Request } from '../actors/minds/port.ts';
import { type BySeat, COLOURS, type Colour } from '../machines/types.ts';

/** One request, and whose mind it went to. */
export type Overheard = { readonly seat: Colour; readonly request: Request };

export async function meetingRequests({
  laid,
  minds,
  ghostBudget,
}: Cast): Promise<readonly Overheard[]> {
  const requests: Overheard[] = [];
  const clock = new SimulatedClock();
  const heard = overheard(minds, requests);
  await hold({ ...laid, minds: heard, ghostBudget, clock, recorder: null }).result;
  return requests;
}

export async function gameRequests(crew: Manned): Promise<readonly Overheard[]> {
  const requests: Overheard[] = [];
  const minds = overheard(crew.minds, requests);
  await play({ ...crew, minds, clock: new SimulatedClock(), recorder: null }).result;
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

function listening(mind: Mind, hear: (request: Request) => void): Mind {
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
