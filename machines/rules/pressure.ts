/**
 * Pressure: when System says "wrap it up", and when an operator's limit falls due.
 *
 * There is no hard limit on talk. The nudge is one line of the transcript, not a bid: it resets nobody's silence and
 * is not counted against its own budget (ruling 34).
 */
import type { NudgeReason, Occasion } from '../types.ts';
import type { MeetingOptions } from './options.ts';

/** The share of the token target at which the nudge comes (ruling 35). */
const NUDGE_SHARE = 0.8;

/** What must happen after a tick by the clock of the meeting, apart from votes. */
export type Due = 'talk' | 'ballots' | 'time-up' | 'stop';

/** How far the talk has come when a tick closes. */
export type Progress = {
  /** The tick that closes, from 0. */
  readonly tick: number;
  /** Tokens of the transcript without System's own lines. */
  readonly tokens: number;
  /** The tick of the last nudge; null when there was none. */
  readonly lastNudge: number | null;
};

type NudgeOptions = Pick<MeetingOptions, 'nudgeAfter' | 'nudgeEvery' | 'tokenTarget'>;

/** Why System nudges after this tick; null when it does not. Both reasons share one spacing. */
export function nudgeReason(options: NudgeOptions, progress: Progress): NudgeReason | null {
  const { tick, tokens, lastNudge } = progress;
  if (lastNudge !== null && tick - lastNudge < options.nudgeEvery) return null;
  if (tokens >= options.tokenTarget * NUDGE_SHARE) return 'tokens';
  return tick + 1 >= options.nudgeAfter ? 'ticks' : null;
}

/**
 * What the clock of the meeting asks for once `passed` ticks are over. In `house` nothing, unless the operator set a
 * limit; in `classic` ballots after the discussion time and the count after the voting time.
 */
export function due(options: MeetingOptions, passed: number): Due {
  if (options.maxTicks !== null && passed >= options.maxTicks) return 'stop';
  const opening = ballotsAskedAfter(options);
  if (opening === null || passed < opening) return 'talk';
  const voting = inTicks(options.votingTime, options);
  return options.votingTime > 0 && passed >= opening + voting ? 'time-up' : 'ballots';
}

/** Ticks after which ballots are asked for; null when they never are. */
export function ballotsAskedAfter(options: MeetingOptions): number | null {
  if (options.voteAfter !== null) return options.voteAfter;
  return options.rules === 'classic' ? inTicks(options.discussionTime, options) : null;
}

/** Whether a vote in a bid counts now: `classic` takes none before the voting phase (ruling 39). */
export function ballotsOpen(options: MeetingOptions, occasion: Occasion): boolean {
  return occasion === 'voting' || options.rules === 'house';
}

function inTicks(seconds: number, options: MeetingOptions): number {
  return Math.ceil(seconds / options.secondsPerTick);
}
