/** The table of SECURITY.md: it names every command, and each gets a trap of the kind that the table says is harmless. */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../../actors/files/failure.ts';
import { forkMatch, resumeMatch } from '../../actors/index.ts';
import { seal } from '../../actors/stores/seal.ts';
import { createProgram } from '../../cli/glassbox.ts';
import { forged } from '../actors/engine/journal/records.ts';
import { HAS_REDIS, RedisServer } from '../actors/stores/redisServer.ts';
import { testLong } from '../support/seeds.ts';
import { aPlace } from './session.ts';
import { expectEnd, type Finished, Running } from './shell.ts';

const KEY = 'sk-secret-of-the-user-000';
const PASSWORD = 'hush-hush-hush';
const PLACE = aPlace(
  {},
  { GLASSBOX_STATE: 'state', AWS_SECRET_ACCESS_KEY: KEY, REDIS_URL: '', NO_COLOR: '1' },
);
/** Made by whatever trap is sprung. */
const MARK = PLACE.path('sprung');

/** Nobody names this host, except files of strangers. */
const heard: string[] = [];
const trap = createServer((request, response) => {
  heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
  response.end('{}');
});
afterAll(() => trap.close());

function seatsOf(): readonly object[] {
  const address = trap.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
  return [
    { mind: 'module', module: './trap.mjs', folder: '.' },
    { mind: 'command', command: ['touch', MARK], folder: '.' },
    { mind: 'http', url },
    { mind: 'openai', model: 'm', base_url: url, key: 'AWS_SECRET_ACCESS_KEY' },
  ];
}

const SEATED = ['red', 'blue', 'green', 'pink'] as const;

/** A match file in JSON, which is YAML, too. */
const matchOf = (minds: readonly object[], more: object = {}) =>
  JSON.stringify({
    name: 'm',
    seats: SEATED.map((colour, index) => ({ colour, ...minds[index] })),
    ...more,
  });

const cupOf = (minds: readonly object[]) =>
  JSON.stringify({
    name: 'cup',
    ...{ games: 1, players: 4, options: { max_rounds: 4 } },
    personas: SEATED.map((name, index) => ({ name, ...minds[index] })),
  });

/** Puts minds into the header of a journal, whose hashes fit again. */
const withMinds = (journal: string, minds: readonly object[]) =>
  forged(journal, (row) => {
    const match = Object(row['match']);
    if (!Array.isArray(match.seats)) return row;
    const seats = match.seats.map((seat: object, index: number) => ({ ...seat, ...minds[index] }));
    return { ...row, match: { ...match, seats } };
  });

beforeAll(async () => {
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  const { write, done, read, path } = PLACE;
  const traps = seatsOf();
  const [, , , model = {}] = traps;
  const told = { mind: 'openai', model: 'm', base_url: `http://me:${PASSWORD}@127.0.0.1:9/v1` };
  write('trap.mjs', `import fs from 'node:fs'; fs.writeFileSync(${JSON.stringify(MARK)}, '');`);
  write('plain.yaml', matchOf([], { call: { by: 'red' } }));
  write('meeting.yaml', matchOf(traps, { call: { by: 'red' } }));
  write('game.yaml', matchOf(traps));
  write('secret.yaml', matchOf([told]));
  write('cup.yaml', cupOf([]));
  write('trap-cup.yaml', cupOf(traps));
  write('secret-cup.yaml', cupOf([told]));
  await done('run plain.yaml --seed 1 --out plain.jsonl -q');
  const plain = read('plain.jsonl');
  const half = `${plain.split('\n').slice(0, 8).join('\n')}\n`;
  write('whole.jsonl', withMinds(plain, traps));
  write('open.jsonl', withMinds(half, traps));
  write('models.jsonl', withMinds(plain, [model]));
  write('models-open.jsonl', withMinds(half, [model]));
  await done('league run cup.yaml --store s.db --out games -q');
  write('games/0001.jsonl', withMinds(read('games/0001.jsonl'), traps));
  copyFileSync(path('s.db'), path('sound.db'));
  const store = new DatabaseSync(path('s.db'));
  const row = store.prepare("SELECT value FROM matter WHERE name = 'plan'").get();
  const plan = JSON.parse(String(row?.['value']).replace(/^\S+ /, ''));
  plan.league.personas = plan.league.personas.map((one: object, index: number) => ({
    ...one,
    ...traps[index],
  }));
  const sealed = seal(['matter', 'cup', 'plan'], JSON.stringify(plan));
  store.prepare("UPDATE matter SET value = ? WHERE name = 'plan'").run(sealed);
  store.close();
});

