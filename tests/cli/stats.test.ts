/** `glassbox report --stats` and `--deduce`: their numbers agree with the journals, and they name unreadable files. */
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import { rowsOf } from '../actors/engine/journal/records.ts';
import { testLong } from '../support/seeds.ts';
import { aPlace } from './session.ts';
import { expectEnd, expectQuiet, jsonLines } from './shell.ts';

const { run, done, read, write } = aPlace();
const linesIn = (path: string) => readJournal(read(path)).lines;

beforeAll(async () => {
  await done('run -n 3 --players 6 --seed 1 --out run -q');
  await done('run electrical -q --seed 1 --fault-rate 0.3 --out a.jsonl');
});

testLong('a folder is added up, and one journal is told player by player', async () => {
  const lines = ['1', '2', '3'].flatMap((game) => linesIn(`run/000${game}.jsonl`));
  const events = lines.flatMap((line) => (line.type === 'round.closed' ? line.events : []));
  const kills = events.filter(({ type }) => type === 'player.killed').length;
  const ballots = lines.filter(({ type }) => type === 'ballot.revealed').length;
  const meetings = lines.filter(({ type }) => type === 'meeting.closed').length;
  const stats = async (words: string) => expectQuiet(await run(`report --stats ${words}`));
  const all = await stats('run --json');
  expect(JSON.parse(all)).toMatchObject({
    ...{ type: 'stats.games', v: 1, games: 3, meetings, skipped: 0 },
    roles: { crewmate: { kills: 0 }, impostor: { kills } },
  });
  const { roles } = JSON.parse(all);
  expect(roles.crewmate.skipped.cases + roles.impostor.skipped.cases).toBe(ballots);
  expect(await stats('run')).toMatch(/^3 games, /);
  const one = JSON.parse(await stats('run/0001.jsonl --json'));
  expect(one).toMatchObject({ type: 'stats.game', v: 1, seed: 1, players: { length: 6 } });
  expect(await stats('run/0001.jsonl')).toMatch(/^red, \w+ +(?:crewmate|impostor) /m);
});

test('ruling 8: how often somebody had not spoken when a meeting ended is counted', async () => {
  const lines = linesIn('run/0001.jsonl');
  const calls = [...lines.entries()].flatMap(([at, { type }]) =>
    type === 'meeting.called' ? [at] : [],
  );
  const silent = calls.flatMap((from, index) => {
    const ticks = lines.slice(from, calls[index + 1]).filter(isTick);
    const speakers = ticks.flatMap(({ said }) => (said === null ? [] : [said.speaker]));
    return (ticks[0]?.bids ?? []).filter(({ seat }) => !speakers.includes(seat));
  });
  const { players } = z
    .object({ players: z.array(z.object({ unheard: z.number(), meetings: z.number() })) })
    .parse(JSON.parse(await done('report --stats run/0001.jsonl --json')));
  const sum = (of: (player: (typeof players)[number]) => number) =>
    players.reduce((total, player) => total + of(player), 0);
  expect(sum(({ meetings }) => meetings)).toBeGreaterThan(0);
  expect(sum(({ unheard }) => unheard)).toBe(silent.length);
});

test('a file that is damaged, torn, foreign or no game is named, skipped and counted', async () => {
  const rows = rowsOf(read('run/0001.jsonl'));
  const meeting = read('a.jsonl');
  const some = aPlace({
    ...Object.fromEntries([1, 2, 3].map((game) => [`${game}.jsonl`, read(`run/000${game}.jsonl`)])),
    'edited.jsonl': `${rows.join('\n')}\n`.replace('"round":3', '"round":4'),
    'torn.jsonl': rows.join('\n').slice(0, -100),
    'short.jsonl': `${rows.slice(0, 9).join('\n')}\n`,
    'foreign.jsonl': '{"hello":1}\n',
    'empty.jsonl': '',
    'notes.txt': 'not asked for',
    'meeting.jsonl': meeting,
    'half.jsonl': `${rowsOf(meeting).slice(0, 5).join('\n')}\n`,
  });
  const found = await some.run('report --stats . --json');
  expect(jsonLines(found.out)[0]).toMatchObject({ games: 3, singles: 1, skipped: 6 });
  expectEnd(
    found,
    65,
    'Of 10 journals, 6 journals are not counted:',
    'journal/edited: ./edited.jsonl, line ',
    'journal/torn: ./torn.jsonl, line ',
    'stats/unfinished: ./short.jsonl: the journal ends in the middle of the game',
    'journal/not-a-journal: ./foreign.jsonl, line 1: ',
    'journal/empty: ./empty.jsonl: ',
    'stats/unfinished: ./half.jsonl: the journal ends in the middle of the meeting',
  );
});

