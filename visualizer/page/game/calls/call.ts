/**
 * Calls: the requests that were made to language models, as the clock of a line has them. The clock is outside the hash
 * and anybody's to fill, so what does not look like a call is none.
 */
import type { SeenLine } from '../../../../machines/journal/lens.ts';
import { COLOURS, type Colour } from '../../../../machines/types.ts';

export type Call = {
  readonly seat: Colour;
  readonly occasion: string;
  readonly stamp: number;
  /** How an object was asked for. */
  readonly mode: string;
  readonly ms: number;
  /** As the endpoint counted them; null where it did not. */
  readonly prompt: number | null;
  readonly cached: number | null;
  readonly completion: number | null;
  /** Tokens that were reckoned with where none were counted. */
  readonly guess: { readonly prompt: number; readonly completion: number } | null;
  readonly dollars: number | null;
  /** What was wrong with it; '' for the answer. */
  readonly trouble: string;
  /** What the model wrote, where it is more or other than the answer. */
  readonly said: string;
  readonly isMended: boolean;
};

export function callsIn(line: SeenLine): readonly Call[] {
  const calls = 'clock' in line ? line.clock?.['calls'] : undefined;
  return Array.isArray(calls) ? calls.flatMap((call: unknown) => callOf(call) ?? []) : [];
}

function callOf(call: unknown): Call | null {
  const seat = COLOURS.find((colour) => colour === at(call, 'seat'));
  const [occasion, stamp] = [text(at(call, 'occasion')), amount(at(call, 'stamp'))];
  if (seat === undefined || occasion === '' || stamp === null) return null;
  const [usage, estimate] = [at(call, 'usage'), at(call, 'estimate')];
  const [prompt, completion] = [amount(at(estimate, 'prompt')), amount(at(estimate, 'completion'))];
  return {
    seat,
    occasion,
    stamp,
    mode: text(at(call, 'mode')),
    ms: amount(at(call, 'ms')) ?? 0,
    prompt: amount(at(usage, 'promptTokens')),
    cached: amount(at(usage, 'cachedTokens')),
    completion: amount(at(usage, 'completionTokens')),
    guess: prompt === null || completion === null ? null : { prompt, completion },
    dollars: amount(at(usage, 'cost')),
    trouble: text(at(call, 'trouble')),
    said: text(at(call, 'said')),
    isMended: at(call, 'mended') === true,
  };
}

/** A field of something that may be anything. */
function at(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function amount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
