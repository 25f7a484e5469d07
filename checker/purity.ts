/**
 * Detects impure machines. A search steps from the same state many times, so a machine must not
 * modify its context or event and must give the same result in the same state. A function that
 * modifies its context corrupts known states. A function that reads a clock or a random number
 * takes only one of several paths. Either would invalidate a proof, so the search watches for both.
 */
import type { EventObject } from 'xstate';
import { type Codec, encode } from './identity.ts';
import {
  type MachineEffect,
  MachineFault,
  type MachinePoint,
  type MachineStepper,
  type Transition,
} from './stepper.ts';

/**
 * How closely to watch a machine. `each-step`: freezes the context and events of every step and repeats some steps.
 * `some-steps`: only watches the repeated steps. It is faster and meant for machines known to be pure.
 */
export type PurityWatch = 'each-step' | 'some-steps';

/** The first steps are all repeated, later ones at this interval. */
const SAMPLES: Readonly<Record<PurityWatch, { readonly first: number; readonly every: number }>> = {
  'each-step': { first: 512, every: 61 },
  'some-steps': { first: 16, every: 4093 },
};
/** Number of first steps repeated at the end of the search, to detect slow drift. */
const REPEATED_AT_LAST = 256;
/** Clock offset for a repeated step: a year and some odd time. */
const OTHER_TIME_MS = 31_622_461_007;

export const PURITY_CODES = ['machine/changes-its-context', 'machine/not-repeatable'] as const;

function createFault(code: (typeof PURITY_CODES)[number], text: string): MachineFault {
  return new MachineFault(code, text);
}

type WatchedSource = { readonly codec?: Codec };

type RememberedStep<C> = {
  readonly point: MachinePoint<C>;
  readonly event: EventObject;
  readonly transition: Transition<C>;
};

/** A stepper that throws a `MachineFault` when the machine turns out to be impure. */
export class WatchedStepper<C, E extends EventObject> implements MachineStepper<C, E> {
  readonly engine;
  readonly guards;
  readonly #inner: MachineStepper<C, E>;
  readonly #codec: Codec | null;
  readonly #watch: PurityWatch;
  readonly #sample;
  readonly #frozen = new WeakSet<object>();
  /** Contexts with parts that cannot be frozen, such as a Map. They are compared before and after each step. */
  readonly #soft = new WeakSet<object>();
  #hasSoft = false;
  /** The point whose context was frozen last. */
  #frozenPoint: MachinePoint<C> | null = null;
  #steps = 0;
  readonly #remembered: RememberedStep<C>[] = [];

  constructor(inner: MachineStepper<C, E>, { codec }: WatchedSource, watch: PurityWatch) {
    this.#inner = inner;
    this.#codec = codec ?? null;
    this.#watch = watch;
    this.#sample = SAMPLES[watch];
    this.engine = inner.engine;
    this.guards = inner.guards;
  }

