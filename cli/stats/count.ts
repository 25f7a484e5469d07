/** Counting recorded games: what can be read is counted, and what can't is told, skipped, and counted as skipped. */
import { type GameStats, gameStats } from '../../visualizer/stats/game.ts';
import { totalsOf } from '../../visualizer/stats/totals.ts';
import { EXIT, type Exit, Failure } from '../failure.ts';
import { damagedJournal, nameOf, openJournal } from '../input.ts';
import { aside, cleanLines, print, printJson } from '../output.ts';
import { journalsAt } from './journals.ts';
import { playersTable } from './players.ts';
import { totalsText } from './totals.ts';

/** Counts the games of journals and folders; returns the exit status. */
export async function stats(paths: readonly string[], json: boolean): Promise<Exit> {
  const { files, isOne } = journalsAt(paths);
  const games: GameStats[] = [];
  const skipped: Failure['notes'][number][] = [];
  for (const path of files) {
    const found = await counted(path);
    if ('players' in found) games.push(found);
    else skipped.push(...found.notes);
  }
  const damaged = skipped.length === 0 ? null : new Failure(EXIT.damaged, skipped);
  const [only] = games;
  if (isOne && only !== undefined) {
    if (json) printJson(onWire({ type: 'stats.game', v: 1, ...only }));
    else print(playersTable(only));
  } else if (games.length > 0 || damaged === null) {
    const totals = totalsOf(games);
    if (json) printJson(onWire({ type: 'stats.games', v: 1, ...totals, skipped: skipped.length }));
    else print(totalsText(totals));
  }
  if (damaged === null) return EXIT.done;
  const journals = skipped.length === 1 ? '1 journal is' : `${skipped.length} journals are`;
  if (!isOne) aside(cleanLines(`Of ${files.length} journals, ${journals} not counted:`));
  throw damaged;
}

/** The statistics of a journal, or why there are none: one sentence, however much of it is damaged. */
async function counted(path: string): Promise<GameStats | Failure> {
  try {
    const journal = await openJournal(path);
    if (journal.damages.length > 0) return firstOf(damagedJournal(path, journal));
    const found = gameStats(journal.lines);
    if (found !== null) return found;
    const isGame = journal.lines[0]?.type === 'game.opened';
    const [code, text] = isGame
      ? ['stats/unfinished', 'the journal ends in the middle of the game']
      : [
          'stats/no-game',
          'this is the journal of a meeting on its own, and only games are counted',
        ];
    return new Failure(EXIT.damaged, [{ code, text: `${nameOf(path)}: ${text}` }]);
  } catch (error) {
    if (error instanceof Failure) return firstOf(error);
    throw error;
  }
}

function firstOf({ exit, notes }: Failure): Failure {
  const [first, ...others] = notes;
  if (first === undefined || others.length === 0) return new Failure(exit, notes);
  const more = others.length === 1 ? '1 other damage' : `${others.length} other damages`;
  return new Failure(exit, [{ ...first, text: `${first.text} (and ${more})` }]);
}

/** The same values under names in snake_case, as everywhere on the wire. */
function onWire(value: object): object {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      wired(field),
    ]),
  );
}

function wired(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wired);
  return typeof value === 'object' && value !== null ? onWire(value) : value;
}
