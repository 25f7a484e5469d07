/** The temperaments as numbers, at the table and on the ship (shares from 0 to 1), and the lessons that change them. */
import { type Role, TEMPERAMENTS, type Temperament } from '../../../machines/types.ts';

/** One number for each temperament: leader, observer, accuser, joker, follower, sceptic and diplomat. */
type TraitRow = PerColumn<typeof TEMPERAMENTS>;
type PerColumn<Columns extends readonly string[]> = { readonly [Column in keyof Columns]: number };
type TraitTable<Trait extends string> = Readonly<Record<Trait, TraitRow>>;
type Traits<Trait extends string> = Readonly<Record<Trait, number>>;

function pickTraits<Trait extends string>(
  table: TraitTable<Trait>,
  temperament: Temperament,
): Traits<Trait>;
function pickTraits(table: TraitTable<string>, temperament: Temperament): Traits<string> {
  const column = TEMPERAMENTS.indexOf(temperament);
  return Object.fromEntries(Object.entries(table).map(([trait, row]) => [trait, row[column] ?? 0]));
}

const TABLE_TRAITS = {
  /** Added to every wish to speak, in points of desire. */
  talk: [1, -2, 1, 0, -1, 0, 0],
  /** Share of somebody's word that is believed, from 0 to 1. */
  credulity: [0.7, 0.55, 0.75, 0.75, 1, 0.4, 0.65],
  /** Ticks before the first vote is thinkable, for a table of four; larger tables wait longer. */
  patience: [6, 8, 4, 5, 6, 8, 8],
  /** Suspicion that is needed for a vote at the start of the meeting. */
  resolve: [58, 60, 44, 50, 48, 56, 62],
  /** Largest suspicion out of nothing, in points. */
  hunch: [4, 2, 10, 8, 2, 8, 2],
  /** How far a like or dislike raises or lowers the weight of somebody's word and of weak evidence, as a share of it. */
  bias: [0.6, 0.4, 0.9, 0.8, 0.9, 0.6, 0.7],
  /** Added when the act is of this kind, in points of desire. */
  asking: [2, -1, 1, 0, -2, 2, 1],
  accusing: [0, 0, 2, 0, -1, 1, -1],
  vouching: [0, 1, -1, 0, 2, -2, 2],
  joking: [-3, -2, -2, 3, -1, -2, -2],
  leading: [3, -3, 1, -2, -4, -1, 1],
} as const;
export type TableTraits = Traits<keyof typeof TABLE_TRAITS>;

const SHIP_TRAITS = {
  /** Steps that a player walks without hesitation to mend a critical sabotage. Half of it for lights. */
  duty: [4, 4, 3, 2, 4, 3, 4],
  /** Share of free moments that are spent with somebody who is trusted. */
  sociable: [0.19, 0.1, 0.1, 0.24, 0.56, 0.06, 0.35],
  /** Suspicion above which a player avoids being alone with somebody. */
  wary: [0.6, 0.5, 0.45, 0.75, 0.6, 0.4, 0.65],
  /** Share of free moments that are spent at the cameras or the Admin table, when they are near. */
  curious: [0.15, 0.47, 0.23, 0.23, 0.08, 0.34, 0.15],
  /** Share of free moments spent only looking around. */
  dawdling: [0.22, 0.31, 0.18, 0.48, 0.22, 0.26, 0.26],
  /** Share of free moments when suspicion alone is worth the button, after the tasks are done. */
  insistent: [0.3, 0.1, 0.5, 0.2, 0.05, 0.35, 0.1],
  /** Share of chances to kill a lone player that an impostor takes. */
  bold: [0.66, 0.56, 0.81, 0.81, 0.56, 0.61, 0.56],
  /** Factor on it per player who might walk in. */
  reckless: [0.4, 0.2, 0.5, 0.6, 0.25, 0.3, 0.2],
  /** Share of free moments when an impostor sabotages. */
  saboteur: [0.25, 0.22, 0.29, 0.36, 0.22, 0.25, 0.18],
  /** Share of own kills that an impostor reports when nobody has come yet. */
  brazen: [0.24, 0.09, 0.3, 0.3, 0.09, 0.15, 0.18],
  /** Share of escapes that are made through a vent, where there is one and nobody looks. */
  slippery: [0.35, 0.5, 0.35, 0.6, 0.4, 0.45, 0.3],
} as const;
export type ShipTraits = Traits<keyof typeof SHIP_TRAITS>;

/** So many living to each impostor of the game feel neither safe nor watched; a team is worth more than its number. */
const SAFE = 3.4;
const TEAM = 1.12;
const MOST_IDLE = 14;
const LEAST_DARING = 0.75;
const MOST_DARING = 2;
/** Among fewer every loss is noticed at once. */
const NOTICED = 6;

function measureCrowd(living: number, impostors: number): number {
  return living / (SAFE * impostors ** TEAM);
}

/** How much longer crewmates look around, given the numbers of living players and impostors. */
export function growIdleTime(living: number, impostors: number): number {
  const most = Math.max(1, Math.min(MOST_IDLE, living - 1));
  return Math.min(most, Math.max(1, measureCrowd(living, impostors) ** 9));
}

