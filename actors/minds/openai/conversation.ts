/**
 * The conversation: one question, asked in as many ways as it takes, until there is an answer or a reason.
 *
 * What a refusal teaches is remembered for the model; what went wrong with one answer changes this question only. No
 * exception leaves here, and every way has an end.
 */
import { UNUSED, type Usage, usageOf } from './content.ts';
import { bodyFor, type Feedback, type Manner, type Question } from './messages.ts';
import { type Reading, readingOf } from './reading.ts';
import { type Acquaintance, adapted, type Mode, plainer, type Traits } from './traits.ts';
import type { Failure, Trouble, Unusable } from './verdict.ts';
import type { Delivery, Wire } from './wire.ts';

export type Ports = {
  readonly wire: Wire;
  /** Kept after so many milliseconds, or broken off by the signal. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  /** Runs each request, and the wait after one that failed, when there is room; left out, there always is. */
  readonly turn?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Asked right before every request: why it may not be made, or null. It is made then, and `onCall` is told. */
  readonly refusal: () => string | null;
  /** Told after every request. */
  readonly onCall: (call: Call) => void;
};

/** One request that was made. */
export type Call = {
  readonly mode: Mode;
  readonly ms: number;
  readonly usage: Usage;
  /** What was wrong with it; null when it was the answer. */
  readonly trouble: string | null;
  /** The text as the model gave it, where that is more or other than the answer that was read; else null. */
  readonly said: string | null;
  /** Only there when the answer had to be mended to be one. */
  readonly mended?: true;
};

export type Reply =
  | {
      readonly ok: true;
      /** The object that the model meant, in the types of the schema. */
      readonly received: object;
      /** Whether it had to be mended to be one: of broken JSON, or of wrong types. */
      readonly isMended: boolean;
      /** As the model gave it: that object, or the text in which it stands. */
      readonly said: unknown;
      readonly mode: Mode;
      readonly calls: number;
    }
  | { readonly ok: false; readonly code: Failure; readonly text: string; readonly calls: number };

/** The request was taken, whatever the model made of it: what was learned of the endpoint holds. */
export function gotThrough(reply: Reply): boolean {
  return reply.ok || TAKEN.includes(reply.code);
}

const TAKEN: readonly Failure[] = ['refusal', 'content-filter', 'truncated', 'empty', 'malformed'];

export type Patience = {
  /** Milliseconds for one request. */
  readonly attemptMs: number;
  /** Longest that an endpoint may ask to be left alone, in milliseconds. */
  readonly waitMs: number;
};

/** Waits for a passing illness: half a second, doubled each time. */
const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;
const MOST_WAITS = 5;
/** More requests than this are no conversation. */
const MOST_CALLS = 16;
/** An answer that was cut is asked for again with so much more room, once. */
const MORE_ROOM = 4;

/** How one request was made. */
type Attempt = { readonly traits: Traits; readonly mode: Mode; readonly signal: AbortSignal };

export class Conversation {
  readonly #question: Question;
  readonly #manner: Manner;
  readonly #known: Acquaintance;
  readonly #ports: Ports;
  readonly #patience: Patience;
  readonly #fits: (value: object) => boolean;
  #calls = 0;
  #waits = 0;
  /** Modes that failed this question, and what it was told. */
  readonly #spent = new Set<Mode>();
  #hasMoreRoom = false;
  #feedback: Feedback | null = null;
  #wasCorrected = false;
  /** Traits that are tried after a refusal that nobody understands; remembered when they get through. */
  #guess: Traits | null = null;
  #guesses = 0;

  constructor(
    question: Question,
    manner: Manner,
    known: Acquaintance,
    {
      ports,
      patience,
      fits,
    }: {
      ports: Ports;
      patience: Patience;
      /** Whether an object is an answer at all. */
      fits: (value: object) => boolean;
    },
  ) {
    this.#question = question;
    this.#manner = manner;
    this.#known = known;
    this.#ports = ports;
    this.#patience = patience;
    this.#fits = fits;
  }

