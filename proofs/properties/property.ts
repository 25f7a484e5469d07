/**
 * The words in which properties of a meeting are written.
 *
 * A property is an independent statement of the rules: it looks at two tables and at the facts between them, and works
 * out by itself what should be so. None of it calls a rule, or a mistake in the rule would excuse itself.
 */
import type { ToArbiter, ToMeeting } from '../../machines/messages.ts';
import type { Fact, FactType } from '../../machines/rules/facts.ts';
import type { MeetingSetup, Table } from '../../machines/rules/meeting.ts';
import type { Ballot, Bid, Colour } from '../../machines/types.ts';
import type { Environment } from '../models/meeting.ts';
import { rememberLast } from '../models/rememberLast.ts';

/** Where a meeting is, and what is on its table. */
export type MeetingSnapshot = {
  readonly at: string;
  readonly tags: ReadonlySet<string>;
  readonly context: Table;
  readonly isDone: boolean;
};

/** One event and what it did. Timers of the statechart are events too, with types of their own. */
export type MeetingTransition = {
  readonly before: MeetingSnapshot;
  readonly event: ToMeeting;
  readonly after: MeetingSnapshot;
  readonly effects: readonly { readonly type: string; readonly params: unknown }[];
};

/** Assumed of the environment: an event that stays possible happens at last. */
export type EventAssumption = {
  readonly name: string;
  readonly helps: (state: MeetingSnapshot, event: ToMeeting) => boolean;
};

type NamedSentence = {
  /** A handle without blanks, stable over versions. */
  readonly name: string;
  readonly sentence: string;
  readonly expect?: 'violated';
  /** Without it the property is of every meeting; of another one than these it would say nothing. */
  readonly appliesTo?: (world: MeetingWorld) => boolean;
};

/** How a meeting begins, and what may happen to it. */
export type MeetingWorld = { readonly setting: MeetingSetup; readonly environment: Environment };

export function canLeave({ environment }: MeetingWorld): boolean {
  return environment.departures > 0;
}

/** Whether someone may be dead or departed while others talk. */
export function canBeGone(world: MeetingWorld): boolean {
  const { standings } = world.setting;
  return canLeave(world) || Object.values(standings).some((standing) => standing !== 'living');
}

type Lasting = NamedSentence & {
  readonly holds: (state: MeetingSnapshot) => boolean;
  readonly fair?: readonly EventAssumption[];
  readonly excuses?: readonly EventAssumption[];
  /** The same for every seat, so that it may be asked modulo symmetry. */
  readonly isSymmetric: true;
};

export type StateProperty = NamedSentence & {
  readonly kind: 'always' | 'never' | 'sometimes';
  readonly holds: (state: MeetingSnapshot) => boolean;
};
/** Of how the meeting begins: its first state, and what was done to get there. */
export type StartProperty = NamedSentence & {
  readonly kind: 'start';
  readonly holds: (start: {
    readonly state: MeetingSnapshot;
    readonly effects: MeetingTransition['effects'];
  }) => boolean;
};
/** `when` says of which turns it speaks. */
export type TransitionProperty = NamedSentence & {
  readonly kind: 'step';
  readonly when?: (transition: MeetingTransition) => boolean;
  readonly holds: (transition: MeetingTransition) => boolean;
};
export type EventualProperty = Lasting &
  (
    | { readonly kind: 'eventually' }
    | { readonly kind: 'leads-to'; readonly from: (state: MeetingSnapshot) => boolean }
  );

export type MeetingProperty =
  | StartProperty
  | StateProperty
  | TransitionProperty
  | EventualProperty
  | (NamedSentence & { readonly kind: 'deadlock-free' });

export function seatsOf({ context }: MeetingSnapshot): readonly Colour[] {
  return coloursOf(context.seats);
}

const coloursOf = rememberLast((seats: Table['seats']) => seats.map(({ colour }) => colour));

export function isLiving({ context }: MeetingSnapshot, seat: Colour): boolean {
  return context.standings[seat] === 'living';
}

/** In the order of the seats. */
export function livingSeats({ context }: MeetingSnapshot): readonly Colour[] {
  return livingOf(context.seats)(context.standings);
}

const livingOf = rememberLast((seats: Table['seats']) =>
  rememberLast((standings: Table['standings']) =>
    coloursOf(seats).filter((seat) => standings[seat] === 'living'),
  ),
);

export function isClassic({ context }: MeetingSnapshot): boolean {
  return context.options.rules === 'classic';
}

/** Went away with this very transition. */
export function isLeaving({ before, after }: MeetingTransition, seat: Colour): boolean {
  return isLiving(before, seat) && after.context.standings[seat] === 'departed';
}

/** The bids of a tick of talk that closes; none where the transition is something else. */
export const talkBids = rememberLast(({ before, event }: MeetingTransition): readonly Bid[] =>
  event.type === 'tick.closed' && before.tags.has('talk') ? event.bids : NONE,
);

const NONE: readonly never[] = [];

/** The bid of a player in a tick of talk that closes. */
export function bidOf(transition: MeetingTransition, seat: Colour): Bid | null {
  for (const bid of talkBids(transition)) if (bid.seat === seat) return bid;
  return null;
}

/** The vote that a player hands in with this tick of talk; null when there is none. */
export function voteIn(transition: MeetingTransition, seat: Colour): Ballot | null {
  const bid = bidOf(transition, seat);
  return bid?.type === 'reply' ? bid.reply.vote : null;
}

/** Whether a vote in a bid counts here: in house at any time, in classic once ballots are asked for. */
export function areVotesOpen(state: MeetingSnapshot): boolean {
  return state.tags.has('talk') && (!isClassic(state) || state.tags.has('ballots'));
}

/** The facts of one type that were told, in order. */
export function factsOfType<T extends FactType>(
  transition: MeetingTransition,
  type: T,
): readonly Extract<Fact, { type: T }>[] {
  let found: Extract<Fact, { type: T }>[] | null = null;
  for (const fact of factsOf(transition)) {
    if (!isOf(fact, type)) continue;
    if (found === null) found = [fact];
    else found.push(fact);
  }
  return found ?? NONE;
}

/** The types of all facts that were told, in order. */
export function factTypes(transition: MeetingTransition): readonly FactType[] {
  return factsOf(transition).map(({ type }) => type);
}

/** What the arbiter was sent. */
export const messagesToArbiter = rememberLast(
  ({ effects }: MeetingTransition): readonly ToArbiter[] => {
    const sent: ToArbiter[] = [];
    for (const { type, params } of effects) {
      if (type !== 'xstate.sendTo') continue;
      sent.push((params as { readonly event: ToArbiter }).event); // as XState hands it on
    }
    return sent;
  },
);

/** All facts that were told, in order. */
export const factsOf = rememberLast(({ effects }: MeetingTransition): readonly Fact[] => {
  const facts: Fact[] = [];
  for (const { type, params } of effects) {
    if (type !== 'announceFacts') continue;
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
