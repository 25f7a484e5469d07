/** What is promised about the end: scratchpads, the outcome, and that it comes at all. */
import type { ToMeeting } from '../../machines/messages.ts';
import type { MeetingOptions } from '../../machines/rules/options.ts';
import type { Bid, Colour } from '../../machines/types.ts';
import {
  type Assumed,
  isLiving,
  type LastingPromise,
  livingAt,
  type MeetingPromise,
  type Rest,
  type Turn,
  tellings,
  told,
} from './promise.ts';

function endsConsolidation({ before, after }: Turn): boolean {
  return before.at === 'consolidation' && after.at !== 'consolidation';
}

function isStopped({ context }: Rest): boolean {
  return context.outcome === 'interrupted' || context.outcome === 'refused';
}

/** Where the outcome is known. */
function hasOutcome({ at }: Rest): boolean {
  return at.startsWith('reveal') || at.startsWith('reaction') || at.startsWith('consolidation');
}

export const endingPromises: readonly MeetingPromise[] = [
  {
    name: 'erased-once',
    sentence:
      'The meeting scratchpads are erased exactly once, when the consolidation ends, whatever failed.',
    kind: 'step',
    when: (turn) => endsConsolidation(turn) || turn.after.isDone,
    holds: (turn) => {
      const times = told(turn, 'pads.erased').length;
      return endsConsolidation(turn)
        ? times === 1 && turn.after.at === 'closed'
        : times === 0 && isStopped(turn.after);
    },
  },
  {
    name: 'erased-at-the-end-only',
    sentence: 'Nothing is erased or consolidated before the consolidation ends.',
    kind: 'step',
    when: (turn) => !endsConsolidation(turn),
    holds: (turn) =>
      told(turn, 'pads.erased').length === 0 && told(turn, 'pads.consolidated').length === 0,
  },
  {
    name: 'everybody-keeps-something',
    sentence:
      'Before the erasing each living player, and nobody else, keeps either their own page or the engine’s line.',
    kind: 'step',
    when: endsConsolidation,
    holds: (turn) => {
      const kept = told(turn, 'pads.consolidated');
      const order = tellings(turn);
      return (
        kept.length === livingAt(turn.before).length &&
        livingAt(turn.before).every(
          (seat) => kept.filter((one) => one.seat === seat).length === 1,
        ) &&
        kept.every(
          ({ seat, main, line }) =>
            (main === null) !== (line === null) && main === ownPage(turn, seat),
        ) &&
        order.lastIndexOf('pads.consolidated') < order.indexOf('pads.erased')
      );
    },
  },
  {
    name: 'closed-is-done',
    sentence: 'The meeting is done when it is closed and not before, and then it has an outcome.',
    kind: 'always',
    holds: ({ at, isDone, context }) =>
      isDone === (at === 'closed') && (!isDone || context.outcome !== null),
  },
  {
    name: 'closed-is-told',
    sentence: 'The end is told once, with the outcome that stands, and nothing is told after it.',
    kind: 'step',
    when: ({ after }) => after.isDone,
    holds: (turn) => {
      const [fact, ...others] = told(turn, 'meeting.closed');
      return (
        others.length === 0 &&
        fact?.outcome === turn.after.context.outcome &&
        fact.ejected === turn.after.context.ejected &&
        tellings(turn).at(-1) === 'meeting.closed'
      );
    },
  },
  {
    name: 'dead-call-nobody',
    sentence: 'Nobody is called together by a player who is dead.',
    kind: 'never',
    holds: ({ at, context }) =>
      at === 'interrupt.gathering' && context.standings[context.call.by] === 'dead',
  },
  {
    name: 'call-is-judged',
    sentence: 'A call stands or falls at once: nobody waits for it to be checked.',
    kind: 'never',
    holds: ({ at }) => at === 'interrupt.checking',
  },
  {
    name: 'outcome-stands',
    sentence: 'An outcome that was counted stands, unless the operator stops the run.',
    kind: 'step',
    when: ({ before, event }) => event.type !== 'meeting.stopped' && hasOutcome(before),
    holds: ({ before, after }) =>
      before.context.outcome === after.context.outcome &&
      before.context.ejected === after.context.ejected,
  },
  {
    name: 'never-stuck',
    sentence: 'A meeting that is not over can always go on.',
    kind: 'deadlock-free',
  },
];

function ownPage({ event }: Turn, seat: Colour): string | null {
  if (event.type !== 'tick.closed') return null;
  const bid = event.bids.find((candidate) => candidate.seat === seat);
  return bid?.type === 'reply' ? (bid.reply.pads.main ?? null) : null;
}

const TICKS_CLOSE: Assumed = {
  name: 'ticks close',
  helps: (_, event) => event.type === 'tick.closed',
};

