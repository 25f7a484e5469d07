/**
 * Waits that a server states, in milliseconds. Any header, field or sentence about waiting counts, with a span ("1m30s")
 * or a moment (a date, a time of day, seconds since 1970) behind it. `now` is the time at the server.
 */
const PART =
  '\\d+(?:\\.\\d+)?\\s?(?:ms|milli\\w*|m(?:in\\w*)?|s(?:e[ckg]\\w*)?|h(?:(?:ou)?rs?)?|(?:stund|heur|hor)\\w*|d(?:ays?)?|tage?n?|jours?|[天日]|小?[时時]|分[钟鐘]?|秒[钟鐘]?)(?![a-z])';
const SPAN = `${PART}(?:(?:,| and)?\\s?${PART})*(?!\\w)`;
const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000] as const;
/** Units by their beginnings. The first that fits counts. */
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^ms|^milli/, 1],
  [/^m|^分/, MINUTE],
  [/^s(?!t)|^秒/, SECOND],
  [/^[hs]|[时時]/, HOUR],
  [/^/, DAY],
];

const CLOCK = '\\d{1,2}:\\d\\d(?::\\d\\d)?(?!\\d)(?:\\s?[ap]m\\b)?(?:\\s?(?:z|utc|gmt)\\b)?';
const DATE =
  '\\d{4}-\\d\\d-\\d\\d[t ]\\d\\d:[\\d:.]+\\s?(?:z|utc|gmt|[+-]\\d\\d:?\\d\\d)?|\\w{3}, \\d\\d? \\w{3} \\d{4} [\\d:]{8} gmt';
const MOMENT = `${DATE}|${CLOCK}|\\d{10,13}(?![\\d.])`;
const WAITING =
  '(?:again|retry|after|wait|reset|available|allowed|renew|refresh|refill|cool|until|erneut|wieder|warte|réessay|attend|espere|nuevo|重试|再试|稍后|等待|重置|恢复)';
const SAID = new RegExp(
  `${WAITING}\\D{0,40}?(?:(${SPAN})|(${MOMENT}))|(${SPAN})[^\\d.]{0,20}${WAITING}`,
);
const FIELD =
  /"((?:[\w-]*(?:retry|reset|wait|cool)(?!\w*(?:count|attempt|max))|estimated_time)[\w-]*)": ?"?(\d+(?:\.\d+)?)(?=["\s,}])/;

/** The wait that a text in lower case states: "try again in 7m12.5s", "retry_after": 12.5. Null for none. */
export function readWait(words: string, now: number): number | null {
  const [, after, moment, before] = SAID.exec(words) ?? [];
  const span = after ?? before;
  if (span !== undefined) return sumSpan(span);
  if (moment !== undefined) return readMoment(moment, now);
  const [, name = '', count] = FIELD.exec(words) ?? [];
  return count === undefined ? null : Number(count) * (/ms$|milli/.test(name) ? 1 : SECOND);
}

/** The wait that headers request: the shortest of `retry-after` and its kin, else the longest of the used-up limits. */
export function readHeaderWait(headers: Headers, status: number, now: number): number | null {
  const told = [...headers].flatMap(([name, value]) => {
    if (name === 'ratelimit') return readPolicies(value);
    const ms = readWait(`"${name}": "${value.toLowerCase()}"`, now);
    const isSpent = headers.get(name.replace('reset', 'remaining')) === '0';
    return ms === null || !/retry-?after|rate-?limit/.test(name) ? [] : [{ name, ms, isSpent }];
  });
  const wanted = told.filter(({ name }) => /retry-?after/.test(name));
  if (wanted.length > 0) return Math.min(...wanted.map(({ ms }) => ms));
  const spent = told.filter(({ isSpent, ms }) => isSpent && ms > 0);
  if (!LIMITED.includes(status)) return null;
  if (spent.length > 0) return Math.max(...spent.map(({ ms }) => ms));
  const least = Math.min(...told.flatMap(({ ms }) => ms || []));
  return status === FORBIDDEN || least === Infinity ? null : least;
}

const FORBIDDEN = 403;
/** Statuses of limits, GitHub's among them. */
const LIMITED: readonly number[] = [FORBIDDEN, 420, 429];

/** The RateLimit field of the IETF: `"minute";r=0;t=3, "day";r=9;t=99`, and in a draft `limit=9, remaining=0, reset=3`. */
function readPolicies(value: string) {
  const policies = value.includes('reset=') ? [value] : value.split(',');
  return policies.flatMap((name) => {
    const seconds = /\b(?:t|reset)=(\d+)/.exec(name)?.[1] ?? [];
    const isSpent = /\b(?:r|remaining)=0\b/.test(name);
    return [seconds].flat().map((count) => ({ name, ms: Number(count) * SECOND, isSpent }));
  });
}

/** Fewer milliseconds since 1970 are seconds. */
const LEAST_EPOCH_MS = 1e12;
/** A time of day that has just passed means now. */
const JUST_PASSED = 2 * MINUTE;

/** Null if `now` is unknown. */
function readMoment(text: string, now: number): number | null {
  const count = Number(text) * (Number(text) < LEAST_EPOCH_MS ? SECOND : 1);
  const ms = /^\d{1,2}:/.test(text) ? untilClock(text, now) : (count || Date.parse(text)) - now;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function untilClock(text: string, now: number): number {
  const [, minutes, seconds] = /^00:(\d\d):(\d\d)$/.exec(text) ?? [];
  if (minutes !== undefined) return Number(minutes) * MINUTE + Number(seconds) * SECOND;
  const [, clock, half = '', zone = ''] = /^([\d:]+)\s?([ap]m)?\s?(\w*)$/.exec(text) ?? [];
  const day = new Date(now).toLocaleDateString('en-US', zone === '' ? {} : { timeZone: 'UTC' });
  const at = Date.parse(`${day} ${clock} ${half} ${zone === '' ? '' : 'UTC'}`);
  const ms = (at - now + DAY) % DAY;
  return ms > DAY - JUST_PASSED ? 0 : ms;
}

function sumSpan(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s?([^\s\d.,]+)/g)];
  const unit = (name: string) => UNITS.find(([start]) => start.test(name))?.[1] ?? 0;
  return parts.reduce((sum, [, count, name = '']) => sum + Number(count) * unit(name), 0);
}
