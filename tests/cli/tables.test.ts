/** `glassbox tables`: what DuckDB finds in them is what is counted of the journals, in every format. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, test } from 'vitest';
import { columnsOf, TABLE_NAMES } from '../../analysis/tables/columns.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, failureLine, jsonLines } from './shell.ts';

const GAMES = 3;
let cwd = '';

const tables = (...args: readonly string[]) => warmGlassbox(['tables', ...args], { cwd });

beforeAll(async () => {
  cwd = aFolder();
  const args = ['run', '-n', String(GAMES), '--players', '6', '--seed', '4', '--out', 'run', '-q'];
  expect((await warmGlassbox([...args, '--no-live', '--fault-rate', '0.1'], { cwd })).exit).toBe(0);
  expect((await warmGlassbox(['why', 'run/0001.jsonl', '--meeting', '1'], { cwd })).exit).toBe(0);
  for (const format of ['parquet', 'csv', 'jsonl']) {
    const { exit, err } = await tables('run', '-o', format, '--format', format, '--deduce');
    expect(err).toBe('');
    expect(exit).toBe(0);
  }
});

/** What DuckDB says of the tables of a format: the rows of a query, with large numbers as numbers. */
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

const DUCKDB_TYPES = { text: 'VARCHAR', whole: 'BIGINT', number: 'DOUBLE', flag: 'BOOLEAN' };

describe('what is in them', () => {
  test('is what `stats` counts', async () => {
    const [stats] = jsonLines((await warmGlassbox(['stats', 'run', '--json'], { cwd })).out);
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

  test('is the same in every format, table by table', async () => {
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

  test('adds up: bids, messages and ballots are those of their ticks and meetings', async () => {
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

  test('files that are none of ours are left alone', async () => {
    const mine = join(cwd, 'mine');
    expect((await tables('run', '-o', 'mine', '--format', 'csv', '--only', 'games')).exit).toBe(0);
    expect((await tables('run', '-o', 'mine', '--format', 'csv', '--only', 'games')).exit).toBe(0);
    rmSync(join(mine, 'dictionary.md'));
    const again = await tables('run', '-o', 'mine', '--format', 'csv', '--only', 'games');
    expect(again.exit).toBe(73);
    expect(again.err).toMatch(failureLine('tables/not-ours: '));
  });

  test('an unknown table', async () => {
    const { exit, err } = await tables('run', '-o', 'none', '--only', 'games,sheets');
    expect(exit).toBe(2);
    expect(err).toContain('found "sheets"');
  });
});
