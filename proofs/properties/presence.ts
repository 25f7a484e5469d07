/** What is promised about who is at the table: who is gone stays gone, and patience is exact. */
import type { Colour } from '../../machines/types.ts';
import { once } from './once.ts';
import {
  bidOf,
  isLiving,
  leaves,
  livingAt,
  seated,
  type Turn,
  type TurnPromise,
  talkBids,
  told,
} from './promise.ts';

/** The fault that says that a player got up, as the wire has it. */
const GOT_UP = 'seat/left';

function streakOf({ before }: Turn, seat: Colour): number {
  return before.context.streaks[seat] ?? 0;
}

/** Fails in this tick, and so often in a row now; 0 when they do not fail. */
function faultsInARow(turn: Turn, seat: Colour): number {
  const bid = bidOf(turn, seat);
  return bid?.type === 'fault' ? streakOf(turn, seat) + 1 : 0;
}

function getsUp(turn: Turn, seat: Colour): boolean {
  if (turn.event.type === 'seat.left') return turn.event.seat === seat;
  const bid = bidOf(turn, seat);
  return bid?.type === 'fault' && bid.code === GOT_UP;
}

export const presencePromises: readonly TurnPromise[] = [
  {
    name: 'gone-stays-gone',
    sentence: 'Whoever is dead or departed stays so, and nobody sits down or vanishes.',
    kind: 'step',
    holds: ({ before, after }) =>
      before.context.standings === after.context.standings ||
      (Object.keys(after.context.standings).length ===
        Object.keys(before.context.standings).length &&
        seated(before).every(
          (seat) =>
            isLiving(before, seat) ||
            before.context.standings[seat] === after.context.standings[seat],
        )),
  },
  {
    name: 'only-an-ejection-kills',
    sentence: 'At a meeting nobody dies but the ejected, when the sentence is told.',
    kind: 'step',
    when: ({ before, after }) => before.context.standings !== after.context.standings,
    holds: (turn) =>
      livingAt(turn.before).every((seat) => {
        const isDead = turn.after.context.standings[seat] === 'dead';
        return isDead === told(turn, 'verdict.told').some(({ ejected }) => ejected === seat);
      }),
  },
];

/** Promised where minds may fail or players may leave. */
export const departurePromises: readonly TurnPromise[] = [
  {
    name: 'departure-has-a-reason',
    sentence:
      'A player is gone exactly when they got up or failed as often in a row as patience allows, and it is told once.',
    kind: 'step',
    when: ({ before, event }) =>
      event.type === 'seat.left' || (event.type === 'tick.closed' && before.tags.has('talk')),
    holds: (turn) =>
      livingAt(turn.before).every((seat) => {
        const isOut =
          getsUp(turn, seat) || faultsInARow(turn, seat) >= turn.before.context.options.patience;
        const facts = told(turn, 'seat.departed');
        const times = facts.reduce((sum, fact) => sum + Number(fact.seat === seat), 0);
        return leaves(turn, seat) === isOut && times === Number(isOut);
      }),
  },
];

/** Promised where minds may fail. */
export const faultPromises: readonly TurnPromise[] = [
  {
    name: 'faults-are-counted',
    sentence:
      'While votes may come, each fault in a row is counted, and one reply begins the count anew.',
    kind: 'step',
    when: (turn) => talkBids(turn).length > 0 && turn.after.context.poll === null,
    holds: (turn) =>
      talkBids(turn).every(
        ({ seat }) =>
          !isLiving(turn.before, seat) ||
          leaves(turn, seat) ||
          (turn.after.context.streaks[seat] ?? 0) === faultsInARow(turn, seat),
      ),
  },
  {
    name: 'quiet-faults-are-free',
    sentence: 'Failing in the reaction or the consolidation costs nobody their seat.',
    kind: 'step',
    when: ({ before, event }) =>
      event.type === 'tick.closed' &&
      !before.tags.has('talk') &&
      event.bids.some(({ type }) => type === 'fault'),
    holds: ({ before, after }) => before.context.standings === after.context.standings,
  },
];

/** Promised where somebody may fail so often. */
export const disconnectionPromise: TurnPromise = {
  name: 'patience-runs-out',
  sentence: 'After so many faults in a row as patience allows, a player is disconnected.',
  kind: 'step',
  when: (turn) => disconnected(turn).length > 0,
  holds: (turn) =>
    disconnected(turn).every((seat) =>
      told(turn, 'seat.departed').some((fact) => fact.seat === seat && fact.reason === 'faults'),
    ),
};

const disconnected = once((turn: Turn) =>
  livingAt(turn.before).filter(
    (seat) =>
      faultsInARow(turn, seat) === turn.before.context.options.patience && !getsUp(turn, seat),
  ),
);
