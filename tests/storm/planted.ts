/** Planting a fault into a source of leagues, and what storms find of it. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { StormMutant } from './mutants.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LOADER = fileURLToPath(new URL('../support/mutation/replaceSource.ts', import.meta.url));

const findingSchema = z.object({
  type: z.literal('storm.seed'),
  seed: z.int(),
  breach: z.object({ promise: z.string(), text: z.string() }),
  faults: z.array(z.object({ id: z.int(), type: z.string() })),
});
type StormFinding = z.output<typeof findingSchema>;

/** Runs storms with a planted fault until one breaks a promise, and looks for its fewest faults; null where none does. */
export function findPlanted(
  { source, find, replace }: StormMutant,
  { from, seeds }: { readonly from: number; readonly seeds: number },
): StormFinding | null {
  const flags = ['--from', `${from}`, '--seeds', `${seeds}`, '--first', '--json'];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', LOADER, 'storm/main.ts', ...flags],
    {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, PLANTED: JSON.stringify([`${ROOT}${source}`, find, replace]) },
    },
  );
  const lines = stdout.split('\n').filter((line) => line !== '');
  if (lines.length === 0) throw new Error(stderr);
  const found = lines.map((line) => findingSchema.safeParse(JSON.parse(line)).data);
  return found.find((one) => one !== undefined) ?? null;
}
