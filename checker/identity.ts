/**
 * Identity: when two values are the same, exactly.
 *
 * Every part of a value gets a number, and equal parts get equal numbers (hash-consing), so a state is compared as a
 * whole without being written out. The order of names within an object is no part of its identity; a name with the
 * value undefined is. What cannot be told apart exactly is refused with its path.
 */

/**
 * Tuples: gives each distinct list of whole numbers a number, from 0 in the order in which they come.
 *
 * The lists stand one after another in one array and are found by an open hash table. Lists are compared in full: a
 * hash that is the same by accident costs time, and nothing else.
 */

const FIRST_SLOTS = 1024;
/** Before each list stand its number and its length. */
const HEAD = 2;

export class TupleTable {
  #cells = new Int32Array(FIRST_SLOTS);
  #used = 0;
  #size = 0;
  /** Pairs: where a list begins, plus one, or 0 for none; and its hash. The number of pairs is a power of two. */
  #slots = new Int32Array(FIRST_SLOTS * 2);

  /** Distinct tuples so far: the number that the next new one gets. */
  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#cells.byteLength + this.#slots.byteLength;
  }

  /** The number of the tuple that stands in `from` between two places. */
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

  /** Twice the room for slots; they are at most half full. */
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

/** Each number is turned in and multiplied; the end, that of MurmurHash3, brings the high bits down. */
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

/**
 * What has no exact identity, and where it stands: two different states taken for one would be a hole in a proof.
 *
 * This is the slow and wordy half of `identity.ts`: it is asked only when something must be refused.
 */

/** Puts a value of a class into JSON; undefined where it is none of this codec's. */
export type Codec = (value: object) => unknown;

/** What a value of a class stands for: by the codec of the model, or as `encodeKnown` has it. */
export function encode(value: object, codec: Codec | null): unknown {
  const coded = codec?.(value);
  return coded === undefined ? encodeKnown(value) : coded;
}

/**
 * What has an identity without a codec of the model: an actor is its id, an error its name and message with what else
 * stands in it. Undefined for anything else.
 */
function encodeKnown(value: object): unknown {
  if (isActor(value)) return { actor: value.id };
  if (!(value instanceof Error)) return undefined;
  const { name, message, cause } = value;
  return { ...value, name, message, ...(cause === undefined ? {} : { cause }) };
}

function isActor(value: object): value is { readonly id: string } {
  return (
    'sessionId' in value &&
    'id' in value &&
    typeof value.id === 'string' &&
    'getSnapshot' in value &&
    'send' in value &&
    typeof value.send === 'function'
  );
}

/** Values may stand so deep within each other. */
const DEEPEST = 500;

export class Unhashable extends Error {
  readonly code = 'model/unidentifiable';
  readonly path: string;
  readonly found: string;

  constructor(path: string, found: string) {
    super(
      `${path === '' ? 'the value' : path} is ${found}: it has no exact identity; give the model a codec for it, or keep it out of the context`,
    );
    this.path = path;
    this.found = found;
  }
}

/** The refusal of the first part of a value that must be refused. */
function findUnhashable(value: unknown, codec: Codec | null): Unhashable {
  return searchUnhashable(value, '', [], codec) ?? new Unhashable('', 'something unknown');
}

