/**
 * Inspects one game of the benchmark. A game of offline minds is played again and must be byte-identical. In other
 * games the answers of the tested mind come from the journal, and all other minds think again.
 */
import { hash } from 'node:crypto';
import { type Journal, readJournal } from '../../actors/engine/journal/reader.ts';
import { createMatch } from '../../actors/engine/match.ts';
import { playLeagueGame, readHeads } from '../../actors/league/game.ts';
import type { LeagueGame } from '../../actors/league/plan.ts';
import { isFromOutside, rethink } from '../../actors/replay/replay.ts';
import { readCalls } from '../../machines/journal/calls.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import { fieldsOf } from '../../machines/journal/codec.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { cutDifference, pluralize } from '../../machines/text.ts';
import type { Colour, Note } from '../../machines/types.ts';
import { ENGINE, VERSIONS } from '../../machines/versions.ts';
import { joinBlocks } from '../../prompts/block.ts';
import { sumOf } from '../counts/numeric.ts';
import { listPrompts } from '../models/prompts.ts';
import { seatAnchor } from './anchors.ts';
import type { TestedRecord } from './bundle.ts';
import { readConduct, type SeatConduct } from './conduct.ts';
import {
  type BenchmarkTable,
  isOffline,
  listTables,
  makeTable,
  prepareTable,
  REFERENCE_MIND,
  type Sitter,
  type TestedMind,
} from './definition.ts';
import { measureSeat } from './figures.ts';
import { MOST_TABLES } from './sizes.ts';

export type InspectTask = {
  readonly table: number;
  readonly sitter: Sitter;
  readonly tested: TestedMind;
  /** The journal; null to play the game, which needs offline minds. */
  readonly text: string | null;
  /** Whether to play the game again as well. Every journal is compared with the plan. */
  readonly isChecked: boolean;
  readonly keepsText?: boolean;
};

/** A mismatch. `line` counts from 1; null means the whole game. */
export type GameFinding = Note & { readonly line: number | null };

export type InspectedGame = {
  /** Null if the game cannot be counted. */
  readonly record: TestedRecord | null;
  /** The statements and costs of the tested seat. Null if `record` is null. */
  readonly conduct: SeatConduct | null;
  readonly findings: readonly GameFinding[];
  /** The number of the table, if the journal belongs to another one. */
  readonly isOf?: number;
  readonly text?: string;
};

export async function inspectGame(task: InspectTask): Promise<InspectedGame> {
  const { table: number, sitter, tested, text, isChecked } = task;
  const table = makeTable(number);
  const mind = sitter === 'tested' ? tested : REFERENCE_MIND;
  const game = prepareTable(table, mind);
  if (text === null) {
    const played = await playGame(game, mind);
    const counts = count(played, readJournal(played), table);
    return { ...counts, findings: [], ...(task.keepsText ? { text: played } : {}) };
  }
  const journal = readJournal(text);
  const damages = journal.damages.map(({ code, text, line }) => {
    return { code, text, line: line === 0 ? null : line };
  });
  if (damages.length > 0) return { ...UNCOUNTED, findings: damages };
  const counts = count(text, journal, table);
  const foreign = findForeign(journal, game, table);
  if (foreign !== null) return { ...counts, ...foreign };
  if (!isChecked) return { ...counts, findings: [] };
  const findings = isOffline(mind)
    ? await playAgain(text, game, mind)
    : [...(await thinkAgain(journal)), ...(await countCalls(journal, mind, table.seat))];
  return { ...counts, findings };
}

async function playGame(game: LeagueGame, tested: TestedMind): Promise<string> {
  const models = tested.mind === 'anchor' ? seatAnchor(tested.anchor, game.seed) : null;
  const outcome = await playLeagueGame(game, { count: () => ({}), models });
  if (outcome.type === 'played' && outcome.journal !== null) return outcome.journal;
  throw new Error(outcome.type === 'played' ? 'expected a journal, found none' : outcome.text);
}

