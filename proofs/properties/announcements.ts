/**
 * Properties of announcements and messages, field by field: each announcement matches the step, and
 * the arbiter gets the actual table.
 */
import type { Fact, FactType } from '../../machines/rules/facts.ts';
import { LEFT } from '../../machines/rules/tick.ts';
import type { PublicTable } from '../../machines/rules/views.ts';
import type { Colour, RequestKind } from '../../machines/types.ts';
import { clockMarks } from '../models/clock.ts';
import { isTickOpen } from './floor.ts';
import {
  canBeGone,
  declareProperties,
  factsOf,
  factsOfType,
  factTypes,
  hasFact,
  haveAllVoted,
  isClassic,
  isLiving,
  isSame,
  isTalkClosing,
  type MeetingProperty,
  type MeetingSnapshot,
  type MeetingTransition,
  messagesToArbiter,
  onlyFact,
  seatsOf,
} from './property.ts';

function phaseOf({ at }: MeetingSnapshot): string {
  return at.split('.')[0] ?? at;
}

/** The phases that begin with a step. A finished meeting has no phase. */
function expectedPhases({ before, after }: MeetingTransition): readonly string[] {
  const [from, to] = [phaseOf(before), phaseOf(after)];
  if (from === to || after.isDone) return [];
  // Without time to talk, the discussion ends as it begins.
  return from === 'interrupt' && to === 'voting' ? ['discussion', 'voting'] : [to];
}

function openedTables(transition: MeetingTransition): readonly PublicTable[] {
  return messagesToArbiter(transition).flatMap((message) =>
    message.type === 'tick.opened' ? [message.table] : [],
  );
}

function isTableOf(table: PublicTable, state: MeetingSnapshot): boolean {
  const { options, call, record, ship } = state.context;
  const { by, kind, body, place } = call;
  return (
    table.requestKind === occasionOf(state) &&
    table.rules === options.rules &&
    table.confirmEjects === options.confirmEjects &&
    table.anonymousVotes === options.anonymousVotes &&
    table.votesOpen === (occasionOf(state) === 'voting' || !isClassic(state)) &&
    isSame(table.call, { by, kind, body, place }) &&
    isSame(table.clock, expectedClock(state)) &&
    isSame(table.record, record) &&
    isSame(table.ship, ship)
  );
}

function occasionOf({ at }: MeetingSnapshot): RequestKind {
  if (at === 'reaction' || at === 'consolidation') return at;
  return at.startsWith('voting') ? 'voting' : 'discussion';
}

/** The tick after which votes count, and the tick after which the poll closes. */
function expectedClock({ context: { options } }: MeetingSnapshot): PublicTable['clock'] {
  const withoutLimit = clockMarks({ ...options, maxTicks: null });
  return {
    openAfter: options.rules === 'house' ? 0 : (withoutLimit.ballots ?? 0),
    closeAfter: withoutLimit.timeUp,
  };
}

const STEPS_OF_A_TICK: readonly (readonly FactType[])[] = [
  ['tick.closed'],
  ['vote.locked', 'vote.refused'],
  ['seat.faulted', 'seat.departed', 'vote.cleared'],
  ['scratchpads.updated'],
];

function isDepartureInOrder(transition: MeetingTransition, leaver: Colour): boolean {
  const told = factsOf(transition);
  const at = (isIt: (fact: Fact) => boolean) => told.findIndex(isIt);
  const gone = at((fact) => fact.type === 'seat.departed' && fact.seat === leaver);
  const failed = at((fact) => fact.type === 'seat.faulted' && fact.seat === leaver);
  const cleared = at((fact) => fact.type === 'vote.cleared' && fact.leaver === leaver);
  return failed < gone && (cleared < 0 || cleared > gone);
}

