/**
 * Starvation: the world in which everybody conspires to keep one player from the floor, and what that player is
 * promised all the same.
 *
 * The arbiter that runs is asked; the conspiracy only fills in votes, bids and dice. In the `worst` world each tick has
 * one rival at most who bids, with everything on that rival's side, and everything against the target. No other play
 * keeps the target silent longer: take any tick that a rival wins. With the target at the least desire, face and
 * draw and with a ballot locked, that rival at the most of each and without one, and everybody else silent, the same
 * rival wins still: its total has not fallen, the target's has not risen, and equal totals go by what has not changed
 * or is worse for the target. Naming all other rivals adds boosts to rivals alone, so whoever could win later still
 * can. So every run of any world is matched, tick by tick, by a run of this one with the same speakers. The `free`
 * world takes nothing of this for granted and is explored where it is small enough.
 */
import type { Books } from './arbiter.ts';
import type { ToArbiter } from './protocol.ts';
import { claim, type Floor } from './rules/floor.ts';
import { silentTicks } from './rules/silence.ts';
import type { PublicTable } from './rules/views.ts';
import { longestSilence, type Weights, worstSpread } from './rules/weights.ts';
import type { Bid, BySeat, Colour, Die } from './types.ts';

/** Against whom, by whom, and how much of the world is tried. */
export type Plot = {
  /** Everybody living, the target included. */
  readonly seated: readonly Colour[];
  readonly target: Colour;
  readonly weights: Weights;
  readonly world: 'worst' | 'free';
  /** What the target has to say; blank for somebody who never has anything to say (ruling 9). */
  readonly message: string;
  /**
   * Does not tell one rival of the worst world from another. There are fewer states then, and a loop closes as soon as
   * the rivals have exchanged their places.
   */
  readonly alike: boolean;
};

/** Where the arbiter is, and its books. */
export type Situation = { readonly at: string; readonly context: Books };

/** What may come next: a tick is opened, or its bids are in. */
export function conspiracy(plot: Plot): (situation: Situation) => readonly ToArbiter[] {
  const open = openings(plot);
  const gather = plot.world === 'worst' ? worstTicks(plot) : freeTicks(plot);
  return ({ at, context }) => {
    if (at === 'idle') return open;
    const { tick } = context.floor;
    return gather.map((gathered) => ({ ...gathered, type: 'bids.gathered', tick }));
  };
}

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
      const { justSpoke } = claim(floor, seat, false);
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
export function mostSilent({ weights, seated }: Plot): number {
  const bound = longestSilence(weights, seated.length);
  if (Number.isFinite(bound)) return bound;
  return longestSilence({ ...weights, silence: { ...weights.silence, cap: null } }, seated.length);
}

/** How long the target has been silent when the next tick is opened. */
export function silenceOf({ context }: Pick<Situation, 'context'>, target: Colour): number {
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
      holds: ({ context }: Situation) => claim(latest(context), target, false).justSpoke,
    },
    {
      name: 'never-stuck',
      sentence: 'The arbiter never waits for what cannot come.',
      kind: 'deadlock-free',
    },
  ] as const;
}

type Gathered = Omit<Extract<ToArbiter, { type: 'bids.gathered' }>, 'type' | 'tick'>;

/** The books as the next tick finds them. */
function latest({ floor, pending }: Books): Floor {
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

function openings({ seated, target, world }: Plot): readonly ToArbiter[] {
  const table: PublicTable = {
    occasion: 'discussion',
    rules: 'house',
    seats: seated.map((colour) => ({ colour, standing: 'living', voted: false })),
    call: { by: target, kind: 'button', body: null, place: null },
    votesOpen: true,
    confirmEjects: true,
    told: null,
  };
  const voted = world === 'worst' ? [[target]] : [[], [target], seated];
  return voted.map((some) => ({ type: 'tick.opened', table, seats: seated, voted: some }));
}

/** Each rival in turn bids alone against the target, and once nobody does. */
function worstTicks({ seated, target, message }: Plot): readonly Gathered[] {
  const rivals = seated.filter((seat) => seat !== target);
  return [null, ...rivals].map((rival) => ({
    bids: seated.map((seat) => {
      if (seat === target) return bid(seat, { desire: 0, message });
      const others = rivals.filter((other) => other !== rival);
      return seat === rival ? bid(seat, { desire: 10, message: accusing(others) }) : nothing(seat);
    }),
    dice: Object.fromEntries(seated.map((seat) => [seat, seat === target ? LEAST : MOST])),
  }));
}

/**
 * Everybody at either end of desire and die or, but for the target, silent; the winner accuses nobody, all
 * rivals, or everybody. */
function freeTicks({ seated, target }: Plot): readonly Gathered[] {
  const strengths = seated.map((seat) => (seat === target ? LOUDNESS : ['none', ...LOUDNESS]));
  const rivals = seated.filter((seat) => seat !== target);
  return [[], rivals, seated].flatMap((named) =>
    product(strengths).flatMap((loudness) =>
      [1, -1].map((direction) => freeTick(seated, loudness, accusing(named), direction)),
    ),
  );
}

const LOUDNESS = ['low', 'high'] as const;
type Loudness = 'none' | (typeof LOUDNESS)[number];

function freeTick(
  seated: readonly Colour[],
  loudness: readonly string[],
  message: string,
  direction: number,
): Gathered {
  const isHigh = (index: number) => loudness[index] === ('high' satisfies Loudness);
  const dice: Partial<Record<Colour, Die>> = {};
  for (const [index, seat] of seated.entries()) {
    dice[seat] = { face: isHigh(index) ? 6 : 1, draw: seated.length + direction * index };
  }
  return {
    bids: seated.map((seat, index) =>
      loudness[index] === ('none' satisfies Loudness)
        ? nothing(seat)
        : bid(seat, { desire: isHigh(index) ? 10 : 0, message }),
    ),
    dice: dice satisfies BySeat<Die>,
  };
}

const LEAST: Die = { face: 1, draw: 0 };
const MOST: Die = { face: 6, draw: 1 };

/** Names these players and accuses them; without any it says something that concerns nobody. */
function accusing(named: readonly Colour[]): string {
  return named.length === 0 ? 'hm' : `${named.join(' ')} sus`;
}

/** A fault, and not a blank bid: that could win the floor for somebody who is called on. */
function nothing(seat: Colour): Bid {
  return { type: 'fault', seat, code: 'mind/silent', text: 'nothing' };
}

function bid(seat: Colour, { desire, message }: { desire: number; message: string }): Bid {
  const reply = { thought: '', desire, message, target: null, vote: null, pads: {}, notes: [] };
  return { type: 'reply', seat, received: null, reply };
}

function product<T>(choices: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return choices.reduce<readonly (readonly T[])[]>(
    (rows, options) => rows.flatMap((row) => options.map((option) => [...row, option])),
    [[]],
  );
}
