/** Own minds on the command line: whole games with minds that behave and minds that do not, and nothing left behind. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { MIND } from '../actors/ownMinds/requests.ts';
import { aFolder, glassbox, jsonLines, Running } from './shell.ts';

const JOURNAL = 'out/0001.jsonl';
const aGame = ['run', '--seed', '5', '--json', '--out', 'out'];

/** A mind in JavaScript that leaves its number in a folder, so that a test can look whether it is gone. */
const numbered = (act: string) =>
  `import { writeFileSync } from 'node:fs'; writeFileSync('pids/' + process.pid, '');${MIND}${act}`;
const ENDLESS = "{ const { id } = await line(); say({ type: 'answer', id, answer: {} }); }";

/** What minds do wrong, each in a seat of its own. */
const BAD = {
  hangs: 'await greet(); for (;;) await line();',
  'crashes at hello': 'process.exit(1);',
  'crashes always': 'await greet(); await line(); process.exit(2);',
  'crashes once': `await greet(); const { id } = await line(); if (id === 2) process.exit(2); say({ type: 'answer', id, answer: {} }); for (;;) ${ENDLESS}`,
  floods:
    "await greet(); await line(); for (;;) { say('x'.repeat(1e5)); await new Promise(setImmediate); }",
  lies: "await line(); say({ type: 'hello', protocol: 'newest' }); for (;;) await line();",
  rubbish: "await greet(); for (;;) { await line(); say('As an AI language model'); }",
  'speaks before it is asked': `say('hi'); await greet(); for (;;) ${ENDLESS}`,
};
const COLOURS = ['red', 'blue', 'green', 'pink', 'orange', 'yellow', 'black', 'white'] as const;

/** A match of these minds. */
function matchOf(minds: Readonly<Record<string, string>>, options: string) {
  const names = Object.keys(minds);
  const seats = names.map(
    (_, index) =>
      `  - { colour: ${COLOURS[index]}, mind: command, command: ['${process.execPath}', 'mind${index}.mjs'] }\n`,
  );
  const files = Object.values(minds).map((act, index) => [`mind${index}.mjs`, numbered(act)]);
  return {
    'pids/.keep': '',
    'game.yaml': `name: Own minds\noptions: ${options}\nseats:\n${seats.join('')}`,
    ...Object.fromEntries(files),
  };
}

const isAlive = (id: number) => {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
};
const startedIn = (cwd: string) =>
  readdirSync(join(cwd, 'pids')).map(Number).filter(Number.isInteger);

/** The faults of each seat in a journal: its codes. */
function faultsIn(cwd: string): ReadonlyMap<string, ReadonlySet<string>> {
  const faults = new Map<string, Set<string>>();
  for (const line of jsonLines(readFileSync(join(cwd, JOURNAL), 'utf8'))) {
    const said = line['orders'] ?? line['bids'];
    for (const { seat, fault = 'none' } of Array.isArray(said) ? said : []) {
      faults.set(seat, (faults.get(seat) ?? new Set()).add(fault));
    }
  }
  return faults;
}

describe('a game of minds that do everything wrong', () => {
  test('is played to its end with a sentence for each, replayed without them, and leaves no process', async () => {
    // The short deadline is for the one that hangs; those that are sound may miss it on a slow machine.
    const cwd = aFolder(
      matchOf(BAD, '{ deadline_ms: 1000, round_deadline_ms: 1000, patience: 4, max_rounds: 20 }'),
    );
    const played = await glassbox([...aGame, '--config', 'game.yaml'], { cwd });
    expect(played).toMatchObject({ exit: 0, err: '' });
    const faults = faultsIn(cwd);
    const expected = {
      red: ['mind/late'],
      blue: ['mind/ended', 'mind/given-up', 'mind/late'],
      green: ['mind/ended', 'mind/given-up', 'mind/late'],
      orange: ['mind/flood', 'mind/not-json', 'mind/given-up', 'mind/late'],
      yellow: ['mind/version', 'mind/late'],
      black: ['mind/not-json', 'mind/flood', 'mind/late'],
      white: ['mind/hello', 'mind/late'],
    };
    for (const [seat, codes] of Object.entries(expected)) {
      const found = [...(faults.get(seat) ?? [])];
      expect(found.length).toBeGreaterThan(0);
      expect(found.filter((code) => !codes.includes(code))).toEqual([]);
    }
    expect(startedIn(cwd).length).toBeGreaterThan(0);
    expect(startedIn(cwd).filter(isAlive)).toEqual([]);
    const again = await glassbox(['replay', JOURNAL], { cwd });
    expect(again.out).toMatch(/^the same/);
  });
});

