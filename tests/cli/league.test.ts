/** Leagues on the command line, with real processes that may be killed. */
import { readdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Redis as Client } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { HAS_REDIS, RedisServer } from '../actors/stores/redisServer.ts';
import { describeLong, everyNth, testLong } from '../support/seeds.ts';
import { aCup, standings } from './cup.ts';
import { aPlace } from './session.ts';
import { expectEnd, expectQuiet, type Finished, glassbox, jsonLines, Running } from './shell.ts';

type Files = Readonly<Record<string, string>>;
const aLeague = (files: Files = { 'cup.yaml': aCup(12) }) => aPlace(files, { REDIS_URL: '' });

/** Runs a statement on the store of a league. */
function changeStore(path: string, statement: string): void {
  const store = new DatabaseSync(path);
  store.exec(statement);
  store.close();
}

/** The league, played in one process without interruption. */
const ALONE = aLeague();
const QUIET = ALONE.run('league run cup.yaml --json');

describe.concurrent('a league', () => {
  testLong('is played, shown, exported and gone on with', async () => {
    const place = aLeague();
    const { done, path } = place;
    const run = await glassbox('league run cup.yaml --jobs 2', place);
    expectEnd(run, 0, '12 of 12 games');
    expect(run.out).toContain('cup: 12 of 12 games');
    expect(run.out).toMatch(/1 {2}scripted_\w+ +\d+ \(\d+ to \d+\)/);
    expect(run.out).toContain('too few games');
    expect(readdirSync(path('journals/league-cup')).length).toBe(12);

    const again = await done('league run cup.yaml --json');
    expect(standings(again)).toEqual(standings(await done('league show --json')));
    const lines = (await done('league export cup --format csv')).trim().split('\r\n');
    expect(lines.length).toBe(6);
    expect(lines[0]?.split(',').length).toBe(lines[1]?.split(',').length);
    expect(await done('league status')).toContain('12 of 12 games');
    expect(await done('league rebuild')).toContain('0 were wrong');
    const stats = await done('league show --stats --versus --levels');
    for (const words of ['vote accuracy', 'persuasion', 'won against', 'Levels of strategy'])
      expect(stats).toContain(words);
    changeStore(path('journals/glassbox.db'), "DELETE FROM matter WHERE name = 'plan'");
    expect(await done('league status')).toMatch(/cup +12 games +its plan is/);
  });

  testLong('that is interrupted goes on where it was, to the same end', async () => {
    const place = aLeague();
    const running = new Running('league run cup.yaml --jobs 1', place);
    await running.said('2 of 12 games');
    running.signal('SIGINT');
    expect((await running.finished).exit).toBe(130);
    const rest = await place.done('league run cup.yaml --json');
    expect(standings(rest)).toEqual(standings((await QUIET).out));
  });
  /** None of these commands writes a file, so they share a folder. */
  const refused = aLeague();
  const NOWHERE = 'redis://127.0.0.1:1';

  test.each([
    ['league show', 2, 'there is none yet'],
    ['league show nobody', 66, 'there is no league'],
    [`league show ${'x'.repeat(5000)}`, 66, `no league "${'x'.repeat(150)}…${'x'.repeat(50)}" in`],
    [
      `league show --store ${'x/'.repeat(1000)}s.db`,
      ...([66, `a store at ${'x/'.repeat(75)}…${'x/'.repeat(23)}s.db, found`] as const),
    ],
    ['league run missing.yaml', 66, 'no such file'],
    [`league run cup.yaml --redis ${NOWHERE} --wait 0`, 69, 'is it running'],
    [`league worker --redis ${NOWHERE} --wait 0`, 69, 'is it running'],
    [
      `league run cup.yaml --redis ${NOWHERE} --wait 1`,
      ...([69, 'does not answer yet (connection refused): waiting up to 1 s'] as const),
    ],
    ['league worker --redis nonsense', 2, 'expected a URL'],
    [`league fetch --store ${NOWHERE}`, 69, 'is it running'],
    [`persona list --store ${NOWHERE}`, 69, 'is it running'],
    ['league status --store no/such.db', 66, 'found no such file'],
    ['league run cup.yaml --redis redis://a --store b', 2, 'cannot be used with'],
    ['persona show nobody', 66, 'there is no persona'],
    [`persona show ${'x'.repeat(301)}`, 2, 'at most 300 characters'],
    ['persona show a\u200bb', 2, 'can be seen'],
  ] as const)('%s is refused in a sentence', async (line, exit, words) => {
    expectEnd(await refused.run(line), exit, words);
  });

  testLong('takes who plays from persona files, and says what is wrong with one', async () => {
    const persona = (level: string) =>
      `name: clerk\nversion: 1\ntemperament: observer\nlevel: ${level}\ncharacter: You file.\nvoice: Dry.\n`;
    const league = (file: string) =>
      `name: files\ngames: 1\npersonas:\n  - { name: clerk, file: ${file} }\n  - { name: other, file: good.yaml, level: none }\n`;
    const { run, read } = aPlace({
      'good.yaml': persona('basic'),
      'bad.yaml': persona('godlike'),
      'cup.yaml': league('good.yaml'),
      'ill.yaml': league('bad.yaml'),
      'gone.yaml': league('no.yaml'),
    });
    const ill = await run('league run ill.yaml');
    expectEnd(ill, 78, 'bad.yaml: line 4, level: expected one of');
    expectEnd(await run('league run gone.yaml'), 66, 'no.yaml');
    expectQuiet(await run('league run cup.yaml --json'));
    const journal = read('journals/league-files/0001.jsonl');
    const temperaments = new Set(journal.match(/"temperament":"\w+"/g));
    expect([...temperaments]).toEqual(['"temperament":"observer"']);
  });

  test('that makes no sense is refused with all that is wrong', async () => {
    const two = 'personas:\n  - { name: a }\n  - { name: b }\n';
    const one = 'personas:\n  - { name: a }\n';
    const { run, done } = aPlace({
      'bad.yaml': `name: x\ngames: 1\ncompare: [[a, c]]\n${one}  - { name: a }\n`,
      'odd.yaml': 'name: x\ngames: 0\npersnas: []\n',
      'full.yaml': `name: x\ngames: 1\nplayers: 5\noptions: { impostors: 3 }\n${one}`,
      'few.yaml': `name: few\ngames: 4\ncompare: [[a, b]]\n${two}`,
      'one.yaml': `name: few\ngames: 4\n${one}`,
    });
    for (const [args, ...words] of [
      ['bad.yaml', 'two of them are called "a"', 'there is no persona "c"'],
      ['odd.yaml', 'personas'],
      ['full.yaml'],
      ['few.yaml', 'league/too-few-personas: compare: expected 3 personas at least, found 2'],
      ['few.yaml --mirror', 'expected 3 personas at least, found 2', '[league/too-few-personas]'],
      ['one.yaml --mirror', 'expected 2 personas at least, found 1', '[league/too-few-personas]'],
    ])
      expectEnd(await run(`league run ${args}`), 78, ...words);
    expect(await done('league status --json')).not.toContain('"few"');
  });

  testLong('is played by one run at a time', async () => {
    const place = aLeague({ 'cup.yaml': aCup(5000) });
    const running = new Running('league run cup.yaml --jobs 1', place);
    await running.said('1 of 5000 games');
    const second = await place.run('league run cup.yaml');
    running.process.kill('SIGKILL');
    expectEnd(second, 73, 'played already');
    await running.finished;
  });

  testLong(
    'with a result that was changed says so everywhere, and plays it again when it was taken out',
    async () => {
      const { cwd, path, run, done } = aLeague({ 'cup.yaml': aCup(4) });
      const before = await done('league run cup.yaml --json -q');
      expect(await done('verify --replay all --seed 5')).toContain(
        '4 results, 4 journals read (4 in journals/league-cup), 4 games replayed',
      );
      changeStore(
        path('journals/glassbox.db'),
        `UPDATE result SET body = replace(body, '"reason":', '"Reason":') WHERE slot = 1`,
      );
      const shown = await run('league show');
      expectEnd(shown, 65, /game 2: the result does not fit its hash[\s\S]*verify cup/);
      expect(shown.out).toContain('cup: 3 of 4 games');
      for (const words of ['', ' --format html -o cup.html']) {
        const exported = await run(`league export${words}`);
        expectEnd(exported, 65, 'nothing is exported');
        expect(exported.out).toBe('');
      }
      expect(readdirSync(cwd)).not.toContain('cup.html');
      expectEnd(await run('league run cup.yaml'), 65, 'game 2: the result');
      const doctor = await run('doctor --store journals/glassbox.db');
      expect([doctor.exit, doctor.out]).toEqual([1, expect.stringContaining('verify cup')]);
      const found = await run('verify --json');
      expect(found.exit).toBe(1);
      expect(jsonLines(found.out)[0]).toMatchObject({
        results: 4,
        findings: [{ slot: 1, fault: 'result', code: 'league/damaged-result' }],
        discarded: [],
      });
      const taken = await run('verify --discard');
      const words = 'the results of game 2';
      expect([taken.exit, taken.out]).toEqual([1, expect.stringContaining(words)]);
      const after = await done('league run cup.yaml --json -q');
      expect(standings(after)).toEqual(standings(before));
      await done('verify --replay all');
    },
  );

  testLong('can be gone on with when only its cost is changed, and nothing else', async () => {
    const short = aCup(2);
    const { run, done } = aLeague({
      'cup.yaml': short,
      'dear.yaml': `${short}\nbudget: { calls: 9 }\nlimits: { per_minute: 3 }\n`,
      'other.yaml': short.replace('seed: 9', 'seed: 8'),
    });
    await done('league run cup.yaml');
    await done('league run dear.yaml');
    expectEnd(await run('league run other.yaml'), 2, 'another file (seed)');
  });
});

