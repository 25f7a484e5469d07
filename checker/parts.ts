/**
 * The parts of an object, for every comparison. Own keys of every kind count, and so does the content of XState's actors,
 * of errors and of JavaScript's collections. Other hidden state has no parts. The realm of an object does not matter.
 */
import { isStandIn } from './stepper.ts';
import { readField } from './values.ts';

/** Converts a class instance to JSON. Returns undefined for a value that it does not know. */
export type Codec = (value: object) => unknown;

export type ValueParts = {
  /** Values of different kinds are never equal. */
  readonly kind: unknown;
  readonly parts: readonly (readonly [name: PropertyKey, value: unknown])[];
};

/** The parts of an object, or null if some of its state is hidden. */
export function readParts(value: object, codec: Codec | null): ValueParts | null {
  const kind: unknown = Object.getPrototypeOf(value);
  if (isPlain(value)) return { kind, parts: listOwn(value) };
  const coded = codec?.(value);
  if (coded !== undefined) return { kind, parts: [['', coded]] };
  // The search makes its own children anew at each step. Other actors are only themselves.
  if (isActor(value))
    return isStandIn(value)
      ? { kind: 'actor', parts: [['', value.id]] }
      : { kind: value, parts: [] };
  const inner = readHidden(value);
  if (inner === null) return null;
  const hidden = inner.map((part, index) => [`(${index})`, part] as const);
  return { kind, parts: [...hidden, ...listOwn(value)] };
}

export function readVisible(value: object, codec: Codec | null): ValueParts {
  const kind: unknown = Object.getPrototypeOf(value);
  return readParts(value, codec) ?? { kind, parts: listOwn(value) };
}

function listOwn(value: object): readonly (readonly [PropertyKey, unknown])[] {
  const isView = ArrayBuffer.isView(value);
  return Reflect.ownKeys(value)
    .filter((name) => !(name === 'stack' && isError(value)) && !(isView && isIndex(name)))
    .map((name) => [name, Reflect.get(value, name)] as const);
}

function isIndex(name: PropertyKey): boolean {
  return typeof name === 'string' && /^\d+$/.test(name);
}

/** Objects and arrays without a class, of any realm. */
export function isPlain(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  if (Array.isArray(value)) return Array.isArray(prototype);
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf');
}

function isActor(value: object): value is { readonly id: string } {
  if (!('sessionId' in value && 'getSnapshot' in value)) return false;
  return (
    typeof readField(value, 'id') === 'string' && typeof readField(value, 'send') === 'function'
  );
}

function isError(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Error]';
}

/** The content that JavaScript keeps in a built-in object beside its keys. Throws for an object that only looks like one. */
const READERS: Readonly<Record<string, (value: never) => readonly unknown[]>> = {
  Map: (value) => [...Map.prototype.entries.call(value)],
  Set: (value) => [...Set.prototype.values.call(value)],
  Date: (value) => [Date.prototype.getTime.call(value)],
  RegExp: (value: RegExp) => [value.source, value.flags],
  Error: ({ name, message }: Error) => [name, message],
  Number: (value) => [Number.prototype.valueOf.call(value)],
  String: (value) => [String.prototype.valueOf.call(value)],
  Boolean: (value) => [Boolean.prototype.valueOf.call(value)],
  BigInt: (value) => [BigInt.prototype.valueOf.call(value)],
  Symbol: (value) => [Symbol.prototype.valueOf.call(value)],
  ArrayBuffer: (value) => [...new Uint8Array(value)],
};

function readHidden(value: object): readonly unknown[] | null {
  if (ArrayBuffer.isView(value))
    return [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)];
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  const read = READERS[tag];
  // A class of one's own may add hidden fields. Errors are refused only if their class shows some.
  const isOpen = tag === 'Error' && !/[\s{;.]#\w/.test(String(value.constructor));
  if (read === undefined || !(isNative(value) || isOpen)) return null;
  try {
    return read(value as never);
  } catch {
    return null;
  }
}

function isNative(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  const made: unknown =
    prototype !== null && Object.hasOwn(prototype, 'constructor') && prototype.constructor;
  return (
    typeof made === 'function' &&
    /\[native code\]\s*\}$/.test(Function.prototype.toString.call(made))
  );
}

export function nameClass(value: object): string {
  const made: unknown = value.constructor;
  return typeof made === 'function' && made.name !== '' ? made.name : 'class without a name';
}
