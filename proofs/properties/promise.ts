/**
 * The words in which promises about a meeting are written.
 *
 * A promise is an independent statement of the rules: it looks at two tables and at the facts that were told between
 * them, and works out for itself what should be so. None of it calls a rule, or a mistake in the rule would excuse
 * itself.
 */
import type { ToArbiter, ToMeeting } from '../../machines/messages.ts';
import type { Fact, FactType } from '../../machines/rules/facts.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import type { Ballot, Bid, Colour } from '../../machines/types.ts';
import { once } from './once.ts';

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
  return coloursOf(context.seats);
}

const coloursOf = once((seats: Table['seats']) => seats.map(({ colour }) => colour));

export function isLiving({ context }: Rest, seat: Colour): boolean {
  return context.standings[seat] === 'living';
}

/** In the order of the seats. */
export function livingAt({ context }: Rest): readonly Colour[] {
  return livingOf(context.seats)(context.standings);
}

const livingOf = once((seats: Table['seats']) =>
  once((standings: Table['standings']) =>
    coloursOf(seats).filter((seat) => standings[seat] === 'living'),
  ),
);

export function isClassic({ context }: Rest): boolean {
  return context.options.rules === 'classic';
}

/** Went away with this very turn. */
export function leaves({ before, after }: Turn, seat: Colour): boolean {
  return isLiving(before, seat) && after.context.standings[seat] === 'departed';
}

/** The bids of a tick of talk that closes; none where the turn is something else. */
export const talkBids = once(({ before, event }: Turn): readonly Bid[] =>
  event.type === 'tick.closed' && before.tags.has('talk') ? event.bids : NONE,
);

const NONE: readonly never[] = [];

/** The bid of a player in a tick of talk that closes. */
export function bidOf(turn: Turn, seat: Colour): Bid | null {
  for (const bid of talkBids(turn)) if (bid.seat === seat) return bid;
  return null;
}

/** The vote that a player hands in with this tick of talk; null when there is none. */
export function handedIn(turn: Turn, seat: Colour): Ballot | null {
  const bid = bidOf(turn, seat);
  return bid?.type === 'reply' ? bid.reply.vote : null;
}

/** Whether a vote in a bid counts here: in house at any time, in classic once ballots are asked for. */
export function takesVotes(rest: Rest): boolean {
  return rest.tags.has('talk') && (!isClassic(rest) || rest.tags.has('ballots'));
}

/** The facts of one type that were told, in order. */
export function told<T extends FactType>(
  turn: Turn,
  type: T,
): readonly Extract<Fact, { type: T }>[] {
  let found: Extract<Fact, { type: T }>[] | null = null;
  for (const fact of factsOf(turn)) {
    if (!isOf(fact, type)) continue;
    if (found === null) found = [fact];
    else found.push(fact);
  }
  return found ?? NONE;
}

/** The types of all facts that were told, in order. */
export function tellings(turn: Turn): readonly FactType[] {
  return factsOf(turn).map(({ type }) => type);
}

/** What the arbiter was sent. */
export const sentToArbiter = once(({ effects }: Turn): readonly ToArbiter[] => {
  const sent: ToArbiter[] = [];
  for (const { type, params } of effects) {
    if (type !== 'xstate.sendTo') continue;
    sent.push((params as { readonly event: ToArbiter }).event); // as XState hands it on
  }
  return sent;
});

/** All facts that were told, in order. */
const factsOf = once(({ effects }: Turn): readonly Fact[] => {
  const facts: Fact[] = [];
  for (const { type, params } of effects) {
    if (type !== 'tell') continue;
    for (const fact of (params as { readonly facts: readonly Fact[] }).facts) facts.push(fact); // its parameters
  }
  return facts;
});

function isOf<T extends FactType>(fact: Fact, type: T): fact is Extract<Fact, { type: T }> {
  return fact.type === type;
}

/** Equal as plain values whose fields are in the same order, as two copies of one table are. */
export function isSame(one: unknown, other: unknown): boolean {
  return isAlike(one, other) || JSON.stringify(one) === JSON.stringify(other);
}

/** Whether two values are surely the same: the quick half of `isSame`, without writing them out. */
function isAlike(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (one === null || other === null) return false;
  if (Array.isArray(one)) return Array.isArray(other) && areItemsAlike(one, other);
  return !Array.isArray(other) && areFieldsAlike(one, other);
}

function areItemsAlike(some: readonly unknown[], others: readonly unknown[]): boolean {
  if (some.length !== others.length) return false;
  for (const [index, item] of some.entries()) if (!isAlike(item, others[index])) return false;
  return true;
}

function areFieldsAlike(one: object, other: object): boolean {
  const names = Object.keys(one);
  const others = Object.keys(other);
  if (names.length !== others.length) return false;
  for (const [index, name] of names.entries()) {
    if (name !== others[index]) return false;
    const key = name as keyof typeof one; // both have a field of this name
    if (!isAlike(one[key], other[key])) return false;
  }
  return true;
}

/** The same members in any order, each once. */
export function isSameSet<T>(some: readonly T[], others: readonly T[]): boolean {
  return (
    some.length === others.length &&
    new Set(some).size === some.length &&
    some.every((one) => others.includes(one))
  );
}