  initial(): Transition<C> {
    const first = this.#inner.initial();
    this.#uncounted(() => {
      this.#repeatOnce(first, 'the beginning', () => this.#inner.initial());
    });
    return first;
  }

  step(point: MachinePoint<C>, event: E | EventObject): Transition<C> {
    this.#steps += 1;
    if (point !== this.#frozenPoint) this.#freezeContext(point);
    if (this.#steps <= this.#sample.first || this.#steps % this.#sample.every === 0) {
      return this.#stepTwice(point, event);
    }
    if (this.#watch === 'some-steps') return this.#inner.step(point, event);
    this.#freeze(event);
    const isSoft = this.#hasSoft && isObject(point.context) && this.#soft.has(point.context);
    const before = isSoft ? { context: this.#copy(point.context) } : null;
    const transition = this.#attempt(point, event);
    if (before !== null) this.#refuseChange(before.context, point, event);
    return transition;
  }

  /** Repeats some steps and throws if one of them now has another result. */
  repeat(): void {
    this.#uncounted(() => {
      for (const { point, event, transition } of this.#remembered) {
        this.#repeatOnce(transition, describeStep(point, event), () => this.#attempt(point, event));
      }
    });
  }

  /** Throws unless a later repetition of a step gives the same transition. */
  #repeatOnce(transition: Transition<C>, where: string, step: () => Transition<C>): void {
    const difference = this.#compare(transition, atAnotherTime(step));
    if (difference === null) return;
    throw createFault(
      'machine/not-repeatable',
      `${where} is not repeatable: ${difference}. Expected guards and actions that depend only on context and event: put a time or a random number into the event`,
    );
  }

  /** Performs a step twice and returns the first result. */
  #stepTwice(point: MachinePoint<C>, event: E | EventObject): Transition<C> {
    if (this.#watch === 'each-step') this.#freeze(event);
    const before = this.#copy(point.context);
    const shown = this.#copy(event);
    const transition = this.#attempt(point, event);
    this.#refuseChange(before, point, event);
    if (!isSame(shown, event, this.#codec)) throw this.#createChange('the event', point, event);
    this.#uncounted(() => {
      this.#repeatOnce(transition, describeStep(point, event), () => this.#attempt(point, event));
    });
    if (this.#remembered.length < REPEATED_AT_LAST) {
      this.#remembered.push({ point, event, transition });
    }
    return transition;
  }

  /** Performs a step and names the function that modified a frozen value. */
  #attempt(point: MachinePoint<C>, event: E | EventObject): Transition<C> {
    try {
      return this.#inner.step(point, event);
    } catch (error) {
      const what = error instanceof Error ? findFrozenName(error.message) : null;
      if (what === null) throw error;
      throw this.#createChange(`${what} of its context or its event`, point, event);
    }
  }

  #refuseChange(before: unknown, point: MachinePoint<C>, event: EventObject): void {
    if (!isSame(before, point.context, this.#codec)) {
      throw this.#createChange('its context', point, event);
    }
  }

  #createChange(what: string, point: MachinePoint<C>, event: EventObject): MachineFault {
    const actor = this.#inner.doing?.() ?? 'a function of the chart';
    return createFault(
      'machine/changes-its-context',
      `${actor} changed ${what} in ${describeStep(point, event)}. Expected a new value that leaves the old one unchanged, as in assign(({ context }) => ({ list: [...context.list, 1] }))`,
    );
  }

  #copy(value: unknown): unknown {
    return copy(value, this.#codec);
  }

  /** A state is stepped from many times in a row, so it is frozen once. */
  #freezeContext(point: MachinePoint<C>): void {
    this.#frozenPoint = point;
    const { context } = point;
    if (this.#watch === 'some-steps') return;
    if (this.#freeze(context) || !isObject(context)) return;
    this.#soft.add(context);
    this.#hasSoft = true;
  }

  /** Freezes a value with all its parts. Returns false if one of them cannot be frozen. */
  #freeze(value: unknown): boolean {
    if (!isObject(value)) return true;
    if (this.#frozen.has(value)) return !(this.#hasSoft && this.#soft.has(value));
    this.#frozen.add(value);
    if (!isPlain(value)) {
      // The encoding of an actor or an error covers only its constant parts.
      const isSolid = this.#codec?.(value) === undefined && encode(value, null) !== undefined;
      if (!isSolid) this.#markSoft(value);
      return isSolid;
    }
    Object.freeze(value);
    let isSolid = true;
    for (const name in value) {
      const part: unknown = value[name as keyof typeof value]; // a name of its own
      if (isObject(part) && !this.#freeze(part)) isSolid = false;
    }
    if (!isSolid) this.#markSoft(value);
    return isSolid;
  }

  #markSoft(value: object): void {
    this.#soft.add(value);
    this.#hasSoft = true;
  }

  /** Describes the difference between two transitions that should be equal, or null. */
  #compare(one: Transition<C>, other: Transition<C>): string | null {
    const [from, to] = [one.point, other.point];
    if (from.place !== to.place) {
      return `it led to ${from.place.name}, and to ${to.place.name} on repetition`;
    }
    const codec = this.#codec;
    const path = findDifference(from.context, to.context, codec, 'context');
    if (path !== null) return `${path} differed on repetition`;
    const isSettledAlike =
      from.status === to.status &&
      from.history === to.history &&
      isSame(one.taken, other.taken, codec) &&
      isSame(from.timers, to.timers, codec) &&
      isSame(from.children, to.children, codec);
    if (!isSettledAlike) return 'its transitions, timers or children differed on repetition';
    const wanted = one.effects.map(({ type }) => type).join();
    if (wanted !== other.effects.map(({ type }) => type).join()) {
      return 'its actions differed on repetition';
    }
    return findEffectDifference(one.effects, other.effects, codec);
  }

  /** Runs `work` and restores the guard counts afterwards. */
  #uncounted(work: () => void): void {
    const { guards } = this.#inner;
    const passed = guards?.passed.slice() ?? [];
    const failed = guards?.failed.slice() ?? [];
    work();
    guards?.passed.splice(0, passed.length, ...passed);
    guards?.failed.splice(0, failed.length, ...failed);
  }
}

