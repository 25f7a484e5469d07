/** Planting a fault into a source of leagues, and what storms find of it. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { PlantedFault } from './mutants.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LOADER = fileURLToPath(new URL('../support/mutation/replaceSource.ts', import.meta.url));

const findingSchema = z.object({
  type: z.literal('storm.seed'),
  seed: z.int(),
  breach: z.object({ promise: z.string(), text: z.string() }),
  faults: z.array(z.object({ id: z.int(), type: z.string() })),
});
type StormFinding = z.output<typeof findingSchema>;

const huntSchema = z.object({ seed: z.int(), promise: z.string() }).nullable();

/** Runs storms of these seeds with a planted fault until one breaks a promise; null where none does. */
export function huntMutant(
  mutant: PlantedFault,
  seeds: readonly number[],
): z.output<typeof huntSchema> {
  return huntSchema.parse(JSON.parse(runWith(mutant, ['tests/storm/hunt.ts', seeds.join()])));
}

/** Runs storms with a planted fault until one breaks a promise, and looks for its fewest faults; null where none does. */
export function findPlanted(
  mutant: PlantedFault,
  { from, seeds }: { readonly from: number; readonly seeds: number },
): StormFinding | null {
  const flags = ['--from', `${from}`, '--seeds', `${seeds}`, '--first', '--json'];
  const stdout = runWith(mutant, ['tests/storm/main.ts', ...flags]);
  const lines = stdout.split('\n').filter((line) => line !== '');
  if (lines.length === 0) throw new Error('storms have printed nothing');
  const found = lines.map((line) => findingSchema.safeParse(JSON.parse(line)).data);
  return found.find((one) => one !== undefined) ?? null;
}

/** Runs a program with a planted fault; what it prints. Exit status 1 says that a promise was broken. */
function runWith({ source, find, replace }: PlantedFault, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', LOADER, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, PLANTED: JSON.stringify([`${ROOT}${source}`, find, replace]) },
  });
  if (status !== 0 && status !== 1) throw new Error(stderr);
  return stdout;
}
