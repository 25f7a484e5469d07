/** Times as people say them, in seconds before the call, and how far off a time may be that was said roundly. */

/** Longest phrases first: "a minute and a half" must not be read as "a minute". */
const PHRASES: readonly (readonly [words: string, seconds: number])[] = [
  ['two and a half minutes', 150],
  ['a minute and a half', 90],
  ['half a minute', 30],
  ['two minutes', 120],
  ['three minutes', 180],
  ['four minutes', 240],
  ['a minute', 60],
];
const TENS: Readonly<Record<string, number>> = {
  ten: 10,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
};
const WORDS = new RegExp(`\\b(${Object.keys(TENS).join('|')})(-five)? seconds?\\b`, 'i');
const DIGITS = /\b(\d{1,3}) ?(s|secs?|seconds?|m|mins?|minutes?)\b/i;
const NOW = /\b(?:right|just) before\b|\bwhen (?:the|it|they) \w+/i;
const NOW_SECONDS = 5;
const SECONDS_PER_MINUTE = 60;

/** The time that a text tells, in seconds before the call; null when it tells none. */
export function secondsIn(text: string): number | null {
  const [, digits, unit] = DIGITS.exec(text) ?? [];
  if (digits !== undefined) {
    return Number(digits) * (unit?.toLowerCase().startsWith('m') ? SECONDS_PER_MINUTE : 1);
  }
  const [, ten, five] = WORDS.exec(text) ?? [];
  if (ten !== undefined) return (TENS[ten.toLowerCase()] ?? 0) + (five === undefined ? 0 : 5);
  const lower = text.toLowerCase();
  const phrase = PHRASES.find(([words]) => lower.includes(words));
  return phrase?.[1] ?? (NOW.test(text) ? NOW_SECONDS : null);
}

/** Half of the rounding of a spoken time: people round to five seconds in the last minute, and more coarsely before. */
export function slackOf(seconds: number): number {
  if (seconds <= SECONDS_PER_MINUTE) return 3;
  return seconds <= 2 * SECONDS_PER_MINUTE ? 12 : 25;
}