test('a meeting on its own is counted seat by seat, with the roles that players revealed', async () => {
  const { players, ...meeting } = JSON.parse(
    expectQuiet(await run('report --stats a.jsonl --json')),
  );
  expect(meeting).toMatchObject({ type: 'stats.meeting', v: 1, seed: 1 });
  const bids = linesIn('a.jsonl').flatMap((line) => (isTick(line) ? line.bids : []));
  expect(bids.flatMap(({ fault }) => fault ?? []).length).toBeGreaterThan(0);
  for (const { seat, faults: count, account } of players) {
    const own = bids.filter((bid) => bid.seat === seat && bid.fault !== undefined);
    expect(count).toBe(own.length);
    expect(Object.values<number>(account.faults).reduce((sum, one) => sum + one, 0)).toBe(count);
    expect(account).toMatchObject({ attempts_heard: 0, invalid_votes: expect.anything() });
  }
  const people = expectQuiet(await run('report --stats a.jsonl'));
  expect(people).toMatch(/^player +leaks +attempts +bad votes +corrected +blank +faults$/m);
  expect(people).toMatch(/^Red {2,}\d+ +\d/m);
  expect(people).not.toMatch(/^ *(red|blue|green)\b/m);
  expect(people).not.toContain('requests');
});

test.each([
  ['--stats .', 66, 'expected journals (*.jsonl, *.jsonl.gz, *.jsonl.zst) in ., found none'],
  ['--stats nowhere', 66, 'expected journals, a folder with journals in it, or the name of a'],
  ['--stats', 2, 'expected an argument <journals'],
])('report %s in a folder without journals is refused', async (words, status, sentence) => {
  expectEnd(await aPlace().run(`report ${words}`), status, sentence);
});

test('--deduce shows one game meeting by meeting, and as JSON with the same numbers', async () => {
  const text = await done('report --deduce run/0001.jsonl');
  const [document] = jsonLines(await done('report --deduce run/0001.jsonl --json'));
  const { ballots, knowledge } = document as {
    readonly ballots: readonly { readonly error: boolean }[];
    readonly knowledge: readonly { readonly meeting: number; readonly teams: number }[];
  };
  expect(document).toMatchObject({ type: 'deduction.game', v: 1 });
  expect(text).toContain(
    `errors of logic: ${ballots.filter(({ error }) => error).length} of ${ballots.length} ballot`,
  );
  const meetings = new Set(knowledge.map(({ meeting }) => meeting));
  expect(text.match(/^meeting \d+ /gm)).toHaveLength(meetings.size);
  expect(knowledge.every(({ teams }) => teams > 0)).toBe(true);
});

testLong('--deduce adds several games up by persona', async () => {
  const [all] = jsonLines(await done('report --deduce run --json'));
  const each = [1, 2, 3].map((game) => `run/000${game}.jsonl`).join(' ');
  expect(jsonLines(await done(`report --deduce --json ${each}`))).toEqual([all]);
  expect(all).toMatchObject({ type: 'deduction.games', v: 1, games: 3 });
  expect(await done('report --deduce run')).toMatch(/^all +3 /m);
});

test('--deduce refuses a meeting on its own, a damaged journal and no journal at all', async () => {
  expectEnd(await run('report --deduce a.jsonl'), 65, 'deduce/no-ship: ');
  write('rubbish.jsonl', 'rubbish\n');
  expectEnd(await run('report --deduce rubbish.jsonl'), 65);
  const some = await run('report --deduce run/0001.jsonl rubbish.jsonl a.jsonl');
  expectEnd(some, 65);
  expect(some.out).toContain('1 game: how the crew reasoned');
  expectEnd(await run('report --deduce absent.jsonl'), 66);
});

function isTick(line: Line): line is LineOf<'tick.closed'> {
  return line.type === 'tick.closed';
}
