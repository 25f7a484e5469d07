/** Properties of the floor, of each player's view, and of the messages between meeting and arbiter. */
import type { ToArbiter } from '../../machines/messages.ts';
import type { PublicTable } from '../../machines/rules/views.ts';
import { rememberLast } from '../models/rememberLast.ts';
import { expectedResult } from './poll.ts';
import {
  canBeGone,
  declareProperties,
  factsOfType,
  isLiving,
  isSame,
  livingSeats,
  type MeetingProperty,
  type MeetingSnapshot,
  type MeetingTransition,
  messagesToArbiter,
  onlyFact,
  seatsOf,
} from './property.ts';

const SHOWN = [
  'requestKind',
  'rules',
  'seats',
  'call',
  'votesOpen',
  'clock',
  'confirmEjects',
  'anonymousVotes',
  'announced',
  'record',
  'ship',
] as const satisfies readonly (keyof PublicTable)[];

const openedTicks = rememberLast((transition: MeetingTransition) =>
  messagesToArbiter(transition).filter((event) => event.type === 'tick.opened'),
);

export const floorProperties = declareProperties<MeetingProperty>([
  {
    name: 'one-speaker',
    sentence: 'In one tick at most one player speaks: a living player who won the floor.',
    when: (transition) =>
      factsOfType(transition, 'tick.closed').some(({ decision }) => decision?.said != null),
    holds: (transition) => {
      const decision = onlyFact(transition, 'tick.closed')?.decision;
      const speaker = decision?.said?.speaker;
      return (
        speaker !== undefined &&
        speaker !== 'system' &&
        speaker === decision?.floor &&
        isLiving(transition.before, speaker)
      );
    },
  },
  {
    name: 'winner-is-heard',
    sentence: 'A living player who won the floor is heard, word for word.',
    when: ({ before, event }) =>
      event.type === 'tick.closed' &&
      before.tags.has('talk') &&
      event.decision?.floor != null &&
      isLiving(before, event.decision.floor),
    holds: (transition) =>
      transition.event.type === 'tick.closed' &&
      isSame(factsOfType(transition, 'tick.closed')[0]?.decision, transition.event.decision),
  },
  {
    name: 'quiet-ticks',
    sentence: 'In the reaction and the consolidation no player speaks or votes.',
    when: ({ before, event }) => event.type === 'tick.closed' && !before.tags.has('talk'),
    holds: (transition) =>
      factsOfType(transition, 'tick.closed').every(({ decision }) => decision === null) &&
      isSame(transition.before.context.ballots, transition.after.context.ballots),
  },
  {
    name: 'all-living-are-asked',
    sentence: 'When a tick opens, exactly the living players are asked.',
    when: (transition) => openedTicks(transition).length > 0,
    holds: (transition) =>
      openedTicks(transition).length === 1 &&
      openedTicks(transition).every(({ seats, voted }) => {
        const { ballots } = transition.after.context;
        const voters = seatsOf(transition.after).filter((seat) => ballots[seat] !== undefined);
        return isSame([seats, voted], [livingSeats(transition.after), voters]);
      }),
  },
  {
    name: 'no-peeking',
    sentence:
      'Every player sees who is present and who has voted, but no ballot before all are revealed.',
    when: (transition) => openedTicks(transition).length > 0,
    holds: (transition) =>
      openedTicks(transition).every(
        ({ table }) =>
          Object.keys(table).length === SHOWN.length &&
          SHOWN.every((field) => Object.hasOwn(table, field)) &&
          isSame(table.seats, shownSeats(transition.after)) &&
          isSame(table.announced, expectedResult(transition.after)),
      ),
  },
  {
    name: 'gone-never-speak',
    sentence:
      'Dead players, departed players and ghosts are not heard at the table, even if they had won the floor.',
    appliesTo: canBeGone,
    when: ({ before, event }) =>
      event.type === 'tick.closed' &&
      before.tags.has('talk') &&
      event.decision?.floor != null &&
      !isLiving(before, event.decision.floor),
    holds: (transition) =>
      factsOfType(transition, 'tick.closed').every(
        ({ decision }) => decision !== null && decision.floor === null && decision.said === null,
      ),
  },
]);

function shownSeats(state: MeetingSnapshot): PublicTable['seats'] {
  return seatsOf(state).map((colour) => ({
    colour,
    standing: state.context.standings[colour] ?? 'departed',
    voted: state.context.ballots[colour] !== undefined,
  }));
}

export function isTickOpen({ at }: MeetingSnapshot): boolean {
  return at.endsWith('bidding') || at === 'reaction' || at === 'consolidation';
}

function hasMovedOn({ before, event, after }: MeetingTransition): boolean {
  return event.type === 'tick.closed' || before.at !== after.at;
}

function countSent(transition: MeetingTransition, type: ToArbiter['type']): number {
  return messagesToArbiter(transition).filter((message) => message.type === type).length;
}

export const messageProperties = declareProperties<MeetingProperty>([
  {
    name: 'every-tick-is-opened',
    sentence:
      'A tick is opened with the arbiter once, exactly when the meeting starts waiting for bids.',
    holds: (transition) =>
      countSent(transition, 'tick.opened') ===
      Number(isTickOpen(transition.after) && hasMovedOn(transition)),
  },
  {
    name: 'no-tick-is-left-open',
    sentence: 'Exactly the ticks that end before all bids are in are abandoned.',
    holds: (transition) =>
      countSent(transition, 'tick.abandoned') === Number(isAbandoned(transition)),
  },
  {
    name: 'every-tick-is-announced',
    sentence: 'Each tick that closes is announced once, as it was closed.',
    when: ({ before, event }) => event.type === 'tick.closed' && isTickOpen(before),
    holds: (transition) => factsOfType(transition, 'tick.closed').length === 1,
  },
  {
    name: 'time-to-read',
    sentence: 'Between two ticks of talk there is a pause exactly if one is configured.',
    when: ({ before, event, after }) =>
      event.type === 'tick.closed' && before.tags.has('talk') && after.tags.has('talk'),
    holds: ({ after }) => after.at.endsWith('pausing') === after.context.options.beatMs > 0,
  },
]);

/** The operator's stop lets the open tick close. Only a complete poll ends one early. */
function isAbandoned({ before, event, after }: MeetingTransition): boolean {
  return (
    before.at.endsWith('bidding') && event.type !== 'tick.closed' && !after.at.endsWith('bidding')
  );
}

export const leavingProperties = declareProperties<MeetingProperty>([
  {
    name: 'departure-is-announced',
    sentence: 'A departure is announced once and says whether a tick was open.',
    when: (transition) => leaverIn(transition) !== null,
    holds: (transition) => {
      const fact = onlyFact(transition, 'seat.departed');
      const during = isTickOpen(transition.before) ? 'tick' : 'pause';
      return fact?.seat === leaverIn(transition) && fact?.during === during;
    },
  },
  {
    name: 'leaver-has-bid-nothing',
    sentence: 'A player who leaves during a tick has no bid in it: the arbiter is informed.',
    when: (transition) => leaverIn(transition) !== null,
    holds: (transition) =>
      countSent(transition, 'seat.vacated') === Number(isTickOpen(transition.before)),
  },
]);

function leaverIn({ before, event }: MeetingTransition) {
  if (event.type !== 'seat.left') return null;
  return before.context.standings[event.seat] === 'living' ? event.seat : null;
}
