import type { Model } from 'glass-box-checker';
import { enqueueActions } from 'xstate';
import { type ArbiterBooks, arbiterMachine } from '../../machines/charts/arbiter.ts';
import type { ToArbiter } from '../../machines/messages.ts';
import { closeFloorTick, EMPTY_FLOOR, stanceOf } from '../../machines/rules/floor.ts';
import { ticksUntilHeard } from '../../machines/rules/promises.ts';
import type { Bid } from '../../machines/types.ts';
import {
  type Adversary,
  arbiterModel,
  BOUND,
  latestFloor,
  longestSilenceOf,
  silenceOf,
} from '../../proofs/models/arbiter.ts';
import { aFault } from '../machines/builders.ts';

export type ArbiterModel = Model<ArbiterBooks, ToArbiter>;

export const BOUNDS = [BOUND, 'silent-for-w', 'heard-again', 'never-stuck'];

/** The arbiter alone. It is also asked if its bound is reached, and if the target is heard again and again. */
export function boundedModel(adversary: Adversary, machine = arbiterMachine): ArbiterModel {
  const { seated, target, weights } = adversary;
  const start = { floor: EMPTY_FLOOR, living: seated, voted: [target], weights };
  // A grace can leave the longest silence one tick below W.
  const reached = Math.min(longestSilenceOf(adversary), ticksUntilHeard(start, target) - 1);
  const model: ArbiterModel = arbiterModel(adversary, machine);
  return {
    ...model,
    properties: [
      ...model.properties,
      {
        name: 'silent-for-w',
        sentence: `A player can be kept silent for ${reached} ticks.`,
        kind: 'sometimes',
        holds: (situation) => silenceOf(situation, target) === reached,
      },
      {
        name: 'heard-again',
        sentence: 'A player who bids at every tick gets the floor infinitely often.',
        kind: 'leads-to',
        from: () => true,
        holds: ({ context }) => stanceOf(latestFloor(context), target, false).justSpoke,
      },
      {
        name: 'never-stuck',
        sentence: 'The arbiter never waits for a bid that cannot come.',
        kind: 'deadlock-free',
      },
    ],
  };
}

/** The arbiter with a mistake: of equal totals the first seat has the floor. */
export const tiesBySeat: typeof arbiterMachine = arbiterMachine.provide({
  actions: {
    judgeTick: enqueueActions(({ context, event, enqueue, self }) => {
      if (event.type !== 'bids.gathered') return;
      const { floor, verdict } = firstOfEquals(context, event);
      enqueue.assign({ pending: floor });
      const { tick, bids, dice } = event;
      const closing = {
        type: 'tick.closed',
        tick,
        requestKind: 'discussion',
        bids,
        dice,
        decision: verdict,
      };
      if (self._parent !== undefined) enqueue.sendTo(self._parent, closing);
    }),
  },
});

type Gathered = Extract<ToArbiter, { type: 'bids.gathered' }>;

function firstOfEquals({ floor, opened, seated, options }: ArbiterBooks, event: Gathered) {
  const gathered = { ...event, seated, voted: opened?.voted ?? [] };
  const { scores } = closeFloorTick(floor, gathered, options).verdict;
  const most = Math.max(...scores.map(({ eligible, total }) => (eligible ? total : -Infinity)));
  const first = scores.find(({ eligible, total }) => eligible && total === most)?.seat;
  const bids = event.bids.map((bid): Bid => (bid.seat === first ? bid : aFault(bid.seat)));
  const found = closeFloorTick(floor, { ...gathered, bids }, options);
  return { floor: found.floor, verdict: { ...found.verdict, scores } };
}
