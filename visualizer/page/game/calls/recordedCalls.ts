/** Requests to models, read from the clock of a line. Unknown shapes are ignored. */
import type { SeenLine } from '../../../../machines/journal/lens.ts';
import { readField } from '../../../../machines/text.ts';
import { COLOURS, type Colour } from '../../../../machines/types.ts';

export type RecordedCall = {
  readonly seat: Colour;
  readonly requestKind: string;
  readonly index: number;
  readonly mode: string;
  readonly ms: number;
  /** As the endpoint counted them; null where it did not. */
  readonly prompt: number | null;
  readonly cached: number | null;
  readonly completion: number | null;
  /** Estimated tokens if none were counted. */
  readonly guess: { readonly prompt: number; readonly completion: number } | null;
  readonly dollars: number | null;
  readonly failure: string;
  readonly reply: string;
  readonly isRepaired: boolean;
};

export function readCalls(line: SeenLine): readonly RecordedCall[] {
  const calls = 'clock' in line ? line.clock?.['calls'] : undefined;
  return Array.isArray(calls) ? calls.flatMap((call: unknown) => readCall(call) ?? []) : [];
}

function readCall(call: unknown): RecordedCall | null {
  const seat = COLOURS.find((colour) => colour === readField(call, 'seat'));
  const [requestKind, index] = [
    toText(readField(call, 'requestKind')),
    toAmount(readField(call, 'index')),
  ];
  if (seat === undefined || requestKind === '' || index === null) return null;
  const [usage, estimate] = [readField(call, 'usage'), readField(call, 'estimate')];
  const [prompt, completion] = [
    toAmount(readField(estimate, 'prompt')),
    toAmount(readField(estimate, 'completion')),
  ];
  return {
    seat,
    requestKind,
    index,
    mode: toText(readField(call, 'mode')),
    ms: toAmount(readField(call, 'ms')) ?? 0,
    prompt: toAmount(readField(usage, 'promptTokens')),
    cached: toAmount(readField(usage, 'cachedTokens')),
    completion: toAmount(readField(usage, 'completionTokens')),
    guess: prompt === null || completion === null ? null : { prompt, completion },
    dollars: toAmount(readField(usage, 'cost')),
    failure: toText(readField(call, 'failure')),
    reply: toText(readField(call, 'reply')),
    isRepaired: readField(call, 'repaired') === true,
  };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function toAmount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

export type CallTotals = Readonly<ReturnType<typeof sumCalls>>;

export function sumCalls(calls: readonly RecordedCall[]) {
  const add = (amount: (call: RecordedCall) => number) =>
    calls.reduce((sum, call) => sum + amount(call), 0);
  return {
    calls: calls.length,
    prompt: add(({ prompt, guess }) => prompt ?? guess?.prompt ?? 0),
    cached: add(({ cached }) => cached ?? 0),
    completion: add(({ completion, guess }) => completion ?? guess?.completion ?? 0),
    ms: add(({ ms }) => ms),
    dollars: calls.some(({ dollars }) => dollars !== null)
      ? add(({ dollars }) => dollars ?? 0)
      : null,
    failed: calls.filter(({ failure }) => failure !== '').length,
    repaired: calls.filter(({ isRepaired }) => isRepaired).length,
    isGuessed: calls.some(({ prompt, guess }) => prompt === null && guess !== null),
  };
}

export function formatCount(number: number): string {
  return number.toLocaleString('en-US');
}

export function formatDollars(dollars: number | null): string {
  return dollars === null ? '–' : `$${dollars.toFixed(4)}`;
}
