/** Exchanged seats: how the seats of a table are exchanged in whatever speaks of them, to try whether they are alike. */
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import type { BySeat, Colour } from '../../machines/types.ts';
import { renamed } from './symmetry.ts';

/** All seats of a table, whoever sits there: colours are names only. */
export function exchangedSeats({ seats }: MeetingSetup) {
  return {
    parts: seats.map(({ colour }) => colour),
    renamed: (value: unknown, to: Readonly<Record<string, string>>) =>
      renamed(value, to as BySeat<Colour>), // parts are colours
    compared: unordered,
  };
}

/** Lists as bags; without texts, which name the living in the order of the seats, and without the order of turning. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value
      .filter((item: unknown) => !isTurning(item))
      .map((item: unknown) => JSON.stringify(unordered(item)))
      .sort();
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'text')
      .map(([name, part]) => [name, unordered(part)]),
  );
}

function isTurning(item: unknown): boolean {
  return typeof item === 'object' && item !== null && Reflect.get(item, 'type') === 'ballot.turned';
}