const UNCOUNTED = { record: null, conduct: null } as const;

function count(
  text: string,
  { lines }: Journal,
  { seat }: BenchmarkTable,
): Pick<InspectedGame, 'record' | 'conduct'> {
  const figures = measureSeat(lines, seat);
  const closed = lines.findLast((line) => line.type === 'game.closed');
  if (figures === null || closed === undefined) return UNCOUNTED;
  const calls = readCalls(lines);
  const countLines = (type: Line['type']) => lines.filter((line) => line.type === type).length;
  const record = {
    digest: hash('sha256', text, 'hex'),
    winner: closed.winner,
    reason: closed.reason,
    rounds: countLines('round.closed'),
    meetings: countLines('meeting.called'),
    figures,
    ...readHeads(lines),
    requests: calls.length,
    prompt_tokens: sumOf(calls, ({ usage }) => usage.promptTokens ?? 0),
    completion_tokens: sumOf(calls, ({ usage }) => usage.completionTokens ?? 0),
  };
  return { record, conduct: readConduct(lines, seat, calls) };
}

function findForeign(
  { lines }: Journal,
  game: LeagueGame,
  { table, seat }: BenchmarkTable,
): Omit<InspectedGame, 'record' | 'conduct'> | null {
  const [header] = lines;
  const cut = lines.findIndex((line) => isFromOutside(line) || line.channel === 'beliefs');
  if (cut >= 0) {
    const text = `the plan ends no game, takes nobody out of one and asks for no beliefs: expected a game that goes its own way, found ${lines[cut]?.type}`;
    return { findings: [{ code: 'bundle/cut', text, line: cut + 1 }] };
  }
  const creation = createMatch(game.match, game.seed);
  if (!creation.ok || header?.type !== 'match.opened' || 'call' in header.match)
    return foreign('bundle/other-game', 'expected a game, found another match');
  const { match: planned, headers } = creation.ready;
  const gallery = lines.find((line) => line.type === 'gallery.opened');
  const opening = [header.rulesVersion, header.clock?.['engine'], gallery && fieldsOf(gallery)];
  const [wanted, found] = [[VERSIONS.rules, ENGINE, gallery && headers.ghosts], opening].map(
    canonical,
  );
  if (wanted !== found) {
    const text = `expected rules, version and ghosts ${wanted}, found ${found}`;
    return foreign('bundle/other-game', text);
  }
  const { ghosts: _ghosts, ...expected } = planned;
  const { match } = header;
  if (header.seed === game.seed && canonical(match) === canonical(expected)) return null;
  if (header.seed !== game.seed) {
    const other = listTables(MOST_TABLES).find(({ seed }) => seed === header.seed);
    const found = other ? `the game of table ${other.table}` : `a game of seed ${header.seed}`;
    const text = `expected the game of table ${table} (seed ${game.seed}), found ${found}`;
    return { ...foreign('bundle/other-game', text), ...(other ? { isOf: other.table } : {}) };
  }
  const changed = expected.seats.find(
    (own, index) => canonical(own) !== canonical(match.seats[index] ?? {}),
  );
  const there = match.seats.find(({ colour }) => colour === changed?.colour);
  if (changed === undefined)
    return foreign('bundle/other-game', 'expected the rules of the benchmark, found others');
  const what = changed.colour === seat ? `the tested seat, ${seat},` : `the seat of ${seat}`;
  const text = `expected ${what} to be ${canonical(changed)}, found ${canonical(there ?? {})}`;
  return foreign('bundle/other-mind', text);
}

function foreign(code: string, text: string): Omit<InspectedGame, 'record' | 'conduct'> {
  return { findings: [{ code, text, line: 1 }] };
}

