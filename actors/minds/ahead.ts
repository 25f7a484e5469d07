/**
 * Write-ahead of answers: each request to a slow mind and each answer is written as it comes, before its tick closes.
 *
 * A journal gets the answers of a tick when the tick is over. A process that is killed before would lose answers that
 * were paid for, ask for them again, and its budget would not know. These lines are no part of the journal and of its
 * hashes: they stand in a file beside it, or between its lines where a league keeps it open. A match that continues
 * takes every answer that had arrived from here, counts every request that was sent, and writes into the journal those
 * that are missing in it.
 *
 * A call that succeeded is written together with the answer that it brought, in one line, before the next request gets its
 * turn: a process that ends between two lines leaves a request without an outcome, never a paid answer without its text.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { canonical } from '../../machines/journal/canonical.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';
import { reach } from '../ports/reach.ts';
import type { ModelMinds } from './kinds.ts';
import { readCall, readCalls } from './openai/calls.ts';
import type { SeatCall, SentRequest } from './openai/client.ts';
import { readUsage } from './openai/content.ts';
import type { FailureClass } from './openai/failures.ts';
import type { Answer, Mind, MindRequest } from './port.ts';

const callSchema = z.looseObject({ id: z.int().nonnegative() });
const answerSchema = z.union([
  z.object({ ok: z.literal(true), received: z.unknown() }),
  z.object({ ok: z.literal(false), code: z.string(), text: z.string() }),
]);

/** Every line begins with its type, so that it is told from a line of a journal by its first characters. */
const aheadLineSchema = z.discriminatedUnion('ahead', [
  z.object({ ahead: z.literal('sent'), ...callSchema.shape, request: z.looseObject({}) }),
  z.object({ ahead: z.literal('call'), call: callSchema }),
  z.object({
    ahead: z.literal('answer'),
    seat: z.enum(COLOURS),
    /** The digest of what was asked. */
    request: z.string(),
    answer: answerSchema,
    calls: z.array(callSchema),
  }),
]);
type AheadLine = z.infer<typeof aheadLineSchema>;

const BEGINNING = '{"ahead":';

/** Takes the lines that were written ahead out of a text in which they stand between those of a journal. */
export function splitAhead(text: string): { readonly journal: string; readonly ahead: string } {
  if (!text.includes(BEGINNING)) return { journal: text, ahead: '' };
  const lines = text.split(/(?<=\n)/);
  return {
    journal: lines.filter((line) => !line.startsWith(BEGINNING)).join(''),
    ahead: lines.filter((line) => line.startsWith(BEGINNING)).join(''),
  };
}

/** What a player is asked, in the game and beside it, or after a game what a persona is. */
type AskedQuestion =
  | MindRequest
  | { readonly kind: 'belief' | 'reflection'; readonly view: unknown };

/** Digests of questions that are open: each is needed when it is asked, when its call is over and when it is answered. */
const digests = new WeakMap<AskedQuestion, string>();

function digestQuestion(question: AskedQuestion): string {
  const digest = digests.get(question) ?? hash('sha256', canonical(question), 'hex');
  digests.set(question, digest);
  return digest;
}

/** Failures that are a model's reply to this question: asked once more, it would be paid once more. */
const REPLIED: readonly string[] = (
  [
    'refusal',
    'moderation',
    'content-filter',
    'context-overflow',
    'truncated',
    'empty',
    'malformed',
  ] satisfies readonly FailureClass[]
).map((code) => `endpoint/${code}`);

/** Whether an answer is kept. Other failures are of a moment: the mind is asked again when the match continues. */
function isKept(answer: Answer): boolean {
  return answer.ok || REPLIED.includes(answer.code);
}

/** Where the lines of a match go, and what an earlier attempt has left there. */
export type AheadLog = {
  readonly past: string;
  /** `isPaid` says that the line holds what must survive a power cut. */
  write(line: string, isPaid: boolean): void;
};

export class WriteAhead {
  /** Null where nothing is written ahead. */
  #log: AheadLog | null = null;
  /** Answers of the past that no line of the journal has, by seat and digest. */
  readonly #answers = new Map<string, Answer>();
  /** Requests of the past by their number; those without an outcome as lost. */
  readonly #calls = new Map<number, object>();
  /** The last answer of each seat that was written, by its digest: a call may have brought it. */
  readonly #written = new Map<Colour, string>();
  #nextId = 0;

