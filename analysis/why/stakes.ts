/**
 * The stakes: the chances of each side and of each ejection at every moment of a record. From each moment the match is
 * played on several times with the same set of mind seeds, so the curve moves with the match and not with the draw.
 */
import { gameSeed } from '../../actors/jobs/gameJob.ts';
import { forEachAtOnce } from '../../actors/jobs/pool.ts';
import { type Lens, throughGlass } from '../../machines/journal/lens.ts';
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import { gameIn } from '../../machines/journal/opening.ts';
import {
  actionIn,
  emptyProjection,
  livingIn,
  livingOn,
  next,
  type Projection,
  roleOf,
  type ShipState,
} from '../../machines/journal/projection.ts';
import { distance } from '../../machines/rules/ship/map.ts';
import { readMap } from '../../machines/setup/match.ts';
import { capitalize, listWords, SYSTEM_NAMES } from '../../machines/text.ts';
import { type Ballot, COLOURS, type ShipMap, SYSTEM } from '../../machines/types.ts';
import { rankWords } from '../counts/numeric.ts';
import type { MatchOutcome } from './outcome.ts';
import type { MatchPlayer } from './plays.ts';
import type { StakeMoment } from './result.ts';

const GLASS: Lens = { type: 'glass' };

export type StakePlace = Pick<StakeMoment, 'meeting' | 'tick' | 'round' | 'what'> & {
  /** From 0. */
  readonly line: number;
  /** No decision since the last moment, so its chances are the same. */
  readonly isSame: boolean;
};

export function listMoments(lines: readonly Line[]): readonly StakePlace[] {
  const game = lines[0] === undefined ? null : gameIn(lines[0]);
  const map = readMap(game ?? { map: 'skeld' });
  let meeting = 0;
  let state = emptyProjection(GLASS);
  return lines.flatMap((line, at): readonly StakePlace[] => {
    const { ship: before } = state;
    state = next(state, throughGlass(line));
    const moment = (what: string, more: Partial<StakePlace>): readonly StakePlace[] => [
      { line: at, meeting, tick: null, round: null, what, isSame: false, ...more },
    ];
    if (line.type === 'match.opened') return moment('the beginning', { meeting: 1 });
    if (line.type === 'meeting.called') meeting += 1;
    if (line.type === 'round.closed') {
      const isSame = line.orders.length === 0;
      const what = [...describeLoss(before, state.ship, map), describeRound(line)].join(': ');
      return moment(what, { meeting: meeting + 1, round: line.round, isSame });
    }
    if (line.type !== 'tick.closed') return [];
    if (line.requestKind !== 'discussion' && line.requestKind !== 'voting') return [];
    return moment(describeTick(line, lines.slice(at + 1), state), { tick: line.tick });
  });
}

/** "The reactor could no longer be reached in time", if this round lost the race. */
function describeLoss(
  before: ShipState | null,
  after: ShipState | null,
  map: ShipMap,
): readonly string[] {
  const { system } = after?.sabotage ?? {};
  if (system === undefined || isOutOfReach(before, map) || !isOutOfReach(after, map)) return [];
  return [`${capitalize(SYSTEM_NAMES[system])} could no longer be reached in time`];
}

function describeRound(round: LineOf<'round.closed'>): string {
  const told = round.events.flatMap((event) => {
    switch (event.type) {
      case 'player.killed':
        return [`${capitalize(event.by)} killed ${capitalize(event.victim)} in ${event.place}`];
      case 'sabotage.begun':
        return [`${capitalize(event.by)} sabotaged ${SYSTEM_NAMES[event.system]}`];
      case 'sabotage.fixed':
        return [`${listWords(event.by.map(capitalize))} repaired ${SYSTEM_NAMES[event.system]}`];
      case 'seat.departed':
        return [`${capitalize(event.seat)} left the game`];
      case 'task.stepped':
        return event.done ? [`${capitalize(event.seat)} finished a task`] : [];
      case 'vent.used':
        return [`${capitalize(event.seat)} ${VENTINGS_TOLD[event.how]} ${event.place}`];
      case 'doors.shut':
        return [`${capitalize(event.by)} shut the doors of ${event.room}`];
      default:
        return [];
    }
  });
  if (told.length > 0) return told.join(', ');
  const choices = round.orders.map(({ seat }) => {
    const to = round.paths[seat]?.at(-1);
    const onward = to === undefined ? 'went on' : `walked to ${to}`;
    return `${capitalize(seat)} ${CHOICES_TOLD[actionIn(round, seat)?.type ?? ''] ?? onward}`;
  });
  return choices.join(', ');
}

