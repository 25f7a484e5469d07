import { describe, expect, test } from 'vitest';
import {
  describeTested,
  hashPlan,
  listTables,
  prepareTable,
  type TestedMind,
  testedSchema,
} from '../../../analysis/benchmark/definition.ts';
import { MOST_TABLES, STANDARD_TABLES } from '../../../analysis/benchmark/sizes.ts';
import { prepare } from '../../../machines/setup/prepare.ts';
import { COLOURS } from '../../../machines/types.ts';
import { seeds } from '../../support/seeds.ts';

const all = listTables(MOST_TABLES);

const countBy = <T>(items: readonly T[], key: (item: T) => string) =>
  Object.fromEntries(
    [...Map.groupBy(items, key)].map(([name, { length }]) => [name, length] as const).toSorted(),
  );

describe('the plan of the benchmark', () => {
  test('the plan is frozen: the hash of its tables, pool and tested persona has not changed', () => {
    expect(STANDARD_TABLES.map((tables) => hashPlan(tables).slice(0, 16))).toEqual([
      '3b065efcb8d41c7e',
      '8b02cfe3bdf4ac86',
      '7c2a876e6386c4c4',
    ]);
  });

  test('a short run is a prefix of a long one', () => {
    expect(all.slice(0, 50)).toEqual(listTables(50));
  });

  test('has each size, rule set and role equally often, and no seed twice', () => {
    const cells = countBy(
      all.slice(0, 996),
      ({ players, rules, role }) => `${players} ${rules} ${role}`,
    );
    expect(Object.values(cells)).toEqual(Array(12).fill(83));
    expect(new Set(all.map(({ seed }) => seed)).size).toBe(MOST_TABLES);
    expect(all.every(({ seed }) => Number.isSafeInteger(seed))).toBe(true);
  });

  test('can be played at every table, with the impostors that its rules have', () => {
    for (const table of all.slice(0, seeds(120, MOST_TABLES))) {
      const { match, seed } = prepareTable(table, { mind: 'scripted', temperament: 'leader' });
      const impostors = match.seats.filter(({ role }) => role === 'impostor');
      expect(match.seats.map(({ colour }) => colour)).toEqual(COLOURS.slice(0, table.players));
      expect(impostors.length).toBe(table.players === 5 ? 1 : 2);
      expect(match.seats.find(({ colour }) => colour === table.seat)?.role).toBe(table.role);
      expect(prepare(match, seed).ok).toBe(true);
    }
  });

  test('deals colours and temperaments evenly: none has a tenth more than another has less', () => {
    const temperaments = countBy(
      all.flatMap(({ others }) => others),
      ({ temperament }) => temperament,
    );
    const mean = all.reduce((sum, { others }) => sum + others.length, 0) / 7;
    for (const count of Object.values(temperaments)) expect(count / mean).toBeCloseTo(1, 0.1);
    const seats = countBy(
      all.filter(({ players }) => players === 5),
      ({ seat }) => seat,
    );
    expect(Object.keys(seats).length).toBe(5);
    for (const count of Object.values(seats)) expect(count).toBeGreaterThan(40);
  });

  test('the benchmark gives every mind the same tables except for the tested seat', () => {
    const minds: readonly TestedMind[] = [
      { mind: 'scripted', temperament: 'joker' },
      { mind: 'openai', model: 'a', endpoint: 'openai', temperature: 1 },
      { mind: 'command', name: 'mine' },
      { mind: 'http', name: 'mine' },
      { mind: 'module', name: 'mine' },
    ];
    for (const table of all.slice(0, 12)) {
      const games = minds.map((mind) => prepareTable(table, mind));
      const others = games.map(({ match }) =>
        match.seats.filter(({ colour }) => colour !== table.seat),
      );
      for (const seats of others) expect(seats).toEqual(others[0]);
      expect(new Set(games.map(({ seed }) => seed)).size).toBe(1);
    }
  });
});

describe('a tested mind', () => {
  const seat = { colour: 'red', votes: 'freely', notes: '' } as const;

  test.each([
    [undefined, 'openai'],
    ['https://openrouter.ai/api/v1', 'openrouter'],
    ['http://localhost:11434/v1', 'this machine'],
    ['http://127.0.0.1:8080/v1', 'this machine'],
    ['http://[::1]:8080/v1', 'this machine'],
    ['http://192.168.1.7/v1', 'a private network'],
    ['http://172.16.0.1/v1', 'a private network'],
    ['http://172.15.0.1/v1', 'another host'],
    ['http://gpu-box/v1', 'a private network'],
    ['http://gpu.lan/v1', 'a private network'],
    ['https://secret-token.example.com/v1', 'another host'],
  ])('at %s says of its endpoint no more than "%s"', (base_url, endpoint) => {
    const asked = { ...seat, mind: 'openai', model: 'm', key: 'A_KEY', base_url } as const;
    expect(describeTested(asked, 'x')).toEqual({ mind: 'openai', model: 'm', endpoint });
  });

  test('of the operator says its name, and neither its program nor its folder', () => {
    const own = { ...seat, mind: 'command', command: '/home/me/mind', folder: '/home/me' } as const;
    expect(describeTested(own, 'mine')).toEqual({ mind: 'command', name: 'mine' });
  });
});

test.each([
  ['mine', true],
  ['Grüße 2', true],
  ['scripted_cold_sceptic', false],
  ['anchor_oracle', false],
  ['mine\u{202E}', false],
  ['', false],
])('an own mind may be called %j: %s', (name, isAllowed) => {
  expect(testedSchema.safeParse({ mind: 'command', name }).success).toBe(isAllowed);
});

test('a model has no invisible characters in its name', () => {
  const named = (model: string) =>
    testedSchema.safeParse({ mind: 'openai', model, endpoint: 'openai' }).success;
  expect([named('gpt-5'), named('gpt-5\u{200B}'), named('')]).toEqual([true, false, false]);
});
