/**
 * The temperaments as numbers, at the table and on the ship, and the lessons that change them.
 *
 * Shares are from 0 to 1. All balancing numbers of the offline minds are here.
 */
import type { Role, Temperament } from '../../../machines/types.ts';

export type TableTraits = {
  /** Added to every wish to speak, in points of desire. */
  readonly talk: number;
  /** Share of somebody's word that is believed, from 0 to 1. */
  readonly credulity: number;
  /** Ticks before the first vote is thinkable, for a table of four; larger tables wait longer. */
  readonly patience: number;
  /** Suspicion that is needed for a vote at the start of the meeting. */
  readonly resolve: number;
  /** Largest suspicion out of nothing, in points. */
  readonly hunch: number;
  /** How far a like or dislike raises or lowers the weight of somebody's word and of weak evidence, as a share of it. */
  readonly bias: number;
  /** Added when the act is of this kind, in points of desire. */
  readonly asking: number;
  readonly accusing: number;
  readonly vouching: number;
  readonly joking: number;
  readonly leading: number;
};

const TABLE_TRAITS: Readonly<Record<Temperament, TableTraits>> = {
  leader: {
    talk: 1,
    credulity: 0.7,
    patience: 6,
    resolve: 58,
    hunch: 4,
    bias: 0.6,
    asking: 2,
    accusing: 0,
    vouching: 0,
    joking: -3,
    leading: 3,
  },
  observer: {
    talk: -2,
    credulity: 0.55,
    patience: 8,
    resolve: 60,
    hunch: 2,
    bias: 0.4,
    asking: -1,
    accusing: 0,
    vouching: 1,
    joking: -2,
    leading: -3,
  },
  accuser: {
    talk: 1,
    credulity: 0.75,
    patience: 4,
    resolve: 44,
    hunch: 10,
    bias: 0.9,
    asking: 1,
    accusing: 2,
    vouching: -1,
    joking: -2,
    leading: 1,
  },
  joker: {
    talk: 0,
    credulity: 0.75,
    patience: 5,
    resolve: 50,
    hunch: 8,
    bias: 0.8,
    asking: 0,
    accusing: 0,
    vouching: 0,
    joking: 3,
    leading: -2,
  },
  follower: {
    talk: -1,
    credulity: 1,
    patience: 6,
    resolve: 48,
    hunch: 2,
    bias: 0.9,
    asking: -2,
    accusing: -1,
    vouching: 2,
    joking: -1,
    leading: -4,
  },
  sceptic: {
    talk: 0,
    credulity: 0.4,
    patience: 8,
    resolve: 56,
    hunch: 8,
    bias: 0.6,
    asking: 2,
    accusing: 1,
    vouching: -2,
    joking: -2,
    leading: -1,
  },
  diplomat: {
    talk: 0,
    credulity: 0.65,
    patience: 8,
    resolve: 62,
    hunch: 2,
    bias: 0.7,
    asking: 1,
    accusing: -1,
    vouching: 2,
    joking: -2,
    leading: 1,
  },
};

export type ShipTraits = {
  /** Steps that a player walks without hesitation to mend a critical sabotage. Half of it for lights. */
  readonly duty: number;
  /** Share of free moments that are spent with somebody who is trusted. */
  readonly sociable: number;
  /** Suspicion above which a player avoids being alone with somebody. */
  readonly wary: number;
  /** Share of free moments that are spent at the cameras or the Admin table, when they are near. */
  readonly curious: number;
  /** Share of free moments spent only looking around. */
  readonly dawdling: number;
  /** Share of free moments when suspicion alone is worth the button, after the tasks are done. */
  readonly insistent: number;
  /** Share of chances to kill a lone player that an impostor takes. */
  readonly bold: number;
  /** Factor on it per player who might walk in. */
  readonly reckless: number;
  /** Share of free moments when an impostor sabotages. */
  readonly saboteur: number;
  /** Share of own kills that an impostor reports when nobody has come yet. */
  readonly brazen: number;
  /** Share of escapes that are made through a vent, where there is one and nobody looks. */
  readonly slippery: number;
};

/** Living players above which free moments grow: there are more people to look at. */
const CROWD = 6;
/** So many living to each impostor of the game feel neither safe nor watched. */
const SAFE = 4;
/** Limit on the growth of free moments. */
const MOST_IDLE = 5;
/** Limit on the growth of an impostor's boldness. */
const MOST_DARING = 3;

