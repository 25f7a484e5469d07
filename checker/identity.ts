/**
 * Decides whether two values are exactly the same. Equal parts of values get equal numbers (hash-consing), which
 * compares whole states without serializing them. The order of an object's keys does not matter. A key with the value
 * undefined does. Functions and symbols are compared by reference. A value without an exact identity is refused.
 */
import { type Codec, isPlain, nameClass, readParts } from './parts.ts';
import { joinPath, remember } from './values.ts';

const FIRST_SLOTS = 1024;
/** Before each list, its number and its length are stored. */
const HEAD = 2;

/** Numbers distinct lists of integers from 0 in order of arrival. Comparing in full, a collision costs only time. */
export class TupleTable {
  #cells = new Int32Array(FIRST_SLOTS);
  #used = 0;
  #size = 0;
  /** Pairs of a list's index plus one (0 for an empty slot) and its hash. The number of pairs is a power of two. */
  #slots = new Int32Array(FIRST_SLOTS * 2);

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#cells.byteLength + this.#slots.byteLength;
  }

  /** The number of the tuple in `from` between two indices. */
  of(from: Int32Array, start: number, end: number): number {
    const slots = this.#slots;
    const cells = this.#cells;
    const mask = slots.length - 2;
    const mixed = hash(from, start, end);
    for (let at = (mixed << 1) & mask; ; at = (at + 2) & mask) {
      const cell = (slots[at] ?? 0) - 1;
      if (cell === -1) return this.#add(at, mixed, from.subarray(start, end));
      if (slots[at + 1] !== mixed || cells[cell + 1] !== end - start) continue;
      let left = start;
      let right = cell + HEAD;
      while (left < end && from[left] === cells[right]) {
        left++;
        right++;
      }
      if (left === end) return cells[cell] ?? 0;
    }
  }

  #add(slot: number, mixed: number, tuple: Int32Array): number {
    const end = this.#used + HEAD + tuple.length;
    if (end > this.#cells.length) {
      const wider = new Int32Array(Math.max(this.#cells.length * 2, end));
      wider.set(this.#cells);
      this.#cells = wider;
    }
    this.#slots[slot] = this.#used + 1;
    this.#slots[slot + 1] = mixed;
    this.#cells[this.#used] = this.#size;
    this.#cells[this.#used + 1] = tuple.length;
    this.#cells.set(tuple, this.#used + HEAD);
    this.#used = end;
    this.#size += 1;
    if (this.#size * 4 > this.#slots.length) this.#widen();
    return this.#size - 1;
  }

  /** Doubles the slots. At most half of them are used. */
  #widen(): void {
    const old = this.#slots;
    const slots = new Int32Array(old.length * 2);
    const mask = slots.length - 2;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from] === 0) continue;
      let at = ((old[from + 1] ?? 0) << 1) & mask;
      while (slots[at] !== 0) at = (at + 2) & mask;
      slots[at] = old[from] ?? 0;
      slots[at + 1] = old[from + 1] ?? 0;
    }
    this.#slots = slots;
  }
}

