/**
 * The stepper: what both engines say about a machine.
 *
 * A point is a whole state: where the machine is, what it knows, and what it has set going and not yet heard of. A
 * transition is a macrostep from one point to the next, with every effect in order.
 */
import { type AnyStateNode, createEmptyActor, type EventObject, type StateValue } from 'xstate';

/** A timer that runs: untimed, so it may fire at any moment. */
type RunningTimer = { readonly id: string; readonly event: EventObject };

/** Where a machine is. One object for each place that was seen: compare it by reference. */
export type MachinePlace = {
  /** Numbers the places of one stepper in the order in which they were found. */
  readonly number: number;
  /** The leaves, such as "discussion.bidding"; with parallel regions joined by " & ". */
  readonly name: string;
  readonly value: StateValue;
  /** The active nodes, in the order in which XState keeps them. */
  readonly nodes: readonly AnyStateNode[];
  readonly tags: ReadonlySet<string>;
  /** Ids of the children that are invoked here. */
  readonly invoked: readonly string[];
};

export const STATUSES = ['active', 'done', 'error'] as const;
export type MachineStatus = (typeof STATUSES)[number];

/** A state of the machine, exactly. `C` is the type of its context. */
export type MachinePoint<C> = {
  readonly place: MachinePlace;
  readonly context: C;
  readonly timers: readonly RunningTimer[];
  readonly status: MachineStatus;
  /** What history states remember, as text; '' where there are none. */
  readonly history: string;
  /** Children, by id, sorted; those that have ended with a mark (`listRunning`). */
  readonly children: readonly string[];
};

/** Something that the machine wants done, in the order in which it wants it. */
export type MachineEffect = { readonly type: string; readonly params: unknown };

/** A machine that is done hands this to its parent. */
export function createOutput(output: unknown): MachineEffect {
  return { type: 'xstate.output', params: output };
}

export type Transition<C> = {
  readonly point: MachinePoint<C>;
  readonly effects: readonly MachineEffect[];
  /** Numbers of the transitions that were taken, in order; empty when the event was ignored. */
  readonly taken: readonly number[];
};

/** How often the guard of each transition passed and failed, by the number of the transition. */
export type GuardCounts = { readonly passed: number[]; readonly failed: number[] };

/** Steps a machine. It remembers nothing but what it counted: equal arguments give equal transitions. */
export type MachineStepper<C, E extends EventObject> = {
  readonly engine: 'compiled' | 'xstate';
  /** What the guards said so far; null where they can't be watched. */
  readonly guards: GuardCounts | null;
  initial(): Transition<C>;
  step(point: MachinePoint<C>, event: E | EventObject): Transition<C>;
  /** Which function of the chart ran last, in words: asked when a step has thrown. Null where that is not known. */
  readonly doing?: () => string | null;
};

/** What a machine does that ends a search: a finding about the machine, with a stable code. */
export class MachineFault extends Error {
  readonly code: string;

  constructor(code: string, text: string) {
    super(text);
    this.code = code;
  }
}

/** More microsteps than this in one step are taken for a cycle of `always`. A machine may set less. */
export const MOST_MICROSTEPS = 10_000;

/** More timers than this that run at once are taken for a number that grows without bound. */
const MOST_TIMERS = 32;

/** The machine itself, as the recipient of an event. */
export const SELF = '(self)';

/**
 * The timers after these effects: set, replaced or cancelled by id. What a machine sends to itself waits likewise, and
 * so do events without an id, each for itself.
 */
export function applyTimers(
  timers: readonly RunningTimer[],
  effects: readonly MachineEffect[],
): readonly RunningTimer[] {
  let running = timers;
  for (const { type, params } of effects) {
    if (type === 'xstate.cancel') running = running.filter(({ id }) => id !== params);
    else if (isTimer(type, params)) {
      const { id = '', event } = params;
      const others = id === '' ? running : running.filter((timer) => timer.id !== id);
      running = [...others, { id, event }].sort(byId);
      if (running.length > MOST_TIMERS) refuseTimers(running);
    }
  }
  return running;
}

