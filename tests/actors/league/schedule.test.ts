import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  countNeeded,
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

  test('a schedule seats nobody twice while others wait', () => {
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

describe('a mirror with a pair that is compared', () => {
  /** Every seating of 2 to 16 personas with one, two or no pairs that has as many personas as it needs. */
  const any = fc
    .record({
      seed: fc.nat(),
      games: fc.constant(24),
      personas: fc.integer({ min: 2, max: 16 }),
      players: fc.integer({ min: 4, max: 10 }),
      impostors: fc.integer({ min: 1, max: 2 }),
      seating: fc.constantFrom('mixed' as const, 'sides' as const),
      mirror: fc.constant(true),
      compare: fc.constantFrom(
        [[0, 1]] as const,
        [
          [0, 1],
          [2, 3],
        ] as const,
      ),
    })
    .filter((given) => given.personas >= countNeeded({ ...given, pairs: given.compare.length }));

  test('a mirrored schedule changes only the pair, and never seats one of them on two sides', () => {
    fc.assert(
      fc.property(any, (given) => {
        const fixtures = makeSchedule(given);
        const compared: readonly number[] = given.compare.flat();
        for (let slot = 0; slot < fixtures.length; slot += 2) {
          const [first, second] = [fixtures[slot]?.table ?? [], fixtures[slot + 1]?.table ?? []];
          const seated = new Set(first.map(({ persona }) => persona));
          expect(compared.some((persona) => seated.has(persona))).toBe(true);
          for (const [one, other] of given.compare) {
            expect(seated.has(one) && seated.has(other)).toBe(false);
            const own = first.filter(({ persona }) => persona === one || persona === other);
            expect(new Set(own.map(({ role }) => role)).size).toBeLessThanOrEqual(1);
          }
          for (const [index, { persona }] of first.entries()) {
            const now = second[index]?.persona;
            if (compared.includes(persona))
              expect(now).toBe(persona % 2 === 0 ? persona + 1 : persona - 1);
            else expect(now).toBe(persona);
          }
        }
      }),
    );
  });

  test.each([
    { seating: 'mixed', players: 8, mirror: true, pairs: 1, needed: 3 },
    { seating: 'mixed', players: 8, mirror: false, pairs: 1, needed: 3 },
    { seating: 'mixed', players: 8, mirror: true, pairs: 2, needed: 5 },
    { seating: 'mixed', players: 4, mirror: true, pairs: 3, needed: 7 },
    { seating: 'mixed', players: 4, mirror: true, pairs: 4, needed: 8 },
    { seating: 'mixed', players: 4, mirror: false, pairs: 2, needed: 4 },
    { seating: 'sides', players: 8, mirror: true, pairs: 1, needed: 3 },
    { seating: 'sides', players: 8, mirror: false, pairs: 1, needed: 3 },
    { seating: 'sides', players: 8, mirror: true, pairs: 2, needed: 4 },
    { seating: 'mixed', players: 8, mirror: true, pairs: 0, needed: 2 },
    { seating: 'mixed', players: 8, mirror: false, pairs: 0, needed: 1 },
  ] as const)('$seating of $players, mirror $mirror, $pairs pairs: $needed personas', (given) => {
    expect(countNeeded(given)).toBe(given.needed);
  });

  test('gives each of them both roles as often, whoever else plays', () => {
    const table = fc.record({
      seed: fc.nat(),
      personas: fc.integer({ min: 3, max: 16 }),
      players: fc.integer({ min: 4, max: 10 }),
    });
    fc.assert(
      fc.property(table, (given) => {
        const fixtures = makeSchedule(
          terms({ ...given, seating: 'sides', mirror: true, compare: [[0, 1]], games: 120 }),
        );
        const games = (persona: number, role: string) =>
          fixtures.filter(({ table: seats }) =>
            seats.some((seat) => seat.persona === persona && seat.role === role),
          ).length;
        for (let persona = 0; persona < given.personas; persona++) {
          const [impostor, crew] = [games(persona, 'impostor'), games(persona, 'crewmate')];
          expect(Math.abs(impostor - crew), `${persona}: ${impostor}, ${crew}`).toBeLessThanOrEqual(
            4,
          );
        }
        expect(games(0, 'impostor')).toBe(games(1, 'impostor'));
        expect(games(0, 'crewmate')).toBe(games(1, 'crewmate'));
      }),
    );
  });
});

test('two who are compared without a mirror are on two sides often enough to tell them apart', () => {
  for (const personas of [3, 4, 5, 6, 7, 8, 16]) {
    const fixtures = makeSchedule(terms({ personas, players: 8, compare: [[0, 1]], games: 120 }));
    const lead = (table: ScheduledTable, persona: number) =>
      table
        .filter((seat) => seat.persona === persona)
        .reduce((sum, { role }) => sum + (role === 'impostor' ? 1 : -1), 0);
    const telling = fixtures.filter(({ table }) => lead(table, 0) !== lead(table, 1));
    expect(telling.length, `${personas} personas`).toBeGreaterThan(40);
    for (const { table } of fixtures) expect(lead(table, 0) + lead(table, 1)).toBeLessThan(2);
  }
});

test('a mirror puts another persona into every seat, however few there are', () => {
  for (const personas of [2, 3, 5, 7, 16]) {
    const fixtures = makeSchedule(terms({ personas, players: 8, mirror: true, games: 60 }));
    for (let slot = 0; slot < fixtures.length; slot += 2) {
      const [first, second] = [fixtures[slot]?.table ?? [], fixtures[slot + 1]?.table ?? []];
      for (const [index, { persona }] of first.entries())
        expect(second[index]?.persona).not.toBe(persona);
    }
  }
});
