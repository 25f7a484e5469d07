/** Rooms as players write them: the names of The Skeld, and the short forms that everybody uses. */
import { ROOMS, type Room } from '../../../machines/types.ts';

const SHORT: Readonly<Record<string, Room>> = {
  caf: 'Cafeteria',
  nav: 'Navigation',
  comms: 'Communications',
  oxygen: 'O2',
  elec: 'Electrical',
  med: 'MedBay',
  'med bay': 'MedBay',
  cams: 'Security',
};

const BY_NAME: ReadonlyMap<string, Room> = new Map<string, Room>([
  ...ROOMS.map((room) => [room.toLowerCase(), room] as const),
  ...Object.entries(SHORT),
]);
/** Longest first, so that "med bay" is not read as "med". */
const NAMES = [...BY_NAME.keys()].sort((one, other) => other.length - one.length);
const ROOM = new RegExp(`\\b(?:${NAMES.join('|')})\\b`, 'gi');

const STAY = new RegExp(`\\b(?:in|at) (?:the )?(${NAMES.join('|')})\\b`, 'i');

/** The rooms that a text names, in order. */
export function roomsIn(text: string): readonly Room[] {
  const found: Room[] = [];
  for (const [name] of text.matchAll(ROOM)) {
    const room = BY_NAME.get(name.toLowerCase());
    if (room !== undefined) found.push(room);
  }
  return found;
}

/** The first room that a text puts somebody in, as in "I came from Admin and I was in Storage". */
export function stayIn(text: string): Room | null {
  const name = STAY.exec(text)?.[1];
  return name === undefined ? null : (BY_NAME.get(name.toLowerCase()) ?? null);
}

/** A text with every room replaced by one sign, to compare the turn of phrase. */
export function withoutRooms(text: string): string {
  return text.replace(ROOM, '#');
}
