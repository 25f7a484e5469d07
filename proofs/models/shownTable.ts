/** A table as the arbiter sees it, for models without a meeting. No rule under test is called. */
import { startRecord } from '../../machines/rules/record.ts';
import type { PublicTable } from '../../machines/rules/views.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';

export type SeatsOfTable = { readonly seated: readonly Colour[]; readonly dead: readonly Colour[] };

export function showTable({ seated, dead }: SeatsOfTable): PublicTable {
  return {
    requestKind: 'discussion',
    rules: 'house',
    seats: seatAll({ seated, dead }).map((colour) => ({
      colour,
      standing: dead.includes(colour) ? 'dead' : 'living',
      voted: false,
    })),
    call: { by: 'red', kind: 'button', body: null, place: null },
    votesOpen: true,
    clock: { openAfter: 0, closeAfter: null },
    confirmEjects: true,
    anonymousVotes: false,
    announced: null,
    record: startRecord(null),
    ship: null,
  };
}

export function seatAll({ seated, dead }: SeatsOfTable): readonly Colour[] {
  return COLOURS.filter((colour) => seated.includes(colour) || dead.includes(colour));
}
