/** Properties of the end of a meeting: scratchpads, the outcome, termination, and stops by the operator or a budget. */
import type { MeetingOptions } from '../../machines/rules/options.ts';
import { clockMarks } from '../models/clock.ts';
import { isTickOpen } from './floor.ts';
import {
  allHold,
  areVotesOpen,
  declareProperties,
  type EventAssumption,
  type EventualProperty,
  factsOfType,
  factTypes,
  haveAllVoted,
  isLiving,
  livingSeats,
  type MeetingProperty,
  type MeetingSnapshot,
  type MeetingTransition,
  paramsOf,
  sortFields,
  valuesOf,
  writeLine,
} from './property.ts';
import { expectedResult, isCounted } from './votes.ts';

function isStopped({ context }: MeetingSnapshot): boolean {
  return context.outcome === 'interrupted' || context.outcome === 'refused';
}

function expectedPages({ before, event }: MeetingTransition) {
  if (event.type !== 'tick.closed') return [];
  const { ballots, outcome, ejected } = before.context;
  return livingSeats(before).map((seat) => {
    const bid = event.bids.find((one) => one.seat === seat);
    const main = bid?.type === 'reply' ? (bid.reply.pads.main ?? null) : null;
    return [seat, main, main === null ? writeLine(ballots[seat], outcome, ejected) : null];
  });
}

export const endingProperties = declareProperties<MeetingProperty>({
  'erased-once': {
    sentence:
      'The meeting scratchpads are erased exactly once, when the consolidation ends, whatever fails. Before that each living player, and no other, keeps either their own page or the engine’s line, which states their vote and the outcome of the meeting.',
    holds: (transition) => {
      const { before, after } = transition;
      const isEnd = before.at === 'consolidation' && after.at !== 'consolidation';
      const erased = factsOfType(transition, 'scratchpads.erased').length;
      const order = factTypes(transition);
      return allHold({
        'the pages that are kept': [
          valuesOf(transition, 'scratchpads.consolidated', 'seat', 'main', 'line'),
          isEnd ? expectedPages(transition) : [],
        ],
        'how often they are erased': [erased, Number(isEnd)],
        'first they are kept':
          !isEnd ||
          order.lastIndexOf('scratchpads.consolidated') < order.indexOf('scratchpads.erased'),
        'only a stop ends the meeting otherwise': after.isDone ? isEnd || isStopped(after) : !isEnd,
      });
    },
  },
  'closed-is-done': {
    sentence: 'The meeting is done exactly when it is closed, and then it has an outcome.',
    kind: 'always',
    holds: ({ at, isDone, context }) =>
      isDone === (at === 'closed') && (!isDone || context.outcome !== null),
  },
  'result-is-handed-out': {
    sentence:
      'The end is announced once, with the final outcome, and nothing is announced after it. A finished meeting returns its outcome, the ejected player, the standings, who was lost through faults, and its public record.',
    when: ({ after }) => after.isDone,
    holds: (transition) => {
      const { context } = transition.after;
      const { outcome, ejected, standings, faulted } = context;
      const { by, kind, body, place } = context.call;
      const held = { call: { by, kind, body, place }, result: expectedResult(transition.after) };
      return allHold({
        'the announcement': [
          valuesOf(transition, 'meeting.closed', 'outcome', 'ejected'),
          [[outcome, ejected]],
        ],
        'it comes last': factTypes(transition).at(-1) === 'meeting.closed',
        'the result': [
          paramsOf<object>(transition.effects, 'xstate.output').map(sortFields),
          [sortFields({ outcome, ejected, standings, held, faulted })],
        ],
      });
    },
  },
  'outcome-stands': {
    sentence: 'A counted outcome is final, unless the operator stops the run.',
    when: ({ before, event }) =>
      (event.type !== 'meeting.stopped' || event.outcome === 'unconverged') &&
      /^(?:reveal|reaction|consolidation)/.test(before.at),
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
  'limit-ends-the-talk': {
    sentence: 'Once the operator’s limit of ticks is reached, no player speaks.',
    appliesTo: ({ setting }) => setting.options.maxTicks !== null,
    kind: 'never',
    holds: ({ tags, context }) => tags.has('talk') && context.due === 'stop',
  },
  'never-stuck': {
    sentence: 'A meeting that is not over always has a next step.',
    kind: 'deadlock-free',
  },
});

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

/** Some player who can vote does so at last. It is the same for every seat, so it is assumed modulo symmetry. */
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
        isCounted(state, bid.seat, bid.reply.vote),
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

/** The consolidation ends the meeting anyway and asks no player. */
function canBeStopped({ before }: MeetingTransition): boolean {
  return before.at !== 'consolidation' && !before.isDone;
}

export const stopProperties = declareProperties<MeetingProperty>({
  'interruption-stands': {
    sentence:
      'A stop by the operator ends the meeting at once between ticks, and lets an open tick finish. No further tick opens, and the meeting stays stopped.',
    when: (transition) => isInterrupted(transition.before) || isInterrupting(transition),
    holds: (transition) => {
      const { before, event, after } = transition;
      if (!isInterrupted(after)) return false;
      if (isInterrupting(transition))
        return isTickOpen(before) ? after.at === before.at : after.isDone;
      const isComplete = before.tags.has('talk') && haveAllVoted(after);
      return after.isDone || !(isComplete || event.type === 'tick.closed');
    },
  },
  'stop-is-announced': {
    sentence:
      'Each stop is announced once and says whether a tick was open. It cancels an ejection whose verdict was not announced. A consolidation is not stopped.',
    when: (transition) => stopOf(transition) !== null,
    holds: (transition) => {
      const { before, after } = transition;
      const during = isTickOpen(before) ? 'tick' : 'pause';
      // A budget has no effect after the talk. The operator's stop has none in the consolidation.
      const isHeard =
        isInterrupting(transition) || (canBeStopped(transition) && before.tags.has('talk'));
      const heard = isHeard ? [[stopOf(transition)?.outcome, during]] : [];
      return allHold({
        'the announcement': [valuesOf(transition, 'stop.requested', 'outcome', 'during'), heard],
        'the ejection is cancelled':
          heard.length === 0 || before.context.remaining !== null || after.context.ejected === null,
      });
    },
  },
  'budget-stops-talk': {
    sentence:
      'When a budget runs out during a tick, the consolidation follows that tick. Between ticks it follows at once.',
    when: (transition) => {
      const { before, event, after } = transition;
      if (!before.tags.has('talk') || isInterrupted(before)) return false;
      if (event.type === 'tick.closed')
        return before.context.outcome === 'unconverged' && !haveAllVoted(after);
      return stopOf(transition)?.outcome === 'unconverged' && !isTickOpen(before);
    },
    holds: ({ after }) => after.at === 'consolidation' && after.context.outcome === 'unconverged',
  },
});
