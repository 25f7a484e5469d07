/** Sums: what requests come to. Where an endpoint has not counted, what was reckoned with counts, and that is said. */
import type { Colour } from '../../../../machines/types.ts';
import type { Call } from './call.ts';

export type Sum = {
  readonly calls: number;
  readonly prompt: number;
  readonly cached: number;
  readonly completion: number;
  readonly ms: number;
  /** Null where nobody named a price. */
  readonly dollars: number | null;
  /** Requests that brought no answer. */
  readonly failed: number;
  readonly mended: number;
  readonly isGuessed: boolean;
};

export function sumOf(calls: readonly Call[]): Sum {
  const add = (amount: (call: Call) => number) =>
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
    failed: calls.filter(({ trouble }) => trouble !== '').length,
    mended: calls.filter(({ isMended }) => isMended).length,
    isGuessed: calls.some(({ prompt, guess }) => prompt === null && guess !== null),
  };
}

export function bySeat(calls: readonly Call[]): readonly (readonly [Colour, Sum])[] {
  const seats = [...new Set(calls.map(({ seat }) => seat))];
  return seats.map((seat) => [seat, sumOf(calls.filter((call) => call.seat === seat))]);
}

const SECOND = 1000;

/** "420 ms", "1.4 s" */
export function duration(ms: number): string {
  return ms < SECOND ? `${Math.round(ms)} ms` : `${(ms / SECOND).toFixed(1)} s`;
}

export function count(number: number): string {
  return number.toLocaleString('en-US');
}

export function money(dollars: number | null): string {
  return dollars === null ? '–' : `$${dollars.toFixed(4)}`;
}