describe('a run that is killed leaves no process', () => {
  const patient = {
    sleeper: 'await greet(); for (;;) await line();',
    other: 'await greet(); for (;;) await line();',
  };
  const four = { ...patient, third: patient.other, fourth: patient.other };

  test.each([['SIGTERM', 'SIGTERM'], ['SIGKILL']] as const)('by %s', async (...signals) => {
    const cwd = aFolder(matchOf(four, '{ round_deadline_ms: 600000 }'));
    const running = new Running([...aGame, '--config', 'game.yaml'], { cwd });
    await vi.waitUntil(() => startedIn(cwd).length === 4, { timeout: 300_000 });
    for (const signal of signals) {
      running.process.kill(signal);
      if (signals.length > 1) await running.said('Press Ctrl-C again').catch(() => {});
    }
    await running.finished;
    await vi.waitUntil(() => !startedIn(cwd).some(isAlive), { timeout: 300_000 });
  });

  test('and at Ctrl-C the game ends by its rules', async () => {
    const cwd = aFolder(matchOf(four, '{ round_deadline_ms: 600000 }'));
    const running = new Running([...aGame, '--config', 'game.yaml'], { cwd });
    await vi.waitUntil(() => startedIn(cwd).length === 4, { timeout: 300_000 });
    running.signal('SIGINT');
    expect((await running.finished).exit).toBe(130);
    expect(startedIn(cwd).filter(isAlive)).toEqual([]);
  });
});

test('a mind of the flag plays the seat that was named, with its errors in a file, and is looked for where it is typed', async () => {
  const cwd = aFolder({
    'mine.mjs': `${MIND} await greet(); console.error('ready'); for (;;) { const { id, seat } = await line(); say({ type: 'answer', id, answer: { internal_thought: 'I am ' + seat } }); }`,
    'games/game.yaml':
      'name: Four\noptions: { max_rounds: 6 }\nseats: [{ colour: red }, { colour: blue }, { colour: green }, { colour: pink }]\n',
  });
  const args = [
    ...aGame,
    '--config',
    'games/game.yaml',
    '--seat',
    'blue',
    '--mind-log',
    'minds.log',
  ];
  const played = await glassbox([...args, '--mind', `command:${process.execPath} mine.mjs`], {
    cwd,
  });
  expect(played).toMatchObject({ exit: 0, err: '' });
  const text = readFileSync(join(cwd, JOURNAL), 'utf8');
  expect(text).toContain('I am blue');
  expect(text).not.toContain('I am red');
  expect(readFileSync(join(cwd, 'minds.log'), 'utf8')).toBe('blue: ready\n');
});

describe('what is wrong before anything is started', () => {
  test.each([
    [
      'a mind that is none',
      ['--mind', 'perl'],
      2,
      'expected scripted, silent, openai, "command:PROGRAM"',
    ],
    ['no command', ['--mind', 'command:'], 2, 'expected scripted'],
    ['a person', ['--mind', 'human'], 2, 'expected scripted'],
    ['a seat that is not there', ['--mind', 'silent', '--seat', 'tan'], 2, 'mind/not-seated'],
    ['a seat without a mind', ['--seat', 'red'], 2, 'mind/no-mind'],
    [
      'a log that can not be written',
      ['--mind', 'silent', '--mind-log', 'no/where'],
      73,
      'cannot-write',
    ],
    [
      'a file that says no command',
      ['--config', 'game.yaml'],
      78,
      'red: mind command wants command (such as command: [python3, my_mind.py]), found none',
    ],
  ])('%s', async (_, flags, exit, words) => {
    const seats =
      'seats: [{ colour: red, mind: command }, { colour: blue }, { colour: green }, { colour: pink }]';
    const cwd = aFolder({ 'game.yaml': `name: Four\n${seats}\n` });
    const played = await glassbox(['run', '--seed', '1', ...flags], { cwd });
    expect(played.exit).toBe(exit);
    expect(played.err).toContain(words);
    expect(existsSync(join(cwd, 'journals'))).toBe(false);
  });
});
