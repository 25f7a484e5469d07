/**
 * What holds from a state of a meeting on, whatever players, chance and operator do. Viewers see these promises, and
 * `proofs/properties/promises.ts` proves them.
 */
import type { Bid, BySeat, ByType, Colour } from '../types.ts';
import { type Floor, type FloorStance, RECENT, scoreBid, stanceOf } from './floor.ts';
import { countVotes, fixPoll, livingSeats, revealOrder, type Table } from './meeting.ts';
import { voteTicks } from './tick.ts';
import { DIE_SPREAD, longestSilence, MAX_DESIRE, type Weights } from './weights.ts';

export type MeetingPromise = ByType<{
  /** Players who bid in every tick have the floor within this number of ticks of talk. */
  floor: { ticks: BySeat<number> };
  /** The talk is over within this number of ticks. */
  closing: { ticks: number };
  /** No cast ballot changes. If it is final, no other is cast. */
  ballots: { cast: number; isFinal: boolean };
  /** Whom open ballots can still eject, given the cast or the turned ones. Unless final, a departure can change it. */
  ejection: {
    from: 'cast' | 'turned';
    can: readonly Colour[];
    cannot: readonly Colour[];
    isFinal: boolean;
  };
  end: { steps: number };
}>;

type EjectionPromise = Extract<MeetingPromise, { type: 'ejection' }>;

type FloorState = {
  readonly floor: Floor;
  /** Whose bid in that tick counts as a voter's. */
  readonly voted: readonly Colour[];
};

/** `at` is the innermost state of the meeting, such as "discussion.bidding". */
export function listPromises(
  at: string,
  table: Table,
  { floor, voted }: FloorState,
): readonly MeetingPromise[] {
  const { options, poll, remaining } = table;
  const promises: MeetingPromise[] = [];
  const left = ticksOfTalkLeft(table, floor.tick);
  const isTalk = isTalkAhead(at);
  if (isTalk) {
    const race = { floor, voted, living: livingSeats(table), weights: options.weights };
    const waits = race.living.map((seat) => [seat, ticksUntilHeard(race, seat)] as const);
    const sure = waits.filter(([, ticks]) => Number.isFinite(ticks) && ticks <= left);
    if (sure.length > 0) promises.push({ type: 'floor', ticks: Object.fromEntries(sure) });
    if (Number.isFinite(left)) promises.push({ type: 'closing', ticks: left });
  }
  const isFinal = poll !== null;
  const cast = countBallots(table);
  // In classic a departure clears ballots until the poll is closed.
  if (isFinal || (isTalk && options.rules === 'house' && cast > 0))
    promises.push({ type: 'ballots', cast, isFinal });
  if (remaining === null && (isFinal || isTalk)) {
    const known = [judgeEjection(table, 'cast'), judgeEjection(table, 'turned')];
    promises.push(...known.filter(({ cannot }) => cannot.length > 0));
  }
  const steps = stepsToEnd(at, table, floor.tick);
  return Number.isFinite(steps) ? [...promises, { type: 'end', steps }] : promises;
}

function isTalkAhead(at: string): boolean {
  return /^(interrupt|discussion|voting\.polling)\b/.test(at);
}

type FloorRace = FloorState & { readonly living: readonly Colour[]; readonly weights: Weights };

/**
 * The most ticks of talk until a player who bids in each of them has the floor; Infinity if that is never sure. The
 * rivals bid with all that they can get and name each other. Of those who would win, the one with the shortest silence
 * speaks, which keeps the longer ones for later ticks.
 */
export function ticksUntilHeard(
  { floor, voted, living, weights }: FloorRace,
  seat: Colour,
): number {
  const bound = longestSilence(weights, living.length);
  let rivals = living.flatMap((rival) => (rival === seat ? [] : stanceOf(floor, rival, false)));
  for (let lost = 0; lost <= bound && Number.isFinite(bound); lost++) {
    // Each later message takes the place of one that may have named the player.
    const heard = floor.heard.slice(Math.max(0, floor.heard.length + lost - RECENT));
    const hasVoted = lost > 0 || voted.includes(seat);
    const own = stanceOf({ ...floor, tick: floor.tick + lost, heard }, seat, hasVoted);
    const least = totalOf(own, 1, weights);
    const [speaker] = rivals
      .filter((rival) => {
        const lead = totalOf(rival, MAX_DESIRE + 1 + DIE_SPREAD, weights) - least;
        // The longer silence wins a tie, and a draw may go against the player.
        return lead > 0 || (lead === 0 && rival.silentTicks >= own.silentTicks);
      })
      .toSorted((one, other) => one.silentTicks - other.silentTicks);
    if (speaker === undefined) return lost + 1;
    rivals = rivals.map((rival) => stanceAfter(rival === speaker ? 0 : rival.silentTicks + 1));
  }
  return Number.POSITIVE_INFINITY;
}

