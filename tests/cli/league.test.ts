/** Leagues on the command line, with real processes that may be killed. */
import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Redis as Client } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { HAS_REDIS, RedisServer } from '../actors/stores/redisServer.ts';
import { describeLong, everyNth, testLong } from '../support/seeds.ts';
import { aCup, standings } from './cup.ts';
import { warmGlassbox, warmIn } from './session.ts';
import { aFolder, type Finished, glassbox, jsonLines, Running } from './shell.ts';

const LEAGUE = aCup(12);

const inFolder = () => {
  const cwd = aFolder({ 'cup.yaml': LEAGUE });
  return { cwd, env: { REDIS_URL: '' } };
};

/** The league, played in one process without interruption. */
const ALONE = inFolder();
const alone = warmIn(ALONE);
const QUIET = alone(['league', 'run', 'cup.yaml', '--json']);

describe.concurrent('a league', () => {
  testLong('is played, shown, exported and gone on with', async () => {
    const place = inFolder();
    const run = await glassbox(['league', 'run', 'cup.yaml', '--jobs', '2'], place);
    expect(run.exit).toBe(0);
    expect(run.out).toContain('cup: 12 of 12 games');
    expect(run.out).toMatch(/1 {2}scripted_\w+ +\d+ \(\d+ to \d+\)/);
    expect(run.out).toContain('too few games');
    expect(run.err).toContain('12 of 12 games');
    expect(readdirSync(`${place.cwd}/journals/league-cup`).length).toBe(12);

    const command = warmIn(place);
    const again = await command(['league', 'run', 'cup.yaml', '--json']);
    const shown = await command(['league', 'show', '--json']);
    expect(standings(again.out)).toEqual(standings(shown.out));
    const exported = await command(['league', 'export', 'cup', '--format', 'csv']);
    const lines = exported.out.trim().split('\r\n');
    expect(lines.length).toBe(6);
    expect(lines[0]?.split(',').length).toBe(lines[1]?.split(',').length);
    const status = await command(['league', 'status']);
    expect(status.out).toContain('12 of 12 games');
    const rebuilt = await command(['league', 'rebuild']);
    expect(rebuilt.out).toContain('0 were wrong');
    const stats = await command(['league', 'show', '--stats', '--versus', '--levels']);
    for (const words of ['vote accuracy', 'persuasion', 'won against', 'Levels of strategy']) {
      expect(stats.out).toContain(words);
    }
    const store = new DatabaseSync(`${place.cwd}/journals/glassbox.db`);
    store.exec("DELETE FROM matter WHERE name = 'plan'");
    store.close();
    const lost = await command(['league', 'status']);
    expect([lost.exit, lost.out]).toEqual([0, expect.stringMatching(/cup +12 games +its plan is/)]);
  });

  testLong('that is interrupted goes on where it was, to the same end', async () => {
    const place = inFolder();
    const running = new Running(['league', 'run', 'cup.yaml', '--jobs', '1'], place);
    await running.said('2 of 12 games');
    running.signal('SIGINT');
    expect((await running.finished).exit).toBe(130);
    const rest = await warmGlassbox(['league', 'run', 'cup.yaml', '--json'], place);
    expect(standings(rest.out)).toEqual(standings((await QUIET).out));
  });

  /** None of these commands writes a file, so they share a folder. */
  const refused = warmIn(inFolder());

  test.each([
    [['league', 'show'], 2, 'there is none yet'],
    [['league', 'show', 'nobody'], 66, 'there is no league'],
    [
      ['league', 'show', 'x'.repeat(5000)],
      66,
      `no league "${'x'.repeat(150)}…${'x'.repeat(50)}" in`,
    ],
    [
      ['league', 'show', '--store', `${'x/'.repeat(1000)}s.db`],
      66,
      `a store at ${'x/'.repeat(75)}…${'x/'.repeat(23)}s.db, found`,
    ],
    [['league', 'run', 'missing.yaml'], 66, 'no such file'],
    [
      ['league', 'run', 'cup.yaml', '--redis', 'redis://127.0.0.1:1', '--wait', '0'],
      69,
      'is it running',
    ],
    [['league', 'worker', '--redis', 'redis://127.0.0.1:1', '--wait', '0'], 69, 'is it running'],
    [
      ['league', 'run', 'cup.yaml', '--redis', 'redis://127.0.0.1:1', '--wait', '1'],
      69,
      'does not answer yet (connection refused): waiting up to 1 s',
    ],
    [['league', 'worker', '--redis', 'nonsense'], 2, 'expected a URL'],
    [['league', 'fetch', '--store', 'redis://127.0.0.1:1'], 69, 'is it running'],
    [['persona', 'list', '--store', 'redis://127.0.0.1:1'], 69, 'is it running'],
    [['league', 'status', '--store', 'no/such.db'], 66, 'found no such file'],
    [
      ['league', 'run', 'cup.yaml', '--redis', 'redis://a', '--store', 'b'],
      2,
      'cannot be used with',
    ],
    [['persona', 'show', 'nobody'], 66, 'there is no persona'],
    [['persona', 'show', 'x'.repeat(301)], 2, 'at most 300 characters'],
    [['persona', 'show', 'a\u200bb'], 2, 'can be seen'],
  ])('%j is refused in a sentence', async (args, exit, words) => {
    const { exit: found, err } = await refused(args);
    expect(err).toContain(words);
    expect(found).toBe(exit);
  });

  testLong('takes who plays from persona files, and says what is wrong with one', async () => {
    const persona = (level: string) =>
      `name: clerk\nversion: 1\ntemperament: observer\nlevel: ${level}\ncharacter: You file.\nvoice: Dry.\n`;
    const league = (file: string) =>
      `name: files\ngames: 1\npersonas:\n  - { name: clerk, file: ${file} }\n  - { name: other, file: good.yaml, level: none }\n`;
    const cwd = aFolder({
      'good.yaml': persona('basic'),
      'bad.yaml': persona('godlike'),
      'cup.yaml': league('good.yaml'),
      'ill.yaml': league('bad.yaml'),
      'gone.yaml': league('no.yaml'),
    });
    const command = warmIn({ cwd });
    const ill = await command(['league', 'run', 'ill.yaml']);
    expect([ill.exit, ill.err]).toEqual([
      78,
      expect.stringContaining('bad.yaml: line 4, level: expected one of'),
    ]);
    const gone = await command(['league', 'run', 'gone.yaml']);
    expect([gone.exit, gone.err]).toEqual([66, expect.stringContaining('no.yaml')]);
    const played = await command(['league', 'run', 'cup.yaml', '--json']);
    expect([played.exit, played.err]).toEqual([0, '']);
    const journal = readFileSync(`${cwd}/journals/league-files/0001.jsonl`, 'utf8');
    expect([...new Set(journal.match(/"temperament":"\w+"/g))]).toEqual([
      '"temperament":"observer"',
    ]);
  });

  test('that makes no sense is refused with all that is wrong', async () => {
    const cwd = aFolder({
      'bad.yaml':
        'name: x\ngames: 1\ncompare: [[a, c]]\npersonas:\n  - { name: a }\n  - { name: a }\n',
      'odd.yaml': 'name: x\ngames: 0\npersnas: []\n',
      'full.yaml':
        'name: x\ngames: 1\nplayers: 5\noptions: { impostors: 3 }\npersonas:\n  - { name: a }\n',
      'few.yaml':
        'name: few\ngames: 4\ncompare: [[a, b]]\npersonas:\n  - { name: a }\n  - { name: b }\n',
      'one.yaml': 'name: few\ngames: 4\npersonas:\n  - { name: a }\n',
    });
    const command = warmIn({ cwd });
    const bad = await command(['league', 'run', 'bad.yaml']);
    expect([bad.exit, bad.err]).toEqual([
      78,
      expect.stringContaining('two of them are called "a"'),
    ]);
    expect(bad.err).toContain('there is no persona "c"');
    const odd = await command(['league', 'run', 'odd.yaml']);
    expect([odd.exit, odd.err]).toEqual([78, expect.stringContaining('personas')]);
    const full = await command(['league', 'run', 'full.yaml']);
    expect(full.exit).toBe(78);
    for (const [args, words] of [
      [['few.yaml'], 'expected 3 personas at least, found 2'],
      [['few.yaml', '--mirror'], 'expected 3 personas at least, found 2'],
      [['one.yaml', '--mirror'], 'expected 2 personas at least, found 1'],
    ] as const) {
      const few = await command(['league', 'run', ...args]);
      expect([few.exit, few.err]).toEqual([78, expect.stringContaining(words)]);
      expect(few.err).toContain('[league/too-few-personas]');
    }
    const status = await command(['league', 'status', '--json']);
    expect(status.out).not.toContain('"few"');
  });

  testLong('is played by one run at a time', async () => {
    const cwd = aFolder({ 'cup.yaml': aCup(5000) });
    const place = { cwd, env: { REDIS_URL: '' } };
    const running = new Running(['league', 'run', 'cup.yaml', '--jobs', '1'], place);
    await running.said('1 of 5000 games');
    const second = await warmGlassbox(['league', 'run', 'cup.yaml'], place);
    running.process.kill('SIGKILL');
    expect([second.exit, second.err]).toEqual([73, expect.stringContaining('played already')]);
    await running.finished;
  });

  testLong(
    'with a result that was changed says so everywhere, and plays it again when it was taken out',
    async () => {
      const cwd = aFolder({ 'cup.yaml': aCup(4) });
      const place = { cwd, env: { REDIS_URL: '' } };
      const session = warmIn(place);
      const command = (...words: readonly string[]) => session(['league', ...words]);
      const before = await command('run', 'cup.yaml', '--json', '-q');
      const sound = await session(['verify', '--replay', 'all', '--seed', '5']);
      expect([sound.exit, sound.out]).toEqual([
        0,
        expect.stringContaining(
          '4 results, 4 journals read (4 in journals/league-cup), 4 games played',
        ),
      ]);
      const file = new DatabaseSync(`${cwd}/journals/glassbox.db`);
      file.exec(`UPDATE result SET body = replace(body, '"reason":', '"Reason":') WHERE slot = 1`);
      file.close();
      const shown = await command('show');
      expect([shown.exit, shown.out, shown.err]).toEqual([
        65,
        expect.stringContaining('cup: 3 of 4 games'),
        expect.stringMatching(/game 2: the result does not fit its hash[\s\S]*verify cup/),
      ]);
      for (const words of [['export'], ['export', '--format', 'html', '-o', 'cup.html']]) {
        const exported = await command(...words);
        expect([exported.exit, exported.out, exported.err]).toEqual([
          65,
          '',
          expect.stringContaining('nothing is exported'),
        ]);
      }
      expect(readdirSync(cwd)).not.toContain('cup.html');
      const again = await command('run', 'cup.yaml');
      expect([again.exit, again.err]).toEqual([65, expect.stringContaining('game 2: the result')]);
      const doctor = await session(['doctor', '--store', 'journals/glassbox.db']);
      expect([doctor.exit, doctor.out]).toEqual([1, expect.stringContaining('verify cup')]);
      const found = await session(['verify', '--json']);
      expect(found.exit).toBe(1);
      expect(jsonLines(found.out)[0]).toMatchObject({
        results: 4,
        findings: [{ slot: 1, fault: 'result', code: 'league/damaged-result' }],
        discarded: [],
      });
      const taken = await session(['verify', '--discard']);
      expect([taken.exit, taken.out]).toEqual([
        1,
        expect.stringContaining('the results of game 2'),
      ]);
      const after = await command('run', 'cup.yaml', '--json', '-q');
      expect(standings(after.out)).toEqual(standings(before.out));
      expect((await session(['verify', '--replay', 'all'])).exit).toBe(0);
    },
  );

  testLong('can be gone on with when only its cost is changed, and nothing else', async () => {
    const short = aCup(2);
    const cwd = aFolder({
      'cup.yaml': short,
      'dear.yaml': `${short}\nbudget: { calls: 9 }\nlimits: { per_minute: 3 }\n`,
      'other.yaml': short.replace('seed: 9', 'seed: 8'),
    });
    const place = { cwd, env: { REDIS_URL: '' } };
    const command = warmIn(place);
    expect((await command(['league', 'run', 'cup.yaml'])).exit).toBe(0);
    expect((await command(['league', 'run', 'dear.yaml'])).exit).toBe(0);
    const other = await command(['league', 'run', 'other.yaml']);
    expect([other.exit, other.err]).toEqual([2, expect.stringContaining('another file (seed)')]);
  });
});

