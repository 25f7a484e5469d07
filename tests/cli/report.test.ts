/**
 * `glassbox report`: DuckDB finds every number of a report in its tables by its query, and SQLite gives the same rows.
 * Ratings, intervals and everything else that is no sum are computed a second time by other arithmetic.
 */
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import counted from '../../analysis/claims/counts.json' with { type: 'json' };
import { TableDatabase } from '../../analysis/report/database.ts';
import { MEASURES } from '../../analysis/report/measures.ts';
import { GAME_QUERIES, MEASURE_QUERIES, writeViews } from '../../analysis/report/queries.ts';
import { REPORTED, type TableRow } from '../../analysis/tables/columns.ts';
import { CLAIM_TYPES } from '../../prompts/claims/claims.ts';
import {
  fitSkills,
  logistic,
  meanInterval,
  mirrorEffect,
  pointsOf,
  type QueriedGame,
  type QueriedWin,
  type RatioRow,
  shareInterval,
  toPoints,
  wilson,
  winInterval,
} from './reportArithmetic.ts';
import { aPlace } from './session.ts';
import { contents, expectEnd, expectQuiet } from './shell.ts';

const number = z.string().transform(Number).nullable();
/** A line of a CSV file of a report, read as text. */
const cellSchema = z.object({
  id: z.string(),
  value: number,
  least: number,
  most: number,
  unit: z.string(),
  cases: number,
  clusters: number,
  few: z.string().transform((text) => text === 'true'),
  query: z.string().nullable(),
});
type Cell = z.infer<typeof cellSchema>;

const QUERIES = [...GAME_QUERIES, ...MEASURE_QUERIES];

type Row = Readonly<Record<string, unknown>>;

/** A report, and the rows of each of its queries in DuckDB and in SQLite. */
class QueriedReport {
  readonly numbers: readonly Cell[];
  readonly sqlite: TableDatabase;
  readonly #rows: ReadonlyMap<string, readonly Row[]>;

  constructor(
    numbers: readonly Cell[] = [],
    rows: ReadonlyMap<string, readonly Row[]> = new Map(),
    sqlite: TableDatabase = new TableDatabase(),
  ) {
    this.numbers = numbers;
    this.#rows = rows;
    this.sqlite = sqlite;
  }

  rows(query: string): readonly Row[] {
    return this.#rows.get(query) ?? [];
  }

  has(query: string): boolean {
    return this.#rows.has(query);
  }

  of(query: string): readonly Cell[] {
    return this.numbers.filter((cell) => cell.query === query);
  }

  find(id: string): Cell | undefined {
    return this.numbers.find((cell) => cell.id === id);
  }

  rowOf({ query, id }: Cell): Row {
    const row = this.rows(query ?? '').find((one) => one['id'] === id);
    if (row === undefined) throw new Error(`the query ${query} has no ${id}`);
    return row;
  }
}

/** A league of mirrored games without language models, and two games with every option of the report. */
let league = new QueriedReport();
let more = new QueriedReport();

const LEAGUE = `name: cup
seed: 3
games: 32
players: 4
seating: sides
mirror: true
learning: false
personas:
  - { name: 'a/b %', temperament: sceptic }
  - { name: bee, temperament: observer }
  - { name: cat, temperament: leader }
`;

/** A request to a model, as the clock of a line records it. */
const call = (seat: string, more: object) => ({
  id: 1,
  seat,
  requestKind: 'action',
  mode: 'json_schema',
  ms: 1500,
  usage: { promptTokens: 100, completionTokens: 20, cost: 0.004 },
  ...more,
});

const { run, done, path, read, write } = aPlace({ 'cup.yaml': LEAGUE });