  async run(signal: AbortSignal): Promise<Reply> {
    const { turn = (work) => work() } = this.#ports;
    while (this.#calls < MOST_CALLS) {
      const reply = await turn(() => this.#next(signal));
      if (reply !== null) return reply;
    }
    return this.#failed('upstream', `no answer after ${MOST_CALLS} requests`);
  }

  /** The next request, if there is any way left to ask and anybody who waits; null to go on. */
  async #next(signal: AbortSignal): Promise<Reply | null> {
    if (signal.aborted) return this.#failed('aborted', GONE);
    const traits = this.#guess ?? this.#known.traits;
    const mode = traits.modes.find((one) => !this.#spent.has(one));
    if (mode === undefined) return this.#failed('malformed', 'no way to ask got a usable answer');
    const refusal = this.#ports.refusal();
    if (refusal !== null) return this.#failed('budget', refusal);
    return await this.#attempt({ traits, mode, signal });
  }

  /** One request; null to go on. */
  async #attempt(attempt: Attempt): Promise<Reply | null> {
    const { traits, mode, signal } = attempt;
    const maxTokens = this.#question.maxTokens * (this.#hasMoreRoom ? MORE_ROOM : 1);
    const feedback = this.#feedback;
    const body = bodyFor(this.#question, this.#manner, traits, { mode, maxTokens, feedback });
    this.#feedback = null;
    const started = this.#ports.now();
    const delivery = await this.#sent(body, signal);
    this.#calls += 1;
    const read = signal.aborted
      ? null
      : readingOf(delivery, { question: this.#question, sent: body, fits: this.#fits });
    const trouble = read === null || read.type === 'answer' ? null : read;
    this.#ports.onCall({
      mode,
      ms: Math.round(this.#ports.now() - started),
      usage: usedBy(delivery),
      trouble: read === null ? 'aborted' : trouble === null ? null : nameOf(trouble),
      said: read === null ? null : saidBeside(read),
      ...(read?.type === 'answer' && read.isMended ? { mended: true } : {}),
    });
    if (read === null) return this.#failed('aborted', GONE);
    if (read.type !== 'answer') return this.#go(read, attempt);
    this.#known.traits = this.#guess ?? this.#known.traits;
    const { received, said, isMended } = read;
    return { ok: true, received, said, isMended, mode, calls: this.#calls };
  }

  async #sent(body: Parameters<Wire['send']>[0], signal: AbortSignal): Promise<Delivery> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#patience.attemptMs);
    try {
      const delivery = await this.#ports.wire.send(body, AbortSignal.any([signal, late.signal]));
      if (delivery.type === 'body' || !late.signal.aborted) return delivery;
      const text = `no answer within ${this.#patience.attemptMs} ms`;
      return { type: 'lost', isLate: true, wasSent: true, text };
    } finally {
      clearTimeout(timer);
    }
  }

  /** What follows from a trouble; null to ask again. */
  async #go(trouble: Trouble, attempt: Attempt): Promise<Reply | null> {
    switch (trouble.type) {
      case 'final':
        // The room that was asked for belongs to the context too.
        if (trouble.why !== 'context-overflow' || !this.#hasMoreRoom)
          return this.#failed(trouble.why, trouble.text);
        this.#hasMoreRoom = false;
        return this.#withoutMode('truncated', attempt.mode);
      case 'unsupported':
        return this.#adapt(trouble, attempt);
      case 'unusable':
        return this.#askOtherwise(trouble, attempt.mode);
      case 'passing':
        return this.#wait(trouble, attempt.signal);
    }
  }

  /** What is understood is remembered at once; what is not is remembered when it helps. */
  #adapt(
    trouble: Extract<Trouble, { type: 'unsupported' }>,
    { traits, mode }: Attempt,
  ): Reply | null {
    const learned = adapted(this.#known.traits, traits, mode, trouble);
    if (learned !== null) this.#known.traits = learned;
    this.#guess = learned === null ? (plainer(this.#known.traits)[this.#guesses++] ?? null) : null;
    return (learned ?? this.#guess) ? null : this.#failed('upstream', trouble.text);
  }

  #askOtherwise({ why, said }: Extract<Trouble, { type: 'unusable' }>, mode: Mode): Reply | null {
    if (why === 'malformed' && !this.#wasCorrected) {
      this.#wasCorrected = true;
      this.#feedback = said === null ? null : { said, text: CORRECTION };
      return null;
    }
    if (why !== 'malformed' && !this.#hasMoreRoom) {
      this.#hasMoreRoom = true;
      return null;
    }
    return this.#withoutMode(why, mode);
  }

  /** Asks in the next way; the reason when there is none. */
  #withoutMode(why: Unusable, mode: Mode): Reply | null {
    this.#spent.add(mode);
    const { modes } = this.#guess ?? this.#known.traits;
    return modes.some((one) => !this.#spent.has(one))
      ? null
      : this.#failed(why, `no way to ask got a usable answer: the last was ${why}`);
  }

  async #wait(
    { why, text, waitMs }: Extract<Trouble, { type: 'passing' }>,
    signal: AbortSignal,
  ): Promise<Reply | null> {
    const backoff = Math.min(FIRST_WAIT_MS * 2 ** this.#waits, LONGEST_BACKOFF_MS);
    // Who says "at once" and fails again is not asked at once for ever.
    const ms = waitMs === null || waitMs === 0 ? backoff : waitMs;
    if (this.#waits >= MOST_WAITS) return this.#failed(why, text);
    if (ms > this.#patience.waitMs) {
      return this.#failed(why, `${text} (it asks for ${Math.ceil(ms / 1000)} s)`);
    }
    this.#waits += 1;
    // Who is broken off while waiting sees the signal next.
    await this.#ports.sleep(ms, signal).catch(() => null);
    return null;
  }

  #failed(code: Failure, text: string): Reply {
    return { ok: false, code, text, calls: this.#calls };
  }
}

/** What was refused or never sent has used nothing; of an answer that was lost nobody knows how much. */
function usedBy(delivery: Delivery): Usage {
  if (delivery.type === 'lost') return delivery.wasSent ? usageOf(null) : UNUSED;
  return delivery.status < FIRST_ERROR ? usageOf(delivery.body) : UNUSED;
}

const FIRST_ERROR = 400;

const GONE = 'nobody waits for the answer any more';
const CORRECTION =
  'That was no JSON object with the fields asked for. Answer again with one JSON object and nothing else.';

/** Longer texts are kept from their beginning, in characters. */
const LONGEST_SAID = 20_000;

/** What is worth keeping of a text beside what was read from it. */
function saidBeside(read: Reading): string | null {
  const said = read.type === 'answer' || read.type === 'unusable' ? read.said : null;
  if (typeof said !== 'string') return null;
  const isRead = read.type === 'answer' && JSON.stringify(read.received) === said.trim();
  return isRead ? null : said.slice(0, LONGEST_SAID);
}

function nameOf(trouble: Trouble): string {
  return trouble.type === 'unsupported'
    ? `unsupported ${trouble.parameter ?? trouble.what}`
    : trouble.why;
}
