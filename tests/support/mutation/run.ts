/**
 * `npm run mutants`: breaks a source in one place after another and says which breaks no test notices.
 *
 *     npm run mutants -- --source actors/engine/consult.ts --tests tests/actors/engine/consult.test.ts
 *
 * With `--lines 12,15-20` only mutants of these lines are tried; those that survived come last, in this form.
 *
 * A source is never changed on disk: the tests are given a mutant in its place. A mutant that keeps a process busy for
 * ever is killed with it, and counts as noticed.
 */
import { createFailure, EXIT, Failure } from '../../../cli/exit.ts';
import { uniform } from '../endpoint/pick.ts';
import { formatLines, type MutationPlan, readArguments } from './arguments.ts';
import { listMutants, type Mutant } from './mutate.ts';
import { runTrials } from './trials.ts';

try {
  await main(readArguments(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  for (const { text, code } of error.notes) console.error(`${text} [${code}]`);
  process.exitCode = error.exit;
}

async function main({ path, source, tests, seed, share, lines }: MutationPlan): Promise<void> {
  const chosen = listMutants(path, source).filter(
    ({ line }, index) =>
      (lines === null || lines.has(line)) && uniform(`${seed} ${path} ${index}`) < share,
  );
  if (chosen.length === 0) {
    const text = `${path} has no mutants, of those lines or in that share: try more of it`;
    throw createFailure(EXIT.usage, 'mutants/none', text);
  }
  console.log(`${path}: ${chosen.length} mutants, seed ${seed}, share ${share}`);
  const survivors: Mutant[] = [];
  await runTrials({ path, source, tests, mutants: chosen }, (mutant, { noticedBy }) => {
    if (noticedBy !== null) return;
    survivors.push(mutant);
    console.log(describeMutant(path, mutant));
  });
  console.log(`${path}: ${chosen.length - survivors.length} of ${chosen.length} noticed`);
  if (survivors.length > 0)
    console.log(`once more: --lines ${formatLines(survivors.map(({ line }) => line))}`);
}

function describeMutant(path: string, { line, was, is }: Mutant): string {
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 90);
  return `survives: ${path}:${line} ${short(was)} → ${short(is)}`;
}
