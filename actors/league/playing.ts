/**
 * Playing an assignment: from its lobby to a result and a journal, whoever is asked to do it.
 *
 * Offline minds give the same result on every machine. Where models think, what has been recorded before is not asked
 * for again.
 */

import type { Line } from '../../machines/journal/lines.ts';
import type { BySeat, Standing } from '../../machines/types.ts';
import { createMatch, type ReadyGame } from '../engine/match.ts';
import { isRemote } from '../minds/kinds.ts';
import { reflect } from '../minds/scripted/traits.ts';
import { addCounters, type Counters, type GameResult, type ResultSeat } from '../stores/result.ts';
import type { AssignedSeat, Assignment } from './assignment.ts';
import { kept } from './lessons.ts';
import { padsOf } from './pads.ts';
import { type Staged, staged } from './staging.ts';
import type { Tape, Thinkers } from './thinkers.ts';

/** A game that was played to its end. */
export type PlayedSlot = {
  readonly type: 'played';
  readonly slot: number;
  readonly result: GameResult;
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
  readonly thinkers: Thinkers | null;
};

/** Plays a game of a league, or goes on with it. Never broken by a mind. */
export async function playAssignment(
  assignment: Assignment,
  edge: Edge,
  tape: Tape | null = null,
): Promise<SlotOutcome> {
  const { slot, seed, lobby } = assignment;
  const { thinkers } = edge;
  const creation = createMatch(lobby, seed, thinkers?.minds ?? null);
  if (!creation.ok) {
    const text = creation.refusals.map((note) => note.text).join('; ');
    return { type: 'broken', slot, text };
  }
  const game = await staged(creation.ready, thinkers, tape);
  const pause = thinkers?.paused() ?? null;
  if (pause !== null) return { type: 'aborted', slot, text: `the game is paused: ${pause}` };
  if (game.score.reason === 'interrupted') {
    return { type: 'aborted', slot, text: 'the game was stopped' };
  }
  const result = await resultOf(assignment, creation.ready, game, edge);
  return { type: 'played', slot, result, journal: game.text };
}

async function resultOf(
  assignment: Assignment,
  crew: ReadyGame,
  game: Staged,
  edge: Edge,
): Promise<GameResult> {
  const { league, slot, game: id, seed, seats } = assignment;
  const { winner, reason, rounds, meetings } = game.score;
  const tallies = edge.count(game.lines);
  const lastingOf = async (seat: AssignedSeat): Promise<ResultSeat> => {
    const player = crew.players.find(({ colour }) => colour === seat.colour);
    const role = player?.role ?? 'crewmate';
    const won = winner === (role === 'impostor' ? 'impostors' : 'crew');
    const tally = { ...tallies[seat.colour] };
    const { colour, model, persona, memory } = seat;
    const story = { assignment, crew, game, tallies, thinkers: edge.thinkers };
    const { learned, cost } = seat.learns
      ? await lessonsOf(seat, { role, won, reason, tally }, story)
      : NOTHING;
    return { colour, role, model, persona, won, tally: addCounters(tally, cost), memory, learned };
  };
  const lasting = await Promise.all(seats.map(lastingOf));
  return { v: 1, league, slot, game: id, seed, winner, reason, rounds, meetings, seats: lasting };
}

type Story = {
  readonly assignment: Assignment;
  readonly crew: ReadyGame;
  readonly game: Staged;
  readonly tallies: BySeat<Counters>;
  readonly thinkers: Thinkers | null;
};

type Kept = { readonly learned: string[] | null; readonly cost: Counters };
/** Nobody reflects. */
const NOTHING: Kept = { learned: null, cost: {} };

/** What a seat takes along: an offline mind by its rules, a model in its own words. */
async function lessonsOf(
  seat: AssignedSeat,
  experience: Parameters<typeof reflect>[1],
  { assignment, crew, game, tallies, thinkers }: Story,
): Promise<Kept> {
  const { colour } = seat;
  const written = assignment.lobby.seats.find((one) => one.colour === colour);
  if (written?.mind === 'scripted') {
    return { learned: [...kept(reflect(written.learned ?? [], experience))], cost: {} };
  }
  const player = crew.players.find((one) => one.colour === colour);
  if (written === undefined || !isRemote(written) || thinkers === null || player === undefined)
    return NOTHING;
  const standingOf = (tally: Counters | undefined): Standing => {
    if (tally?.['survived'] === 1) return 'living';
    return tally?.['left'] === 1 ? 'departed' : 'dead';
  };
  const { learned, cost } = await thinkers.reflect(seat, {
    you: {
      ...player,
      pads: padsOf(game.lines, colour),
      isGhost: standingOf(tallies[colour]) === 'dead',
    },
    ending: game.score,
    seats: crew.players.map(({ colour: one, role }) => ({
      colour: one,
      role,
      standing: standingOf(tallies[one]),
    })),
  });
  return { learned: learned === null ? null : [...kept(learned)], cost };
}
