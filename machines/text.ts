/** Text helpers that every room shares. This file imports nothing. */

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readField(value: unknown, name: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** A value from outside in words. An object has none: its own `toString` may be anything. */
export function wordOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'object' ? '' : one)).join();
  return typeof value === 'object' && value !== null ? '' : String(value);
}

/** Sorts names by UTF-16 code units, in place. For the few names of an object, insertion is faster than `sort`. */
export function sortNames(names: string[]): readonly string[] {
  if (names.length > 32) return names.sort();
  for (const [index, name] of names.entries()) {
    let place = index;
    for (; place > 0; place -= 1) {
      const before = names[place - 1];
      if (before === undefined || before <= name) break;
      names[place] = before;
    }
    names[place] = name;
  }
  return names;
}

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The value of a JSON text; undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Levels of nesting in a value from outside. Replies have far fewer. More could overflow the stack of a recursive function. */
export const DEEPEST = 1000;

export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === DEEPEST) return true;
  for (const inner of Object.values(value)) if (isTooDeep(inner, depth + 1)) return true;
  return false;
}

/** Whether a JSON text, white space aside, is what its value is written as: no name twice, no other spelling. */
export function isPlainJson(text: string): boolean {
  return text.replace(/("(?:[^"\\]+|\\.)*")|\s+/g, '$1') === JSON.stringify(parseJson(text));
}

export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** "red", "red and blue", "red, blue and green". */
export function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** A word as a shell takes it. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export function formatCount(number: number): string {
  return number.toLocaleString('en-US');
}

/** "38 %" for 0.38. */
export function formatPercent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** "14 s", "2 min 5 s", "1 h 3 min". */
export function formatDuration(seconds: number): string {
  const all = Math.ceil(seconds);
  if (all < MINUTE) return `${all} s`;
  const minutes = Math.floor(all / MINUTE);
  if (all < HOUR) return `${minutes} min ${all % MINUTE} s`;
  return `${Math.floor(all / HOUR)} h ${minutes % MINUTE} min`;
}

export const SYSTEM_NAMES = {
  reactor: 'the reactor',
  o2: 'the oxygen',
  lights: 'the lights',
  comms: 'the comms',
} as const;

/** "420 ms", "1.4 s", "3.2 minutes". */
export function formatMs(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  return seconds < 2 * MINUTE
    ? `${seconds.toFixed(1)} s`
    : `${(seconds / MINUTE).toFixed(1)} minutes`;
}

/** "12.3 a second", or "4.2 a minute" below half a second. */
export function formatRate(perSecond: number): string {
  return perSecond > 0.5
    ? `${perSecond.toFixed(1)} a second`
    : `${(perSecond * MINUTE).toFixed(1)} a minute`;
}

/** Two texts around their first difference, of at most `most` characters each. */
export function cutDifference(
  one: string,
  other: string,
  { before, most }: { readonly before: number; readonly most: number },
): readonly [string, string] {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const from = Math.max(0, at - before);
  const cut = (text: string) => {
    if (text === '') return 'nothing';
    const part = text.slice(from, from + most);
    return `${from > 0 ? '…' : ''}${part}${from + most < text.length ? '…' : ''}`;
  };
  return [cut(one), cut(other)];
}
