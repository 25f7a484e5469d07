/** `glassbox report --tables`: queries in DuckDB agree with the counts from the journals, in every format. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { columnsOf, REPORTED, TABLE_NAMES } from '../../analysis/tables/columns.ts';
import { openTable, TABLE_FORMATS } from '../../analysis/tables/formats.ts';
import { testLong } from '../support/seeds.ts';
import { aPlace } from './session.ts';
import { expectEnd, expectQuiet, jsonLines } from './shell.ts';

const GAMES = 3;
const { run, done, path, read, write } = aPlace();

const tables = (words: string, format = 'parquet') => run(`report --tables ${format} ${words}`);

beforeAll(async () => {
  const asked = '--no-live --fault-rate 0.1 --beliefs tick';
  await done(`run -n ${GAMES} --players 6 --seed 4 --out run -q ${asked}`);
  await done('why run/0001.jsonl --meeting 1');
  for (const format of ['parquet', 'csv', 'jsonl'])
    expectQuiet(await tables(`run -o ${format} --deduce`, format));
});

/** The rows of a DuckDB query on the tables of a format, with large integers as numbers. */
async function query(
  format: string,
  sql: string,
  { folder = format, names = REPORTED } = {},
): Promise<readonly Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  for (const name of names) {
    const file = path(`${folder}/${name}.${format}`);
    const types = columnsOf(name).map(
      ({ name: column, type }) => `'${column}': '${DUCKDB_TYPES[type]}'`,
    );
    const from =
      format === 'parquet'
        ? `read_parquet('${file}')`
        : format === 'csv'
          ? `read_csv('${file}', header = true, nullstr = '', allow_quoted_nulls = false, columns = {${types.join()}})`
          : `read_json('${file}', format = 'newline_delimited', columns = {${types.join()}})`;
    await connection.run(`create view ${name} as select * from ${from}`);
  }
  const reader = await connection.runAndReadAll(sql);
  const rows = reader.getRowObjectsJS();
  connection.closeSync();
  const plain = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)])),
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

