/**
 * A conversation asks one question in as many ways as it takes, until there is an answer or a reason for none.
 *
 * What a refusal teaches is remembered for the model. A failure of one answer changes this question only. No exception
 * leaves here, and the number of requests is bounded.
 */

import type { Clock } from '../../ports/ports.ts';
import { realTime } from '../../ports/time.ts';
import { type AnswerReading, readAnswer } from './answer.ts';
import {
  type AnswerMode,
  adaptCapabilities,
  type Capabilities,
  type CapabilityCache,
  listPlainer,
} from './capabilities.ts';
import { hasThoughts, readUsage, type TokenUsage, UNUSED } from './content.ts';
import type { ApiFailure, FailureClass, UnusableReason } from './failures.ts';
import type { ModelRest } from './pace.ts';
import {
  buildBody,
  type Feedback,
  isStreamed,
  type Question,
  type RequestParams,
} from './request.ts';
import type { Delivery, Transport } from './transport.ts';

type ConversationPorts = {
  readonly transport: Transport;
  /** Kept after so many milliseconds, or broken off by the signal. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  /**
   * Called when a request is sent, with what gives it up so that it is made again; returns what is called when it has
   * ended. Left out, a request may take as long as the patience says.
   */
  readonly watch?: (lose: () => void) => (isAnswered: boolean) => void;
  /** Times a request that is not watched; left out, by the time of this machine. */
  readonly clock?: Clock;
  /** Called when bytes of a streamed answer have come. */
  readonly onBytes?: () => void;
  /** Called with the next words of an answer that is streamed; null where what was written is void, as in a new request. */
  readonly onText?: (piece: string | null) => void;
  /** Called with the next words of what the model thinks before its answer; void when `onText` says so. */
  readonly onThought?: (piece: string) => void;
  /** The rests that the model has asked for, of this question and of others; left out, this question counts its own. */
  readonly rest?: Pick<ModelRest, 'note' | 'inARow'>;
  /** Asked when the model says that it loads: whether to wait on. Left out, it is a failure like any other. */
  readonly mayLoad?: (says: string) => boolean;
  /** Runs each request, and the wait after one that failed, when there is room; left out, there always is. */
  readonly turn?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Asked right before every request: why it may not be made, or null. It is made then, and `onCall` is told. */
  readonly refuse: (attempt: PlannedAttempt) => string | null;
  /** Told after every request, before another one gets its turn; `received` is the answer, null where it brought none. */
  readonly onCall: (call: ModelCall, received: object | null) => void;
};

/** What is known of a request before it is made. */
export type PlannedAttempt = {
  readonly mode: AnswerMode;
  /** Most tokens of its answer: an answer that broke off is asked for again with more room. */
  readonly maxTokens: number;
};

/** One request that was made. */
export type ModelCall = {
  readonly mode: AnswerMode;
  readonly ms: number;
  readonly usage: TokenUsage;
  /** Tokens of an answer that broke off, by its length; left out where it did not, or nothing of it had come. */
  readonly written?: number;
  /** What was wrong with it; null when it was the answer. */
  readonly failure: string | null;
  /** The text as the model gave it, where that is more or other than the answer that was read; else null. */
  readonly reply: string | null;
  /** Only there when the answer had to be repaired to be one. */
  readonly repaired?: true;
};

export type ModelReply =
  | {
      readonly ok: true;
      /** The object that the model meant, in the types of the schema. */
      readonly received: object;
      /** Whether it had to be repaired to be one: of broken JSON, or of wrong types. */
      readonly isRepaired: boolean;
      /** As the model gave it: that object, or the text in which it stands. */
      readonly said: unknown;
      readonly mode: AnswerMode;
      readonly calls: number;
    }
  | {
      readonly ok: false;
      readonly code: FailureClass;
      readonly text: string;
      readonly calls: number;
      /** The endpoint failed, and waiting did not help: no word of it was about this request. */
      readonly isOutage?: true;
    };

/** The request was taken, whatever the model made of it: what was learned of the endpoint holds. */
export function wasAccepted(reply: ModelReply): boolean {
  return reply.ok || TAKEN.includes(reply.code);
}

const TAKEN: readonly FailureClass[] = [
  'refusal',
  'content-filter',
  'truncated',
  'empty',
  'malformed',
];

export type Patience = {
  /** Milliseconds for one request. */
  readonly attemptMs: number;
  /** Longest that an endpoint may ask to be left alone, in milliseconds. */
  readonly waitMs: number;
};

