/** Asks one question in as many ways as needed, within a limit, until it has an answer or a reason for none. */
import { readField } from '../../../machines/text.ts';
import type { TimePort } from '../../ports/ports.ts';
import { type AnswerReading, readAnswer } from './answer.ts';
import {
  type AnswerMode,
  adaptCapabilities,
  type Capabilities,
  type CapabilityCache,
  listPlainer,
} from './capabilities.ts';
import { hasThoughts, readUsage, type TokenUsage, UNUSED } from './content.ts';
import { type ApiFailure, type FailureClass, findError, type UnusableReason } from './failures.ts';
import {
  buildBody,
  type Feedback,
  isStreamed,
  type Question,
  type RequestParams,
} from './request.ts';
import type { Delivery, Transport } from './transport.ts';

export type ConversationPorts = {
  readonly transport: Transport;
  readonly time: Pick<TimePort, 'now' | 'sleep' | 'setTimeout' | 'clearTimeout'>;
  /** Called when a request is sent. `lose` makes it again. Call the returned function at its end. */
  readonly watch?: (lose: () => void) => (isAnswered: boolean) => void;
  readonly onBytes?: () => void;
  /** The next words of a streamed answer; null discards its text and thoughts, as for a new request. */
  readonly onText?: (piece: string | null) => void;
  readonly onThought?: (piece: string) => void;
  readonly rest: {
    /** Called when the model asks for a rest, of unknown length if null. Returns its milliseconds; null if it is too long. */
    readonly note: (wantedMs: number | null, says: string) => number | null;
    readonly noteAnswered: (sentAt: number) => void;
  };
  /** Called when the model reports that it is loading: milliseconds left to wait. Without it, loading is a failure. */
  readonly mayLoad?: (says: string) => number;
  /** Called when there may be too many requests at once: whether others are in flight. */
  readonly isOneTooMany?: () => boolean;
  /** Runs each request, and the wait after a failed one, when there is capacity. Default: at once. */
  readonly turn?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called before every request: a reason to refuse it, or null. If null, the request is made and `onCall` follows. */
  readonly refuse: (attempt: PlannedAttempt) => string | null;
  /** Called after every request, before the next one starts. `received` is the answer, or null. */
  readonly onCall: (call: ModelCall, received: object | null) => void;
};

export type PlannedAttempt = {
  readonly mode: AnswerMode;
  /** Token limit of the answer. A truncated answer is requested again with a higher one. */
  readonly maxTokens: number;
};

export type ModelCall = {
  readonly mode: AnswerMode;
  readonly ms: number;
  readonly usage: TokenUsage;
  /** Estimated tokens of a truncated answer, by its length; absent for whole or empty answers. */
  readonly written?: number;
  readonly failure: string | null;
  /** The model's own text where it differs from the answer that was read; else null. */
  readonly reply: string | null;
  readonly repaired?: true;
  /** The name under which the endpoint answered, if it is another one than was asked. */
  readonly model?: string;
};

export type ModelReply = { readonly ok: true; readonly received: object } | FailedReply;

export type FailedReply = {
  readonly ok: false;
  readonly code: FailureClass;
  readonly text: string;
  /** The endpoint failed and waiting did not help. The failure was not about this request. */
  readonly isOutage?: true;
  readonly isUnreachable?: boolean;
};

/** Whether the endpoint accepted the request. If so, the learned capabilities hold. */
export function wasAccepted(
  reply: { readonly ok: true; readonly received: unknown } | FailedReply,
): boolean {
  return reply.ok || TAKEN.includes(reply.code);
}

export const TAKEN: readonly FailureClass[] = [
  'refusal',
  'content-filter',
  'truncated',
  'empty',
  'malformed',
];

/** Milliseconds for one request that nobody watches. */
const PATIENCE = { attemptMs: 30_000 };
export type Patience = Readonly<typeof PATIENCE>;

/** First wait after a temporary failure. It doubles each time. */
const FIRST_WAIT_MS = 500;
const MOST_WAITS = 5;
const MOST_WAITS_FOR_WORDS = 2;
const LONGEST_LOAD_MS = 8_000;
const MOST_CALLS = 16;
const ROOM_FACTOR = 4;
/** Tokens of a plain answer. A request that is too large for a limit is made again if it leaves them. */
const PLAIN_TOKENS = 256;

/** Longest stream, as a multiple of the longest silence of a request. */
const LONGEST_STREAM = 10;

type RequestAttempt = PlannedAttempt & {
  readonly capabilities: Capabilities;
  readonly room: number;
  readonly signal: AbortSignal;
};