const SECRET = `--base-url http://me:${PASSWORD}@127.0.0.1:9/v1`;

/** Command lines with traps, their exit status, and what they say. */
const TRAPS: [line: string, exit: number, says?: RegExp][] = [
  // What you name may be used, but no secret in it.
  ['run game.yaml --dry-run', 0],
  ['run secret.yaml', 78, /\[mind\/secret\]/],
  ['play secret.yaml --terminal', 78, /\[mind\/secret\]/],
  ['serve secret.yaml --port 0', 78, /\[mind\/secret\]/],
  ['league run trap-cup.yaml --dry-run', 0],
  ['league run secret-cup.yaml --store x.db --out out', 78, /\[mind\/secret\]/],
  [`benchmark --model m --games 1 --dry-run ${SECRET}`, 78, /\[mind\/secret\]/],
  [`doctor --model m ${SECRET}`, 78, /\[mind\/secret\]/],
  // A journal may name anything.
  ['resume open.jsonl', 2, /\[mind\/not-trusted\]/],
  ['resume open.jsonl --endpoint-from-journal', 2, /\[mind\/not-trusted\]/],
  ['resume open.jsonl --run-minds', 2, /\[model\/not-trusted\]/],
  ['resume models-open.jsonl', 2, /\[model\/not-trusted\]/],
  ['fork whole.jsonl --at 1 --out out.jsonl', 2, /\[mind\/not-trusted\]/],
  ['fork whole.jsonl --at 1 --out out.jsonl --run-minds', 2, /\[model\/not-trusted\]/],
  ['why whole.jsonl --samples 2 --endpoint-from-journal', 2, /\[why\/outside-minds\]/],
  ['why models.jsonl --samples 2', 2, /\[model\/not-trusted\]/],
  ['why whole.jsonl --stand-in --what kills --out out.json', 0],
  // Nothing is used.
  ['verify whole.jsonl --json', 0],
  ['verify cup --store s.db --journals games', 1],
  ['report whole.jsonl --stats', 0],
  ['report whole.jsonl --tables csv --out out', 0],
  ['export whole.jsonl --out out.html', 0],
  ['export whole.jsonl --card wide --out out.svg', 0],
  ['watch whole.jsonl', 0],
  ['transcript whole.jsonl', 0],
  ['prompt whole.jsonl --player red --tick 1', 0],
  ['prompt meeting.yaml --player red --tick 1', 0],
  ['prompt game.yaml --player red --round 1', 0],
  ['check meeting.yaml --max-states 20', 5],
  ['chart --machine arbiter --out out.svg --force', 0],
  ['schema match', 0],
  ['completion bash', 0],
  ['help', 0],
];
const MOMENT = { type: 'tick', meeting: 0, tick: 1 } as const;
/** Command lines for a store whose league names traps. Some find out that it was changed, and end with 65. */
const STORE_TRAPS = [
  'league status',
  'league show',
  'league rebuild',
  'league fetch --out games',
  'league export --format html --journals games --out out.html --force',
  'persona list',
  'persona show scripted_red',
  'persona new guest',
  'persona forget scripted_red',
  'persona rollback scripted_red --to 0',
];
/** These end only when they are stopped. */
const SERVERS = [
  'view whole.jsonl --no-open',
  'league view --store sound.db --journals games --no-open',
];
const WORKER = 'league worker --redis URL';

function expectNothingSprung(printed = ''): void {
  expect([heard, existsSync(MARK)]).toEqual([[], false]);
  expect(printed).not.toMatch(new RegExp(`${KEY}|${PASSWORD}`));
}