  /**
   * Begins to write, before the match starts; `lines` are what its journal has already. Returns the requests of the past
   * that are missing there, each as its `clock.calls` would have it. What is damaged in the past is passed over.
   */
  open(log: AheadLog, lines: readonly Line[]): readonly object[] {
    this.#log = log;
    const recorded = new Set(readCalls(lines).map(({ id }) => id));
    for (const id of recorded) this.#nextId = Math.max(this.#nextId, (id ?? -1) + 1);
    for (const text of log.past.split('\n')) {
      const line = readAheadLine(text);
      if (line !== null) this.#remember(line);
    }
    const missing = [...this.#calls].flatMap(([id, call]) => (recorded.has(id) ? [] : [call]));
    if (missing.some((call) => Reflect.get(call, 'failure') === LOST.failure))
      reach('request-lost');
    return missing;
  }

  /** A request is about to be sent; the number that it has in this match. */
  noteSent(request: SentRequest): number {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#writeLine({ ahead: 'sent', id, request }, false);
    return id;
  }

  /** A request is over; `received` is the answer to the question that it brought, null where it brought none. */
  noteCall(call: SeatCall, question: AskedQuestion, received: object | null): void {
    if (received === null) this.#writeLine({ ahead: 'call', call }, false);
    else this.#writeAnswer(call.seat, digestQuestion(question), { ok: true, received }, [call]);
  }

  /** Minds that give an answer of the past where there is one, and whose answers are written as they arrive. */
  keepAnswers(minds: ModelMinds): ModelMinds {
    return (seat, index, times) => {
      const mind = minds(seat, index, times);
      return mind.pace === 'at-once' ? mind : this.#keepAnswersOf(seat.colour, mind);
    };
  }

  /** The answer of the past to a question, which is then used; undefined where there is none. */
  takeAnswer(seat: Colour, question: AskedQuestion): Answer | undefined {
    const key = `${seat} ${digestQuestion(question)}`;
    const answer = this.#answers.get(key);
    if (answer !== undefined) reach('answer-recalled');
    this.#answers.delete(key);
    return answer;
  }

  /** An answer has arrived. */
  noteAnswer(seat: Colour, question: AskedQuestion, answer: Answer): void {
    const request = digestQuestion(question);
    if (isKept(answer) && this.#written.get(seat) !== request)
      this.#writeAnswer(seat, request, answer, []);
  }

  #writeAnswer(seat: Colour, request: string, answer: Answer, calls: SeatCall[]): void {
    this.#written.set(seat, request);
    this.#writeLine({ ahead: 'answer', seat, request, answer, calls }, true);
  }

  #keepAnswersOf(seat: Colour, mind: Extract<Mind, { pace: 'in-time' }>): Mind {
    return {
      pace: 'in-time',
      answer: async (request, signal, keepTime) => {
        const known = this.takeAnswer(seat, request);
        if (known !== undefined) return known;
        const answer = await mind.answer(request, signal, keepTime);
        this.noteAnswer(seat, request, answer);
        return answer;
      },
    };
  }

  #remember(line: AheadLine): void {
    switch (line.ahead) {
      case 'sent':
        // Nothing is known of a request that was on its way when the process ended.
        this.#rememberCall({ id: line.id, ...line.request, ...LOST });
        return;
      case 'call':
        this.#rememberCall(line.call);
        return;
      case 'answer':
        for (const call of line.calls) this.#rememberCall(call);
        this.#answers.set(`${line.seat} ${line.request}`, line.answer);
    }
  }

  #rememberCall(call: z.infer<typeof callSchema>): void {
    if (readCall(call) === null) return;
    this.#calls.set(call.id, call);
    this.#nextId = Math.max(this.#nextId, call.id + 1);
  }

  #writeLine({ ahead, ...fields }: AheadLine, isPaid: boolean): void {
    const text = toText({ ahead, ...fields });
    if (text !== null) this.#log?.write(`${text}\n`, isPaid);
  }
}

const LOST = { ms: 0, usage: readUsage(null), failure: 'lost', reply: null };

/** Null for what is nested so deeply that it can't be written; the journal refuses it, too. */
function toText(line: object): string | null {
  try {
    return JSON.stringify(line);
  } catch {
    return null;
  }
}

function readAheadLine(text: string): AheadLine | null {
  if (!text.startsWith(BEGINNING)) return null;
  try {
    return aheadLineSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
