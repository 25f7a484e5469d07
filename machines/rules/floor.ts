/**
 * Grants the floor and keeps the transcript. The nudge is a line of the transcript and not a bid. It resets nobody's
 * silence and does not count as tokens (ruling 34).
 */
import {
  type Bid,
  type BySeat,
  type Colour,
  type Die,
  type Hit,
  NUDGE,
  type NudgeReason,
  SYSTEM,
  type Utterance,
} from '../types.ts';
import type { GhostUtterance, TickDecision } from './facts.ts';
import { grantFloor } from './grant.ts';
import { findHits } from './mentions.ts';
import type { MeetingOptions } from './options.ts';
import type { Score, ScoreTerm } from './scoreTerms.ts';
import { REMINDER, silenceBoost, silentTicks, type Weights, worstSpread } from './weights.ts';

/** The circumstances of a player when a tick opens, before any bid. */
export type FloorStance = {
  readonly mentioned: boolean;
  readonly accused: boolean;
  /** Spoke in the previous tick (ruling 13). */
  readonly justSpoke: boolean;
  /** Had locked a ballot before this tick (ruling 6). */
  readonly voted: boolean;
  readonly silentTicks: number;
};

/** A fault has a score, but it can't win (ruling 2). */
export function scoreBid(bid: Bid, claim: FloorStance, die: Die, weights: Weights): Score {
  const terms: Readonly<Record<ScoreTerm, number>> = {
    desire: bid.type === 'reply' ? bid.reply.desire : 0,
    mention: claim.mentioned ? weights.mention : 0,
    accusation: claim.accused ? weights.accusation : 0,
    silence: silenceBoost(weights.silence, claim.silentTicks),
    die: die.face,
    recentSpeaker: claim.justSpoke ? 0 - weights.recentSpeaker : 0,
    voted: claim.voted ? 0 - weights.voted : 0,
  };
  const calledOn = terms.silence > worstSpread(weights);
  return {
    seat: bid.seat,
    ...terms,
    total: Object.values(terms).reduce((sum, term) => sum + term, 0),
    silentTicks: claim.silentTicks,
    hasVoted: claim.voted,
    calledOn,
    eligible: bid.type === 'reply' && (calledOn || !isBlank(bid.reply.message)),
  };
}

/** White space alone is not a bid (ruling 9). */
export function isBlank(message: string): boolean {
  return message.trim() === '';
}

// Tokens are estimated without a vocabulary. The estimate is high for English prose, so the target is reached early.

/** ASCII characters in a token. */
const PER_TOKEN = 4;
/** Quarter tokens of a character outside ASCII in the common vocabularies. */
const WIDE = 3;
/** The JSON around a message: {"speaker": "red", "target": "blue", "message": "", "t": 12}. */
export const FRAME_TOKENS = 18;

/** Estimated tokens of a text, without the frame. */
export function textTokens(text: string): number {
  return Math.ceil(quarters(text, Number.POSITIVE_INFINITY).weight / PER_TOKEN);
}

/** The longest prefix of at most `limit` tokens that splits no character. */
export function capTokens(text: string, limit: number): string {
  if (text.length * WIDE <= limit * PER_TOKEN) return text;
  return text.slice(0, quarters(text, limit * PER_TOKEN).end);
}

/** Quarter tokens of a text, up to `most`, and the index where counting stopped. */
function quarters(text: string, most: number): { weight: number; end: number } {
  let weight = 0;
  let end = 0;
  while (end < text.length) {
    const point = text.codePointAt(end) ?? 0;
    const next = weight + (point < 0x80 ? 1 : WIDE);
    if (next > most) break;
    weight = next;
    end += point > 0xffff ? 2 : 1;
  }
  return { weight, end };
}

/** "Recent messages" are the last three published ones of living players (rulings 32 and 33). */
export const RECENT = 3;

export type Floor = {
  /** The open or next tick, from 0. */
  readonly tick: number;
  /** The last tick with the floor, by player. */
  readonly lastSpoke: BySeat<number>;
  readonly heard: readonly { readonly tick: number; readonly hits: readonly Hit[] }[];
  readonly transcript: readonly Utterance[];
  /** Estimated tokens of the transcript without System's lines. */
  readonly tokens: number;
  readonly lastNudge: number | null;
};

export const EMPTY_FLOOR: Floor = {
  tick: 0,
  lastSpoke: {},
  heard: [],
  transcript: [],
  tokens: 0,
  lastNudge: null,
};

/** A closed tick, with bids in the order of the seats. */
type GatheredBids = {
  readonly bids: readonly Bid[];
  readonly dice: BySeat<Die>;
  readonly seated: readonly Colour[];
  readonly voted: readonly Colour[];
};

export function stanceOf(floor: Floor, seat: Colour, voted: boolean): FloorStance {
  const lastSpoke = floor.lastSpoke[seat];
  const since = lastSpoke ?? -1;
  const named = (kind: Hit['kind']) =>
    floor.heard.some(
      ({ tick: t, hits }) =>
        t > since && hits.some((hit) => hit.seat === seat && hit.kind === kind),
    );
  return {
    mentioned: named('mention'),
    accused: named('accusation'),
    justSpoke: lastSpoke !== undefined && lastSpoke === floor.tick - 1,
    voted,
    silentTicks: silentTicks(floor.tick, lastSpoke),
  };
}

