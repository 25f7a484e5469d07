/** The flags of `npm run storm`. */
import { parseArgs } from 'node:util';

export type StormFlags = {
  /** The first seed, and how many. */
  readonly from: number;
  readonly seeds: number;
  /** Milliseconds for which seeds are tried, instead of a number of them. */
  readonly forMs: number | null;
  /** The faults that happen; null for all. */
  readonly only: readonly number[] | null;
  /** Ends at the first promise that is broken. */
  readonly first: boolean;
  /** Says what was broken with all faults, and does not look for the fewest. */
  readonly whole: boolean;
  readonly trace: boolean;
  readonly json: boolean;
};

type FlagsReading =
  | { readonly ok: true; readonly flags: StormFlags }
  | { readonly ok: false; readonly text: string };

const OPTIONS = {
  seed: { type: 'string' },
  seeds: { type: 'string' },
  from: { type: 'string' },
  for: { type: 'string' },
  only: { type: 'string' },
  first: { type: 'boolean' },
  whole: { type: 'boolean' },
  trace: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

const WAYS =
  '--seed N, --seeds N, --from N, --for 60s, --only 3,17, --first, --whole, --trace, --json';

const SEEDS = 100;

export function readFlags(words: readonly string[]): FlagsReading {
  const values = parse(words);
  if (typeof values === 'string') return refuse(`${values} (there are ${WAYS})`);
  const {
    seed,
    seeds,
    from,
    only,
    first = false,
    whole = false,
    trace = false,
    json = false,
  } = values;
  if (seed !== undefined && (seeds !== undefined || from !== undefined || values.for !== undefined))
    return refuse('expected --seed alone, or --from with --seeds or --for: --seed is one storm');
  if (seeds !== undefined && values.for !== undefined)
    return refuse('expected --seeds or --for, found both: one says how many, the other how long');
  if (only !== undefined && seed === undefined)
    return refuse('expected --seed beside --only: faults are those of one storm');
  for (const [name, text] of Object.entries({ seed, seeds, from })) {
    if (text !== undefined && !/^\d{1,15}$/.test(text))
      return refuse(`--${name}: expected a whole number, found ${JSON.stringify(text)}`);
  }
  const forMs = values.for === undefined ? null : readDuration(values.for);
  if (values.for !== undefined && forMs === null)
    return refuse(`--for: expected a time such as 60s or 5m, found ${JSON.stringify(values.for)}`);
  const ids = only === undefined ? null : readIds(only);
  if (only !== undefined && ids === null)
    return refuse(
      `--only: expected numbers of faults such as 3,17, or none, found ${JSON.stringify(only)}`,
    );
  const many = Number(seeds ?? SEEDS);
  return {
    ok: true,
    flags: {
      from: Number(seed ?? from ?? 1),
      seeds: seed === undefined ? many : 1,
      forMs,
      only: ids,
      first,
      whole,
      trace,
      json,
    },
  };
}

/** The values of the flags, or what is wrong with them. */
function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: false }).values;
  } catch (error) {
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    return first;
  }
}

function readDuration(text: string): number | null {
  const [, number, unit = 's'] = /^(\d{1,6})(s|m|h)$/.exec(text) ?? [];
  const ms = { s: 1000, m: 60_000, h: 3_600_000 }[unit];
  return number === undefined || ms === undefined ? null : Number(number) * ms;
}

function readIds(text: string): readonly number[] | null {
  if (text === 'none') return [];
  return /^\d+(,\d+)*$/.test(text) ? text.split(',').map(Number) : null;
}

function refuse(text: string): FlagsReading {
  return { ok: false, text: `${text} [storm/flags]` };
}
