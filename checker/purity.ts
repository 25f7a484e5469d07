/**
 * Purity: whether a machine does what every search relies on, namely to leave what it is shown as it is, and to do the
 * same again in the same state.
 *
 * A search keeps the context of a state and steps from it many times. A function of the chart that changes its context
 * instead of returning a new one changes states that were found already; one that looks at a clock or draws a number
 * takes the search along one of several ways. Either would end in a proof of something else, so both are looked for
 * while the search goes on.
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
 * How closely a machine is watched. `each-step`: what it is shown is frozen, and some steps are taken twice.
 * `some-steps`: only the steps that are taken twice are watched, for machines that are known to be pure; that is faster.
 */
export type PurityWatch = 'each-step' | 'some-steps';

/** So many steps are taken twice at first, then one of so many. */
const SAMPLES: Readonly<Record<PurityWatch, { readonly first: number; readonly every: number }>> = {
  'each-step': { first: 512, every: 61 },
  'some-steps': { first: 16, every: 4093 },
};
/** Of the first steps so many are taken again when the search is over: what drifts slowly has drifted by then. */
const REPEATED_AT_LAST = 256;
/** The clock is moved on by so much for the second of two steps: a year and some odd time. */
const OTHER_TIME_MS = 31_622_461_007;

/** A machine that changes what it is shown, or that does now this and now that. */
export const PURITY_CODES = ['machine/changes-its-context', 'machine/not-repeatable'] as const;

function createFault(code: (typeof PURITY_CODES)[number], text: string): MachineFault {
  return new MachineFault(code, text);
}

type WatchedSource = { readonly codec?: Codec };

/** A step that was taken, to be taken again at last. */
type RememberedStep<C> = {
  readonly point: MachinePoint<C>;
  readonly event: EventObject;
  readonly transition: Transition<C>;
};

/** A stepper that throws a `MachineFault` where the machine that it steps turns out to be one. */
export class WatchedStepper<C, E extends EventObject> implements MachineStepper<C, E> {
  readonly engine;
  readonly guards;
  readonly #inner: MachineStepper<C, E>;
  readonly #codec: Codec | null;
  readonly #watch: PurityWatch;
  readonly #sample;
  readonly #frozen = new WeakSet<object>();
  /** Contexts with parts that cannot be frozen, such as a Map: they are compared before and after each step. */
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
      const again = atAnotherTime(() => this.#inner.initial());
      const difference = this.#compare(first, again);
      if (difference !== null) throw createUnrepeatable('the beginning', difference);
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

  /** Takes some of the steps again; throws where one of them ends elsewhere by now. */
  repeat(): void {
    this.#uncounted(() => {
      for (const { point, event, transition } of this.#remembered) {
        const again = atAnotherTime(() => this.#attempt(point, event));
        const difference = this.#compare(transition, again);
        if (difference !== null) throw createUnrepeatable(describeStep(point, event), difference);
      }
    });
  }

