/** The arbiter through a few ticks of every kind. `arbiter.ts` checks silence and preferred seats. */

import type { Model, State } from 'glass-box-checker';
import {
  type ArbiterBooks,
  type ArbiterInput,
  arbiterMachine,
} from '../../machines/charts/arbiter.ts';
import type { ToArbiter } from '../../machines/messages.ts';
import { defaultOptions, type MeetingOptions } from '../../machines/rules/options.ts';
import { LATE, LEFT } from '../../machines/rules/tick.ts';
import { mapWeights } from '../../machines/rules/weights.ts';
import type { Bid, BySeat, Colour, Die, RequestKind } from '../../machines/types.ts';
import { arbiterProperties } from '../properties/arbiter.ts';
import { combineChoices, faultOf, replyOf } from './closings.ts';
import { emittingArbiter } from './meetingSystem.ts';
import { type SeatsOfTable, showTable } from './shownTable.ts';

const [ONE, OTHER, GHOST] = ['red', 'blue', 'green'] as const satisfies readonly Colour[];
const BOTH = [ONE, OTHER] as const;

const DEFAULTS = defaultOptions(BOTH.length);

const ARBITER_SEATS: SeatsOfTable = { seated: BOTH, dead: [GHOST] };

type FloorOptions = Pick<
  MeetingOptions,
  'nudgeAfter' | 'nudgeEvery' | 'tokenTarget' | 'messageTokens' | 'deadlineMs' | 'weights'
>;

/** Both extremes of these options, and a transcript that becomes long before there are many ticks. */
export const FLOOR_OPTIONS: Readonly<Record<string, FloorOptions>> = {
  'every option of the floor at its least': {
    nudgeAfter: 1,
    nudgeEvery: 1,
    tokenTarget: 100,
    messageTokens: 8,
    deadlineMs: 1,
    weights: { ...mapWeights(() => 0), silence: { slope: 0, grace: 0, cap: null } },
  },
  'every option of the floor at its most': {
    nudgeAfter: 10_000,
    nudgeEvery: 10_000,
    tokenTarget: 1_000_000,
    messageTokens: 4_000,
    deadlineMs: 3_600_000,
    weights: { ...mapWeights(() => 100), silence: { slope: 100, grace: 100, cap: 100 } },
  },
  'players who are called on at once': {
    ...DEFAULTS,
    nudgeAfter: 10_000,
    nudgeEvery: 2,
    tokenTarget: 100,
    weights: { ...DEFAULTS.weights, silence: { slope: 50, grace: 0, cap: null } },
  },
  'a silence that just reaches the most that a rival can have': {
    ...DEFAULTS,
    weights: { ...mapWeights(() => 0), silence: { slope: 15, grace: 0, cap: null } },
  },
};

/** Two ticks may close, and a third may open. */
const LAST_TICK = 2;

type ArbiterTicks = Model<ArbiterBooks, ToArbiter> & {
  readonly input: ArbiterInput;
  readonly table: SeatsOfTable;
};

export function arbiterTicksModel(
  [about, options]: readonly [about: string, options: Partial<FloorOptions>],
  machine: typeof arbiterMachine = arbiterMachine,
  { table, world }: Pick<ArbiterTicks, 'table' | 'world'> = ANY_TICKS,
): ArbiterTicks {
  const input = {
    chance: { seed: 1, meeting: 0 },
    options: { ...DEFAULTS, ...options },
    seated: [...table.seated, ...table.dead],
  };
  return {
    name: `the arbiter, ${about}`,
    machine: emittingArbiter(machine),
    input,
    table,
    world,
    properties: arbiterProperties,
  };
}

/** After two ticks with one speaker or none, any of four players bid the same, whoever has voted. */
export function arbiterTiesModel(machine: typeof arbiterMachine = arbiterMachine): ArbiterTicks {
  const weights = { ...mapWeights(() => 0), silence: { slope: 0, grace: 0, cap: null } };
  return arbiterTicksModel(['equal bids of up to four', { weights }], machine, TIES);
}

const FOUR = ['red', 'blue', 'green', 'pink'] as const satisfies readonly Colour[];
const ANY_OF_FOUR = combineChoices<Colour | null>(FOUR.map((seat) => [seat, null])).map((some) =>
  some.filter((seat) => seat !== null),
);
const DRAWS = [FOUR, FOUR.toReversed()].map(
  (order): BySeat<Die> => Object.fromEntries(order.map((seat, draw) => [seat, { face: 3, draw }])),
);

