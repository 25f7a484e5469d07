import fc from 'fast-check';
import { expect } from 'vitest';
import { drawForRound } from '../../../machines/rules/dice.ts';
import { COLOURS } from '../../../machines/types.ts';
import { law } from '../../machines/builders.ts';

law(
  'who else is seated does not move the draw of a seat',
  fc.property(
    fc.nat(),
    fc.nat(500),
    fc.uniqueArray(fc.constantFrom(...COLOURS)),
    (seed, round, seats) => {
      const all = drawForRound(seed, round);
      const some = drawForRound(seed, round, seats);
      expect(Object.keys(all)).toEqual([...COLOURS]);
      expect(some).toEqual(Object.fromEntries(seats.map((seat) => [seat, all[seat]])));
    },
  ),
);