/** The timers that go on running when an event comes that one of them may have sent. */
export function removeFiredTimer(
  timers: readonly RunningTimer[],
  event: EventObject,
): readonly RunningTimer[] {
  const fired = timers.findIndex((timer) => timer.event === event);
  return fired < 0 ? timers : timers.toSpliced(fired, 1);
}

function refuseTimers(running: readonly RunningTimer[]): never {
  const types = [...new Set(running.map(({ event }) => event.type))].join(', ');
  throw new MachineFault(
    'machine/unbounded-timers',
    `more than ${MOST_TIMERS} timers run at once (${types}): the machine raises delayed events faster than they come, without end. Give each an id, which lets a new one replace the old one, or cancel it`,
  );
}

/** By id; of those without one, which of two equal timers was set first decides nothing. */
function byId(one: RunningTimer, other: RunningTimer): number {
  if (one.id !== other.id) return one.id < other.id ? -1 : 1;
  if (one.id !== '') return 0;
  const [text, next] = [JSON.stringify(one.event), JSON.stringify(other.event)];
  return text < next ? -1 : Number(text > next);
}

/*
 * Children that have ended: XState keeps them among the children of a snapshot until their state is left. No second
 * end of them can come, so a point has them with a mark.
 */

const ENDED_MARK = ' (ended)';

/** The children when an event comes that may be the end of one of them. */
export function endChild(children: readonly string[], { type }: EventObject): readonly string[] {
  const [, id] = /^xstate\.(?:done|error)\.actor\.(.*)$/s.exec(type) ?? [];
  if (id === undefined || !children.includes(id)) return children;
  return children.map((child) => (child === id ? child + ENDED_MARK : child)).sort();
}

/** The children by these ids, of whom some have ended. */
export function markEnded(ids: readonly string[], ended: readonly string[]): readonly string[] {
  return ids.map((id) => (ended.includes(id) ? id + ENDED_MARK : id)).sort();
}

/** The id of a child, which may have ended. */
export function nameChild(child: string): string {
  return child.endsWith(ENDED_MARK) ? child.slice(0, -ENDED_MARK.length) : child;
}

/** The children that still run. */
export function listRunning(children: readonly string[]): readonly string[] {
  return children.some(hasEnded) ? children.filter((child) => !hasEnded(child)) : children;
}

export function hasEnded(child: string): boolean {
  return child.endsWith(ENDED_MARK);
}

/** An event that the machine raises later, or sends to itself. */
function isTimer(
  type: string,
  params: unknown,
): params is { readonly id?: string; readonly event: EventObject } {
  if (typeof params !== 'object' || params === null || !('event' in params)) return false;
  return (
    type === 'xstate.raise' || (type === 'xstate.sendTo' && Reflect.get(params, 'to') === SELF)
  );
}

const PARENT = createEmptyActor();

export function createExternalRecipient() {
  return Object.assign(createEmptyActor(), { _parent: PARENT });
}

/** Stands for the machine where a function of the chart reads `self`. */
export const EXTERNAL_RECIPIENT = createExternalRecipient();

/** An actor by its name, since references are no values: children by their ids. */
export function nameRecipient(target: unknown, self: unknown): unknown {
  if (target === self) return SELF;
  if (target === PARENT) return '(parent)';
  if (typeof target !== 'object' || target === null) return target;
  const id: unknown = Reflect.get(target, 'id');
  return id === '' || id === undefined ? '(anonymous)' : id;
}

/** Something in a chart that the compiled stepper does not know: XState's own engine serves instead. */
export class Uncompilable extends Error {
  readonly code = 'model/uncompilable';
  readonly feature: string;
  readonly where: string;

  constructor(feature: string, where: string) {
    super(
      `${feature} (in ${where}) can't be compiled: the machine is stepped by XState's own engine`,
    );
    this.feature = feature;
    this.where = where;
  }
}
