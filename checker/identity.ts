/**
 * Identity: when two values are the same, exactly.
 *
 * Every part of a value gets a number, and equal parts get equal numbers (hash-consing), so a state is compared as a
 * whole without being written out. A part that is the very object of the state before costs one look-up. What cannot
 * be told apart exactly is refused with its path: two different states taken for one would be a hole in a proof.
 */

/** A value that has no exact identity. */
export class Unidentifiable extends Error {
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

/** Puts a value of a class into JSON; undefined where it is none of this codec's. */
export type Codec = (value: object) => unknown;

export class Identity {
  readonly #texts = new Map<string, number>();
  readonly #names = new Map<string, number>();
  readonly #known = new WeakMap<object, number>();
  readonly #codec: Codec | null;
  /** Objects that are being numbered: one that contains itself is a circle. */
  readonly #open = new Set<object>();

  constructor(codec: Codec | null = null) {
    this.#codec = codec;
  }

  /** Distinct parts so far. */
  get size(): number {
    return this.#texts.size;
  }

  /** The number of a value. Objects must not be changed afterwards: they are not looked at twice. */
  of(value: unknown): number {
    return this.#number(value, '');
  }

  #number(value: unknown, path: string): number {
    if (typeof value === 'object' && value !== null) {
      const known = this.#known.get(value);
      if (known !== undefined) return known;
      const number = this.#intern(this.#structure(value, path));
      this.#known.set(value, number);
      return number;
    }
    return this.#intern(atom(value, path));
  }

  /** The number of a part of a record; its path is only written out where it is needed. */
  #part(value: unknown, path: string, name: string): number {
    if (typeof value === 'object' && value !== null) {
      const known = this.#known.get(value);
      if (known !== undefined) return known;
    }
    return this.#number(value, path === '' ? name : `${path}.${name}`);
  }

  #nameNumber(name: string): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    this.#names.set(name, this.#names.size);
    return this.#names.size - 1;
  }

  #intern(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.size;
    this.#texts.set(text, number);
    return number;
  }

  #structure(value: object, path: string): string {
    if (this.#open.has(value)) throw new Unidentifiable(path, 'part of itself');
    this.#open.add(value);
    try {
      if (Array.isArray(value)) {
        let text = '[';
        for (let index = 0; index < value.length; index++) {
          text += `${this.#number(value[index], `${path}[${index}]`)},`;
        }
        return text;
      }
      return this.#record(value, path);
    } finally {
      this.#open.delete(value);
    }
  }

  #record(value: object, path: string): string {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) {
      const coded = this.#codec?.(value);
      if (coded === undefined) throw new Unidentifiable(path, `a ${value.constructor.name}`);
      return `<${value.constructor.name}>${this.#number(coded, path)}`;
    }
    const names = Object.keys(value);
    if (Object.getOwnPropertySymbols(value).length > 0) {
      throw new Unidentifiable(path, 'an object with symbols for names');
    }
    for (let at = 1; at < names.length; at++) {
      if ((names[at] ?? '') < (names[at - 1] ?? '')) {
        names.sort();
        break;
      }
    }
    let text = '{';
    for (const name of names) {
      const part: unknown = Reflect.get(value, name);
      // JSON has no undefined: a field that is undefined is taken for one that is absent.
      if (part === undefined) continue;
      text += `${this.#nameNumber(name)}:${this.#part(part, path, name)},`;
    }
    return text;
  }
}

/** Plain values as text; the first letter keeps the types apart. */
function atom(value: unknown, path: string): string {
  switch (typeof value) {
    case 'string':
      return `s${value}`;
    case 'number':
      if (Number.isNaN(value)) throw new Unidentifiable(path, 'NaN');
      return Object.is(value, -0) ? 'n-0' : `n${value}`;
    case 'boolean':
      return value ? 't' : 'f';
    case 'undefined':
      return 'u';
    case 'bigint':
      return `i${value}`;
    case 'object':
      return 'z';
    default:
      throw new Unidentifiable(path, `a ${typeof value}`);
  }
}
