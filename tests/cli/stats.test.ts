/** `glassbox report --stats`: its counts agree with the journals, and it names unreadable files. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import { rowsOf } from '../actors/engine/journal/records.ts';
import { testLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, failureLine, jsonLines } from './shell.ts';

async function aRun(): Promise<string> {
  const cwd = aFolder();
  await warmGlassbox(['run', '-n', '3', '--players', '6', '--seed', '1', '--out', 'run'], { cwd });
  return cwd;
}

testLong('a folder is added up, and one journal is told player by player', async () => {
  const cwd = await aRun();
  const lines = ['1', '2', '3'].flatMap(
    (game) => readJournal(readFileSync(join(cwd, `run/000${game}.jsonl`), 'utf8')).lines,
  );
  const events = lines.flatMap((line) => (line.type === 'round.closed' ? line.events : []));
  const kills = events.filter(({ type }) => type === 'player.killed').length;
  const ballots = lines.filter(({ type }) => type === 'ballot.revealed').length;
  const meetings = lines.filter(({ type }) => type === 'meeting.closed').length;
  const [all, people, one, person] = await Promise.all([
    warmGlassbox(['report', '--stats', 'run', '--json'], { cwd }),
    warmGlassbox(['report', '--stats', 'run'], { cwd }),
    warmGlassbox(['report', '--stats', 'run/0001.jsonl', '--json'], { cwd }),
    warmGlassbox(['report', '--stats', 'run/0001.jsonl'], { cwd }),
  ]);
  expect([all.exit, people.exit, one.exit, person.exit]).toEqual([0, 0, 0, 0]);
  expect(all.err + people.err + one.err + person.err).toBe('');
  const [totals] = jsonLines(all.out);
  expect(totals).toMatchObject({ type: 'stats.games', v: 1, games: 3, meetings, skipped: 0 });
  expect(totals).toMatchObject({ roles: { crewmate: { kills: 0 }, impostor: { kills } } });
  const { roles } = JSON.parse(all.out);
  expect(roles.crewmate.skipped.cases + roles.impostor.skipped.cases).toBe(ballots);
  expect(people.out).toMatch(/^3 games, /);
  const [game] = jsonLines(one.out);
  expect(game).toMatchObject({ type: 'stats.game', v: 1, seed: 1 });
  expect(JSON.parse(one.out).players).toHaveLength(6);
  expect(person.out).toMatch(/^red, \w+ +(?:crewmate|impostor) /m);
});

test('ruling 8: how often somebody had not spoken when a meeting ended is counted', async () => {
  const cwd = await aRun();
  const { lines } = readJournal(readFileSync(join(cwd, 'run/0001.jsonl'), 'utf8'));
  const calls = [...lines.entries()].flatMap(([at, { type }]) =>
    type === 'meeting.called' ? [at] : [],
  );
  const silent = calls.flatMap((from, index) => {
    const ticks = lines.slice(from, calls[index + 1]).filter(isTick);
    const speakers = ticks.flatMap(({ said }) => (said === null ? [] : [said.speaker]));
    return (ticks[0]?.bids ?? []).filter(({ seat }) => !speakers.includes(seat));
  });
  const { out } = await warmGlassbox(['report', '--stats', 'run/0001.jsonl', '--json'], { cwd });
  const { players } = z
    .object({ players: z.array(z.object({ unheard: z.number(), meetings: z.number() })) })
    .parse(JSON.parse(out));
  const sum = (of: (player: (typeof players)[number]) => number) =>
    players.reduce((total, player) => total + of(player), 0);
  expect(sum(({ meetings }) => meetings)).toBeGreaterThan(0);
  expect(sum(({ unheard }) => unheard)).toBe(silent.length);
});

test('a file that is damaged, torn, foreign or no game is named, skipped and counted', async () => {
  const cwd = await aRun();
  const path = (name: string) => join(cwd, 'run', name);
  const rows = rowsOf(readFileSync(path('0001.jsonl'), 'utf8'));
  writeFileSync(path('edited.jsonl'), `${rows.join('\n')}\n`.replace('"round":3', '"round":4'));
  writeFileSync(path('torn.jsonl'), rows.join('\n').slice(0, -100));
  writeFileSync(path('short.jsonl'), `${rows.slice(0, 9).join('\n')}\n`);
  writeFileSync(path('foreign.jsonl'), '{"hello":1}\n');
  writeFileSync(path('empty.jsonl'), '');
  writeFileSync(path('notes.txt'), 'not asked for');
  await warmGlassbox(['run', 'electrical', '-q', '--seed', '1', '--out', 'run/meeting.jsonl'], {
    cwd,
  });
  const meeting = rowsOf(readFileSync(path('meeting.jsonl'), 'utf8'));
  writeFileSync(path('half.jsonl'), `${meeting.slice(0, 5).join('\n')}\n`);
  const { exit, out, err } = await warmGlassbox(['report', '--stats', 'run', '--json'], { cwd });
  expect(exit).toBe(65);
  expect(jsonLines(out)[0]).toMatchObject({ games: 3, singles: 1, skipped: 6 });
  expect(err).toContain('Of 10 journals, 6 journals are not counted:');
  for (const sentence of [
    'journal/edited: run/edited.jsonl, line ',
    'journal/torn: run/torn.jsonl, line ',
    'stats/unfinished: run/short.jsonl: the journal ends in the middle of the game',
    'journal/not-a-journal: run/foreign.jsonl, line 1: ',
    'journal/empty: run/empty.jsonl: ',
    'stats/unfinished: run/half.jsonl: the journal ends in the middle of the meeting',
  ])
    expect(err).toMatch(failureLine(sentence));
});

test('a meeting on its own is counted seat by seat, with the roles that players revealed', async () => {
  const cwd = aFolder();
  await warmGlassbox(
    ['run', 'electrical', '-q', '--seed', '1', '--fault-rate', '0.3', '--out', 'a.jsonl'],
    { cwd },
  );
  const [programs, people] = await Promise.all([
    warmGlassbox(['report', '--stats', 'a.jsonl', '--json'], { cwd }),
    warmGlassbox(['report', '--stats', 'a.jsonl'], { cwd }),
  ]);
  expect([programs.exit, people.exit, programs.err + people.err]).toEqual([0, 0, '']);
  const { players, ...meeting } = JSON.parse(programs.out);
  expect(meeting).toMatchObject({ type: 'stats.meeting', v: 1, seed: 1 });
  const { lines } = readJournal(readFileSync(join(cwd, 'a.jsonl'), 'utf8'));
  const bids = lines.flatMap((line) => (line.type === 'tick.closed' ? line.bids : []));
  const faults = bids.flatMap(({ fault }) => fault ?? []);
  expect(faults.length).toBeGreaterThan(0);
  for (const { seat, faults: count, account } of players) {
    const own = bids.filter((bid) => bid.seat === seat && bid.fault !== undefined);
    expect(count).toBe(own.length);
    expect(Object.values<number>(account.faults).reduce((sum, one) => sum + one, 0)).toBe(count);
    expect(account).toMatchObject({ attempts_heard: 0, invalid_votes: expect.anything() });
  }
  expect(people.out).toMatch(/^player +leaks +attempts +bad votes +corrected +blank +faults$/m);
  expect(people.out).not.toContain('requests');
});

test.each([
  [
    'a folder without journals',
    ['.'],
    66,
    'expected journals (*.jsonl, *.jsonl.gz, *.jsonl.zst) in ., found none',
  ],
  [
    'nothing',
    ['nowhere'],
    66,
    'expected journals, a folder with journals in it, or the name of a league',
  ],
  ['no path', [], 2, 'expected an argument <journals'],
])('%s', async (_, paths, status, sentence) => {
  const { exit, err } = await warmGlassbox(['report', '--stats', ...paths], { cwd: aFolder() });
  expect(err).toContain(sentence);
  expect(exit).toBe(status);
});

function isTick(line: Line): line is LineOf<'tick.closed'> {
  return line.type === 'tick.closed';
}
