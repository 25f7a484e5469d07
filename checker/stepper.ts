/** The interface of both engines. A point is a whole state of a machine, and a transition a macrostep to the next. */
import {
  type AnyStateMachine,
  type AnyStateNode,
  createEmptyActor,
  type EventObject,
  type StateValue,
} from 'xstate';
import { readChart } from './chart.ts';
import { isObject, readField, writeValue } from './values.ts';

/** A running timer. Time is not modelled, so it may fire at any moment. */
type RunningTimer = { readonly id: string; readonly event: EventObject };

/** The active nodes of a machine. Each stepper has one object per place, so compare by reference. */
export type MachinePlace = {
  /** Numbers the places of one stepper in order of discovery. */
  readonly number: number;
  /** The active leaves, such as "discussion.bidding". With parallel regions joined by " & ". */
  readonly name: string;
  readonly value: StateValue;
  /** The active nodes, in XState's order. */
  readonly nodes: readonly AnyStateNode[];
  readonly tags: ReadonlySet<string>;
};

export const STATUSES = ['active', 'done', 'error'] as const;

/** The exact state of a machine. `C` is the type of its context. */
export type MachinePoint<C> = {
  readonly place: MachinePlace;
  readonly context: C;
  readonly timers: readonly RunningTimer[];
  readonly status: (typeof STATUSES)[number];
  /** The history memory as text, '' without history states. */
  readonly history: string;
  /** Sorted ids of children. Ended ones carry a mark (`listRunning`). */
  readonly children: readonly string[];
};

export type MachineEffect = { readonly type: string; readonly params: unknown };

export type Transition<C> = {
  readonly point: MachinePoint<C>;
  readonly effects: readonly MachineEffect[];
  /** Numbers of the transitions that were taken, in order. Empty if the event was ignored. */
  readonly taken: readonly number[];
};

/** How often the guard of each transition passed and failed, by transition number. */
export type GuardCounts = { readonly passed: number[]; readonly failed: number[] };

/** Steps a machine. It has no state except counters: equal arguments give equal transitions. */
export type MachineStepper<C, E extends EventObject> = {
  readonly engine: 'compiled' | 'xstate';
  /** The guard counts so far, or null if guards cannot be observed. */
  readonly guards: GuardCounts | null;
  initial(): Transition<C>;
  step(point: MachinePoint<C>, event: E | EventObject): Transition<C>;
  /** Called after the last step from a state. May throw a fault of one of its steps. */
  readonly leave?: () => void;
  /** Describes the last function of the chart that ran, after a step has thrown. Null if unknown. */
  readonly doing?: () => string | null;
};

/** A fault of the machine that ends a search, with a stable code. */
export class MachineFault extends Error {
  readonly code: string;
  /** The event of the faulty step, if it was found afterwards. */
  readonly event: EventObject | null;

  constructor(code: string, text: string, event: EventObject | null = null) {
    super(text);
    this.code = code;
    this.event = event;
  }
}

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function describeFault(error: unknown) {
  const code = error instanceof MachineFault ? error.code : 'machine/threw';
  return { message: describeError(error), code };
}

/** A step with more microsteps counts as an endless cycle. A machine may set a lower limit. */
export const MOST_MICROSTEPS = 10_000;

export function createEndlessStep(most: number, where = ''): MachineFault {
  const text = `more than ${most} microsteps${where}: a cycle of always or of raised events`;
  return new MachineFault('machine/endless-step', text);
}

/** With more running timers than this and than the chart has states, their number counts as unbounded. */
const MOST_TIMERS = 32;

/** The machine itself, as the recipient of an event. */
export const SELF = '(self)';

/** An event that a machine sends to itself counts as a timer. Timers without an id never replace each other. */
export function applyTimers(
  timers: readonly RunningTimer[],
  effects: readonly MachineEffect[],
  machine: AnyStateMachine,
): readonly RunningTimer[] {
  let running = timers;
  for (const { type, params } of effects) {
    if (type === 'xstate.cancel') running = running.filter(({ id }) => id !== params);
    else if (isTimer(type, params)) {
      const { id = '', event } = params;
      const others = id === '' ? running : running.filter((timer) => timer.id !== id);
      running = [...others, { id, event }].sort(byId);
      if (running.length > MOST_TIMERS) refuseUnbounded(running, machine);
    }
  }
  return running;
}

export function removeFiredTimer(
  timers: readonly RunningTimer[],
  event: EventObject,
): readonly RunningTimer[] {
  const fired = timers.findIndex((timer) => timer.event === event);
  return fired < 0 ? timers : timers.toSpliced(fired, 1);
}

function refuseUnbounded(running: readonly RunningTimer[], machine: AnyStateMachine): void {
  const { nodes, edges } = readChart(machine);
  const most = Math.max(MOST_TIMERS, nodes.length + edges.length);
  if (running.length <= most) return;
  const types = [...new Set(running.map(({ event }) => event.type))].join(', ');
  throw new MachineFault(
    'machine/unbounded-timers',
    `more than ${most} timers run at once (${types}): the machine raises delayed events faster than they fire. Give each an id so that a new one replaces the old one, or cancel it`,
  );
}

function byId(one: RunningTimer, other: RunningTimer): number {
  if (one.id !== other.id) return one.id < other.id ? -1 : 1;
  if (one.id !== '') return 0;
  const [text, next] = [writeValue(one.event), writeValue(other.event)];
  return text < next ? -1 : Number(text > next);
}

