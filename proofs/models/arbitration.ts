/**
 * Arbitration: the arbiter that runs, by itself, in a world that plots against one player. It is what the bound on
 * silence is proved on.
 */
import type { AnyStateMachine } from 'xstate';
import { arbiterMachine } from '../../machines/charts/arbiter.ts';
import type { MeetingOptions } from '../../machines/rules/options.ts';
import { defaultOptions } from '../../machines/rules/options.ts';
import { defaultWeights, type Weights } from '../../machines/rules/weights.ts';
import { COLOURS } from '../../machines/types.ts';
import { conspiracy } from './conspiracy.ts';
import { decisive, floorForAll, type Plot } from './starvation.ts';

/** A plot against the last of so many players, in the worst world that there is. */
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

/** The same where three may do as they like, to see whether a seat is preferred. */
export function freePlot(weights: Weights): Plot {
  return aPlot(3, { weights, world: 'free', alike: false });
}

/** A model of the arbiter for the checker. */
export function arbitration(plot: Plot, machine: AnyStateMachine = arbiterMachine) {
  const { seated, weights } = plot;
  return {
    name: `the arbiter among ${seated.length}`,
    machine,
    input: { chance: { seed: 1, meeting: 0 }, options: optionsWith(weights), seated },
    world: conspiracy(plot),
    properties: floorForAll(plot),
    view: decisive(plot),
  };
}

/** Of all options only the weights decide who has the floor. */
function optionsWith(weights: Weights): MeetingOptions {
  return { ...defaultOptions(3), weights };
}
