/**
 * Measures ticks, games, the checker and the page. The last line of the output is JSON. Times depend on the machine, so
 * compare only the ratios of one run.
 */
import { availableParallelism } from 'node:os';
import { checkerBench, shownChecker } from './checker.ts';
import { gameBench, shownGames } from './games.ts';
import { pageBench, shownPage } from './page.ts';
import { timed } from './rounds.ts';
import { tickVariants } from './ticks.ts';

const ROUNDS = 9;

const ticks = await timed(tickVariants(), ROUNDS);
console.log(
  `\nA tick of ten players\n${'µs/tick'.padStart(10)}${'ticks/s'.padStart(12)}${'ratio'.padStart(8)}`,
);
for (const { name, microseconds, ratio } of ticks) {
  const rate = Math.round(1e6 / microseconds).toLocaleString('en');
  console.log(
    `${microseconds.toFixed(1).padStart(10)}${rate.padStart(12)}${ratio.toFixed(2).padStart(8)}  ${name}`,
  );
}

const games = await gameBench();
console.log(`\n${shownGames(games)}`);

const checker = await checkerBench();
console.log(`\n${shownChecker(checker)}`);

const page = await pageBench();
console.log(`\n${shownPage(page)}`);

const processors = availableParallelism();
const found = { node: process.version, processors, ticks, games, checker, page };
console.log(`\n${JSON.stringify({ type: 'bench', v: 2, ...found })}`);
process.exit(0); // without waiting for browsers and threads to close
