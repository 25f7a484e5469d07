/**
 * The course: which states of the statecharts are lit after a line, and which transitions led there.
 *
 * A line is written in a transition, so what is lit is the state that it leads to. Where a line does not tell which way
 * was taken, as whether the engine rested between two ticks, no transition is marked rather than a wrong one.
 */
import type { SeenLine, SeenOf } from '../../../../machines/journal/lens.ts';

/** A transition by its ends: "a>b", "a>" where no state changes, ">a" into an initial state; with its guard if several. */
export type Hop = { readonly from: string; readonly to: string | null; readonly guard?: string };

export type Course = {
  /** The innermost lit state of the meeting; null before the first one. */
  readonly meeting: string | null;
  /** The innermost lit state of the game; null where there is none. */
  readonly game: string | null;
  /** What the line came by, in order. */
  readonly trail: readonly Hop[];
  /** Where the talk was when voting began, which tells by which way the poll was closed. */
  readonly talk: string;
  /** Whether the engine rests between ticks; null when nobody can tell. */
  readonly rests: boolean | null;
};

export const NOWHERE: Course = { meeting: null, game: null, trail: [], talk: '', rests: null };

const CLOSED = 'meeting.closed';
const GATHERING = 'meeting.interrupt.gathering';
const COUNTING = 'meeting.voting.counting';

/** The course once a line has been seen. */
export function coursed(course: Course, line: SeenLine): Course {
  const before = { ...course, trail: [] };
  switch (line.type) {
    case 'journal.opened':
      return { ...before, rests: hasClock(line) };
    case 'game.opened':
      return { ...before, rests: hasClock(line), game: 'game.round.opening', trail: GAME_START };
    case 'round.closed':
    case 'end.asked':
    case 'game.closed':
      return sailing(before, line);
    case 'phase.entered':
      return entered(before, line);
    case 'meeting.refused':
      return {
        ...before,
        meeting: CLOSED,
        trail: [...MEETING_START, hop('meeting.interrupt.checking', CLOSED)],
      };
    case 'tick.closed':
      return ticked(before, line);
    case 'meeting.closed':
      return ended(before);
    default:
      return step(before, line);
  }
}

/** The clock passes through the glass only; a journal without real time never rests. */
function hasClock(line: SeenOf<'journal.opened' | 'game.opened'>): boolean | null {
  return line.hash === undefined ? null : line.clock?.['ms'] !== undefined;
}

function hop(from: string, to: string | null, guard?: string): Hop {
  return guard === undefined ? { from, to } : { from, to, guard };
}

/** Into the initial state. */
function start(state: string, initial: string): Hop {
  return hop(state, `${state}.${initial}`, 'start');
}

const GAME_START = [start('game', 'round'), start('game.round', 'opening')];
const MEETING_START = [start('meeting', 'interrupt'), start('meeting.interrupt', 'checking')];

type Sailed = SeenOf<'round.closed' | 'end.asked' | 'game.closed'>;

function sailing(course: Course, line: Sailed): Course {
  const at = course.game ?? 'game.round.opening';
  if (line.type === 'end.asked') {
    if (at === 'game.meeting') return { ...course, trail: [hop('game.meeting', null)] };
    return { ...course, game: 'game.over', trail: [hop('game.round', 'game.over')] };
  }
  const back = at === 'game.meeting' ? [hop('game.meeting', 'game.returning')] : [];
  if (line.type === 'game.closed') {
    if (at === 'game.over') return course;
    const from = at === 'game.meeting' ? 'game.returning' : at;
    return { ...course, game: 'game.over', trail: [...back, hop(from, 'game.over')] };
  }
  const judging = 'game.round.judging';
  const again = at === judging ? [hop(judging, 'game.round.opening')] : [];
  const work =
    back.length === 0 ? [] : [hop('game.returning', 'game.round'), start('game.round', 'opening')];
  return {
    ...course,
    meeting: null,
    game: judging,
    trail: [...back, ...work, ...again, hop('game.round', judging)],
  };
}

