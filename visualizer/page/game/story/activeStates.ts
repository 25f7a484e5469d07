/**
 * Which states of the statecharts are active after a line, and which transitions led there.
 *
 * A line is written in a transition, so the active state is its target. If a line does not show the way, such as
 * whether the engine rested between two ticks, no transition is marked.
 */

import type { SeenLine, SeenOf } from '../../../../machines/journal/lens.ts';
import { meetingIn } from '../../../../machines/journal/opening.ts';
import type { DrawnEdge } from './pageData.ts';

/** A transition by its ends: "a>b", "a>" where no state changes, ">a" into an initial state; with its guard if several. */
export type ChartStep = Readonly<{ from: string; to: string | null; guard?: string }>;

export type ActiveStates = {
  readonly meeting: string | null;
  readonly game: string | null;
  readonly steps: readonly ChartStep[];
  readonly talkState: string;
  /** Whether the engine rests between ticks; null when nobody can tell. */
  readonly rests: boolean | null;
};

export const NO_STATES: ActiveStates = {
  meeting: null,
  game: null,
  steps: [],
  talkState: '',
  rests: null,
};

const CLOSED = 'meeting.closed';
const GATHERING = 'meeting.interrupt.gathering';
const COUNTING = 'meeting.voting.counting';

export function nextActiveStates(states: ActiveStates, line: SeenLine): ActiveStates {
  const before = { ...states, steps: [] };
  switch (line.type) {
    case 'match.opened': {
      const opened = { ...before, rests: readsClock(line) };
      if (meetingIn(line) !== null) return opened;
      return { ...opened, game: 'game.round.opening', steps: GAME_START };
    }
    case 'round.closed':
    case 'end.requested':
    case 'game.closed':
      return applyToGame(before, line);
    case 'phase.entered':
      return enterPhase(before, line);
    case 'meeting.refused':
      return moveTo(before, CLOSED, ...MEETING_START, stepTo('meeting.interrupt.checking', CLOSED));
    case 'tick.closed':
      return closeTick(before, line);
    case 'meeting.closed':
      return closeMeeting(before);
    default:
      return applyToTable(before, line);
  }
}

/** The clock passes through the glass only; a journal without real time never rests. */
function readsClock(line: SeenOf<'match.opened'>): boolean | null {
  return line.hash === undefined ? null : line.clock?.['ms'] !== undefined;
}

function stepTo(from: string, to: string | null, guard?: string): ChartStep {
  return guard === undefined ? { from, to } : { from, to, guard };
}

function stepIn(state: string, initial: string): ChartStep {
  return stepTo(state, `${state}.${initial}`, 'start');
}

function moveTo(states: ActiveStates, meeting: string, ...steps: readonly ChartStep[]) {
  return { ...states, meeting, steps };
}

function go(states: ActiveStates, from: string, to: string): ActiveStates {
  return moveTo(states, to, stepTo(from, to));
}

function enter(states: ActiveStates, from: string, to: string, initial: string): ActiveStates {
  return moveTo(states, `${to}.${initial}`, stepTo(from, to), stepIn(to, initial));
}

const GAME_START = [stepIn('game', 'round'), stepIn('game.round', 'opening')];
const MEETING_START = [stepIn('meeting', 'interrupt'), stepIn('meeting.interrupt', 'checking')];

type GameLine = SeenOf<'round.closed' | 'end.requested' | 'game.closed'>;

function applyToGame(states: ActiveStates, line: GameLine): ActiveStates {
  const at = states.game ?? 'game.round.opening';
  if (line.type === 'end.requested') {
    if (at === 'game.meeting') return { ...states, steps: [stepTo('game.meeting', null)] };
    return { ...states, game: 'game.over', steps: [stepTo('game.round', 'game.over')] };
  }
  const back = at === 'game.meeting' ? [stepTo('game.meeting', 'game.returning')] : [];
  if (line.type === 'game.closed') {
    if (at === 'game.over') return states;
    const from = at === 'game.meeting' ? 'game.returning' : at;
    return { ...states, game: 'game.over', steps: [...back, stepTo(from, 'game.over')] };
  }
  const judging = 'game.round.judging';
  const again = at === judging ? [stepTo(judging, 'game.round.opening')] : [];
  const work =
    back.length === 0
      ? []
      : [stepTo('game.returning', 'game.round'), stepIn('game.round', 'opening')];
  return {
    ...states,
    meeting: null,
    game: judging,
    steps: [...back, ...work, ...again, stepTo('game.round', judging)],
  };
}

function enterPhase(states: ActiveStates, { phase }: SeenOf<'phase.entered'>): ActiveStates {
  const at = states.meeting ?? '';
  switch (phase) {
    case 'interrupt': {
      const called = states.game === null ? [] : [stepTo(states.game, 'game.meeting')];
      const game = states.game === null ? null : 'game.meeting';
      const trail = [...called, ...MEETING_START, stepTo('meeting.interrupt.checking', GATHERING)];
      return { ...states, meeting: GATHERING, game, steps: trail };
    }
    case 'discussion':
      return enter(states, GATHERING, 'meeting.discussion', 'listening');
    // The next line tells whether ballots are asked for or counted.
    case 'voting':
      return { ...states, meeting: 'meeting.voting', talkState: at };
    case 'reveal':
      return enter(states, COUNTING, 'meeting.reveal', 'turning');
    case 'reaction':
      return go(states, 'meeting.reveal.announcing', 'meeting.reaction');
    case 'consolidation':
      return go(states, at, 'meeting.consolidation');
    default:
      return states;
  }
}