/** Rotates and multiplies each number, then mixes the high bits into the low ones with MurmurHash3's finalizer. */
function hash(from: Int32Array, start: number, end: number): number {
  let mixed = end - start;
  for (let at = start; at < end; at++) {
    const turned = (mixed << 5) | (mixed >>> 27);
    mixed = Math.imul(turned ^ (from[at] ?? 0), 0x9e3779b1);
  }
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

const DEEPEST = 500;

export class Unhashable extends Error {
  readonly code = 'model/unidentifiable';
  readonly path: string;
  readonly found: string;

  constructor(path: string, found: string, isClass = false) {
    const name = path.split(/[.[]/)[0] || 'name';
    const view = `leave it out of the comparison with view: ({ context: { ${name}: _, ...rest } }) => rest`;
    const codec = `give it a codec, as in codec: (value) => (value instanceof ${found.replace(/^a (class without a name)?/, '') || 'ItsClass'} ? { ... } : undefined)`;
    super(
      `${path === '' ? 'the value' : path} is ${found}: it has no exact identity. ${isClass ? `Either ${codec}, or ` : 'Please '}${view}`,
    );
    this.path = path;
    this.found = found;
  }
}

/** Finds the first part of a value without an exact identity. Slow, and called only to report a refusal. */
function searchUnhashable(
  value: unknown,
  path: string,
  above: readonly object[],
  codec: Codec | null,
): Unhashable | null {
  if (typeof value !== 'object' || value === null) return null;
  if (above.includes(value)) return new Unhashable(path, 'part of itself');
  if (above.length >= DEEPEST) return new Unhashable(path, `more than ${DEEPEST} levels deep`);
  const read = readParts(value, codec);
  if (read === null) return new Unhashable(path, `a ${nameClass(value)}`, true);
  for (const [name, part] of read.parts) {
    const step = isPlain(value) ? joinPath(path, String(name), Array.isArray(value)) : path;
    const fault = searchUnhashable(part, step, [...above, value], codec);
    if (fault !== null) return fault;
  }
  return null;
}

/** Caches the last value at one place within a value, because consecutive states share most of their parts. */
export class IdentitySlot {
  value: unknown = NOTHING;
  number = -1;
  shape: RecordShape | null = null;
  /** The root of all shapes that a record had here. */
  shapes: RecordShape | null = null;
  elements: IdentitySlot | null = null;
}

const NOTHING = Symbol('nothing yet');

/** The names of the records at one place in insertion order, with a slot for each. */
class RecordShape {
  readonly names: readonly string[];
  readonly slots: readonly IdentitySlot[];
  /** The index of each name in sorted order. */
  readonly sorted: readonly number[];
  readonly #wider = new Map<string, RecordShape>();
  /** The number of the set of names, independent of their order. */
  header = -1;

  constructor(names: readonly string[]) {
    this.names = names;
    this.slots = names.map(() => new IdentitySlot());
    const order = names.toSorted();
    this.sorted = names.map((name) => order.indexOf(name));
  }

  with(name: string): RecordShape {
    return remember(this.#wider, name, () => new RecordShape([...this.names, name]));
  }
}

/** An object with this many nested parts is cached as a whole. For a smaller one the cache costs what it saves. */
const MANY_PARTS = 24;
/** Headers that do not number a set of names. */
const ARRAY = -1;
const ODD = -2;

export class ValueIdentity {
  readonly #tuples = new TupleTable();
  readonly #atoms = new Map<unknown, number>();
  readonly #headers = new Map<string, number>();
  readonly #known = new WeakMap<object, number>();
  readonly #codec: Codec | null;
  readonly #isThorough: boolean;
  readonly #whole = new IdentitySlot();
  /** The parts of the objects being numbered. */
  #stack = new Int32Array(256);
  #top = 0;
  #depth = 0;
  #looked = 0;

  constructor(codec: Codec | null = null, isThorough = true) {
    this.#codec = codec;
    this.#isThorough = isThorough;
  }

  get bytes(): number {
    return this.#tuples.bytes;
  }

  /** The number of a value. The caller must not modify objects afterwards, because they are cached. */
  of(value: unknown, slot: IdentitySlot = this.#whole): number {
    const number = this.#number(value, slot);
    return number >= 0 ? number : this.#refuse(value);
  }

  /** The number of some numbers and a value together, in a separate table. Saves one lookup. */
  together(numbers: Int32Array, value: unknown, slot: IdentitySlot, book: TupleTable): number {
    const start = this.#room(numbers.length - 1);
    for (let index = 0; index < numbers.length; index++)
      this.#stack[start + index] = numbers[index] ?? 0;
    this.#depth = 1;
    const isKnown =
      typeof value === 'object' && value !== null
        ? this.#parts(value, slot)
        : this.#array([value], slot);
    this.#depth = 0;
    const end = this.#top;
    this.#top = 0;
    return isKnown ? book.of(this.#stack, start, end) : this.#refuse(value);
  }

  /** The number of a part, or -1 if it must be refused. */
  #number(value: unknown, slot: IdentitySlot): number {
    // 0 and -0 are equal for ===, but are different values.
    if (value === slot.value && value !== 0) return slot.number;
    this.#looked += 1;
    const isObject = typeof value === 'object' && value !== null;
    const number = isObject ? this.#object(value, slot) : this.#atom(value);
    if (number < 0) return number;
    slot.value = value;
    slot.number = number;
    return number;
  }

  #atom(value: unknown): number {
    const key = Object.is(value, -0) ? MINUS_ZERO : value;
    const known = this.#atoms.get(key);
    if (known !== undefined) return known;
    const number = this.#atoms.size * 2 + 1;
    this.#atoms.set(key, number);
    return number;
  }

  #object(value: object, slot: IdentitySlot): number {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    if (this.#depth >= DEEPEST) return -1;
    this.#depth += 1;
    const start = this.#top;
    const looked = this.#looked;
    const isRefused = !this.#parts(value, slot);
    const end = this.#top;
    this.#depth -= 1;
    this.#top = start;
    if (isRefused) return -1;
    const number = this.#tuples.of(this.#stack, start, end) * 2;
    // A whole value is usually new, but its parts are not.
    if (this.#depth > 0 && this.#looked - looked >= MANY_PARTS) this.#known.set(value, number);
    return number;
  }

  /** Pushes the parts of an object on the stack. Returns false if one of them must be refused. */
  #parts(value: object, slot: IdentitySlot): boolean {
    if (!isPlain(value) || this.#isOdd(value)) return this.#odd(value, slot);
    return Array.isArray(value) ? this.#array(value, slot) : this.#record(value, slot);
  }

  /** Whether an object has symbols or hidden names, or a list further names or gaps. Looking at all names is slow. */
  #isOdd(value: object): boolean {
    if (!this.#isThorough) return Object.getOwnPropertySymbols(value).length > 0;
    if (Object.getPrototypeOf(value) === null) return true;
    const names = Reflect.ownKeys(value).length;
    if (!Array.isArray(value)) return names !== Object.keys(value).length;
    return names !== value.length + 1 || value.includes(undefined);
  }

  #array(value: readonly unknown[], slot: IdentitySlot): boolean {
    const elements = slot.elements ?? new IdentitySlot();
    slot.elements = elements;
    const start = this.#room(value.length);
    this.#stack[start] = ARRAY;
    for (let index = 0; index < value.length; index++) {
      const part = value[index];
      const number = this.#number(part, elements);
      if (number < 0) return false;
      this.#stack[start + 1 + index] = number;
    }
    return true;
  }

  #record(value: object, slot: IdentitySlot): boolean {
    slot.shape ??= this.#shapeOf(value, slot);
    const { shape } = slot;
    const { names, slots, sorted } = shape;
    const start = this.#room(names.length);
    this.#stack[start] = shape.header;
    let index = 0;
    for (const name in value) {
      const own = slots[index];
      if (own === undefined || names[index] !== name) return this.#reshaped(value, slot, start);
      const part: unknown = value[name as keyof typeof value]; // a name of its own
      const number = part === own.value && part !== 0 ? own.number : this.#number(part, own);
      if (number < 0) return false;
      this.#stack[start + 1 + (sorted[index] ?? 0)] = number;
      index++;
    }
    return index === names.length || this.#reshaped(value, slot, start);
  }

  #reshaped(value: object, slot: IdentitySlot, start: number): boolean {
    this.#top = start;
    slot.shape = this.#shapeOf(value, slot);
    return this.#record(value, slot);
  }

  /** An object with names of every kind, or with a class. Parts are sorted by the numbers of their names. */
  #odd(value: object, slot: IdentitySlot): boolean {
    const read = readParts(value, this.#codec);
    if (read === null) return false;
    const elements = slot.elements ?? new IdentitySlot();
    slot.elements = elements;
    const parts = read.parts
      .map(([name, part]) => ({ name: this.#atom(name), shown: isShown(value, name), part }))
      .sort((one, other) => one.name - other.name);
    const start = this.#room(2 + 3 * parts.length);
    this.#stack.set([ODD, this.#atom(read.kind), parts.length], start);
    for (const [index, { name, shown, part }] of parts.entries()) {
      const number = this.#number(part, elements);
      if (number < 0) return false;
      this.#stack.set([name, shown, number], start + 3 + 3 * index);
    }
    return true;
  }

  /** Reserves space on the stack for a header and this many parts. */
  #room(parts: number): number {
    const start = this.#top;
    this.#top += parts + 1;
    if (this.#top > this.#stack.length) {
      const wider = new Int32Array(this.#top * 2);
      wider.set(this.#stack);
      this.#stack = wider;
    }
    return start;
  }

  #refuse(value: unknown): never {
    this.#top = 0;
    this.#depth = 0;
    throw searchUnhashable(value, '', [], this.#codec) ?? new Unhashable('', 'something unknown');
  }

  #shapeOf(value: object, slot: IdentitySlot): RecordShape {
    slot.shapes ??= new RecordShape([]);
    let shape = slot.shapes;
    for (const name in value) shape = shape.with(name);
    if (shape.header < 0) {
      const names = JSON.stringify(shape.names.toSorted());
      shape.header = remember(this.#headers, names, () => this.#headers.size);
    }
    return shape;
  }
}

const MINUS_ZERO = Symbol('-0');

function isShown(value: object, name: PropertyKey): number {
  return Number(Object.prototype.propertyIsEnumerable.call(value, name));
}
