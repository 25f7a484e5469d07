import type { Line } from '../../../machines/journal/lines.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';

/** What the endpoint counted; null where it did not say. */
export type CallUsage = {
  readonly promptTokens: number | null;
  readonly cachedTokens: number | null;
  readonly completionTokens: number | null;
  /** In dollars. */
  readonly cost: number | null;
};

export type PlayerCall = {
  /** Its number in the match; null where it has none. */
  readonly id: number | null;
  readonly seat: Colour;
  /** What the player was asked for, and in which tick, turn or round; "" and null where nobody says. */
  readonly requestKind: string;
  readonly index: number | null;
  /** How an object was asked for: "json_schema" is the strictest way. */
  readonly mode: string;
  /** Milliseconds until it was over. */
  readonly ms: number;
  /** What was wrong with it; null when it was the answer. */
  readonly failure: string | null;
  /** The answer was no whole JSON of the right types before it was repaired. */
  readonly isRepaired: boolean;
  readonly usage: CallUsage;
  /** Tokens that were reckoned with where the endpoint counted none; 0 where nobody says. */
  readonly estimate: { readonly prompt: number; readonly completion: number };
  /** The text as the model gave it, where that is more or other than the answer that was read; else null. */
  readonly reply: string | null;
};

/**
 * Every request to a language model, in the order of the journal. The clock is outside the hash and any program may
 * have filled it, so what does not look like a request is none.
 */
export function readCalls(lines: readonly Line[]): readonly PlayerCall[] {
  return lines.flatMap(({ clock }) => {
    const calls = clock?.['calls'];
    return Array.isArray(calls) ? calls.flatMap((call: unknown) => readCall(call) ?? []) : [];
  });
}

/** One request as it was written; null where it is none. */
export function readCall(call: unknown): PlayerCall | null {
  const seat = COLOURS.find((colour) => colour === fieldOf(call, 'seat'));
  const mode = fieldOf(call, 'mode');
  if (seat === undefined || typeof mode !== 'string') return null;
  const failure = fieldOf(call, 'failure');
  const [usage, estimate] = [fieldOf(call, 'usage'), fieldOf(call, 'estimate')];
  const [requestKind, reply] = [fieldOf(call, 'requestKind'), fieldOf(call, 'reply')];
  return {
    id: readAmount(fieldOf(call, 'id')),
    seat,
    requestKind: typeof requestKind === 'string' ? requestKind : '',
    index: readAmount(fieldOf(call, 'index')),
    mode,
    ms: readAmount(fieldOf(call, 'ms')) ?? 0,
    failure: typeof failure === 'string' ? failure : null,
    isRepaired: fieldOf(call, 'repaired') === true,
    usage: {
      promptTokens: readAmount(fieldOf(usage, 'promptTokens')),
      cachedTokens: readAmount(fieldOf(usage, 'cachedTokens')),
      completionTokens: readAmount(fieldOf(usage, 'completionTokens')),
      cost: readAmount(fieldOf(usage, 'cost')),
    },
    estimate: {
      prompt: readAmount(fieldOf(estimate, 'prompt')) ?? 0,
      completion: readAmount(fieldOf(estimate, 'completion')) ?? 0,
    },
    reply: typeof reply === 'string' ? reply : null,
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function readAmount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
