/** Measures the pace of an endpoint from the times of its requests, and suggests flags. */

import type { EndpointPaceFigures } from '../../actors/minds/openai/memory.ts';
import { formatCount, formatMs } from '../../machines/text.ts';
import { findMedian, sumOf } from '../counts/numeric.ts';

/** Times in milliseconds. */
export type AnsweredRequest = {
  readonly sentAt: number;
  readonly endedAt: number;
  /** Null if the endpoint does not count them. */
  readonly tokens: number | null;
};

const MS = 1000;

export function measurePace(
  alone: readonly AnsweredRequest[],
  together: readonly AnsweredRequest[],
): EndpointPaceFigures {
  const spans = sortSpans(together);
  const spanMs =
    Math.max(...together.map(({ endedAt }) => endedAt)) -
    Math.min(...together.map(({ sentAt }) => sentAt));
  const aloneSpans = sortSpans(alone);
  const aloneMs = findMedian(aloneSpans);
  const aloneTotalMs = sumOf(aloneSpans, (ms) => ms);
  const rate = toRate(sumTokens(alone), aloneTotalMs);
  return {
    aloneMs,
    medianMs: findMedian(spans),
    slowestMs: spans.at(-1) ?? 0,
    tokensPerSecond: rate,
    tokensPerSecondTogether: toRate(sumTokens(together), spanMs),
    slots: countSlots(together, aloneMs, rate),
    speedup: spanMs > 0 ? (together.length * aloneMs) / spanMs : together.length,
  };
}

function sortSpans(requests: readonly AnsweredRequest[]): readonly number[] {
  const spans = requests.map(({ sentAt, endedAt }) => endedAt - sentAt);
  return spans.toSorted((one, other) => one - other);
}

function toRate(tokens: number | null, ms: number): number | null {
  return tokens === null || ms <= 0 ? null : (tokens * MS) / ms;
}

function sumTokens(requests: readonly AnsweredRequest[]): number | null {
  const isCounted = requests.every(({ tokens }) => tokens !== null);
  return isCounted ? sumOf(requests, ({ tokens }) => tokens ?? 0) : null;
}

/** Work below this share of a single request happened during another one. */
const LEAST_SHARE = 0.05;

/**
 * Estimates how many requests an endpoint handles at once. For each number of slots, the overlap of the answers implies
 * how long the work on each took. The best number makes the works most like single requests. Work is constant or
 * proportional to the tokens, whichever fits better.
 */
function countSlots(
  together: readonly AnsweredRequest[],
  aloneMs: number,
  tokensPerSecond: number | null,
): number {
  const queue = together.toSorted((one, other) => one.sentAt - other.sentAt);
  const even = queue.map(() => Math.max(aloneMs, 1));
  const counted = queue.map(({ tokens }, index) =>
    tokens === null || !tokensPerSecond ? (even[index] ?? 1) : (tokens * MS) / tokensPerSecond,
  );
  const guesses = queue.map((_, index) => {
    const works = listWorks(queue, index + 1);
    const strangeness = Math.min(compareWorks(works, even), compareWorks(works, counted));
    return { slots: index + 1, strangeness };
  });
  const least = Math.min(...guesses.map(({ strangeness }) => strangeness));
  const likely = guesses.filter(({ strangeness }) => strangeness <= least * DOUBT);
  return Math.max(0, ...likely.map(({ slots }) => slots));
}

/** Milliseconds of work on each request with this many slots. A negative number rules the slots out. */
function listWorks(queue: readonly AnsweredRequest[], slots: number): readonly number[] {
  return queue.map(({ sentAt, endedAt }, index) => {
    const ends = queue.slice(0, index).map((one) => one.endedAt);
    const freedAt = ends.toSorted((one, other) => one - other)[index - slots];
    return endedAt - Math.max(sentAt, freedAt ?? sentAt);
  });
}

function compareWorks(works: readonly number[], expected: readonly number[]): number {
  const shares = works.map((ms, index) => ms / Math.max(expected[index] ?? 1, 1));
  return sumOf(shares, (share) => Math.abs(Math.log(Math.max(share, LEAST_SHARE))));
}

/** Guesses within this factor of the best are equally good, and the largest of them counts. */
const DOUBT = 1.25;

