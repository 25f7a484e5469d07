/**
 * The balance of plain games between scripted players, by table size and rule set: who wins and how, how good votes are,
 * how varied the talk is, and whether each figure is where it should be.
 *
 * `npm run balance` plays 100 games a size, `npm run balance -- 1000 --page` plays a thousand and writes docs/balance.md.
 * Sizes may follow the number of games. The exit status is 1 when a figure misses its goal beyond what chance explains.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { gameSeed } from '../../actors/jobs/gameJob.ts';
import { FEWEST_SEATS, MOST_SEATS } from '../../machines/rules/options.ts';
import { RULE_SETS, type RuleSet } from '../../machines/types.ts';
import { countGame, type GameCount } from './balanceCount.ts';
import { type BalanceRow, findMisses, GOALS, HEADINGS, renderRow, sumUp } from './balanceTable.ts';

type BalanceCell = { readonly rules: RuleSet; readonly players: number; readonly games: number };

const FEW_GAMES = 100;
const PAGE_FLAG = '--page';
const SEED = 16;
/** The seed of a cell: each has games of its own. */
const SEED_STEP = 1000;
/** What the ghosts say is counted at this size, as one recording costs more than the game. */
const GHOST_SIZE = 8;
const GHOST_GAMES = 50;
const PAGE = new URL('../../docs/balance.md', import.meta.url);

async function playCell({ rules, players, games }: BalanceCell): Promise<BalanceRow> {
  const counts: GameCount[] = [];
  for (let game = 1; game <= games; game++) {
    const seed = gameSeed(SEED + players * SEED_STEP, game);
    const hearsGhosts = players === GHOST_SIZE && game <= GHOST_GAMES;
    counts.push(await countGame({ players, rules, seed, hearsGhosts }));
  }
  return sumUp({ rules, players }, counts);
}

function listCells(games: number, sizes: readonly number[]): BalanceCell[] {
  return RULE_SETS.flatMap((rules) => sizes.map((players) => ({ rules, players, games })));
}

/** Plays the cells on all processors, the largest tables first, since they take longest. */
async function playCells(cells: readonly BalanceCell[]): Promise<readonly BalanceRow[]> {
  const open = cells.toSorted((one, other) => one.players - other.players);
  const rows = new Map<string, BalanceRow>();
  const play = async () => {
    const worker = new Worker(new URL(import.meta.url));
    for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
      const { promise, resolve, reject } = Promise.withResolvers<BalanceRow>();
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.postMessage(cell);
      const row = await promise;
      worker.off('error', reject);
      rows.set(nameCell(cell), row);
      console.log(renderRow(row));
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, play));
  return cells.flatMap((cell) => rows.get(nameCell(cell)) ?? []);
}

function nameCell({ rules, players }: Pick<BalanceCell, 'rules' | 'players'>): string {
  return `${rules} ${players}`;
}

function renderPage(rows: readonly BalanceRow[], games: number, misses: readonly string[]): string {
  const tables = RULE_SETS.map((rules) => {
    const own = rows.filter((row) => row.rules === rules);
    return [`## \`${rules}\``, '', ...HEADINGS, ...own.map(renderRow)].join('\n');
  });
  const ghosts = rows.flatMap(({ rules, ghostLines, ghostDistinct }) =>
    ghostLines === 0
      ? []
      : [`\`${rules}\`: ${ghostLines} lines, ${(100 * ghostDistinct).toFixed(1)} % distinct`],
  );
  const verdict =
    misses.length === 0
      ? 'Every figure reaches its goal.'
      : ['These miss their goal:', '', ...misses.map((miss) => `- ${miss}`)].join('\n');
  return `# Balance of the scripted players

\`npm run balance -- ${games} --page\` wrote this page: ${games} plain games between scripted players at each size, with the options
of the lobby. The intervals are of 95 %; those of the ratio take each game as one draw. A figure misses its goal when its
whole interval does.
\`npm run balance -- 1000 --page\` plays a thousand a size; \`npm run test:long\` holds a thousand a size to the same goals.

${GOALS.map((goal) => `- ${goal}`).join('\n')}

${verdict}

*Chance* is the living impostors over the living others, for every ballot of a crewmate that names a player. *Ratio* is how
many times more often such a ballot names an impostor than chance would. *Cleared* is the share of denials that answer a
player who has just spoken for the speaker. *Distinct* is the share of messages at the table that occur once among those
of 50 games.

${tables.join('\n\n')}

## Ghosts

What the dead say among themselves in ${GHOST_GAMES} games of ${GHOST_SIZE}: ${ghosts.join('; ')}.
`;
}

if (isMainThread) {
  const words = process.argv.slice(2).filter((word) => word !== PAGE_FLAG);
  const [games = FEW_GAMES, ...sizes] = words.map(Number);
  const all = Array.from(
    { length: MOST_SEATS - FEWEST_SEATS + 1 },
    (_, index) => index + FEWEST_SEATS,
  );
  for (const heading of HEADINGS) console.log(heading);
  const rows = await playCells(listCells(games, sizes.length > 0 ? sizes : all));
  const misses = rows.flatMap(findMisses);
  for (const miss of misses) console.log(`misses: ${miss}`);
  if (process.argv.includes(PAGE_FLAG)) {
    writeFileSync(PAGE, renderPage(rows, games, misses));
  }
  process.exitCode = misses.length === 0 ? 0 : 1;
} else {
  parentPort?.on('message', (cell: BalanceCell) => {
    void playCell(cell).then((row) => parentPort?.postMessage(row));
  });
}
