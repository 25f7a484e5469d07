/**
 * The vocabulary for properties of a meeting. A property states a rule independently: it computes the expected result
 * from two tables and the facts between them. It calls no rule, otherwise a mistake in the rule would hide itself.
 */
import type { Fairness, MachineEffect, MachineStep, Property, State } from 'glass-box-checker';
import type { ToArbiter, ToMeeting } from '../../machines/messages.ts';
import type { Fact, FactType } from '../../machines/rules/facts.ts';
import type { MeetingSetup, Table } from '../../machines/rules/meeting.ts';
import { cutDifference } from '../../machines/text.ts';
import type { Ballot, Bid, Colour } from '../../machines/types.ts';
import { livingOf } from '../models/closings.ts';
import type { MeetingKnobs } from '../models/meeting.ts';
import { rememberLast } from '../models/rememberLast.ts';

export type MeetingSnapshot = State<Table>;

/** An event and its effects. Timers of the statechart are events too, with types of their own. */
export type MeetingTransition = MachineStep<Table, ToMeeting>;

export type EventAssumption = Fairness<Table, ToMeeting>;

type MeetingWorld = { readonly setting: MeetingSetup; readonly environment: MeetingKnobs };

type OfKind<Kind extends string> = Extract<Property<Table, ToMeeting>, { kind: Kind }> & {
  /** Limits the property to these meetings. In others it would be vacuous. */
  readonly appliesTo?: (world: MeetingWorld) => boolean;
};

export type StateProperty = OfKind<'always' | 'never' | 'sometimes'>;
export type StartProperty = OfKind<'start'>;
export type TransitionProperty = OfKind<'step'>;
/** It is the same for every seat, so it can be checked modulo symmetry. */
export type EventualProperty = OfKind<'eventually' | 'leads-to'> & { readonly isSymmetric: true };

export type MeetingProperty =
  | StartProperty
  | StateProperty
  | TransitionProperty
  | EventualProperty
  | OfKind<'deadlock-free'>;

type Unnamed<P> = P extends { kind: 'step' }
  ? Omit<P, 'name' | 'kind'> & { readonly kind?: never }
  : Omit<P, 'name'>;

/** Properties of steps, and of any other kind that they state, by their names. */
export function declareProperties<P extends { readonly kind: string }>(
  properties: Readonly<Record<string, Unnamed<P>>>,
): readonly P[] {
  return Object.entries(properties).map(
    ([name, property]) => ({ name, kind: 'step', ...property }) as unknown as P, // of its own fields
  );
}

export function seatsOf({ context }: MeetingSnapshot): readonly Colour[] {
  return coloursOf(context.seats);
}

const coloursOf = rememberLast((seats: Table['seats']) => seats.map(({ colour }) => colour));

export function isLiving({ context }: MeetingSnapshot, seat: Colour): boolean {
  return context.standings[seat] === 'living';
}

export function livingSeats({ context }: MeetingSnapshot): readonly Colour[] {
  return livingOf(context);
}

export function isClassic({ context }: MeetingSnapshot): boolean {
  return context.options.rules === 'classic';
}

export function isLeaving({ before, after }: MeetingTransition, seat: Colour): boolean {
  return isLiving(before, seat) && after.context.standings[seat] === 'departed';
}

/** The bids of a closing tick of talk. Empty for other transitions. */
export const talkBids = rememberLast(({ before, event }: MeetingTransition): readonly Bid[] =>
  event.type === 'tick.closed' && before.tags.has('talk') ? event.bids : NONE,
);

const NONE: readonly never[] = [];

export function bidOf(transition: MeetingTransition, seat: Colour): Bid | null {
  for (const bid of talkBids(transition)) if (bid.seat === seat) return bid;
  return null;
}

export function isTalkClosing({ before, event }: MeetingTransition): boolean {
  return event.type === 'tick.closed' && before.tags.has('talk');
}

export function haveAllVoted(state: MeetingSnapshot): boolean {
  return livingSeats(state).every((seat) => state.context.ballots[seat] !== undefined);
}

export function voteIn(transition: MeetingTransition, seat: Colour): Ballot | null {
  const bid = bidOf(transition, seat);
  return bid?.type === 'reply' ? bid.reply.vote : null;
}

/** Whether a vote in a bid counts: in house always, in classic once ballots are requested. */
export function areVotesOpen(state: MeetingSnapshot): boolean {
  return state.tags.has('talk') && (!isClassic(state) || state.tags.has('ballots'));
}

export function factsOfType<T extends FactType>(
  transition: MeetingTransition,
  type: T,
): readonly Extract<Fact, { type: T }>[] {
  return factsOf(transition).filter(
    (fact): fact is Extract<Fact, { type: T }> => fact.type === type,
  );
}

/** These fields of each fact of a type. A recorded fact has more, in another order. */
export function valuesOf<T extends FactType>(
  transition: MeetingTransition,
  type: T,
  ...fields: readonly Exclude<keyof Extract<Fact, { type: T }>, 'type'>[]
) {
  return factsOfType(transition, type).map((fact) => fields.map((field) => fact[field]));
}