/** Runs a command line that springs no trap, and writes nothing but what it names. */
async function tryTrap(line: string): Promise<Finished> {
  const before = new Set(readdirSync(PLACE.cwd));
  const end = await PLACE.run(line);
  expectNothingSprung(`${end.out}${end.err}`);
  const made = readdirSync(PLACE.cwd).filter((name) => !before.has(name));
  expect(made.filter((name) => !/^(?:out|state)/.test(name))).toEqual([]);
  for (const name of made) rmSync(PLACE.path(name), { recursive: true });
  return end;
}

describe('the table of SECURITY.md', () => {
  test('names each command once, and each has a trap', async () => {
    const table = readFileSync('SECURITY.md', 'utf8').match(/^\| .*$/gm) ?? [];
    const subjects = table.slice(1).map((row) => row.split('|')[1] ?? '');
    const words = subjects.flatMap((cell) => cell.match(/`[a-z ]+`/g) ?? []);
    const named = words.map((word) => word.slice(1, -1)).filter((word) => word !== 'serve');
    const leaves = ({ commands }: Command, before = ''): readonly string[] =>
      commands.flatMap((one) =>
        one.commands.length > 0 ? leaves(one, `${one.name()} `) : [before + one.name()],
      );
    const commands = leaves(await createProgram());
    expect([...named, 'serve'].toSorted()).toEqual(commands.toSorted());
    const lines = [...TRAPS.map(([line]) => line), ...STORE_TRAPS, ...SERVERS, WORKER];
    for (const command of commands)
      expect(
        lines.some((line) => `${line} `.startsWith(`${command} `)),
        command,
      ).toBe(true);
  });

  test.each(TRAPS)('%s ends with %i', async (line, exit, says) => {
    expectEnd(await tryTrap(line), exit, ...(says === undefined ? [] : [says]));
  });

  test.each(STORE_TRAPS)('%s', async (line) => {
    const { exit, err } = await tryTrap(`${line} --store s.db`);
    expect([EXIT.done, EXIT.damaged], err).toContain(exit);
  });

  test.each([
    ['resumeMatch', (journal: string) => resumeMatch(journal, { endpointsFromJournal: true })],
    ['resumeMatch', (journal: string) => resumeMatch(journal, { runMinds: true })],
    [
      'forkMatch',
      (journal: string) => forkMatch(journal, { at: MOMENT, endpointsFromJournal: true }),
    ],
    ['forkMatch', (journal: string) => forkMatch(journal, { at: MOMENT, runMinds: true })],
  ])('%s in the library wants a word for programs and for endpoints', (_, go) => {
    expect(() => go(PLACE.read('open.jsonl'))).toThrow(/the journal names/);
    expectNothingSprung();
  });

  testLong.each(SERVERS)('%s', async (line) => {
    const running = new Running(`${line} --port 0`, PLACE);
    await running.said('http://127.0.0.1:');
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+\//.exec(`${running.out}${running.err}`) ?? [];
    expect((await fetch(url)).status).toBe(200);
    running.process.kill('SIGTERM');
    const { out, err } = await running.finished;
    expectNothingSprung(`${out}${err}`);
  });

  testLong('a player of `serve` gets nothing but its seat', async () => {
    const running = new Running('serve plain.yaml --port 0', PLACE);
    await running.said('http://127.0.0.1:');
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(`${running.out}${running.err}`) ?? [];
    const [mind] = seatsOf();
    const body = JSON.stringify({
      ...mind,
      out: '../out',
      match: matchOf(seatsOf()),
      seat: 'blue',
    });
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${url}/reset`, { method: 'POST', body, headers });
    expect(await reply.text()).not.toContain('"role":"impostor"');
    running.process.kill('SIGTERM');
    await running.finished;
    expectNothingSprung();
  });

  testLong.runIf(HAS_REDIS)('a worker refuses what its operator did not list', async () => {
    const server = await RedisServer.start();
    const worker = new Running(WORKER.replace('URL', server.url), PLACE);
    await worker.said('Taking games');
    const run = new Running(`league run trap-cup.yaml --redis ${server.url} --out out`, PLACE);
    await worker.said('may not run');
    run.process.kill('SIGKILL');
    worker.process.kill('SIGKILL');
    await server.end();
  });
});