/** Effects that others receive. A log or a custom action may contain the time. */
const HANDED_ON = ['xstate.emit', 'xstate.sendTo', 'xstate.output', 'xstate.spawnChild'];

function findEffectDifference(
  effects: readonly MachineEffect[],
  others: readonly MachineEffect[],
  codec: Codec | null,
): string | null {
  for (const [index, { type, params }] of effects.entries()) {
    if (!HANDED_ON.includes(type)) continue;
    if (!isSame(params, others[index]?.params, codec)) {
      return `its effect ${type} had another value on repetition`;
    }
  }
  return null;
}

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

/** The name of the modified property, or null for another error. */
function findFrozenName(message: string): string | null {
  for (const pattern of FROZEN) {
    const [found, name] = pattern.exec(message) ?? [];
    if (found !== undefined) return name === undefined || name === '' ? 'a part' : `"${name}"`;
  }
  return null;
}

/** Runs `work` with a shifted clock, to detect functions that read it. */
function atAnotherTime<T>(work: () => T): T {
  const { Date: here } = globalThis;
  class OtherDate extends here {
    constructor(...args: readonly unknown[]) {
      if (args.length === 0) super(here.now() + OTHER_TIME_MS);
      else super(...(args as [number])); // whatever a date is made of
    }
    static override now(): number {
      return here.now() + OTHER_TIME_MS;
    }
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof here;
    }
  }
  Object.defineProperty(OtherDate, 'name', { value: here.name });
  globalThis.Date = OtherDate as DateConstructor;
  try {
    return work();
  } finally {
    globalThis.Date = here;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The comparable parts of a class instance: the elements of a Map or Set, otherwise its own fields. */
function describeParts(value: object, codec: Codec | null): unknown {
  const coded = encode(value, codec);
  if (coded !== undefined) return coded;
  if (value instanceof Map || value instanceof Set) return [...value];
  if (value instanceof Date) return value.getTime();
  if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array); // numbers, whatever their width
  return { ...value };
}

const DEEPEST = 500;

/** The parts of a class instance when it was copied. */
class CopiedParts {
  readonly parts: unknown;

  constructor(parts: unknown) {
    this.parts = parts;
  }
}

function copy(value: unknown, codec: Codec | null, depth = 0): unknown {
  if (!isObject(value) || depth > DEEPEST) return value;
  if (!isPlain(value)) return new CopiedParts(copy(describeParts(value, codec), codec, depth + 1));
  if (Array.isArray(value)) return value.map((part) => copy(part, codec, depth + 1));
  const copied = Object.create(Object.getPrototypeOf(value));
  for (const name in value) {
    copied[name] = copy(value[name as keyof typeof value], codec, depth + 1); // a name of its own
  }
  return copied;
}

/** Whether two values are deeply equal. Functions are equal if their names are. */
function isSame(one: unknown, other: unknown, codec: Codec | null, depth = 0): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one === 'function' && typeof other === 'function') return one.name === other.name;
  if (!isObject(one) || !isObject(other) || depth > DEEPEST) return false;
  if (one instanceof CopiedParts) {
    return isSame(one.parts, describeParts(other, codec), codec, depth + 1);
  }
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  if (!isPlain(one)) {
    return isSame(describeParts(one, codec), describeParts(other, codec), codec, depth + 1);
  }
  let names = 0;
  for (const name in one) {
    const [part, next]: [unknown, unknown] = [
      one[name as keyof typeof one], // a name of its own
      other[name as keyof typeof other],
    ];
    if (!(name in other) || !isSame(part, next, codec, depth + 1)) return false;
    names += 1;
  }
  return names === Object.keys(other).length;
}

/** The path of the first differing part, or null. */
export function findDifference(
  one: unknown,
  other: unknown,
  codec: Codec | null,
  path: string,
): string | null {
  if (isSame(one, other, codec)) return null;
  if (!isObject(one) || !isObject(other) || !isPlain(one) || !isPlain(other)) return path;
  for (const name of Object.keys({ ...one, ...other })) {
    const step = Array.isArray(one) ? `[${name}]` : `.${name}`;
    const found = findDifference(
      Reflect.get(one, name),
      Reflect.get(other, name),
      codec,
      path + step,
    );
    if (found !== null) return found;
  }
  return path;
}
