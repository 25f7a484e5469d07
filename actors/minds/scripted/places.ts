/** Places as players write them: rooms by their names and short forms, hallways by the room that they lead to. */
import { HALLWAYS, type Hallway, type Place, ROOMS, type Room } from '../../../machines/types.ts';

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
const ROOM_BY_NAME: ReadonlyMap<string, Room> = new Map<string, Room>([
  ...ROOMS.map((room) => [room.toLowerCase(), room] as const),
  ...Object.entries(SHORT),
]);
/** Hallways by the word before "hallway"; "engine" is no room by itself. */
const HALLWAY_BY_NAME: ReadonlyMap<string, Hallway> = new Map(
  HALLWAYS.flatMap((hallway) => {
    const word = hallway.toLowerCase().replace(/ hallway$/, '');
    const short = Object.entries(SHORT).filter(([, room]) => room.toLowerCase() === word);
    return [word, ...short.map(([name]) => name)].map((name) => [name, hallway] as const);
  }),
);
/** Longest first, so that "med bay" is not read as "med". */
const NAMES = [...new Set([...ROOM_BY_NAME.keys(), ...HALLWAY_BY_NAME.keys()])].sort(
  (one, other) => other.length - one.length,
);
/** A room by its name, or the hallway that is called after it: "Admin hallway", "the corridor outside Admin". */
const ANY = `((?:hallway|corridor) (?:by|outside) (?:the )?)?(${NAMES.join('|')})( hallway| hall| corridor)?\\b`;
const PLACE = new RegExp(`\\b(?:the )?${ANY}`, 'gi');
const STAY = new RegExp(`\\b(?:in|at) (?:the )?${ANY}`, 'i');

/** A place as it is said after "in": a room bare, a hallway with its article. */
const SPOKEN: ReadonlyMap<Place, string> = new Map<Place, string>([
  ...ROOMS.map((room) => [room, room] as const),
  ...HALLWAYS.map((hallway) => [hallway, `the ${hallway}`] as const),
]);

export function placeName(place: Place): string {
  return SPOKEN.get(place) ?? place;
}

/** The places that a text names, in order. */
export function placesIn(text: string): readonly Place[] {
  const found: Place[] = [];
  for (const match of text.matchAll(PLACE)) {
    const place = placeOf(match);
    if (place !== null) found.push(place);
  }
  return found;
}

/** The first place that a text puts somebody in, as in "I came from Admin and I was in Storage". */
export function stayIn(text: string): Place | null {
  const match = STAY.exec(text);
  return match === null ? null : placeOf(match);
}

/** A text with every place replaced by one sign, to compare the turn of phrase. */
export function withoutPlaces(text: string): string {
  return text.replace(PLACE, '#');
}

function placeOf([, before, name, after]: RegExpExecArray): Place | null {
  const word = (name ?? '').toLowerCase();
  const isHall = before !== undefined || after !== undefined;
  return (isHall ? HALLWAY_BY_NAME.get(word) : undefined) ?? ROOM_BY_NAME.get(word) ?? null;
}
