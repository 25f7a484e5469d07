/** A message with signs for players, places and times: "i saw @red in #Lower_Engine ~20". */
import { COLOURS, HALLWAYS, type Place, ROOMS, type Room } from '../../machines/types.ts';

const SHORT_NAMES: Readonly<Record<Room, readonly string[]>> = {
  Cafeteria: ['caf', 'cafe', 'cafetaria'],
  Weapons: ['weps', 'weapon'],
  O2: ['oxygen', 'o₂'],
  Navigation: ['nav', 'navi'],
  Shields: ['shield'],
  Communications: ['comms', 'coms'],
  Storage: ['storge', 'stor'],
  Admin: ['admn'],
  Electrical: ['elec', 'electric', 'elect'],
  'Lower Engine': ['lower eng'],
  Security: ['secu'],
  Reactor: ['reac'],
  'Upper Engine': ['upper eng'],
  MedBay: ['med bay', 'medical bay'],
};
/** Words that are a room only where a place must stand: "in upper", but not "the upper hand". */
const AFTER_PREPOSITION: Readonly<Record<string, Room>> = {
  upper: 'Upper Engine',
  lower: 'Lower Engine',
  med: 'MedBay',
  sec: 'Security',
};
const ROOM_OF: ReadonlyMap<string, Room> = new Map(
  ROOMS.flatMap((room) => [room.toLowerCase(), ...SHORT_NAMES[room]].map((name) => [name, room])),
);
const HALLWAY_OF: ReadonlyMap<string, Place> = new Map(
  HALLWAYS.flatMap((hallway) => {
    const word = hallway.replace(/ hallway$/, '');
    const room = ROOMS.find((name) => name === word);
    const names = room === undefined ? [] : SHORT_NAMES[room];
    const more = room === 'MedBay' ? ['med'] : [];
    return [word.toLowerCase(), ...names, ...more].map((name) => [name, hallway] as const);
  }),
);

const HALL = '(?:hallway|hall|corridor)';
/** Longest first, so that "lower engine" is not read as "lower". */
const longest = (names: Iterable<string>) =>
  [...names].toSorted((one, other) => other.length - one.length).join('|');
const HALLWAY = new RegExp(
  `\\b(${longest(HALLWAY_OF.keys())}) ${HALL}s?\\b|\\b${HALL} (?:by|outside|near|next to)(?: the)? (${longest(HALLWAY_OF.keys())})\\b`,
  'g',
);
/** The table of Admin, the cameras of Security and a meltdown of the reactor are things, and no player stands in them. */
const THING = '(?! (?:table|cams?|cameras?|footage|logs?|panel|meltdown|sabotage|tasks?)\\b)';
const ROOM = new RegExp(`\\b(${longest(ROOM_OF.keys())})\\b${THING}`, 'g');
const NICKNAME = new RegExp(
  `\\b(in|at|from|to|into|near|inside|through|left) (?:the )?(${longest(Object.keys(AFTER_PREPOSITION))})\\b`,
  'g',
);
const SIGN_OF: ReadonlyMap<string, Place> = new Map(
  [...ROOMS, ...HALLWAYS].map((place) => [signOf(place), place]),
);

function signOf(place: Place): string {
  return `#${place.replaceAll(' ', '_')}`;
}

export function placeOf(sign: string): Place | null {
  return SIGN_OF.get(sign) ?? null;
}

function markPlaces(text: string): string {
  const sign = (place: Place | undefined) => (place === undefined ? '' : signOf(place));
  return text
    .replace(HALLWAY, (_, before?: string, after?: string) =>
      sign(HALLWAY_OF.get(before ?? after ?? '')),
    )
    .replace(ROOM, (_, name: string) => sign(ROOM_OF.get(name)))
    .replace(
      NICKNAME,
      (_, word: string, name: string) => `${word} ${sign(AFTER_PREPOSITION[name])}`,
    );
}

const NAME = new RegExp(
  `(?<![\\w-])(${COLOURS.join('|')})('?s\\b)?(?![\\w-])(?! (?:flags?|herrings?|light|handed))`,
  'g',
);

/** "Player 3 (lime)" is Lime. */
const NUMBERED = /\bplayer \d+ ?[:(] ?(@\w+)\)?/g;

function markNames(text: string): string {
  const marked = text.replace(NAME, (_, name: string, ending?: string) =>
    ending === undefined ? `@${name}` : `@${name} 's`,
  );
  return marked.replace(NUMBERED, '$1');
}

