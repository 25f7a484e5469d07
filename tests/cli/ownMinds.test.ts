/**
 * Own minds on the command line: whole games with minds that behave and minds that do not. No process is left behind.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { MIND } from '../actors/ownMinds/requests.ts';
import { HAS_REDIS, RedisServer } from '../actors/stores/redisServer.ts';
import { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, glassbox, jsonLines, Running } from './shell.ts';

const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;
if (!HAS_PYTHON && process.env['CI'] === 'true') throw new Error('python3 is missing');
if (!HAS_PYTHON) {
  const install = 'apt-get install python3, or brew install python';
  console.warn(`SKIPPED: python3 is missing, so the examples in Python are not tried (${install})`);
}
/** The TypeScript examples need this version of Node. */
const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;

const JOURNAL = 'out/0001.jsonl';
const aGame = ['run', '--seed', '5', '--json', '--out', 'out'];

/** A mind in JavaScript that writes its process id to a folder, so that a test can check whether it has ended. */
const numbered = (act: string) =>
  `import { writeFileSync } from 'node:fs'; writeFileSync('pids/' + process.pid, '');${MIND}${act}`;
const ENDLESS =
  "{ const { id } = await line(); say({ type: 'answer', id, answer: { action: null } }); }";

/** Minds with one fault each, in a seat of its own. */
const BAD = {
  hangs: 'await greet(); for (;;) await line();',
  'crashes at hello': 'process.exit(1);',
  'crashes always': 'await greet(); await line(); process.exit(2);',
  'crashes once': `await greet(); const { id } = await line(); if (id === 2) process.exit(2); say({ type: 'answer', id, answer: {} }); for (;;) ${ENDLESS}`,
  // It waits until its output is read. Otherwise it would soon exhaust its own heap.
  floods:
    "await greet(); await line(); for (;;) if (!say('x'.repeat(1e5))) await new Promise((go) => process.stdout.once('drain', go));",
  lies: "await line(); say({ type: 'hello', protocol: 'newest' }); for (;;) await line();",
  rubbish: "await greet(); for (;;) { await line(); say('As an AI language model'); }",
  'speaks before it is asked': `say('hi'); await greet(); for (;;) ${ENDLESS}`,
};
const COLOURS = ['red', 'blue', 'green', 'pink', 'orange', 'yellow', 'black', 'white'] as const;

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

/** The fault codes of each seat in a journal. */
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

describeLong('a game of minds that do everything wrong', () => {
  test('is played to its end with a sentence for each, replayed without them, and leaves no process', async () => {
    // The short deadline is for the mind that hangs. Sound minds may miss it on a slow machine.
    const cwd = aFolder(
      matchOf(BAD, '{ deadline_ms: 1000, round_deadline_ms: 1000, patience: 4, max_rounds: 20 }'),
    );
    const played = await glassbox([...aGame, 'game.yaml'], { cwd });
    expect(played.exit).toBe(0);
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
      expect(
        found.filter((code) => !codes.includes(code)),
        seat,
      ).toEqual([]);
      expect(played.err).toMatch(
        new RegExp(`^${seat}: [1-9]\\d* of \\d+ requests failed, the last: `, 'm'),
      );
    }
    expect(startedIn(cwd).length).toBeGreaterThan(0);
    expect(startedIn(cwd).filter(isAlive)).toEqual([]);
    const again = await warmGlassbox(`verify ${JOURNAL}`, { cwd });
    expect(again.out).toMatch(/^the same/);
  });
});