const VENTINGS_TOLD = {
  in: 'climbed into a vent in',
  through: 'crawled through to',
  out: 'climbed out of a vent in',
} as const;

const CHOICES_TOLD: Readonly<Record<string, string>> = {
  wait: 'waited',
  follow: 'followed somebody',
  task: 'went to work on a task',
  fake: 'went to pretend a task',
  fix: 'went to repair the damage',
  report: 'went to report a body',
  button: 'went to the emergency button',
  watch: 'went to look where the others are',
};

/** Whether too few living crewmates can be at a console before the sabotage wins, even with all doors open. */
function isOutOfReach(ship: ShipState | null, map: ShipMap): boolean {
  const { system, left = null } = ship?.sabotage ?? {};
  if (ship === null || system === undefined || left === null) return false;
  const most = Math.ceil(left * ship.options.player_speed);
  const able = livingOn(ship).filter((seat) => {
    const place = ship.places[seat];
    const consoles = map.consoles[system];
    return (
      roleOf(ship, seat) === 'crewmate' &&
      (place === undefined || consoles.some((each) => distance(map, place, each) <= most))
    );
  });
  // Two players hold the panels of the reactor together.
  return able.length < (system === 'reactor' ? 2 : 1);
}

/** The vote that decided the meeting, or else the words and the votes of a tick. */
function describeTick({ said }: LineOf<'tick.closed'>, behind: readonly Line[], now: Projection) {
  const votes: string[] = [];
  let state = now;
  for (const line of behind) {
    const wasOpen = findWinner(state) === null;
    state = next(state, throughGlass(line));
    if (line.type === 'vote.locked') {
      const vote = line.ballot === 'skip' ? 'to skip' : `for ${capitalize(line.ballot)}`;
      if (wasOpen && findWinner(state) === line.ballot)
        return `${capitalize(line.seat)}’s vote ${vote} decided it`;
      votes.push(`${capitalize(line.seat)} voted ${vote}`);
    }
    if (line.type === 'tick.closed' || line.type === 'round.closed') break;
  }
  const words =
    said === null || said.speaker === SYSTEM
      ? []
      : [`${capitalize(said.speaker)}: ${said.message}`];
  return [...words, ...votes].join(' · ') || 'Nobody spoke';
}

/** The ballot that has the most votes, however the others vote; null if there is none yet. */
function findWinner({ meeting, players }: Projection): Ballot | null {
  const locked = Object.values(meeting?.locked ?? {});
  const [[first = null, votes = 0] = [], [, others = 0] = []] = rankWords(
    locked.filter((ballot) => ballot !== null),
  );
  return votes - others > livingIn(players).length - locked.length ? first : null;
}

export type StakesPlan = {
  readonly player: MatchPlayer;
  readonly seed: number;
  readonly continuations: number;
  /** The first seed number. Other seeds are a new trial. */
  readonly first: number;
  readonly isStopped: () => boolean;
};

/** Counts the outcomes of the matches from a moment; null if it was stopped. */
export async function weighMoment(
  { line, isSame: _isSame, ...place }: StakePlace,
  { player, seed, continuations, first, isStopped }: StakesPlan,
): Promise<StakeMoment | null> {
  const outcomes: MatchOutcome[] = [];
  const seeds = Array.from({ length: continuations }, (_, index) => first + index);
  const work = async (index: number) => {
    const outcome = await player.run({
      line,
      interventions: [],
      meeting: place.meeting - 1,
      until: 'end',
      // The first game of a run has the seed of the match itself.
      mindSeed: gameSeed(seed, index + 2),
    });
    outcomes.push(outcome);
  };
  await forEachAtOnce(seeds, player.atOnce, { work, isStopped });
  if (outcomes.length < continuations) return null;
  const wins = (side: MatchOutcome['winner']) =>
    outcomes.filter(({ winner }) => winner === side).length;
  const out = outcomes.map(({ meetings }) => meetings[place.meeting - 1]?.ejected);
  const ejected = COLOURS.flatMap((seat) =>
    out.includes(seat) ? [[seat, out.filter((one) => one === seat).length]] : [],
  );
  return {
    ...{ ...place, line: line + 1, continuations },
    ...{ crew: wins('crew'), impostors: wins('impostors'), ejected: Object.fromEntries(ejected) },
  };
}

export type Swing = Readonly<ReturnType<typeof swingBetween>>;

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

export function swingBetween(before: StakeMoment, after: StakeMoment) {
  return { before, after, by: shareOfCrew(after) - shareOfCrew(before) };
}

export function shareOfCrew({ crew, continuations }: StakeMoment): number {
  return crew / continuations;
}
