/**
 * The Skeld as a walker knows it: which rooms are next to each other, and how many doors apart two rooms are.
 *
 * Distances let a mind tell an honest short walk from a story that can't be true.
 */
import { ROOMS, type Room } from '../../../machines/types.ts';

const DOORS: Readonly<Record<Room, readonly Room[]>> = {
  Cafeteria: ['Weapons', 'MedBay', 'Upper Engine', 'Admin', 'Storage'],
  Weapons: ['Cafeteria', 'O2', 'Navigation', 'Shields'],
  O2: ['Weapons', 'Navigation', 'Shields'],
  Navigation: ['Weapons', 'O2', 'Shields'],
  Shields: ['Navigation', 'O2', 'Weapons', 'Communications', 'Storage'],
  Communications: ['Shields', 'Storage'],
  Storage: ['Cafeteria', 'Admin', 'Communications', 'Shields', 'Electrical', 'Lower Engine'],
  Admin: ['Cafeteria', 'Storage'],
  Electrical: ['Storage', 'Lower Engine'],
  'Lower Engine': ['Electrical', 'Storage', 'Security', 'Reactor', 'Upper Engine'],
  Security: ['Lower Engine', 'Upper Engine', 'Reactor'],
  Reactor: ['Security', 'Upper Engine', 'Lower Engine'],
  'Upper Engine': ['Reactor', 'Security', 'Lower Engine', 'MedBay', 'Cafeteria'],
  MedBay: ['Cafeteria', 'Upper Engine'],
};

const STEPS: ReadonlyMap<Room, ReadonlyMap<Room, number>> = new Map(
  ROOMS.map((room) => [room, stepsFrom(room)]),
);

export function neighbours(room: Room): readonly Room[] {
  return DOORS[room];
}

/** Rooms to walk through from one to the other: 0 for the same room, 1 for the next one. */
export function steps(from: Room, to: Room): number {
  return STEPS.get(from)?.get(to) ?? 0;
}

function stepsFrom(start: Room): ReadonlyMap<Room, number> {
  const reached = new Map<Room, number>([[start, 0]]);
  for (const [room, distance] of reached) {
    for (const next of DOORS[room]) {
      if (!reached.has(next)) reached.set(next, distance + 1);
    }
  }
  return reached;
}
