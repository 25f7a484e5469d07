/**
 * Starvation: what is promised to a player against whom everybody conspires, and what a proof of it has to look at.
 *
 * How the others conspire is in `conspiracy.ts`.
 */
import type { ArbiterBooks } from '../../machines/charts/arbiter.ts';
import { type Floor, stanceOf } from '../../machines/rules/floor.ts';
import {
  longestSilence,
  silentTicks,
  type Weights,
  worstSpread,
} from '../../machines/rules/weights.ts';
import type { Colour } from '../../machines/types.ts';

/** Against whom, by whom, and how much of the world is tried. */
export type Plot = {
  /** Everybody living, the target included. */
  readonly seated: readonly Colour[];
  readonly target: Colour;
  readonly weights: Weights;
  readonly world: 'worst' | 'free';
  /** The target never has anything to say (ruling 9); otherwise it accuses all rivals whenever it is heard. */
  readonly isMute: boolean;
  /**
   * Does not tell one rival of the worst world from another. There are fewer states then, and a loop closes as soon as
   * the rivals have exchanged their places.
   */
  readonly alike: boolean;
};

/** Where the arbiter is, and its books. */
export type Situation = { readonly at: string; readonly context: ArbiterBooks };

/**
 * What decides about the ticks to come: how long everybody has been silent, who spoke last, which boosts are in force
 * and for how long, and who has voted.
 *
 * Only gaps between silences count, and beyond some gap the longer silence wins whatever else is said, so gaps are cut
 * there. The target's own silence is kept as far as the promise looks at it. Transcript, tokens, nudges and the number
 * of the tick decide nothing.
 */
export function decisive(plot: Plot): (situation: Situation) => unknown {
  const { seated, weights, target } = plot;
  const widest = widestGap(weights);
  const enough = mostSilent(plot) + 1;
  return ({ context }) => {
    const floor = latest(context);
    const silences = seated.map((seat) => silentTicks(floor.tick, floor.lastSpoke[seat]));
    const cut = withGaps(silences, widest);
    const stances = seated.map((seat, index) => {
      const { justSpoke } = stanceOf(floor, seat, false);
      const ages = [age(floor, seat, 'mention'), age(floor, seat, 'accusation')];
      return [cut[index] ?? 0, justSpoke, ...ages].join();
    });
    const [own = ''] = stances.splice(seated.indexOf(target), 1);
    return [
      own,
      plot.alike ? stances.sort() : stances,
      Math.min(silenceOf({ context }, target), enough),
      context.opened?.voted ?? null,
    ];
  };
}

/** W for this plot. Where a player can be starved, the W that the boost would have without its ceiling. */
function mostSilent({ weights, seated }: Plot): number {
  const bound = longestSilence(weights, seated.length);
  if (Number.isFinite(bound)) return bound;
  return longestSilence({ ...weights, silence: { ...weights.silence, cap: null } }, seated.length);
}

/** How long the target has been silent when the next tick is opened. */
function silenceOf({ context }: Pick<Situation, 'context'>, target: Colour): number {
  const floor = latest(context);
  return silentTicks(floor.tick, floor.lastSpoke[target]);
}

/** What a player is promised who bids at every tick. */
export function floorForAll(plot: Plot) {
  const { target } = plot;
  const most = mostSilent(plot);
  return [
    {
      name: 'silent-at-most-w',
      sentence: `Nobody who bids at every tick is silent for more than ${most} ticks.`,
      kind: 'always',
      holds: (situation: Situation) => silenceOf(situation, target) <= most,
    },
    {
      name: 'silent-for-w',
      sentence: `Somebody can be kept silent for ${most} ticks.`,
      kind: 'sometimes',
      holds: (situation: Situation) => silenceOf(situation, target) === most,
    },
    {
      name: 'heard-again',
      sentence: 'Whoever bids at every tick has the floor again and again.',
      kind: 'leads-to',
      from: () => true,
      holds: ({ context }: Situation) => stanceOf(latest(context), target, false).justSpoke,
    },
    {
      name: 'never-stuck',
      sentence: 'The arbiter never waits for what cannot come.',
      kind: 'deadlock-free',
    },
  ] as const;
}

/** The books as the next tick finds them. */
function latest({ floor, pending }: ArbiterBooks): Floor {
  return pending ?? floor;
}

/** From this gap on the longer silence wins: the boost outweighs every other term, a penalty for speaking included. */
function widestGap(weights: Weights): number {
  const { slope, grace } = weights.silence;
  return Math.ceil((worstSpread(weights) + weights.recentSpeaker) / Math.max(1, slope)) + grace + 1;
}

function withGaps(silences: readonly number[], widest: number): readonly number[] {
  const steps = [...new Set(silences)].sort((one, other) => one - other);
  const cut = new Map<number, number>();
  let below = 0;
  let level = 0;
  for (const silence of steps) {
    level += Math.min(silence - below, widest);
    below = silence;
    cut.set(silence, level);
  }
  return silences.map((silence) => cut.get(silence) ?? 0);
}

/** Messages published since the last one that boosts this seat; null when no boost is in force. */
function age(floor: Floor, seat: Colour, kind: 'mention' | 'accusation'): number | null {
  const since = floor.lastSpoke[seat] ?? -1;
  const newest = floor.heard.findLastIndex(
    ({ t, hits }) => t > since && hits.some((hit) => hit.seat === seat && hit.kind === kind),
  );
  return newest < 0 ? null : floor.heard.length - 1 - newest;
}
