/** The flags of `npm run storm`. */
import { parseArgs } from 'node:util';

const OPTIONS = {
  seed: { type: 'string' },
  seeds: { type: 'string' },
  from: { type: 'string' },
  for: { type: 'string' },
  only: { type: 'string' },
  first: { type: 'boolean', default: false },
  whole: { type: 'boolean', default: false },
  trace: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;
const LIST =
  '--seed N, --seeds N, --from N, --for 60s, --only 3,17, --first, --whole, --trace, --json';
const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000 } as const;

export type StormFlags = ReturnType<typeof parseFlags>;

export function readFlags(
  words: readonly string[],
): { readonly ok: true; readonly flags: StormFlags } | { readonly ok: false; text: string } {
  try {
    return { ok: true, flags: parseFlags(words) };
  } catch (error) {
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    return { ok: false, text: `${first} (there are ${LIST}) [storm/flags]` };
  }
}

function parseFlags(words: readonly string[]) {
  const { values } = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: false });
  const { seed, seeds, from, for: time, only, first, whole, trace, json } = values;
  if (seed !== undefined && (seeds ?? from ?? time) !== undefined)
    throw new Error('expected --seed alone, or --from with --seeds or --for');
  if (seeds !== undefined && time !== undefined)
    throw new Error('expected --seeds or --for, found both');
  if (only !== undefined && seed === undefined)
    throw new Error('expected --seed beside --only: faults are those of one storm');
  match('--for', time, /^\d{1,6}[smh]$/, 'a time such as 60s or 5m');
  match('--only', only, /^(none|\d+(,\d+)*)$/, 'numbers of faults such as 3,17, or none');
  for (const [name, text] of Object.entries({ seed, seeds, from }))
    match(`--${name}`, text, /^\d{1,15}$/, 'a whole number');
  return {
    from: Number(seed ?? from ?? 1),
    seeds: seed === undefined ? Number(seeds ?? 100) : 1,
    forMs: time === undefined ? null : readMs(time),
    only: only === undefined ? null : only === 'none' ? [] : only.split(',').map(Number),
    first,
    whole,
    trace,
    json,
  };
}

function match(flag: string, text: string | undefined, pattern: RegExp, wanted: string): void {
  if (text !== undefined && !pattern.test(text))
    throw new Error(`${flag}: expected ${wanted}, found ${JSON.stringify(text)}`);
}

function readMs(text: string): number {
  const unit = text.endsWith('h') ? 'h' : text.endsWith('m') ? 'm' : 's';
  return Number.parseInt(text, 10) * UNIT_MS[unit];
}
