/**
 * Own minds on the command line: whole games with minds that behave and minds that do not. No process is left behind.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { capitalize } from '../../machines/text.ts';
import { MIND } from '../actors/ownMinds/requests.ts';
import { HAS_REDIS, RedisServer } from '../actors/stores/redisServer.ts';
import { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { aPlace, type Place } from './session.ts';
import { expectEnd, expectQuiet, glassbox, jsonLines, Running } from './shell.ts';

const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;
if (!HAS_PYTHON && process.env['CI'] === 'true') throw new Error('python3 is missing');
if (!HAS_PYTHON) {
  const install = 'apt-get install python3, or brew install python';
  console.warn(`SKIPPED: python3 is missing, so the examples in Python are not tried (${install})`);
}
/** The TypeScript examples need this version of Node. */
const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;

const JOURNAL = 'out/0001.jsonl';
const aGame = 'run --seed 5 --json --out out';

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
const startedIn = ({ path }: Place) =>
  readdirSync(path('pids')).map(Number).filter(Number.isInteger);

/** The fault codes of the answers of each seat in a journal; null for a sound one. */
function answersIn(journal: string): ReadonlyMap<string, readonly (string | null)[]> {
  const answers = new Map<string, (string | null)[]>();
  for (const line of jsonLines(journal)) {
    const said = line['orders'] ?? line['bids'];
    for (const { seat, fault = null } of Array.isArray(said) ? said : [])
      answers.set(seat, [...(answers.get(seat) ?? []), fault]);
  }
  return answers;
}

describeLong('a game of minds that do everything wrong', () => {
  test('is played to its end with a sentence for each, replayed without them, and leaves no process', async () => {
    // The short deadline is for the mind that hangs. Sound minds may miss it on a slow machine.
    const place = aPlace(
      matchOf(BAD, '{ deadline_ms: 1000, round_deadline_ms: 1000, patience: 4, max_rounds: 20 }'),
    );
    const played = await glassbox(`${aGame} game.yaml`, place);
    expectEnd(played, 3, 'match/no-answers');
    const answers = answersIn(place.read(JOURNAL));
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
      const found = new Set(answers.get(seat));
      expect(found.size).toBeGreaterThan(0);
      expect(codes, seat).toEqual(expect.arrayContaining([...found]));
      const name = capitalize(seat);
      const sentence = `^${name}: [1-9]\\d* of \\d+ requests failed, the last: `;
      expect(played.err).toMatch(new RegExp(sentence, 'm'));
    }
    expect(startedIn(place).length).toBeGreaterThan(0);
    expect(startedIn(place).filter(isAlive)).toEqual([]);
    expect(await place.done(`verify ${JOURNAL}`)).toMatch(/^the same/);
  });
});

describe('a run that is killed leaves no process', () => {
  const sleeper = 'await greet(); for (;;) await line();';
  const minds = { one: sleeper, two: sleeper, three: sleeper, four: sleeper };

  async function aRun() {
    const place = aPlace(matchOf(minds, '{ round_deadline_ms: 600000 }'));
    const running = new Running(`${aGame} game.yaml`, place);
    await vi.waitUntil(() => startedIn(place).length === 4, { timeout: 300_000 });
    return { place, running };
  }

  testLong.each([['SIGTERM', 'SIGTERM'], ['SIGHUP', 'SIGHUP'], ['SIGKILL']] as const)(
    'by %s',
    async (...signals) => {
      const { place, running } = await aRun();
      for (const signal of signals) {
        running.process.kill(signal);
        if (signals.length > 1) await running.said('Press Ctrl-C again').catch(() => {});
      }
      await running.finished;
      await vi.waitUntil(() => !startedIn(place).some(isAlive), { timeout: 300_000 });
    },
  );

  test('and at Ctrl-C the game stops', async () => {
    const { place, running } = await aRun();
    running.signal('SIGINT');
    expect((await running.finished).exit).toBe(130);
    expect(startedIn(place).filter(isAlive)).toEqual([]);
  });
});

test('a mind of the flag plays the seat that was named, with its errors in a file, and is looked for where it is typed', async () => {
  const { run, read } = aPlace({
    'mine.mjs': `${MIND} await greet(); console.error('ready'); for (;;) { const { id, seat } = await line(); say({ type: 'answer', id, answer: { internal_thought: 'I am ' + seat } }); }`,
    'games/game.yaml':
      'name: Four\noptions: { max_rounds: 6 }\nseats: [{ colour: red }, { colour: blue }, { colour: green }, { colour: pink }]\n',
  });
  const words = `${aGame} games/game.yaml --seat blue --mind-log minds.log`.split(' ');
  expectQuiet(await run([...words, '--mind', `command:${process.execPath} mine.mjs`]));
  const text = read(JOURNAL);
  expect(text).toContain('I am blue');
  expect(text).not.toContain('I am red');
  expect(read('minds.log')).toBe('blue: ready\n');
});

