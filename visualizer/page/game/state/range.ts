/** A range of the journal that somebody has marked: it is in the address, on the timeline, and played to its end. */
import { signal } from '@preact/signals';
import { length, moment, step, story } from './session.ts';

/** Steps, both of them in it. */
export type Range = { readonly from: number; readonly to: number };

export const range = signal<Range | null>(null);
/** Where a range begins whose end is still to be marked; null while none is being made. */
export const begun = signal<number | null>(null);

/** Marks the beginning, then the end, then nothing. */
export function markRange(): void {
  if (begun.value !== null) {
    const [from = 0, to = 0] = [begun.value, step.value].toSorted((one, other) => one - other);
    range.value = from === to ? null : { from, to };
    begun.value = null;
  } else if (range.value !== null) range.value = null;
  else begun.value = step.value;
}

/** What the next mark does. */
export function nextMark(): string {
  if (begun.value !== null) return 'End the range here';
  return range.value === null ? 'Begin a range here' : 'Clear the range';
}

/** Reads "40-55"; null for anything else, or where those are no two moments. */
export function rangeIn(text: string | null): Range | null {
  const [, first = '', last = ''] = /^(g?\d+)-(g?\d+)$/.exec(text ?? '') ?? [];
  const told = story.peek();
  const [from, to] = [first, last].map((name) => (name === '' ? null : told.stepOf(name)));
  return from == null || to == null || from >= to ? null : { from, to };
}

/** "40-55", where there is a range. */
export function rangeName(): string | null {
  if (range.value === null) return null;
  const { moments } = story.value;
  const [first, last] = [moments[range.value.from], moments[range.value.to]];
  return first === undefined || last === undefined ? null : `${first.name}-${last.name}`;
}

/** Whether one has come to the end of the range, or of the journal. */
export function isAtStop(): boolean {
  return step.value >= length.value - 1 || (range.value !== null && step.value === range.value.to);
}

/** Where playing begins when it is at a stop, or outside the range; null where it goes on from here. */
export function startOfPlay(): number | null {
  const { value } = range;
  if (value === null) return isAtStop() ? 0 : null;
  return step.value < value.from || step.value >= value.to ? value.from : null;
}

/** The moment in an address: the whole range at its beginning. */
export function placeName(): string {
  const name = moment.value?.name ?? '0';
  const whole = rangeName();
  return whole !== null && range.value?.from === step.value ? whole : name;
}
