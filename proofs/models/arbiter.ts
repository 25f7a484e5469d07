/**
 * The arbiter alone, against an adversary who plays all other players. It proves the longest time that the adversary
 * can keep a player silent, and that no seat is preferred. The arbiter decides. The adversary chooses votes, bids and
 * dice. In the `worst` world at most one rival bids in each tick, with every term in the rival's favour and against the
 * target. No other play keeps the target silent longer. Take any tick that a rival wins. Give the target the least
 * desire, face and draw and a locked ballot, give that rival the most of each and no ballot, and silence all others.
 * The rival still wins: its total has not fallen, the target's has not risen, and the tie breaks have not improved for
 * the target. Each speaker names all rivals, which adds boosts only to rivals, so every later winner still wins. So a
 * run of this world with the same speakers matches each run of any other. The `free` world assumes none of this and is
 * explored where it is small enough.
 */

import type { MachinePoint, MachineStep, MachineStepper } from 'glass-box-checker';
import type { AnyStateMachine } from 'xstate';
import { type ArbiterBooks, arbiterMachine } from '../../machines/charts/arbiter.ts';
import type { ToArbiter } from '../../machines/messages.ts';
import { type Floor, stanceOf } from '../../machines/rules/floor.ts';
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import { defaultOptions } from '../../machines/rules/options.ts';
import { ticksUntilHeard } from '../../machines/rules/promises.ts';
import {
  defaultWeights,
  longestSilence,
  silentTicks,
  type Weights,
  worstSpread,
} from '../../machines/rules/weights.ts';
import { type Bid, COLOURS, type Colour, type Die, type Standing } from '../../machines/types.ts';
import { combineChoices, faultOf, replyOf } from './closings.ts';
import { rememberLast } from './rememberLast.ts';
import { seatAll, showTable } from './shownTable.ts';

export type Adversary = {
  /** All living players, including the target. */
  readonly seated: readonly Colour[];
  readonly target: Colour;
  /** Players who are dead from the start. They keep their seats but are never asked. */
  readonly dead: readonly Colour[];
  readonly weights: Weights;
  readonly world: 'worst' | 'free';
  /** In the worst world the target may vote at any time. Otherwise its ballot is locked from the start. */
  readonly mayVote: boolean;
  /** Treats the rivals of the worst world as interchangeable: fewer states, and shorter loops. */
  readonly alike: boolean;
};

type ArbiterPosition = { readonly at: string; readonly context: ArbiterBooks };

/**
 * The data that decides future ticks: each player's silence, the last speaker, the active boosts
 * with their ages, and who has voted. Only gaps between silences count, and beyond some gap the
 * longer silence always wins, so gaps are cut there. The target's own silence is kept as far as the
 * property reads it. Transcript, tokens, nudges and the tick number have no effect.
 */
function decisiveView(adversary: Adversary): (situation: ArbiterPosition) => unknown {
  const { seated, weights, target } = adversary;
  const enough = Math.max(longestSilenceOf(adversary), lateSilenceOf(adversary)) + 1;
  return ({ context }) => {
    const floor = latestFloor(context);
    const silences = seated.map((seat) => silentTicks(floor.tick, floor.lastSpoke[seat]));
    const cut = cutGaps(silences, weights);
    const stances = seated.map((seat, index) => {
      const { justSpoke } = stanceOf(floor, seat, false);
      const ages = [boostAge(floor, seat, 'mention'), boostAge(floor, seat, 'accusation')];
      return [cut[index] ?? 0, justSpoke, ...ages].join();
    });
    const [own = ''] = stances.splice(seated.indexOf(target), 1);
    return [
      own,
      adversary.alike ? stances.sort() : stances,
      Math.min(silenceOf({ context }, target), enough),
      context.opened?.voted ?? null,
    ];
  };
}

/** W for this adversary. If a player can be starved, the W without the ceiling of the boost. */
export function longestSilenceOf({ weights, seated }: Adversary): number {
  const bound = longestSilence(weights, seated.length);
  if (Number.isFinite(bound)) return bound;
  return longestSilence({ ...weights, silence: { ...weights.silence, cap: null } }, seated.length);
}

/** 3N − 1 for N living players, whatever the number of seats, by the weights of a game (rulings 11 and 47). */
const lateSilenceOf = ({ seated }: Adversary) => 3 * seated.length - 1;

/** The target's silence when the next tick opens. */
export function silenceOf({ context }: Pick<ArbiterPosition, 'context'>, target: Colour): number {
  const floor = latestFloor(context);
  return silentTicks(floor.tick, floor.lastSpoke[target]);
}

function listArbiterProperties(adversary: Adversary) {
  const { seated, dead, target } = adversary;
  const most = longestSilenceOf(adversary);
  const late = lateSilenceOf(adversary);
  return [
    heardAsPromised(adversary),
    {
      name: BOUND,
      sentence: `No player who bids at every tick is silent for more than ${most} ticks.`,
      kind: 'always',
      holds: (situation: ArbiterPosition) => silenceOf(situation, target) <= most,
    },
    {
      name: LATE_BOUND,
      sentence: `In a game of ${seated.length + dead.length} with ${seated.length} living players, no player who bids at every tick is silent for more than 3N − 1 = ${late} ticks, by the default weights.`,
      kind: 'always',
      holds: (situation: ArbiterPosition) => silenceOf(situation, target) <= late,
    },
  ] as const;
}