describe('what is wrong before anything is started', () => {
  const seats =
    'seats: [{ colour: red, mind: command }, { colour: blue }, { colour: green }, { colour: pink }]';
  const noCommand =
    'red: mind command wants command (such as command: [python3, my_mind.py]), found none';

  test.each([
    ['--mind perl', 2, 'expected scripted, silent, openai, "command:PROGRAM"'],
    ['--mind command:', 2, 'expected scripted'],
    ['--mind human', 2, 'expected scripted'],
    ['--mind silent --seat tan', 2, 'mind/not-seated'],
    ['--seat red', 2, 'mind/no-mind'],
    ['--mind silent --mind-log no/where', 73, 'cannot-write'],
    ['game.yaml', 78, noCommand],
  ])('%s', async (words, exit, sentence) => {
    const { path, run } = aPlace({ 'game.yaml': `name: Four\n${seats}\n` });
    expectEnd(await run(`run --seed 1 ${words}`), exit, sentence);
    expect(existsSync(path('journals'))).toBe(false);
  });
});

const EXAMPLES = new URL('../../examples', import.meta.url).pathname;

/** A copy of the examples, so that nothing is written beside the originals. */
function withExamples(env: Readonly<Record<string, string>> = {}): Place {
  const place = aPlace({}, { PATH, ...env });
  cpSync(EXAMPLES, place.path('examples'), { recursive: true });
  return place;
}

/** Expects sound answers of these seats, or of all. */
function expectSound(journal: string, ...seats: readonly string[]): number {
  const answers = answersIn(journal);
  const own = seats.length === 0 ? [...answers.values()] : seats.map((seat) => answers.get(seat));
  expect(own.flatMap((codes) => codes ?? ['no answer']).filter((code) => code !== null)).toEqual(
    [],
  );
  return own.flat().length;
}

test('an answer that is nested without end is a fault to the doctor', async () => {
  const { run } = aPlace({
    'deep.mjs': "export default () => JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));",
  });
  const found = await run(['doctor', '--mind', 'module:deep.mjs']);
  expectEnd(found, 78, 'doctor/unsound');
  expect(found.out).toMatch(/^action +\d+ ms {2}expected an? /m);
});

