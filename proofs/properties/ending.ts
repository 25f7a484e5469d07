/** Properties of the end of a meeting: scratchpads, the outcome, termination, and stops by the operator or a budget. */
import type { MeetingOptions } from '../../machines/rules/options.ts';
import type { Colour } from '../../machines/types.ts';
import { clockMarks } from '../models/clock.ts';
import { isTickOpen } from './floor.ts';
import {
  areVotesOpen,
  declareProperties,
  type EventAssumption,
  type EventualProperty,
  factsOfType,
  factTypes,
  hasFact,
  haveAllVoted,
  isLiving,
  livingSeats,
  type MeetingProperty,
  type MeetingSnapshot,
  type MeetingTransition,
  onlyFact,
} from './property.ts';
import { isLegalVote } from './votes.ts';

function endsConsolidation({ before, after }: MeetingTransition): boolean {
  return before.at === 'consolidation' && after.at !== 'consolidation';
}

function isStopped({ context }: MeetingSnapshot): boolean {
  return context.outcome === 'interrupted' || context.outcome === 'refused';
}

export const endingProperties = declareProperties<MeetingProperty>({
  'erased-once': {
    sentence:
      'The meeting scratchpads are erased exactly once, when the consolidation ends, whatever fails.',
    when: (transition) => endsConsolidation(transition) || transition.after.isDone,
    holds: (transition) => {
      const times = factsOfType(transition, 'scratchpads.erased').length;
      return endsConsolidation(transition)
        ? times === 1 && transition.after.at === 'closed'
        : times === 0 && isStopped(transition.after);
    },
  },
  'erased-at-the-end-only': {
    sentence: 'Nothing is erased or consolidated before the consolidation ends.',
    when: (transition) => !endsConsolidation(transition),
    holds: (transition) =>
      factsOfType(transition, 'scratchpads.erased').length === 0 &&
      factsOfType(transition, 'scratchpads.consolidated').length === 0,
  },
  'each-player-keeps-notes': {
    sentence:
      'Before they are erased, each living player, and no other, keeps either their own page or the engine’s line.',
    when: endsConsolidation,
    holds: (transition) => {
      const kept = factsOfType(transition, 'scratchpads.consolidated');
      const order = factTypes(transition);
      return (
        kept.length === livingSeats(transition.before).length &&
        livingSeats(transition.before).every(
          (seat) => kept.filter((one) => one.seat === seat).length === 1,
        ) &&
        kept.every(
          ({ seat, main, line }) =>
            (main === null) !== (line === null) && main === ownPage(transition, seat),
        ) &&
        order.lastIndexOf('scratchpads.consolidated') < order.indexOf('scratchpads.erased')
      );
    },
  },
  'closed-is-done': {
    sentence: 'The meeting is done exactly when it is closed, and then it has an outcome.',
    kind: 'always',
    holds: ({ at, isDone, context }) =>
      isDone === (at === 'closed') && (!isDone || context.outcome !== null),
  },
  'end-is-announced': {
    sentence:
      'The end is announced once, with the final outcome, and nothing is announced after it.',
    when: ({ after }) => after.isDone,
    holds: (transition) => {
      const fact = onlyFact(transition, 'meeting.closed');
      return (
        fact?.outcome === transition.after.context.outcome &&
        fact.ejected === transition.after.context.ejected &&
        factTypes(transition).at(-1) === 'meeting.closed'
      );
    },
  },
  'dead-never-call': {
    sentence: 'A dead player never calls a meeting.',
    kind: 'never',
    holds: ({ at, context }) =>
      at === 'interrupt.gathering' && context.standings[context.call.by] === 'dead',
  },
  'call-is-judged': {
    sentence: 'A call is accepted or refused at once.',
    kind: 'never',
    holds: ({ at }) => at === 'interrupt.checking',
  },
  'outcome-stands': {
    sentence: 'A counted outcome is final, unless the operator stops the run.',
    when: ({ before, event }) =>
      event.type !== 'meeting.stopped' && /^(?:reveal|reaction|consolidation)/.test(before.at),
    holds: ({ before, after }) =>
      before.context.outcome === after.context.outcome &&
      before.context.ejected === after.context.ejected,
  },
  'announced-verdict-stands': {
    sentence:
      'An announced verdict is final: an ejected player stays ejected, however the meeting ends.',
    when: ({ before }) => before.context.remaining !== null,
    holds: ({ before, after }) =>
      before.context.remaining === after.context.remaining &&
      before.context.ejected === after.context.ejected,
  },
  'never-stuck': {
    sentence: 'A meeting that is not over always has a next step.',
    kind: 'deadlock-free',
  },
});