/** XState keeps an ended child in the snapshot until its state is left, so a point marks it. */
const ENDED_MARK = '\0';

export function endChild(children: readonly string[], { type }: EventObject): readonly string[] {
  const [, id] = /^xstate\.(?:done|error)\.actor\.(.*)$/s.exec(type) ?? [];
  if (id === undefined || !children.includes(id)) return children;
  return children.map((child) => (child === id ? child + ENDED_MARK : child)).sort();
}

export function markEnded(ids: readonly string[], ended: readonly string[]): readonly string[] {
  return ids.map((id) => (ended.includes(id) ? id + ENDED_MARK : id)).sort();
}

export function nameChild(child: string): string {
  return child.endsWith(ENDED_MARK) ? child.slice(0, -ENDED_MARK.length) : child;
}

export function listRunning(children: readonly string[]): readonly string[] {
  return children.some(hasEnded) ? children.filter((child) => !hasEnded(child)) : children;
}

export function hasEnded(child: string): boolean {
  return child.endsWith(ENDED_MARK);
}

function isTimer(
  type: string,
  params: unknown,
): params is { readonly id?: string; readonly event: EventObject } {
  if (!isObject(params) || !('event' in params)) return false;
  const isToSelf = Reflect.get(params, 'to') === SELF;
  return type === 'xstate.raise' || (type === 'xstate.sendTo' && isToSelf);
}

const PARENT = createEmptyActor();

/** The machine itself, for its functions. Its system and its snapshot cannot be read. */
export function createExternalRecipient() {
  const self = createEmptyActor();
  const system = Object.assign(Object.create(self.system), {
    get: findActor,
    getAll: () => refuseReading('the system'),
    getSnapshot: () => refuseReading('the system'),
  });
  const send = () => refuseReading('self.send');
  return Object.assign(self, { id: SELF, sessionId: SELF, _parent: PARENT, system, send });
}

/** Whether an actor is the machine, its parent, or a child that the search made. */
export function isStandIn(actor: object): boolean {
  const parent: unknown = Reflect.get(actor, '_parent');
  return [actor, parent, readField(parent, '_parent')].includes(PARENT);
}

/** The snapshots of other actors, by system id or id. Null while no step is running. */
export type GivenSnapshots = Readonly<Record<string, unknown>>;
let reading: GivenSnapshots | null = null;
/** Kept because XState or the machine may catch the error. */
let refusal: MachineFault | null = null;
const ACTOR: { getSnapshot: unknown; getPersistedSnapshot: unknown } =
  Object.getPrototypeOf(PARENT);

/** Performs a step. If one of its functions reads another actor, that has a given snapshot, or ends the step. */
export function withoutActors<T>(snapshots: GivenSnapshots, step: () => T): T {
  const [outer, { getSnapshot, getPersistedSnapshot }] = [reading, ACTOR];
  reading = snapshots;
  refusal = null;
  ACTOR.getSnapshot = readSnapshot;
  ACTOR.getPersistedSnapshot = readSnapshot;
  let failure: unknown = null;
  try {
    const result = step();
    if (refusal === null) return result;
  } catch (error) {
    failure = error;
  } finally {
    reading = outer;
    ACTOR.getSnapshot = getSnapshot;
    ACTOR.getPersistedSnapshot = getPersistedSnapshot;
  }
  throw refusal ?? failure;
}

/** Replaces `getSnapshot` and `getPersistedSnapshot` of an actor. */
export function readSnapshot(this: { readonly id: string; readonly systemId?: string }): unknown {
  const name = [this.systemId, this.id].find(
    (one) => one !== undefined && Object.hasOwn(reading ?? {}, one),
  );
  if (name !== undefined) return reading?.[name];
  return refuseReading(
    Reflect.get(this, '_parent') === PARENT ? 'self.getSnapshot' : (this.systemId ?? this.id),
  );
}

function findActor(name: string): unknown {
  if (!Object.hasOwn(reading ?? {}, name)) refuseReading(name);
  return Object.assign(createEmptyActor(), { id: name, systemId: name });
}

function refuseReading(name: string): never {
  const advice = name.startsWith('self.')
    ? 'Use the context and event that the function gets, and raise or sendTo to send'
    : `Give its snapshot, as in snapshots: { ${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: { status: 'active', context: ... } }`;
  refusal = new MachineFault(
    'machine/reads-another-actor',
    `a function of the machine reads another actor, which the checker does not run (${name}). ${advice}`,
  );
  throw refusal;
}

/** Replaces the machine when a function of the chart reads `self`. */
export const EXTERNAL_RECIPIENT = createExternalRecipient();

/** Names an actor, because references are not comparable values. Children are named by their ids. */
export function nameRecipient(target: unknown, self: unknown): unknown {
  if (target === self) return SELF;
  if (target === PARENT) return '(parent)';
  if (!isObject(target)) return target;
  const id = readField(target, 'id');
  return id === '' || id === undefined ? '(anonymous)' : id;
}

/** An unsupported feature of a chart. XState's own engine takes over. */
export class Uncompilable extends Error {
  readonly code = 'model/uncompilable';

  constructor(feature: string, where: string) {
    super(`${feature} (in ${where}) cannot be compiled, so XState's own engine steps the machine`);
  }
}
