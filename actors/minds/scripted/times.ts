/**
 * Times as players say them: seconds before the meeting in words, and back.
 *
 * Minds round as people do, to five seconds within the last minute and more coarsely before, so a time that is heard
 * is good to half of the rounding only.
 */

/** Longest phrases first: "a minute and a half" must not be read as "half a minute" or "a minute". */
const SPOKEN: readonly (readonly [seconds: number, words: string])[] = [
  [150, 'two and a half minutes'],
  [90, 'a minute and a half'],
  [75, 'seventy-five seconds'],
  [120, 'two minutes'],
  [180, 'three minutes'],
  [240, 'four minutes'],
  [30, 'half a minute'],
  [60, 'a minute'],
  [25, 'twenty-five seconds'],
  [35, 'thirty-five seconds'],
  [45, 'forty-five seconds'],
  [55, 'fifty-five seconds'],
  [10, 'ten seconds'],
  [15, 'fifteen seconds'],
  [20, 'twenty seconds'],
  [40, 'forty seconds'],
  [50, 'fifty seconds'],
];
const AT_ONCE = [
  'right before the call',
  'just before the call',
  'when the call came',
  'when they called us',
] as const;
const AT_ONCE_SECONDS = 5;
const DIGITS = /(\d{1,3}) ?(?:s|secs?|seconds?)\b/i;
const NOW = /\b(?:right|just) before\b|\bwhen (?:the|it|they) /i;
const TIMED = /second|minute|\d ?s|before|when/i;

const ABOUT = ['about', 'maybe', 'around', 'roughly'] as const;

/** Half of the rounding of a spoken time, in seconds: within a minute, within two, and before. */
const ROUNDING = [
  [62, 3],
  [130, 12],
  [Number.POSITIVE_INFINITY, 25],
] as const;

/** How far a time that was told may be off, in seconds. */
export function rounding(ago: number): number {
  return ROUNDING.find(([until]) => ago <= until)?.[1] ?? 0;
}

/** Seconds in words, such as "about twenty seconds before the call"; `share`, from 0 to 1, picks the turn of phrase. */
export function spoken(ago: number, share: number): string {
  const turn = Math.floor(share * ABOUT.length);
  if (ago < 8) return AT_ONCE[turn] ?? AT_ONCE[0];
  let best: readonly [number, string] = [10, 'ten seconds'];
  for (const entry of SPOKEN) {
    if (Math.abs(entry[0] - ago) < Math.abs(best[0] - ago)) best = entry;
  }
  return `${ABOUT[turn] ?? 'about'} ${best[1]} before the call`;
}

/** The seconds that a text tells; null when it tells none. */
export function heardSeconds(text: string): number | null {
  if (!TIMED.test(text)) return null;
  const digits = DIGITS.exec(text);
  if (digits !== null) return Number(digits[1]);
  const lower = text.toLowerCase();
  for (const [seconds, said] of SPOKEN) if (lower.includes(said)) return seconds;
  return NOW.test(text) ? AT_ONCE_SECONDS : null;
}
