/**
 * The conversation: one question, asked in as many ways as it takes, until there is an answer or a reason.
 *
 * What a refusal teaches is remembered for the model; what went wrong with one answer changes this question only. No
 * exception leaves here, and every way has an end.
 */
import { extracted, isRefusal } from '../../../prompts/extraction.ts';
import { contentOf, type Usage, usageOf } from './content.ts';
import { bodyFor, type Feedback, type Manner, type Question } from './messages.ts';
import { type Acquaintance, adapted, type Mode, type Traits } from './traits.ts';
import { type Failure, type Trouble, troubleWith } from './verdict.ts';
import type { Delivery, Wire } from './wire.ts';

export type Ports = {
  readonly wire: Wire;
  /** Kept after so many milliseconds, or broken off by the signal. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  /** Asked before every request: why it may not be made, or null. */
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
};

export type Reply =
  | {
      readonly ok: true;
      /** As the model gave it: text, or an object where the endpoint had read it already. */
      readonly received: unknown;
      readonly mode: Mode;
      readonly calls: number;
    }
  | { readonly ok: false; readonly code: Failure; readonly text: string; readonly calls: number };

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
/** A prompt of which the endpoint has counted less than this share was cut by it. */
const SEEN_SHARE = 0.5;
/** Too short a prompt to judge by. */
const JUDGED_TOKENS = 1_000;
const BYTES_PER_TOKEN = 4;

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
    while (this.#calls < MOST_CALLS) {
      if (signal.aborted) return this.#failed('aborted', 'nobody waits for the answer any more');
      const refusal = this.#ports.refusal();
      if (refusal !== null) return this.#failed('budget', refusal);
      const traits = this.#known.traits;
      const mode = traits.modes.find((one) => !this.#spent.has(one));
      if (mode === undefined) return this.#failed('malformed', 'no way to ask got a usable answer');
      const reply = await this.#attempt(traits, mode, signal);
      if (reply !== null) return reply;
    }
    return this.#failed('upstream', `no answer after ${MOST_CALLS} requests`);
  }

  /** One request; null to go on. */
  async #attempt(traits: Traits, mode: Mode, signal: AbortSignal): Promise<Reply | null> {
    const maxTokens = this.#question.maxTokens * (this.#hasMoreRoom ? MORE_ROOM : 1);
    const body = bodyFor(this.#question, this.#manner, traits, {
      mode,
      maxTokens,
      feedback: this.#feedback,
    });
    this.#feedback = null;
    const started = this.#ports.now();
    const delivery = await this.#sent(body, signal);
    this.#calls += 1;
    const read = signal.aborted ? null : this.#read(delivery, mode);
    const trouble = read === null || 'ok' in read ? null : read;
    this.#ports.onCall({
      mode,
      ms: Math.round(this.#ports.now() - started),
      usage: usageOf(delivery.type === 'body' ? delivery.body : null),
      trouble: trouble === null ? null : nameOf(trouble),
    });
    if (read === null) return this.#failed('aborted', 'nobody waits for the answer any more');
    if ('ok' in read) return read;
    return this.#go(read, { traits, mode, delivery, signal });
  }

  async #sent(body: Parameters<Wire['send']>[0], signal: AbortSignal): Promise<Delivery> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#patience.attemptMs);
    try {
      const delivery = await this.#ports.wire.send(body, AbortSignal.any([signal, late.signal]));
      if (delivery.type === 'body' || !late.signal.aborted) return delivery;
      const text = `no answer within ${this.#patience.attemptMs} ms`;
      return { type: 'lost', isLate: true, text };
    } finally {
      clearTimeout(timer);
    }
  }

  #read(delivery: Delivery, mode: Mode): Reply | Trouble {
    const trouble = troubleWith(delivery);
    if (trouble !== null) return trouble;
    const body: unknown = delivery.type === 'body' ? delivery.body : null;
    if (typeof body === 'string') return passing(pageOf(body));
    if (this.#wasPromptCut(usageOf(body))) {
      return final(
        'context-overflow',
        'the endpoint has read only the end of the prompt: give the model a larger context',
      );
    }
    const content = contentOf(body);
    switch (content.type) {
      case 'refusal':
        return final('refusal', content.text);
      case 'filtered':
        return final('content-filter', 'the answer was filtered');
      case 'nothing':
        return unusable(content.isCut ? 'truncated' : 'empty');
      case 'object':
        if (content.isCut) return unusable('truncated');
        return this.#answer(content.value, mode);
      case 'text':
        return this.#readText(content.text, content.isCut, mode);
    }
  }

  #readText(text: string, isCut: boolean, mode: Mode): Reply | Trouble {
    if (isCut) return unusable('truncated');
    const found = extracted(text, this.#fits);
    if (found.type === 'cut') return unusable('truncated');
    if (found.type === 'found') return this.#answer(text, mode);
    if (isRefusal(text)) return final('refusal', text.trim());
    this.#feedback = this.#wasCorrected
      ? null
      : { said: text.slice(0, LONGEST_QUOTE), text: CORRECTION };
    return unusable('malformed');
  }

  #answer(received: unknown, mode: Mode): Reply {
    return { ok: true, received, mode, calls: this.#calls };
  }

  /** What follows from a trouble; null to ask again. */
  async #go(
    trouble: Trouble,
    {
      traits,
      mode,
      delivery,
      signal,
    }: { traits: Traits; mode: Mode; delivery: Delivery; signal: AbortSignal },
  ): Promise<Reply | null> {
    switch (trouble.type) {
      case 'final':
        return this.#failed(trouble.why, trouble.text);
      case 'unsupported': {
        const { what } = trouble;
        const learned = adapted(this.#known.traits, traits, mode, trouble);
        if (learned === null)
          return this.#failed('upstream', `the endpoint refuses the request (${what})`);
        this.#known.traits = learned;
        return null;
      }
      case 'unusable':
        this.#askOtherwise(trouble.why, mode);
        if (this.#modesLeft()) return null;
        return this.#failed(
          trouble.why,
          `no way to ask got a usable answer: the last was ${trouble.why}`,
        );
      case 'passing': {
        const asked = delivery.type === 'body' ? delivery.retryAfterMs : null;
        return this.#wait(trouble, asked, signal);
      }
    }
  }

  #askOtherwise(why: 'truncated' | 'empty' | 'malformed', mode: Mode): void {
    if (why === 'malformed' && !this.#wasCorrected) {
      this.#wasCorrected = true;
      return;
    }
    if (why !== 'malformed' && !this.#hasMoreRoom) {
      this.#hasMoreRoom = true;
      return;
    }
    this.#spent.add(mode);
  }

  #modesLeft(): boolean {
    return this.#known.traits.modes.some((mode) => !this.#spent.has(mode));
  }

  async #wait(
    { why, text }: Extract<Trouble, { type: 'passing' }>,
    asked: number | null,
    signal: AbortSignal,
  ): Promise<Reply | null> {
    const backoff = Math.min(FIRST_WAIT_MS * 2 ** this.#waits, LONGEST_BACKOFF_MS);
    const ms = asked ?? backoff;
    if (this.#waits >= MOST_WAITS) return this.#failed(why, text);
    if (ms > this.#patience.waitMs) {
      return this.#failed(why, `${text} (it asks for ${Math.ceil(ms / 1000)} s)`);
    }
    this.#waits += 1;
    await this.#ports.sleep(ms, signal);
    return null;
  }

  /** Some servers cut a long prompt from its beginning without a word: rules and roles would be gone. */
  #wasPromptCut({ promptTokens }: Usage): boolean {
    if (promptTokens === null) return false;
    const { system, user } = this.#question;
    const bytes =
      Buffer.byteLength(system) + user.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const expected = bytes / BYTES_PER_TOKEN;
    return expected > JUDGED_TOKENS && promptTokens < expected * SEEN_SHARE;
  }

  #failed(code: Failure, text: string): Reply {
    return { ok: false, code, text, calls: this.#calls };
  }
}

const LONGEST_QUOTE = 2_000;
const CORRECTION =
  'That was no JSON object with the fields asked for. Answer again with one JSON object and nothing else.';

function unusable(why: 'truncated' | 'empty' | 'malformed'): Trouble {
  return { type: 'unusable', why };
}

function final(why: Failure, text: string): Trouble {
  return { type: 'final', why, text };
}

function passing(text: string): Trouble {
  return { type: 'passing', why: 'upstream', text };
}

function pageOf(body: string): string {
  return /^\s*</.test(body)
    ? 'a web page came instead of an answer: is this the base URL of an API?'
    : `text came instead of JSON: ${body.slice(0, 60)}`;
}

function nameOf(trouble: Trouble): string {
  return trouble.type === 'unsupported'
    ? `unsupported ${trouble.parameter ?? trouble.what}`
    : trouble.why;
}