const TIES: Pick<ArbiterTicks, 'table' | 'world'> = {
  table: { seated: FOUR, dead: [] },
  world: ({ at, context: { floor, pending } }) => {
    const { tick } = at === 'idle' ? (pending ?? floor) : floor;
    if (tick > LAST_TICK) return [];
    const isLast = tick === LAST_TICK;
    if (at === 'idle')
      return (isLast ? ANY_OF_FOUR : [[]]).map((voted) => open('discussion', FOUR, voted));
    const speakers = isLast ? ANY_OF_FOUR : [[], [ONE], [OTHER]];
    return speakers.flatMap((some) =>
      DRAWS.map((dice) => {
        const bids = FOUR.map((seat) => speaking(seat, some.includes(seat) ? 'hm' : ''));
        return gather(tick, FOUR, bids, dice);
      }),
    );
  },
};

function listArbiterEvents({ at, context }: State<ArbiterBooks>): readonly ToArbiter[] {
  const { floor, pending, opened } = context;
  const leaver: ToArbiter = { type: 'seat.vacated', seat: OTHER };
  const abandoned: ToArbiter = { type: 'tick.abandoned' };
  if (at === 'idle') {
    const { tick } = pending ?? floor;
    const openings = tick < LAST_TICK ? OPENINGS : tick === LAST_TICK ? OPENINGS.slice(0, 1) : [];
    const stale = gather(floor.tick, BOTH, [speaking(ONE, 'hm'), speaking(OTHER, 'hm')], EVEN);
    return [...openings, leaver, ...(pending === null ? [] : [abandoned, stale])];
  }
  const seats = opened?.seats ?? [];
  const { tick } = floor;
  const gathered = tick < LAST_TICK ? TICKS : TICKS.slice(0, 1);
  return [
    ...(at === 'asking' ? [{ type: 'bids.outstanding' } as const] : []),
    ...gathered.map(({ bids, dice }) => gather(tick, seats, bids, dice)),
    ...TICKS.slice(0, 1).map(({ bids, dice }) => gather(tick + 1, seats, bids, dice)),
    leaver,
    abandoned,
  ];
}

function gather(
  tick: number,
  seats: readonly Colour[],
  bids: readonly Bid[],
  dice: BySeat<Die>,
): ToArbiter {
  const own = bids.filter(({ seat }) => seats.includes(seat));
  return { type: 'bids.gathered', tick, bids: own, dice };
}

function open(
  requestKind: RequestKind,
  seats: readonly Colour[],
  voted: readonly Colour[],
): ToArbiter {
  return { type: 'tick.opened', table: { ...TABLE, requestKind }, seats, voted };
}

const ANY_TICKS = { table: ARBITER_SEATS, world: listArbiterEvents };

const TABLE = showTable(ARBITER_SEATS);

const OPENINGS: readonly ToArbiter[] = [
  open('discussion', BOTH, []),
  open('voting', BOTH, [ONE]),
  open('discussion', [OTHER], []),
  open('reaction', BOTH, [ONE]),
  open('consolidation', BOTH, BOTH),
];

function speaking(seat: Colour, message: string, target: Colour | null = null): Bid {
  return replyOf(seat, { desire: 5, message, target });
}

const EVEN: BySeat<Die> = { [ONE]: { face: 3, draw: 1 }, [OTHER]: { face: 3, draw: 2 } };
const UNEVEN: BySeat<Die> = { [ONE]: { face: 6, draw: 2 }, [OTHER]: { face: 1, draw: 1 } };

/** Longer than the least `messageTokens` and than the smallest transcript limit. */
const LONG = `${ONE} sus, ${'and they know it '.repeat(20)}`;

const TICKS: readonly { readonly bids: readonly Bid[]; readonly dice: BySeat<Die> }[] = [
  {
    bids: [
      speaking(ONE, `the ${OTHER}s? no. ${OTHER}'s Blue, and ${ONE} VENTED; bluest`),
      speaking(OTHER, `sus. the ${ONE} was with ${GHOST}; lies?`),
    ],
    dice: UNEVEN,
  },
  { bids: [speaking(ONE, 'hm', ONE), speaking(OTHER, 'hm')], dice: EVEN },
  { bids: [replyOf(ONE, { message: ' ', target: OTHER }), replyOf(OTHER, {})], dice: UNEVEN },
  { bids: [faultOf(ONE, LATE), speaking(OTHER, LONG, ONE)], dice: UNEVEN },
  { bids: [speaking(ONE, 'you?', OTHER), faultOf(OTHER, LEFT)], dice: EVEN },
];
