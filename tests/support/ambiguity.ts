/**
 * Ambiguity of regular expressions: whether a text can be read along two ways through the same repetition, which costs a
 * backtracking engine time that doubles with each word, or grows as a power of the text's length.
 *
 * An expression becomes an automaton whose states are its characters. It is looked for two ways around a loop by one
 * text (doubling), and for a text that goes around one loop, around another, and from the one to the other (a power).
 * What lookarounds ask is left out, so that more texts fit than do in truth; they are looked at by themselves. That a
 * search begins at every character is left out as well.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** A character of the expression, the word characters of a class apart from the others. */
type Leaf = {
  readonly number: number;
  readonly raw: string;
  readonly accepts: ReadonlySet<string>;
  readonly isWord: boolean;
};

/** What lies on the way between two characters: borders of words (`\b`, `\B`). */
type Way = { readonly leaf: number; readonly borders: string };

/** A part of an expression: where it begins and ends, and how it is passed without a character. */
type Part = {
  readonly first: readonly Way[];
  readonly last: readonly Way[];
  /** The borders of each way without a character. */
  readonly empty: readonly string[];
};

type Pair = readonly [number, number];
type Triple = readonly [number, number, number];

export type Ambiguity = {
  readonly type: 'doubling' | 'power';
  /** The characters of the expression at which the ways meet. */
  readonly at: string;
};

const ASCII = Array.from({ length: 95 }, (_, code) => String.fromCharCode(32 + code));
const EXOTIC = ['\n', '\t', '’', '“', '…', '—', '–', '₂', 'é', '\u{1F600}', '\u200B', '\u202A'];
const ALPHABET = [...ASCII, ...EXOTIC];

/** Every repetition of an expression, and of its lookarounds, that reads a text in two ways. */
export function findAmbiguities({ source, flags }: RegExp): readonly Ambiguity[] {
  const { pattern } = new RegExpParser().parseLiteral(`/${source}/${flags}`);
  const found: Ambiguity[] = [];
  const waiting: (readonly AST.Alternative[])[] = [pattern.alternatives];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const automaton = new Automaton(next, flags);
    waiting.push(...automaton.lookarounds);
    const doubling = automaton.findDoubling();
    found.push(...(doubling.length > 0 ? doubling : automaton.findPowers()));
  }
  return found;
}

class Automaton {
  readonly lookarounds: (readonly AST.Alternative[])[] = [];
  readonly #flags: string;
  readonly #leaves: Leaf[] = [];
  /** For each leaf those that may follow it, as often as there are ways. */
  readonly #next: number[][] = [];
  /** Leaves with which a repetition begins: every loop goes through one. */
  readonly #heads = new Set<number>();
  /** What was worked out: signs of a class, whether two leaves read one sign, and the steps of pairs. */
  readonly #known = new Map<string, readonly Leaf[]>();
  #classes = 0;
  readonly #meeting = new Map<number, boolean>();
  readonly #stepped = new Map<number, readonly Pair[]>();

  constructor(alternatives: readonly AST.Alternative[], flags: string) {
    this.#flags = flags.replace(/[gy]/g, '');
    this.#either(alternatives);
  }

  #either(alternatives: readonly AST.Alternative[]): Part {
    const parts = alternatives.map(({ elements }) =>
      elements.reduce<Part>((before, one) => this.#join(before, this.#read(one)), NOTHING),
    );
    return {
      first: parts.flatMap(({ first }) => first),
      last: parts.flatMap(({ last }) => last),
      empty: parts.flatMap(({ empty }) => empty),
    };
  }