function ownPage({ event }: MeetingTransition, seat: Colour): string | null {
  if (event.type !== 'tick.closed') return null;
  const bid = event.bids.find((candidate) => candidate.seat === seat);
  return bid?.type === 'reply' ? (bid.reply.pads.main ?? null) : null;
}

const TICKS_CLOSE: EventAssumption = {
  name: 'ticks close',
  helps: (_, event) => event.type === 'tick.closed',
};

/** Timers are events of the statechart itself, so our event types do not list them. */
const TIME_PASSES: EventAssumption = {
  name: 'time passes',
  helps: (_, { type }: { readonly type: string }) =>
    type === 'poll.counted' || type.startsWith('xstate.after.'),
};

/**
 * Weaker than the assumption for each player: while a player can vote and has no ballot, one of
 * them eventually votes. It is the same for every seat, so it can be assumed modulo symmetry.
 */
const VOTES_COME: EventAssumption = {
  name: 'a player without a ballot eventually votes',
  helps: (state, event) =>
    areVotesOpen(state) &&
    event.type === 'tick.closed' &&
    event.bids.some(
      (bid) =>
        bid.type === 'reply' &&
        bid.reply.vote !== null &&
        isLiving(state, bid.seat) &&
        isLegalVote(state, bid.seat, bid.reply.vote),
    ),
};

/** Ticks are counted outside the model, so reaching the next mark of the clock is an assumption. */
function clockRunsTo(name: string, mark: number): EventAssumption {
  return {
    name,
    helps: (state, event) =>
      state.tags.has('talk') && event.type === 'tick.closed' && event.tick + 1 >= mark,
  };
}

const isOver = ({ isDone }: MeetingSnapshot) => isDone;

/** Termination of the meeting: it does not end by itself, but ends if everybody votes, and always with a time limit. */
export function listLivenessProperties(options: MeetingOptions): readonly EventualProperty[] {
  const { ballots, end } = clockMarks(options);
  const goesOn = [TICKS_CLOSE, TIME_PASSES];
  const opening = ballots === null ? [] : [clockRunsTo('the clock reaches the ballots', ballots)];
  const closing = end === null ? [] : [clockRunsTo('the clock runs out', end)];
  const ends = { kind: 'eventually', isSymmetric: true, holds: isOver } as const;
  const poll: EventualProperty = {
    ...ends,
    name: 'closed-poll-leads-to-the-end',
    sentence: 'Once the poll is closed the meeting ends, whatever players do.',
    kind: 'leads-to',
    from: ({ context }) => context.poll !== null,
    fair: goesOn,
  };
  // A pause between ticks briefly disables every event, so weak fairness would assume nothing.
  if (options.beatMs > 0) return [poll];
  return [
    poll,
    {
      ...ends,
      name: 'ends',
      sentence: 'The meeting ends by itself, as long as ticks close and time passes.',
      expect: 'violated',
      fair: goesOn,
      excuses: [...opening, ...closing, VOTES_COME],
    },
    {
      ...ends,
      name: 'ends-if-all-vote',
      sentence: 'If every living player eventually votes, the meeting ends.',
      fair: [...goesOn, ...opening, VOTES_COME],
    },
    {
      ...ends,
      name: 'ends-by-the-clock',
      sentence: 'With a time limit the meeting ends, even if no player ever votes.',
      fair: [...goesOn, ...opening, ...closing],
      appliesTo: ({ setting }) => clockMarks(setting.options).end !== null,
    },
  ];
}

