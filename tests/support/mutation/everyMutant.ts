/**
 * `npm run mutants:machines`: every mutant of the rules and charts of a meeting, judged by the compiler, the tests of its
 * file and the small proofs. Words after the command choose files.
 *
 *     npm run mutants:machines -- rules/floor
 *     npm run mutants:machines -- --few 4 --seed 20261122
 *
 * It can be stopped at any time and goes on where it was. The exit status is 1 where a mutant lives without a reason, or
 * a reason is given for one that does not live (`survivors.ts`). docs/source-mutants.md is written with --write.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createFailure, EXIT, Failure } from '../../../cli/exit.ts';
import { uniform } from '../endpoint/pick.ts';
import { judgeMutants, listNamedMutants, type NamedMutant } from './judge.ts';
import {
  type JudgedSource,
  listGaps,
  listStaleReasons,
  renderCounts,
  renderSurvivors,
} from './mutantReport.ts';
import { MUTATED_SOURCES } from './sources.ts';
import { SURVIVORS, type Survivors } from './survivors.ts';

const PAGE = 'docs/source-mutants.md';

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  for (const { text, code } of error.notes) console.error(`${text} [${code}]`);
  process.exitCode = error.exit;
}

type Wanted = {
  readonly words: readonly string[];
  readonly few: number | null;
  readonly seed: string;
  readonly writes: boolean;
};

function readWanted(args: readonly string[]): Wanted {
  const { values, positionals } = parse(args);
  const { few, seed, write } = values;
  if (few !== undefined && !/^[1-9]\d{0,3}$/.test(few))
    throw refuse(`--few expects a number of mutants from 1 to 9999, found ${few}`);
  const unknown = positionals.find(
    (word) => !MUTATED_SOURCES.some(({ path }) => path.includes(word)),
  );
  if (unknown !== undefined) {
    const paths = MUTATED_SOURCES.map(({ path }) => path).join(', ');
    throw refuse(`expected part of the path of a source, found ${unknown} (there are ${paths})`);
  }
  if (write && (few !== undefined || positionals.length > 0))
    throw refuse('--write needs all mutants of all sources: leave out --few and the words');
  return { words: positionals, few: few === undefined ? null : Number(few), seed, writes: write };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        few: { type: 'string' },
        seed: { type: 'string', default: '1' },
        write: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    const [sentence] = String(error instanceof Error ? error.message : error).split('. ');
    throw refuse(`${sentence} (there are --few, --seed, --write)`);
  }
}

function refuse(text: string): Failure {
  return createFailure(EXIT.usage, 'mutants/wrong-argument', text);
}

async function main(args: readonly string[]): Promise<void> {
  const { words, few, seed, writes } = readWanted(args);
  const sources = MUTATED_SOURCES.filter(
    ({ path }) => words.length === 0 || words.some((word) => path.includes(word)),
  );
  const all = new Map(sources.map((source) => [source.path, listNamedMutants(source.path)]));
  const names = new Map([...all].map(([path, mutants]) => [path, mutants.map(({ name }) => name)]));
  const told = SURVIVORS.filter(({ path }) => all.has(path));
  const chosen = few === null ? all : drawFew(all, few, seed, told);
  console.log(`seed ${seed}`);
  const judged: JudgedSource[] = [];
  for (const source of sources) {
    const mutants = chosen.get(source.path) ?? [];
    if (mutants.length === 0) continue;
    const found = await judgeMutants(source, mutants, seed, (text) => console.log(text));
    judged.push({ path: source.path, judged: found });
  }
  console.log(renderCounts(judged));
  const gaps = [...listStaleReasons(names, told), ...listGaps(judged, told)];
  for (const gap of gaps) console.log(gap);
  if (writes) writePage(judged);
  process.exitCode = gaps.length > 0 ? EXIT.found : EXIT.done;
}

/** Mutants of one source, for which tests are begun once; none that is known to live. */
function drawFew(
  all: ReadonlyMap<string, readonly NamedMutant[]>,
  few: number,
  seed: string,
  told: readonly Survivors[],
): ReadonlyMap<string, readonly NamedMutant[]> {
  const isTold = (path: string, name: string) =>
    told.some((one) => one.path === path && one.mutants.includes(name));
  const sorted = [...all].flatMap(([path, mutants]) =>
    mutants
      .filter(({ name }) => !isTold(path, name))
      .map((mutant) => ({ path, mutant, order: uniform(`${seed} ${path} ${mutant.name}`) })),
  );
  const [lowest] = sorted.toSorted((one, other) => one.order - other.order);
  const drawn = sorted
    .filter(({ path }) => path === lowest?.path)
    .toSorted((one, other) => one.order - other.order)
    .slice(0, few);
  return new Map([[lowest?.path ?? '', drawn.map(({ mutant }) => mutant)]]);
}

function writePage(judged: readonly JudgedSource[]): void {
  const page = readFileSync(PAGE, 'utf8');
  const counts = renderCounts(judged);
  const survivors = renderSurvivors(SURVIVORS);
  writeFileSync(PAGE, replacePart(replacePart(page, 'counts', counts), 'survivors', survivors));
}

function replacePart(page: string, name: string, text: string): string {
  const start = `<!-- ${name} of machines -->\n`;
  const [before, rest] = page.split(start);
  const end = rest?.indexOf('<!-- end -->') ?? -1;
  if (before === undefined || rest === undefined || end < 0)
    throw new Error(`${PAGE} has no part ${start.trim()}`);
  return `${before}${start}${text}${rest.slice(end)}`;
}