beforeAll(async () => {
  await done('league run cup.yaml --store cup.db --out cup -q');
  const asked = '--fault-rate 0.1 --beliefs';
  await done(`run -n 2 --players 6 --seed 4 --out more -q --no-live ${asked}`);
  // Adds requests to a model. No hash covers the clock.
  const [header = '', first = '', ...rest] = read('more/0001.jsonl').split('\n');
  const calls = [
    call('red', {}),
    call('red', { failure: 'timeout', ms: 9000 }),
    call('blue', { repaired: true }),
    call('blue', { usage: {} }),
    call('green', { requestKind: 'belief', usage: { cost: 9 } }),
  ];
  const clocked = first.replace(',"hash":"', `,"clock":${JSON.stringify({ calls })},"hash":"`);
  write('more/0001.jsonl', [header, clocked, ...rest].join('\n'));
  await done('why more/0002.jsonl --meeting 1');
  expectQuiet(await run('report cup --store cup.db --journals cup -o report-cup'));
  expectQuiet(await run('report more -o report-more'));
  league = await askAll('report-cup');
  more = await askAll('report-more');
}, 120_000);

async function askAll(folder: string): Promise<QueriedReport> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const plain = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
  const ask = async (sql: string): Promise<readonly Row[]> => {
    const rows = (await connection.runAndReadAll(sql)).getRowObjectsJS();
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)])),
    );
  };
  await connection.run(writeViews(path(`${folder}/tables`)));
  const rows = new Map<string, readonly Row[]>();
  for (const { name, sql } of QUERIES) rows.set(name, await ask(sql));
  const files = path(`${folder}/csv/*.csv`);
  const cells = await ask(
    `select * from read_csv('${files}', header = true, all_varchar = true, union_by_name = true)`,
  );
  const sqlite = new TableDatabase();
  for (const table of REPORTED)
    for (const row of await ask(`select * from ${table}`)) sqlite.add(table, row as TableRow);
  connection.closeSync();
  const numbers = new Map(cells.map((row) => cellSchema.parse(row)).map((cell) => [cell.id, cell]));
  return new QueriedReport([...numbers.values()], rows, sqlite);
}

const numberSchema = z.number().nullable();
const ratioSchema = z.object({
  value: z.number(),
  cases: z.number(),
  clusters: z.number(),
  error: numberSchema,
});

/** Ten digits: sums in another order differ in the last ones. */
function expectNear(
  found: number | null,
  expected: number | null | undefined,
  what: string,
  digits = 1e-9,
): void {
  if (found === null || expected === null || expected === undefined)
    expect(found, what).toBe(expected ?? null);
  else
    expect(Math.abs(found - expected), `${what}: ${found} is not ${expected}`).toBeLessThan(
      digits * Math.max(1, Math.abs(expected)),
    );
}

function expectInterval(
  cell: Cell,
  interval: readonly number[] | null | undefined,
  digits = 1e-6,
): void {
  expectNear(cell.least, interval?.[0], `${cell.id}, least`, digits);
  expectNear(cell.most, interval?.[1], `${cell.id}, most`, digits);
}

const seatSchema = z.object({
  journal: z.string(),
  seed: z.number(),
  won: z.number(),
  role: z.string(),
  who: z.string(),
});
const games = (query: string): readonly QueriedGame[] => {
  const seats = league.rows(query).map((row) => seatSchema.parse(row));
  return [...Map.groupBy(seats, ({ journal }) => journal).values()].flatMap((own, index) => {
    const of = (role: string) => own.filter((one) => one.role === role).map(({ who }) => who);
    return own.slice(0, 1).map(({ seed, won }) => ({
      ...{ number: index, seed, won, impostors: of('impostor'), crew: of('crewmate') },
    }));
  });
};
const personasIn = (list: readonly QueriedGame[]) => [
  ...new Set(list.flatMap(({ impostors, crew }) => [...impostors, ...crew])),
];
const partOf = (who: string) => who.replaceAll('%', '%25').replaceAll('/', '%2F');