describe.concurrent('a persona', () => {
  test('is enrolled, taught, made to forget, and goes back', async () => {
    const { run, done } = aLeague();
    const id = 'gpt-4o:free_aggressive leader';
    const persona = (command: string, ...more: readonly string[]) =>
      done(['persona', command, id, ...more]);
    const taught = ['--model', 'gpt-4o:free', '--learned', 'One.', 'Two.'];
    const enrolled = await done(['persona', 'new', 'aggressive leader', ...taught]);
    expect(enrolled).toContain('knows 2 lessons');
    expect(await persona('forget', '--lesson', '1')).toContain('knows 1 lesson now');
    expect(await persona('forget')).toContain('knows 0 lessons now');
    const back = await persona('rollback', '--to', '1');
    expect(back).toContain('knows 2 lessons now (version 4)');
    const lessons = ['One.', 'Two.'].map((text) => ({ text, from: 'the command that added it' }));
    expect(jsonLines(await persona('show', '--json'))[0]).toEqual({
      persona_id: id,
      learned: { version: 4, lessons },
      ...{ games_played: 0, seats_played: 0, stats: {} },
      ...{ win_rate: null, impostor_win_rate: null, crewmate_win_rate: null },
    });
    await done('persona new free_leader --model gpt');
    expectEnd(await run('persona new leader --model gpt_free'), 2, 'spell the same id');
    const nowhere = await run(['persona', 'rollback', id, '--to', '9']);
    expectEnd(nowhere, 2, 'has no version 9');
  });
});