/** Waits for a passing illness: half a second, doubled each time. */
const FIRST_WAIT_MS = 500;
const MOST_WAITS = 5;
/** The longest wait between two requests to a model that loads. */
const LONGEST_LOAD_MS = 8_000;
/** More requests than this are no conversation. */
const MOST_CALLS = 16;
/** An answer that was cut is asked for again with so much more room. */
const MORE_ROOM = 4;
/** The most room: for a model of which nothing but thoughts has come until then. */
const MOST_ROOM = 16;

/** The longest stream, as a multiple of the time for which a request may be silent. */
const LONGEST_STREAM = 10;

/** How one request was made. */
type RequestAttempt = PlannedAttempt & {
  readonly capabilities: Capabilities;
  /** Times the tokens that the question asks for. */
  readonly room: number;
  readonly signal: AbortSignal;
};

export class Conversation {
  readonly #question: Question;
  readonly #params: RequestParams;
  readonly #known: CapabilityCache;
  readonly #ports: ConversationPorts;
  readonly #patience: Patience;
  readonly #fits: (value: object) => boolean;
  #calls = 0;
  #waits = 0;
  /** Requests that were refused because the model loads: how many there may be is a matter of time. */
  #loads = 0;
  /** Modes that failed this question, and what it was told. */
  readonly #spent = new Set<AnswerMode>();
  /** The room that is asked for, as soon as it is other than the one that is known. */
  #room: number | null = null;
  #feedback: Feedback | null = null;
  #wasCorrected = false;
  /** Traits that are tried after a refusal that says no reason we know; remembered when they get through. */
  #guess: Capabilities | null = null;
  #guesses = 0;
  /** Whether it was asked once with a stream in place of an answer at once, or the other way round. */
  #wasTurned = false;
  /** That of what was known when this began, or began anew. */
  #generation: number;

  constructor(
    question: Question,
    params: RequestParams,
    known: CapabilityCache,
    {
      ports,
      patience,
      fits,
    }: {
      ports: ConversationPorts;
      patience: Patience;
      /** Whether an object is an answer at all. */
      fits: (value: object) => boolean;
    },
  ) {
    this.#question = question;
    this.#params = params;
    this.#known = known;
    this.#generation = known.generation;
    this.#ports = ports;
    this.#patience = patience;
    this.#fits = fits;
  }

