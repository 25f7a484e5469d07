/** The plan of a league: its file with all defaults filled in, settled in the store before the first game. */

import { z } from 'zod';
import { canonical } from '../../machines/journal/canonical.ts';
import { isRemote } from '../../machines/rules/mindKinds.ts';
import { defaultGameOptions } from '../../machines/rules/options.ts';
import {
  type GameMatch,
  gameMatchSchema,
  modelFields,
  ownMindFields,
} from '../../machines/setup/match.ts';
import { prepare } from '../../machines/setup/prepare.ts';
import { parseJson } from '../../machines/text.ts';
import {
  COLOURS,
  LEVELS,
  LONGEST_LESSON,
  MOST_LESSONS,
  type Note,
  TEMPERAMENTS,
} from '../../machines/types.ts';
import { PERSONAS } from '../../prompts/personas.ts';
import { listVariables } from '../minds/openai/seats.ts';
import { findSecretsIn } from '../minds/secrets.ts';
import { hashText } from '../ports/hash.ts';
import { realProcess } from '../ports/process.ts';
import { StoreDamaged } from '../stores/errors.ts';
import {
  checkName,
  isSamePersona,
  lessonSchema,
  normaliseId,
  type PersonaName,
  personaId,
} from '../stores/persona.ts';
import type { Store } from '../stores/store.ts';
import {
  entrySchema,
  findContradictions,
  type LeagueEntry,
  type LeagueFile,
  leagueSchema,
} from './leagueFile.ts';
import { countNeeded, makeSchedule, type ScheduledGame } from './schedule.ts';

const memberSchema = entrySchema
  .required({ temperament: true, level: true })
  .extend({ temperament: z.enum(TEMPERAMENTS), level: z.enum(LEVELS) });
export type LeagueMember = z.output<typeof memberSchema>;

const planSchema = z.strictObject({
  v: z.literal(1),
  /** The version of the program: games of two versions are not the same games. */
  engine: z.string(),
  league: leagueSchema.extend({ personas: z.array(memberSchema) }),
});
export type LeaguePlan = z.output<typeof planSchema>;

export function completePlan(file: LeagueFile, engine: string): LeaguePlan {
  const name = normaliseId(file.name);
  return { v: 1, engine, league: { ...file, name, personas: file.personas.map(completeMember) } };
}

/** A persona that comes with the project has defaults of its own. */
function completeMember(entry: LeagueEntry): LeagueMember {
  const shipped = Object.values(PERSONAS).find(({ name }) => name === entry.name);
  const character = entry.character ?? shipped?.character;
  const voice = entry.voice ?? shipped?.voice;
  return {
    ...entry,
    temperament: entry.temperament ?? shipped?.temperament ?? 'observer',
    level: entry.level ?? shipped?.level ?? 'none',
    ...(character === undefined ? {} : { character }),
    ...(voice === undefined ? {} : { voice }),
  };
}

/** The settled part: everything except the budget, and the limits of requests. */
function encodePlan({ league, ...plan }: LeaguePlan): string {
  const { budget: _budget, limits: _limits, ...games } = league;
  // The folder of a mind differs between machines.
  const personas = league.personas.map(({ folder: _folder, ...persona }) => persona);
  return canonical({ ...plan, league: { ...games, personas } });
}

/** Reads a settled plan; throws if another version settled it. */
export function decodePlan(league: string, text: string): LeaguePlan {
  const reading = planSchema.safeParse(parseJson(text));
  if (reading.success) {
    const [problem] = findProblems(league, reading.data);
    if (problem === undefined) return reading.data;
    const words = `no league can have the plan of the league ${JSON.stringify(league)} (${problem.text})`;
    throw new StoreDamaged(`${words}: go on with a copy of the store, or with another name`);
  }
  throw new StoreDamaged(
    `the plan of the league ${JSON.stringify(league)} was settled by another version of this program: go on with that one, or play the league under another name`,
    'store/version',
  );
}

function findProblems(name: string, plan: LeaguePlan): readonly Note[] {
  const other = { code: 'league/other-plan', text: `it is the plan of ${plan.league.name}` };
  return [
    ...(plan.league.name === name ? [] : [other]),
    ...findContradictions(plan.league),
    ...checkPlan(plan),
    ...checkTable(plan),
  ];
}

/** The pair under which the store keeps a persona of a league. A mind without a model is kept under its kind. */
export function personaNameOf(member: Pick<LeagueMember, 'mind' | 'model' | 'name'>): PersonaName {
  const { mind, model, name } = member;
  return { model: isRemote({ mind }) ? (model ?? '') : mind, name };
}

