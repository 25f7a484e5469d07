/**
 * The words in which promises about a meeting are written.
 *
 * A promise is an independent statement of the rules: it looks at two tables and at the facts that were told between
 * them, and works out for itself what should be so. None of it calls a rule, or a mistake in the rule would excuse
 * itself.
 */
import type { ToArbiter, ToMeeting } from '../protocol.ts';
import type { Fact, FactType } from '../rules/facts.ts';
import type { Table } from '../rules/table.ts';
import type { Ballot, Bid, Colour } from '../types.ts';

/** A meeting at rest: where it is, and what is on its table. */
export type Rest = {
  readonly at: string;
  readonly tags: ReadonlySet<string>;
  readonly context: Table;
  readonly isDone: boolean;
};

/** One event and what it did. Timers of the statechart are events too, with types of their own. */
export type Turn = {
  readonly before: Rest;
  readonly event: ToMeeting;
  readonly after: Rest;
  readonly effects: readonly { readonly type: string; readonly params: unknown }[];
};

/** Assumed of the world: a move that stays possible is made at last. */
export type Assumed = {
  readonly name: string;
  readonly helps: (rest: Rest, event: ToMeeting) => boolean;
};

type Sentence = {
  /** A handle without blanks, stable over versions. */
  readonly name: string;
  readonly sentence: string;
  readonly expect?: 'violated';
};

type Lasting = Sentence & {
  readonly holds: (rest: Rest) => boolean;
  readonly fair?: readonly Assumed[];
  readonly excuses?: readonly Assumed[];
  /** The same for every seat, so that it may be asked modulo symmetry. */
  readonly isSymmetric: true;
};

export type RestPromise = Sentence & {
  readonly kind: 'always' | 'never' | 'sometimes';
  readonly holds: (rest: Rest) => boolean;
};
/** `when` says of which turns it speaks. */
export type TurnPromise = Sentence & {
  readonly kind: 'step';
  readonly when?: (turn: Turn) => boolean;
  readonly holds: (turn: Turn) => boolean;
};
export type LastingPromise = Lasting &
  (
    | { readonly kind: 'eventually' }
    | { readonly kind: 'leads-to'; readonly from: (rest: Rest) => boolean }
  );

export type MeetingPromise =
  | RestPromise
  | TurnPromise
  | LastingPromise
  | (Sentence & { readonly kind: 'deadlock-free' });

export function seated({ context }: Rest): readonly Colour[] {
  return context.seats.map(({ colour }) => colour);
}

export function isLiving({ context }: Rest, seat: Colour): boolean {
  return context.standings[seat] === 'living';
}

export function livingAt(rest: Rest): readonly Colour[] {
  return seated(rest).filter((seat) => isLiving(rest, seat));
}

export function isClassic({ context }: Rest): boolean {
  return context.options.rules === 'classic';
}

/** Went away with this very turn. */
export function leaves({ before, after }: Turn, seat: Colour): boolean {
  return isLiving(before, seat) && after.context.standings[seat] === 'departed';
}

/** The bids of a tick of talk that closes; none where the turn is something else. */
export function talkBids({ before, event }: Turn): readonly Bid[] {
  return event.type === 'tick.closed' && before.tags.has('talk') ? event.bids : NO_BIDS;
}

const NO_BIDS: readonly Bid[] = [];

/** The vote that a player hands in with this tick of talk; null when there is none. */
export function handedIn(turn: Turn, seat: Colour): Ballot | null {
  const bid = talkBids(turn).find((candidate) => candidate.seat === seat);
  return bid?.type === 'reply' ? bid.reply.vote : null;
}

/** Whether a vote in a bid counts here: in house at any time, in classic once ballots are asked for. */
export function takesVotes(rest: Rest): boolean {
  return rest.tags.has('talk') && (!isClassic(rest) || rest.tags.has('ballots'));
}

/** The facts of one type that were told, in order. */
export function told<T extends FactType>(
  { effects }: Turn,
  type: T,
): readonly Extract<Fact, { type: T }>[] {
  const found: Extract<Fact, { type: T }>[] = [];
  for (const { type: effect, params } of effects) {
    if (effect !== 'tell') continue;
    for (const fact of factsIn(params)) if (isOf(fact, type)) found.push(fact);
  }
  return found;
}

/** The types of all facts that were told, in order. */
export function tellings({ effects }: Turn): readonly FactType[] {
  return effects
    .filter(({ type }) => type === 'tell')
    .flatMap(({ params }) => factsIn(params).map(({ type }) => type));
}

/** What the arbiter was sent. */
export function sentToArbiter({ effects }: Turn): readonly ToArbiter[] {
  return effects
    .filter(({ type }) => type === 'xstate.sendTo')
    .map(({ params }) => (params as { readonly event: ToArbiter }).event); // as XState hands it on
}

function factsIn(params: unknown): readonly Fact[] {
  return (params as { readonly facts: readonly Fact[] }).facts; // the parameters of `tell`
}

function isOf<T extends FactType>(fact: Fact, type: T): fact is Extract<Fact, { type: T }> {
  return fact.type === type;
}

/** Equal as plain values whose fields are in the same order, as two copies of one table are. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** The same members in any order, each once. */
export function isSameSet<T>(some: readonly T[], others: readonly T[]): boolean {
  return (
    some.length === others.length &&
    new Set(some).size === some.length &&
    some.every((one) => others.includes(one))
  );
}
