/** Records by seat, in the order of the colours. A table seats few of them, so these helpers walk the record. */
import { type BySeat, COLOURS, type Colour } from '../types.ts';

const RANKS: BySeat<number> = Object.fromEntries(COLOURS.map((colour, rank) => [colour, rank]));

export function seatsWith<Entry>(
  record: BySeat<Entry>,
  isMeant: (entry: Entry) => boolean,
): readonly Colour[] {
  const seats: Colour[] = [];
  let isInOrder = true;
  let last = -1;
  for (const name in record) {
    const seat = name as Colour; // the names of such a record are colours
    const entry = record[seat];
    if (entry === undefined || !isMeant(entry)) continue;
    const rank = rankOf(seat);
    if (rank < last) isInOrder = false;
    last = rank;
    seats.push(seat);
  }
  return isInOrder ? seats : seats.sort((one, other) => rankOf(one) - rankOf(other));
}

export function everySeat<Entry>(
  record: BySeat<Entry>,
  isMeant: (entry: Entry, seat: Colour) => boolean,
): boolean {
  for (const name in record) {
    const seat = name as Colour; // the names of such a record are colours
    const entry = record[seat];
    if (entry !== undefined && !isMeant(entry, seat)) return false;
  }
  return true;
}

/** The record with each entry changed, in the order of the colours. Entries that become undefined are left out. */
export function mapSeats<Entry, Changed>(
  record: BySeat<Entry | undefined>,
  change: (entry: Entry, seat: Colour) => Changed | undefined,
): BySeat<Changed> {
  const changed: Partial<Record<Colour, Changed>> = {};
  for (const seat of COLOURS) {
    const entry = record[seat];
    const made = entry === undefined ? undefined : change(entry, seat);
    if (made !== undefined) changed[seat] = made;
  }
  return changed;
}

export function withEntry<Entry>(record: BySeat<Entry>, seat: Colour, entry: Entry): BySeat<Entry> {
  const changed: Partial<Record<Colour, Entry>> = { ...record };
  changed[seat] = entry;
  return changed;
}

function rankOf(seat: Colour): number {
  return RANKS[seat] ?? COLOURS.length;
}
