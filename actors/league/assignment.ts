/** An assignment: one game of a league with all that is needed to play it, as plain data for whoever plays it. */
import { createHash } from 'node:crypto';
import { canonical } from '../../machines/journal/canonical.ts';
import type { GameMatch } from '../../machines/setup/match.ts';
import type { Colour } from '../../machines/types.ts';
import { personaId } from '../stores/persona.ts';
import type { LeagueFile } from './leagueFile.ts';
import { type Member, type Plan, personaOf, planText } from './plan.ts';
import type { Fixture } from './schedule.ts';

/** Who sits where, beyond what the lobby says. */
export type AssignedSeat = {
  readonly colour: Colour;
  readonly model: string;
  readonly persona: string;
  /** Version of the memory that the game is played with. */
  readonly memory: number;
  readonly learns: boolean;
  /** Who a model is told to be; null for what its temperament has. */
  readonly character: string | null;
  readonly voice: string | null;
};

/** What may be asked of models, by all games of the league together. */
export type Terms = Pick<LeagueFile, 'budget' | 'limits'>;

export type Assignment = {
  readonly league: string;
  readonly slot: number;
  /** The id of the game: of its slot in this very schedule. */
  readonly game: string;
  readonly seed: number;
  readonly lobby: GameMatch;
  readonly seats: readonly AssignedSeat[];
  readonly terms: Terms;
};

/** What a persona knows in a round, by its id. */
export type Knowledge = Readonly<
  Record<string, { readonly version: number; readonly lessons: readonly string[] }>
>;

/** The id of a game: the same for everybody who plays this league, and of no other. */
function gameId(plan: Plan, slot: number): string {
  return createHash('sha256')
    .update(canonical([planText(plan), slot]))
    .digest('hex')
    .slice(0, ID_LETTERS);
}

const ID_LETTERS = 24;

export function assignmentOf(plan: Plan, fixture: Fixture, knowledge: Knowledge): Assignment {
  const { league } = plan;
  const { slot, seed, table } = fixture;
  const seats = table.flatMap((place) => {
    const member = league.personas[place.persona];
    return member === undefined
      ? []
      : [{ ...place, member, knows: knownTo(plan, member, knowledge) }];
  });
  return {
    league: league.name,
    slot,
    game: gameId(plan, slot),
    seed,
    lobby: {
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
        ...modelOf(member),
        ...(knows.lessons.length === 0 ? {} : { learned: [...knows.lessons] }),
      })),
    },
    seats: seats.map(({ colour, member, knows }) => ({
      colour,
      model: personaOf(member).model,
      persona: member.name,
      memory: knows.version,
      learns: isLearning(plan, member),
      character: member.character ?? null,
      voice: member.voice ?? null,
    })),
    terms: { budget: league.budget, limits: league.limits },
  };
}

/** The name of a lobby has room for the number of the game behind it. */
const LONGEST_NAME = 80;

export function isLearning({ league }: Plan, { learns }: Member): boolean {
  return league.learning && learns;
}

function knownTo(plan: Plan, member: Member, knowledge: Knowledge) {
  const given = { version: 0, lessons: member.learned };
  if (!isLearning(plan, member)) return given;
  return knowledge[personaId(personaOf(member))] ?? given;
}

function modelOf({ model, base_url, key, temperature, extra_body }: Member) {
  return {
    ...(model === undefined ? {} : { model }),
    ...(base_url === undefined ? {} : { base_url }),
    ...(key === undefined ? {} : { key }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(extra_body === undefined ? {} : { extra_body }),
  };
}