/** How much bolder an impostor is, given the numbers of living players and impostors: many crewmates finish their tasks soon. */
export function growHurry(living: number, impostors: number): number {
  const daring = Math.max(LEAST_DARING, measureCrowd(living, impostors) ** 4);
  return Math.min(MOST_DARING, daring) * Math.min(1, living / NOTICED);
}

/* Lessons are sentences of earlier games. In games of eight, a side that knows one wins a few more in a hundred. */

export type PlayStyle = { readonly traits: TableTraits; readonly shipTraits: ShipTraits };

type LessonEffect = (
  style: PlayStyle,
) => Partial<{ traits: Partial<TableTraits>; shipTraits: Partial<ShipTraits> }>;

type KnownLesson = { readonly role: Role; readonly text: string; readonly effect: LessonEffect };

export const LESSONS = {
  screens: {
    role: 'crewmate',
    text: 'As crewmate I leave cameras and the Admin table alone: a look costs a task, and tasks win games.',
    effect: ({ shipTraits }) => ({ shipTraits: { curious: shipTraits.curious * 0.2 } }),
  },
  company: {
    role: 'crewmate',
    text: 'As crewmate I do not wait for company: two who stand about finish no task.',
    effect: ({ shipTraits }) => ({ shipTraits: { sociable: shipTraits.sociable * 0.2 } }),
  },
  breaks: {
    role: 'crewmate',
    text: 'As crewmate I rest when my tasks are done, and not before.',
    effect: ({ shipTraits }) => ({ shipTraits: { dawdling: shipTraits.dawdling * 0.2 } }),
  },
  facts: {
    role: 'crewmate',
    text: 'At the table I weigh what was seen, not whom I like.',
    effect: ({ traits }) => ({ traits: { bias: traits.bias * 0.4 } }),
  },
  hunches: {
    role: 'crewmate',
    text: 'A feeling is no evidence: I keep it out of my vote.',
    effect: ({ traits }) => ({ traits: { hunch: traits.hunch * 0.2 } }),
  },
  strike: {
    role: 'impostor',
    text: 'As impostor I take the first chance with nobody else around: time works for the crew.',
    effect: ({ shipTraits }) => ({ shipTraits: { bold: Math.min(0.95, shipTraits.bold + 0.25) } }),
  },
  sabotage: {
    role: 'impostor',
    text: 'As impostor I break something whenever it works again: a crew that repairs does no tasks.',
    effect: ({ shipTraits }) => ({
      shipTraits: { saboteur: Math.min(0.9, shipTraits.saboteur * 2) },
    }),
  },
  walk: {
    role: 'impostor',
    text: 'As impostor I walk away from a body: whoever is seen at a vent is lost.',
    effect: ({ shipTraits }) => ({ shipTraits: { slippery: shipTraits.slippery * 0.2 } }),
  },
  errands: {
    role: 'impostor',
    text: 'As impostor I look for victims instead of standing about for the look of it.',
    effect: () => ({ shipTraits: { curious: 0, dawdling: 0, sociable: 0 } }),
  },
} as const satisfies Readonly<Record<string, KnownLesson>>;
type LessonName = keyof typeof LESSONS;

const KNOWN: ReadonlyMap<string, KnownLesson> = new Map<string, KnownLesson>(
  Object.values(LESSONS).map((lesson) => [lesson.text, lesson]),
);

export function applyLessons(
  temperament: Temperament,
  learned: readonly string[] = [],
): Readonly<Record<Role, PlayStyle>> {
  const as = (role: Role): PlayStyle => {
    let style: PlayStyle = {
      traits: pickTraits(TABLE_TRAITS, temperament),
      shipTraits: pickTraits(SHIP_TRAITS, temperament),
    };
    for (const text of new Set(learned)) {
      const lesson = KNOWN.get(text);
      if (lesson?.role !== role) continue;
      const { traits, shipTraits } = lesson.effect(style);
      style = {
        traits: { ...style.traits, ...traits },
        shipTraits: { ...style.shipTraits, ...shipTraits },
      };
    }
    return style;
  };
  return { crewmate: as('crewmate'), impostor: as('impostor') };
}

/* After a game an offline mind learns one lesson at most, out of those that it understands. A winner learns none. */

type Experience = {
  readonly role: Role;
  readonly won: boolean;
  readonly reason: string;
  readonly tally: Readonly<Record<string, number>>;
};

function listRemedies({ role, reason, tally }: Experience): readonly LessonName[] {
  if (role === 'impostor') {
    const isOut = (tally['ejected'] ?? 0) > 0;
    return isOut ? ['walk', 'errands'] : ['strike', 'sabotage', 'errands'];
  }
  const work: readonly LessonName[] = ['screens', 'company', 'breaks'];
  const judgement: readonly LessonName[] = ['facts', 'hunches'];
  const isMisled = (tally['votes_crewmate'] ?? 0) > 0;
  return isMisled && reason !== 'sabotage' ? [...judgement, ...work] : [...work, ...judgement];
}

export function reflect(known: readonly string[], experience: Experience): readonly string[] {
  if (experience.won) return known;
  const next = listRemedies(experience).find((name) => !known.includes(LESSONS[name].text));
  return next === undefined ? known : [...known, LESSONS[next].text];
}