/** By induction every promise is kept: it falls with each tick that another player wins, and nothing raises it. */
function heardAsPromised({ target, seated, weights }: Adversary) {
  const wait = ({ at, context }: ArbiterPosition) => {
    // Between ticks the target may still vote before the next one.
    const voted = at === 'idle' ? [target] : (context.opened?.voted ?? []);
    return ticksUntilHeard({ floor: latestFloor(context), living: seated, voted, weights }, target);
  };
  const waitBefore = rememberLast(wait);
  return {
    name: HEARD,
    sentence: 'A player who bids at every tick has the floor within the promised number of ticks.',
    kind: 'step',
    holds: ({ before, event, after }: MachineStep<ArbiterBooks, ToArbiter>) => {
      const isTick = event.type === 'bids.gathered';
      const isHeard = isTick && stanceOf(latestFloor(after.context), target, false).justSpoke;
      return isHeard || wait(after) <= waitBefore(before) - Number(isTick);
    },
  } as const;
}

export const BOUND = 'silent-at-most-w';
export const LATE_BOUND = 'silent-at-most-3n-1';
export const HEARD = 'heard-as-promised';

export function latestFloor({ floor, pending }: ArbiterBooks): Floor {
  return pending ?? floor;
}

/** Cuts gaps beyond the grace where the longer silence wins whatever the other terms are. */
function cutGaps(silences: readonly number[], weights: Weights): readonly number[] {
  const { slope, grace } = weights.silence;
  const widest = Math.ceil((worstSpread(weights) + weights.recentSpeaker) / Math.max(1, slope)) + 1;
  const steps = [...new Set(silences)].sort((one, other) => one - other);
  const cut = new Map<number, number>();
  let below = grace;
  let level = grace;
  for (const silence of steps) {
    level += Math.min(Math.max(0, silence - below), widest);
    below = Math.max(grace, silence);
    cut.set(silence, Math.min(silence, level));
  }
  return silences.map((silence) => cut.get(silence) ?? 0);
}

/** Messages since the last one that boosts this seat, or null without an active boost. */
function boostAge(floor: Floor, seat: Colour, kind: 'mention' | 'accusation'): number | null {
  const since = floor.lastSpoke[seat] ?? -1;
  const newest = floor.heard.findLastIndex(
    ({ tick: t, hits }) => t > since && hits.some((hit) => hit.seat === seat && hit.kind === kind),
  );
  return newest < 0 ? null : floor.heard.length - 1 - newest;
}

function adversaryEvents(adversary: Adversary) {
  const open = listOpenings(adversary);
  const gather = adversary.world === 'worst' ? listWorstTicks(adversary) : listFreeTicks(adversary);
  return ({ at, context }: ArbiterPosition): readonly ToArbiter[] => {
    if (at === 'idle') return open;
    const { tick } = context.floor;
    return gather.map((gathered) => ({ ...gathered, type: 'bids.gathered', tick }));
  };
}

type AdversaryTick = Omit<Extract<ToArbiter, { type: 'bids.gathered' }>, 'type' | 'tick'>;

function listOpenings(adversary: Adversary): readonly ToArbiter[] {
  const { seated, dead, target, world, mayVote } = adversary;
  const table = showTable({ seated, dead });
  const voted = world === 'free' ? [[], [target], seated] : mayVote ? [[], [target]] : [[target]];
  return voted.map((some) => ({ type: 'tick.opened', table, seats: seated, voted: some }));
}

/** One tick without bidding rivals, and one for each rival who bids alone against the target. */
function listWorstTicks({ seated, target }: Adversary): readonly AdversaryTick[] {
  const rivals = seated.filter((seat) => seat !== target);
  return [null, ...rivals].map((rival) => ({
    bids: seated.map((seat) => {
      if (seat === target) return replyOf(seat, { message: accuse(rivals) });
      const others = rivals.filter((other) => other !== rival);
      return seat === rival
        ? replyOf(seat, { desire: 10, message: accuse(others) })
        : silentFault(seat);
    }),
    dice: Object.fromEntries(seated.map((seat) => [seat, seat === target ? LEAST : MOST])),
  }));
}

/** The least or greatest desire and die. All but the target may be silent. The winner accuses nobody, rivals or all. */
function listFreeTicks({ seated, target }: Adversary): readonly AdversaryTick[] {
  const strengths = seated.map((seat): readonly Loudness[] =>
    seat === target ? ['low', 'high'] : ['none', 'low', 'high'],
  );
  const rivals = seated.filter((seat) => seat !== target);
  return [[], rivals, seated].flatMap((named) =>
    combineChoices(strengths).flatMap((loudness) =>
      [1, -1].map((direction) => freeTick(seated, loudness, accuse(named), direction)),
    ),
  );
}

type Loudness = 'none' | 'low' | 'high';

