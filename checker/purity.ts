/** Detects impure machines: a changed context corrupts known states, a clock or a random number hides other paths. */
import type { EventObject } from 'xstate';
import { type Codec, isPlain, readVisible } from './parts.ts';
import {
  type GivenSnapshots,
  MachineFault,
  type MachinePoint,
  type MachineStepper,
  type Transition,
  withoutActors,
} from './stepper.ts';
import { isObject, joinPath } from './values.ts';

/**
 * How closely to watch a machine. `each-step`: compares the context of every state and the event of every step with a
 * copy, and repeats some steps. `some-steps`: only watches the repeated steps. It is faster and meant for machines
 * known to be pure. Nothing of the caller is ever frozen.
 */
export type PurityWatch = 'each-step' | 'some-steps';

/** The first steps are all repeated, later ones at this interval. */
const SAMPLES: Readonly<Record<PurityWatch, { readonly first: number; readonly every: number }>> = {
  'each-step': { first: 512, every: 61 },
  'some-steps': { first: 16, every: 4093 },
};
/** Number of first steps repeated at the end of the search, to detect slow drift. Fewer are repeated several times. */
const REPEATED_AT_LAST = 256;
/** Clock offset for a repeated step: a year and some odd time. */
const OTHER_TIME_MS = 31_622_461_007;

export const PURITY_CODES = ['machine/changes-its-context', 'machine/not-repeatable'] as const;

type WatchedSource = {
  readonly codec?: Codec | undefined;
  readonly snapshots?: GivenSnapshots | undefined;
};

