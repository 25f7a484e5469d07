/** Counting recorded games: what can be read is counted, and what can't is told, skipped, and counted as skipped. */
import type { Prices } from '../../actors/minds/openai/prices.ts';
import { type GameStats, gameStats } from '../../analysis/statistics/game.ts';
import { meetingStats, type SingleMeeting } from '../../analysis/statistics/meeting.ts';
import { totalsOf } from '../../analysis/statistics/totals.ts';
import { EXIT, type ExitCode, Failure } from '../exit.ts';
import { damagedJournal, nameOf, openJournal } from '../input.ts';
import { openPrices } from '../models/price-file.ts';
import { cleanLines, print, printJson, printNote } from '../output.ts';
import { journalsAt } from './journals.ts';
import { meetingTable } from './meeting.ts';
import { playersTable } from './players.ts';
import { pricingFor } from './pricing.ts';
import { totalsText } from './totals.ts';

export type StatsFlags = { readonly json?: boolean; readonly prices?: string };

/** Counts the games and meetings of journals and folders; returns the exit status. */
export async function stats(
  paths: readonly string[],
  { json = false, prices: priceFile }: StatsFlags,
): Promise<ExitCode> {
  const prices = priceFile === undefined ? {} : openPrices(priceFile);
  const { files, isOne } = journalsAt(paths);
  const games: GameStats[] = [];
  const meetings: SingleMeeting[] = [];
  const skipped: Failure['notes'][number][] = [];
  for (const path of files) {
    const found = await counted(path, prices);
    if ('notes' in found) skipped.push(...found.notes);
    else if ('rounds' in found) games.push(found);
    else meetings.push(found);
  }
  const isCounted = games.length + meetings.length > 0;
  if (isOne && isCounted) tellOne(games[0] ?? meetings[0], json);
  else if (isCounted || skipped.length === 0) {
    const totals = totalsOf(games, meetings);
    if (json) printJson(onWire({ type: 'stats.games', v: 1, ...totals, skipped: skipped.length }));
    else print(totalsText(totals));
  }
  if (skipped.length === 0) return EXIT.done;
  const journals = skipped.length === 1 ? '1 journal is' : `${skipped.length} journals are`;
  if (!isOne) printNote(cleanLines(`Of ${files.length} journals, ${journals} not counted:`));
  throw new Failure(EXIT.damaged, skipped);
}

function tellOne(found: GameStats | SingleMeeting | undefined, json: boolean): void {
  if (found === undefined) return;
  const isGame = 'rounds' in found;
  const type = isGame ? 'stats.game' : 'stats.meeting';
  if (json) printJson(onWire({ type, v: 1, ...found }));
  else print(isGame ? playersTable(found) : meetingTable(found));
}

/** The statistics of a journal, or why there are none: one sentence, however much of it is damaged. */
async function counted(path: string, prices: Prices): Promise<GameStats | SingleMeeting | Failure> {
  try {
    const journal = await openJournal(path);
    if (journal.damages.length > 0) return firstOf(damagedJournal(path, journal));
    const { lines } = journal;
    const pricing = pricingFor(lines, prices);
    const found = gameStats(lines, pricing) ?? meetingStats(lines, pricing);
    if (found !== null) return found;
    const what = lines[0]?.type === 'game.opened' ? 'game' : 'meeting';
    const text = `${nameOf(path)}: the journal ends in the middle of the ${what}`;
    return new Failure(EXIT.damaged, [{ code: 'stats/unfinished', text }]);
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