describeLong.skipIf(!HAS_REDIS).concurrent('a league on a Redis that refuses', () => {
  const allow = async (server: RedisServer, most: string) => {
    const client = new Client(server.url);
    await client.config('SET', 'maxmemory', most);
    client.disconnect();
  };

  /** A run whose server is full at its first games; null if the run ended before. */
  async function endsEarly(flag: string): Promise<Finished | null> {
    const server = await RedisServer.start();
    const place = aLeague();
    const line = `league run cup.yaml ${flag} ${server.url}`;
    const isHelped = flag === '--redis';
    const helper = isHelped ? new Running(`league worker --redis ${server.url}`, place) : null;
    const running = new Running(`${line} --jobs 1`, place);
    await running.said('of 12 games');
    // No process plays on while the limit is set.
    for (const player of [running, helper]) player?.process.kill('SIGSTOP');
    await allow(server, '1mb');
    for (const player of [running, helper]) player?.process.kill('SIGCONT');
    const full = await running.finished;
    await allow(server, '0');
    if (full.exit !== 0) expect(await place.done(line)).toContain('cup: 12 of 12 games');
    helper?.process.kill('SIGTERM');
    await helper?.finished;
    await server.end();
    return full.exit === 0 ? null : full;
  }

  test.each(everyNth(['--store', '--redis'], 2))(
    'ends in a sentence and goes on later: %s',
    async (flag) => {
      let full: Finished | null = null;
      for (let attempt = 0; full === null && attempt < 10; attempt++) full = await endsEarly(flag);
      expectEnd(full ?? expect.fail('it was never full'), 69, 'refuses: OOM');
    },
  );

  test('a worker reports a queue that hands out no games', async () => {
    const server = await RedisServer.start();
    const client = new Client(server.url);
    const rules = 'SETUSER reader on >word ~* +@read +@connection +info';
    await client.call('ACL', ...rules.split(' '));
    client.disconnect();
    const url = server.url.replace('redis://', 'redis://reader:word@');
    const worker = new Running(`league worker --redis ${url}`, aLeague());
    await worker.said('The queue hands out no games: Redis at');
    worker.process.kill('SIGKILL');
    const run = await aLeague().run(`league run cup.yaml --redis ${url}`);
    expectEnd(run, 69, 'store/refused');
    await server.end();
  });
});