export type SuggestedSetting = { readonly set: string; readonly why: string };

export type ProbeFindings = {
  readonly pace: EndpointPaceFigures;
  readonly together: number;
  readonly coldMs: number;
  readonly thinks: boolean;
  /** Requests accepted in a minute before one was refused for the rate; null if none was refused. */
  readonly takenInMinute: number | null;
  readonly context: { readonly tokens: number; readonly source: string } | null;
  readonly neededContext: number;
};

export type GivenSettings = {
  readonly concurrency: number;
  readonly perMinute: number | null;
  readonly tickMs: number;
  readonly waitMs: number;
  readonly hasEffort: boolean;
};

/** Faster endpoints need no setting. */
const QUICK_MS = 1_000;
/** A slower single answer is too slow for a game. */
const LONG_THOUGHT_MS = 20_000;
const TICK_MARGIN = 3;
const LOAD_MARGIN = 2;
const MINUTE_MS = 60_000;

export function suggestSettings(
  findings: ProbeFindings,
  given: GivenSettings,
): readonly SuggestedSetting[] {
  const { pace, together, coldMs, thinks, takenInMinute, context, neededContext } = findings;
  const found: SuggestedSetting[] = [];
  const width = findWidth(pace, together);
  if (pace.slowestMs >= QUICK_MS && width < Math.min(given.concurrency, together)) {
    const requests = width === 1 ? 'one request' : `${width} requests`;
    const why = `more than ${requests} at once bring no answer sooner`;
    found.push({ set: `--concurrency ${width}`, why });
  }
  // With none accepted, other clients used up the minute.
  if (takenInMinute && takenInMinute < (given.perMinute ?? Infinity)) {
    const why = `the endpoint took ${takenInMinute} in a minute and refused the next`;
    found.push({ set: `--per-minute ${takenInMinute}`, why });
  }
  if (pace.slowestMs * TICK_MARGIN > given.tickMs) {
    const why = `the slowest of ${together} answers took ${formatMs(pace.slowestMs)}`;
    found.push({ set: `--max-tick ${toMinutes(pace.slowestMs * TICK_MARGIN)}`, why });
  }
  if (coldMs * LOAD_MARGIN > given.waitMs) {
    const why = `the first answer took ${formatMs(coldMs)}`;
    found.push({ set: `--max-wait ${toMinutes(coldMs * LOAD_MARGIN)}`, why });
  }
  if (thinks && pace.aloneMs > LONG_THOUGHT_MS && !given.hasEffort) {
    const why = `the model thinks before it answers, and takes ${formatMs(pace.aloneMs)}`;
    found.push({ set: '--effort low', why });
  }
  if (context !== null && context.tokens < neededContext) {
    const [, setting = 'the context at the server:'] =
      CONTEXT_SETTINGS.find(([at]) => context.source.endsWith(at)) ?? [];
    const doubled = Math.ceil(Math.log2(Math.max(1, neededContext / LEAST_CONTEXT)));
    const set = `${setting} ${LEAST_CONTEXT * 2 ** doubled}`;
    const why = `the context has ${formatCount(context.tokens)} tokens, and a game of eight needs about ${formatCount(neededContext)}`;
    found.push({ set, why });
  }
  return found;
}

/** The least useful share of the throughput that the slots should bring, because answers differ in length. */
const ENOUGH = 0.5;

function findWidth({ slots, speedup }: EndpointPaceFigures, together: number): number {
  const expected = together / Math.ceil(together / Math.max(1, slots));
  return speedup >= expected * ENOUGH ? slots : Math.max(1, Math.min(slots, Math.ceil(speedup)));
}

const CONTEXT_SETTINGS: readonly (readonly [source: string, setting: string])[] = [
  ['/api/ps', 'OLLAMA_CONTEXT_LENGTH of Ollama:'],
  ['/api/show', 'OLLAMA_CONTEXT_LENGTH of Ollama:'],
  ['/props', '--ctx-size of llama-server, for each slot:'],
  ['max_model_len', '--max-model-len of vLLM:'],
];

const LEAST_CONTEXT = 1024;

function toMinutes(ms: number): string {
  return `${Math.ceil(ms / MINUTE_MS)}m`;
}
