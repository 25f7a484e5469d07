/** The terms of a meeting: what the options in force come to. */
import type { FilledMeetingOptions } from '../../../../machines/rules/options.ts';

export type Terms = FilledMeetingOptions;

/** The largest lead that a rival can have: desire 10, a die of 6 against 1, all boosts, and no vote cast yet. */
export function spread({ weights }: Terms): number {
  return 10 + 5 + weights.mention + weights.accusation + weights.voted;
}

/** The boost after this many ticks of silence (ruling 11). */
export function boostOf({ weights: { silence } }: Terms, silentTicks: number): number {
  const boost = silentTicks > silence.grace ? (silentTicks - silence.grace) * silence.slope : 0;
  return silence.cap !== null && boost > silence.cap ? silence.cap : boost;
}

/** Ticks of talk before ballots are asked for; null when they never are (rulings 1 and 39). */
export function talkTicks(terms: Terms): number | null {
  if (terms.vote_after !== null) return terms.vote_after;
  return terms.rules === 'classic' ? startedTicks(terms.discussion_time, terms) : null;
}

/** Ticks of talk and voting together after which the poll closes; null when there is no such limit. */
export function pollTicks(terms: Terms): number | null {
  const talk = talkTicks(terms);
  if (talk === null || terms.voting_time === 0) return null;
  return talk + startedTicks(terms.voting_time, terms);
}

function startedTicks(seconds: number, { seconds_per_tick }: Terms): number {
  return Math.floor((seconds + seconds_per_tick - 1) / seconds_per_tick);
}
