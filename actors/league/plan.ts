/**
 * The plan of a league: its file with nothing left open, as it is settled in the store before the first game.
 *
 * It holds everything that decides what is played, so that any machine that reads it plays the same games.
 */
import { z } from 'zod';
import { canonical } from '../../machines/journal/canonical.ts';
import { defaultGameOptions } from '../../machines/rules/options.ts';
import { LEVELS, type Note, TEMPERAMENTS } from '../../machines/types.ts';
import { PERSONAS } from '../../prompts/personas.ts';
import { checkName, normaliseId, type PersonaName, personaId } from '../stores/persona.ts';
import { type Entry, entrySchema } from './entry.ts';
import { type LeagueFile, leagueSchema } from './leagueFile.ts';
import { type Fixture, schedule } from './schedule.ts';

const memberSchema = entrySchema
  .required({ temperament: true, level: true })
  .extend({ temperament: z.enum(TEMPERAMENTS), level: z.enum(LEVELS) });
/** A persona of a league, described to the end. */
export type Member = z.output<typeof memberSchema>;

const planSchema = z.strictObject({
  v: z.literal(1),
  /** The version of the program: games of two versions are not the same games. */
  engine: z.string(),
  league: leagueSchema.extend({ personas: z.array(memberSchema) }),
});
export type Plan = z.output<typeof planSchema>;

/** The model under which offline minds are kept. */
const OFFLINE = 'scripted';
const DEFAULT_TEMPERAMENT = 'observer';
const DEFAULT_LEVEL = 'none';

/** Completes a file. */
export function planOf(file: LeagueFile, engine: string): Plan {
  const name = normaliseId(file.name);
  return { v: 1, engine, league: { ...file, name, personas: file.personas.map(completed) } };
}

/** What a persona that comes with the project is by default, and what is said of any other. */
function completed(entry: Entry): Member {
  const shipped = Object.values(PERSONAS).find(({ name }) => name === entry.name);
  const character = entry.character ?? shipped?.character;
  const voice = entry.voice ?? shipped?.voice;
  return {
    ...entry,
    temperament: entry.temperament ?? shipped?.temperament ?? DEFAULT_TEMPERAMENT,
    level: entry.level ?? shipped?.level ?? DEFAULT_LEVEL,
    ...(character === undefined ? {} : { character }),
    ...(voice === undefined ? {} : { voice }),
  };
}

/** What is settled: everything but what the games may cost, and how fast models are asked. */
export function planText({ league, ...plan }: Plan): string {
  const { budget: _budget, limits: _limits, ...games } = league;
  return canonical({ ...plan, league: games });
}

export function readPlan(text: string): Plan {
  return planSchema.parse(JSON.parse(text));
}

/** What the records of a member are kept under. */
export function personaOf({
  mind,
  model,
  name,
}: Pick<Member, 'mind' | 'model' | 'name'>): PersonaName {
  return { model: mind === 'scripted' ? OFFLINE : (model ?? ''), name };
}

/** Why nothing can be kept of such a league; empty when it can. */
export function planRefusals({ league }: Plan): readonly Note[] {
  const ids = league.personas.map((member) => personaId(personaOf(member)));
  const names = ids.map((id) => checkName('persona', id));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  const twins: Note = {
    code: 'persona/taken',
    text: `two of the personas have the id ${JSON.stringify(twice)}: rename one of them`,
  };
  const all = [checkName('league', league.name), ...names, twice === undefined ? null : twins];
  return all.filter((note) => note !== null);
}

/** All games of a league, in the order of the schedule. */
export function fixturesOf({ league }: Plan): readonly Fixture[] {
  const { seed, games, players, rules, seating, mirror, options, personas } = league;
  const numbers = new Map(personas.map(({ name }, index) => [name, index]));
  const impostors = options.impostors ?? defaultGameOptions(players, rules).impostors;
  return schedule({
    seed,
    games,
    players,
    impostors,
    seating,
    mirror,
    personas: personas.length,
    compare: league.compare.map(([one, other]) => [numbers.get(one) ?? 0, numbers.get(other) ?? 0]),
  });
}

/** Rounds of a schedule: the slots between two moments of learning. A pair of mirrored games is not taken apart. */
export function roundsOf({
  league,
}: Plan): readonly { readonly least: number; readonly most: number }[] {
  const { games, mirror } = league;
  const size = mirror ? league.round + (league.round % 2) : league.round;
  return Array.from({ length: Math.ceil(games / size) }, (_, round) => ({
    least: round * size,
    most: Math.min(games, (round + 1) * size),
  }));
}