/** Attempts of a question since it started, or started over. */
class Trial {
  readonly spent = new Set<AnswerMode>();
  room: number | null = null;
  wasCorrected = false;
  /** Capabilities tried after a refusal without a known reason. They are remembered when they get through. */
  guess: Capabilities | null = null;
  guesses = 0;
  wasTurned = false;
  thinks = false;
}

type ConversationOptions = {
  readonly question: Question;
  readonly params: RequestParams;
  readonly known: CapabilityCache;
  readonly ports: ConversationPorts;
  readonly patience?: Patience | undefined;
  readonly fits: (value: object) => boolean;
};

export class Conversation {
  readonly #asked: ConversationOptions;
  readonly #known: CapabilityCache;
  readonly #ports: ConversationPorts;
  #calls = 0;
  #waits = 0;
  /** Refusals because the model is loading or asks for a rest. Time limits them, not their number. */
  #loads = 0;
  #rests = 0;
  #feedback: Feedback | null = null;
  #tried = new Trial();
  #generation: number;

  constructor(asked: ConversationOptions) {
    this.#asked = asked;
    this.#known = asked.known;
    this.#generation = asked.known.generation;
    this.#ports = asked.ports;
  }

  async run(signal: AbortSignal): Promise<ModelReply> {
    const { turn = (work) => work() } = this.#ports;
    while (this.#calls - this.#loads - this.#rests < MOST_CALLS) {
      const reply = await turn(() => this.#next(signal));
      if (reply !== null) return reply;
    }
    return failed('upstream', `no answer after ${MOST_CALLS} requests`);
  }

  async #next(signal: AbortSignal): Promise<ModelReply | null> {
    if (signal.aborted) return failed('aborted', GONE);
    const capabilities = this.#tried.guess ?? this.#known.capabilities;
    const mode = capabilities.modes.find((one) => !this.#tried.spent.has(one));
    if (mode === undefined)
      return this.#failOrStartOver('malformed', 'no way to ask got a usable answer');
    const room = this.#tried.room ?? capabilities.room;
    const maxTokens = Math.floor(this.#asked.question.maxTokens * room);
    const refusal = this.#ports.refuse({ mode, maxTokens });
    if (refusal !== null) return failed('budget', refusal);
    return await this.#attempt({ capabilities, mode, room, maxTokens, signal });
  }

  async #attempt(attempt: RequestAttempt): Promise<ModelReply | null> {
    const { capabilities, mode, room, maxTokens, signal } = attempt;
    const { onText = () => {} } = this.#ports;
    const { question, params, fits } = this.#asked;
    const asking = { mode, maxTokens, feedback: this.#feedback };
    const body = buildBody(question, params, capabilities, asking);
    const started = this.#ports.time.now();
    onText(null);
    const delivery = await this.#sent(body, signal);
    this.#calls += 1;
    const read = signal.aborted ? null : readAnswer(delivery, { question, sent: body, fits });
    const answer = read?.type === 'answer' ? read : null;
    const { written } = delivery;
    const model = readField(delivery.body, 'model');
    const call: ModelCall = {
      mode,
      ms: Math.round(this.#ports.time.now() - started),
      usage: countUsage(delivery),
      ...(written === undefined ? {} : { written: Math.ceil(written / CHARACTERS_PER_TOKEN) }),
      failure: nameFailure(read),
      reply: keepUnread(read),
      ...(answer?.isRepaired === true ? { repaired: true } : {}),
      ...(typeof model !== 'string' || model === params.model ? {} : { model }),
    };
    if (answer === null) onText(null);
    this.#ports.onCall(call, answer?.received ?? null);
    if (read === null) return failed('aborted', GONE);
    this.#tried.thinks ||= hasThoughts(delivery.body);
    if (read.type !== 'answer') return this.#go(read, attempt);
    this.#known.capabilities = this.#tried.guess ?? this.#known.capabilities;
    this.#known.noteAnswered(mode, room, this.#tried.spent, this.#tried.thinks);
    return { ok: true, received: read.received };
  }

  async #sent(body: Parameters<Transport['send']>[0], signal: AbortSignal): Promise<Delivery> {
    const late = new AbortController();
    const { transport, time, rest, watch } = this.#ports;
    const { onBytes = () => {}, onText = () => {}, onThought = () => {} } = this.#ports;
    const started = time.now();
    const lose = () => late.abort();
    const clock = watch === undefined ? this.#watchOne(lose) : { onBytes, end: watch(lose) };
    let isAnswered = false;
    try {
      const given = AbortSignal.any([signal, late.signal]);
      const listener = { onBytes: clock.onBytes, onText, onThought };
      const delivery = await transport.send(body, given, listener);
      const isWell = delivery.type === 'body' && delivery.status < FIRST_ERROR;
      isAnswered = isWell && findError(delivery.body) === undefined;
      if (isAnswered) rest.noteAnswered(started);
      if (delivery.type === 'body' || !late.signal.aborted) return delivery;
      const text = `no answer within ${Math.round(time.now() - started)} ms`;
      return { ...delivery, isLate: true, wasSent: true, text };
    } finally {
      clock.end(isAnswered);
    }
  }

  #watchOne(lose: () => void): { readonly onBytes: () => void; readonly end: () => void } {
    const { attemptMs } = this.#asked.patience ?? PATIENCE;
    const { time } = this.#ports;
    let silent = time.setTimeout(lose, attemptMs);
    const whole = time.setTimeout(lose, attemptMs * LONGEST_STREAM);
    return {
      onBytes: () => {
        time.clearTimeout(silent);
        silent = time.setTimeout(lose, attemptMs);
      },
      end: () => {
        time.clearTimeout(silent);
        time.clearTimeout(whole);
      },
    };
  }

  async #go(failure: ApiFailure, attempt: RequestAttempt): Promise<ModelReply | null> {
    if (failure.type === 'temporary') return this.#wait(failure, attempt.signal);
    if (failure.type === 'unusable') return this.#askOtherwise(failure, attempt);
    if (failure.type === 'unsupported') {
      if (attempt.room === 1 || failure.what !== 'token-limit')
        return this.#adapt(failure, attempt);
      this.#known.mostRoom = attempt.room / ROOM_FACTOR;
      return this.#withoutRoom(attempt);
    }
    // A server that has answered is restarting, or its proxy is.
    if (failure.why === 'not-endpoint' && this.#known.isProved)
      return this.#wait({ ...failure, type: 'temporary', waitMs: null }, attempt.signal);
    if (attempt.room === 1 && attempt.maxTokens - Number(failure.excess) >= PLAIN_TOKENS) {
      this.#tried.room = 1 - Number(failure.excess) / attempt.maxTokens;
      return null;
    }
    // The requested room counts towards the limits of a prompt too.
    return attempt.room > 1 && TOO_LONG.includes(failure.why)
      ? this.#withoutRoom(attempt)
      : failed(failure.why, failure.text);
  }

  #adapt(
    failure: Extract<ApiFailure, { type: 'unsupported' }>,
    { capabilities, mode }: RequestAttempt,
  ): ModelReply | null {
    const learned = adaptCapabilities(this.#known.capabilities, capabilities, mode, failure);
    if (learned !== null) this.#known.capabilities = learned;
    this.#tried.guess = learned === null ? this.#guessNext(failure, capabilities) : null;
    return (learned ?? this.#tried.guess) ? null : this.#failOrStartOver('upstream', failure.text);
  }

  #guessNext(
    { mayBeOfStreams }: Extract<ApiFailure, { type: 'unsupported' }>,
    used: Capabilities,
  ): Capabilities | null {
    const known = this.#known.capabilities;
    if (mayBeOfStreams === true && !this.#tried.wasTurned) {
      this.#tried.wasTurned = true;
      return { ...known, streaming: isStreamed(this.#asked.params, used) ? 'never' : 'always' };
    }
    // The endpoint may refuse the correction itself.
    this.#feedback = null;
    const plainer = listPlainer(known, this.#asked.question.cacheKey !== undefined);
    return plainer[this.#tried.guesses++] ?? null;
  }

  /** Prompt and room exceed the context: this question goes back to the usual room. */
  #withoutRoom({ mode }: RequestAttempt): ModelReply | null {
    const wasTried = this.#tried.room !== null;
    this.#tried.room = 1;
    // An answer with this room was truncated before.
    if (wasTried) return this.#withoutMode('truncated', mode);
    this.#known.note({ room: 1 });
    return null;
  }

  #askOtherwise(
    { why, said, isAside }: Extract<ApiFailure, { type: 'unusable' }>,
    { mode, capabilities }: RequestAttempt,
  ): ModelReply | null {
    this.#feedback = null;
    if (isAside && this.#tried.wasCorrected) return failed('refusal', said ?? '');
    if (why === 'malformed' && !this.#tried.wasCorrected) {
      this.#tried.wasCorrected = true;
      if (said !== null) this.#feedback = { said, text: this.#correction };
      return null;
    }
    const room = this.#tried.room ?? capabilities.room;
    const isThinking = why === 'truncated' && said === null;
    this.#tried.thinks ||= isThinking;
    if (why === 'truncated' && !this.#tried.thinks && !capabilities.thinks) {
      if (capabilities.isWordy) return this.#withoutMode(why, mode);
      this.#known.note({ isWordy: true });
      this.#tried.guess &&= { ...this.#tried.guess, isWordy: true };
      return null;
    }
    const { mostRoom } = this.#known;
    const most = isThinking ? mostRoom : ROOM_FACTOR * capabilities.room;
    if (why !== 'malformed' && room * ROOM_FACTOR <= Math.min(most, mostRoom)) {
      this.#tried.room = room * ROOM_FACTOR;
      return null;
    }
    return this.#withoutMode(why, mode);
  }

  get #correction(): string {
    const fields = Object.keys(Object(this.#asked.question.schema['properties']));
    return `That cannot be read as one answer. Answer again with one JSON object that has the fields ${fields.join(', ')} with values as asked for, and with nothing else.`;
  }

  #withoutMode(why: UnusableReason, mode: AnswerMode): ModelReply | null {
    this.#tried.spent.add(mode);
    const { modes } = this.#tried.guess ?? this.#known.capabilities;
    return modes.some((one) => !this.#tried.spent.has(one))
      ? null
      : this.#failOrStartOver(why, `no way to ask got a usable answer: the last was ${why}`);
  }

  /** Fails, unless remembered capabilities may be to blame: then they are forgotten and the question starts over. */
  #failOrStartOver(code: FailureClass, text: string): ModelReply | null {
    if (!this.#known.startOver(this.#generation)) return failed(code, text);
    this.#generation = this.#known.generation;
    this.#tried = new Trial();
    return null;
  }

  async #wait(
    failure: Extract<ApiFailure, { type: 'temporary' }>,
    signal: AbortSignal,
  ): Promise<ModelReply | null> {
    const { why, text, waitMs, isLoading, isInWords, isCrowded, isUnreachable } = failure;
    const { mayLoad, isOneTooMany = () => false } = this.#ports;
    if (isLoading === true && mayLoad !== undefined) {
      const leftMs = mayLoad(text);
      if (leftMs <= 0) return failed('loading', text);
      const wait = Math.min(waitMs ?? Infinity, FIRST_WAIT_MS * 2 ** this.#loads, LONGEST_LOAD_MS);
      this.#loads += 1;
      await this.#ports.time.sleep(Math.min(Math.max(wait, FIRST_WAIT_MS), leftMs), signal);
      return null;
    }
    if (isInWords && this.#waits >= MOST_WAITS_FOR_WORDS) return failed(why, text);
    const hasRoomSoon = isCrowded && isOneTooMany() && !waitMs && this.#waits < MOST_WAITS;
    if (waitMs || (LIMITS.includes(why) && !hasRoomSoon)) {
      const restMs = this.#ports.rest.note(waitMs, text);
      if (restMs === null) {
        const wanted = waitMs === null ? '' : `it asks for ${Math.ceil(waitMs / 1000)} s; `;
        const words = `${text} (${wanted}--max-wait allows more)`;
        return failed(why === 'upstream' ? 'rate-limit' : why, words);
      }
      this.#rests += 1;
      await this.#ports.time.sleep(restMs, signal);
      return null;
    }
    if (this.#waits >= MOST_WAITS)
      return { ...failed(why, text), isOutage: true, isUnreachable: isUnreachable === true };
    // After an aborted wait the caller checks the signal.
    await this.#ports.time.sleep(FIRST_WAIT_MS * 2 ** this.#waits++, signal);
    return null;
  }
}

function failed(code: FailureClass, text: string): FailedReply {
  return { ok: false, code, text };
}

/** Refused or unsent requests used nothing. For a lost answer the usage is unknown. */
function countUsage(delivery: Delivery): TokenUsage {
  if (delivery.type === 'lost') return delivery.wasSent ? readUsage(delivery.body) : UNUSED;
  return delivery.status < FIRST_ERROR ? readUsage(delivery.body) : UNUSED;
}

const CHARACTERS_PER_TOKEN = 4;
const FIRST_ERROR = 400;
const TOO_LONG: readonly FailureClass[] = ['context-overflow', 'rate-limit'];
const LIMITS: readonly FailureClass[] = ['rate-limit', 'daily-limit', 'credits'];

const GONE = 'nobody waits for the answer any more';

const LONGEST_SAID = 20_000;

function keepUnread(read: AnswerReading | null): string | null {
  const said = read?.type === 'answer' || read?.type === 'unusable' ? read.said : null;
  if (typeof said !== 'string') return null;
  const isRead = read?.type === 'answer' && JSON.stringify(read.received) === said.trim();
  return isRead ? null : said.slice(0, LONGEST_SAID);
}

/** Null for an answer. Nothing was read if nobody waits any more. */
function nameFailure(read: AnswerReading | null): string | null {
  if (read === null) return 'aborted';
  if (read.type === 'answer') return null;
  if (read.type === 'temporary' && read.isLoading) return 'loading';
  return read.type === 'unsupported' ? `unsupported ${read.parameter ?? read.what}` : read.why;
}
