/**
 * Places and times as players say them, and how they are read back.
 *
 * Rooms go by their names and short forms, hallways by the room that they lead to. Minds round times as people do, to
 * five seconds within the last minute and more coarsely before, so a time that is heard is exact to half of that only.
 */
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
/** The names anywhere: quicker to look for, and where there is none there is no place. */
const MAY_NAME_PLACE = new RegExp(NAMES.join('|'), 'i');
const PLACE = new RegExp(`\\b(?:the )?${ANY}`, 'gi');
const STAY = new RegExp(`\\b(?:in|at) (?:the )?${ANY}`, 'i');

/** A place as it is said after "in": a room bare, a hallway with its article. */
const SPOKEN_PLACES: ReadonlyMap<Place, string> = new Map<Place, string>([
  ...ROOMS.map((room) => [room, room] as const),
  ...HALLWAYS.map((hallway) => [hallway, `the ${hallway}`] as const),
]);

export function namePlace(place: Place): string {
  return SPOKEN_PLACES.get(place) ?? place;
}

/** The places that a text names, in order. */
export function findPlaces(text: string): readonly Place[] {
  const found: Place[] = [];
  if (!MAY_NAME_PLACE.test(text)) return found;
  for (let match = PLACE.exec(text); match !== null; match = PLACE.exec(text)) {
    const place = readPlace(match);
    if (place !== null) found.push(place);
  }
  return found;
}

/** The first place that a text puts somebody in, as in "I came from Admin and I was in Storage". */
export function findStay(text: string): Place | null {
  const match = STAY.exec(text);
  return match === null ? null : readPlace(match);
}

/** A text with every place replaced by one sign, to compare the turn of phrase. */
export function maskPlaces(text: string): string {
  return MAY_NAME_PLACE.test(text) ? text.replace(PLACE, '#') : text;
}

function readPlace([, before, name, after]: RegExpExecArray): Place | null {
  const word = (name ?? '').toLowerCase();
  const isHall = before !== undefined || after !== undefined;
  return (isHall ? HALLWAY_BY_NAME.get(word) : undefined) ?? ROOM_BY_NAME.get(word) ?? null;
}

/** Longest phrases first: "a minute and a half" must not be read as "half a minute" or "a minute". */
const SPOKEN_TIMES: readonly (readonly [seconds: number, words: string])[] = [
  [150, 'two and a half minutes'],
  [90, 'a minute and a half'],
  [75, 'seventy-five seconds'],
  [120, 'two minutes'],
  [180, 'three minutes'],
  [240, 'four minutes'],
  [30, 'half a minute'],
  [60, 'a minute'],
  [25, 'twenty-five seconds'],
  [35, 'thirty-five seconds'],
  [45, 'forty-five seconds'],
  [55, 'fifty-five seconds'],
  [10, 'ten seconds'],
  [15, 'fifteen seconds'],
  [20, 'twenty seconds'],
  [40, 'forty seconds'],
  [50, 'fifty seconds'],
  [5, 'five seconds'],
];
const AT_ONCE = [
  'right before the call',
  'just before the call',
  'when the call came',
  'when they called us',
] as const;
const AT_ONCE_SECONDS = 5;
/** Seconds before the call within which a player has hardly left a room. */
const HARDLY_LEFT = 4;
const DIGITS = /(\d{1,3}) ?(?:s|secs?|seconds?)\b/i;
const NOW = /\b(?:right|just) before\b|\bwhen (?:the|it|they) /i;
const TIMED = /second|minute|\d ?s|before|when/i;

const ABOUT = ['about', 'maybe', 'around', 'roughly'] as const;

/** Half of the rounding of a spoken time, in seconds: within a minute, within two, and before. */
const ROUNDING = [
  [62, 3],
  [130, 12],
  [Number.POSITIVE_INFINITY, 25],
] as const;

/** How far a time that was told may be off, in seconds. */
export function rounding(ago: number): number {
  return ROUNDING.find(([until]) => ago <= until)?.[1] ?? 0;
}

/** Seconds in words, such as "about twenty seconds before the call"; `share`, from 0 to 1, picks the turn of phrase. */
export function sayTime(ago: number, share: number): string {
  const turn = Math.floor(share * ABOUT.length);
  if (ago < HARDLY_LEFT) return AT_ONCE[turn] ?? AT_ONCE[0];
  let best: readonly [number, string] = [10, 'ten seconds'];
  for (const entry of SPOKEN_TIMES) {
    if (Math.abs(entry[0] - ago) < Math.abs(best[0] - ago)) best = entry;
  }
  return `${ABOUT[turn] ?? 'about'} ${best[1]} before the call`;
}

/** The seconds that a text tells; null when it tells none. */
export function readSeconds(text: string): number | null {
  if (!TIMED.test(text)) return null;
  const digits = DIGITS.exec(text);
  if (digits !== null) return Number(digits[1]);
  const lower = text.toLowerCase();
  for (const [seconds, said] of SPOKEN_TIMES) if (lower.includes(said)) return seconds;
  return NOW.test(text) ? AT_ONCE_SECONDS : null;
}
