/** `glassbox report --tables`: queries in DuckDB agree with the counts from the journals, in every format. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { columnsOf, TABLE_NAMES } from '../../analysis/tables/columns.ts';
import { testLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, failureLine, jsonLines } from './shell.ts';

const GAMES = 3;
let cwd = '';

const tables = (...args: readonly string[]) => {
  const format = args.includes('--tables') ? [] : ['--tables', 'parquet'];
  return warmGlassbox(['report', ...args, ...format], { cwd });
};

beforeAll(async () => {
  cwd = aFolder();
  const args = ['run', '-n', String(GAMES), '--players', '6', '--seed', '4', '--out', 'run', '-q'];
  const more = ['--no-live', '--fault-rate', '0.1', '--beliefs', 'tick'];
  expect((await warmGlassbox([...args, ...more], { cwd })).exit).toBe(0);
  expect((await warmGlassbox(['why', 'run/0001.jsonl', '--meeting', '1'], { cwd })).exit).toBe(0);
  for (const format of ['parquet', 'csv', 'jsonl']) {
    const { exit, err } = await tables('run', '-o', format, '--tables', format, '--deduce');
    expect(err).toBe('');
    expect(exit).toBe(0);
  }
});

/** The rows of a DuckDB query on the tables of a format, with large integers as numbers. */
async function query(format: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  for (const name of TABLE_NAMES) {
    const path = join(cwd, format, `${name}.${format}`);
    const types = columnsOf(name).map(
      ({ name: column, type }) => `'${column}': '${DUCKDB_TYPES[type]}'`,
    );
    const from =
      format === 'parquet'
        ? `read_parquet('${path}')`
        : format === 'csv'
          ? `read_csv('${path}', header = true, nullstr = '', allow_quoted_nulls = false, columns = {${types.join()}})`
          : `read_json('${path}', format = 'newline_delimited', columns = {${types.join()}})`;
    await connection.run(`create view ${name} as select * from ${from}`);
  }
  const reader = await connection.runAndReadAll(sql);
  const rows = reader.getRowObjectsJS();
  connection.closeSync();
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([key, value]) => [
        key,
        typeof value === 'bigint' ? Number(value) : value,
      ]),
    ),
  );
}

const statsSchema = z.tuple([
  z.looseObject({
    beliefs: z.array(
      z.looseObject({
        persona: z.string().nullable(),
        role: z.string(),
        source: z.string(),
        moment: z.string(),
        pairs: z.number(),
        brier: z.looseObject({ value: z.number() }),
      }),
    ),
  }),
]);

const DUCKDB_TYPES = { text: 'VARCHAR', whole: 'BIGINT', number: 'DOUBLE', flag: 'BOOLEAN' };