describe('a run that is killed leaves no process', () => {
  const patient = {
    sleeper: 'await greet(); for (;;) await line();',
    other: 'await greet(); for (;;) await line();',
  };
  const four = { ...patient, third: patient.other, fourth: patient.other };

  testLong.each([['SIGTERM', 'SIGTERM'], ['SIGHUP', 'SIGHUP'], ['SIGKILL']] as const)(
    'by %s',
    async (...signals) => {
      const cwd = aFolder(matchOf(four, '{ round_deadline_ms: 600000 }'));
      const running = new Running([...aGame, 'game.yaml'], { cwd });
      await vi.waitUntil(() => startedIn(cwd).length === 4, { timeout: 300_000 });
      for (const signal of signals) {
        running.process.kill(signal);
        if (signals.length > 1) await running.said('Press Ctrl-C again').catch(() => {});
      }
      await running.finished;
      await vi.waitUntil(() => !startedIn(cwd).some(isAlive), { timeout: 300_000 });
    },
  );

  test('and at Ctrl-C the game ends by its rules', async () => {
    const cwd = aFolder(matchOf(four, '{ round_deadline_ms: 600000 }'));
    const running = new Running([...aGame, 'game.yaml'], { cwd });
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
  const args = [...aGame, 'games/game.yaml', '--seat', 'blue', '--mind-log', 'minds.log'];
  const played = await warmGlassbox([...args, '--mind', `command:${process.execPath} mine.mjs`], {
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
      ['game.yaml'],
      78,
      'red: mind command wants command (such as command: [python3, my_mind.py]), found none',
    ],
  ])('%s', async (_, flags, exit, words) => {
    const seats =
      'seats: [{ colour: red, mind: command }, { colour: blue }, { colour: green }, { colour: pink }]';
    const cwd = aFolder({ 'game.yaml': `name: Four\n${seats}\n` });
    const played = await warmGlassbox(['run', '--seed', '1', ...flags], { cwd });
    expect(played.exit).toBe(exit);
    expect(played.err).toContain(words);
    expect(existsSync(join(cwd, 'journals'))).toBe(false);
  });
});

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const EXAMPLES = join(ROOT, 'examples');

/** A copy of the examples, so that nothing is written beside the originals. */
function withExamples(files: Readonly<Record<string, string>> = {}): string {
  const cwd = aFolder(files);
  cpSync(EXAMPLES, join(cwd, 'examples'), { recursive: true });
  return cwd;
}

/** The number of answers of each seat in a journal, and the faults among them. */
function countAnswers(path: string): ReadonlyMap<string, { answers: number; faults: number }> {
  const counts = new Map<string, { answers: number; faults: number }>();
  for (const line of jsonLines(readFileSync(path, 'utf8'))) {
    const said = line['orders'] ?? line['bids'];
    for (const { seat, fault } of Array.isArray(said) ? said : []) {
      const count = counts.get(seat) ?? { answers: 0, faults: 0 };
      count.answers += 1;
      if (fault !== undefined) count.faults += 1;
      counts.set(seat, count);
    }
  }
  return counts;
}

describeLong.skipIf(!HAS_PYTHON)('the examples, in Python and TypeScript', () => {
  test('play whole games without a fault, are replayed without them, and are gone on with', async () => {
    const cwd = withExamples();
    const played = await warmGlassbox([...aGame, 'examples/minds/game.yaml', '--mind-log', 'log'], {
      cwd,
      env: { PATH },
    });
    expect(played).toMatchObject({ exit: 0, err: '' });
    expect(readFileSync(join(cwd, 'log'), 'utf8')).toBe('');
    const counts = countAnswers(join(cwd, JOURNAL));
    expect([...counts.keys()].toSorted()).toEqual([
      'blue',
      'green',
      'orange',
      'pink',
      'red',
      'yellow',
    ]);
    for (const { answers, faults } of counts.values()) {
      expect(answers).toBeGreaterThan(5);
      expect(faults).toBe(0);
    }
    expect((await warmGlassbox(`verify ${JOURNAL}`, { cwd, env: { PATH } })).out).toMatch(
      /^the same/,
    );
    // An interrupted match continues with the same minds, which the journal names.
    const lines = readFileSync(join(cwd, JOURNAL), 'utf8').split('\n');
    writeFileSync(join(cwd, 'torn.jsonl'), `${lines.slice(0, 12).join('\n')}\n`);
    const refused = await warmGlassbox('resume torn.jsonl', { cwd, env: { PATH } });
    expect(refused.exit).toBe(2);
    expect(refused.err).toContain('red: command python3 random_player.py;');
    expect(refused.err).toContain('add --run-minds if you trust them [mind/not-trusted]');
    expect(
      await warmGlassbox('resume torn.jsonl --run-minds --json', { cwd, env: { PATH } }),
    ).toMatchObject({ exit: 0, err: '' });
    expect(
      [...countAnswers(join(cwd, 'torn.jsonl')).values()].every(({ faults }) => faults === 0),
    ).toBe(true);
    // Another mind takes the seat of an own mind. Both end.
    const mind = ['--mind', 'command:python3 examples/minds/logical_player.py', '--player', 'red'];
    const forked = await warmGlassbox(
      ['fork', JOURNAL, '--at', 'round:8', ...mind, '--run-minds', '--out', 'b.jsonl', '--json'],
      { cwd, env: { PATH } },
    );
    expect(forked).toMatchObject({ exit: 0, err: '' });
    expect(countAnswers(join(cwd, 'b.jsonl')).get('red')).toMatchObject({ faults: 0 });
    expect((await warmGlassbox('verify b.jsonl', { cwd, env: { PATH } })).out).toMatch(/^the same/);
  });

  test('own minds play a league, and its results omit where they were started', async () => {
    const cwd = withExamples();
    const args = ['league', 'run', 'examples/minds/league.yaml', '--jobs', '2'];
    const surroundings = { cwd, env: { PATH, REDIS_URL: '' } };
    const { exit, out, err } = await warmGlassbox(args, surroundings);
    expect([exit, err]).toEqual([0, expect.stringContaining('4 of 4 games')]);
    for (const name of ['command_chance', 'command_logic', 'command_careful', 'module_dice']) {
      expect(out).toContain(name);
    }
    const folder = join(cwd, 'journals/league-own-minds');
    const journals = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    expect(journals).toHaveLength(4);
    for (const name of journals) {
      expect(
        [...countAnswers(join(folder, name)).values()].every(({ faults }) => faults === 0),
      ).toBe(true);
    }
    const again = await warmGlassbox(
      'league run ../examples/minds/league.yaml --store glassbox.db',
      { ...surroundings, cwd: join(cwd, 'journals') },
    );
    expect([again.exit, again.out]).toEqual([0, expect.stringContaining('4 of 4 games')]);
  });

  test('as a web service play a game', async () => {
    const cwd = withExamples();
    const service = new Running(['examples/minds/web_player.py', '0'], { cwd, program: 'python3' });
    await service.said('http://127.0.0.1:');
    const [url = ''] = service.out.split('\n');
    const played = await warmGlassbox([...aGame, '--mind', url, '--seat', 'red,pink'], {
      cwd,
      env: { PATH },
    });
    service.process.kill();
    await service.finished;
    expect(played).toMatchObject({ exit: 0, err: '' });
    expect(countAnswers(join(cwd, JOURNAL)).get('red')).toMatchObject({ faults: 0 });
    expect((await warmGlassbox(`verify ${JOURNAL}`, { cwd, env: { PATH } })).out).toMatch(
      /^the same/,
    );
  });

  test('around an agent ask the endpoint that they are given', async () => {
    const endpoint = await FakeEndpoint.open();
    const cwd = withExamples();
    const command = 'command:python3 examples/minds/agent_player.py';
    const env = { PATH, AGENT_BASE_URL: endpoint.baseUrl, AGENT_MODEL: 'fake' };
    const played = await warmGlassbox([...aGame, '--mind', command, '--seat', 'blue'], {
      cwd,
      env,
    });
    await endpoint.close();
    expect(played).toMatchObject({ exit: 0, err: '' });
    const { answers = 0, faults } = countAnswers(join(cwd, JOURNAL)).get('blue') ?? {};
    expect(faults).toBe(0);
    expect(endpoint.asked.length).toBeGreaterThanOrEqual(answers);
  });

  test('sound own minds pass the doctor, and it names the faults of a broken one', async () => {
    const cwd = withExamples();
    const sound = await warmGlassbox(
      ['doctor', '--mind', 'command:python3 examples/minds/random_player.py'],
      { cwd, env: { PATH } },
    );
    expect(sound).toMatchObject({ exit: 0, err: '' });
    expect(sound.out).toMatch(/^It says hello as "random"\.\naction +\d+ ms {2}fine: \{"message"/);
    const broken = await warmGlassbox(['doctor', '--mind', 'command:python3 -c 1', '--json'], {
      cwd,
      env: { PATH },
    });
    expect(broken.exit).toBe(78);
    const [probe, failure] = jsonLines(broken.out);
    expect(failure).toMatchObject({
      type: 'error',
      exit: 78,
      problems: [{ code: 'doctor/unsound' }],
    });
    expect(probe).toMatchObject({
      isSound: false,
      requests: [
        ...['action', 'discussion', 'reaction', 'consolidation'].map((kind) => ({
          kind,
          fault: { code: 'mind/ended' },
        })),
        { kind: 'ghost', fault: { code: 'mind/given-up' } },
      ],
    });
  });
});

testLong.skipIf(!HAS_REDIS)(
  'a worker of a league on a Redis plays with own minds, too',
  async () => {
    const server = await RedisServer.start();
    const persona = (name: string) =>
      `  - { name: ${name}, mind: command, command: ['${process.execPath}', mind.mjs] }`;
    const cwd = aFolder({
      'pids/.keep': '',
      'mind.mjs': numbered(`await greet(); for (;;) ${ENDLESS}`),
      'cup.yaml': `name: cup\ngames: 2\nplayers: 4\noptions: { max_rounds: 8 }\npersonas:\n${persona('one')}\n${persona('two')}\n`,
    });
    const worker = new Running(`league worker --redis ${server.url}`, { cwd });
    const played = await warmGlassbox(`league run cup.yaml --redis ${server.url}`, {
      cwd,
    });
    worker.process.kill('SIGTERM');
    await worker.finished;
    await server.end();
    expect([played.exit, played.out]).toEqual([0, expect.stringContaining('command_one')]);
    expect(startedIn(cwd).length).toBeGreaterThan(4);
    expect(startedIn(cwd).filter(isAlive)).toEqual([]);
  },
);

test('a run of many games is played one after another, and no order that was offered is refused', async () => {
  const cwd = aFolder({
    'mind.mjs': `import { appendFileSync } from 'node:fs';
      let drawn = 1;
      const pick = (list) => list[(drawn = (drawn * 48271) % 2147483647) % list.length] ?? null;
      const last = new Map();
      export default ({ game, seat, kind, ship, choices }) => {
        const who = game + seat;
        if (kind === 'action' && ship.why.includes('refused')) appendFileSync('refused', last.get(who) + ' ');
        const action = pick(choices.actions);
        if (kind === 'action') last.set(who, action?.type);
        return { action, vote_action: pick(choices.votes) };
      };`,
    'game.yaml':
      'name: Four\noptions: { max_rounds: 60 }\nseats: [{ colour: red }, { colour: blue }, { colour: green }, { colour: pink }, { colour: tan }]\n',
  });
  const args = ['run', '-n', '12', '--seed', '1', '--json', '--out', 'out', 'game.yaml'];
  const played = await warmGlassbox([...args, '--mind', 'module:mind.mjs'], { cwd });
  expect(played).toMatchObject({ exit: 0, err: '' });
  expect(readdirSync(join(cwd, 'out'))).toHaveLength(12);
  const refused = existsSync(join(cwd, 'refused'))
    ? readFileSync(join(cwd, 'refused'), 'utf8')
    : '';
  // Other players may be faster in the same round: two fix the same system, or a victim walks away.
  expect(
    refused
      .split(' ')
      .filter((type) => !['', 'kill', 'report', 'fix', 'sabotage', 'button'].includes(type)),
  ).toEqual([]);
});

test('a mind that reflects is asked after each game of a league, and gets its lessons in the next', async () => {
  const mind = `${MIND} await line(); say({ type: 'hello', protocol: 1, reflects: true });
    for (;;) { const { id, kind, you } = await line(); say({ type: 'answer', id, answer: kind === 'reflection' ? { learned: ['lesson ' + (you.persona.learned.length + 1), ...you.persona.learned] } : {} }); }`;
  const persona = (name: string) =>
    `  - { name: ${name}, mind: command, command: ['${process.execPath}', mind.mjs] }`;
  const cwd = aFolder({
    'mind.mjs': mind,
    'cup.yaml': `name: cup\ngames: 2\nround: 1\nplayers: 4\noptions: { max_rounds: 8 }\npersonas:\n${persona('one')}\n  - { name: quiet_observer }\n`,
  });
  const surroundings = { cwd, env: { REDIS_URL: '' } };
  expect((await warmGlassbox('league run cup.yaml -q', surroundings)).exit).toBe(0);
  const { out } = await warmGlassbox('persona show command_one', surroundings);
  expect(out).toContain('lesson 2');
});
