import type { Line } from '../../../machines/journal/lines.ts';
import { readField } from '../../../machines/text.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';

/** The endpoint's counts; null where it gave none. */
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
  /** The kind of question, and its tick, turn or round; "" and null where unknown. */
  readonly requestKind: string;
  readonly index: number | null;
  /** How an object was requested; "json_schema" is the strictest way. */
  readonly mode: string;
  /** Duration in milliseconds. */
  readonly ms: number;
  /** The failure; null for a usable answer. */
  readonly failure: string | null;
  readonly isRepaired: boolean;
  readonly usage: CallUsage;
  /** Estimated tokens where the endpoint counted none; 0 where unknown. */
  readonly estimate: { readonly prompt: number; readonly completion: number };
  /** The model's own text where it differs from the answer that was read; else null. */
  readonly reply: string | null;
};

/**
 * Every request to a language model, in journal order. The clock is not hashed and any program may have filled it, so
 * entries that don't look like requests are skipped.
 */
export function readCalls(lines: readonly Line[]): readonly PlayerCall[] {
  return lines.flatMap(({ clock }) => {
    const calls = clock?.['calls'];
    return Array.isArray(calls) ? calls.flatMap((call: unknown) => readCall(call) ?? []) : [];
  });
}

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