  async run(signal: AbortSignal): Promise<ModelReply> {
    const { turn = (work) => work() } = this.#ports;
    while (this.#calls - this.#loads < MOST_CALLS) {
      const reply = await turn(() => this.#next(signal));
      if (reply !== null) return reply;
    }
    return this.#failed('upstream', `no answer after ${MOST_CALLS} requests`);
  }

  /** The next request, if there is any way left to ask and anybody who waits; null to go on. */
  async #next(signal: AbortSignal): Promise<ModelReply | null> {
    if (signal.aborted) return this.#failed('aborted', GONE);
    const capabilities = this.#guess ?? this.#known.capabilities;
    const mode = capabilities.modes.find((one) => !this.#spent.has(one));
    if (mode === undefined)
      return this.#failOrStartOver('malformed', 'no way to ask got a usable answer');
    const room = this.#room ?? capabilities.room;
    const maxTokens = this.#question.maxTokens * room;
    const refusal = this.#ports.refuse({ mode, maxTokens });
    if (refusal !== null) return this.#failed('budget', refusal);
    return await this.#attempt({ capabilities, mode, room, maxTokens, signal });
  }

  /** One request; null to go on. */
  async #attempt(attempt: RequestAttempt): Promise<ModelReply | null> {
    const { capabilities, mode, room, maxTokens, signal } = attempt;
    const { onText = () => {} } = this.#ports;
    const feedback = this.#feedback;
    const body = buildBody(this.#question, this.#params, capabilities, {
      mode,
      maxTokens,
      feedback,
    });
    this.#feedback = null;
    const started = this.#ports.now();
    onText(null);
    const delivery = await this.#sent(body, signal);
    this.#calls += 1;
    const read = signal.aborted
      ? null
      : readAnswer(delivery, { question: this.#question, sent: body, fits: this.#fits });
    const failure = read === null || read.type === 'answer' ? null : read;
    const call: ModelCall = {
      mode,
      ms: Math.round(this.#ports.now() - started),
      usage: countUsage(delivery),
      ...countWritten(delivery),
      failure: read === null ? 'aborted' : failure === null ? null : nameFailure(failure),
      reply: read === null ? null : keepUnread(read),
      ...(read?.type === 'answer' && read.isRepaired ? { repaired: true } : {}),
    };
    if (read?.type !== 'answer') onText(null);
    this.#ports.onCall(call, read?.type === 'answer' ? read.received : null);
    if (read === null) return this.#failed('aborted', GONE);
    if (read.type !== 'answer') return this.#go(read, attempt);
    this.#known.capabilities = this.#guess ?? this.#known.capabilities;
    this.#known.noteAnswered(mode, room, this.#spent, hasThoughts(delivery.body));
    const { received, said, isRepaired } = read;
    return { ok: true, received, said, isRepaired, mode, calls: this.#calls };
  }

  async #sent(body: Parameters<Transport['send']>[0], signal: AbortSignal): Promise<Delivery> {
    const late = new AbortController();
    const { transport, now, watch } = this.#ports;
    const { onBytes = () => {}, onText = () => {}, onThought = () => {} } = this.#ports;
    const started = now();
    const lose = () => late.abort();
    const clock = watch === undefined ? this.#watchOne(lose) : { onBytes, end: watch(lose) };
    const listener = { onBytes: clock.onBytes, onText, onThought };
    let isAnswered = false;
    try {
      const given = AbortSignal.any([signal, late.signal]);
      const delivery = await transport.send(body, given, listener);
      isAnswered = delivery.type === 'body' && delivery.status < FIRST_ERROR;
      if (delivery.type === 'body' || !late.signal.aborted) return delivery;
      const text = `no answer within ${Math.round(now() - started)} ms`;
      return { ...delivery, isLate: true, wasSent: true, text };
    } finally {
      clock.end(isAnswered);
    }
  }

  /** A request is lost when nothing has come of it for so long; one that trickles is lost in the end. */
  #watchOne(lose: () => void): { readonly onBytes: () => void; readonly end: () => void } {
    const { attemptMs } = this.#patience;
    const { clock = realTime } = this.#ports;
    let silent = clock.setTimeout(lose, attemptMs);
    const whole = clock.setTimeout(lose, attemptMs * LONGEST_STREAM);
    return {
      onBytes: () => {
        clock.clearTimeout(silent);
        silent = clock.setTimeout(lose, attemptMs);
      },
      end: () => {
        clock.clearTimeout(silent);
        clock.clearTimeout(whole);
      },
    };
  }

  /** What follows from a failure; null to ask again. */
  async #go(failure: ApiFailure, attempt: RequestAttempt): Promise<ModelReply | null> {
    switch (failure.type) {
      case 'final':
        // The room that was asked for belongs to the context too.
        if (failure.why !== 'context-overflow' || attempt.room === 1)
          return this.#failed(failure.why, failure.text);
        return this.#withoutRoom(attempt);
      case 'unsupported':
        return this.#adapt(failure, attempt);
      case 'unusable':
        return this.#askOtherwise(failure, attempt);
      case 'temporary':
        return this.#wait(failure, attempt.signal);
    }
  }

