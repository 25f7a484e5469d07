/** Requests to language models, read from the clock of a journal's lines. The page reads them too, without a schema library. */
import { readField } from '../text.ts';
import { COLOURS } from '../types.ts';
import type { Line } from './lines.ts';

export type PlayerCall = Readonly<NonNullable<ReturnType<typeof readCall>>>;
export type CallUsage = PlayerCall['usage'];

/** Every request to a language model, in journal order. Entries that don't look like requests are skipped. */
export function readCalls(lines: readonly Pick<Line, 'clock'>[]): readonly PlayerCall[] {
  return lines.flatMap(({ clock }) => {
    const calls = clock?.['calls'];
    return Array.isArray(calls) ? calls.flatMap((call: unknown) => readCall(call) ?? []) : [];
  });
}

/** The clock is not hashed and any program may have filled it: whatever is no such field is unknown. */
export function readCall(call: unknown) {
  const seat = COLOURS.find((colour) => colour === readField(call, 'seat'));
  const mode = readText(call, 'mode');
  if (seat === undefined || mode === null) return null;
  const [usage, estimate] = [readField(call, 'usage'), readField(call, 'estimate')];
  return {
    /** Its number in the match; null where it has none. */
    id: readAmount(call, 'id'),
    seat,
    /** The kind of question, and its tick, turn or round; "" and null where unknown. */
    requestKind: readText(call, 'requestKind') ?? '',
    index: readAmount(call, 'index'),
    /** How an object was requested; "json_schema" is the strictest way. */
    mode,
    /** Duration in milliseconds. */
    ms: readAmount(call, 'ms') ?? 0,
    /** The failure; null for a usable answer. */
    failure: readText(call, 'failure'),
    isRepaired: readField(call, 'repaired') === true,
    /** The endpoint's counts, and the cost in dollars; null where it gave none. */
    usage: {
      promptTokens: readAmount(usage, 'promptTokens'),
      cachedTokens: readAmount(usage, 'cachedTokens'),
      completionTokens: readAmount(usage, 'completionTokens'),
      cost: readAmount(usage, 'cost'),
    },
    /** Estimated tokens where the endpoint counted none; 0 where unknown. */
    estimate: {
      prompt: readAmount(estimate, 'prompt') ?? 0,
      completion: readAmount(estimate, 'completion') ?? 0,
    },
    /** The model's own text where it differs from the answer that was read; else null. */
    reply: readText(call, 'reply'),
    /** The name under which the endpoint answered, where it is another one than was asked; else null. */
    model: readText(call, 'model'),
  };
}

/** The answers since the last line, in order of arrival, with the milliseconds that each took. */
export function readArrivals({ clock }: Pick<Line, 'clock'>) {
  const arrived = clock?.['arrived'];
  return (Array.isArray(arrived) ? arrived : []).flatMap((each: unknown) => {
    const seat = COLOURS.find((colour) => colour === readField(each, '0'));
    const ms = readAmount(each, '1');
    return seat === undefined || ms === null ? [] : [{ seat, ms }];
  });
}

function readText(from: unknown, name: string): string | null {
  const value = readField(from, name);
  return typeof value === 'string' ? value : null;
}

function readAmount(from: unknown, name: string): number | null {
  const value = readField(from, name);
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
