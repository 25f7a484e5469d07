import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { gameSeed, type JobOutcome, journalName, loseGame } from '../../actors/jobs/gameJob.ts';
import { JobQueue, WorkerPool } from '../../actors/jobs/pool.ts';
import { playGames } from '../../actors/jobs/run.ts';
import { plainGame } from '../../machines/setup/prepare.ts';
import { testLong } from '../support/seeds.ts';

const ROOT = mkdtempSync(join(tmpdir(), 'glassbox-jobs-'));
afterAll(() => rmSync(ROOT, { recursive: true }));
const aFolder = () => mkdtempSync(join(ROOT, 'run-'));

type Given = { readonly seed?: number; readonly games: number; readonly jobs: number };

/** Plays a run of a small match; every journal is there under its name. */
async function played({ seed = 1, games, jobs }: Given) {
  const folder = aFolder();
  const outcomes: JobOutcome[] = [];
  const plan = { match: plainGame(5), seed, games, folder };
  const onOutcome = (outcome: JobOutcome) => void outcomes.push(outcome);
  await playGames(plan, { jobs, onOutcome }).result;
  const names = readdirSync(folder).toSorted();
  return { outcomes, names, texts: names.map((name) => readFileSync(join(folder, name), 'utf8')) };
}

describe('a run', () => {
  testLong('is the same to the byte on one thread and on three, and is told in order', async () => {
    const [one, three] = await Promise.all([
      played({ games: 7, jobs: 1 }),
      played({ games: 7, jobs: 3 }),
    ]);
    expect(three.texts).toEqual(one.texts);
    expect(three.names).toEqual(one.names);
    const bare = (outcomes: readonly JobOutcome[]) =>
      outcomes.map((outcome) => ({ ...outcome, journal: null }));
    expect(bare(three.outcomes)).toEqual(bare(one.outcomes));
    expect(three.outcomes.map(({ game }) => game)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('a job has games that can be played alone, with the reported seed', async () => {
    const { outcomes, texts } = await played({ games: 3, jobs: 1 });
    for (const [index, { seed }] of outcomes.entries()) {
      expect((await played({ seed, games: 1, jobs: 1 })).texts).toEqual([texts[index]]);
    }
  });

  test('has journals without a damage, of games that somebody has won', async () => {
    const { outcomes, texts } = await played({ games: 4, jobs: 2 });
    for (const text of texts) expect(readJournal(text).damages).toEqual([]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ type: 'played', winner: expect.any(String) });
    }
  });

  test.each([1, 2])('that is stopped begins no other game (%i jobs)', async (jobs) => {
    const folder = aFolder();
    const outcomes: JobOutcome[] = [];
    const running = playGames(
      { match: plainGame(4), seed: 1, games: 1000, folder },
      {
        jobs,
        onOutcome: (outcome) => {
          outcomes.push(outcome);
          running.stop();
        },
      },
    );
    await running.result;
    expect(outcomes.length).toBeLessThan(1000);
    expect(readdirSync(folder)).toHaveLength(outcomes.length);
  });
});

describe('failures of jobs', () => {
  test('a thread that dies loses the game it was at and says so, and the others are played', async () => {
    const outcomes: JobOutcome[] = [];
    const plan = { match: plainGame(4), seed: 1, games: 6, folder: null };
    const pool = new WorkerPool<number, JobOutcome>({
      threads: 1,
      file: new URL('./dyingWorker.ts', import.meta.url),
      jobsInHand: 2,
      queue: new JobQueue([1, 2, 3, 4, 5, 6]),
      onOutcome: (outcome) => void outcomes.push(outcome),
      lose: (game, reason) => loseGame(plan, game, reason),
    });
    pool.work();
    await pool.idle();
    await pool.close();
    const told = outcomes.toSorted((one, other) => one.game - other.game);
    expect(told.map(({ game, type }) => `${game} ${type}`)).toEqual([
      '1 played',
      '2 played',
      '3 lost',
      '4 played',
      '5 lost',
      '6 played',
    ]);
    expect(told[2]).toMatchObject({ why: 'broken', seed: gameSeed(1, 3) });
    expect(told[2]).toHaveProperty('text', 'the thread that played it ended: exit code 3');
    expect(told[4]).toHaveProperty('text', 'the thread that played it ended: enough of it');
  });

  test('a pool that is closed starts no worker, whatever is still asked of it', async () => {
    const queue = new JobQueue<string>();
    const outcomes: string[] = [];
    const pool = new WorkerPool<string, string>({
      threads: 1,
      file: new URL('data:text/javascript,setInterval(() => {}, 1000)'),
      jobsInHand: 1,
      queue,
      onOutcome: (outcome) => void outcomes.push(outcome),
      lose: (job) => job,
    });
    for (const job of ['begun', 'waiting']) {
      queue.put(job);
      pool.work();
    }
    await pool.close();
    queue.put('after');
    pool.work();
    // A worker that was started all the same would be found here, and would keep this process alive.
    await pool.close();
    expect(outcomes).toEqual([]);
  });

  test('a journal that cannot be written is reported', async () => {
    const outcomes: JobOutcome[] = [];
    const plan = { match: plainGame(4), seed: 1, games: 1, folder: join(aFolder(), 'gone') };
    await playGames(plan, { jobs: 1, onOutcome: (outcome) => void outcomes.push(outcome) }).result;
    expect(outcomes).toMatchObject([{ type: 'lost', why: 'cannot-write' }]);
  });
});

describe('seeds', () => {
  test('the first game has the seed of the run, and no two of 20,000 games share one', () => {
    expect(gameSeed(7, 1)).toBe(7);
    const seeds = new Set<number>();
    for (let game = 1; game <= 10_000; game++) {
      seeds.add(gameSeed(7, game));
      seeds.add(gameSeed(8, game));
    }
    expect(seeds.size).toBe(20_000);
    for (const seed of seeds) expect(Number.isSafeInteger(seed) && seed >= 0).toBe(true);
  });

  test.each([
    [1, 1, '0001.jsonl'],
    [200, 9999, '0200.jsonl'],
    [200, 10_000, '00200.jsonl'],
  ])('the journal of game %i of %i is %s', (game, games, name) => {
    expect(journalName(game, games)).toBe(name);
  });
});
