/** The terms of a meeting: its options as the header states them, where nothing may be left to a default. */
import type { MeetingMatch } from '../../../../machines/setup/match.ts';

type Options = MeetingMatch['options'];
type Weights = NonNullable<Options['weights']>;
type Stated<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> };

export type Terms = Stated<Omit<Options, 'weights' | 'beat_ms'>> & {
  readonly weights: Stated<Omit<Weights, 'silence'>> & {
    readonly silence: Stated<NonNullable<Weights['silence']>>;
  };
};

export function termsOf({ beat_ms: _pace, weights, ...options }: Options): Terms {
  const { silence, ...terms } = stated(weights, 'weights');
  return {
    ...everyOne(options),
    weights: { ...everyOne(terms), silence: everyOne(stated(silence, 'silence')) },
  };
}

/** The largest lead that a rival can have: desire 10, a die of 6 against 1, all boosts, and no vote cast yet. */
export function spread({ weights }: Terms): number {
  return 10 + 5 + weights.mention + weights.accusation + weights.voted;
}

/** The boost after so many ticks of silence (ruling 11). */
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

/** A tick that has begun counts whole. */
function startedTicks(seconds: number, { seconds_per_tick }: Terms): number {
  return Math.floor((seconds + seconds_per_tick - 1) / seconds_per_tick);
}

function everyOne<T extends object>(given: T): Stated<T>;
function everyOne(given: object): object {
  for (const [name, value] of Object.entries(given)) stated(value, name);
  return given;
}

function stated<T>(value: T, name: string): Exclude<T, undefined>;
function stated(value: unknown, name: string): unknown {
  if (value === undefined) throw new Error(`expected the header to state ${name}`);
  return value;
}
