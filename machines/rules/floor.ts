/**
 * The floor: the arbiter's books on who spoke when, who was named lately, and how long the transcript has become.
 *
 * Everything of a meeting that grows without bound is here and nowhere else.
 */
import type { Bid, BySeat, Colour, Die, Hit, Score, Utterance, Verdict } from '../types.ts';
import { NUDGE, SYSTEM } from '../types.ts';
import { type Claim, grant, score } from './bidding.ts';
import { hitsOf } from './mentions.ts';
import type { MeetingOptions } from './options.ts';
import { nudgeReason } from './pressure.ts';
import { isCalledOn, silentTicks } from './silence.ts';
import { capTokens, FRAME_TOKENS, textTokens } from './tokens.ts';
import type { Weights } from './weights.ts';
import { worstSpread } from './weights.ts';

/** "Recent messages" are the last three published ones of living players (rulings 32 and 33). */
const RECENT = 3;

/** A published message as it is remembered for boosts. */
export type Heard = { readonly t: number; readonly hits: readonly Hit[] };

export type Floor = {
  /** The tick that is open or will be opened next, from 0. */
  readonly tick: number;
  /** The tick in which each player last had the floor. */
  readonly lastSpoke: BySeat<number>;
  readonly heard: readonly Heard[];
  readonly transcript: readonly Utterance[];
  /** Estimated tokens of the transcript without System's lines. */
  readonly tokens: number;
  readonly lastNudge: number | null;
};

export const CLEAR: Floor = {
  tick: 0,
  lastSpoke: {},
  heard: [],
  transcript: [],
  tokens: 0,
  lastNudge: null,
};

/** The bids of a closed tick in the order of the seats, the dice, and who is seated and had voted. */
export type Gathered = {
  readonly bids: readonly Bid[];
  readonly dice: BySeat<Die>;
  readonly seated: readonly Colour[];
  readonly voted: readonly Colour[];
};

/** Where a player stands before bids are known: boosts, silence and penalties. */
export function claim(floor: Floor, seat: Colour, voted: boolean): Claim {
  const lastSpoke = floor.lastSpoke[seat];
  const since = lastSpoke ?? -1;
  const named = (kind: Hit['kind']) =>
    floor.heard.some(
      ({ t, hits }) => t > since && hits.some((hit) => hit.seat === seat && hit.kind === kind),
    );
  return {
    mentioned: named('mention'),
    accused: named('accusation'),
    justSpoke: lastSpoke !== undefined && lastSpoke === floor.tick - 1,
    voted,
    silentTicks: silentTicks(floor.tick, lastSpoke),
  };
}

/** Closes a tick: scores every bid, grants the floor, publishes one message and nudges when it is time. */
export function closed(
  floor: Floor,
  gathered: Gathered,
  options: MeetingOptions,
): { readonly floor: Floor; readonly verdict: Verdict } {
  const scores = gathered.bids.map((bid) => scoreOf(floor, bid, gathered, options));
  const granted = grant(scores, (seat) => gathered.dice[seat]?.draw ?? 0);
  const said = utterance(floor.tick, granted.floor, gathered.bids, options);
  const hits =
    said === null ? [] : hitsOf(said.message, said.speaker, said.target, gathered.seated);
  const spoken = said === null ? floor : published(floor, said, hits);
  const nudge = nudgeReason(options, { ...spoken, tick: floor.tick });
  return {
    floor: passed(nudge === null ? spoken : nudged(spoken)),
    verdict: { scores, ...granted, said, hits, nudge },
  };
}

function scoreOf(floor: Floor, bid: Bid, gathered: Gathered, options: MeetingOptions): Score {
  const die = gathered.dice[bid.seat] ?? { face: 1, draw: 0 };
  const stance = claim(floor, bid.seat, gathered.voted.includes(bid.seat));
  return score(bid, stance, die, options.weights);
}

/** What a verdict adds to the transcript: the message, and System's line after it. */
export function linesOf(tick: number, verdict: Verdict | null): readonly Utterance[] {
  if (verdict === null) return [];
  const said = verdict.said === null ? [] : [verdict.said];
  return verdict.nudge === null ? said : [...said, nudgeLine(tick)];
}

/** A tick without a floor: reactions and consolidation only count on. */
export function passed(floor: Floor): Floor {
  return { ...floor, tick: floor.tick + 1 };
}

/** Whether a player has been silent for so long that the floor comes to them by itself. */
export function calledOn(floor: Floor, seat: Colour, weights: Weights): boolean {
  const silent = silentTicks(floor.tick, floor.lastSpoke[seat]);
  return isCalledOn(weights.silence, silent, worstSpread(weights));
}

type Spoken = Utterance & { readonly speaker: Colour };

/** The line that the winner's bid puts into the transcript. */
function utterance(
  tick: number,
  speaker: Colour | null,
  bids: readonly Bid[],
  options: MeetingOptions,
): Spoken | null {
  const bid = bids.find((candidate) => candidate.seat === speaker);
  if (speaker === null || bid?.type !== 'reply') return null;
  const message = capTokens(bid.reply.message.trim(), options.messageTokens);
  const target = message === '' || bid.reply.target === speaker ? null : bid.reply.target;
  return { t: tick, speaker, target, message };
}

function published(floor: Floor, said: Spoken, hits: readonly Hit[]): Floor {
  return {
    ...floor,
    lastSpoke: { ...floor.lastSpoke, [said.speaker]: said.t },
    heard: [...floor.heard, { t: said.t, hits }].slice(-RECENT),
    transcript: [...floor.transcript, said],
    tokens: floor.tokens + FRAME_TOKENS + textTokens(said.message),
  };
}

function nudged(floor: Floor): Floor {
  return {
    ...floor,
    transcript: [...floor.transcript, nudgeLine(floor.tick)],
    lastNudge: floor.tick,
  };
}

function nudgeLine(tick: number): Utterance {
  return { t: tick, speaker: SYSTEM, target: null, message: NUDGE };
}
