/** Properties of presence: a dead or departed player never returns, and patience is exact. */
import type { Colour } from '../../machines/types.ts';
import { rememberLast } from '../models/rememberLast.ts';
import {
  bidOf,
  factsOfType,
  isLeaving,
  isLiving,
  livingSeats,
  type MeetingTransition,
  seatsOf,
  type TransitionProperty,
  talkBids,
} from './property.ts';

const GOT_UP = 'seat/left';

function streakOf({ before }: MeetingTransition, seat: Colour): number {
  return before.context.streaks[seat] ?? 0;
}

function faultsInARow(transition: MeetingTransition, seat: Colour): number {
  const bid = bidOf(transition, seat);
  return bid?.type === 'fault' ? streakOf(transition, seat) + 1 : 0;
}

function isGettingUp(transition: MeetingTransition, seat: Colour): boolean {
  if (transition.event.type === 'seat.left') return transition.event.seat === seat;
  const bid = bidOf(transition, seat);
  return bid?.type === 'fault' && bid.code === GOT_UP;
}

export const presenceProperties: readonly TransitionProperty[] = [
  {
    name: 'gone-stays-gone',
    sentence: 'A dead or departed player stays so, and no seat appears or vanishes.',
    kind: 'step',
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
    kind: 'step',
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
];

export const departureProperties: readonly TransitionProperty[] = [
  {
    name: 'departure-has-a-reason',
    sentence:
      'A player is gone exactly when they left or failed as often in a row as `patience` allows, and it is announced once.',
    kind: 'step',
    when: ({ before, event }) =>
      event.type === 'seat.left' || (event.type === 'tick.closed' && before.tags.has('talk')),
    holds: (transition) =>
      livingSeats(transition.before).every((seat) => {
        const isOut =
          isGettingUp(transition, seat) ||
          faultsInARow(transition, seat) >= transition.before.context.options.patience;
        const facts = factsOfType(transition, 'seat.departed');
        const times = facts.reduce((sum, fact) => sum + Number(fact.seat === seat), 0);
        return isLeaving(transition, seat) === isOut && times === Number(isOut);
      }),
  },
];

export const faultProperties: readonly TransitionProperty[] = [
  {
    name: 'faults-are-counted',
    sentence:
      'While voting is possible, faults in a row are counted, and one reply resets the count.',
    kind: 'step',
    when: (transition) => talkBids(transition).length > 0 && transition.after.context.poll === null,
    holds: (transition) =>
      talkBids(transition).every(
        ({ seat }) =>
          !isLiving(transition.before, seat) ||
          isLeaving(transition, seat) ||
          (transition.after.context.streaks[seat] ?? 0) === faultsInARow(transition, seat),
      ),
  },
  {
    name: 'quiet-faults-are-free',
    sentence: 'A fault in the reaction or the consolidation disconnects no player.',
    kind: 'step',
    when: ({ before, event }) =>
      event.type === 'tick.closed' &&
      !before.tags.has('talk') &&
      event.bids.some(({ type }) => type === 'fault'),
    holds: ({ before, after }) => before.context.standings === after.context.standings,
  },
];

export const disconnectionProperty: TransitionProperty = {
  name: 'patience-runs-out',
  sentence: 'A player with as many faults in a row as `patience` is disconnected.',
  kind: 'step',
  when: (transition) => disconnectedSeats(transition).length > 0,
  holds: (transition) =>
    disconnectedSeats(transition).every((seat) =>
      factsOfType(transition, 'seat.departed').some(
        (fact) => fact.seat === seat && fact.reason === 'faults',
      ),
    ),
};

const disconnectedSeats = rememberLast((transition: MeetingTransition) =>
  livingSeats(transition.before).filter(
    (seat) =>
      faultsInARow(transition, seat) === transition.before.context.options.patience &&
      !isGettingUp(transition, seat),
  ),
);