describe('what is in them', () => {
  test('is what `stats` counts', async () => {
    const [stats] = jsonLines(
      (await warmGlassbox(['report', '--stats', 'run', '--json'], { cwd })).out,
    );
    const [found] = await query(
      'parquet',
      `select
        (select count(*) from games where winner = 'crew') as crew,
        (select count(*) from games where winner is not null) as decided,
        (select count(*) from meetings where ejected is not null) as ejections,
        (select count(*) from meetings) as meetings,
        (select count(*) from meetings where ejected_role = 'impostor') as right_ejections,
        (select count(*) from meetings where kind = 'body') as bodies`,
    );
    expect(stats).toMatchObject({
      games: GAMES,
      wins: { crew: { hits: found?.['crew'], cases: found?.['decided'] } },
    });
    expect(stats).toMatchObject({
      ejections: { hits: found?.['ejections'], cases: found?.['meetings'] },
      right_ejections: { hits: found?.['right_ejections'], cases: found?.['ejections'] },
    });
  });

  test('has the beliefs that `stats` scores', async () => {
    const stats = (await warmGlassbox(['report', '--stats', 'run', '--json'], { cwd })).out;
    const [{ beliefs }] = statsSchema.parse(jsonLines(stats));
    const rows = await query(
      'parquet',
      `select role, source, moment, count(probability) as pairs, avg((probability - impostor::int)^2) as brier
       from beliefs group by all`,
    );
    const all = beliefs.filter(({ persona }) => persona === null);
    expect(rows).toHaveLength(all.length);
    for (const { role, source, moment, pairs, brier } of all) {
      const row = rows.find(
        (one) => one['role'] === role && one['source'] === source && one['moment'] === moment,
      );
      expect(row?.['pairs']).toBe(pairs);
      expect(row?.['brier']).toBeCloseTo(brier.value, 10);
    }
    expect(all.map(({ moment }) => moment)).toEqual(
      expect.arrayContaining(['call', 'tick', 'vote']),
    );
  });

  testLong('is the same in every format, table by table', async () => {
    for (const name of TABLE_NAMES) {
      const all = `select * from ${name}`;
      const rows = await query('parquet', all);
      expect(await query('jsonl', all)).toEqual(rows);
      expect(await query('csv', all)).toEqual(rows);
      if (name !== 'calls') expect(rows.length, name).toBeGreaterThan(0);
    }
  });

  test('names journal, line and hash: each row is found again', async () => {
    const rows = await query(
      'parquet',
      TABLE_NAMES.map((name) => `select journal, line, hash from ${name}`).join(' union '),
    );
    const texts = new Map<string, readonly string[]>();
    for (const { journal, line, hash } of rows) {
      const path = String(journal);
      const lines = texts.get(path) ?? readFileSync(join(cwd, path), 'utf8').split('\n');
      texts.set(path, lines);
      expect(lines[Number(line) - 1]).toContain(`"hash":"${String(hash)}"`);
    }
    expect(rows.length).toBeGreaterThan(100);
  });

  test('bids, messages and ballots add up to their ticks and meetings', async () => {
    const [sums] = await query(
      'parquet',
      `select
        (select sum(asked) from ticks) = (select count(*) from bids where channel = 'living') as bids,
        (select sum(messages) from meetings) = (select count(*) from messages
          where channel = 'living' and request_kind in ('discussion', 'voting') and speaker <> 'system') as messages,
        (select sum(ballots) from meetings) = (select count(*) from ballots where not void) as ballots,
        (select sum(kills) from rounds) = (select count(*) from seats where fate = 'killed') as kills,
        (select count(*) from bids where won) = (select count(*) from ticks where floor is not null)
          + (select count(*) from messages where channel = 'ghosts') as floors,
        (select bool_and(abs(total - desire_points - mention_points - accusation_points - silence_points
          - die_points - recent_speaker_points - voted_points) < 1e-9) from bids where total is not null) as totals`,
    );
    expect(sums).toEqual({
      bids: true,
      messages: true,
      ballots: true,
      kills: true,
      floors: true,
      totals: true,
    });
  });
});