function searchUnhashable(
  value: unknown,
  path: string,
  above: readonly object[],
  codec: Codec | null,
): Unhashable | null {
  if (typeof value !== 'object' || value === null) {
    const fault = describeFault(value);
    return fault === null ? null : new Unhashable(path, fault);
  }
  if (above.includes(value)) return new Unhashable(path, 'part of itself');
  if (above.length >= DEEPEST) return new Unhashable(path, `more than ${DEEPEST} levels deep`);
  const inside = [...above, value];
  if (!isPlain(value)) {
    const coded = encode(value, codec);
    if (coded === undefined) return new Unhashable(path, `a ${nameClass(value)}`);
    return searchUnhashable(coded, path, inside, codec);
  }
  if (Object.getOwnPropertySymbols(value).length > 0) {
    return new Unhashable(path, 'an object with symbols for names');
  }
  for (const [name, part] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${name}]` : path === '' ? name : `.${name}`;
    const fault = searchUnhashable(part, path + step, inside, codec);
    if (fault !== null) return fault;
  }
  return null;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value)) return prototype === Array.prototype;
  return prototype === Object.prototype || prototype === null;
}

function nameClass(value: object): string {
  const made: unknown = value.constructor;
  return typeof made === 'function' ? made.name : 'class without a name';
}

/** Why a value that is no object is refused; null when it is not. */
function describeFault(value: unknown): string | null {
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  return Number.isNaN(value) ? 'NaN' : null;
}

/**
 * A place within a value, with what stood there last: neighbouring states share most of their parts, and a part that
 * is the very same needs no second look.
 */
export class IdentitySlot {
  value: unknown = NOTHING;
  number = -1;
  /** The shape of the record that stood here last. */
  shape: RecordShape | null = null;
  /** Every shape that a record had here, from that without a name. */
  shapes: RecordShape | null = null;
  elements: IdentitySlot | null = null;
}

const NOTHING = Symbol('nothing yet');

/** The names of the records at one place in the order in which they have them, with a slot for each. */
class RecordShape {
  readonly names: readonly string[];
  readonly slots: readonly IdentitySlot[];
  /** The places of the names when they are sorted. */
  readonly sorted: readonly number[];
  readonly #wider = new Map<string, RecordShape>();
  /** The number of the set of names, the same for every order. */
  header = -1;

  constructor(names: readonly string[]) {
    this.names = names;
    this.slots = names.map(() => new IdentitySlot());
    const order = names.toSorted();
    this.sorted = names.map((name) => order.indexOf(name));
  }

  with(name: string): RecordShape {
    const known = this.#wider.get(name);
    if (known !== undefined) return known;
    const wider = new RecordShape([...this.names, name]);
    this.#wider.set(name, wider);
    return wider;
  }
}

/** An object with so many parts, its parts' parts included, is remembered as a whole: to remember costs as much. */
const MANY_PARTS = 24;
/** Headers that are no number of a set of names. */
const ARRAY = -1;
const CODED = -2;

export class ValueIdentity {
  readonly #tuples = new TupleTable();
  readonly #atoms = new Map<unknown, number>();
  readonly #headers = new Map<string, number>();
  readonly #known = new WeakMap<object, number>();
  readonly #codec: Codec | null;
  readonly #whole = new IdentitySlot();
  /** Parts of the objects that are being numbered, one object after another. */
  #stack = new Int32Array(256);
  #top = 0;
  #depth = 0;
  /** Parts that were looked at so far. */
  #looked = 0;

  constructor(codec: Codec | null = null) {
    this.#codec = codec;
  }

  /** Distinct parts so far. */
  get size(): number {
    return this.#tuples.size + this.#atoms.size;
  }

  get bytes(): number {
    return this.#tuples.bytes;
  }

  /** The number of a value. Objects must not be changed afterwards: they are not looked at twice. */
  of(value: unknown, slot: IdentitySlot = this.#whole): number {
    const number = this.#number(value, slot);
    return number >= 0 ? number : this.#refuse(value);
  }

  /** The number of some numbers and a value together, in a book of its own: one look-up less than one after another. */
  together(numbers: Int32Array, value: unknown, slot: IdentitySlot, book: TupleTable): number {
    const start = this.#room(numbers.length - 1);
    for (let index = 0; index < numbers.length; index++) {
      this.#stack[start + index] = numbers[index] ?? 0;
    }
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

  /** The number of a part; -1 when it must be refused. */
  #number(value: unknown, slot: IdentitySlot): number {
    // 0 and -0 are equal for ===, and different values.
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
    if (describeFault(value) !== null) return -1;
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
    // What is asked for as a whole is mostly new, and its parts are not.
    if (this.#depth > 0 && this.#looked - looked >= MANY_PARTS) this.#known.set(value, number);
    return number;
  }

  /** Puts the parts of an object on the stack; false when one of them must be refused. */
  #parts(value: object, slot: IdentitySlot): boolean {
    if (!isPlain(value)) return this.#coded(value, slot);
    if (Object.getOwnPropertySymbols(value).length > 0) return false;
    return Array.isArray(value) ? this.#array(value, slot) : this.#record(value, slot);
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

  /** Reads a record as one of the shape that stood here last, and anew when it turns out to be another one. */
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

  #coded(value: object, slot: IdentitySlot): boolean {
    const coded = encode(value, this.#codec);
    if (coded === undefined) return false;
    const elements = slot.elements ?? new IdentitySlot();
    slot.elements = elements;
    const start = this.#room(2);
    const name = this.#atom(nameClass(value));
    const number = this.#number(coded, elements);
    if (number < 0) return false;
    this.#stack[start] = CODED;
    this.#stack[start + 1] = name;
    this.#stack[start + 2] = number;
    return true;
  }

  /** Room on the stack for a header and so many parts. */
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
    throw findUnhashable(value, this.#codec);
  }

  #shapeOf(value: object, slot: IdentitySlot): RecordShape {
    slot.shapes ??= new RecordShape([]);
    let shape = slot.shapes;
    for (const name in value) shape = shape.with(name);
    if (shape.header < 0) {
      const names = JSON.stringify(shape.names.toSorted());
      shape.header = this.#headers.get(names) ?? this.#headers.size;
      this.#headers.set(names, shape.header);
    }
    return shape;
  }
}

const MINUS_ZERO = Symbol('-0');
