/**
 * Identity: when two values are the same, exactly.
 *
 * Every part of a value gets a number, and equal parts get equal numbers (hash-consing), so a state is compared as a
 * whole without being written out. The order of names within an object is no part of its identity; a name with the
 * value undefined is. What cannot be told apart exactly is refused with its path.
 */
import { TupleTable } from './tuples.ts';
import {
  type Codec,
  DEEPEST,
  describeFault,
  findUnhashable,
  isPlain,
  nameClass,
} from './unidentifiable.ts';

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
    const coded = this.#codec?.(value);
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
