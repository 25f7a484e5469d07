/**
 * Lessons that an offline mind understands: sentences that it may have learned in earlier games, and what each of them
 * changes in how it plays. Any other sentence is beyond it.
 *
 * What a lesson does was measured on games of eight in which a whole side had learned it; each is worth a few games in
 * a hundred.
 */
import type { Role, Temperament } from '../../../machines/types.ts';
import { NERVES, type Nerves } from './ship/nerves.ts';
import { TRAITS, type Traits } from './temperament.ts';

/** How somebody plays, in numbers. */
export type Bearing = {
  readonly temperament: Temperament;
  readonly traits: Traits;
  readonly nerves: Nerves;
};

type Effect = (
  bearing: Omit<Bearing, 'temperament'>,
) => Partial<{ traits: Partial<Traits>; nerves: Partial<Nerves> }>;

export type KnownLesson = {
  /** The role in which it helps. */
  readonly role: Role;
  readonly text: string;
  readonly effect: Effect;
};

export const LESSONS = {
  screens: {
    role: 'crewmate',
    text: 'As crewmate I leave cameras and the Admin table alone: a look costs a task, and tasks win games.',
    effect: ({ nerves }) => ({ nerves: { curious: nerves.curious * 0.2 } }),
  },
  company: {
    role: 'crewmate',
    text: 'As crewmate I do not wait for company: two who stand about finish no task.',
    effect: ({ nerves }) => ({ nerves: { sociable: nerves.sociable * 0.2 } }),
  },
  breaks: {
    role: 'crewmate',
    text: 'As crewmate I rest when my tasks are done, and not before.',
    effect: ({ nerves }) => ({ nerves: { dawdling: nerves.dawdling * 0.2 } }),
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
    effect: ({ nerves }) => ({ nerves: { bold: Math.min(0.95, nerves.bold + 0.25) } }),
  },
  sabotage: {
    role: 'impostor',
    text: 'As impostor I break something whenever it works again: a crew that repairs does no tasks.',
    effect: ({ nerves }) => ({ nerves: { saboteur: Math.min(0.9, nerves.saboteur * 2) } }),
  },
  walk: {
    role: 'impostor',
    text: 'As impostor I walk away from a body: whoever is seen at a vent is lost.',
    effect: ({ nerves }) => ({ nerves: { slippery: nerves.slippery * 0.2 } }),
  },
  errands: {
    role: 'impostor',
    text: 'As impostor I look for victims instead of standing about for the look of it.',
    effect: () => ({ nerves: { curious: 0, dawdling: 0, sociable: 0 } }),
  },
} as const satisfies Readonly<Record<string, KnownLesson>>;
export type LessonName = keyof typeof LESSONS;

const KNOWN: ReadonlyMap<string, KnownLesson> = new Map<string, KnownLesson>(
  Object.values(LESSONS).map((lesson) => [lesson.text, lesson]),
);

/** How somebody of this temperament plays a role after what they have learned. */
export function bearing(temperament: Temperament, role: Role, learned: readonly string[]): Bearing {
  let [traits, nerves] = [TRAITS[temperament], NERVES[temperament]];
  for (const text of new Set(learned)) {
    const lesson = KNOWN.get(text);
    if (lesson === undefined || lesson.role !== role) continue;
    const change = lesson.effect({ traits, nerves });
    traits = { ...traits, ...change.traits };
    nerves = { ...nerves, ...change.nerves };
  }
  return { temperament, traits, nerves };
}
