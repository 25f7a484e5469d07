/** Properties of presence: a dead or departed player never returns, and patience is exact. */
import type { Colour } from '../../machines/types.ts';
import {
  bidOf,
  declareProperties,
  factsAbout,
  factsOfType,
  isLeaving,
  isLiving,
  livingSeats,
  type MeetingProperty,
  type MeetingTransition,
  ofEach,
  seatsOf,
  type TransitionProperty,
  talkBids,
} from './property.ts';

const GOT_UP = 'seat/left';

function faultsInARow(transition: MeetingTransition, seat: Colour): number {
  const bid = bidOf(transition, seat);
  return bid?.type === 'fault' ? (transition.before.context.streaks[seat] ?? 0) + 1 : 0;
}

function isGettingUp(transition: MeetingTransition, seat: Colour): boolean {
  if (transition.event.type === 'seat.left') return transition.event.seat === seat;
  const bid = bidOf(transition, seat);
  return bid?.type === 'fault' && bid.code === GOT_UP;
}

export const presenceProperties = declareProperties<MeetingProperty>([
  {
    name: 'gone-stays-gone',
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
  {
    name: 'only-an-ejection-kills',
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
]);

export const departureProperties = declareProperties<MeetingProperty>([
  {
    name: 'departure-has-a-reason',
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
]);

export const faultProperties = declareProperties<MeetingProperty>([
  {
    name: 'faults-are-counted',
    sentence:
      'While voting is possible, faults in a row are counted, and one reply resets the count.',
    ...ofEach(
      (transition) => (transition.after.context.poll === null ? talkBids(transition) : []),
      ({ seat }, transition) =>
        !isLiving(transition.before, seat) ||
        isLeaving(transition, seat) ||
        (transition.after.context.streaks[seat] ?? 0) === faultsInARow(transition, seat),
    ),
  },
  {
    name: 'quiet-faults-are-free',
    sentence: 'A fault in the reaction or the consolidation disconnects no player.',
    when: ({ before, event }) =>
      event.type === 'tick.closed' &&
      !before.tags.has('talk') &&
      event.bids.some(({ type }) => type === 'fault'),
    holds: ({ before, after }) => before.context.standings === after.context.standings,
  },
]);

export const disconnectionProperty: TransitionProperty = {
  name: 'patience-runs-out',
  sentence: 'A player with as many faults in a row as `patience` is disconnected.',
  kind: 'step',
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
};
