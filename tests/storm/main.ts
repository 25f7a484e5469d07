/**
 * `npm run storm` plays leagues while everything around them fails, and reports broken promises. The exit status is 1 if a
 * promise was broken, and 2 for a wrong flag. README.md lists the flags.
 */

import { EXIT } from '../../actors/files/failure.ts';
import { LANDMARKS } from '../../actors/ports/reach.ts';
import { realTime } from '../../actors/ports/time.ts';
import { print, printJson, printNote } from '../../cli/output.ts';
import { readFlags, type StormFlags } from './arguments.ts';
import { describeFault, type FaultType, KINDS } from './faults.ts';
import { PROMISES } from './promises.ts';
import { type ShrunkStorm, shrinkStorm } from './shrink.ts';
import { closeStores } from './stores.ts';
import { runStorm, type StormOutcome } from './storm.ts';

async function main(flags: StormFlags): Promise<void> {
  const isOne = flags.seeds === 1 && !flags.first;
  const until = flags.forMs === null ? Number.POSITIVE_INFINITY : realTime.now() + flags.forMs;
  const most = flags.forMs === null ? flags.seeds : Number.POSITIVE_INFINITY;
  const missed = new Set<string>(Object.keys(LANDMARKS));
  const fired = new Map<FaultType, number>();
  let [storms, faults, failed, simulatedMs] = [0, 0, 0, 0];
  for (let seed = flags.from; storms < most && realTime.now() < until; seed++) {
    const outcome = await runStorm(seed, flags.only);
    storms += 1;
    for (const landmark of outcome.reached) missed.delete(landmark);
    for (const type of outcome.fired) fired.set(type, (fired.get(type) ?? 0) + 1);
    faults += outcome.faults.length;
    simulatedMs += outcome.simulatedMs;
    if (flags.trace) print(outcome.trace.trimEnd());
    if (flags.json && isOne) printJson(summarise(outcome));
    if (outcome.breach === null) continue;
    failed += 1;
    if (!flags.json || !isOne) await reportBreach(outcome, flags);
    if (flags.first) break;
  }
  if (failed > 0 || (storms >= MANY && missed.size > 0)) process.exitCode = EXIT.found;
  if (flags.json) {
    const total = { type: 'storm', v: 1, storms, failed, faults, simulatedMs, missed: [...missed] };
    if (!isOne) printJson(total);
    return;
  }
  const verdict = failed === 0 ? 'every promise was kept' : `${failed} broke a promise`;
  const hours = (simulatedMs / MS_PER_HOUR).toFixed(1);
  print(
    `${count(storms, 'storm')} with ${count(faults, 'fault')} in ${hours} simulated hours: ${verdict}`,
  );
  if (isOne) return;
  print(describeMissed(missed));
  print(describeFired(fired, storms));
}

const MS_PER_HOUR = 3_600_000;

/** This many storms reach every landmark, or something is wrong with them. */
const MANY = 10_000;

function describeMissed(missed: ReadonlySet<string>): string {
  const all = Object.keys(LANDMARKS).length;
  const names = missed.size === 0 ? '' : `, never ${[...missed].join(', ')}`;
  return `${all - missed.size} of ${all} landmarks reached${names}`;
}

/** The rarest kinds first. */
function describeFired(fired: ReadonlyMap<FaultType, number>, storms: number): string {
  const shares = KINDS.map((type) => [type, (100 * (fired.get(type) ?? 0)) / storms] as const);
  const rows = shares.toSorted(([, one], [, other]) => one - other);
  return `fired in storms: ${rows.map(([type, share]) => `${type} ${share.toFixed(1)} %`).join(', ')}`;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

async function reportBreach(outcome: StormOutcome, flags: StormFlags): Promise<void> {
  const shrunk = flags.only === null && !flags.whole ? await shrinkStorm(outcome.seed) : null;
  if (flags.json) printJson(summarise(shrunk?.outcome ?? outcome));
  else print(describeBreach(outcome, shrunk));
}

function describeBreach(first: StormOutcome, shrunk: ShrunkStorm | null): string {
  const outcome = shrunk?.outcome ?? first;
  const { breach, seed, faults } = outcome;
  if (breach === null) return '';
  const only = faults.map(({ id }) => id).join(',');
  const left =
    shrunk === null ? '' : ` (${first.faults.length} before shrinking, ${shrunk.tries} tries)`;
  return [
    `Seed ${seed} breaks a promise: ${PROMISES[breach.promise]} [${breach.promise}]`,
    `  at ${breach.ms / 1000} s: ${breach.text}`,
    `  ${count(faults.length, 'fault')}${left}:`,
    ...faults.map((fault) => `    ${fault.id}. ${describeFault(fault)}`),
    `  again:  npm run storm -- --seed ${seed} --only ${only === '' ? 'none' : only} --trace`,
  ].join('\n');
}

function summarise({ seed, breach, faults, digest, steps, simulatedMs }: StormOutcome): object {
  return { type: 'storm.seed', v: 1, seed, breach, faults, trace: digest, steps, simulatedMs };
}

const reading = readFlags(process.argv.slice(2));
if (reading.ok) await main(reading.flags).finally(closeStores);
else {
  printNote(reading.text);
  process.exitCode = EXIT.usage;
}