  /** The step, and the same step once more: what is returned is the first. */
  #stepTwice(point: MachinePoint<C>, event: E | EventObject): Transition<C> {
    if (this.#watch === 'each-step') this.#freeze(event);
    const before = this.#copy(point.context);
    const shown = this.#copy(event);
    const transition = this.#attempt(point, event);
    this.#refuseChange(before, point, event);
    if (!isSame(shown, event, this.#codec)) throw this.#createChange('the event', point, event);
    this.#uncounted(() => {
      const again = atAnotherTime(() => this.#attempt(point, event));
      const difference = this.#compare(transition, again);
      if (difference !== null) throw createUnrepeatable(describeStep(point, event), difference);
    });
    if (this.#remembered.length < REPEATED_AT_LAST) {
      this.#remembered.push({ point, event, transition });
    }
    return transition;
  }

  /** A step that says who changed what was frozen. */
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
      `${actor} changed ${what} in ${describeStep(point, event)}. Expected a new value: an action returns what is new and leaves what it is shown as it is, as in assign(({ context }) => ({ list: [...context.list, 1] }))`,
    );
  }

  #copy(value: unknown): unknown {
    return copy(value, this.#codec);
  }

  /** A state is stepped from many times in a row: it is frozen when that begins. */
  #freezeContext(point: MachinePoint<C>): void {
    this.#frozenPoint = point;
    const { context } = point;
    if (this.#watch === 'some-steps') return;
    if (this.#freeze(context) || !isObject(context)) return;
    this.#soft.add(context);
    this.#hasSoft = true;
  }

  /** Freezes a value with all its parts; false where one of them can't be. */
  #freeze(value: unknown): boolean {
    if (!isObject(value)) return true;
    if (this.#frozen.has(value)) return !(this.#hasSoft && this.#soft.has(value));
    this.#frozen.add(value);
    if (!isPlain(value)) {
      // An actor or an error is known by what does not change of it.
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

  /** What differs between two transitions that should be the same; null when nothing does. */
  #compare(one: Transition<C>, other: Transition<C>): string | null {
    const [from, to] = [one.point, other.point];
    if (from.place !== to.place) {
      return `it led to ${from.place.name}, and to ${to.place.name} when it was taken again`;
    }
    const codec = this.#codec;
    const path = findDifference(from.context, to.context, codec, 'context');
    if (path !== null) return `${path} was another one when it was taken again`;
    const isSettledAlike =
      from.status === to.status &&
      from.history === to.history &&
      isSame(one.taken, other.taken, codec) &&
      isSame(from.timers, to.timers, codec) &&
      isSame(from.children, to.children, codec);
    if (!isSettledAlike)
      return 'its transitions, timers or children were others when it was taken again';
    const wanted = one.effects.map(({ type }) => type).join();
    if (wanted !== other.effects.map(({ type }) => type).join()) {
      return 'its actions were others when it was taken again';
    }
    return findEffectDifference(one.effects, other.effects, codec);
  }

  /** Does something, and forgets what the guards said meanwhile. */
  #uncounted(work: () => void): void {
    const { guards } = this.#inner;
    const passed = guards?.passed.slice() ?? [];
    const failed = guards?.failed.slice() ?? [];
    work();
    guards?.passed.splice(0, passed.length, ...passed);
    guards?.failed.splice(0, failed.length, ...failed);
  }
}

/** What is handed to others. A log, or what an action of the machine's own is told, may name the time. */
const HANDED_ON = ['xstate.emit', 'xstate.sendTo', 'xstate.output', 'xstate.spawnChild'];

function findEffectDifference(
  effects: readonly MachineEffect[],
  others: readonly MachineEffect[],
  codec: Codec | null,
): string | null {
  for (const [index, { type, params }] of effects.entries()) {
    if (!HANDED_ON.includes(type)) continue;
    if (!isSame(params, others[index]?.params, codec)) {
      return `what it hands on (${type}) was another value when it was taken again`;
    }
  }
  return null;
}

function createUnrepeatable(where: string, difference: string): MachineFault {
  return createFault(
    'machine/not-repeatable',
    `${where} is not repeatable: ${difference}. Expected guards and actions that depend on context and event only: put a time or a random number into the event`,
  );
}

function describeStep<C>({ place }: MachinePoint<C>, { type }: EventObject): string {
  return `${place.name} on ${type}`;
}

/** What V8, SpiderMonkey and JavaScriptCore say when something frozen is to be changed. */
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

/** The name of what was to be changed; null where an error says something else. */
function findFrozenName(message: string): string | null {
  for (const pattern of FROZEN) {
    const [found, name] = pattern.exec(message) ?? [];
    if (found !== undefined) return name === undefined || name === '' ? 'a part' : `"${name}"`;
  }
  return null;
}

/** Does something as if it were done at another time: what looks at the clock is found out. */
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

/** What a value of a class stands for; the parts of a Map or a Set, and its own fields of anything else. */
function describeParts(value: object, codec: Codec | null): unknown {
  const coded = encode(value, codec);
  if (coded !== undefined) return coded;
  if (value instanceof Map || value instanceof Set) return [...value];
  if (value instanceof Date) return value.getTime();
  if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array); // numbers, whatever their width
  return { ...value };
}

/** Values may stand so deep within each other. */
const DEEPEST = 500;

/** What a value of a class stood for when it was copied. */
class CopiedParts {
  readonly parts: unknown;

  constructor(parts: unknown) {
    this.parts = parts;
  }
}

/** A value as it is now, to be compared with what becomes of it. */
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

/** Whether two values are equal in all their parts; functions are when their names are. */
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

/** The path of the first part in which two values differ; null when they are the same. */
function findDifference(
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