function closeTick(states: ActiveStates, { requestKind }: SeenOf<'tick.closed'>): ActiveStates {
  if (requestKind !== 'discussion' && requestKind !== 'voting') return states;
  const loop = requestKind === 'discussion' ? 'meeting.discussion' : 'meeting.voting.polling';
  const [listening, bidding] = [`${loop}.listening`, `${loop}.bidding`];
  const opened =
    states.meeting === 'meeting.voting'
      ? [stepTo('meeting.discussion.listening', loop), stepIn(loop, 'listening')]
      : [];
  const way = [...opened, ...wayToBidding(states, loop)];
  return moveTo(states, listening, ...way, stepTo(bidding, listening));
}

function wayToBidding({ meeting, rests }: ActiveStates, loop: string): readonly ChartStep[] {
  const [listening, bidding, pausing] = [`${loop}.listening`, `${loop}.bidding`, `${loop}.pausing`];
  if (meeting === bidding || rests === null) return [];
  if (meeting === pausing) return [stepTo(pausing, bidding)];
  return rests
    ? [stepTo(listening, pausing), stepTo(pausing, bidding)]
    : [stepTo(listening, bidding)];
}

function closeMeeting(states: ActiveStates): ActiveStates {
  const at = states.meeting ?? 'meeting';
  if (at === CLOSED) return states;
  const leaves = /^meeting\.(?:consolidation|reaction)$|\.(?:listening|bidding|pausing)$/;
  return go(states, leaves.test(at) ? at : 'meeting', CLOSED);
}

function applyToTable(states: ActiveStates, line: SeenLine): ActiveStates {
  const at = states.meeting ?? 'meeting';
  switch (line.type) {
    case 'poll.closed': {
      const from = at === 'meeting.voting' ? states.talkState : at;
      const guard = line.reason === 'time-up' ? 'timeIsUp' : 'everyoneVoted';
      return moveTo(states, COUNTING, stepTo(from, COUNTING, guard));
    }
    case 'ballot.revealed':
      return { ...states, steps: [stepTo('meeting.reveal.turning', 'meeting.reveal.turning')] };
    case 'verdict.announced':
      return go(states, 'meeting.reveal.turning', 'meeting.reveal.announcing');
    case 'seat.departed':
      return line.during === null ? states : applyOutsider(states, line.during, 'seat.left');
    case 'stop.requested':
      return applyOutsider(states, line.during, 'meeting.stopped');
    default:
      return states;
  }
}

/** Something from outside that changes no state, heard by the state that is open or by the loop around it. */
function applyOutsider(
  states: ActiveStates,
  during: 'tick' | 'pause' | undefined,
  event: string,
): ActiveStates {
  const at = states.meeting ?? 'meeting';
  const loop = /^(.*)\.(?:listening|bidding|pausing)$/.exec(at)?.[1];
  // Whether a tick was open is hidden at the table.
  if (loop === undefined) {
    const hears = at.startsWith('meeting.reveal') ? 'meeting.reveal' : at;
    return { ...states, steps: [stepTo(hears, null, event)] };
  }
  if (during === undefined) return states;
  if (during === 'tick') {
    const bidding = `${loop}.bidding`;
    return moveTo(states, bidding, ...wayToBidding(states, loop), stepTo(bidding, null, event));
  }
  const isPausing = states.rests === true && at === `${loop}.listening`;
  const rest = isPausing ? [stepTo(at, `${loop}.pausing`)] : [];
  const meeting = isPausing ? `${loop}.pausing` : at;
  return moveTo(states, meeting, ...rest, stepTo(loop, null, event));
}

export type StepFinder = (hop: ChartStep) => DrawnEdge | null;

export function createFinder(edges: readonly DrawnEdge[]): StepFinder {
  const bySource = Map.groupBy(edges, ({ source }) => source);
  return ({ from, to, guard }) => {
    const ends = (bySource.get(from) ?? []).filter(({ target }) => target === to);
    if (guard === undefined) return ends.find(({ isStart }) => !isStart) ?? null;
    if (guard === 'start') return ends.find(({ isStart }) => isStart) ?? null;
    const named = ends.filter((edge) => edge.event === guard || edge.guard?.startsWith(guard));
    return named.find((edge) => edge.guard === guard) ?? named[0] ?? null;
  };
}

export function withParents(state: string | null): readonly string[] {
  if (state === null) return [];
  const words = state.split('.');
  return words.map((_, index) => words.slice(0, index + 1).join('.'));
}

export function listLit({ meeting, game }: ActiveStates): readonly string[] {
  return [...withParents(game), ...withParents(meeting)];
}
