/** The schedule: everybody has as much of everything as everybody else. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  makeSchedule,
  type ScheduledGame,
  type ScheduledTable,
  type ScheduleTerms,
} from '../../../actors/league/schedule.ts';
import { COLOURS } from '../../../machines/types.ts';

function terms(given: Partial<ScheduleTerms> = {}): ScheduleTerms {
  return {
    seed: 3,
    games: 160,
    personas: 16,
    players: 7,
    impostors: 2,
    seating: 'mixed',
    mirror: false,
    compare: [],
    ...given,
  };
}

/** How often each key comes, as the least and the most of all that are possible. */
function spread(keys: readonly string[], possible: readonly string[]) {
  const counts = new Map(possible.map((key) => [key, 0]));
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return { least: Math.min(...counts.values()), most: Math.max(...counts.values()) };
}

function spreads(fixtures: readonly ScheduledGame[], { personas, players }: ScheduleTerms) {
  const ids = Array.from({ length: personas }, (_, id) => String(id));
  const places = fixtures.flatMap(({ table }) => table);
  const colours = COLOURS.slice(0, players);
  const pairs = ids.flatMap((one) =>
    ids.flatMap((other) => (one < other ? [`${one} ${other}`] : [])),
  );
  const met = (tables: readonly ScheduledTable[]) =>
    tables.flatMap((table) =>
      table.flatMap(({ persona: one }) =>
        table.flatMap(({ persona: other }) =>
          String(one) < String(other) ? [`${one} ${other}`] : [],
        ),
      ),
    );
  return {
    games: spread(
      places.map(({ persona }) => String(persona)),
      ids,
    ),
    impostor: spread(
      places.filter(({ role }) => role === 'impostor').map(({ persona }) => String(persona)),
      ids,
    ),
    colours: spread(
      places.map(({ persona, colour }) => `${persona} ${colour}`),
      ids.flatMap((id) => colours.map((colour) => `${id} ${colour}`)),
    ),
    met: spread(met(fixtures.map(({ table }) => table)), pairs),
    partners: spread(
      met(fixtures.map(({ table }) => table.filter(({ role }) => role === 'impostor'))),
      pairs,
    ),
  };
}

describe('a schedule', () => {
  test.each([
    { games: 160, personas: 16, slack: { games: 0, impostor: 2, colours: 2, met: 4, partners: 3 } },
    {
      games: 1600,
      personas: 16,
      slack: { games: 0, impostor: 2, colours: 2, met: 4, partners: 4 },
    },
    { games: 200, personas: 10, slack: { games: 0, impostor: 2, colours: 3, met: 4, partners: 3 } },
  ])('of $games games for $personas is even', ({ games, personas, slack }) => {
    const given = terms({ games, personas });
    const found = spreads(makeSchedule(given), given);
    for (const [name, { least, most }] of Object.entries(found)) {
      expect(most - least, `${name}: ${least} to ${most}`).toBeLessThanOrEqual(
        Reflect.get(slack, name),
      );
    }
  });

  test('is a value of its terms', () => {
    expect(makeSchedule(terms())).toEqual(makeSchedule(terms()));
    expect(makeSchedule(terms({ seed: 4 }))).not.toEqual(makeSchedule(terms()));
  });

  test('begins as a shorter one does', () => {
    expect(makeSchedule(terms({ games: 40 }))).toEqual(makeSchedule(terms()).slice(0, 40));
  });

  test('seats as many as there are, each colour once, for any terms', () => {
    const any = fc.record({
      seed: fc.nat(),
      games: fc.integer({ min: 1, max: 12 }),
      personas: fc.integer({ min: 2, max: 20 }),
      players: fc.integer({ min: 4, max: 15 }),
      impostors: fc.integer({ min: 1, max: 3 }),
      seating: fc.constantFrom('mixed' as const, 'sides' as const),
      mirror: fc.boolean(),
      compare: fc.constantFrom([], [[0, 1]] as const),
    });
    fc.assert(
      fc.property(any, (given) => {
        const fixtures = makeSchedule(given);
        expect(fixtures.map(({ slot }) => slot)).toEqual([...fixtures.keys()]);
        expect(fixtures.length).toBe(given.games);
        for (const { table } of fixtures) {
          expect(table.map(({ colour }) => colour)).toEqual(COLOURS.slice(0, given.players));
          expect(table.filter(({ role }) => role === 'impostor').length).toBe(given.impostors);
          for (const { persona } of table) expect(persona).toBeLessThan(given.personas);
        }
      }),
    );
  });

  test('seats nobody twice while others stand', () => {
    for (const { table } of makeSchedule(terms({ personas: 7 }))) {
      expect(new Set(table.map(({ persona }) => persona)).size).toBe(7);
    }
  });
});

describe('a mirror', () => {
  const pairs = (given: ScheduleTerms) => {
    const fixtures = makeSchedule(given);
    return fixtures.flatMap((first, index) => {
      const second = fixtures[index + 1];
      return index % 2 === 0 && second !== undefined ? [{ first, second }] : [];
    });
  };

  test('keeps the seed, the colours and the roles, and exchanges the personas', () => {
    for (const { first, second } of pairs(terms({ mirror: true }))) {
      expect([second.seed, second.pair]).toEqual([first.seed, first.slot]);
      const seats = ({ table }: ScheduledGame) => table.map(({ colour, role }) => [colour, role]);
      expect(seats(second)).toEqual(seats(first));
      const who = ({ table }: ScheduledGame) => table.map(({ persona }) => persona);
      expect(who(second)).not.toEqual(who(first));
      expect(who(second).toSorted()).toEqual(who(first).toSorted());
    }
  });

  test('puts each of two that are compared into the seat of the other', () => {
    const given = terms({ mirror: true, compare: [[0, 1]] });
    const exchanged = new Map([
      [0, 1],
      [1, 0],
    ]);
    let times = 0;
    for (const { first, second } of pairs(given)) {
      for (const [index, { persona }] of first.table.entries()) {
        expect(second.table[index]?.persona).toBe(exchanged.get(persona) ?? persona);
        if (exchanged.has(persona)) times += 1;
      }
    }
    expect(times).toBeGreaterThan(30);
  });

  test('of sides lets them change sides', () => {
    for (const { first, second } of pairs(terms({ mirror: true, seating: 'sides' }))) {
      const of = ({ table }: ScheduledGame, role: string) => [
        ...new Set(table.filter((place) => place.role === role).map(({ persona }) => persona)),
      ];
      expect(of(first, 'impostor').length).toBe(1);
      expect(of(second, 'impostor')).toEqual(of(first, 'crewmate'));
      expect(of(second, 'crewmate')).toEqual(of(first, 'impostor'));
    }
  });
});
