/**
 * The options of a meeting: defaults, ranges and presets.
 *
 * Times are those of the Among Us lobby, in seconds; a tick stands for `secondsPerTick` of them, so that a meeting
 * takes the same course on a slow machine and on a fast one.
 */
import type { RuleSet } from '../types.ts';
import { defaultWeights, type Weights } from './weights.ts';

/** Settings of a meeting. */
export type MeetingOptions = {
  readonly rules: RuleSet;
  /** Tell whether the ejected was an impostor. */
  readonly confirmEjects: boolean;
  /** Hide at the reveal who cast which ballot. */
  readonly anonymousVotes: boolean;
  /** Seconds of talk without votes (`classic`). */
  readonly discussionTime: number;
  /** Seconds of timed voting; 0 is no limit. */
  readonly votingTime: number;
  /** Seconds of meeting time that one tick stands for. */
  readonly secondsPerTick: number;
  /** Operator's limit: open timed voting after so many ticks; null is never (ruling 1). */
  readonly voteAfter: number | null;
  /** Operator's limit: stop as `unconverged` after so many ticks; null is never (ruling 1). */
  readonly maxTicks: number | null;
  /** Consecutive faults after which a player is disconnected (ruling 2). */
  readonly patience: number;
  /** The nudge comes when this many ticks have passed, and again every `nudgeEvery` ticks (ruling 34). */
  readonly nudgeAfter: number;
  readonly nudgeEvery: number;
  /** Size that the transcript should stay under, in tokens; the nudge comes at 80 % of it (ruling 35). */
  readonly tokenTarget: number;
  /** Longest message, in tokens; the rest is cut (ruling 35). */
  readonly messageTokens: number;
  /** Real or simulated milliseconds that the arbiter waits for bids. */
  readonly deadlineMs: number;
  /** Milliseconds that the engine rests between steps so that people can follow; 0 is none. */
  readonly beatMs: number;
  readonly weights: Weights;
};

export const FEWEST_SEATS = 4;
export const MOST_SEATS = 15;

/** Least, most and step of each number; the step is from the lobby screen where there is one. */
export const RANGES = {
  discussionTime: { least: 0, most: 120, step: 15 },
  votingTime: { least: 0, most: 300, step: 15 },
  secondsPerTick: { least: 1, most: 60, step: 1 },
  voteAfter: { least: 0, most: 10_000, step: 1 },
  maxTicks: { least: 1, most: 100_000, step: 1 },
  patience: { least: 1, most: 100, step: 1 },
  nudgeAfter: { least: 1, most: 10_000, step: 1 },
  nudgeEvery: { least: 1, most: 10_000, step: 1 },
  tokenTarget: { least: 100, most: 1_000_000, step: 1 },
  messageTokens: { least: 8, most: 4_000, step: 1 },
  deadlineMs: { least: 1, most: 3_600_000, step: 1 },
  beatMs: { least: 0, most: 60_000, step: 1 },
} as const;

/** Seconds that a human needs to say a sentence: the scale between lobby times and ticks. */
const SECONDS_PER_TICK = 5;
/** The transcript's target of the design, about 25k tokens. */
const TOKEN_TARGET = 25_000;
/** At this length about 180 messages fit the target. */
const MESSAGE_TOKENS = 120;
/** A slow model answers within a minute or is taken as silent. */
const DEADLINE_MS = 60_000;

/** The defaults for a table of `living` players. */
export function defaultOptions(living: number): MeetingOptions {
  return {
    rules: 'house',
    confirmEjects: true,
    anonymousVotes: false,
    discussionTime: 15,
    votingTime: 120,
    secondsPerTick: SECONDS_PER_TICK,
    voteAfter: null,
    maxTicks: null,
    patience: 5,
    nudgeAfter: 20,
    nudgeEvery: 5,
    tokenTarget: TOKEN_TARGET,
    messageTokens: MESSAGE_TOKENS,
    deadlineMs: DEADLINE_MS,
    beatMs: 0,
    weights: defaultWeights(living),
  };
}

/** Most impostors that a lobby of so many seats may have. */
export function mostImpostors(seats: number): number {
  if (seats < 7) return 1;
  return seats < 9 ? 2 : 3;
}
