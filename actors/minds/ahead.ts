/**
 * Writes each request to a slow mind, and each answer, before its tick closes and the journal has them. These lines are
 * no part of the journal or its hashes. They go to a file beside it, or between its lines where a league keeps it open.
 * A match that continues reuses every answer and counts every request from here. A successful call and its answer share
 * one line, so a crash leaves a request without an outcome, never a paid answer without its text. A model's failure is
 * written before it is known whether it counts as a fault: `openai/outages.ts` judges kept failures like new ones.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { readCall, readCalls } from '../../machines/journal/calls.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { parseJson } from '../../machines/text.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';
import { reach } from '../ports/reach.ts';
import { readUsage } from './openai/content.ts';
import { type FailedReply, TAKEN } from './openai/conversation.ts';
import type { FailureClass } from './openai/failures.ts';
import type { Answer, MindRequest, SlowMind, TimedMind } from './port.ts';
import { remember } from './remember.ts';

const callSchema = z.looseObject({ id: z.int().nonnegative() });
type NotedCall = z.infer<typeof callSchema> & { readonly seat: Colour };
const answerSchema = z.union([
  z.object({ ok: z.literal(true), received: z.unknown() }),
  z.object({ ok: z.literal(false), code: z.string(), text: z.string() }),
]);

/** Every line begins with its type. The first characters tell it from a line of a journal. */
const aheadLineSchema = z.discriminatedUnion('ahead', [
  z.object({ ahead: z.literal('sent'), ...callSchema.shape, request: z.looseObject({}) }),
  z.object({ ahead: z.literal('call'), call: callSchema }),
  z.object({
    ahead: z.literal('answer'),
    seat: z.enum(COLOURS),
    request: z.string(),
    answer: answerSchema,
    calls: z.array(callSchema),
  }),
  z.object({ ahead: z.literal('again'), seat: z.enum(COLOURS), request: z.string() }),
]);
type AheadLine = z.infer<typeof aheadLineSchema>;

const BEGINNING = '{"ahead":';

export function splitAhead(text: string): { readonly journal: string; readonly ahead: string } {
  if (!text.includes(BEGINNING)) return { journal: text, ahead: '' };
  const lines = text.split(/(?<=\n)/);
  return {
    journal: lines.filter((line) => !line.startsWith(BEGINNING)).join(''),
    ahead: lines.filter((line) => line.startsWith(BEGINNING)).join(''),
  };
}

type AskedQuestion =
  | MindRequest
  | { readonly kind: 'belief' | 'reflection'; readonly view: unknown };

/** A cache: each digest is needed up to three times. */
const digests = new WeakMap<AskedQuestion, string>();

function digestQuestion(question: AskedQuestion): string {
  return remember(digests, question, () => hash('sha256', canonical(question), 'hex'));
}

/** Failures that are a model's reply and would cost the same again. After others, a continued match asks again. */
const REPLIED: readonly FailureClass[] = [...TAKEN, 'moderation', 'context-overflow'];

export type AheadLog = {
  readonly past: string;
  /** `isPaid`: the line must survive a power cut. */
  write(line: string, isPaid: boolean): void;
};

export class WriteAhead {
  #log: AheadLog | null = null;
  /** Answers of the earlier attempt that the journal lacks, by seat and digest. */
  readonly #answers = new Map<string, Answer>();
  /** Requests of the earlier attempt by number. Those without an outcome count as lost. */
  readonly #calls = new Map<number, object>();
  /** The last answer written for each seat, by its digest: a call may have written it. */
  readonly #written = new Map<Colour, string>();
  #nextId = 0;