describe.skipIf(!HAS_REDIS).concurrent('a league on many machines', () => {
  testLong(
    'is the same to the last digit when workers and the Redis are killed on the way',
    async () => {
      const server = await RedisServer.start({ fsync: 'everysec' });
      const place = aLeague();
      const worker = `league worker --redis ${server.url} --concurrency 1`;
      const workers = [1, 2, 3].map(() => new Running(worker, place));
      await Promise.all(workers.map((one) => one.said('Taking games')));
      const run = new Running(`league run cup.yaml --redis ${server.url} --json`, place);
      await workers[0]?.said('cup, game');
      workers[0]?.process.kill('SIGKILL');
      await workers[1]?.said('cup, game');
      await server.kill();
      await server.again();
      workers[1]?.process.kill('SIGKILL');
      const over = await run.finished;
      expectEnd(over, 0, 'Redis is back');
      workers[2]?.process.kill('SIGTERM');
      expect((await workers[2]?.finished)?.exit).toBe(0);

      expect(standings(over.out)).toEqual(standings((await QUIET).out));
      const careers = (store: string) => ALONE.done(`persona list --json${store}`);
      expect(await careers(` --store ${server.url}`)).toBe(await careers(''));
      const files = ({ path }: typeof place) => readdirSync(path('journals/league-cup'));
      expect(files(place)).toEqual(files(ALONE));
      const rebuilt = await ALONE.done(`league rebuild --store ${server.url}`);
      expect(rebuilt).toContain('0 were wrong');
      await server.end();
    },
  );

  test('warns about a Redis that can lose results, and refuses it with --require-durable', async () => {
    const server = await RedisServer.start({ durable: false });
    const { run } = aLeague();
    expectEnd(await run(`league status --store ${server.url}`), 0, 'keeps no append-only file');
    const line = `league run cup.yaml --store ${server.url} --require-durable`;
    expectEnd(await run(line), 78, 'store/no-aof');
    await server.end();
  });
});