/** Contractions as they are typed in haste. */
const HASTY: readonly (readonly [pattern: RegExp, written: string])[] = [
  [/\b(did|was|is|have|has|do|does|ca|could|would|were|are|wo|should|had|ai)nt\b/g, "$1n't"],
  [/\b(he|she|that|there|who|what)s\b/g, "$1's"],
  [/\b(they|you)re\b/g, "$1're"],
  [/\b(i|they|you)ve\b/g, "$1've"],
  [/\bim\b/g, "i'm"],
];

const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  ten: 10,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
};
const SECONDS_PER_MINUTE = 60;
/** Seconds for "right before the call". */
const AT_ONCE_SECONDS = 5;

const ABOUT = '(?:(?:about|around|roughly|maybe|like|abt|approximately|some|only|just) )*';
const COUNT = `(?<half>half an? )?(?<count>\\d{1,3}(?:\\.\\d)?|${Object.keys(NUMBERS).join('|')})?(?<five>-five)? ?`;
const UNIT = '(?<unit>s|secs?|seconds?|m|mins?|minutes?)';
const EVENT =
  '(?:the |that |this |our |his |her |their )?(?:call|body|meeting|report|discovery|button)(?: (?:was|got|is|had been|has been|came|rang))?(?: (?:found|called|reported|discovered|pressed))?|(?:it|this) (?:got|was|had been) (?:called|reported|found|discovered)|(?:they|we|you|someone|somebody) (?:called|reported)(?: (?:us|it|the body))?';
const SPOKEN = new RegExp(
  `${ABOUT}\\b${COUNT}${UNIT}(?<more> and a half)?\\b,? (?:before|ago|prior|earlier)(?: to)?\\b(?: (?:${EVENT}))?`,
  'g',
);
const AT_ONCE = new RegExp(
  `\\b(?:(?:right|just|immediately) (?:before|as|when) (?:${EVENT})|(?:right|just) before(?=[.,;!]|$)|(?<!until )\\bwhen (?:${EVENT})|when the kill was reported|just now)`,
  'g',
);

/** Seconds as spoken: "half a minute", "two and a half minutes", "thirty-five seconds", "15s". */
function countSeconds(groups: Readonly<Record<string, string | undefined>>): number | null {
  const { half, count, five, unit = '', more } = groups;
  if (count === undefined && half === undefined) return null;
  const isMinutes = unit.startsWith('m');
  const whole = half === undefined ? (NUMBERS[count ?? ''] ?? Number(count)) : 0.5;
  const number = whole + (five === undefined ? 0 : 5) + (more === undefined ? 0 : 0.5);
  return number * (isMinutes ? SECONDS_PER_MINUTE : 1);
}

/** "two and a half minutes", where the half comes before the unit. */
const HALF_INSIDE = /\b(\w+) and a half (minutes?|mins?)\b/g;

function markTimes(text: string): string {
  return text
    .replace(HALF_INSIDE, '$1 $2 and a half')
    .replace(SPOKEN, (found: string, ...rest: unknown[]) => {
      const groups = rest.at(-1);
      const seconds =
        typeof groups === 'object' && groups !== null ? countSeconds({ ...groups }) : null;
      return seconds === null ? found : `~${seconds}`;
    })
    .replace(AT_ONCE, `~${AT_ONCE_SECONDS}`);
}

/** A name in brackets with an object after it, appended by programs, is no speech. */
const APPENDIX = /\[[^\]\n]{0,40}\]\s*\{[^}]{0,400}\}/g;
/** A place between quotation marks is somebody else's word, and often a mocking one: was "in MedBay". */
const QUOTED_PLACE = /"(?:in|at) [^"]{1,30}"/g;

/** A message in lower case, with `@red` for players, `#Lower_Engine` for places and `~20` for seconds before the call. */
export function markMessage(message: string): string {
  const plain = message
    .replace(APPENDIX, ' ')
    .replace(/[’‘`]/g, "'")
    .replace(/[“”]/g, '"')
    .toLowerCase()
    .replace(QUOTED_PLACE, ' ')
    .replace(/["*_{}[\]]/g, ' ')
    .replace(/[ \t]+/g, ' ');
  const full = HASTY.reduce((written, [pattern, words]) => written.replace(pattern, words), plain);
  return markTimes(markPlaces(markNames(full))).trim();
}