export const announcementProperties = declareProperties<MeetingProperty>([
  {
    name: 'phases-are-announced',
    sentence: 'Each phase is announced once, by its name, when it begins.',
    holds: (transition) =>
      isSame(
        factsOfType(transition, 'phase.entered').map(({ phase }) => phase),
        expectedPhases(transition),
      ),
  },
  {
    name: 'ticks-are-announced-as-they-were',
    sentence:
      'A tick is announced with its number, its kind, all bids in order, the dice, and the floor, which a departed player never has.',
    when: ({ before, event }) => event.type === 'tick.closed' && isTickOpen(before),
    holds: (transition) => {
      const { before, event } = transition;
      const [fact] = factsOfType(transition, 'tick.closed');
      if (event.type !== 'tick.closed' || fact === undefined) return false;
      const { decision } = event;
      const holder = decision?.floor ?? null;
      const isGone = holder !== null && !isLiving(before, holder);
      const expected =
        isGone && before.tags.has('talk')
          ? { ...decision, floor: null, tieBreak: null, said: null, hits: [] }
          : decision;
      return (
        fact.tick === event.tick &&
        fact.requestKind === event.requestKind &&
        isSame(fact.bids, event.bids) &&
        isSame(fact.dice, event.dice) &&
        isSame(fact.decision, expected)
      );
    },
  },
  {
    name: 'poll-is-announced-as-it-is',
    sentence: 'The announcement names the missed votes and the void ballots of the closed poll.',
    when: ({ before, after }) => before.context.poll === null && after.context.poll !== null,
    holds: (transition) => {
      const { poll } = transition.after.context;
      const [fact] = factsOfType(transition, 'poll.closed');
      return isSame(fact?.missed, poll?.missed) && isSame(fact?.void, poll?.void);
    },
  },
  {
    name: 'the-count-is-announced',
    sentence: 'The count is announced once, with players in seat order and then skip.',
    when: ({ before, after }) => before.at === 'voting.counting' && phaseOf(after) === 'reveal',
    holds: (transition) => {
      const counted = onlyFact(transition, 'poll.counted')?.counts.map((one) => one.candidate);
      const candidates = [...seatsOf(transition.before), 'skip'] as const;
      const order = candidates.filter((candidate) => counted?.includes(candidate));
      return isSame(counted, order);
    },
  },
  {
    name: 'arbiter-knows-the-table',
    sentence:
      'When a tick opens, the arbiter gets its actual kind, call, options, voting clock and public record.',
    when: (transition) => openedTables(transition).length > 0,
    holds: (transition) =>
      openedTables(transition).every((table) => isTableOf(table, transition.after)),
  },
  {
    name: 'facts-come-in-order',
    sentence:
      'A tick of talk announces its bids, then votes, then failures and departures, then pages. A failure comes before the departure it causes, and that before the votes it clears.',
    when: isTalkClosing,
    holds: (transition) => {
      const order = factTypes(transition)
        .map((type) => STEPS_OF_A_TICK.findIndex((types) => types.includes(type)))
        .filter((place) => place >= 0);
      return (
        order.every((place, index) => place >= (order[index - 1] ?? 0)) &&
        factsOfType(transition, 'seat.departed').every(({ seat }) =>
          isDepartureInOrder(transition, seat),
        )
      );
    },
  },
  {
    name: 'a-complete-poll-is-counted',
    sentence:
      'Once all living players have voted the poll closes, even if a budget has run out. Only the operator’s stop comes first.',
    when: ({ before, after }) =>
      before.tags.has('talk') && after.context.outcome !== 'interrupted' && haveAllVoted(after),
    holds: ({ after }) => after.context.poll !== null,
  },
  {
    name: 'no-count-after-the-poll',
    sentence: 'Once the poll is closed, failures are no longer counted.',
    kind: 'never',
    holds: ({ context }) => context.poll !== null && Object.keys(context.streaks).length > 0,
  },
  {
    name: 'no-count-of-the-gone',
    sentence: 'During the talk, failures of dead or departed players are not counted.',
    appliesTo: canBeGone,
    kind: 'never',
    holds: ({ tags, context }) =>
      tags.has('talk') &&
      context.seats.some(
        ({ colour }) =>
          context.streaks[colour] !== undefined && context.standings[colour] !== 'living',
      ),
  },
]);

export const leaverProperties = declareProperties<MeetingProperty>([
  {
    name: 'departure-says-why',
    sentence:
      'Each departure has its reason: the player left or failed too often. The arbiter hears of exactly the players who leave during a tick.',
    when: hasFact('seat.departed'),
    holds: (transition) => {
      const { event } = transition;
      const hasLeft = (seat: Colour) =>
        event.type === 'seat.left' ||
        (event.type === 'tick.closed' &&
          event.bids.some((bid) => bid.seat === seat && bid.type === 'fault' && bid.code === LEFT));
      const vacated = messagesToArbiter(transition).flatMap((message) =>
        message.type === 'seat.vacated' ? [message.seat] : [],
      );
      return (
        factsOfType(transition, 'seat.departed').every(
          ({ seat, reason }) => (reason === 'left') === hasLeft(seat),
        ) && vacated.every((seat) => event.type === 'seat.left' && event.seat === seat)
      );
    },
  },
]);
