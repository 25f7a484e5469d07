/** What a planted bug is, and what `check` finds of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { EXTRA_CHECKS } from '../../../proofs/extraChecks.ts';

/** A mistake as a person makes it: one text of one source, replaced. */
export type PlantedBug = {
  readonly name: string;
  /** What is wrong, as a sentence without its end. */
  readonly cause: string;
  readonly source: string;
  /** It stands in the source exactly once. */
  readonly find: string;
  readonly replace: string;
};

/** How a planted bug was found: by what, in how many steps, and in which world. */
export type PlantedFinding = {
  readonly by: string;
  /** Of the counterexample; null where there is none to count. */
  readonly steps: number | null;
  /** Its name in `WORLDS`. */
  readonly world: string;
};

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const LOADER = fileURLToPath(new URL('../../support/mutation/replaceSource.ts', import.meta.url));

/** The flags of each world, in the order in which they are tried: the small ones first. */
export const WORLDS: Readonly<Record<string, string>> = {
  'two players, 150 states': '--players 2 --faults --departures 1 --stops --max-states 150',
  'two players': '--players 2 --faults --departures 1 --stops',
  'two players who leave': '--players 2 --faults --departures 2',
  'three players': '--players 3',
  'three players, house': '--players 3 --rules house --faults --departures 1 --stops',
  'three players, classic': '--players 3 --rules classic --faults --departures 1 --stops',
  'four players': '--players 4 --rules house --faults --departures 1',
};

const property = z.object({
  name: z.string(),
  kind: z.string(),
  verdict: z.enum(['proved', 'violated', 'incomplete', 'vacuous']),
  asDeclared: z.boolean(),
  counterexample: z.object({ steps: z.array(z.unknown()) }).nullable(),
});
const line = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('check.run'),
    properties: z.array(property),
    searches: z.array(z.object({ broken: z.string().nullable() })),
  }),
  z.object({
    type: z.literal('check.result'),
    coverage: z
      .object({ missing: z.array(z.object({ what: z.string(), needs: z.string().nullable() })) })
      .nullable(),
  }),
  z.object({ type: z.literal('error'), problems: z.array(z.object({ code: z.string() })) }),
]);

/** Plants a bug and checks the meeting in one world after another; null where no world shows it. */
export async function findPlanted(
  bug: PlantedBug,
  worlds: readonly string[] = Object.keys(WORLDS),
): Promise<PlantedFinding | null> {
  for (const world of worlds) {
    const lines = await checkPlanted(bug, [...flagsOf(world), '--json']);
    const found = lines.map((text) => judgeLine(line.parse(JSON.parse(text))));
    const [first] = found.filter((one) => one !== null);
    if (first !== undefined) return { ...first, world };
  }
  return null;
}

/** Writes the counterexample of what found a bug as a journal. */
export async function tracePlanted(
  bug: PlantedBug,
  { by, world }: PlantedFinding,
  file: string,
): Promise<void> {
  await checkPlanted(bug, [...flagsOf(world), '--property', by, '--trace', file]);
}

/** Runs the real command with a bug; the lines that it prints. */
export async function checkPlanted(
  { source, find, replace }: PlantedBug,
  flags: readonly string[],
): Promise<readonly string[]> {
  const args = ['--import', LOADER, 'cli/launcher.js', 'check', ...flags];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, PLANTED: JSON.stringify([`${ROOT}${source}`, find, replace]) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closed = once(child, 'close');
  const lines: string[] = [];
  for await (const text of createInterface({ input: child.stdout })) lines.push(text);
  await closed;
  if (lines.length === 0) throw new Error(`check ${flags.join(' ')} printed nothing`);
  return lines;
}

function flagsOf(world: string): readonly string[] {
  return WORLDS[world]?.split(' ') ?? [];
}

type Found = Omit<PlantedFinding, 'world'>;

/** What is not as declared, first of all of the meeting itself; null where nothing is. What a limit left undecided says nothing. */
function judgeLine(found: z.infer<typeof line>): Found | null {
  if (found.type === 'error') return { by: found.problems[0]?.code ?? 'an error', steps: null };
  if (found.type === 'check.result') {
    const open = found.coverage?.missing.find(({ needs }) => needs === null);
    return open === undefined ? null : { by: `coverage: ${open.what}`, steps: null };
  }
  if (found.searches.some(({ broken }) => broken !== null))
    return { by: 'the machine breaks', steps: null };
  const isBeside = ({ name }: { readonly name: string }) => EXTRA_CHECKS.includes(name);
  const { properties } = found;
  return (
    chooseShortest(properties.filter((one) => !isBeside(one))) ??
    chooseShortest(properties.filter(isBeside))
  );
}

function chooseShortest(judged: readonly z.infer<typeof property>[]): Found | null {
  const all = judged
    .filter(({ asDeclared, verdict }) => !asDeclared && verdict !== 'incomplete')
    .map(({ name, kind, verdict, counterexample }): Found => {
      const isTraced = verdict === 'violated' && kind !== 'sometimes';
      return { by: name, steps: isTraced ? (counterexample?.steps.length ?? null) : null };
    });
  return all.toSorted((one, other) => lengthOf(one) - lengthOf(other))[0] ?? null;
}

function lengthOf({ steps }: Found): number {
  return steps ?? Number.POSITIVE_INFINITY;
}