function freeTick(
  seated: readonly Colour[],
  loudness: readonly Loudness[],
  message: string,
  direction: number,
): AdversaryTick {
  const isHigh = (index: number) => loudness[index] === 'high';
  const draw = (index: number) => seated.length + direction * index;
  return {
    bids: seated.map((seat, index) =>
      loudness[index] === 'none'
        ? silentFault(seat)
        : replyOf(seat, { desire: isHigh(index) ? 10 : 0, message }),
    ),
    dice: Object.fromEntries(
      seated.map((seat, index) => [seat, { face: isHigh(index) ? 6 : 1, draw: draw(index) }]),
    ),
  };
}

const LEAST: Die = { face: 1, draw: 0 };
const MOST: Die = { face: 6, draw: 1 };

function accuse(named: readonly Colour[]): string {
  return named.length === 0 ? 'hm' : `${named.join(' ')} sus`;
}

/** A fault, because a blank bid could win the floor for a player who is called on. */
const silentFault = (seat: Colour) => faultOf(seat, 'mind/silent', 'nothing');

export function createAdversary(players: number, adversary: Partial<Adversary> = {}): Adversary {
  const seated = COLOURS.slice(0, players);
  return {
    seated,
    target: seated.at(-1) ?? 'red',
    dead: [],
    weights: defaultWeights(players),
    world: 'worst',
    mayVote: false,
    alike: adversary.world !== 'free',
    ...adversary,
  };
}

/** In a late meeting the others are dead, and the game sets the weights. */
export function lateAdversary({ seats, standings, options }: MeetingSetup): Adversary {
  const those = (standing: Standing) =>
    seats.flatMap(({ colour }) => (standings[colour] === standing ? [colour] : []));
  const seated = those('living');
  const { weights } = options;
  return createAdversary(seated.length, {
    ...{ seated, dead: those('dead'), weights, target: seated.at(-1) ?? 'red' },
  });
}

export function arbiterModel(adversary: Adversary, machine: AnyStateMachine = arbiterMachine) {
  const { seated, weights } = adversary;
  const all = seatAll(adversary);
  const beside = all.length > seated.length ? ` living of ${all.length}` : '';
  return {
    name: `the arbiter among ${seated.length}${beside}`,
    machine,
    input: {
      chance: { seed: 1, meeting: 0 },
      options: { ...defaultOptions(3), weights },
      seated: all,
    },
    world: adversaryEvents(adversary),
    properties: listArbiterProperties(adversary),
    view: decisiveView(adversary),
  };
}

const EXCHANGED: Readonly<Record<string, string>> = { red: 'blue', blue: 'red' };

/** Exchanges red and blue in names, keys and messages. */
function swapSeats<T>(value: T): T {
  const text = JSON.stringify(value).replace(/\b(red|blue)\b/g, (name) => EXCHANGED[name] ?? name);
  return JSON.parse(text); // of the same type: colours became colours
}

function swapEvent(event: ToArbiter): ToArbiter {
  const other = swapSeats(event);
  const order = ({ seat }: Bid) => COLOURS.indexOf(seat);
  if (other.type !== 'bids.gathered') return other;
  return { ...other, bids: other.bids.toSorted((one, two) => order(one) - order(two)) };
}

type SwapSide = { readonly point: MachinePoint<ArbiterBooks>; readonly isSwapped: boolean };

function lastSpeaker({ context }: MachinePoint<ArbiterBooks>): Colour | null {
  const said = context.pending?.transcript.at(-1);
  return COLOURS.find((colour) => colour === said?.speaker) ?? null;
}

/** Skips events with names or votes, which would only add ticks of the same kind. */
function isPlain(event: ToArbiter): boolean {
  if (event.type === 'tick.opened') return event.voted.length === 0;
  return event.type !== 'bids.gathered' || !JSON.stringify(event.bids).includes('sus');
}

/** Two arbiters get the same bids, one with two seats exchanged. It detects ties that are broken by seat. */
export function seatSwap(stepper: MachineStepper<ArbiterBooks, ToArbiter>, adversary: Adversary) {
  const { point } = stepper.initial();
  const world = adversaryEvents(adversary);
  const view = decisiveView(adversary);
  const situation = ({ point: { place, context } }: SwapSide) => ({ at: place.name, context });
  const first = (isSwapped: boolean) => ({ state: { point, isSwapped }, seen: [] });
  return {
    name: 'no-seat-is-preferred',
    sentence: 'When two seats are exchanged, the floor goes to the exchanged player.',
    starts: [[first(false), first(true)]] as const,
    inputs: (left: SwapSide) =>
      world(situation(left))
        .filter(isPlain)
        .map((event) => ({ left: event, right: swapEvent(event) })),
    step: ({ point: before, isSwapped }: SwapSide, event: ToArbiter) => {
      const after = stepper.step(before, event).point;
      const has = lastSpeaker(after);
      return {
        state: { point: after, isSwapped },
        seen: [isSwapped && has !== null ? swapSeats(has) : has],
      };
    },
    look: ({ point: { place } }: SwapSide) => place.name,
    whole: (side: SwapSide) => [side.isSwapped, side.point.place.name, view(situation(side))],
  };
}
