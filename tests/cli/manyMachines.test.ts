/**
 * A league on many machines: several runs and workers, each a process in its own folder, on one real Redis.
 *
 * The commands and the Redis user are the ones in docs/leagues.md. Processes are killed and paused, and the Redis
 * starts late, is slow and freezes. In the end every folder has the journals of an undisturbed run in one process,
 * byte for byte.
 */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis as Client } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { findProcessSpace, namePartial } from '../../actors/ports/disk.ts';
import { realProcess } from '../../actors/ports/process.ts';
import { HAS_REDIS, RedisServer } from '../actors/stores/redisServer.ts';
import { describeLong, seeds, testLong } from '../support/seeds.ts';
import { SlowProxy } from '../support/slowProxy.ts';
import { aCup, standings } from './cup.ts';
import { aPlace, type Place } from './session.ts';
import { aFolder, expectEnd, jsonLines, Running } from './shell.ts';

const GAMES = seeds(8, 120);

const LEAGUE = aCup(GAMES);

const DOCS = readFileSync(new URL('../../docs/leagues.md', import.meta.url), 'utf8');
const [, SECTION = ''] = /\n## Many machines\n(.*?)\n## /s.exec(DOCS) ?? [];

/** The words of a documented command with the URL of this Redis. */
function documented(command: 'worker' | 'run' | 'fetch', url: string): string {
  const [, words = ''] =
    new RegExp(`^npx glassbox (league ${command} .*?) +#`, 'm').exec(SECTION) ?? [];
  expect(words).toContain('redis://host');
  return words.replace('redis://host', url);
}

async function hasSaid(command: Running, words: string): Promise<boolean> {
  return await command.said(words).then(
    () => true,
    () => false,
  );
}

const aMachine = (files = { 'cup.yaml': LEAGUE }) => aPlace(files, { REDIS_URL: '' });

/** The length and digest of every journal in the folder, by name. */
function journalsOn({ path }: Place): Readonly<Record<string, string>> {
  const folder = path('journals/league-cup');
  return Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => {
        const bytes = readFileSync(join(folder, name));
        const digest = createHash('sha256').update(bytes).digest('hex');
        return [name, `${bytes.length} bytes, ${digest}`] as const;
      }),
  );
}

/** Leaves half of a journal, as a process with this number does when it is killed while saving. */
function leavePartialFile({ path }: Place, id = 0): void {
  mkdirSync(path('journals/league-cup'), { recursive: true });
  const journal = path('journals/league-cup/0001.jsonl');
  const place = { ...realProcess, space: findProcessSpace(), id };
  writeFileSync(namePartial(journal, place), 'half');
}

/** The result of an undisturbed run in one process. */
async function playAlone() {
  const machine = aMachine();
  const run = await machine.done('league run cup.yaml --json');
  const careers = await machine.done('persona list --json');
  return { standings: standings(run), careers, machine };
}

let played: ReturnType<typeof playAlone> | null = null;

function alone(): ReturnType<typeof playAlone> {
  played ??= playAlone();
  return played;
}

/** Expects each result once in a store, and all journals on a machine that did not play. */
async function expectWhole(store: string): Promise<void> {
  const machine = aMachine();
  const fetched = await machine.done(`${documented('fetch', store)} --json`);
  expect(jsonLines(fetched)[0]).toMatchObject({
    ...{ games: GAMES, results: GAMES, written: GAMES, there: 0, missing: [] },
  });
  const { machine: other, standings: expected, careers } = await alone();
  expect(journalsOn(machine)).toEqual(journalsOn(other));
  expect(standings(await machine.done(`league show --json --store ${store}`))).toEqual(expected);
  expect(await machine.done(`persona list --json --store ${store}`)).toBe(careers);
}

/** A Redis with the documented user. */
async function aRedis(): Promise<{ server: RedisServer; url: string; ask: Client }> {
  const server = await RedisServer.start();
  const ask = new Client(server.url);
  const [, rules = ''] = /^ACL (SETUSER league .*)$/m.exec(SECTION) ?? [];
  await ask.call('ACL', ...rules.split(' '));
  return { server, url: server.url.replace('redis://', 'redis://league:password@'), ask };
}

/** How the first run ends in the middle of the league. */
const ENDINGS = [
  ['is killed', 'SIGKILL'],
  ['is paused, and comes back when the other one is over', 'SIGSTOP'],
  ['is stopped by Ctrl-C', 'SIGINT'],
] as const;

