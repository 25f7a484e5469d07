import fc from 'fast-check';
import { expect, test } from 'vitest';
import { everySeat, seatsWith, withEntry } from '../../../machines/rules/seats.ts';
import { type BySeat, COLOURS, type Colour } from '../../../machines/types.ts';
import { law, someSeats } from '../builders.ts';

const someRecord = someSeats(0, 6).chain((seats) =>
  fc
    .array(fc.option(fc.nat(3), { nil: undefined }), {
      minLength: seats.length,
      maxLength: seats.length,
    })
    .map(
      (entries): BySeat<number> =>
        Object.fromEntries(seats.map((seat, index) => [seat, entries[index]])),
    ),
);

const isEven = (entry: number) => entry % 2 === 0;

law(
  'seats come in the order of the colours, each with an entry that is meant',
  fc.property(someRecord, (record) => {
    const expected = COLOURS.filter((seat) => [0, 2].includes(record[seat] ?? 1));
    expect(seatsWith(record, isEven)).toEqual(expected);
  }),
);

law(
  'every seat meets a condition if no entry fails it, and a seat without an entry is not asked',
  fc.property(someRecord, (record) => {
    const odd = COLOURS.filter((seat) => [1, 3].includes(record[seat] ?? 0));
    const asked: Colour[] = [];
    const isMeant = (entry: number, seat: Colour) => {
      asked.push(seat);
      expect(record[seat]).toBe(entry);
      return isEven(entry);
    };
    expect(everySeat(record, isMeant)).toBe(odd.length === 0);
    for (const seat of asked) expect(record[seat]).toBeDefined();
  }),
);

law(
  'a record with another entry is a new one',
  fc.property(someRecord, fc.constantFrom(...COLOURS), fc.nat(3), (record, seat, entry) => {
    const before = { ...record };
    expect(withEntry(record, seat, entry)).toEqual({ ...before, [seat]: entry });
    expect(record).toEqual(before);
  }),
);

test('the last colours are in order too', () => {
  expect(seatsWith({ coral: 1, tan: 1, red: 1 }, () => true)).toEqual(['red', 'tan', 'coral']);
});