/** How much more free time crewmates take, given the numbers of living players and impostors. */
export function growIdleTime(living: number, impostors: number): number {
  const crowd = Math.max(1, living / CROWD) ** 0.6;
  const safety = (living / (SAFE * impostors)) ** 5;
  return Math.min(MOST_IDLE, Math.max(1, crowd * safety));
}

/** How much bolder an impostor is, given the numbers of living players and impostors: many crewmates finish their tasks soon. */
export function growHurry(living: number, impostors: number): number {
  return Math.min(MOST_DARING, Math.max(1, living / (SAFE * impostors)) ** 4);
}

export const SHIP_TRAITS: Readonly<Record<Temperament, ShipTraits>> = {
  leader: {
    duty: 4,
    sociable: 0.19,
    wary: 0.6,
    curious: 0.15,
    dawdling: 0.22,
    insistent: 0.3,
    bold: 0.6,
    reckless: 0.4,
    saboteur: 0.25,
    brazen: 0.24,
    slippery: 0.35,
  },
  observer: {
    duty: 4,
    sociable: 0.1,
    wary: 0.5,
    curious: 0.47,
    dawdling: 0.31,
    insistent: 0.1,
    bold: 0.5,
    reckless: 0.2,
    saboteur: 0.22,
    brazen: 0.09,
    slippery: 0.5,
  },
  accuser: {
    duty: 3,
    sociable: 0.1,
    wary: 0.45,
    curious: 0.23,
    dawdling: 0.18,
    insistent: 0.5,
    bold: 0.75,
    reckless: 0.5,
    saboteur: 0.29,
    brazen: 0.3,
    slippery: 0.35,
  },
  joker: {
    duty: 2,
    sociable: 0.24,
    wary: 0.75,
    curious: 0.23,
    dawdling: 0.48,
    insistent: 0.2,
    bold: 0.75,
    reckless: 0.6,
    saboteur: 0.36,
    brazen: 0.3,
    slippery: 0.6,
  },
  follower: {
    duty: 4,
    sociable: 0.56,
    wary: 0.6,
    curious: 0.08,
    dawdling: 0.22,
    insistent: 0.05,
    bold: 0.5,
    reckless: 0.25,
    saboteur: 0.22,
    brazen: 0.09,
    slippery: 0.4,
  },
  sceptic: {
    duty: 3,
    sociable: 0.06,
    wary: 0.4,
    curious: 0.34,
    dawdling: 0.26,
    insistent: 0.35,
    bold: 0.55,
    reckless: 0.3,
    saboteur: 0.25,
    brazen: 0.15,
    slippery: 0.45,
  },
  diplomat: {
    duty: 4,
    sociable: 0.35,
    wary: 0.65,
    curious: 0.15,
    dawdling: 0.26,
    insistent: 0.1,
    bold: 0.5,
    reckless: 0.2,
    saboteur: 0.18,
    brazen: 0.18,
    slippery: 0.3,
  },
};

/*
 * Lessons are sentences learned in earlier games. An offline mind understands only these. Their effects were measured in
 * games of eight where a whole side had learned one: each wins a few more games in a hundred.
 */

type PlayStyle = {
  readonly temperament: Temperament;
  readonly traits: TableTraits;
  readonly shipTraits: ShipTraits;
};

type LessonEffect = (
  bearing: Omit<PlayStyle, 'temperament'>,
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
  role: Role,
  learned: readonly string[],
): PlayStyle {
  let [traits, shipTraits] = [TABLE_TRAITS[temperament], SHIP_TRAITS[temperament]];
  for (const text of new Set(learned)) {
    const lesson = KNOWN.get(text);
    if (lesson === undefined || lesson.role !== role) continue;
    const change = lesson.effect({ traits, shipTraits });
    traits = { ...traits, ...change.traits };
    shipTraits = { ...shipTraits, ...change.shipTraits };
  }
  return { temperament, traits, shipTraits };
}

/* After a game an offline mind learns one lesson at most, out of those that it understands. A winner learns none. */

type Experience = {
  readonly role: Role;
  readonly won: boolean;
  readonly reason: string;
  readonly tally: Readonly<Record<string, number>>;
};

/** What could have helped, the most useful first. */
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
