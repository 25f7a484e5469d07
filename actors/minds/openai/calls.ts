import type { Line } from '../../../machines/journal/lines.ts';
import { readField } from '../../../machines/text.ts';
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
  const seat = COLOURS.find((colour) => colour === readField(call, 'seat'));
  const mode = readField(call, 'mode');
  if (seat === undefined || typeof mode !== 'string') return null;
  const failure = readField(call, 'failure');
  const [usage, estimate] = [readField(call, 'usage'), readField(call, 'estimate')];
  const [requestKind, reply] = [readField(call, 'requestKind'), readField(call, 'reply')];
  return {
    id: readAmount(readField(call, 'id')),
    seat,
    requestKind: typeof requestKind === 'string' ? requestKind : '',
    index: readAmount(readField(call, 'index')),
    mode,
    ms: readAmount(readField(call, 'ms')) ?? 0,
    failure: typeof failure === 'string' ? failure : null,
    isRepaired: readField(call, 'repaired') === true,
    usage: {
      promptTokens: readAmount(readField(usage, 'promptTokens')),
      cachedTokens: readAmount(readField(usage, 'cachedTokens')),
      completionTokens: readAmount(readField(usage, 'completionTokens')),
      cost: readAmount(readField(usage, 'cost')),
    },
    estimate: {
      prompt: readAmount(readField(estimate, 'prompt')) ?? 0,
      completion: readAmount(readField(estimate, 'completion')) ?? 0,
    },
    reply: typeof reply === 'string' ? reply : null,
  };
}

function readAmount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
