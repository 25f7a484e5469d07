/** Plots against one player, as models for the checker, and an arbiter with a mistake. */
import { type AnyStateMachine, enqueueActions } from 'xstate';
import type { Model } from '../../checker/model.ts';
import { arbiterMachine, type Books } from '../../machines/arbiter.ts';
import { conspiracy } from '../../machines/model/conspiracy.ts';
import { decisive, floorForAll, type Plot } from '../../machines/model/starvation.ts';
import type { ToArbiter } from '../../machines/protocol.ts';
import { closed, type Floor } from '../../machines/rules/floor.ts';
import { defaultWeights } from '../../machines/rules/weights.ts';
import { type Bid, COLOURS } from '../../machines/types.ts';
import { aFault, someOptions } from '../machines/builders.ts';

export type ArbiterModel = Model<Books, ToArbiter>;

export function aPlot(players: number, plot: Partial<Plot> = {}): Plot {
  const seated = COLOURS.slice(0, players);
  return {
    seated,
    target: seated.at(-1) ?? 'red',
    weights: defaultWeights(players),
    world: 'worst',
    isMute: false,
    alike: plot.world !== 'free',
    ...plot,
  };
}

export function aModel(plot: Plot, machine: AnyStateMachine = arbiterMachine): ArbiterModel {
  const { seated, weights } = plot;
  return {
    name: `the arbiter among ${seated.length}`,
    machine,
    input: { chance: { seed: 1, meeting: 0 }, options: someOptions({ weights }), seated },
    world: conspiracy(plot),
    promises: floorForAll(plot),
    view: decisive(plot),
  };
}

/** The arbiter with a mistake: of equal totals the first seat has the floor. */
export const tiesBySeat: AnyStateMachine = arbiterMachine.provide({
  actions: {
    judge: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'bids.gathered') return;
      enqueue.assign({ pending: firstOfEquals(context, event) });
    }),
  },
});

type Gathered = Extract<ToArbiter, { type: 'bids.gathered' }>;

function firstOfEquals({ floor, opened, seated, options }: Books, event: Gathered): Floor {
  const gathered = { ...event, seated, voted: opened?.voted ?? [] };
  const { scores } = closed(floor, gathered, options).verdict;
  const most = Math.max(...scores.map(({ eligible, total }) => (eligible ? total : -Infinity)));
  const first = scores.find(({ eligible, total }) => eligible && total === most)?.seat;
  const bids = event.bids.map((bid): Bid => (bid.seat === first ? bid : aFault(bid.seat)));
  return closed(floor, { ...gathered, bids }, options).floor;
}