describe('the rows of the tables', () => {
  test('add up to the counts of `stats`', async () => {
    const [stats] = jsonLines(await done('report --stats run --json'));
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
      ejections: { hits: found?.['ejections'], cases: found?.['meetings'] },
      right_ejections: { hits: found?.['right_ejections'], cases: found?.['ejections'] },
    });
  });

  test('hold the beliefs that `stats` scores', async () => {
    const stats = jsonLines(await done('report --stats run --json'));
    const [{ beliefs }] = statsSchema.parse(stats);
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

  testLong('are the same in every format, table by table', async () => {
    for (const name of REPORTED) {
      const all = `select * from ${name}`;
      const rows = await query('parquet', all);
      expect(await query('jsonl', all)).toEqual(rows);
      expect(await query('csv', all)).toEqual(rows);
      if (name !== 'calls') expect(rows.length, name).toBeGreaterThan(0);
    }
  });

  test('name the journal, line and hash that they come from', async () => {
    const rows = await query(
      'parquet',
      REPORTED.map((name) => `select journal, line, hash from ${name}`).join(' union '),
    );
    const texts = new Map<string, readonly string[]>();
    for (const { journal, line, hash } of rows) {
      const name = String(journal);
      const lines = texts.get(name) ?? read(`run/${name}`).split('\n');
      texts.set(name, lines);
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
        (select count(*) from bids where has_voted) > 0 and not exists (
          from bids where has_voted and tick = 0) as voted,
        (select bool_and(abs(total - desire_points - named_points - addressed_points - silence_points
          - die_points - just_spoke_points - voted_points) < 1e-9) from bids where total is not null) as totals`,
    );
    expect(sums).toEqual({
      bids: true,
      messages: true,
      ballots: true,
      kills: true,
      floors: true,
      voted: true,
      totals: true,
    });
  });
});

describe('for other people', () => {
  test('tables from two folders are equal, and no folder is in them', async () => {
    const journals = Object.fromEntries(
      ['0001', '0002'].map((name) => [`${name}.jsonl`, read(`run/${name}.jsonl`)]),
    );
    const other = aPlace(journals);
    for (const format of ['csv', 'jsonl']) {
      const only = '--only games,seats,messages';
      expectEnd(await tables(`run/0001.jsonl run/0002.jsonl -o mine ${only}`, format), 0);
      expectEnd(await other.run(`report --tables ${format} ${other.cwd} -o theirs ${only}`), 0);
      for (const table of ['games', 'seats', 'messages'])
        expect(other.read(`theirs/${table}.${format}`)).toBe(read(`mine/${table}.${format}`));
    }
  });

  test('journals of one name in two folders are told apart by their games', async () => {
    const [first, second] = ['0001', '0002'].map((name) => read(`run/${name}.jsonl`));
    const { cwd, ...place } = aPlace();
    for (const [folder, text] of Object.entries({ ann: first, bob: second, cy: first })) {
      mkdirSync(`${cwd}/${folder}`);
      place.write(`${folder}/game.jsonl`, text ?? '');
    }
    const found = await place.run('report --tables jsonl ann bob cy -o out --only games');
    expectEnd(found, 0, 'counted once');
    const names = jsonLines(place.read('out/games.jsonl')).map(
      (row) => z.looseObject({ journal: z.string() }).parse(row).journal,
    );
    expect([names.length, new Set(names).size]).toEqual([2, 2]);
    for (const name of names) expect(name).toMatch(/^game\.jsonl#[0-9a-f]{12}$/);
  });

  test('requests are written if they are asked for, with a prompt and answer for each reply', async () => {
    expect(existsSync(path('jsonl/requests.jsonl'))).toBe(false);
    expectEnd(await tables('run/0001.jsonl -o asked --only requests,orders,bids', 'jsonl'), 0);
    const rows = (table: string) =>
      z.array(z.record(z.string(), z.unknown())).parse(jsonLines(read(`asked/${table}.jsonl`)));
    const requests = rows('requests');
    const place = (row: Record<string, unknown>) => `${row['hash']} ${row['seat']}`;
    const replies = [...rows('orders'), ...rows('bids')];
    expect(requests.map(place).toSorted()).toEqual(replies.map(place).toSorted());
    expect(requests.every(({ system, user }) => system !== '' && user !== '')).toBe(true);
    expect(
      requests
        .filter(({ answer }) => answer === null)
        .map(place)
        .toSorted(),
    ).toEqual(
      replies
        .filter(({ fault }) => fault !== null)
        .map(place)
        .toSorted(),
    );
  });

  test.each(TABLE_FORMATS)('every empty table is a file with its columns in %s', async (format) => {
    const folder = `empty-${format}`;
    mkdirSync(path(folder));
    for (const table of TABLE_NAMES) {
      const parts: Uint8Array[] = [];
      openTable(table, format, (part) => parts.push(part)).close();
      write(`${folder}/${table}.${format}`, Buffer.concat(parts));
    }
    for (const table of TABLE_NAMES)
      expect(await query(format, `select * from ${table}`, { folder, names: [table] })).toEqual([]);
  });
});

describe('what is refused', () => {
  test('a damaged journal is left out and named; the others are written', async () => {
    write('rubbish.jsonl', 'rubbish\n');
    const found = await tables('run rubbish.jsonl -o some --only games');
    expectEnd(found, 65, 'rubbish.jsonl');
    expect(found.out).toContain(`${GAMES} journals in some`);
    expect(existsSync(path('some/games.parquet'))).toBe(true);
    expect(existsSync(path('some/seats.parquet'))).toBe(false);
  });

  test.each(['dictionary.md', 'games.csv'])('a foreign %s is left alone', async (name) => {
    const folder = aPlace({ [name]: 'mine\n' });
    const found = await tables(`run -o ${folder.cwd} --only games`, 'csv');
    expectEnd(found, 73, 'output/not-ours: ');
    expect(folder.read(name)).toBe('mine\n');
    expect(readdirSync(folder.cwd)).toEqual([name]);
  });

  test('tables of an earlier run are written anew, and the dictionary has all that are there', async () => {
    const folder = aPlace();
    for (const table of ['games', 'seats', 'games'])
      expectEnd(await tables(`run -o ${folder.cwd} --only ${table}`, 'csv'), 0);
    const files = readdirSync(folder.cwd);
    expect(files.toSorted()).toEqual(['dictionary.md', 'games.csv', 'seats.csv']);
    const dictionary = folder.read('dictionary.md');
    expect(dictionary.match(/^## \w+$/gm)).toEqual(['## games', '## seats']);
  });

  test('a table never replaces a journal, and a failed run never replaces good tables', async () => {
    const journal = read('run/0001.jsonl');
    const folder = aPlace({ 'meetings.jsonl': journal });
    expectEnd(await folder.run('report . -o . --tables jsonl --only meetings'), 73);
    expect(folder.read('meetings.jsonl')).toBe(journal);
    const before = read('csv/games.csv');
    write('empty.jsonl', '');
    expectEnd(await tables('empty.jsonl -o csv --only games', 'csv'), 65);
    expect(read('csv/games.csv')).toBe(before);
    expect(readdirSync(path('csv')).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('a journal that is named twice is one', async () => {
    const twice = 'run run/0001.jsonl ./run/0002.jsonl';
    const { out } = await tables(`${twice} -o twice --only games --json`);
    expect(jsonLines(out)[0]).toMatchObject({ journals: GAMES, rows: { games: GAMES } });
  });

  test('of a torn journal the rows that it has are written, and it is named', async () => {
    const whole = read('run/0001.jsonl');
    write('torn.jsonl', whole.slice(0, Math.floor(whole.length / 2)));
    const found = await tables('torn.jsonl -o torn --only games');
    expectEnd(found, 65, 'torn.jsonl');
    expect(found.out).toContain('1 journal in torn');
  });

  test('a count of an endpoint that is no whole number is rounded', async () => {
    const [header = '', first = '', ...rest] = read('run/0001.jsonl').split('\n');
    const call = { id: 0.5, seat: 'red', mode: 'text', ms: 1, usage: { promptTokens: 1.6 } };
    const clock = JSON.stringify({ calls: [call] });
    const clocked = first.replace(/,"hash":"/, `,"clock":${clock},"hash":"`);
    write('odd.jsonl', [header, clocked, ...rest].join('\n'));
    expectQuiet(await tables('odd.jsonl -o odd --only calls', 'csv'));
    const [, row = ''] = read('odd/calls.csv').split('\r\n');
    expect(row.split(',').slice(3).join()).toBe('1,red,"",,text,1,2,,,,,false');
  });

  test('an unknown table', async () => {
    expectEnd(await tables('run -o none --only games,sheets'), 2, 'found "sheets"');
  });
});
