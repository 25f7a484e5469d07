/** Compares each result of a league with its hash, schedule and journal, and replays some to detect forged hashes. */

import { hash } from 'node:crypto';
import { type Journal, readJournal } from '../../actors/engine/journal/reader.ts';
import { isJournalOf, playLeagueGame, readHeads } from '../../actors/league/game.ts';
import { readKnowledge } from '../../actors/league/knowledge.ts';
import {
  type LeagueGame,
  type LeaguePlan,
  personaNameOf,
  prepareGame,
  roundsOf,
  scheduleLeague,
} from '../../actors/league/plan.ts';
import { isSlowGame } from '../../actors/league/players.ts';
import { isFromOutside, rethink } from '../../actors/replay/replay.ts';
import { StoreDamaged } from '../../actors/stores/errors.ts';
import { unpackJournal } from '../../actors/stores/journal.ts';
import { personaId } from '../../actors/stores/persona.ts';
import {
  type Counters,
  type GameResult,
  hasSameCounters,
  Recount,
} from '../../actors/stores/result.ts';
import type { Store } from '../../actors/stores/store.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import { drawWords } from '../../machines/rules/dice.ts';
import type { Note } from '../../machines/types.ts';
import { countGame } from '../counts/statistics.ts';
import { tallyGame } from './tally.ts';

/** A mismatch. `fault` names the part to replace. */
export type VerifyFinding = Note & {
  /** Null for the whole league. */
  readonly slot: number | null;
  readonly fault: 'result' | 'journal' | 'store';
};

export type LeagueVerification = Readonly<Awaited<ReturnType<typeof verifyLeague>>>;

export type VerifyOptions = {
  readonly store: Store;
  readonly plan: LeaguePlan;
  readonly findJournal: (slot: number) => Promise<string | null>;
  readonly journals: readonly number[];
  readonly sample: { readonly games: number; readonly seed: number };
  readonly onProgress?: (done: number, of: number) => void;
};

export async function verifyLeague(options: VerifyOptions) {
  const { store, plan, journals, sample, onProgress } = options;
  const { name } = plan.league;
  const { results, damages, missing } = await store.audit(name);
  const findings: VerifyFinding[] = damages.map((damage) => ({ ...damage, fault: 'result' }));
  const kept = await store.journals(name);
  const slots = new Set([...results, ...damages].map(({ slot }) => slot));
  findings.push(...findMissing(plan, slots, missing));
  const games = await prepareGames(plan, store);
  const drawn = drawSample(results, sample);
  let [read, readFromStore, replayed] = [0, 0, 0];
  for (const [index, result] of results.entries()) {
    const found = new ResultFindings(result.slot);
    const game = games[result.slot] ?? null;
    checkSchedule(found, result, games[result.slot]);
    const journal = await readJournalOf(found, result, options);
    if (journal !== null) {
      read += 1;
      if (journal.isFromStore) readFromStore += 1;
      const kept = journal.isFromStore ? null : await readKept(found, result, store);
      // A foreign journal says nothing about this result, but the recorded one does.
      const isOwn = checkHashes(found, result, journal);
      const own = isOwn ? journal.journal : kept === null ? null : readJournal(kept);
      const { lines } = journal.journal;
      const cut = lines.find((line) => isFromOutside(line) || line.channel === 'beliefs')?.type;
      if (found.list.length === 0 && game !== null && (cut || !isJournalOf(game, lines))) {
        const words = `its journal ${cut ? `has ${cut}, which no league` : 'is of another match than the schedule'} has`;
        found.add('journal', 'other-journal', words);
      }
      if (own !== null) recount(found, result, own);
      if (found.list.length === 0 && game !== null && drawn.has(result.slot)) {
        replayed += 1;
        await playAgain(found, { result, game }, journal);
      }
    }
    findings.push(...found.list);
    onProgress?.(index + 1, results.length);
  }
  const stray = [...kept].flatMap(([slot, { isKept }]) => (isKept ? [slot] : []));
  findings.push(...(await findStrayJournals([...journals, ...stray], slots, options)));
  findings.push(...(await findDamagedMemories(store, plan)));
  if (findings.every(({ fault }) => fault !== 'result'))
    findings.push(...(await checkCareers(store)));
  const order = (finding: VerifyFinding) => finding.slot ?? Number.MAX_SAFE_INTEGER;
  return {
    league: name,
    results: slots.size,
    journals: read,
    journalsFromStore: readFromStore,
    replayed,
    findings: findings.toSorted((one, other) => order(one) - order(other)),
  };
}