  #read(element: AST.Element): Part {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.#either(element.alternatives);
      case 'Quantifier':
        return this.#repeat(element);
      case 'Assertion':
        if (element.kind === 'lookahead' || element.kind === 'lookbehind') {
          this.lookarounds.push(element.alternatives);
          return NOTHING;
        }
        return element.kind === 'word'
          ? { ...NOTHING, empty: [element.negate ? 'B' : 'b'] }
          : NOTHING;
      case 'Character':
      case 'CharacterClass':
      case 'CharacterSet':
        return this.#leaf(element.raw);
      default:
        throw new Error(`Expected characters, groups and repetitions; found ${element.raw}`);
    }
  }

  #leaf(raw: string): Part {
    const leaves = this.#known.get(raw) ?? this.#split(raw);
    this.#known.set(raw, leaves);
    const ways = leaves.map((leaf) => {
      this.#next.push([]);
      return { leaf: this.#leaves.push(leaf) - 1, borders: '' };
    });
    return { first: ways, last: ways, empty: [] };
  }

  #split(raw: string): readonly Leaf[] {
    const one = new RegExp(`^(?:${raw})$`, this.#flags);
    const accepted = ALPHABET.filter((sign) => one.test(sign));
    return [true, false].flatMap((isWord) => {
      const accepts = new Set(accepted.filter((sign) => /\w/.test(sign) === isWord));
      return accepts.size === 0 ? [] : [{ number: ++this.#classes, raw, accepts, isWord }];
    });
  }

  #join(one: Part, other: Part): Part {
    this.#link(one.last, other.first);
    const before = one.empty.flatMap((borders) =>
      other.first.map((way) => ({ ...way, borders: borders + way.borders })),
    );
    const behind = other.empty.flatMap((borders) =>
      one.last.map((way) => ({ ...way, borders: way.borders + borders })),
    );
    return {
      first: [...one.first, ...before],
      last: [...other.last, ...behind],
      empty: one.empty.flatMap((borders) => other.empty.map((more) => borders + more)),
    };
  }

  #link(from: readonly Way[], to: readonly Way[]): void {
    for (const one of from) {
      for (const other of to) {
        const isBorder = this.#leaves[one.leaf]?.isWord !== this.#leaves[other.leaf]?.isWord;
        const borders = one.borders + other.borders;
        if (!borders.includes(isBorder ? 'B' : 'b')) this.#next[one.leaf]?.push(other.leaf);
      }
    }
  }

  /** As many copies as a repetition has at least, and then a loop or the copies that it may have. */
  #repeat({ element, min, max }: AST.Quantifier): Part {
    const copy = (): Part => ({ ...this.#read(element), empty: [] });
    if (element.type === 'Assertion') return this.#read(element);
    let part: Part = NOTHING;
    if (max === Number.POSITIVE_INFINITY) {
      for (let count = 1; count < min; count++) part = this.#join(part, copy());
      const loop = copy();
      this.#link(loop.last, loop.first);
      for (const { leaf } of loop.first) this.#heads.add(leaf);
      return this.#join(part, min === 0 ? optional(loop) : loop);
    }
    for (let count = min; count < max; count++) part = optional(this.#join(copy(), part));
    for (let count = 0; count < min; count++) part = this.#join(copy(), part);
    return part;
  }

  /** Whether one character is read by all. */
  #meets(...leaves: readonly number[]): boolean {
    const classes = leaves.map((leaf) => this.#leaves[leaf] ?? NO_LEAF);
    let key = 0;
    for (const { number } of classes) key = key * MOST_CLASSES + number;
    const known = this.#meeting.get(key);
    if (known !== undefined) return known;
    const isMet = ALPHABET.some((sign) => classes.every(({ accepts }) => accepts.has(sign)));
    this.#meeting.set(key, isMet);
    return isMet;
  }

  /** What two states that stand side by side come to by one more character. */
  #pairs(one: number, other: number): readonly Pair[] {
    const key = one * this.#leaves.length + other;
    const known = this.#stepped.get(key);
    if (known !== undefined) return known;
    const pairs: Pair[] = [];
    for (const a of this.#next[one] ?? []) {
      for (const b of this.#next[other] ?? []) if (this.#meets(a, b)) pairs.push([a, b]);
    }
    this.#stepped.set(key, pairs);
    return pairs;
  }

  /** Two ways from the beginning of a repetition back to it, by one text. */
  findDoubling(): readonly Ambiguity[] {
    const size = this.#leaves.length;
    return [...this.#heads].flatMap((head) => {
      const start = head * size + head;
      const before = new Map<number, number[]>();
      const waiting: Pair[] = [[head, head]];
      let double: Pair | null = null;
      for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
        const from = pair[0] * size + pair[1];
        for (const next of this.#pairs(...pair)) {
          const key = next[0] * size + next[1];
          const known = before.get(key);
          if (known === undefined) {
            waiting.push(next);
            before.set(key, [from]);
          } else known.push(from);
        }
      }
      const back = new Set([start]);
      for (const key of back) for (const from of before.get(key) ?? []) back.add(from);
      for (const key of back) {
        const pair: Pair = [Math.floor(key / size), key % size];
        if (!before.has(key)) continue;
        // Characters that follow one another by two ways without a character are two ways as well.
        const froms = (before.get(key) ?? []).filter((from) => back.has(from));
        if (pair[0] !== pair[1] || this.#isTwice(froms, pair[0])) double ??= pair;
      }
      return double === null ? [] : [this.#name('doubling', double)];
    });
  }

  #isTwice(froms: readonly number[], leaf: number): boolean {
    const size = this.#leaves.length;
    return froms.some((from) => {
      const one = Math.floor(from / size);
      const ways = this.#next[one]?.filter((next) => next === leaf) ?? [];
      return one === from % size && ways.length > 1;
    });
  }

  /** A text around a loop, around another, and from the one to the other. */
  findPowers(): readonly Ambiguity[] {
    const loops = this.#leaves.flatMap((_, leaf) => (this.#reach(leaf).has(leaf) ? [leaf] : []));
    return [...this.#heads].flatMap((head) => {
      const onward = this.#reach(head);
      return loops.flatMap((loop) => {
        const isOpen = loop !== head && onward.has(loop) && this.#meets(head, loop);
        return isOpen && this.#goRound(head, loop) && this.#goesOver(head, loop)
          ? [this.#name('power', [head, loop])]
          : [];
      });
    });
  }

  #reach(leaf: number): ReadonlySet<number> {
    const reached = new Set(this.#next[leaf]);
    for (const one of reached) for (const next of this.#next[one] ?? []) reached.add(next);
    return reached;
  }

  /** Whether both come back to themselves by one text. */
  #goRound(one: number, other: number): boolean {
    const size = this.#leaves.length;
    const reached = new Set<number>();
    const waiting: Pair[] = [[one, other]];
    for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
      for (const next of this.#pairs(...pair)) {
        const key = next[0] * size + next[1];
        if (!reached.has(key)) waiting.push(next);
        reached.add(key);
      }
    }
    return reached.has(one * size + other);
  }

  #goesOver(head: number, loop: number): boolean {
    const size = this.#leaves.length;
    const reached = new Set<number>();
    const waiting: Triple[] = [[head, head, loop]];
    for (let triple = waiting.pop(); triple !== undefined; triple = waiting.pop()) {
      for (const [a, c] of this.#pairs(triple[0], triple[2])) {
        for (const b of this.#next[triple[1]] ?? []) {
          if (!this.#meets(a, b, c)) continue;
          if (a === head && b === loop && c === loop) return true;
          const key = (a * size + b) * size + c;
          if (reached.has(key)) continue;
          reached.add(key);
          waiting.push([a, b, c]);
        }
      }
    }
    return false;
  }

  #name(type: Ambiguity['type'], leaves: readonly number[]): Ambiguity {
    const around = (leaf: number) =>
      this.#leaves
        .slice(Math.max(0, leaf - 12), leaf + 12)
        .map(({ raw }) => raw)
        .join('');
    return { type, at: leaves.map(around).join(' | ') };
  }
}

const NOTHING: Part = { first: [], last: [], empty: [''] };
const NO_LEAF: Leaf = { number: 0, raw: '', accepts: new Set(), isWord: false };
/** More than an expression has. */
const MOST_CLASSES = 10_000;

function optional(part: Part): Part {
  return { ...part, empty: [''] };
}