/** The priority with this sum of desire and die. */
function totalOf(stance: FloorStance, luck: number, weights: Weights): number {
  return scoreBid(ANY_BID, stance, { face: luck, draw: 0 }, weights).total;
}

/** It adds no desire. */
const ANY_BID: Bid = { type: 'fault', seat: 'red', code: '', text: '' };

function stanceAfter(silentTicks: number): FloorStance {
  const isNamed = silentTicks > 0;
  return { mentioned: isNamed, accused: isNamed, justSpoke: !isNamed, voted: false, silentTicks };
}

/** The most ticks until the talk is over, with the open one. Infinity without a limit. */
export function ticksOfTalkLeft({ options, outcome }: Table, tick: number): number {
  const { closeAfter } = voteTicks(options);
  const limits = [options.maxTicks, closeAfter, outcome === null ? null : tick + 1];
  return Math.min(...limits.filter((limit) => limit !== null)) - tick;
}

function countBallots({ poll, ballots }: Table): number {
  return Object.keys(poll?.ballots ?? ballots).length;
}

export type EjectionTable = Pick<Table, 'seats' | 'standings' | 'ballots' | 'poll' | 'revealed'>;

/** A player can be ejected if they have the most votes when they get all open ballots. */
export function judgeEjection(
  table: EjectionTable,
  from: EjectionPromise['from'],
): EjectionPromise {
  const { seats, standings } = table;
  const isFinal = table.poll !== null;
  const poll = table.poll ?? fixPoll(table.ballots, standings);
  const order = revealOrder(poll);
  const known = from === 'cast' ? order : order.slice(0, table.revealed);
  const open = order.length - known.length + (isFinal ? 0 : poll.missed.length);
  const turned = () => Object.fromEntries(known.map((voter) => [voter, poll.ballots[voter]]));
  const { counts } = countVotes(known === order ? poll : { ...poll, ballots: turned() });
  const falling = counts.map(({ votes }) => votes).toSorted((one, other) => other - one);
  const [most = 0, second = 0] = falling;
  const canWin = (seat: Colour) => {
    const own = counts.find(({ candidate }) => candidate === seat)?.votes ?? 0;
    return own + open > (own === most ? second : most);
  };
  const candidates = seats
    .map(({ colour }) => colour)
    .filter((seat) => standings[seat] === 'living' || (isFinal && standings[seat] !== 'dead'));
  const can = candidates.filter(canWin);
  const cannot = candidates.filter((seat) => !can.includes(seat));
  return { type: 'ejection', from, can, cannot, isFinal };
}

/** Steps from a state to the end, without those that turn a ballot. */
const COUNTING = 5;
const STEPS: Readonly<Record<string, number | undefined>> = {
  'voting.counting': COUNTING,
  'reveal.turning': 4,
  'reveal.announcing': 3,
  reaction: 2,
  consolidation: 1,
};

/**
 * The most steps to the end; Infinity without a limit. A step closes a tick, counts the poll, turns a ballot, says the
 * result, or begins the reaction. Pauses and departures are none.
 */
export function stepsToEnd(at: string, table: Table, tick: number): number {
  const { outcome, poll, ballots, standings, revealed } = table;
  if (outcome === 'interrupted') return 1;
  const steps = STEPS[at] ?? Number.POSITIVE_INFINITY;
  if (poll !== null) return steps + countBallots(table) - revealed;
  if (!isTalkAhead(at)) return steps;
  const ticks = ticksOfTalkLeft(table, tick);
  if (ticks === Number.POSITIVE_INFINITY) return ticks;
  return ticks + COUNTING + countBallots(table) + fixPoll(ballots, standings).missed.length;
}