/** Two runs and three workers; null if the first run was over before it could be ended. */
async function playOnMany(ending: (typeof ENDINGS)[number][1]): Promise<true | null> {
  const { server, url, ask } = await aRedis();
  const proxy = await SlowProxy.start(server.port, 20);
  const slowUrl = url.replace(String(server.port), String(proxy.port));
  const [near, far] = [aMachine(), aMachine()];
  const first = new Running(`${documented('run', url)} --jobs 1`, near);
  await first.said('No worker is there yet');
  const second = new Running(`${documented('run', slowUrl)} --jobs 1`, far);
  // A run that finds the league complete never joins.
  await hasSaid(second, 'this run joins it as a worker');
  // Workers that start while the Redis is frozen wait for it.
  server.freeze(true);
  const urls = [url, slowUrl, url];
  const workers = urls.map(
    (one) => new Running(`${documented('worker', one)} --concurrency 1`, aMachine()),
  );
  await Promise.all(workers.map((worker) => worker.said('waiting up to 60 s')));
  server.freeze(false);
  // The killed worker has played games.
  const [victim] = workers;
  if (victim !== undefined) await Promise.race([hasSaid(victim, 'cup, game'), second.finished]);
  server.freeze(true);
  const isEarly = first.process.exitCode === null && !first.err.includes(`${GAMES} of ${GAMES}`);
  if (ending !== 'SIGINT') first.process.kill(ending);
  victim?.process.kill('SIGKILL');
  server.freeze(false);
  if (ending === 'SIGINT') first.process.kill(ending);
  await ask.client('PAUSE', 500);
  const over = await second.finished;
  expect(over.exit, over.err).toBe(0);
  expect(over.err).toMatch(/As a worker this run has played \d+ games?\.$/m);
  if (ending === 'SIGSTOP') first.process.kill('SIGCONT');
  const ended = await first.finished;
  if (isEarly && ending === 'SIGSTOP') expect(ended.exit, ended.err).toBe(0);
  for (const worker of workers.slice(1)) {
    worker.process.kill('SIGTERM');
    expect((await worker.finished).exit).toBe(0);
  }
  // The partial file of a process killed while writing a journal. The kill above may miss that moment.
  if (ending === 'SIGKILL') leavePartialFile(near, first.process.pid);
  await near.done(documented('run', url));
  for (const machine of [near, far]) {
    expect(journalsOn(machine)).toEqual(journalsOn((await alone()).machine));
  }
  await expectWhole(url);
  ask.disconnect();
  proxy.end();
  await server.end();
  return isEarly && over.err.includes('This run leads the league "cup" now') ? true : null;
}

const ATTEMPTS = 10;

describeLong.skipIf(!HAS_REDIS)('a league on many machines', () => {
  test.concurrent.each(ENDINGS)(
    'is one set of journals in every folder when the first run %s',
    async (_words, ending) => {
      let isTried: true | null = null;
      for (let attempt = 0; isTried === null && attempt < ATTEMPTS; attempt++) {
        isTried = await playOnMany(ending);
      }
      expect(isTried).toBe(true);
    },
  );

  test('has another file under its name refused, and says who plays', async () => {
    const { server, url, ask } = await aRedis();
    const first = new Running(documented('run', url), aMachine());
    await first.said('No worker is there yet');
    const other = aMachine({ 'cup.yaml': LEAGUE.replace('seed: 9', 'seed: 8') });
    expectEnd(await other.run(documented('run', url)), 2, 'another file (seed)');
    const status = await other.done(`league status --json --store ${url}`);
    const leader = expect.stringContaining(`process ${first.process.pid} on `);
    expect(jsonLines(status)[0]).toMatchObject({ leagues: [{ done: 0, leader }], workers: [] });
    expectEnd(await other.run(`league fetch --drop --store ${url}`), 2, 'league/not-over');
    first.process.kill('SIGINT');
    expect((await first.finished).exit).toBe(130);
    expect(await other.done(`league status --store ${url}`)).toMatch(
      /cup +0 of \d+ games +open\n0 workers/,
    );
    ask.disconnect();
    await server.end();
  });
});

describe('a league with its store in a file', () => {
  testLong('is one set of journals in both folders when the first run is killed', async () => {
    let isTried = false;
    for (let attempt = 0; !isTried && attempt < ATTEMPTS; attempt++) {
      const [near, far] = [aMachine(), aMachine()];
      const store = join(aFolder(), 'store.db');
      const words = `league run cup.yaml --store ${store} --jobs 1`;
      const first = new Running(words, near);
      await first.said(`of ${GAMES} games`);
      first.process.kill('SIGSTOP');
      const second = new Running(words, far);
      const isWaiting = await hasSaid(second, 'this run waits');
      first.process.kill('SIGKILL');
      const over = await second.finished;
      expect(over.exit, over.err).toBe(0);
      await near.done(words);
      for (const machine of [near, far]) {
        expect(journalsOn(machine)).toEqual(journalsOn((await alone()).machine));
      }
      await expectWhole(store);
      isTried = isWaiting && over.err.includes('This run leads the league "cup" now');
    }
    expect(isTried).toBe(true);
  });

  testLong('is waited for by a second run, which says so and says when it ends', async () => {
    const place = aMachine({ 'cup.yaml': aCup(5000) });
    const words = 'league run cup.yaml --store s.db --jobs 1';
    const first = new Running(`${words} --out one`, place);
    await first.said('1 of 5000 games');
    const second = new Running(`${words} --out other`, place);
    await second.said(`process ${first.process.pid} on `);
    await second.said('this run waits, and goes on with the league if that run ends.');
    second.process.kill('SIGINT');
    expectEnd(await second.finished, 130, 'has played no games.\n');
    first.process.kill('SIGKILL');
    await first.finished;
  });

  test('a league hands out its journals, names missing ones and drops them on request', async () => {
    // The state after the undisturbed run.
    const machine = aMachine();
    cpSync((await alone()).machine.cwd, machine.cwd, { recursive: true });
    const store = `--store ${machine.path('journals/glassbox.db')}`;
    expect(await machine.done(`league fetch --drop ${store}`)).toContain(
      `0 journals written to journals/league-cup, ${GAMES} there already`,
    );
    // The files are unchanged, and the store no longer lists them.
    await machine.done(`league fetch ${store}`);
    const late = await aMachine().run(`league fetch ${store}`);
    const reason = 'fetch --drop removed it from the store';
    expectEnd(late, 66, 'game 1, game 2, game 3, game 4, game 5 and', reason);
  });
});