/** A stepper that throws a `MachineFault` when the machine turns out to be impure. */
export class WatchedStepper<C, E extends EventObject> implements MachineStepper<C, E> {
  readonly engine;
  readonly guards;
  readonly #inner: MachineStepper<C, E>;
  readonly #codec: Codec | null;
  readonly #watch: PurityWatch;
  readonly #sample;
  readonly #snapshots: GivenSnapshots;
  /** The point whose steps are being taken, a copy of its context, and the events so far. */
  #current: {
    readonly point: MachinePoint<C>;
    readonly before: unknown;
    readonly events: EventObject[];
  } | null = null;
  #steps = 0;
  readonly #remembered: {
    readonly point: MachinePoint<C>;
    readonly event: EventObject;
    readonly transition: Transition<C>;
  }[] = [];

  constructor(
    inner: MachineStepper<C, E>,
    { codec, snapshots }: WatchedSource,
    watch: PurityWatch,
  ) {
    this.#inner = inner;
    this.#codec = codec ?? null;
    this.#snapshots = snapshots ?? {};
    this.#watch = watch;
    this.#sample = SAMPLES[watch];
    this.engine = inner.engine;
    this.guards = inner.guards;
  }

  initial(): Transition<C> {
    const start = () => withoutActors(this.#snapshots, () => this.#inner.initial());
    const first = start();
    this.#uncounted(() => this.#repeatOnce(first, 'the beginning', start));
    return first;
  }

  step(point: MachinePoint<C>, event: E | EventObject): Transition<C> {
    this.#steps += 1;
    const isSampled = this.#steps <= this.#sample.first || this.#steps % this.#sample.every === 0;
    if (this.#watch === 'some-steps' && !isSampled) return this.#take(point, event);
    if (point !== this.#current?.point) {
      this.leave();
      this.#current = { point, before: copy(point.context, this.#codec), events: [] };
    }
    this.#current?.events.push(event);
    if (!isSampled) return this.#compared(point, event);
    const transition = this.#stepTwice(point, event);
    if (this.#watch === 'some-steps') this.#current = null;
    return transition;
  }

  repeat(): void {
    this.leave();
    const { length } = this.#remembered;
    this.#uncounted(() => {
      for (let done = 0; length > 0 && done < REPEATED_AT_LAST; done += length) {
        for (const { point, event, transition } of this.#remembered)
          this.#repeatOnce(transition, describeStep(point, event), () => this.#take(point, event));
      }
    });
  }

  #take(point: MachinePoint<C>, event: E | EventObject): Transition<C> {
    return withoutActors(this.#snapshots, () => this.#inner.step(point, event));
  }

  /** Throws if the context of the current point has changed. */
  leave(): void {
    const left = this.#current;
    this.#current = null;
    if (left === null || isSame(left.before, left.point.context, this.#codec)) return;
    for (const event of left.events) this.#blame(left.point, left.before, event);
    const where = `one of the steps from ${left.point.place.name}`;
    throw createChange('a function of the chart', 'its context', where);
  }

  /** Takes a step, and throws if it changed its event. */
  #compared(point: MachinePoint<C>, event: E | EventObject): Transition<C> {
    const shown = copy(event, this.#codec);
    const transition = this.#take(point, event);
    if (!isSame(shown, event, this.#codec)) {
      this.#blame(point, this.#current?.before, shown as EventObject); // a copy of one
      throw createChange(this.#actor(), 'its event', describeStep(point, event));
    }
    return transition;
  }

  #actor(): string {
    return this.#inner.doing?.() ?? 'a function of the chart';
  }

  /** Repeats a step with frozen copies, which names the function that changes one of them. It is blamed once. */
  #blame(point: MachinePoint<C>, before: unknown, event: EventObject): void {
    this.#current = null;
    try {
      const context = freeze(before) as C; // a copy of one
      this.#take({ ...point, context }, freeze(copy(event, this.#codec)) as EventObject);
    } catch (error) {
      const name = error instanceof Error ? findFrozenName(error.message) : null;
      if (name === null) return;
      const path = findDifference(before, point.context, this.#codec, 'context');
      const what = path ?? `${name} of its context or its event`;
      throw createChange(this.#actor(), what, describeStep(point, event), event);
    }
  }

  #repeatOnce(transition: Transition<C>, where: string, step: () => Transition<C>): void {
    const difference = this.#compare(transition, atAnotherTime(step));
    if (difference === null) return;
    throw new MachineFault(
      'machine/not-repeatable',
      `${where} is not repeatable: ${difference}. Expected guards and actions that depend only on context and event: put a time or a random number into the event`,
    );
  }

  #stepTwice(point: MachinePoint<C>, event: E | EventObject): Transition<C> {
    const { before } = this.#current ?? {};
    const transition = this.#compared(point, event);
    if (!isSame(before, point.context, this.#codec)) {
      this.#blame(point, before, event);
      throw createChange(this.#actor(), 'its context', describeStep(point, event));
    }
    this.#uncounted(() => {
      this.#repeatOnce(transition, describeStep(point, event), () => this.#take(point, event));
    });
    if (this.#remembered.length < REPEATED_AT_LAST)
      this.#remembered.push({ point, event, transition });
    return transition;
  }

  #compare(one: Transition<C>, other: Transition<C>): string | null {
    const [from, to] = [one.point, other.point];
    if (from.place !== to.place)
      return `it led to ${from.place.name}, and to ${to.place.name} on repetition`;
    const codec = this.#codec;
    const path = findDifference(from.context, to.context, codec, 'context');
    if (path !== null) return `${path} differed on repetition`;
    const settled = ({ taken, point: { status, history, timers, children } }: Transition<C>) =>
      [taken, status, history, timers, children] as const;
    if (!isSame(settled(one), settled(other), codec))
      return 'its transitions, timers or children differed on repetition';
    const wanted = one.effects.map(({ type }) => type).join();
    if (wanted !== other.effects.map(({ type }) => type).join())
      return 'its actions differed on repetition';
    const unlike = one.effects.find(
      ({ type, params }, index) =>
        HANDED_ON.includes(type) && !isSame(params, other.effects[index]?.params, codec),
    );
    if (unlike === undefined) return null;
    return `its effect ${unlike.type} had another value on repetition`;
  }

  #uncounted(work: () => void): void {
    const { guards } = this.#inner;
    const passed = guards?.passed.slice() ?? [];
    const failed = guards?.failed.slice() ?? [];
    work();
    guards?.passed.splice(0, passed.length, ...passed);
    guards?.failed.splice(0, failed.length, ...failed);
  }
}

function createChange(
  actor: string,
  what: string,
  where: string,
  event: EventObject | null = null,
): MachineFault {
  return new MachineFault(
    'machine/changes-its-context',
    `${actor} changed ${what} in ${where}. Expected a new value that leaves the old one unchanged, as in assign(({ context }) => ({ list: [...context.list, 1] }))`,
    event,
  );
}

/** Effects that others receive. A log or a custom action may contain the time. */
const HANDED_ON = ['xstate.emit', 'xstate.sendTo', 'xstate.output', 'xstate.spawnChild'];

function describeStep<C>({ place }: MachinePoint<C>, { type }: EventObject): string {
  return `${place.name} on ${type}`;
}

/** The messages of V8, SpiderMonkey and JavaScriptCore for writes to a frozen value. */
const FROZEN = [
  /read only property '([^']*)'/,
  /Cannot add property (\S+), object is not extensible/,
  /Cannot delete property '([^']*)'/,
  /Cannot (?:re)?define property:? ([^\s,]+)/,
  /"([^"]*)" is read-only/,
  /can't define property "([^"]*)"/,
  /property "([^"]*)" is non-configurable/,
  /readonly property()/,
  /object that is not extensible()/,
];

