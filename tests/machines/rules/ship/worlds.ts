import { expect } from 'vitest';
import {
  defaultGameOptions,
  defaultOptions,
  type GameOptions,
} from '../../../../machines/rules/options.ts';
import { SKELD } from '../../../../machines/rules/ship/map.ts';
import type { Intent, IntentType, Order } from '../../../../machines/rules/ship/orders.ts';
import { type ResolvedRound, resolveRound } from '../../../../machines/rules/ship/round.ts';
import type { Task, TaskId } from '../../../../machines/rules/ship/tasks.ts';
import {
  type Crisis,
  createWorld,
  type PlayerState,
  type World,
} from '../../../../machines/rules/ship/world.ts';
import {
  type BySeat,
  COLOURS,
  type Colour,
  type Place,
  type Room,
  type RuleSet,
  type ShipMap,
  type Standing,
  type System,
} from '../../../../machines/types.ts';

/** Red is the impostor of these, unless a test says otherwise. */
export const CREW = ['red', 'blue', 'green', 'pink', 'orange'] as const satisfies readonly Colour[];

/** An intent in words. */
export type IntentText =
  | `go ${Place}`
  | `fix ${Room}`
  | `shut ${Room}`
  | `${'task' | 'fake'} ${TaskId}`
  | `${'kill' | 'report'} ${Colour}`
  | `sabotage ${System}`
  | `${'vent' | 'wait'} ${number}`
  | `follow ${Colour} ${number}`
  | `watch ${'cameras' | 'admin'} ${number}`
  | 'surface'
  | 'button';

/** The field of an intent that its second word or words fill. */
const FIELDS: Readonly<Partial<Record<IntentType, string>>> = {
  ...{ go: 'to', fix: 'at', shut: 'room', task: 'task', fake: 'task', kill: 'whom' },
  ...{
    report: 'body',
    sabotage: 'system',
    vent: 'to',
    wait: 'rounds',
    follow: 'whom',
    watch: 'what',
  },
};

function readIntent(text: IntentText): Intent {
  const { type, what, count } =
    /^(?<type>\w+)(?: (?<what>\D.*?))?(?: (?<count>\d+))?$/.exec(text)?.groups ?? {};
  const field = FIELDS[type as IntentType] ?? 'none'; // of the type above
  const number =
    count === undefined ? {} : { [what === undefined ? field : 'rounds']: Number(count) };
  return { type, ...(what === undefined ? {} : { [field]: what }), ...number } as Intent;
}

export type PlayerPart = Partial<Omit<PlayerState, 'intent'>> & {
  readonly intent?: IntentText | null;
};

export type Wanted = {
  readonly seats?: readonly Colour[];
  readonly impostors?: readonly Colour[];
  readonly rules?: RuleSet;
  readonly options?: Partial<GameOptions>;
  readonly patience?: number;
  readonly areFaultsLost?: boolean;
  readonly map?: ShipMap;
  /** Where players are; the others are at the button. */
  readonly at?: BySeat<Place>;
  readonly players?: BySeat<PlayerPart>;
  readonly tasks?: BySeat<readonly Task[]>;
  readonly standings?: BySeat<Standing>;
  readonly crisis?: Partial<Crisis> & Pick<Crisis, 'system'>;
  readonly world?: Partial<World>;
};

export function aWorld(wanted: Wanted = {}): World {
  const { seats = CREW, impostors = ['red'], rules = 'house', map = SKELD, crisis = null } = wanted;
  const base = createWorld({
    map,
    options: { ...defaultGameOptions(seats.length, rules), ...wanted.options },
    meeting: { ...defaultOptions(seats.length), rules, patience: wanted.patience ?? 3 },
    computed: ['slope', 'grace'],
    areFaultsLost: wanted.areFaultsLost === true,
    seats: COLOURS.filter((colour) => seats.includes(colour)).map((colour) => ({
      colour,
      role: impostors.includes(colour) ? 'impostor' : 'crewmate',
    })),
    tasks: { ...Object.fromEntries(seats.map((seat) => [seat, [A_TASK]])), ...wanted.tasks },
  });
  const players = seats.map((seat) => {
    const place = wanted.at?.[seat] ?? map.button;
    const { intent, ...state } = wanted.players?.[seat] ?? {};
    const pursued = typeof intent === 'string' ? { intent: readIntent(intent) } : {};
    return [seat, { ...base.players[seat], killWait: 0, place, ...state, ...pursued }] as const;
  });
  return {
    ...base,
    players: Object.fromEntries(players) as World['players'], // every field is in the base
    standings: { ...base.standings, ...wanted.standings },
    crisis: crisis === null ? null : { left: null, done: [], held: 0, ...crisis },
    sabotageWait: 0,
    buttonWait: 0,
    ...wanted.world,
  };
}

/** Two rounds in Admin: long enough to be interrupted, without company. */
const A_TASK: Task = aTask({ steps: [{ place: 'Admin', rounds: 2 }] });

export function aTask(task: Partial<Task> = {}): Task {
  return {
    id: 'swipe-card',
    name: 'Swipe Card',
    kind: 'common',
    visual: false,
    steps: [{ place: 'Admin', rounds: 2 }],
    ...task,
  };
}

/** What players hand in: an intent, nothing new, or a fault with this code. */
export type Orders = BySeat<IntentText | 'on' | { readonly fault: string }>;

export function ordersOf(orders: Orders): readonly Order[] {
  return COLOURS.flatMap((seat): readonly Order[] => {
    const given = orders[seat];
    if (given === undefined) return [];
    if (typeof given !== 'string') {
      return [{ type: 'fault', seat, code: given.fault, text: 'nothing came' }];
    }
    const intent = given === 'on' ? null : readIntent(given);
    const decision = { thought: '', intent, pads: {}, notes: [] };
    return [{ type: 'order', seat, received: {}, decision }];
  });
}

export function playRound(
  world: World,
  orders: Orders = {},
  draws: BySeat<number> = {},
): ResolvedRound {
  return resolveRound(world, ordersOf(orders), draws);
}

export function rounds(world: World, ...each: readonly Orders[]): readonly ResolvedRound[] {
  const played: ResolvedRound[] = [];
  for (const orders of each) played.push(playRound(played.at(-1)?.world ?? world, orders));
  return played;
}

export function later(world: World, count: number, orders: Orders = {}): ResolvedRound {
  const played = rounds(world, orders, ...Array.from({ length: count - 1 }, () => ({})));
  return played.at(-1) ?? expect.fail('no round was played');
}

export function eventsOf<T extends ResolvedRound['events'][number]['type']>(
  { events }: ResolvedRound,
  type: T,
): readonly Extract<ResolvedRound['events'][number], { type: T }>[] {
  return events.filter(
    (event): event is Extract<ResolvedRound['events'][number], { type: T }> => event.type === type,
  );
}

export function refusal(round: ResolvedRound, seat: Colour): string | null {
  return eventsOf(round, 'intent.refused').find((event) => event.seat === seat)?.note.code ?? null;
}

export function victims(round: ResolvedRound): readonly Colour[] {
  return eventsOf(round, 'player.killed').map(({ victim }) => victim);
}

export function placeOf({ world }: ResolvedRound, seat: Colour): Place | undefined {
  return world.players[seat]?.place;
}

/** What one player saw of another: "task in Admin". */
export function seenOf({ seen }: ResolvedRound, seat: Colour, who: Colour): readonly string[] {
  return (seen[seat] ?? [])
    .filter((sight) => sight.who === who)
    .map(({ did, place }) => `${did} in ${place}`);
}
