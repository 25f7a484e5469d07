/**
 * The bench: what the README and docs claim about speed, run and printed.
 *
 * The last line of the output is JSON. Times depend on the machine; what can be compared are the ratios of one run.
 */
import { availableParallelism } from 'node:os';
import { checkerBench, shownChecker } from './checker.ts';
import { concurrency } from './concurrency.ts';
import { endpointBench } from './endpoint.ts';
import { gameBench, shownGames } from './games.ts';
import { inFolder, journalVariants, recorded } from './journal.ts';
import { memory } from './memory.ts';
import { pageBench, shownPage } from './page.ts';
import { promptBench, shownPrompts } from './prompts.ts';
import { type Timing, timed } from './rounds.ts';
import { shownStores, storeBench } from './stores.ts';
import { tickVariants } from './ticks.ts';

const ROUNDS = 9;

function show(title: string, unit: string, timings: readonly Timing[]): void {
  console.log(`\n${title}`);
  console.log(`${`µs/${unit}`.padStart(10)}${`${unit}s/s`.padStart(12)}${'ratio'.padStart(8)}`);
  for (const { name, microseconds, ratio } of timings) {
    const rate = Math.round(1e6 / microseconds).toLocaleString('en');
    console.log(
      `${microseconds.toFixed(1).padStart(10)}${rate.padStart(12)}${ratio.toFixed(2).padStart(8)}  ${name}`,
    );
  }
}

const ticks = await timed(tickVariants(), ROUNDS);
show('A tick of ten players', 'tick', ticks);

const recording = await recorded();
const journal = await inFolder((folder) => timed(journalVariants(recording, folder), ROUNDS));
show('A line of the journal', 'line', journal);

const endpoint = await endpointBench(ROUNDS);
show('A question to an endpoint on this machine', 'call', endpoint);

const slow = await concurrency();
console.log('\nA tick of ten minds that take 5 to 50 ms, in real time');
console.log(
  `  ${slow.tickMs.toFixed(1)} ms, the slowest mind ${slow.slowestMs.toFixed(1)} ms, ` +
    `one after the other ${slow.inTurnMs.toFixed(1)} ms: ` +
    `${(slow.inTurnMs / slow.tickMs).toFixed(1)} times faster than asking in turn`,
);

const held = await memory();
console.log('\nMemory');
console.log(
  held === null
    ? '  not measured: run with --expose-gc'
    : `  ${held.idleKib.toFixed(1)} KiB for a meeting of ten that waits; ` +
        `${held.leftKib.toFixed(0)} KiB left after ${held.meetings} meetings`,
);

const games = await gameBench();
console.log(`\n${shownGames(games)}`);

const prompts = await promptBench(ROUNDS);
show('A prompt', 'prompt', prompts.assembly);
console.log(shownPrompts(prompts));

const checker = await checkerBench();
console.log(`\n${shownChecker(checker)}`);

const stores = await storeBench();
console.log(`\n${shownStores(stores)}`);

const page = await pageBench();
console.log(`\n${shownPage(page)}`);

console.log(
  `\n${JSON.stringify({
    type: 'bench',
    v: 1,
    node: process.version,
    processors: availableParallelism(),
    ticks,
    journal,
    endpoint,
    concurrency: slow,
    memory: held,
    prompts,
    games,
    checker,
    stores,
    page,
  })}`,
);
process.exit(0); // the meetings that were left waiting are not awaited