function findFrozenName(message: string): string | null {
  for (const pattern of FROZEN) {
    const [found, name] = pattern.exec(message) ?? [];
    if (found !== undefined) return name === undefined || name === '' ? 'a part' : `"${name}"`;
  }
  return null;
}

function atAnotherTime<T>(work: () => T): T {
  const { Date: here } = globalThis;
  const now = () => here.now() + OTHER_TIME_MS;
  globalThis.Date = new Proxy(here, {
    construct: (date, args, made) =>
      Reflect.construct(date, args.length === 0 ? [now()] : args, made),
    get: (date, name, self) => (name === 'now' ? now : Reflect.get(date, name, self)),
  });
  try {
    return work();
  } finally {
    globalThis.Date = here;
  }
}

/** A copied object with a class, or with names that an ordinary object does not show. */
class CopiedParts {
  readonly source: object;
  readonly kind: unknown;
  readonly parts: ReadonlyMap<PropertyKey, unknown>;

  constructor(source: object, codec: Codec | null, part: (value: unknown) => unknown) {
    const read = readVisible(source, codec);
    this.source = source;
    this.kind = read.kind;
    this.parts = new Map(read.parts.map(([name, value]) => [name, part(value)]));
  }
}

function copy(value: unknown, codec: Codec | null, known = new Map<object, unknown>()): unknown {
  if (!isObject(value)) return value;
  const before = known.get(value);
  if (before !== undefined) return before;
  const inner = (part: unknown) => copy(part, codec, known);
  if (!isPlain(value)) {
    known.set(value, value); // an object that is part of itself
    const copied = new CopiedParts(value, codec, inner);
    known.set(value, copied);
    return copied;
  }
  const copied = Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value));
  known.set(value, copied);
  for (const name of Reflect.ownKeys(value)) copied[name] = inner(Reflect.get(value, name));
  return copied;
}

/** Freezes a copy, with the original objects in place of the parts. */
function freeze(copied: unknown, done = new Set<object>()): unknown {
  if (copied instanceof CopiedParts) return copied.source;
  if (!isObject(copied) || done.has(copied)) return copied;
  done.add(copied);
  for (const name of Reflect.ownKeys(copied)) {
    if (name !== 'length') Reflect.set(copied, name, freeze(Reflect.get(copied, name), done));
  }
  return Object.freeze(copied);
}

/** From this depth on, pairs are remembered, because an object may be part of itself. */
const DEEP = 8;

type ComparedPairs = { depth: number; known: Map<object, object> | null };

/** Whether two values are deeply equal. Functions are equal if their names are. */
function isSame(
  one: unknown,
  other: unknown,
  codec: Codec | null,
  pairs: ComparedPairs = { depth: 0, known: null },
): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one === 'function' && typeof other === 'function') return one.name === other.name;
  if (!isObject(one) || !isObject(other)) return false;
  if (pairs.depth > DEEP) {
    pairs.known ??= new Map();
    if (pairs.known.get(one) === other) return true;
    pairs.known.set(one, other);
  }
  pairs.depth += 1;
  const areSame = haveSameParts(one, other, codec, pairs);
  pairs.depth -= 1;
  return areSame;
}

function haveSameParts(
  one: object,
  other: object,
  codec: Codec | null,
  pairs: ComparedPairs,
): boolean {
  const inner = (part: unknown, next: unknown) => isSame(part, next, codec, pairs);
  if (one instanceof CopiedParts || !isPlain(one)) {
    const { kind, parts } = one instanceof CopiedParts ? one : readVisible(one, codec);
    const read = readVisible(other, codec);
    const [left, right] = [new Map(parts), new Map(read.parts)];
    if (kind !== read.kind || left.size !== right.size) return false;
    return [...left].every(([name, part]) => right.has(name) && inner(part, right.get(name)));
  }
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  const names = Reflect.ownKeys(one);
  return (
    names.length === Reflect.ownKeys(other).length &&
    names.every(
      (name) =>
        Object.hasOwn(other, name) && inner(Reflect.get(one, name), Reflect.get(other, name)),
    )
  );
}

export function findDifference(
  one: unknown,
  other: unknown,
  codec: Codec | null,
  path: string,
): string | null {
  if (isSame(one, other, codec)) return null;
  if (!isObject(one) || !isObject(other) || !isPlain(one) || !isPlain(other)) return path;
  for (const name of Object.keys({ ...one, ...other })) {
    const step = joinPath(path, name, Array.isArray(one));
    const found = findDifference(Reflect.get(one, name), Reflect.get(other, name), codec, step);
    if (found !== null) return found;
  }
  return path;
}