describe('each number equals the result of its query', () => {
  test('there are many, of all kinds, and each names a query that is there', () => {
    expect(league.numbers.length).toBeGreaterThan(150);
    expect(more.numbers.length).toBeGreaterThan(200);
    for (const report of [league, more]) {
      const unknown = report.numbers.filter(({ query }) => query !== null && !report.has(query));
      expect(unknown).toEqual([]);
      expect(new Set(report.numbers.map(({ id }) => id)).size).toBe(report.numbers.length);
    }
  });

  test.each(MEASURES)('$name', ({ name, kind, unit }) => {
    expect(league.of(name).length + more.of(name).length, 'it is tried').toBeGreaterThan(0);
    for (const report of [league, more]) {
      for (const cell of report.of(name)) {
        const row = report.rowOf(cell);
        expectNear(cell.value, numberSchema.parse(row['value']), cell.id);
        expectNear(cell.cases, numberSchema.parse(row['cases']), `${cell.id}, cases`);
        expect(cell.unit).toBe(unit);
        if (kind === 'count') continue;
        const ratio: RatioRow = ratioSchema.parse(row);
        expect(cell.clusters).toBe(ratio.clusters);
        expect(cell.few).toBe(ratio.clusters < 30);
        const interval = kind === 'share' ? shareInterval(ratio) : meanInterval(ratio);
        const isBound = unit === 'odds' || unit === 'score';
        const clamp = (end: number) => (isBound ? Math.min(1, Math.max(0, end)) : end);
        expectInterval(cell, interval?.map(clamp));
      }
    }
  });

  test.each(QUERIES)('SQLite and DuckDB give the same rows for $name', ({ name, sql }) => {
    for (const report of [league, more]) {
      const rows = report.sqlite.ask(z.record(z.string(), z.unknown()), sql);
      expect(rows).toHaveLength(report.rows(name).length);
      for (const [index, row] of report.rows(name).entries()) {
        const own = rows[index] ?? {};
        expect(Object.keys(own)).toEqual(Object.keys(row));
        for (const [column, value] of Object.entries(row)) {
          const found = own[column];
          if (typeof found === 'number' && typeof value === 'number')
            expectNear(found, value, `${name}, ${column}`);
          else expect(found, `${name}, ${column}`).toBe(value);
        }
      }
    }
  });

  test('a query names its figures by its measure, each once', () => {
    for (const { name } of MEASURES) {
      const ids = more.rows(name).map(({ id }) => z.string().parse(id));
      expect(ids.filter((id) => !id.startsWith(`${name}/`))).toEqual([]);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  test('the amounts of data match their queries, and none is 0', () => {
    for (const cell of more.of('data'))
      expectNear(cell.value, numberSchema.parse(more.rowOf(cell)['value']), cell.id);
    expect(more.of('data').map(({ value }) => value)).not.toContain(0);
    expect(league.find('data/journals')?.value).toBe(32);
  });

  test('ratings, by another way to fit the same model', () => {
    const list = games('ratings');
    const personas = personasIn(list);
    const fit = fitSkills(list, personas);
    for (const who of personas) {
      const own = fit.of(who);
      for (const role of ['overall', 'impostor', 'crewmate'] as const) {
        const cell = league.find(`ratings/${partOf(who)}/${role}`);
        expectNear(cell?.value ?? null, toPoints(own[role].mean), `${who} ${role}`, 1e-7);
        const reach = 1.959964 * pointsOf(own[role].error);
        if (cell !== undefined)
          expectInterval(cell, [
            toPoints(own[role].mean) - reach,
            toPoints(own[role].mean) + reach,
          ]);
      }
    }
    const sides = league.find('ratings/between equals');
    const { mean, error } = fit.sides;
    expectNear(sides?.value ?? null, logistic(mean), 'between equals', 1e-7);
    if (sides !== undefined)
      expectInterval(sides, [logistic(mean - 1.959964 * error), logistic(mean + 1.959964 * error)]);
    expect(league.of('ratings')).toHaveLength(3 * personas.length + 1);
  });

  test('games won, with intervals that know of mirrors', () => {
    const winSchema = z.object({
      who: z.string(),
      role: z.string(),
      size: z.number(),
      seed: z.number(),
      won: z.number(),
    });
    const wins = league.rows('wins').map((row) => winSchema.parse(row));
    const personas = [...new Set(wins.map(({ who }) => who))];
    let tried = 0;
    for (const size of [null, ...new Set(wins.map((one) => one.size))]) {
      for (const role of ['all', 'impostor', 'crewmate']) {
        const shareOf = (who: string): readonly QueriedWin[] =>
          wins.filter(
            (one) =>
              one.who === who &&
              (size === null || one.size === size) &&
              (role === 'all' || one.role === role),
          );
        const effect = mirrorEffect(personas.map(shareOf));
        for (const who of personas) {
          const id = ['wins', partOf(who), role, ...(size === null ? [] : [size])].join('/');
          const cell = league.find(id);
          if (cell === undefined) continue;
          const share = shareOf(who);
          expectNear(cell.value, share.reduce((sum, { won }) => sum + won, 0) / share.length, id);
          expect(cell.cases).toBe(share.length);
          expectInterval(cell, winInterval(share, effect));
          tried += 1;
        }
      }
    }
    expect(tried).toBe(league.of('wins').length);
  });

  test('held-out games, predicted by the other fit', () => {
    const list = games('prediction');
    const personas = personasIn(list);
    const seeds = [...new Set(list.map(({ seed }) => seed))];
    const early = new Set(seeds.slice(0, Math.floor(0.7 * seeds.length)));
    const [fitted, held] = [
      list.filter(({ seed }) => early.has(seed)),
      list.filter(({ seed }) => !early.has(seed)),
    ];
    const { chanceOf } = fitSkills(fitted, personas);
    const usual = fitted.filter(({ won }) => won === 1).length / fitted.length;
    const mean = (values: readonly number[]) =>
      values.reduce((sum, one) => sum + one, 0) / values.length;
    const expected = {
      brier: mean(held.map((game) => (chanceOf(game) - game.won) ** 2)),
      baseline: mean(held.map((game) => (usual - game.won) ** 2)),
      gain: mean(held.map((game) => (usual - game.won) ** 2 - (chanceOf(game) - game.won) ** 2)),
    };
    for (const [part, value] of Object.entries(expected)) {
      const cell = league.find(`prediction/${part}`);
      expectNear(cell?.value ?? null, value, part, 1e-7);
    }
    const ordered = held.map(chanceOf).toSorted((one, other) => one - other);
    for (let bin = 0; bin < 5; bin++) {
      const own = ordered.filter((_, index) => Math.floor((5 * index) / ordered.length) === bin);
      const cell = league.find(`prediction/predicted/${bin + 1}`);
      expectNear(cell?.value ?? null, mean(own), `part ${bin + 1}`, 1e-7);
    }
  });

  test('the number of games needed to tell 50 points apart matches the formula of power', () => {
    const list = games('power');
    const personas = personasIn(list);
    const fit = fitSkills(list, personas);
    for (const role of ['overall', 'impostor', 'crewmate'] as const) {
      const variances = personas.map((who) => pointsOf(fit.of(who)[role].error) ** 2);
      const errors = variances
        .flatMap((one, index) =>
          variances
            .slice(index + 1)
            .map((other) => Math.sqrt(((one + other) * personas.length) / (personas.length - 1))),
        )
        .toSorted((one, other) => one - other);
      const half = (errors.length - 1) / 2;
      const median = ((errors[Math.floor(half)] ?? 0) + (errors[Math.ceil(half)] ?? 0)) / 2;
      const prior = (role === 'overall' ? 1 : 2) * pointsOf(1) ** 2;
      const perGame = (1 / median ** 2 - 1 / prior) / list.length;
      const needed = ((1.959964 + 0.841621) ** 2 / 50 ** 2 - 1 / prior) / perGame;
      const found = (part: string) => league.find(`power/${role}/${part}`)?.value ?? null;
      expectNear(found('told'), 2.801585 * median, `${role}, told now`, 1e-6);
      expectNear(found('needed'), Math.ceil(needed), `${role}, needed`, 1e-3);
      expectNear(
        found('more'),
        Math.max(0, Math.ceil(needed) - list.length),
        `${role}, more`,
        1e-3,
      );
      expect(found('games')).toBe(list.length);
    }
  });

  test('the quality of the reader of claims does not depend on these journals', () => {
    const others = more.numbers.filter(({ query }) => query === null);
    expect(others).toHaveLength(2 * CLAIM_TYPES.length);
    for (const type of CLAIM_TYPES) {
      const { kept, recorded } = counted.counts['held-out'];
      const sum = (name: 'right' | 'wrong' | 'missed') => kept[type][name] + recorded[type][name];
      const right = sum('right');
      for (const [name, all] of [
        ['precision', right + sum('wrong')],
        ['recall', right + sum('missed')],
      ] as const) {
        const cell = others.find(({ id }) => id === `reader/${type}/${name}`);
        expectNear(cell?.value ?? null, right / all, `${type} ${name}`);
        if (cell !== undefined) expectInterval(cell, wilson(right / all, all));
      }
    }
  });
});

describe('the folder', () => {
  test('has a page without scripts that leads to a CSV file for each table and to the query of each number', () => {
    const files = contents(path('report-more'));
    const page = read('report-more/index.html');
    expect(page).not.toMatch(/<script|src=|@import|url\(/i);
    for (const { id, query } of more.numbers) {
      const title = id.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      expect(page).toContain(` title="${title}">`);
      if (query !== null) expect(page).toContain(`id="query-${query}"`);
    }
    const linked = [...page.matchAll(/href="(csv\/[\w-]+\.csv)"/g)].map(([, file = '']) => file);
    expect(linked.toSorted()).toEqual(files.filter((file) => file.startsWith('csv/')).toSorted());
    expect(linked.length).toBeGreaterThan(10);
    expect(files.filter((file) => file.includes('.part'))).toEqual([]);
  });

  test('is the same to the byte wherever it is written, by whatever paths the journals are named', async () => {
    await aPlace().done(`report ${path('more')} -o ${path('again')}`);
    const files = contents(path('report-more'));
    expect(contents(path('again'))).toEqual(files);
    for (const file of files.filter((one) => one.includes('.'))) {
      const bytes = readFileSync(path(`report-more/${file}`));
      expect(readFileSync(path(`again/${file}`)).equals(bytes), file).toBe(true);
    }
    rmSync(path('again'), { recursive: true });
  });

  test('of a league: its results name the journals, and its leaderboard is the one that `league show` prints', async () => {
    const interval = { least: z.number(), most: z.number() };
    const rating = z.object({ value: z.number(), ...interval });
    const share = z.object({ interval: z.object({ share: z.number(), ...interval }) });
    const row = z.object({
      id: z.string(),
      rating: z.object({ overall: rating, impostor: rating, crewmate: rating }),
      all: share,
      roles: z.object({ impostor: share, crewmate: share }),
    });
    const shown = JSON.parse(await done('league show cup --store cup.db --json'));
    const rows = z.array(row).parse(shown.rows);
    expect(rows).toHaveLength(3);
    for (const { id, rating: ratings, all, roles } of rows) {
      const expectCell = (name: string, value: number, ends: { least: number; most: number }) => {
        const cell = league.find(name);
        expectNear(cell?.value ?? null, value, name);
        expectNear(cell?.least ?? null, ends.least, name);
        expectNear(cell?.most ?? null, ends.most, name);
      };
      for (const [role, one] of Object.entries(ratings))
        expectCell(`ratings/${partOf(id)}/${role}`, one.value, one);
      for (const [role, one] of Object.entries({ all, ...roles }))
        expectCell(`wins/${partOf(id)}/${role}`, one.interval.share, one.interval);
    }
  });
});

describe('what is refused', () => {
  test('a journal that is damaged, torn or goes on is named and left out; one that is there twice is counted once', async () => {
    const whole = read('more/0001.jsonl');
    const folder = aPlace({
      'a.jsonl': whole,
      'rubbish.jsonl': 'rubbish\n',
      'torn.jsonl': whole.slice(0, whole.length - 40),
      'twin.jsonl': whole,
      'goes-on.jsonl': `${whole.split('\n').slice(0, 40).join('\n')}\n`,
    });
    const found = await folder.run('report . -o out');
    const twin = 'twin.jsonl is the same match as ';
    expectEnd(found, 65, 'rubbish.jsonl', 'torn.jsonl', twin);
    expect(found.err).toContain('goes-on.jsonl: expected a match that was played to its end');
    expect(found.out).toMatch(/^\d+ numbers of 1 journal in out: open out\/index\.html\n$/);
  });

  test('a report without a usable journal leaves the earlier files alone', async () => {
    const before = read('report-more/queries.sql');
    write('empty.jsonl', '');
    expectEnd(await run('report empty.jsonl -o report-more'), 65);
    expect(read('report-more/queries.sql')).toBe(before);
  });

  test.each(['index.html', 'queries.sql', 'csv/power.csv', 'tables/games.parquet'])(
    'a foreign %s is left alone',
    async (name) => {
      const folder = aPlace({ [name]: 'mine\n' });
      const found = await run(`report more -o ${folder.cwd}`);
      expectEnd(found, 73, / exists and was not written by glassbox: .*\[output\/not-ours\]/);
      expect(contents(folder.cwd).filter((file) => file.includes('.'))).toEqual([name]);
      expect(folder.read(name)).toBe('mine\n');
    },
  );

  test('a report of ours is written anew, without the tables that it no longer has', async () => {
    const folder = aPlace();
    await done(`report more -o ${folder.cwd}`);
    expect(existsSync(folder.path('csv/beliefs.csv'))).toBe(true);
    await done(`report cup/0001.jsonl -o ${folder.cwd}`);
    expect(existsSync(folder.path('csv/beliefs.csv'))).toBe(false);
  });

  test('only CSV files of a report are removed, and none behind a link', async () => {
    const folder = aPlace({ 'elsewhere/kept.jsonl': 'mine\n' });
    await done(`report more -o ${folder.path('out')}`);
    folder.write('out/csv/notes.csv', 'mine\n');
    await done(`report cup/0001.jsonl -o ${folder.path('out')}`);
    expect(folder.read('out/csv/notes.csv')).toBe('mine\n');
    rmSync(folder.path('out/csv'), { recursive: true });
    symlinkSync('../elsewhere', folder.path('out/csv'));
    const found = await run(`report more -o ${folder.path('out')}`);
    expectEnd(found, 73, /csv is a link to another folder: .*\[output\/not-ours\]/);
    expect(contents(folder.path('elsewhere'))).toEqual(['kept.jsonl']);
  });

  test('a league with a foreign or missing journal', async () => {
    const duo = aPlace({ 'duo.yaml': LEAGUE.replace('games: 32', 'games: 2') });
    await duo.done('league run duo.yaml --store duo.db --out duo -q');
    duo.write('duo/0002.jsonl', read('more/0002.jsonl'));
    const report = 'report cup --store duo.db --journals duo -o';
    const other = /0002\.jsonl: expected the journal that the result .*\[report\/other-journal\]/;
    expectEnd(await duo.run(`${report} wrong`), 65, other);
    rmSync(duo.path('duo/0002.jsonl'));
    const absent = await duo.run(`${report} none`);
    expectEnd(absent, 66, /league fetch cup .*\[report\/no-journals\]/);
    expect(existsSync(duo.path('none'))).toBe(false);
  });

  test.each([
    ['more --only games', 2, '--only: add --tables'],
    ['more --wide', 2, '--wide: add --stats or --deduce'],
    ['more --stats --deduce', 2, 'expected one of --stats, --deduce and --tables'],
    ['more --stats --out x', 2, '--out: nothing is written with --stats'],
    ['more --tables csv --title x', 2, '--title: only the page has a title'],
    ['absent.jsonl -o none', 66, ''],
    ['absent -o none', 66, /found neither .* nor a league .*\[report\/nothing\]/],
    ['cup more --store cup.db -o none', 2, ''],
    ['cup.yaml -o none', 65, ''],
    ['more -o /proc/none', 73, ''],
  ])('report %s', async (words, exit, sentence) => {
    expectEnd(await run(`report ${words}`), exit, sentence);
    expect(existsSync(path('none'))).toBe(false);
  });
});
