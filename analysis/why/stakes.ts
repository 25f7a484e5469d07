/**
 * The stake: the chance of each side to win, and of each player to be ejected, at each moment of a record.
 *
 * From each moment the match is played on so many times, each time by minds of another seed: what players know and have said
 * is the record's, what they make of it is drawn anew. The dice stay those of the match. The same seeds are used at all
 * moments, so that the curve moves with the match and not with the draw.
 */
import { gameSeed } from '../../actors/jobs/gameJob.ts';
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import { type BySeat, COLOURS, type Colour, SYSTEM } from '../../machines/types.ts';
import { forEachAtOnce, type MatchPlayer } from './plays.ts';
import type { StakeMoment } from './result.ts';

/** A moment of a record: the state behind a line. */
export type StakePlace = Pick<StakeMoment, 'meeting' | 'tick' | 'round' | 'what'> & {
  /** The line, from 0. */
  readonly line: number;
  /** Nothing was decided since the moment before, so its chances are the same. */
  readonly isSame: boolean;
};

/** All moments of a record: its beginning, each round, and each tick of talk. */
export function listMoments(lines: readonly Line[]): readonly StakePlace[] {
  let meeting = 0;
  return lines.flatMap((line, at): readonly StakePlace[] => {
    switch (line.type) {
      case 'match.opened':
        return [
          { line: at, meeting: 1, tick: null, round: null, what: 'the beginning', isSame: false },
        ];
      case 'meeting.called':
        meeting += 1;
        return [];
      case 'round.closed': {
        const isSame = line.orders.length === 0;
        const what = describeRound(line);
        return [{ line: at, meeting: meeting + 1, tick: null, round: line.round, what, isSame }];
      }
      case 'tick.closed':
        if (line.requestKind !== 'discussion' && line.requestKind !== 'voting') return [];
        return [
          {
            line: at,
            meeting,
            tick: line.tick,
            round: null,
            what: describeTick(line, lines.slice(at + 1)),
            isSame: false,
          },
        ];
      default:
        return [];
    }
  });
}

/** What happened in a round that can move the chances; where nothing did, what those did who were asked in it. */
function describeRound({ events, orders, paths }: LineOf<'round.closed'>): string {
  const told = events.flatMap((event) => {
    switch (event.type) {
      case 'player.killed':
        return [`${event.by} kills ${event.victim} in ${event.place}`];
      case 'sabotage.begun':
        return [`${event.by} sabotages ${event.system}`];
      case 'sabotage.fixed':
        return [`${event.system} is fixed`];
      case 'seat.departed':
        return [`${event.seat} is gone`];
      case 'task.stepped':
        return event.done ? [`${event.seat} finishes a task`] : [];
      case 'vent.used':
        return [`${event.seat} ${VENTINGS_TOLD[event.how]} ${event.place}`];
      case 'doors.shut':
        return [`${event.by} shuts the doors of ${event.room}`];
      default:
        return [];
    }
  });
  if (told.length > 0) return told.join(', ');
  const moves = orders.map(({ seat }) => {
    const to = paths[seat]?.at(-1);
    return to === undefined ? `${seat} decides what to do next` : `${seat} walks to ${to}`;
  });
  return moves.join(', ');
}

const VENTINGS_TOLD = {
  in: 'climbs into a vent in',
  through: 'crawls through to',
  out: 'climbs out of a vent in',
} as const;

/** What was said in a tick, and who voted in it. */
function describeTick({ said }: LineOf<'tick.closed'>, behind: readonly Line[]): string {
  const votes: string[] = [];
  for (const line of behind) {
    if (line.type === 'vote.locked') votes.push(`${line.seat} votes ${line.ballot}`);
    if (line.type === 'tick.closed' || line.type === 'round.closed') break;
  }
  const words =
    said === null || said.speaker === SYSTEM ? [] : [`${said.speaker}: ${said.message}`];
  return [...words, ...votes].join(' · ') || 'nobody speaks';
}

export type StakesPlan = {
  readonly player: MatchPlayer;
  /** The seed of the match. */
  readonly seed: number;
  /** Matches that are played on from each moment. */
  readonly continuations: number;
  /** The first of them: others than those that were looked at before are a new trial. */
  readonly first: number;
  /** Matches that are played at once. */
  readonly atOnce: number;
  /** Is asked between matches. */
  readonly isStopped: () => boolean;
};

/** Plays on from a moment, and counts what comes of it; null where it was stopped before all matches were played. */
export async function weighMoment(
  { line, isSame: _isSame, ...place }: StakePlace,
  { player, seed, continuations, first, atOnce, isStopped }: StakesPlan,
): Promise<StakeMoment | null> {
  let [played, crew, impostors] = [0, 0, 0];
  const ejected: Partial<Record<Colour, number>> = {};
  const seeds = Array.from({ length: continuations }, (_, index) => first + index);
  const work = async (index: number) => {
    const outcome = await player.play({
      line,
      interventions: [],
      meeting: place.meeting - 1,
      until: 'end',
      // The first game of a run has the seed of the match itself.
      mindSeed: gameSeed(seed, index + 2),
    });
    played += 1;
    if (outcome.winner === 'crew') crew += 1;
    if (outcome.winner === 'impostors') impostors += 1;
    const out = outcome.meetings[place.meeting - 1]?.ejected ?? null;
    if (out !== null) ejected[out] = (ejected[out] ?? 0) + 1;
  };
  await forEachAtOnce(seeds, atOnce, { work, isStopped });
  if (played < continuations) return null;
  return { ...place, line: line + 1, continuations, crew, impostors, ejected: sortSeats(ejected) };
}

function sortSeats(counts: BySeat<number>): BySeat<number> {
  const sorted: Partial<Record<Colour, number>> = {};
  for (const seat of COLOURS) {
    const count = counts[seat];
    if (count !== undefined) sorted[seat] = count;
  }
  return sorted;
}

/** The change of a chance from one moment to the next. */
export type Swing = {
  readonly before: StakeMoment;
  readonly after: StakeMoment;
  readonly by: number;
};

/** By how much the chance of the crew has moved at each moment, the greatest first; equal ones in the order of the record. */
export function rankSwings(moments: readonly StakeMoment[]): readonly Swing[] {
  const swings = moments.flatMap((after, index): readonly Swing[] => {
    const before = moments[index - 1];
    return before === undefined ? [] : [swingBetween(before, after)];
  });
  return swings.toSorted(
    (one, other) => Math.abs(other.by) - Math.abs(one.by) || one.after.line - other.after.line,
  );
}

export function swingBetween(before: StakeMoment, after: StakeMoment): Swing {
  return { before, after, by: shareOfCrew(after) - shareOfCrew(before) };
}

/** The share of the continuations that the crew has won. */
export function shareOfCrew({ crew, continuations }: StakeMoment): number {
  return crew / continuations;
}
