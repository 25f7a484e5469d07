/**
 * Conspiracy: the world of the arbiter in which everybody tries to keep one player from the floor.
 *
 * The arbiter decides; the conspiracy only fills in votes, bids and dice. In the `worst` world each tick has
 * one rival at most who bids, with everything on that rival's side, and everything against the target. No other play
 * keeps the target silent longer: take any tick that a rival wins. With the target at the least desire, face and
 * draw and with a ballot locked, that rival at the most of each and without one, and everybody else silent, the same
 * rival wins still: its total has not fallen, the target's has not risen, and equal totals go by what has not changed
 * or is worse for the target. Whoever speaks names all rivals, which adds boosts to rivals alone, so whoever could win
 * later still can. So every run of any world is matched, tick by tick, by a run of this one with the same speakers. The `free`
 * world takes nothing of this for granted and is explored where it is small enough.
 */
import type { ToArbiter } from '../../machines/messages.ts';
import type { PublicTable } from '../../machines/rules/views.ts';
import type { Bid, BySeat, Colour, Die } from '../../machines/types.ts';
import type { Plot, Situation } from './starvation.ts';

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

type Gathered = Omit<Extract<ToArbiter, { type: 'bids.gathered' }>, 'type' | 'tick'>;

function openings({ seated, target, world }: Plot): readonly ToArbiter[] {
  const table: PublicTable = {
    occasion: 'discussion',
    rules: 'house',
    seats: seated.map((colour) => ({ colour, standing: 'living', voted: false })),
    call: { by: target, kind: 'button', body: null, place: null },
    votesOpen: true,
    confirmEjects: true,
    announced: null,
  };
  const voted = world === 'worst' ? [[target]] : [[], [target], seated];
  return voted.map((some) => ({ type: 'tick.opened', table, seats: seated, voted: some }));
}

/** Each rival in turn bids alone against the target, and once nobody does. */
function worstTicks({ seated, target, isMute }: Plot): readonly Gathered[] {
  const rivals = seated.filter((seat) => seat !== target);
  const own = isMute ? '' : accusing(rivals);
  return [null, ...rivals].map((rival) => ({
    bids: seated.map((seat) => {
      if (seat === target) return bid(seat, { desire: 0, message: own });
      const others = rivals.filter((other) => other !== rival);
      return seat === rival ? bid(seat, { desire: 10, message: accusing(others) }) : nothing(seat);
    }),
    dice: Object.fromEntries(seated.map((seat) => [seat, seat === target ? LEAST : MOST])),
  }));
}

/**
 * Everybody at either end of desire and die or, but for the target, silent; the winner accuses nobody, all rivals, or
 * everybody.
 */
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
