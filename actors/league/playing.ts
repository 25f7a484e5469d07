/**
 * Playing an assignment: from its lobby to a result and a journal, whoever is asked to do it.
 *
 * Offline minds give the same result on every machine. Where models think, what has been recorded before is not asked
 * for again.
 */
import type { Line } from '../../machines/journal.ts';
import { lineSchema } from '../../machines/journal.ts';
import type { BySeat } from '../../machines/types.ts';
import { realClock, SimulatedClock } from '../clock.ts';
import { type Manned, manned } from '../crewing.ts';
import { Recorder } from '../journal/recorder.ts';
import { reflected } from '../minds/scripted/reflection.ts';
import { play, type Score } from '../play.ts';
import type { ModelMinds } from '../seating.ts';
import type { Counters } from '../stores/career.ts';
import type { Result, ResultSeat } from '../stores/result.ts';
import type { AssignedSeat, Assignment } from './assignment.ts';
import { kept } from './lessons.ts';

/** A game that was played to its end. */
export type PlayedSlot = {
  readonly type: 'played';
  readonly slot: number;
  readonly result: Result;
  /** The whole text; null where it has reached its place already. */
  readonly journal: string | null;
};

/** `aborted`: it was stopped or paused, and is to be played again; `broken`: whatever played it broke down. */
export type LostSlot = {
  readonly type: 'aborted' | 'broken';
  readonly slot: number;
  readonly text: string;
};

export type SlotOutcome = PlayedSlot | LostSlot;

/** What the caller brings along: how a journal is counted, and who thinks for seats with models. */
export type Edge = {
  readonly count: (lines: readonly Line[]) => BySeat<Counters>;
  readonly models: ModelMinds | null;
};

/** Plays a game of a league. Never broken by a mind. */
export async function playAssignment(assignment: Assignment, edge: Edge): Promise<SlotOutcome> {
  const { slot, seed, lobby } = assignment;
  const manning = manned(lobby, seed, edge.models);
  if (!manning.ok) {
    const text = manning.refusals.map((note) => note.text).join('; ');
    return { type: 'broken', slot, text };
  }
  const texts: string[] = [];
  const score = await scored(manning.manned, (text) => void texts.push(text));
  if (score.reason === 'interrupted') {
    return { type: 'aborted', slot, text: 'the game was stopped' };
  }
  const lines = texts.map((text) => lineSchema.parse(JSON.parse(text)));
  const result = resultOf(assignment, manning.manned, score, edge.count(lines));
  return { type: 'played', slot, result, journal: texts.map((text) => `${text}\n`).join('') };
}

async function scored(crew: Manned, onText: (text: string) => void): Promise<Score> {
  const isSlow = Object.values(crew.minds).some(({ pace }) => pace === 'in-time');
  const recorder = new Recorder({ onLine: ({ text }) => onText(text) });
  recorder.write('living', [crew.headers.living]);
  recorder.write('ghosts', [crew.headers.ghosts]);
  const clock = isSlow ? realClock : new SimulatedClock();
  return await play({ ...crew, clock, recorder }).result;
}

export function resultOf(
  { league, slot, game, seed, seats, lobby }: Assignment,
  { players }: Pick<Manned, 'players'>,
  { winner, reason, rounds, meetings }: Score,
  tallies: BySeat<Counters>,
): Result {
  return {
    v: 1,
    league,
    slot,
    game,
    seed,
    winner,
    reason,
    rounds,
    meetings,
    seats: seats.map((seat): ResultSeat => {
      const role = players.find(({ colour }) => colour === seat.colour)?.role ?? 'crewmate';
      const won = winner === (role === 'impostor' ? 'impostors' : 'crew');
      const tally = { ...tallies[seat.colour] };
      const written = lobby.seats.find(({ colour }) => colour === seat.colour);
      const learned = lessonsOf(seat, written, { role, won, reason, tally });
      const { colour, model, persona, memory } = seat;
      return { colour, role, model, persona, won, tally, memory, learned };
    }),
  };
}

/** What an offline mind takes along; null for whoever does not learn, and for models, which are asked. */
function lessonsOf(
  { learns }: AssignedSeat,
  seat: Assignment['lobby']['seats'][number] | undefined,
  experience: Parameters<typeof reflected>[1],
): ResultSeat['learned'] {
  if (!learns || seat?.mind !== 'scripted') return null;
  return [...kept(reflected(seat.learned ?? [], experience))];
}