describe.concurrent('a persona', () => {
  test('is enrolled, taught, made to forget, and goes back', async () => {
    const command = warmIn(inFolder());
    const id = 'gpt-4o:free_aggressive leader';
    const enrolled = await command([
      ...['persona', 'new', 'aggressive leader', '--model', 'gpt-4o:free'],
      ...['--learned', 'One.', 'Two.'],
    ]);
    expect(enrolled.out).toContain('knows 2 lessons');
    expect((await command(['persona', 'forget', id, '--lesson', '1'])).out).toContain(
      'knows 1 lesson now',
    );
    expect((await command(['persona', 'forget', id])).out).toContain('knows 0 lessons now');
    expect((await command(['persona', 'rollback', id, '--to', '1'])).out).toContain(
      'knows 2 lessons now (version 4)',
    );
    const shown = await command(['persona', 'show', id, '--json']);
    expect(jsonLines(shown.out)[0]).toEqual({
      persona_id: id,
      learned: {
        version: 4,
        lessons: ['One.', 'Two.'].map((text) => ({ text, from: 'the command that added it' })),
      },
      games_played: 0,
      seats_played: 0,
      win_rate: null,
      impostor_win_rate: null,
      crewmate_win_rate: null,
      stats: {},
    });
    const first = await command(['persona', 'new', 'free_leader', '--model', 'gpt']);
    expect(first.exit).toBe(0);
    const second = await command(['persona', 'new', 'leader', '--model', 'gpt_free']);
    expect([second.exit, second.err]).toEqual([2, expect.stringContaining('spell the same id')]);
    const nowhere = await command(['persona', 'rollback', id, '--to', '9']);
    expect([nowhere.exit, nowhere.err]).toEqual([2, expect.stringContaining('has no version 9')]);
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
    const place = inFolder();
    const args = ['league', 'run', 'cup.yaml', flag, server.url];
    const worker = ['league', 'worker', '--redis', server.url];
    const helper = flag === '--redis' ? new Running(worker, place) : null;
    const running = new Running([...args, '--jobs', '1'], place);
    await running.said('of 12 games');
    // No process plays on while the limit is set.
    for (const player of [running, helper]) player?.process.kill('SIGSTOP');
    await allow(server, '1mb');
    for (const player of [running, helper]) player?.process.kill('SIGCONT');
    const full = await running.finished;
    await allow(server, '0');
    if (full.exit !== 0) {
      expect((await warmGlassbox(args, place)).out).toContain('cup: 12 of 12 games');
    }
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
      expect([full?.exit, full?.err]).toEqual([69, expect.stringContaining('refuses: OOM')]);
    },
  );

  test('a worker reports a queue that hands out no games', async () => {
    const server = await RedisServer.start();
    const client = new Client(server.url);
    await client.call(
      'ACL',
      'SETUSER',
      'reader',
      'on',
      '>word',
      '~*',
      '+@read',
      '+@connection',
      '+info',
    );
    client.disconnect();
    const url = server.url.replace('redis://', 'redis://reader:word@');
    const worker = new Running(['league', 'worker', '--redis', url], inFolder());
    await worker.said('The queue hands out no games: Redis at');
    worker.process.kill('SIGKILL');
    const run = await warmGlassbox(['league', 'run', 'cup.yaml', '--redis', url], inFolder());
    expect([run.exit, run.err]).toEqual([69, expect.stringContaining('store/refused')]);
    await server.end();
  });
});