const stopOf = ({ event }: MeetingTransition) => (event.type === 'meeting.stopped' ? event : null);

function isInterrupted({ context }: MeetingSnapshot): boolean {
  return context.outcome === 'interrupted';
}

/** Whether the operator stops a meeting that can be stopped. */
function isInterrupting(transition: MeetingTransition): boolean {
  return canBeStopped(transition) && stopOf(transition)?.outcome === 'interrupted';
}

/** Whether votes may still come, also between ticks. */
function isTalk({ tags }: MeetingSnapshot): boolean {
  return tags.has('talk');
}

/** The consolidation ends the meeting anyway and asks no player. */
function canBeStopped({ before }: MeetingTransition): boolean {
  return before.at !== 'consolidation' && !before.isDone;
}

export const stopProperties = declareProperties<MeetingProperty>({
  'interruption-stands': {
    sentence: 'A meeting that the operator stopped stays stopped.',
    when: ({ before }) => isInterrupted(before),
    holds: ({ after }) => isInterrupted(after),
  },
  'interrupted-between-ticks': {
    sentence: 'Between ticks, a stop by the operator ends the meeting at once.',
    when: (transition) => isInterrupting(transition) && !isTickOpen(transition.before),
    holds: ({ after }) => after.isDone && isInterrupted(after),
  },
  'interrupted-in-a-tick': {
    sentence: 'During a tick, a stop by the operator lets the tick finish.',
    when: (transition) => isInterrupting(transition) && isTickOpen(transition.before),
    holds: ({ before, after }) => after.at === before.at && isInterrupted(after),
  },
  'interruption-ends': {
    sentence:
      'After an interruption no further tick opens: the meeting is over when the open one ends.',
    when: ({ before, event, after }) =>
      isInterrupted(before) &&
      (event.type === 'tick.closed' || (isTalk(before) && haveAllVoted(after))),
    holds: ({ after }) => after.isDone,
  },
  'stop-is-announced': {
    sentence:
      'Each stop is announced once and says whether a tick was open. It cancels an ejection whose verdict was not announced. A consolidation is not stopped.',
    when: (transition) => stopOf(transition) !== null,
    holds: (transition) => {
      if (!isHeard(transition)) return !hasFact('stop.requested')(transition);
      const fact = onlyFact(transition, 'stop.requested');
      return (
        fact?.outcome === stopOf(transition)?.outcome &&
        fact?.during === (isTickOpen(transition.before) ? 'tick' : 'pause') &&
        (transition.before.context.remaining !== null || transition.after.context.ejected === null)
      );
    },
  },
  'budget-stops-talk': {
    sentence: 'When a budget runs out during a tick, the consolidation follows that tick.',
    when: ({ before, event, after }) =>
      before.context.outcome === 'unconverged' &&
      isTalk(before) &&
      event.type === 'tick.closed' &&
      !haveAllVoted(after),
    holds: ({ after }) => after.at === 'consolidation' && after.context.outcome === 'unconverged',
  },
});

/** A budget has no effect after the talk. The operator's stop has none in the consolidation. */
function isHeard(transition: MeetingTransition): boolean {
  return isInterrupting(transition) || (canBeStopped(transition) && isTalk(transition.before));
}

export const pauseProperty: MeetingProperty = {
  name: 'budget-stops-a-pause',
  sentence: 'A budget that runs out between ticks ends the talk at once.',
  kind: 'step',
  when: (transition) =>
    stopOf(transition)?.outcome === 'unconverged' &&
    isTalk(transition.before) &&
    !isTickOpen(transition.before) &&
    !isInterrupted(transition.before),
  holds: ({ after }) => after.at === 'consolidation',
};

export const limitProperty: MeetingProperty = {
  name: 'limit-ends-the-talk',
  sentence: 'Once the operator’s limit of ticks is reached, no player speaks.',
  kind: 'never',
  holds: (state) => isTalk(state) && state.context.due === 'stop',
};