  /** What is understood is remembered at once; what is not is remembered when it helps. */
  #adapt(
    failure: Extract<ApiFailure, { type: 'unsupported' }>,
    { capabilities, mode }: RequestAttempt,
  ): ModelReply | null {
    const learned = adaptCapabilities(this.#known.capabilities, capabilities, mode, failure);
    if (learned !== null) this.#known.capabilities = learned;
    this.#guess = learned === null ? this.#guessNext(failure, capabilities) : null;
    return (learned ?? this.#guess) ? null : this.#failOrStartOver('upstream', failure.text);
  }

  /** The next way to ask when a refusal says no reason; null when there is none left. */
  #guessNext(
    { mayBeOfStreams }: Extract<ApiFailure, { type: 'unsupported' }>,
    used: Capabilities,
  ): Capabilities | null {
    const known = this.#known.capabilities;
    if (mayBeOfStreams === true && !this.#wasTurned) {
      this.#wasTurned = true;
      return { ...known, streaming: isStreamed(this.#params, used) ? 'never' : 'always' };
    }
    const plainer = listPlainer(known, this.#question.cacheKey !== undefined);
    return plainer[this.#guesses++] ?? null;
  }

  /** The prompt and the room are more than the context: there is no more room for this question than the usual. */
  #withoutRoom({ mode }: RequestAttempt): ModelReply | null {
    const wasTried = this.#room !== null;
    this.#room = 1;
    // With this room the answer has broken off before.
    if (wasTried) return this.#withoutMode('truncated', mode);
    this.#known.noteNoRoom();
    return null;
  }

  #askOtherwise(
    { why, said }: Extract<ApiFailure, { type: 'unusable' }>,
    { mode, capabilities }: RequestAttempt,
  ): ModelReply | null {
    if (why === 'malformed' && !this.#wasCorrected) {
      this.#wasCorrected = true;
      this.#feedback = said === null ? null : { said, text: CORRECTION };
      return null;
    }
    const room = this.#room ?? capabilities.room;
    const isThinking = why === 'truncated' && said === null;
    const most = isThinking ? MOST_ROOM : MORE_ROOM * capabilities.room;
    if (why !== 'malformed' && room * MORE_ROOM <= Math.min(most, MOST_ROOM)) {
      this.#room = room * MORE_ROOM;
      return null;
    }
    return this.#withoutMode(why, mode);
  }

  /** Asks in the next way; the reason when there is none. */
  #withoutMode(why: UnusableReason, mode: AnswerMode): ModelReply | null {
    this.#spent.add(mode);
    const { modes } = this.#guess ?? this.#known.capabilities;
    return modes.some((one) => !this.#spent.has(one))
      ? null
      : this.#failOrStartOver(why, `no way to ask got a usable answer: the last was ${why}`);
  }

  /** Fails, unless what was remembered may be to blame: then all of that is forgotten and the model is asked again. */
  #failOrStartOver(code: FailureClass, text: string): ModelReply | null {
    if (!this.#known.startOver(this.#generation)) return this.#failed(code, text);
    this.#generation = this.#known.generation;
    this.#spent.clear();
    this.#room = null;
    this.#wasCorrected = false;
    this.#guess = null;
    this.#guesses = 0;
    this.#wasTurned = false;
    return null;
  }

  async #wait(
    { why, text, waitMs, isLoading }: Extract<ApiFailure, { type: 'temporary' }>,
    signal: AbortSignal,
  ): Promise<ModelReply | null> {
    const { mayLoad } = this.#ports;
    if (isLoading === true && mayLoad !== undefined) {
      if (!mayLoad(text)) return this.#failed('loading', text);
      const wait = Math.min(waitMs ?? Infinity, FIRST_WAIT_MS * 2 ** this.#loads, LONGEST_LOAD_MS);
      this.#loads += 1;
      await this.#ports.sleep(Math.max(wait, FIRST_WAIT_MS), signal).catch(() => null);
      return null;
    }
    const backoff = FIRST_WAIT_MS * 2 ** this.#waits;
    // Who says "at once" and fails again is not asked at once for ever.
    const ms = waitMs === null || waitMs === 0 ? backoff : waitMs;
    const rest = ms === waitMs ? this.#ports.rest : undefined;
    // A request that must wait while others are answered only queues: the endpoint is well.
    if ((rest?.inARow ?? this.#waits) >= MOST_WAITS)
      return { ...this.#failed(why, text), isOutage: true };
    if (ms > this.#patience.waitMs) {
      const wanted = `${text} (it asks for ${Math.ceil(ms / 1000)} s)`;
      return { ...this.#failed(why, wanted), isOutage: true };
    }
    if (rest === undefined) this.#waits += 1;
    else rest.note(ms);
    // Who is broken off while waiting sees the signal next.
    await this.#ports.sleep(ms, signal).catch(() => null);
    return null;
  }

  #failed(code: FailureClass, text: string): Extract<ModelReply, { ok: false }> {
    return { ok: false, code, text, calls: this.#calls };
  }
}

/** What was refused or never sent has used nothing; of an answer that was lost nobody knows how much. */
function countUsage(delivery: Delivery): TokenUsage {
  if (delivery.type === 'lost') return delivery.wasSent ? readUsage(delivery.body) : UNUSED;
  return delivery.status < FIRST_ERROR ? readUsage(delivery.body) : UNUSED;
}

/** Tokens by the length of what had come, where a stream broke off. */
function countWritten({ written }: Delivery): { readonly written?: number } {
  return written === undefined ? {} : { written: Math.ceil(written / CHARACTERS_PER_TOKEN) };
}

const CHARACTERS_PER_TOKEN = 4;

const FIRST_ERROR = 400;

const GONE = 'nobody waits for the answer any more';
const CORRECTION =
  'That was no JSON object with the fields asked for. Answer again with one JSON object and nothing else.';

/** Longer texts are kept from their beginning, in characters. */
const LONGEST_SAID = 20_000;

/** What is worth keeping of a text beside what was read from it. */
function keepUnread(read: AnswerReading): string | null {
  const said = read.type === 'answer' || read.type === 'unusable' ? read.said : null;
  if (typeof said !== 'string') return null;
  const isRead = read.type === 'answer' && JSON.stringify(read.received) === said.trim();
  return isRead ? null : said.slice(0, LONGEST_SAID);
}

function nameFailure(failure: ApiFailure): string {
  if (failure.type === 'temporary' && failure.isLoading) return 'loading';
  return failure.type === 'unsupported'
    ? `unsupported ${failure.parameter ?? failure.what}`
    : failure.why;
}