class ResultFindings {
  readonly list: VerifyFinding[] = [];
  readonly #slot: number;

  constructor(slot: number) {
    this.#slot = slot;
  }

  add(fault: VerifyFinding['fault'], code: string, words: string): void {
    const text = `game ${this.#slot + 1}: ${words}`;
    this.list.push({ slot: this.#slot, fault, code: `league/${code}`, text });
  }
}

function findMissing(
  { league }: LeaguePlan,
  slots: ReadonlySet<number>,
  missing: number | null,
): readonly VerifyFinding[] {
  if (missing === 0) return [];
  if (missing === null) return [{ ...LOST_COUNT, slot: null, fault: 'store' }];
  const open = Array.from({ length: league.games }, (_, slot) => slot).filter(
    (slot) => !slots.has(slot),
  );
  const shown = open.slice(0, SHOWN).map((slot) => slot + 1);
  const more = open.length > SHOWN ? ', …' : '';
  const where =
    shown.length === 0
      ? 'each game has another one'
      : `games without a result: ${shown.join(', ')}${more}`;
  const text =
    missing > 0
      ? `${missing} result${missing === 1 ? ' was' : 's were'} recorded and ${missing === 1 ? 'is' : 'are'} not there any more (${where})`
      : `${-missing} more result${missing === -1 ? ' is' : 's are'} there than were recorded`;
  return [{ slot: null, fault: 'store', code: 'league/missing-result', text }];
}

const SHOWN = 20;

export const LOST_COUNT: Note = {
  code: 'league/lost-count',
  text: 'the number of recorded results is damaged, so a missing result would go unnoticed',
};

/** Every scheduled game by slot; null if its round never began. */
async function prepareGames(
  plan: LeaguePlan,
  store: Store,
): Promise<readonly (LeagueGame | null)[]> {
  const fixtures = scheduleLeague(plan);
  const games: (LeagueGame | null)[] = [];
  for (const [number, { least, most }] of roundsOf(plan).entries()) {
    const knowledge = await readKnowledge(store, plan, number);
    for (const fixture of fixtures.slice(least, most))
      games.push(knowledge === null ? null : prepareGame(plan, fixture, knowledge));
  }
  return games;
}

function checkSchedule(
  found: ResultFindings,
  result: GameResult,
  game: LeagueGame | null | undefined,
): void {
  if (game === undefined) {
    found.add('result', 'not-scheduled', 'the schedule has no such game');
    return;
  }
  if (game === null) {
    const words = 'the memories of its round are lost, so only its journal can be compared';
    found.add('store', 'lost-round', words);
    return;
  }
  const roleOf = new Map(game.match.seats.map(({ colour, role }) => [colour, role]));
  const seats = game.seats.map(({ colour, model, persona, memory }) =>
    canonical([colour, roleOf.get(colour), model, persona, memory]),
  );
  const recorded = result.seats.map(({ colour, role, model, persona, memory }) =>
    canonical([colour, role, model, persona, memory]),
  );
  const isThisGame = result.game === game.game && result.seed === game.seed;
  if (!isThisGame || result.engine !== game.engine) {
    const words = 'the result belongs to another game than the schedule has';
    found.add('result', 'not-scheduled', words);
  } else if (seats.join() !== recorded.join()) {
    const words = 'the result has other seats than the schedule: roles or personas were exchanged';
    found.add('result', 'not-scheduled', words);
  } else {
    checkLearners(found, result, game);
  }
}

function checkLearners(found: ResultFindings, { seats }: GameResult, game: LeagueGame): void {
  const wrong = seats.filter(
    ({ learned }, index) => learned !== null && game.seats[index]?.learns !== true,
  );
  if (wrong.length === 0) return;
  const names = wrong.map(({ colour }) => colour).join(', ');
  const words = `the result says what ${names} learned, and ${wrong.length === 1 ? 'that persona does' : 'those personas do'} not learn in this league`;
  found.add('result', 'learned', words);
}

type ReadText = { readonly text: string; readonly journal: Journal };
type FoundJournal = ReadText & { readonly isFromStore: boolean };

async function readJournalOf(
  found: ResultFindings,
  result: GameResult,
  { findJournal, store }: VerifyOptions,
): Promise<FoundJournal | null> {
  const { slot } = result;
  const text = await findJournal(slot).catch((error: unknown) => {
    if (!(error instanceof Error)) throw error;
    found.add('journal', 'damaged-journal', `its journal can't be read: ${error.message}`);
    return undefined;
  });
  if (text === undefined) return null;
  const packed = text === null ? await store.journal(result) : null;
  const isFromStore = packed !== null;
  const there = packed === null ? text : await unpackJournal(packed);
  if (there === null) {
    if (isFromStore) found.add('store', 'damaged-journal', DAMAGED_IN_STORE);
    else found.add('journal', 'no-journal', 'there is no journal of it, here or in the store');
    return null;
  }
  const journal = readJournal(there);
  const [first] = journal.damages;
  if (first === undefined) return { text: there, journal, isFromStore };
  const where = first.line === 0 ? '' : `, line ${first.line}`;
  found.add('journal', 'damaged-journal', `its journal is damaged${where}: ${first.text}`);
  return null;
}

function checkHashes(
  found: ResultFindings,
  { journal: named, clock, engine }: GameResult,
  { text, journal }: ReadText,
): boolean {
  if (named === null || clock?.journal === undefined) {
    if (engine !== UNBOUND)
      found.add('result', 'no-hash', 'the result does not name its journal any more');
    return true;
  }
  const heads = readHeads(journal.lines);
  if (canonical(heads) !== canonical(named)) {
    const words = `its journal is not the one that the result names: expected the last hashes ${shorten(named.living)} and ${shorten(named.ghosts)}, found ${shorten(heads.living)} and ${shorten(heads.ghosts)}`;
    found.add('journal', 'other-journal', words);
    return false;
  }
  if (clock.journal !== hash('sha256', text, 'hex')) {
    const words = 'its journal was changed where no line is hashed: times, requests or line breaks';
    found.add('journal', 'other-journal', words);
  }
  return true;
}

/** Results of this version named no journals. */
const UNBOUND = '0.1.0';

const DAMAGED_IN_STORE = 'its journal in the store is damaged';

/** The journal that the store received with the result; null if it is missing, damaged or another. */
async function readKept(found: ResultFindings, result: GameResult, store: Store) {
  const kept = await store.journal(result);
  if (kept === null) return null;
  const text = await unpackJournal(kept);
  if (text === null) {
    found.add('store', 'damaged-journal', DAMAGED_IN_STORE);
    return null;
  }
  const named = result.clock?.journal;
  if (named === undefined || named === kept.digest) return text;
  found.add('store', 'other-journal', 'its journal in the store is not the one that it names');
  return null;
}

const DIGITS = 12;

function shorten(digest: string): string {
  return `${digest.slice(0, DIGITS)}…`;
}

/** Counters of costs. A journal has no reflections, and prices change. */
const COSTS: readonly string[] = [
  'replies',
  'repairs',
  'blank',
  'attempts',
  'requests',
  'requests_failed',
  'requests_plainer',
  'prompt_tokens',
  'completion_tokens',
  'microdollars',
];

function recount(found: ResultFindings, result: GameResult, { lines }: Journal): void {
  const stats = countGame(lines);
  if (stats === null) {
    found.add('journal', 'unfinished-journal', 'its journal is not of a whole game');
    return;
  }
  const wrong: string[] = [];
  const compare = (what: string, recorded: unknown, counted: unknown) => {
    if (canonical(recorded) !== canonical(counted))
      wrong.push(`${what} ${canonical(recorded)} instead of ${canonical(counted)}`);
  };
  compare('winner', result.winner, stats.winner);
  compare('reason', result.reason, stats.reason);
  compare('rounds', result.rounds, stats.rounds);
  compare('meetings', result.meetings, stats.meetings.length);
  const tallies = tallyGame(lines);
  for (const { colour, role, won, tally } of result.seats) {
    const side = role === 'impostor' ? 'impostors' : 'crew';
    const player = stats.players.find((one) => one.seat === colour);
    compare(`role of ${colour}`, role, player?.role ?? null);
    compare(`win of ${colour}`, won, stats.winner === side);
    const counted = tallies[colour] ?? {};
    for (const name of new Set([...Object.keys(tally), ...Object.keys(counted)]))
      if (!COSTS.includes(name))
        compare(`${name} of ${colour}`, tally[name] ?? 0, counted[name] ?? 0);
  }
  if (wrong.length === 0) return;
  const shown = wrong.slice(0, SHOWN_DIFFERENCES).join(', ');
  const more = wrong.length - SHOWN_DIFFERENCES;
  const words = `the result says what its journal does not: ${shown}${more > 0 ? `, and ${more} more` : ''}`;
  found.add('result', 'contradicts-journal', words);
}

const SHOWN_DIFFERENCES = 3;

async function playAgain(
  found: ResultFindings,
  { result, game }: { readonly result: GameResult; readonly game: LeagueGame },
  { journal, text }: ReadText,
): Promise<void> {
  if (isSlowGame(game)) {
    const again = await rethink(journal);
    if (again.type === 'same') return;
    const text = `played again, its journal is another one from line ${again.difference.line} on`;
    return found.add('journal', 'replays-otherwise', text);
  }
  const again = await playLeagueGame(game, { count: tallyGame, models: null });
  if (again.type !== 'played') {
    found.add('result', 'replays-otherwise', `it can't be played again: ${again.text}`);
  } else if (again.journal !== text) {
    found.add('result', 'replays-otherwise', 'played again, the game has another journal');
  } else if (describeResult(again.result) !== describeResult(result)) {
    const words = 'played again, the game has another result: the lessons were changed';
    found.add('result', 'replays-otherwise', words);
  }
}

function describeResult({ clock: _clock, journal: _journal, ...body }: GameResult): string {
  return canonical(body);
}

function drawSample(
  results: readonly GameResult[],
  { games, seed }: VerifyOptions['sample'],
): ReadonlySet<number> {
  const words = new Map(
    results.map(({ slot }) => {
      return [slot, drawWords({ seed, meeting: 0, stream: 'run', tick: slot }, 0)[0]];
    }),
  );
  const drawn = [...words].toSorted(([, one], [, other]) => one - other).slice(0, games);
  return new Set(drawn.map(([slot]) => slot));
}

async function findStrayJournals(
  journals: readonly number[],
  slots: ReadonlySet<number>,
  { findJournal, store, plan }: VerifyOptions,
): Promise<readonly VerifyFinding[]> {
  const findings: VerifyFinding[] = [];
  for (const slot of new Set(journals)) {
    if (slots.has(slot)) continue;
    const packed = await store.journal({ league: plan.league.name, slot });
    const text =
      (await findJournal(slot)) ?? (packed === null ? null : await unpackJournal(packed));
    if (countGame(readJournal(text ?? '').lines) === null) continue;
    const found = new ResultFindings(slot);
    const words =
      'there is a journal of the whole game and no result: it was taken away, or the run ended before it was recorded';
    found.add('store', 'no-result', words);
    findings.push(...found.list);
  }
  return findings;
}

async function findDamagedMemories(
  store: Store,
  { league }: LeaguePlan,
): Promise<readonly VerifyFinding[]> {
  const findings: VerifyFinding[] = [];
  for (const member of league.personas) {
    const id = personaId(personaNameOf(member));
    try {
      await store.history(id);
    } catch (error) {
      if (!(error instanceof StoreDamaged)) throw error;
      const text = `the memory of ${id} was changed: ${error.message}`;
      findings.push({ slot: null, fault: 'store', code: 'league/damaged-memory', text });
    }
  }
  return findings;
}

const MOST_LOOKS = 5;

export async function checkCareers(store: Store): Promise<readonly VerifyFinding[]> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    const before = await countResults(store);
    const wrong = await listWrongCareers(store);
    if (wrong.length === 0) return [];
    if (before !== (await countResults(store))) continue;
    return wrong.map((id) => ({
      slot: null,
      fault: 'store',
      code: 'league/wrong-career',
      text: `the career of ${id} differs from the sum of its games: league rebuild counts it again`,
    }));
  }
  return [];
}

async function countResults(store: Store): Promise<number> {
  let count = 0;
  for (const league of await store.leagues()) count += (await store.slots(league)).length;
  return count;
}

async function readCounters(store: Store, id: string): Promise<Counters | null> {
  try {
    return (await store.career(id))?.counters ?? {};
  } catch (error) {
    if (error instanceof StoreDamaged) return null;
    throw error;
  }
}

async function listWrongCareers(store: Store): Promise<readonly string[]> {
  const counted = new Recount();
  for (const league of await store.leagues()) {
    for (const result of (await store.audit(league)).results) counted.add(result);
  }
  const ids = new Set([...(await store.personas()), ...counted.keys()]);
  const wrong: string[] = [];
  for (const id of ids) {
    const counters = await readCounters(store, id);
    if (counters === null || !hasSameCounters(counters, counted.get(id)?.counters ?? {}))
      wrong.push(id);
  }
  return wrong;
}