/** Timers are events of the statechart itself, so their types are in no list of ours. */
const TIME_PASSES: Assumed = {
  name: 'time passes',
  helps: (_, { type }: { readonly type: string }) =>
    type === 'poll.counted' || type.startsWith('xstate.after.'),
};

/**
 * Weaker than assuming it of each player: as long as somebody has no ballot and could vote, one of them does at last.
 * It is the same for every seat, so it may be assumed modulo symmetry.
 */
const VOTES_COME: Assumed = {
  name: 'who has no ballot votes at last',
  helps: (rest, event) =>
    bidsOf(event).some(
      (bid) =>
        rest.context.ballots[bid.seat] === undefined &&
        isLiving(rest, bid.seat) &&
        isLegalVote(rest, bid),
    ),
};

function bidsOf(event: ToMeeting): readonly Bid[] {
  return event.type === 'tick.closed' ? event.bids : [];
}

function isLegalVote(rest: Rest, bid: Bid): boolean {
  if (!rest.tags.has('talk') || bid.type !== 'reply' || bid.reply.vote === null) return false;
  const isOpen = rest.context.options.rules === 'house' || rest.tags.has('ballots');
  return isOpen && (bid.reply.vote === 'skip' || isLiving(rest, bid.reply.vote));
}

/** Ticks after which the clock of the meeting changes something; null where it never does. */
type Marks = {
  readonly ballots: number | null;
  readonly end: number | null;
  readonly timeUp: number | null;
};

/** When ballots are asked for, when voting time is up, and when the talk ends in any case. */
export function marks({
  rules,
  voteAfter,
  maxTicks,
  discussionTime,
  votingTime,
  secondsPerTick,
}: MeetingOptions): Marks {
  const inTicks = (seconds: number) => Math.ceil(seconds / secondsPerTick);
  const asked = voteAfter ?? (rules === 'classic' ? inTicks(discussionTime) : null);
  const timeUp = asked === null || votingTime === 0 ? null : asked + inTicks(votingTime);
  const least = (mark: number | null) =>
    mark === null || maxTicks === null ? (mark ?? maxTicks) : Math.min(mark, maxTicks);
  const isInTime = timeUp !== null && (maxTicks === null || timeUp < maxTicks);
  return {
    ballots: asked === null ? null : least(asked),
    end: least(timeUp),
    timeUp: isInTime ? timeUp : null,
  };
}

/** The ticks are counted outside: that they come to the next mark of the clock is assumed. */
function clockRunsTo(name: string, mark: number): Assumed {
  return {
    name,
    helps: (rest, event) =>
      rest.tags.has('talk') && event.type === 'tick.closed' && event.tick + 1 >= mark,
  };
}

const isOver = ({ isDone }: Rest) => isDone;

/** That the meeting ends: not by itself, but when everybody votes, and where there is a clock in any case. */
export function lastingPromises(options: MeetingOptions): readonly LastingPromise[] {
  const { ballots, end } = marks(options);
  const goesOn = [TICKS_CLOSE, TIME_PASSES];
  const opening = ballots === null ? [] : [clockRunsTo('the clock comes to the ballots', ballots)];
  const closing = end === null ? [] : [clockRunsTo('the clock runs out', end)];
  const poll: LastingPromise = {
    name: 'closed-poll-leads-to-the-end',
    sentence: 'Once the poll is closed the meeting ends, whatever anybody does.',
    kind: 'leads-to',
    isSymmetric: true,
    from: ({ context }) => context.poll !== null,
    holds: isOver,
    fair: goesOn,
  };
  // A pause between ticks takes away every chance for a moment, so that a chance which stays would assume nothing.
  if (options.beatMs > 0) return [poll];
  return [
    poll,
    {
      name: 'ends',
      sentence: 'The meeting ends by itself, as long as ticks close and time passes.',
      expect: 'violated',
      kind: 'eventually',
      isSymmetric: true,
      holds: isOver,
      fair: goesOn,
      excuses: [...opening, ...closing, VOTES_COME],
    },
    {
      name: 'ends-if-all-vote',
      sentence: 'If everybody votes at last, the meeting ends.',
      kind: 'eventually',
      isSymmetric: true,
      holds: isOver,
      fair: [...goesOn, ...opening, VOTES_COME],
    },
    ...(end === null ? [] : [endsByTheClock([...goesOn, ...opening, ...closing])]),
  ];
}

function endsByTheClock(fair: readonly Assumed[]): LastingPromise {
  return {
    name: 'ends-by-the-clock',
    sentence: 'Where there is a limit of time the meeting ends, even if nobody ever votes.',
    kind: 'eventually',
    isSymmetric: true,
    holds: isOver,
    fair,
  };
}