describe('what is refused', () => {
  test('a damaged journal is left out and named; the others are written', async () => {
    writeFileSync(join(cwd, 'rubbish.jsonl'), 'rubbish\n');
    const { exit, out, err } = await tables(
      'run',
      'rubbish.jsonl',
      '-o',
      'some',
      '--only',
      'games',
    );
    expect(exit).toBe(65);
    expect(out).toContain(`${GAMES} journals in some`);
    expect(err).toContain('rubbish.jsonl');
    expect(existsSync(join(cwd, 'some/games.parquet'))).toBe(true);
    expect(existsSync(join(cwd, 'some/seats.parquet'))).toBe(false);
  });

  test.each(['dictionary.md', 'games.csv'])('a foreign %s is left alone', async (name) => {
    const folder = aFolder();
    writeFileSync(join(folder, name), 'mine\n');
    const { exit, err } = await tables('run', '-o', folder, '--tables', 'csv', '--only', 'games');
    expect(exit).toBe(73);
    expect(err).toMatch(failureLine('output/not-ours: '));
    expect(readFileSync(join(folder, name), 'utf8')).toBe('mine\n');
    expect(readdirSync(folder)).toEqual([name]);
  });

  test('tables of an earlier run are written anew, and the dictionary has all that are there', async () => {
    const folder = aFolder();
    for (const table of ['games', 'seats', 'games']) {
      const { exit } = await tables('run', '-o', folder, '--tables', 'csv', '--only', table);
      expect(exit).toBe(0);
    }
    expect(readdirSync(folder).toSorted()).toEqual(['dictionary.md', 'games.csv', 'seats.csv']);
    const dictionary = readFileSync(join(folder, 'dictionary.md'), 'utf8');
    expect(dictionary.match(/^## \w+$/gm)).toEqual(['## games', '## seats']);
  });

  test('a table never replaces a journal, and a failed run never replaces good tables', async () => {
    const folder = aFolder();
    const journal = readFileSync(join(cwd, 'run/0001.jsonl'), 'utf8');
    writeFileSync(join(folder, 'meetings.jsonl'), journal);
    const onto = await tables(folder, '-o', folder, '--tables', 'jsonl', '--only', 'meetings');
    expect(onto.exit).toBe(73);
    expect(readFileSync(join(folder, 'meetings.jsonl'), 'utf8')).toBe(journal);
    const games = join(cwd, 'csv/games.csv');
    const before = readFileSync(games, 'utf8');
    writeFileSync(join(cwd, 'empty.jsonl'), '');
    const empty = await tables('empty.jsonl', '-o', 'csv', '--tables', 'csv', '--only', 'games');
    expect(empty.exit).toBe(65);
    expect(readFileSync(games, 'utf8')).toBe(before);
    expect(readdirSync(join(cwd, 'csv')).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('a journal that is named twice is one', async () => {
    const twice = ['run', 'run/0001.jsonl', './run/0002.jsonl'];
    const { out } = await tables(...twice, '-o', 'twice', '--only', 'games', '--json');
    expect(jsonLines(out)[0]).toMatchObject({ journals: GAMES, rows: { games: GAMES } });
  });

  test('of a torn journal the rows that it has are written, and it is named', async () => {
    const whole = readFileSync(join(cwd, 'run/0001.jsonl'), 'utf8');
    writeFileSync(join(cwd, 'torn.jsonl'), whole.slice(0, Math.floor(whole.length / 2)));
    const { exit, out, err } = await tables('torn.jsonl', '-o', 'torn', '--only', 'games');
    expect(exit).toBe(65);
    expect(out).toContain('1 journal in torn');
    expect(err).toContain('torn.jsonl');
  });

  test('a count of an endpoint that is no whole number is rounded', async () => {
    const rows = readFileSync(join(cwd, 'run/0001.jsonl'), 'utf8').split('\n');
    const [header = '', first = '', ...rest] = rows;
    const call = { id: 0.5, seat: 'red', mode: 'text', ms: 1, usage: { promptTokens: 1.6 } };
    const clocked = first.replace(
      /,"hash":"/,
      `,"clock":${JSON.stringify({ calls: [call] })},"hash":"`,
    );
    writeFileSync(join(cwd, 'odd.jsonl'), [header, clocked, ...rest].join('\n'));
    const { exit, err } = await tables(
      'odd.jsonl',
      '-o',
      'odd',
      '--tables',
      'csv',
      '--only',
      'calls',
    );
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    const [, row = ''] = readFileSync(join(cwd, 'odd/calls.csv'), 'utf8').split('\r\n');
    expect(row.split(',').slice(3)).toEqual([
      '1',
      'red',
      '""',
      '',
      'text',
      '1',
      '2',
      '',
      '',
      '',
      '',
      'false',
    ]);
  });

  test('an unknown table', async () => {
    const { exit, err } = await tables('run', '-o', 'none', '--only', 'games,sheets');
    expect(exit).toBe(2);
    expect(err).toContain('found "sheets"');
  });
});
