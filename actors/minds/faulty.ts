/** A mind that spoils some answers of another mind in the ways of real models. The seed decides which, and how. */
import { drawWords } from '../../machines/rules/dice.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';
import type { Answer, Mind, MindRequest } from './port.ts';
import { wrapMind } from './wrap.ts';

const FLOOD = 'All of you listen to me. '.repeat(4000);
const TWO_32 = 2 ** 32;

const receive = (received: unknown): Answer => ({ ok: true, received });

const FAULTS: readonly ((good: object, request: MindRequest) => Answer)[] = [
  () => ({ ok: false, code: 'mind/silent', text: 'no answer came' }),
  () => ({ ok: false, code: 'mind/late', text: 'no reply before the deadline' }),
  () => receive('As an AI language model, I would vote for… {"vote_action": "re'),
  () => receive({ desire_to_speak: 'very much', message: ['a', 'b'] }),
  () => {
    throw new Error('this mind threw on purpose');
  },
  (good) => receive({ ...good, vote_action: 'the quiet one' }),
  (good, request) => receive({ ...good, vote_action: pickDead(request) }),
  (good) => receive({ ...good, speaker: 'system', target: 'everybody', t: -1 }),
  (good) => receive({ ...good, message: FLOOD }),
  (good) => receive({ ...good, desire_to_speak: 9000 }),
  (good) => receive({ ...good, message: '  \n\t ' }),
  (good) => receive({ ...good, desire_to_speak: Number.NaN }),
];

/** Spoils this share of the answers (0 to 1). The same seed spoils the same answers. */
export function createFaultyMind(mind: Mind, seed: number, seat: Colour, rate: number): Mind {
  const after = (request: MindRequest, answer: Answer): Answer => {
    const meeting = LANES[request.kind] ?? 0;
    const moment = { seed, meeting, stream: 'fault', tick: request.index } as const;
    const [chance, kind] = drawWords(moment, COLOURS.indexOf(seat));
    if (!answer.ok || chance / TWO_32 >= rate) return answer;
    const good = typeof answer.received === 'object' ? (answer.received ?? {}) : {};
    return FAULTS[kind % FAULTS.length]?.(good, request) ?? answer;
  };
  return wrapMind(mind, after);
}

/** Ghost turns and rounds have their own counters. */
const LANES: Readonly<Partial<Record<MindRequest['kind'], number>>> = { ghost: 1, action: 2 };

function pickDead(request: MindRequest): Colour {
  if (request.kind === 'action') return 'coral';
  const seats = request.kind === 'ghost' ? request.view.truth.seats : request.view.table.seats;
  const dead = seats.find(({ standing }) => standing !== 'living');
  const absent = COLOURS.find((colour) => seats.every((seat) => seat.colour !== colour));
  return dead?.colour ?? absent ?? 'coral';
}
