/** Properties of the floor and of presence: who speaks, who sees what, who is asked, and who is gone. */
import type { ToArbiter } from '../../machines/messages.ts';
import type { PublicTable } from '../../machines/rules/views.ts';
import type { Colour } from '../../machines/types.ts';
import { rememberLast } from '../models/rememberLast.ts';
import {
  bidOf,
  canBeGone,
  declareProperties,
  factsAbout,
  factsOfType,
  isLeaving,
  isLiving,
  isSame,
  livingSeats,
  type MeetingProperty,
  type MeetingSnapshot,
  type MeetingTransition,
  messagesToArbiter,
  ofEach,
  onlyFact,
  seatsOf,
  talkBids,
} from './property.ts';
import { expectedResult } from './votes.ts';

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

export const openedTicks = rememberLast((transition: MeetingTransition) =>
  messagesToArbiter(transition).filter((event) => event.type === 'tick.opened'),
);

export const floorProperties = declareProperties<MeetingProperty>({
  'one-speaker': {
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
  'winner-is-heard': {
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
  'quiet-ticks': {
    sentence: 'In the reaction and the consolidation no player speaks or votes.',
    when: ({ before, event }) => event.type === 'tick.closed' && !before.tags.has('talk'),
    holds: (transition) =>
      factsOfType(transition, 'tick.closed').every(({ decision }) => decision === null) &&
      isSame(transition.before.context.ballots, transition.after.context.ballots),
  },
  'all-living-are-asked': {
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
  'no-peeking': {
    sentence:
      'Every player sees who is present and who has voted, but no ballot before all are revealed.',
    ...ofEach(
      openedTicks,
      ({ table }, { after }) =>
        Object.keys(table).length === SHOWN.length &&
        SHOWN.every((field) => Object.hasOwn(table, field)) &&
        isSame(table.seats, shownSeats(after)) &&
        isSame(table.announced, expectedResult(after)),
    ),
  },
  'gone-never-speak': {
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
});

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

export const messageProperties = declareProperties<MeetingProperty>({
  'every-tick-is-opened': {
    sentence:
      'A tick is opened with the arbiter once, exactly when the meeting starts waiting for bids.',
    holds: (transition) =>
      countSent(transition, 'tick.opened') ===
      Number(isTickOpen(transition.after) && hasMovedOn(transition)),
  },
  'no-tick-is-left-open': {
    sentence: 'Exactly the ticks that end before all bids are in are abandoned.',
    holds: (transition) =>
      countSent(transition, 'tick.abandoned') === Number(isAbandoned(transition)),
  },
  'every-tick-is-announced': {
    sentence: 'Each tick that closes is announced once, as it was closed.',
    when: ({ before, event }) => event.type === 'tick.closed' && isTickOpen(before),
    holds: (transition) => factsOfType(transition, 'tick.closed').length === 1,
  },
  'time-to-read': {
    sentence: 'Between two ticks of talk there is a pause exactly if one is configured.',
    when: ({ before, event, after }) =>
      event.type === 'tick.closed' && before.tags.has('talk') && after.tags.has('talk'),
    holds: ({ after }) => after.at.endsWith('pausing') === after.context.options.beatMs > 0,
  },
});

/** The operator's stop lets the open tick close. Only a complete poll ends one early. */
function isAbandoned({ before, event, after }: MeetingTransition): boolean {
  return (
    before.at.endsWith('bidding') && event.type !== 'tick.closed' && !after.at.endsWith('bidding')
  );
}

export const leavingProperties = declareProperties<MeetingProperty>({
  'departure-is-announced': {
    sentence: 'A departure is announced once and says whether a tick was open.',
    when: (transition) => leaverIn(transition) !== null,
    holds: (transition) => {
      const fact = onlyFact(transition, 'seat.departed');
      const during = isTickOpen(transition.before) ? 'tick' : 'pause';
      return fact?.seat === leaverIn(transition) && fact?.during === during;
    },
  },
  'leaver-has-bid-nothing': {
    sentence: 'A player who leaves during a tick has no bid in it: the arbiter is informed.',
    when: (transition) => leaverIn(transition) !== null,
    holds: (transition) =>
      countSent(transition, 'seat.vacated') === Number(isTickOpen(transition.before)),
  },
});

function leaverIn({ before, event }: MeetingTransition) {
  if (event.type !== 'seat.left') return null;
  return before.context.standings[event.seat] === 'living' ? event.seat : null;
}

const GOT_UP = 'seat/left';

/** A fault adds one, except in an outage (ruling 54). A reply ends them. */
export function faultsInARow(transition: MeetingTransition, seat: Colour): number {
  const bid = bidOf(transition, seat);
  if (bid?.type !== 'fault') return 0;
  const isOwn = !bid.code.startsWith('outage/');
  return (transition.before.context.streaks[seat] ?? 0) + Number(isOwn);
}

function isGettingUp(transition: MeetingTransition, seat: Colour): boolean {
  if (transition.event.type === 'seat.left') return transition.event.seat === seat;
  const bid = bidOf(transition, seat);
  return bid?.type === 'fault' && bid.code === GOT_UP;
}

export const presenceProperties = declareProperties<MeetingProperty>({
  'gone-stays-gone': {
    sentence: 'A dead or departed player stays so, and no seat appears or vanishes.',
    holds: ({ before, after }) =>
      before.context.standings === after.context.standings ||
      (Object.keys(after.context.standings).length ===
        Object.keys(before.context.standings).length &&
        seatsOf(before).every(
          (seat) =>
            isLiving(before, seat) ||
            before.context.standings[seat] === after.context.standings[seat],
        )),
  },
  'only-an-ejection-kills': {
    sentence: 'At a meeting only the ejected player dies, when the result is announced.',
    when: ({ before, after }) => before.context.standings !== after.context.standings,
    holds: (transition) =>
      livingSeats(transition.before).every((seat) => {
        const isDead = transition.after.context.standings[seat] === 'dead';
        return (
          isDead ===
          factsOfType(transition, 'verdict.announced').some(({ ejected }) => ejected === seat)
        );
      }),
  },
});

export const departureProperties = declareProperties<MeetingProperty>({
  'departure-has-a-reason': {
    sentence:
      'A player is gone exactly when they left or failed as often in a row as `patience` allows, and it is announced once.',
    when: ({ before, event }) =>
      event.type === 'seat.left' || (event.type === 'tick.closed' && before.tags.has('talk')),
    holds: (transition) =>
      livingSeats(transition.before).every((seat) => {
        const isOut =
          isGettingUp(transition, seat) ||
          faultsInARow(transition, seat) >= transition.before.context.options.patience;
        const times = factsAbout(transition, 'seat.departed', seat).length;
        return isLeaving(transition, seat) === isOut && times === Number(isOut);
      }),
  },
});

export const faultProperties = declareProperties<MeetingProperty>({
  'faults-are-counted': {
    sentence:
      'While voting is possible, faults in a row are counted, except in an outage, and one reply resets the count.',
    ...ofEach(
      (transition) => (transition.after.context.poll === null ? talkBids(transition) : []),
      ({ seat }, transition) =>
        !isLiving(transition.before, seat) ||
        isLeaving(transition, seat) ||
        (transition.after.context.streaks[seat] ?? 0) === faultsInARow(transition, seat),
    ),
  },
  'quiet-faults-are-free': {
    sentence: 'A fault in the reaction or the consolidation disconnects no player.',
    when: ({ before, event }) =>
      event.type === 'tick.closed' &&
      !before.tags.has('talk') &&
      event.bids.some(({ type }) => type === 'fault'),
    holds: ({ before, after }) => before.context.standings === after.context.standings,
  },
});

export const disconnectionProperties = declareProperties<MeetingProperty>({
  'patience-runs-out': {
    sentence: 'A player with as many faults in a row as `patience` is disconnected.',
    ...ofEach(
      (transition) =>
        livingSeats(transition.before).filter(
          (seat) =>
            faultsInARow(transition, seat) === transition.before.context.options.patience &&
            !isGettingUp(transition, seat),
        ),
      (seat, transition: MeetingTransition) =>
        factsAbout(transition, 'seat.departed', seat).some(({ reason }) => reason === 'faults'),
    ),
  },
});
