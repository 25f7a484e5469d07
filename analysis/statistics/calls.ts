/**
 * Calls: the requests that were made to language models, read off the clock of a journal.
 *
 * The clock is outside the hash and anybody's to fill, so what does not look like a call is none.
 */
import type { Line } from '../../machines/journal/lines.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';

/** What the endpoint counted; null where it did not say. */
export type CallUsage = {
  readonly promptTokens: number | null;
  readonly cachedTokens: number | null;
  readonly completionTokens: number | null;
  /** In dollars. */
  readonly cost: number | null;
};

export type SeatCall = {
  readonly seat: Colour;
  /** How an object was asked for: "json_schema" is the strictest way. */
  readonly mode: string;
  /** What was wrong with it; null when it was the answer. */
  readonly trouble: string | null;
  /** The answer was no whole JSON of the right types before it was mended. */
  readonly isMended: boolean;
  readonly usage: CallUsage;
  /** Tokens that were reckoned with where the endpoint counted none; 0 where nobody says. */
  readonly estimate: { readonly prompt: number; readonly completion: number };
};

/** Every call of a journal, in its order. */
export function callsOf(lines: readonly Line[]): readonly SeatCall[] {
  return lines.flatMap(({ clock }) => {
    const calls = clock?.['calls'];
    return Array.isArray(calls) ? calls.flatMap((call: unknown) => callIn(call) ?? []) : [];
  });
}

function callIn(call: unknown): SeatCall | null {
  const seat = COLOURS.find((colour) => colour === at(call, 'seat'));
  const mode = at(call, 'mode');
  if (seat === undefined || typeof mode !== 'string') return null;
  const trouble = at(call, 'trouble');
  const [usage, estimate] = [at(call, 'usage'), at(call, 'estimate')];
  return {
    seat,
    mode,
    trouble: typeof trouble === 'string' ? trouble : null,
    isMended: at(call, 'mended') === true,
    usage: {
      promptTokens: amount(at(usage, 'promptTokens')),
      cachedTokens: amount(at(usage, 'cachedTokens')),
      completionTokens: amount(at(usage, 'completionTokens')),
      cost: amount(at(usage, 'cost')),
    },
    estimate: {
      prompt: amount(at(estimate, 'prompt')) ?? 0,
      completion: amount(at(estimate, 'completion')) ?? 0,
    },
  };
}

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function amount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