export function closeFloorTick(
  floor: Floor,
  gathered: GatheredBids,
  options: MeetingOptions,
): { readonly floor: Floor; readonly verdict: TickDecision } {
  const scores = gathered.bids.map((bid) => scoreOf(floor, bid, gathered, options));
  const granted = grantFloor(scores, (seat) => gathered.dice[seat]?.draw ?? 0);
  const said = utterance(floor.tick, granted.floor, gathered.bids, options);
  const hits =
    said === null ? [] : findHits(said.message, said.speaker, said.target, gathered.seated);
  const spoken = said === null ? floor : publish(floor, said, hits);
  const nudge = findNudgeReason(options, spoken);
  return {
    floor: passTick(nudge === null ? spoken : addNudge(spoken)),
    verdict: { scores, ...granted, said, hits, nudge },
  };
}

function scoreOf(floor: Floor, bid: Bid, gathered: GatheredBids, options: MeetingOptions): Score {
  const die = gathered.dice[bid.seat] ?? { face: 1, draw: 0 };
  const stance = stanceOf(floor, bid.seat, gathered.voted.includes(bid.seat));
  return scoreBid(bid, stance, die, options.weights);
}

export function transcriptLines(tick: number, verdict: TickDecision | null): readonly Utterance[] {
  if (verdict === null) return [];
  const said = verdict.said === null ? [] : [verdict.said];
  return verdict.nudge === null ? said : [...said, nudgeLine(tick)];
}

/** Reactions and consolidation take a tick without a floor. */
export function passTick(floor: Floor): Floor {
  return { ...floor, tick: floor.tick + 1 };
}

/** How a request calls on a silent player (ruling 9). */
export type SilenceCall = {
  /** The player was silent so long that even a blank bid competes. */
  readonly calledOn: boolean;
  /** The design's words, as soon as silence adds to the player's priority. */
  readonly reminder: string | null;
};

export const NOT_CALLED: SilenceCall = { calledOn: false, reminder: null };

export function callSilent(floor: Floor, seat: Colour, weights: Weights): SilenceCall {
  const boost = silenceBoost(weights.silence, silentTicks(floor.tick, floor.lastSpoke[seat]));
  return { calledOn: boost > worstSpread(weights), reminder: boost > 0 ? REMINDER : null };
}

type PublishedMessage = Utterance & { readonly speaker: Colour };

function utterance(
  tick: number,
  speaker: Colour | null,
  bids: readonly Bid[],
  options: MeetingOptions,
): PublishedMessage | null {
  const bid = bids.find((candidate) => candidate.seat === speaker);
  if (speaker === null || bid?.type !== 'reply') return null;
  const message = capTokens(bid.reply.message.trim(), options.messageTokens);
  const target = message === '' || bid.reply.target === speaker ? null : bid.reply.target;
  return { tick, speaker, target, message };
}

function publish(floor: Floor, said: PublishedMessage, hits: readonly Hit[]): Floor {
  return {
    ...floor,
    lastSpoke: { ...floor.lastSpoke, [said.speaker]: said.tick },
    heard: [...floor.heard, { tick: said.tick, hits }].slice(-RECENT),
    transcript: [...floor.transcript, said],
    tokens: floor.tokens + FRAME_TOKENS + textTokens(said.message),
  };
}

function addNudge(floor: Floor): Floor {
  const transcript = [...floor.transcript, nudgeLine(floor.tick)];
  return { ...floor, transcript, lastNudge: floor.tick };
}

function nudgeLine(tick: number): Utterance {
  return { tick, speaker: SYSTEM, target: null, message: NUDGE };
}

/** The share of the token target that triggers a nudge (ruling 35). */
const NUDGE_SHARE = 0.8;

/** Why System nudges after this tick, or null. Both reasons share one interval. */
export function findNudgeReason(
  options: Pick<MeetingOptions, 'nudgeAfter' | 'nudgeEvery' | 'tokenTarget'>,
  { tick, tokens, lastNudge }: Pick<Floor, 'tick' | 'tokens' | 'lastNudge'>,
): NudgeReason | null {
  if (lastNudge !== null && tick - lastNudge < options.nudgeEvery) return null;
  if (tokens >= options.tokenTarget * NUDGE_SHARE) return 'tokens';
  return tick + 1 >= options.nudgeAfter ? 'ticks' : null;
}

/** The ghost with the highest desire plus die speaks. A draw settles ties. */
export function pickGhostUtterance(
  bids: readonly Bid[],
  dice: BySeat<Die>,
  messageTokens: number,
): GhostUtterance | null {
  const ranked = bids.flatMap((bid) => {
    if (bid.type !== 'reply' || isBlank(bid.reply.message)) return [];
    const { face, draw } = dice[bid.seat] ?? { face: 1, draw: 0 };
    const { message, desire } = bid.reply;
    return [{ rank: desire + face, draw, speaker: bid.seat, message: message.trim() }];
  });
  const [best] = ranked.toSorted((one, other) => other.rank - one.rank || other.draw - one.draw);
  if (best === undefined) return null;
  return { speaker: best.speaker, message: capTokens(best.message, messageTokens) };
}