async function playAgain(
  text: string,
  game: LeagueGame,
  tested: TestedMind,
): Promise<readonly GameFinding[]> {
  const again = await playGame(game, tested);
  if (again === text) return [];
  const [expected, found] = [again.split('\n'), text.split('\n')];
  const at = expected.findIndex((line, index) => line !== found[index]);
  const index = at < 0 ? expected.length : at;
  return [describeOther(index + 1, expected[index] ?? '', found[index] ?? '')];
}

async function thinkAgain(journal: Journal): Promise<readonly GameFinding[]> {
  const again = await rethink(journal);
  if (again.type === 'same') {
    if (!again.unfinished) return [];
    return [{ code: 'bundle/unfinished', text: 'expected a whole game, found a part', line: null }];
  }
  const { line, recorded, replayed } = again.difference;
  return [describeOther(line, replayed, recorded)];
}

function describeOther(line: number, expected: string, found: string): GameFinding {
  const [wanted, there] = cutDifference(expected, found, { before: 24, most: 80 });
  const text = `played again, the game goes otherwise: expected ${wanted}, found ${there}`;
  return { code: 'bundle/plays-otherwise', text, line };
}

/** Characters that a token of a prompt or answer has at most, in the mean: twice as many as in any known vocabulary. */
const MOST_PER_TOKEN = 12;

/** Nobody hashes requests and tokens, so they are compared with the answers and with the texts sent and received. */
async function countCalls(
  journal: Journal,
  { mind }: TestedMind,
  seat: Colour,
): Promise<readonly GameFinding[]> {
  const calls = readCalls(journal.lines);
  const of = mind === 'openai' ? calls.filter((call) => call.seat === seat) : [];
  const found: string[] = [];
  if (of.length < calls.length) {
    const other = calls.length - of.length;
    found.push(`expected requests to the tested model only, found ${pluralize(other, 'other')}`);
  }
  const prompts = mind === 'openai' ? await listPrompts(journal, seat) : [];
  const answered = prompts.filter(({ answer }) => answer !== null);
  const usable = of.filter(({ failure }) => failure === null);
  const ids = new Set(of.map(({ id }) => id));
  if (ids.size < of.length) found.push(`expected ${of.length} requests, found ${ids.size} numbers`);
  const asked = new Set(prompts.map(({ request }) => `${request.kind} ${request.index}`));
  const stray = of.find(({ requestKind, index }) => !asked.has(`${requestKind} ${index}`));
  if (stray !== undefined) {
    const { requestKind, index } = stray;
    found.push(`expected a request that the game makes, found ${requestKind} ${index}`);
  }
  const questions = new Set(usable.map(({ requestKind, index }) => `${requestKind} ${index}`));
  const unasked = answered.filter(
    ({ request: { kind, index } }) => !questions.has(`${kind} ${index}`),
  );
  if (unasked.length > 0)
    found.push(`expected a request for each answer, found ${unasked.length} without one`);
  const sent = answered.map(({ prompt: { system, user } }) => {
    return joinBlocks(system).length + joinBlocks(user).length;
  });
  const texts = [
    ['prompt', sent, 'promptTokens'],
    ['answer', answered.map(({ answer }) => answer?.length ?? 0), 'completionTokens'],
  ] as const;
  for (const [what, lengths, name] of texts) {
    // The longest texts may be those whose tokens the endpoint did not count.
    const uncounted = usable.filter(({ usage }) => usage[name] === null).length;
    const longestFirst = lengths.toSorted((one, other) => other - one);
    const characters = sumOf(longestFirst.slice(uncounted), (length) => length);
    const tokens = sumOf(usable, ({ usage }) => usage[name] ?? 0);
    if (tokens * MOST_PER_TOKEN >= characters) continue;
    const least = Math.ceil(characters / MOST_PER_TOKEN);
    found.push(
      `expected at least ${least} tokens for ${characters} characters of ${what}s, found ${tokens}`,
    );
  }
  return found.map((text) => ({ code: 'bundle/other-requests', text, line: null }));
}
