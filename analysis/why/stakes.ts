/**
 * The stakes: the chances of each side and of each ejection at every moment of a record. From each moment the match is
 * played on several times with the same set of mind seeds, so the curve moves with the match and not with the draw.
 */
import { gameSeed } from '../../actors/jobs/gameJob.ts';
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import { COLOURS, type Colour, SYSTEM } from '../../machines/types.ts';
import { forEachAtOnce, type MatchPlayer } from './plays.ts';
import type { StakeMoment } from './result.ts';

export type StakePlace = Pick<StakeMoment, 'meeting' | 'tick' | 'round' | 'what'> & {
  /** From 0. */
  readonly line: number;
  /** No decision since the last moment, so its chances are the same. */
  readonly isSame: boolean;
};

/** The start, each round, and each tick of talk. */
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

/** The decisive events of a round, or else the moves of the asked players. */
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
  readonly seed: number;
  /** Matches from each moment. */
  readonly continuations: number;
  /** The first seed number. Other seeds are a new trial. */
  readonly first: number;
  readonly atOnce: number;
  readonly isStopped: () => boolean;
};

/** Counts the outcomes of the matches from a moment; null if it was stopped. */
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
  const sorted = Object.fromEntries(
    COLOURS.flatMap((seat) => (ejected[seat] === undefined ? [] : [[seat, ejected[seat]]])),
  );
  return { ...place, line: line + 1, continuations, crew, impostors, ejected: sorted };
}

/** A change of the crew's chance. */
export type Swing = {
  readonly before: StakeMoment;
  readonly after: StakeMoment;
  readonly by: number;
};

/** The greatest first; equal ones in the order of the record. */
export function rankSwings(moments: readonly StakeMoment[]): readonly Swing[] {
  const swings = moments.flatMap((after, index) => {
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

export function shareOfCrew({ crew, continuations }: StakeMoment): number {
  return crew / continuations;
}
