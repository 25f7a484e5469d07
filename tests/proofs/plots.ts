import type { Model } from 'glass-box-checker';
import { enqueueActions } from 'xstate';
import { type ArbiterBooks, arbiterMachine } from '../../machines/charts/arbiter.ts';
import type { ToArbiter } from '../../machines/messages.ts';
import { closeFloorTick } from '../../machines/rules/floor.ts';
import type { Bid } from '../../machines/types.ts';
import { aFault } from '../machines/builders.ts';

export type ArbiterModel = Model<ArbiterBooks, ToArbiter>;

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
