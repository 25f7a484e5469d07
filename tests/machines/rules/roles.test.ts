import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  countImpostors,
  drawRoles,
  type OpenSeat,
  rolesRefusal,
} from '../../../machines/rules/lobby.ts';
import { COLOURS, type Role } from '../../../machines/types.ts';
import { law, SEED, someSeats } from '../builders.ts';
import { chiSquare, critical } from '../chiSquare.ts';

/** c a crewmate, i an impostor, ? open. */
function seats(roles: string): readonly OpenSeat[] {
  const named: Readonly<Record<string, Role>> = { c: 'crewmate', i: 'impostor' };
  return [...roles].flatMap((letter, index) => {
    const colour = COLOURS[index];
    return colour === undefined ? [] : [{ colour, role: named[letter] }];
  });
}

test.each([
  ['????????', 2, 2],
  ['i???????', 2, 2],
  ['iii?????', 2, 3],
  ['ccccccc?', 2, 1],
  ['cccccccc', 2, 0],
  ['iccccccc', 2, 1],
])('among %s, with %i recommended, there are %i impostors', (roles, recommended, impostors) => {
  expect(countImpostors(seats(roles), recommended)).toBe(impostors);
});

describe('roles that are named', () => {
  test.each([
    ['????', 1, null],
    ['i???', 1, null],
    ['ii??', 1, 'expected 1 to be impostors, found 2 seats that are named as one'],
    ['cccc', 1, 'expected 1 to be impostors, found only 0 seats that are not named crewmate'],
    ['ccc?', 1, null],
    ['iiccccc', 2, null],
    ['icccccc', 2, 'expected 2 to be impostors, found only 1 seats that are not named crewmate'],
  ])('%s with %i: %s', (roles, impostors, text) => {
    expect(rolesRefusal(seats(roles), impostors)?.text ?? null).toBe(text);
  });

  test('are kept', () => {
    for (let seed = 0; seed < 50; seed++) {
      const roles = drawRoles(seats('ci?c??'), 2, { seed }).map(({ role }) => role);
      expect(roles.filter((role) => role === 'impostor')).toHaveLength(2);
      expect([roles[0], roles[1], roles[3]]).toEqual(['crewmate', 'impostor', 'crewmate']);
    }
  });
});

law(
  'the order in which seats are written down decides nothing',
  fc.property(someSeats(4, 15), fc.nat(), (colours, seed) => {
    const open = colours.map((colour) => ({ colour }));
    expect(drawRoles(open, 2, { seed })).toEqual(drawRoles(open.toReversed(), 2, { seed }));
    expect(drawRoles(open, 2, { seed }).map(({ colour }) => colour)).toEqual(
      COLOURS.filter((colour) => colours.includes(colour)),
    );
  }),
);

const GAMES = 28_000;

test(`every pair of eight is as often the pair of impostors: ${GAMES} games from seed ${SEED}`, () => {
  const pairs = new Map<string, number>();
  for (let game = 0; game < GAMES; game++) {
    const impostors = drawRoles(seats('????????'), 2, { seed: SEED * GAMES + game })
      .filter(({ role }) => role === 'impostor')
      .map(({ colour }) => colour)
      .join();
    pairs.set(impostors, (pairs.get(impostors) ?? 0) + 1);
  }
  expect(pairs.size).toBe((8 * 7) / 2);
  expect(chiSquare([...pairs.values()])).toBeLessThan(critical(0.01, 27));
});