describe.skipIf(!HAS_REDIS).concurrent('a league on many machines', () => {
  testLong(
    'is the same to the last digit when workers and the Redis are killed on the way',
    async () => {
      const server = await RedisServer.start({ fsync: 'everysec' });
      const place = inFolder();
      const workers = [1, 2, 3].map(
        () => new Running(['league', 'worker', '--redis', server.url, '--concurrency', '1'], place),
      );
      await Promise.all(workers.map((worker) => worker.said('Taking games')));
      const run = new Running(
        ['league', 'run', 'cup.yaml', '--redis', server.url, '--json'],
        place,
      );
      await workers[0]?.said('cup, game');
      workers[0]?.process.kill('SIGKILL');
      await workers[1]?.said('cup, game');
      await server.kill();
      await server.again();
      workers[1]?.process.kill('SIGKILL');
      const over = await run.finished;
      expect([over.exit, over.err]).toEqual([0, expect.stringContaining('Redis is back')]);
      workers[2]?.process.kill('SIGTERM');
      expect((await workers[2]?.finished)?.exit).toBe(0);

      expect(standings(over.out)).toEqual(standings((await QUIET).out));
      const careers = (store: string[]) => alone(['persona', 'list', '--json', ...store]);
      expect((await careers(['--store', server.url])).out).toBe((await careers([])).out);
      const files = (cwd: string) => readdirSync(`${cwd}/journals/league-cup`);
      expect(files(place.cwd)).toEqual(files(ALONE.cwd));
      const rebuilt = await alone(['league', 'rebuild', '--store', server.url]);
      expect(rebuilt.out).toContain('0 were wrong');
      await server.end();
    },
  );

  test('warns about a Redis that can lose results, and refuses it with --require-durable', async () => {
    const server = await RedisServer.start({ durable: false });
    const command = warmIn(inFolder());
    const status = await command(['league', 'status', '--store', server.url]);
    expect(status.err).toContain('keeps no append-only file');
    const args = ['league', 'run', 'cup.yaml', '--store', server.url, '--require-durable'];
    const refused = await command(args);
    expect([refused.exit, refused.err]).toEqual([78, expect.stringContaining('store/no-aof')]);
    await server.end();
  });
});