function entered(course: Course, { phase }: SeenOf<'phase.entered'>): Course {
  const at = course.meeting ?? '';
  switch (phase) {
    case 'interrupt': {
      const called = course.game === null ? [] : [hop(course.game, 'game.meeting')];
      const game = course.game === null ? null : 'game.meeting';
      const trail = [...called, ...MEETING_START, hop('meeting.interrupt.checking', GATHERING)];
      return { ...course, meeting: GATHERING, game, trail };
    }
    case 'discussion':
      return {
        ...course,
        meeting: 'meeting.discussion.listening',
        trail: [hop(GATHERING, 'meeting.discussion'), start('meeting.discussion', 'listening')],
      };
    // The next line tells whether ballots are asked for or counted.
    case 'voting':
      return { ...course, meeting: 'meeting.voting', talk: at };
    case 'reveal':
      return {
        ...course,
        meeting: 'meeting.reveal.turning',
        trail: [hop(COUNTING, 'meeting.reveal'), start('meeting.reveal', 'turning')],
      };
    case 'reaction':
      return {
        ...course,
        meeting: 'meeting.reaction',
        trail: [hop('meeting.reveal.telling', 'meeting.reaction')],
      };
    case 'consolidation':
      return {
        ...course,
        meeting: 'meeting.consolidation',
        trail: [hop(at, 'meeting.consolidation')],
      };
    default:
      return course;
  }
}

function ticked(course: Course, { occasion }: SeenOf<'tick.closed'>): Course {
  if (occasion !== 'discussion' && occasion !== 'voting') return course;
  const loop = occasion === 'discussion' ? 'meeting.discussion' : 'meeting.voting.polling';
  const [listening, bidding] = [`${loop}.listening`, `${loop}.bidding`];
  const opened =
    course.meeting === 'meeting.voting'
      ? [hop('meeting.discussion.listening', loop), start(loop, 'listening')]
      : [];
  return {
    ...course,
    meeting: listening,
    trail: [...opened, ...opening(course, loop), hop(bidding, listening)],
  };
}

/** The way from listening to bidding. */
function opening({ meeting, rests }: Course, loop: string): readonly Hop[] {
  const [listening, bidding, pausing] = [`${loop}.listening`, `${loop}.bidding`, `${loop}.pausing`];
  if (meeting === bidding || rests === null) return [];
  if (meeting === pausing) return [hop(pausing, bidding)];
  return rests ? [hop(listening, pausing), hop(pausing, bidding)] : [hop(listening, bidding)];
}

function ended(course: Course): Course {
  const at = course.meeting ?? 'meeting';
  if (at === CLOSED) return course;
  const leaves = /^meeting\.(?:consolidation|reaction)$|\.(?:listening|bidding|pausing)$/;
  return { ...course, meeting: CLOSED, trail: [hop(leaves.test(at) ? at : 'meeting', CLOSED)] };
}

function step(course: Course, line: SeenLine): Course {
  const at = course.meeting ?? 'meeting';
  switch (line.type) {
    case 'poll.closed': {
      const from = at === 'meeting.voting' ? course.talk : at;
      const guard = line.reason === 'time-up' ? 'timeIsUp' : 'everyoneVoted';
      return { ...course, meeting: COUNTING, trail: [hop(from, COUNTING, guard)] };
    }
    case 'ballot.turned':
      return { ...course, trail: [hop('meeting.reveal.turning', 'meeting.reveal.turning')] };
    case 'verdict.told':
      return {
        ...course,
        meeting: 'meeting.reveal.telling',
        trail: [hop('meeting.reveal.turning', 'meeting.reveal.telling')],
      };
    case 'seat.departed':
      return line.during === null ? course : inside(course, line.during, 'seat.left');
    case 'stop.asked':
      return inside(course, line.during, 'meeting.stopped');
    default:
      return course;
  }
}

/** Something from outside that changes no state, heard by the state that is open or by the loop around it. */
function inside(course: Course, during: 'tick' | 'pause' | undefined, event: string): Course {
  const at = course.meeting ?? 'meeting';
  const loop = /^(.*)\.(?:listening|bidding|pausing)$/.exec(at)?.[1];
  // Whether a tick was open is hidden at the table.
  if (loop === undefined) return { ...course, trail: [hop(hearer(at), null, event)] };
  if (during === undefined) return course;
  if (during === 'tick') {
    const bidding = `${loop}.bidding`;
    const trail = [...opening(course, loop), hop(bidding, null, event)];
    return { ...course, meeting: bidding, trail };
  }
  const isPausing = course.rests === true && at === `${loop}.listening`;
  const rest = isPausing ? [hop(at, `${loop}.pausing`)] : [];
  const meeting = isPausing ? `${loop}.pausing` : at;
  return { ...course, meeting, trail: [...rest, hop(loop, null, event)] };
}

function hearer(at: string): string {
  return at.startsWith('meeting.reveal') ? 'meeting.reveal' : at;
}