export function checkPlan({ league }: LeaguePlan): readonly Note[] {
  const ids = league.personas.map((member) => personaId(personaNameOf(member)));
  const names = ids.map((id) => checkName('persona', id));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  const twins: Note = {
    code: 'persona/taken',
    text: `two of the personas have the id ${JSON.stringify(twice)}: rename one of them`,
  };
  const all = [checkName('league', league.name), ...names, twice === undefined ? null : twins];
  return all.filter((note) => note !== null);
}

export function scheduleLeague({ league }: LeaguePlan): readonly ScheduledGame[] {
  const { seed, games, players, rules, seating, mirror, options, personas } = league;
  const numbers = new Map(personas.map(({ name }, index) => [name, index]));
  const impostors = options.impostors ?? defaultGameOptions(players, rules).impostors;
  return makeSchedule({
    ...{ seed, games, players, impostors, seating, mirror },
    personas: personas.length,
    compare: league.compare.map(([one, other]) => [numbers.get(one) ?? 0, numbers.get(other) ?? 0]),
  });
}

/** Rounds of a schedule: the slots between two moments of learning. A pair of mirrored games is not taken apart. */
export function roundsOf({ league: { games, mirror, round: asked } }: LeaguePlan) {
  const size = mirror ? asked + (asked % 2) : asked;
  return Array.from({ length: Math.ceil(games / size) }, (_, round) => ({
    least: round * size,
    most: Math.min(games, (round + 1) * size),
  }));
}

export async function settleLeague(store: Store, plan: LeaguePlan): Promise<Note | null> {
  const { name, personas } = plan.league;
  // A plan that is settled can't be changed any more, so names are checked first.
  for (const persona of personas.map(personaNameOf)) {
    const there = await store.career(personaId(persona));
    if (there !== null && !isSamePersona(there.persona, persona)) return refuseTaken(persona);
  }
  const mine = encodePlan(plan);
  const settled = await store.settle(name, 'plan', mine);
  if (settled !== mine) {
    const text = `the league ${JSON.stringify(name)} was begun with ${describeDifference(settled, plan)}: go on with that one, or give this one another name`;
    return { code: 'league/other-plan', text };
  }
  for (const member of personas) {
    const persona = personaNameOf(member);
    if ((await store.enrol(persona)) === 'taken') return refuseTaken(persona);
    if (!member.learns || member.learned.length === 0) continue;
    const lessons = member.learned.map((text) => ({ text, from: `the file of ${name}` }));
    await store.teach(personaId(persona), 0, { lessons, why: 'new', barrier: '' });
  }
  return null;
}

function refuseTaken(persona: PersonaName): Note {
  const id = JSON.stringify(personaId(persona));
  const text = `the persona ${id} is there already, with another model and name that spell the same id: rename it`;
  return { code: 'persona/taken', text };
}

function describeDifference(settled: string, { engine, league }: LeaguePlan): string {
  const begun = decodePlan(league.name, settled);
  if (begun.engine !== engine)
    return `version ${begun.engine} of this program, and this is ${engine}`;
  const before = new Map(Object.entries(begun.league));
  const keys = Object.entries(league)
    .filter(([key]) => key !== 'budget' && key !== 'limits')
    .filter(([key, value]) => canonical([before.get(key) ?? null]) !== canonical([value]))
    .map(([key]) => key);
  return `another file (${keys.join(', ')})`;
}

export type LeagueGame = Readonly<ReturnType<typeof prepareGame>>;

const gameSchema = z.object({
  ...{ league: z.string(), slot: z.int().nonnegative(), game: z.string(), engine: z.string() },
  seed: z.int().nonnegative(),
  match: gameMatchSchema,
  seats: z.array(
    z.object({
      colour: z.enum(COLOURS),
      model: z.string(),
      persona: z.string(),
      memory: z.int().nonnegative(),
    }),
  ),
  terms: leagueSchema.pick({ budget: true, limits: true }),
});

/** Whether a job is a game: anybody who can write to the queue may have put it there. */
export function isLeagueGame(job: unknown): boolean {
  return gameSchema.safeParse(job).success;
}
export type LeagueSeat = Readonly<LeagueGame['seats'][number]>;
export type LeagueTerms = Pick<LeagueFile, 'budget' | 'limits'>;

export const lessonsSchema = z
  .array(lessonSchema.extend({ text: z.string().max(LONGEST_LESSON) }))
  .max(MOST_LESSONS)
  .readonly();

export const knowledgeSchema = z.record(
  z.string(),
  z.strictObject({ version: z.int().nonnegative(), lessons: lessonsSchema }),
);