  /** Returns the requests of the earlier attempt that the journal's `lines` lack. Damaged lines are skipped. */
  open(log: AheadLog, lines: readonly Line[]): readonly object[] {
    this.#log = log;
    const recorded = new Set(readCalls(lines).map(({ id }) => id));
    for (const id of recorded) this.#nextId = Math.max(this.#nextId, (id ?? -1) + 1);
    for (const text of log.past.split('\n')) {
      const line = text.startsWith(BEGINNING) && aheadLineSchema.safeParse(parseJson(text)).data;
      if (line) this.#remember(line);
    }
    const missing = [...this.#calls].flatMap(([id, call]) => (recorded.has(id) ? [] : [call]));
    if (missing.some((call) => Reflect.get(call, 'failure') === LOST.failure))
      reach('request-lost');
    return missing;
  }

  noteSent(request: Readonly<Record<string, unknown>>): number {
    const id = this.#nextId++;
    this.#writeLine({ ahead: 'sent', id, request }, false);
    return id;
  }

  noteCall(call: NotedCall, question: AskedQuestion, received: object | null): void {
    if (received === null) this.#writeLine({ ahead: 'call', call }, false);
    else this.#writeAnswer(call.seat, digestQuestion(question), { ok: true, received }, [call]);
  }

  /** Wraps an own mind: answers of the earlier attempt are reused, and new ones are written as they arrive. */
  keepAnswersOf(seat: Colour, mind: TimedMind): SlowMind {
    return {
      pace: 'in-time',
      answer: async (request, signal) => {
        const known = this.takeAnswer(seat, request);
        if (known !== undefined) return known;
        const answer = await mind.answer(request, signal);
        this.noteAnswer(seat, request, answer);
        return answer;
      },
    };
  }

  /** The earlier attempt's answer to a question, used up by this call. */
  takeAnswer(seat: Colour, question: AskedQuestion): Answer | undefined {
    const key = `${seat} ${digestQuestion(question)}`;
    const answer = this.#answers.get(key);
    if (answer !== undefined) reach('answer-recalled');
    this.#answers.delete(key);
    return answer;
  }

  /** The same for a model's mind, with a failure as the model gave it. */
  takeReply(seat: Colour, question: AskedQuestion) {
    const answer = this.takeAnswer(seat, question);
    return answer?.ok === false ? readFailure(answer) : (answer ?? null);
  }

  noteAnswer(seat: Colour, question: AskedQuestion, answer: Answer): void {
    const request = digestQuestion(question);
    const isKept = answer.ok || readFailure(answer) !== null;
    if (isKept && this.#written.get(seat) !== request) this.#writeAnswer(seat, request, answer, []);
  }

  /** A pause: if the match is resumed, this question is asked anew, although its failure was paid. */
  askAgain(seat: Colour, question: AskedQuestion): void {
    this.#writeLine({ ahead: 'again', seat, request: digestQuestion(question) }, false);
  }

  #writeAnswer(seat: Colour, request: string, answer: Answer, calls: NotedCall[]): void {
    this.#written.set(seat, request);
    this.#writeLine({ ahead: 'answer', seat, request, answer, calls }, true);
  }

  #remember(line: AheadLine): void {
    // The outcome of a request in flight is unknown.
    if (line.ahead === 'sent') this.#rememberCall({ id: line.id, ...line.request, ...LOST });
    if (line.ahead === 'call') this.#rememberCall(line.call);
    if (line.ahead === 'again') this.#answers.delete(`${line.seat} ${line.request}`);
    if (line.ahead !== 'answer') return;
    for (const call of line.calls) this.#rememberCall(call);
    this.#answers.set(`${line.seat} ${line.request}`, line.answer);
  }

  #rememberCall(call: z.infer<typeof callSchema>): void {
    if (readCall(call) === null) return;
    this.#calls.set(call.id, call);
    this.#nextId = Math.max(this.#nextId, call.id + 1);
  }

  #writeLine({ ahead, ...fields }: AheadLine, isPaid: boolean): void {
    let text: string;
    try {
      text = JSON.stringify({ ahead, ...fields });
    } catch {
      // It is nested too deeply to be written. The journal refuses it too.
      return;
    }
    this.#log?.write(`${text}\n`, isPaid);
  }
}

function readFailure({ code, text }: Extract<Answer, { ok: false }>): FailedReply | null {
  const failure = REPLIED.find((one) => code === `endpoint/${one}`);
  return failure === undefined ? null : { ok: false, code: failure, text };
}

const LOST = { ms: 0, usage: readUsage(null), failure: 'lost', reply: null };