describeLong.skipIf(!HAS_PYTHON)('the examples, in Python and TypeScript', () => {
  test('play whole games without a fault, are replayed without them, and are gone on with', async () => {
    const { run, done, read, write } = withExamples();
    // In this game everybody lives for some rounds.
    expectQuiet(await run('run --seed 6 --json --out out examples/minds/game.yaml --mind-log log'));
    expect(read('log')).toBe('');
    const seats = [...answersIn(read(JOURNAL)).keys()].toSorted();
    expect(seats).toEqual(['blue', 'green', 'orange', 'pink', 'red', 'yellow']);
    for (const seat of seats) expect(expectSound(read(JOURNAL), seat)).toBeGreaterThan(5);
    expect(await done(`verify ${JOURNAL}`)).toMatch(/^the same/);
    // An interrupted match continues with the same minds, which the journal names.
    write('torn.jsonl', `${read(JOURNAL).split('\n').slice(0, 12).join('\n')}\n`);
    const named = 'red: command python3 random_player.py;';
    expectEnd(await run('resume torn.jsonl'), 2, named, /add --run-minds \[mind\/not-trusted\]/);
    expectQuiet(await run('resume torn.jsonl --run-minds --json'));
    expectSound(read('torn.jsonl'));
    // Another mind takes the seat of an own mind. Both end.
    const mind = 'command:python3 examples/minds/logical_player.py';
    const fork = `fork ${JOURNAL} --at round:8 --player red --run-minds --out b.jsonl --json`;
    expectQuiet(await run([...fork.split(' '), '--mind', mind]));
    expectSound(read('b.jsonl'), 'red');
    expect(await done('verify b.jsonl')).toMatch(/^the same/);
  });

  test('own minds play a league, and its results omit where they were started', async () => {
    const { run, path, read } = withExamples({ REDIS_URL: '' });
    const found = await run('league run examples/minds/league.yaml --jobs 2');
    expectEnd(found, 0, '4 of 4 games');
    for (const name of ['command_chance', 'command_logic', 'command_careful', 'module_dice'])
      expect(found.out).toContain(name);
    const folder = 'journals/league-own-minds';
    const journals = readdirSync(path(folder)).filter((name) => name.endsWith('.jsonl'));
    expect(journals).toHaveLength(4);
    for (const name of journals) expectSound(read(`${folder}/${name}`));
    const again = await glassbox('league run ../examples/minds/league.yaml --store glassbox.db', {
      cwd: path('journals'),
      env: { PATH, REDIS_URL: '' },
    });
    expect([again.exit, again.out]).toEqual([0, expect.stringContaining('4 of 4 games')]);
  });

  test('as a web service play a game', async () => {
    const { cwd, run, done, read } = withExamples();
    const service = new Running('examples/minds/web_player.py 0', { cwd, program: 'python3' });
    await service.said('http://127.0.0.1:');
    const [url = ''] = service.out.split('\n');
    const played = await run(`${aGame} --mind ${url} --seat red,pink`);
    service.process.kill();
    await service.finished;
    expectQuiet(played);
    expectSound(read(JOURNAL), 'red');
    expect(await done(`verify ${JOURNAL}`)).toMatch(/^the same/);
  });

  test('around an agent ask the endpoint that they are given', async () => {
    const endpoint = await FakeEndpoint.open();
    const agent = { AGENT_BASE_URL: endpoint.baseUrl, AGENT_MODEL: 'fake' };
    const { run, read } = withExamples(agent);
    const mind = 'command:python3 examples/minds/agent_player.py';
    const played = await run([...aGame.split(' '), '--mind', mind, '--seat', 'blue']);
    await endpoint.close();
    expectQuiet(played);
    expect(endpoint.asked.length).toBeGreaterThanOrEqual(expectSound(read(JOURNAL), 'blue'));
  });

  test('sound own minds pass the doctor, and it names the faults of a broken one', async () => {
    const { run } = withExamples();
    const doctor = (command: string, ...more: readonly string[]) =>
      run(['doctor', '--mind', `command:${command}`, ...more]);
    const sound = expectQuiet(await doctor('python3 examples/minds/random_player.py'));
    expect(sound).toMatch(/^It says hello as "random"\.\naction +\d+ ms {2}fine: \{"message"/);
    const broken = await doctor('python3 -c 1', '--json');
    expect(broken.exit).toBe(78);
    const [probe, failure] = jsonLines(broken.out);
    const problems = [{ code: 'doctor/unsound' }];
    expect(failure).toMatchObject({ type: 'error', exit: 78, problems });
    const kinds = ['action', 'discussion', 'reaction', 'consolidation'];
    const requests = kinds.map((kind) => ({ kind, fault: { code: 'mind/ended' } }));
    const last = { kind: 'ghost', fault: { code: 'mind/given-up' } };
    expect(probe).toMatchObject({ isSound: false, requests: [...requests, last] });
  });
});

const persona = (name: string) =>
  `  - { name: ${name}, mind: command, command: ['${process.execPath}', mind.mjs] }`;

testLong.skipIf(!HAS_REDIS)(
  'a worker of a league on a Redis plays with own minds, too',
  async () => {
    const server = await RedisServer.start();
    const place = aPlace({
      'pids/.keep': '',
      'mind.mjs': numbered(`await greet(); for (;;) ${ENDLESS}`),
      'cup.yaml': `name: cup\ngames: 2\nplayers: 4\noptions: { max_rounds: 8 }\npersonas:\n${persona('one')}\n${persona('two')}\n`,
    });
    const runs = ['--run-minds', `command:${process.execPath} mind.mjs`];
    const worker = new Running(['league', 'worker', '--redis', server.url, ...runs], place);
    const out = await place.done(`league run cup.yaml --redis ${server.url}`);
    worker.process.kill('SIGTERM');
    await worker.finished;
    await server.end();
    expect(out).toContain('command_one');
    expect(startedIn(place).length).toBeGreaterThan(4);
    expect(startedIn(place).filter(isAlive)).toEqual([]);
  },
);

test('a run of many games is played one after another, and no order that was offered is refused', async () => {
  const { path, run, read } = aPlace({
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
  const line = 'run -n 12 --seed 1 --json --out out game.yaml --mind module:mind.mjs';
  expectQuiet(await run(line));
  expect(readdirSync(path('out'))).toHaveLength(12);
  const refused = existsSync(path('refused')) ? read('refused').trimEnd().split(' ') : [];
  // Other players may be faster in the same round: two fix the same system, or a victim walks away.
  const overtaken = ['kill', 'report', 'fix', 'sabotage', 'button'];
  expect(refused.filter((type) => !overtaken.includes(type))).toEqual([]);
});

test('a mind that reflects is asked after each game of a league, and gets its lessons in the next', async () => {
  const mind = `${MIND} await line(); say({ type: 'hello', protocol: 1, reflects: true });
    for (;;) { const { id, kind, you } = await line(); say({ type: 'answer', id, answer: kind === 'reflection' ? { learned: ['lesson ' + (you.persona.learned.length + 1), ...you.persona.learned] } : {} }); }`;
  const cup = `name: cup\ngames: 2\nround: 1\nplayers: 4\noptions: { max_rounds: 8 }\npersonas:\n${persona('one')}\n  - { name: quiet_observer }\n`;
  const { done } = aPlace({ 'mind.mjs': mind, 'cup.yaml': cup }, { REDIS_URL: '' });
  await done('league run cup.yaml -q');
  expect(await done('persona show command_one')).toContain('lesson 2');
});
