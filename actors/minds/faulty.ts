/**
 * A faulty mind spoils some answers of another mind, drawn from the seed, as real models do: silence, lateness,
 * garbage, an exception, votes for nobody or for the dead, another player's name, messages of 100 kB.
 */
import { type DrawMoment, drawWords } from '../../machines/rules/dice.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';
import type { Answer, Mind, MindRequest } from './port.ts';
import { wrapMind } from './wrap.ts';

export const FAULTS = [
  'silence',
  'lateness',
  'not-json',
  'wrong-shape',
  'throws',
  'votes-for-nobody',
  'votes-for-the-dead',
  'speaks-for-another',
  'floods',
  'shouts-desire',
  'blank',
  'not-even-json',
] as const;
export type FaultKind = (typeof FAULTS)[number];

const FLOOD = 'All of you listen to me. '.repeat(4000);
const TWO_32 = 2 ** 32;

/** Spoils this share of the answers (0 to 1). The same seed spoils the same answers. */
export function createFaultyMind(mind: Mind, seed: number, seat: Colour, rate: number): Mind {
  const pickFault = (request: MindRequest): FaultKind | null => {
    const [chance, kind] = drawWords(findMoment(seed, request), COLOURS.indexOf(seat));
    return chance / TWO_32 < rate ? (FAULTS[kind % FAULTS.length] ?? null) : null;
  };
  return wrapMind(mind, {
    after: (request, answer) => {
      const fault = pickFault(request);
      return fault === null ? answer : spoil(fault, answer, request);
    },
  });
}

/** Ghost turns and rounds have their own counters. */
const LANES: Readonly<Partial<Record<MindRequest['kind'], number>>> = { ghost: 1, action: 2 };

function findMoment(seed: number, request: MindRequest): DrawMoment {
  const lane = LANES[request.kind] ?? 0;
  return { seed, meeting: lane, stream: 'fault', tick: request.index };
}

function spoil(fault: FaultKind, answer: Answer, request: MindRequest): Answer {
  if (!answer.ok) return answer;
  const good = typeof answer.received === 'object' ? answer.received : {};
  switch (fault) {
    case 'silence':
      return { ok: false, code: 'mind/silent', text: 'no answer came' };
    case 'lateness':
      return { ok: false, code: 'mind/late', text: 'no reply before the deadline' };
    case 'not-json':
      return {
        ok: true,
        received: 'As an AI language model, I would vote for… {"vote_action": "re',
      };
    case 'wrong-shape':
      return { ok: true, received: { desire_to_speak: 'very much', message: ['a', 'b'] } };
    case 'throws':
      throw new Error('this mind threw on purpose');
    case 'votes-for-nobody':
      return { ok: true, received: { ...good, vote_action: 'the quiet one' } };
    case 'votes-for-the-dead':
      return { ok: true, received: { ...good, vote_action: pickDead(request) } };
    case 'speaks-for-another':
      return { ok: true, received: { ...good, speaker: 'system', target: 'everybody', t: -1 } };
    case 'floods':
      return { ok: true, received: { ...good, message: FLOOD } };
    case 'shouts-desire':
      return { ok: true, received: { ...good, desire_to_speak: 9000 } };
    case 'blank':
      return { ok: true, received: { ...good, message: '  \n\t ' } };
    case 'not-even-json':
      return { ok: true, received: { ...good, desire_to_speak: Number.NaN } };
    default:
      return fault satisfies never;
  }
}

function pickDead(request: MindRequest): Colour {
  if (request.kind === 'action') return 'coral';
  const seats = request.kind === 'ghost' ? request.view.truth.seats : request.view.table.seats;
  const dead = seats.find(({ standing }) => standing !== 'living');
  const absent = COLOURS.find((colour) => seats.every((seat) => seat.colour !== colour));
  return dead?.colour ?? absent ?? 'coral';
}