export const hasFact = (type: FactType) => (transition: MeetingTransition) =>
  factsOfType(transition, type).length > 0;

export function factTypes(transition: MeetingTransition): readonly FactType[] {
  return factsOf(transition).map(({ type }) => type);
}

/** The parameters of effects of a type, as steppers hand them on. */
export function paramsOf<P>(effects: readonly MachineEffect[], wanted: string): readonly P[] {
  return effects.filter(({ type }) => type === wanted).map(({ params }) => params as P);
}

export function readSent<E>(effects: readonly MachineEffect[]): readonly E[] {
  return paramsOf<{ readonly event: E }>(effects, 'xstate.sendTo').map(({ event }) => event);
}

export const messagesToArbiter = rememberLast(
  ({ effects }: MeetingTransition): readonly ToArbiter[] => readSent(effects),
);

export function readFacts<F = Fact>(effects: readonly MachineEffect[]): readonly F[] {
  const told = paramsOf<{ readonly facts: readonly F[] }>(effects, 'announceFacts');
  return told.flatMap(({ facts }) => facts);
}

export const factsOf = rememberLast(({ effects }: Pick<MeetingTransition, 'effects'>) =>
  readFacts(effects),
);

/** The engine's line about a meeting, for a player who keeps no page. */
export function writeLine(
  ballot: string | undefined,
  outcome: Table['outcome'],
  ejected: Colour | null,
): string {
  const vote = ballot === undefined ? 'I did not vote' : `I voted ${ballot}`;
  const end = ejected === null ? `nobody was ejected (${outcome})` : `${ejected} was ejected`;
  return `Meeting: ${vote}; ${end}.`;
}

/** What must hold, by what it says. A pair is a found value and the expected one. */
export type Clauses = Readonly<Record<string, PropertyClause>>;
type PropertyClause = boolean | readonly [found: unknown, expected: unknown];

/** True, or which clauses do not hold. */
export function allHold(clauses: Clauses): true | string {
  const broken: string[] = [];
  for (const what in clauses) {
    const clause = clauses[what] ?? false;
    if (clause === false) broken.push(`not so: ${what}`);
    if (typeof clause === 'boolean' || isSame(...clause)) continue;
    const [found, expected] = clause;
    const [wanted, there] = tellBoth(expected, found);
    broken.push(`${what}: expected ${wanted}, found ${there}`);
  }
  return broken.length === 0 || broken.join('; ');
}

/** Two plain values in words, around their first difference. */
export function tellBoth(one: unknown, other: unknown): readonly [string, string] {
  const isTold = tell(one) !== tell(other);
  const write = isTold ? tell : (value: unknown) => String(JSON.stringify(value));
  return cutDifference(write(one), write(other), { before: 40, most: 80 });
}

/** In words: "red", "(candidate: red, votes: 2)". A list of one reads as its item. */
function tell(value: unknown): string {
  if (typeof value === 'string') return /^[\w./-]+$/.test(value) ? value : `“${value}”`;
  if (typeof value !== 'object' || value === null) return value == null ? 'nothing' : `${value}`;
  const parts = Array.isArray(value)
    ? value.map(tell)
    : Object.entries(value).map(([name, part]) => `${name}: ${tell(part)}`);
  const text = parts.join(', ') || 'none';
  return parts.length > 1 ? `(${text})` : text;
}

/** A clause for each field of one of these. */
export function listClauses(found: object, expected: object): Clauses {
  if (haveSameFields(found, expected)) return {};
  const names = Object.keys({ ...found, ...expected });
  return Object.fromEntries(
    names.map((name) => [name, [Reflect.get(found, name), Reflect.get(expected, name)]]),
  );
}

/** Equal plain values with fields in the same order. */
export function isSame(one: unknown, other: unknown): boolean {
  return isAlike(one, other) || JSON.stringify(one) === JSON.stringify(other);
}

/** Whether two values are certainly equal. This is the fast half of `isSame`, without serializing. */
function isAlike(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isAlike(item, other[index]));
  const others = Object.keys(other);
  let index = 0;
  for (const name in one) {
    if (name !== others[index++]) return false;
    const key = name as keyof typeof one; // both have a field of this name
    if (!isAlike(one[key], other[key])) return false;
  }
  return index === others.length;
}

/** A clause for two values with the same fields in any order. */
export function sameFields(found: object, expected: object): PropertyClause {
  return haveSameFields(found, expected) || [sortFields(found), sortFields(expected)];
}

/** Whether two values certainly have equal fields, in any order. */
function haveSameFields(one: object, other: object): boolean {
  if (one === other) return true;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) =>
        Object.hasOwn(other, name) && isAlike(Reflect.get(one, name), Reflect.get(other, name)),
    )
  );
}

/** The fields by name, to compare values with fields in any order. */
export function sortFields(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