export type LeagueKnowledge = z.output<typeof knowledgeSchema>;

const ID_LETTERS = 24;

const mindFields = z.object({ ...ownMindFields, ...modelFields });

export function prepareGame(plan: LeaguePlan, fixture: ScheduledGame, knowledge: LeagueKnowledge) {
  const { league } = plan;
  const { slot, seed, table } = fixture;
  const seats = table.flatMap((place) => {
    const member = league.personas[place.persona];
    return member === undefined
      ? []
      : [{ ...place, member, knows: recallKnowledge(plan, member, knowledge) }];
  });
  const match: GameMatch = {
    name: `${league.name.slice(0, LONGEST_NAME)}, game ${slot + 1}`,
    about: '',
    map: 'skeld',
    options: { ...league.options, rules: league.rules },
    fault_rate: 0,
    seats: seats.map(({ colour, role, member, knows }) => ({
      colour,
      role,
      persona: { name: member.name, temperament: member.temperament, notes: '' },
      mind: member.mind,
      level: member.level,
      votes: 'freely',
      notes: '',
      ...mindFields.parse(member),
      ...(knows.lessons.length === 0 ? {} : { learned: knows.lessons }),
    })),
  };
  return {
    league: league.name,
    slot,
    /** The id of its slot in this very schedule: the same on all machines that play it, and of no other game. */
    game: hashText(canonical([encodePlan(plan), slot])).slice(0, ID_LETTERS),
    seed,
    match,
    seats: seats.map(({ colour, member, knows }) => ({
      colour,
      model: personaNameOf(member).model,
      persona: member.name,
      memory: knows.version,
      learns: isLearning(plan, member),
      /** The character of a model. Null: the one of its temperament. */
      character: member.character ?? null,
      voice: member.voice ?? null,
    })),
    terms: { budget: league.budget, limits: league.limits },
    engine: plan.engine,
  };
}

/** The name of a match has room for the number of the game behind it. */
const LONGEST_NAME = 80;

export function isLearning({ league }: LeaguePlan, { learns }: LeagueMember): boolean {
  return league.learning && learns;
}

function recallKnowledge(plan: LeaguePlan, member: LeagueMember, knowledge: LeagueKnowledge) {
  const known = isLearning(plan, member) ? knowledge[personaId(personaNameOf(member))] : undefined;
  return {
    version: known?.version ?? 0,
    lessons: known?.lessons.map(({ text }) => text) ?? member.learned,
  };
}

export function checkKeys({ league }: LeaguePlan): readonly Note[] {
  const notes = league.personas.filter(isRemote).flatMap((persona) => {
    const key = listVariables(persona).find((name) => !realProcess.environment[name]);
    if (key === undefined) return [];
    const text = `personas: expected a key in the environment variable ${key}, which is not set`;
    return [{ code: 'model/no-key', text }];
  });
  return [...new Map(notes.map((note) => [note.text, note])).values()];
}

/** Checks the first game of a plan: if it can be played, all can. */
export function checkFirstGame(plan: LeaguePlan): readonly Note[] {
  const problems = checkTable(plan);
  if (problems.length > 0) return problems;
  const secrets = plan.league.personas.flatMap((one) => findSecretsIn(one.name, one));
  if (secrets.length > 0) return secrets;
  const [first] = scheduleLeague(plan);
  if (first === undefined) return [];
  const { match, seed } = prepareGame(plan, first, {});
  const preparation = prepare(match, seed);
  return preparation.ok ? [] : preparation.refusals;
}

function checkTable(plan: LeaguePlan): readonly Note[] {
  const { players, options } = plan.league;
  const impostors = options.impostors ?? 1;
  if (impostors >= players) {
    const text = `options: ${impostors} impostors are too many for a table of ${players}`;
    return [{ code: 'league/impostors', text }];
  }
  return checkNumber(plan);
}

function checkNumber({ league }: LeaguePlan): readonly Note[] {
  const { personas, compare, seating, mirror, players } = league;
  const needed = countNeeded({ players, seating, mirror, pairs: compare.length });
  const missing = needed - personas.length;
  if (missing <= 0) return [];
  const found = `expected ${needed} personas at least, found ${personas.length}`;
  const text =
    compare.length > 0
      ? `compare: ${found}. A persona that is compared plays against others, never against itself: add ${missing}, or leave out compare`
      : `mirror: ${found}. The second game has the personas exchanged: add ${missing}, or leave out mirror`;
  return [{ code: 'league/too-few-personas', text }];
}
