/**
 * A career: what a persona has done in all games that were recorded, as counters that only ever grow.
 *
 * Rates are never kept: they are worked out when somebody looks, so that two games that end at once can't spoil one.
 */
import type { Memory } from './memory.ts';
import { type PersonaName, personaId } from './personaId.ts';
import type { Result, ResultSeat } from './result.ts';

/** Whole numbers by name. Those of play begin with the role, as in "crewmate.votes_impostor". */
export type Counters = Readonly<Record<string, number>>;

export type Career = { readonly persona: PersonaName; readonly counters: Counters };

/** What one seat of a result adds to the career of its persona. */
function additions({ role, won, tally }: ResultSeat): Counters {
  const counters: Record<string, number> = {
    games: 1,
    wins: won ? 1 : 0,
    [`${role}.games`]: 1,
    [`${role}.wins`]: won ? 1 : 0,
  };
  for (const [name, value] of Object.entries(tally)) counters[`${role}.${name}`] = value;
  return counters;
}

export function sum(one: Counters, other: Counters): Counters {
  const total: Record<string, number> = { ...one };
  for (const [name, value] of Object.entries(other)) total[name] = (total[name] ?? 0) + value;
  return total;
}

/** What a result adds to each persona that played in it. One that had two seats gets both. */
export function careersIn(result: Pick<Result, 'seats'>): ReadonlyMap<string, Career> {
  const careers = new Map<string, Career>();
  for (const seat of result.seats) {
    const persona = { model: seat.model, name: seat.persona };
    const id = personaId(persona);
    const counters = sum(careers.get(id)?.counters ?? {}, additions(seat));
    careers.set(id, { persona, counters });
  }
  return careers;
}

/** The document of a persona, as the design has it. */
export type PersonaDocument = {
  readonly persona_id: string;
  readonly learned: {
    readonly version: number;
    readonly lessons: readonly { readonly text: string; readonly from: string }[];
  };
  readonly games_played: number;
  /** Null where there was no game. */
  readonly win_rate: number | null;
  readonly impostor_win_rate: number | null;
  readonly crewmate_win_rate: number | null;
  readonly stats: Counters;
};

export function personaDocument({ persona, counters }: Career, memory: Memory): PersonaDocument {
  const { version, lessons } = memory;
  const rate = (prefix: string) => {
    const games = counters[`${prefix}games`] ?? 0;
    return games === 0 ? null : (counters[`${prefix}wins`] ?? 0) / games;
  };
  const names = Object.keys(counters).toSorted();
  return {
    persona_id: personaId(persona),
    learned: { version, lessons },
    games_played: counters['games'] ?? 0,
    win_rate: rate(''),
    impostor_win_rate: rate('impostor.'),
    crewmate_win_rate: rate('crewmate.'),
    stats: Object.fromEntries(names.map((name) => [name, counters[name] ?? 0])),
  };
}
