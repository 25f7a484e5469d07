/**
 * Random charts: machines with every feature that the compiled stepper supports.
 *
 * Every node has an id that is its key, so that a transition may go anywhere. The context holds two small counters and
 * the type of the last event that an action saw.
 */
import {
  and,
  assign,
  cancel,
  createMachine,
  emit,
  enqueueActions,
  fromCallback,
  log,
  not,
  or,
  raise,
  sendParent,
  sendTo,
  stateIn,
} from 'xstate';

/** Chance for fuzzing: the same seed gives the same charts and walks (mulberry32). */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  isLucky(probability: number): boolean {
    return this.below(1_000_000) < probability * 1_000_000;
  }

  of<T>(choices: readonly T[]): T {
    const chosen = choices[this.below(choices.length)];
    if (chosen === undefined) throw new Error('there is nothing to choose from');
    return chosen;
  }
}

export const ALPHABET = ['a', 'b', 'c', 'd', 'd.x', 'd.y'] as const;
/** The last two stand for nothing: XState takes a star for a wildcard only at the end. */
const DESCRIPTORS = [...ALPHABET, '*', 'd.*', 'd.x.*', '*.x', '*.*'] as const;
const MODULUS = 4;
const MOST_LEFT = 5;

type ChartContext = {
  readonly n: number;
  readonly m: number;
  readonly last: string;
  /** How many eventless transitions may be taken yet before an event comes that gives new ones. */
  readonly left: number;
};
type NodeOutline = {
  readonly key: string;
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  readonly inner: readonly NodeOutline[];
};

/**
 * How deep a chart is, how likely a state with others in it is parallel, and how likely such a state and a leaf have
 * eventless transitions.
 */
type ChartTemper = {
  readonly depth: number;
  readonly parallel: number;
  readonly alwaysAbove: number;
  readonly alwaysAtLeaf: number;
};

const WIDE: ChartTemper = { depth: 3, parallel: 0.35, alwaysAbove: 0.15, alwaysAtLeaf: 0.15 };
const RESTLESS: ChartTemper = { depth: 3, parallel: 0.6, alwaysAbove: 0.3, alwaysAtLeaf: 0.4 };
const SMALL: ChartTemper = { depth: 2, parallel: 0.8, alwaysAbove: 0.5, alwaysAtLeaf: 0.15 };

/** Beginnings of names. XState reads a name with "#" or "." as an id or a path, so charts with one are not compiled. */
const ODD_NAMES = ['k', 'k0 & k', '条款 & 条件', '" ─'];

/** A chart at random; one in two has history states, unless they are left out. */
export function createRandomChart(chance: SeededRandom, withHistory = true) {
  let nodes = 0;
  const temper = chance.of([WIDE, RESTLESS, SMALL, SMALL]);
  const hasHistory = chance.isLucky(0.5) && withHistory;
  const outline = (depth: number, isInCompound: boolean): NodeOutline => {
    // The keys of an object that are whole numbers come before all others, the smallest first.
    const number = nodes++;
    const key = chance.isLucky(0.9) ? `${ODD_NAMES[number % 4]}${number}` : `${99 - number}`;
    const kind = readKind(chance, temper, depth, isInCompound);
    const count = kind === 'compound' || kind === 'parallel' ? 2 + chance.below(2) : 0;
    const inner = Array.from({ length: count }, () => outline(depth + 1, kind === 'compound'));
    const histories = count > 0 && hasHistory ? chance.below(3) : 0;
    const remembering = Array.from({ length: histories }, () => ({
      ...{ key: `h${nodes++}`, kind: 'history' as const, inner: [] },
    }));
    return { key, kind, inner: [...inner, ...remembering] };
  };
  const root = outline(0, false);
  const writer = new ChartWriter(chance, temper, root);
  return createMachine(
    {
      ...writer.node(root),
      id: root.key,
      context: { n: 0, m: 0, last: '', left: MOST_LEFT },
      options: { maxIterations: 60 },
      ...(chance.isLucky(0.5) ? { output: readResult } : {}),
    } as never, // built at random: no type could follow it
    IMPLEMENTATIONS as never,
  );
}

function readKind(
  chance: SeededRandom,
  { depth: deepest, parallel }: ChartTemper,
  depth: number,
  isInCompound: boolean,
): NodeOutline['kind'] {
  if (depth === 0) return chance.isLucky(parallel) ? 'parallel' : 'compound';
  if (depth >= deepest) return isInCompound && chance.isLucky(0.15) ? 'final' : 'atomic';
  if (chance.isLucky(0.5)) return chance.isLucky(parallel) ? 'parallel' : 'compound';
  return chance.isLucky(0.2) && isInCompound ? 'final' : 'atomic';
}

const IMPLEMENTATIONS = {
  guards: {
    even: ({ context }: { context: ChartContext }) => context.n % 2 === 0,
    atLeast: ({ context }: { context: ChartContext }, params: { least: number }) =>
      context.m >= params.least,
    evenOrMore: or(['even', { type: 'atLeast', params: { least: 2 } }]),
    hasLeft: ({ context }: { context: ChartContext }) => context.left > 0,
    likeLast: ({ context, event }: { context: ChartContext; event: { type: string } }) =>
      context.last === event.type,
  },
  actions: {
    bump: assign({ n: ({ context }: { context: ChartContext }) => (context.n + 1) % MODULUS }),
    add: assign(({ context }: { context: ChartContext }, params: { by: number }) => ({
      m: (context.m + params.by) % MODULUS,
    })),
    note: assign({ last: ({ event }: { event: { type: string } }) => event.type }),
    spend: assign({ left: ({ context }: { context: ChartContext }) => context.left - 1 }),
    refill: assign({ left: MOST_LEFT }),
    later: raise({ type: 'a' }, { delay: 'while' as never, id: 'later' }),
    atOnce: raise(({ context }: { context: ChartContext }) => ({
      type: context.n === 0 ? 'b' : 'c',
    })),
    decide: enqueueActions((args) => decide(args as never)),
  },
  actors: { idler: fromCallback(() => {}) },
  delays: { while: ({ context }: { context: ChartContext }) => 10 + context.n, soon: 5 },
};

type DecideArguments = {
  readonly context: ChartContext;
  readonly enqueue: {
    (action: unknown): void;
    assign(assignment: object): void;
    raise(event: object): void;
    emit(event: object): void;
  };
  check(guard: unknown): boolean;
};

function decide({ context, enqueue, check }: DecideArguments): void {
  if (check('even')) enqueue.assign({ m: (context.m + 1) % MODULUS });
  enqueue({ type: 'tell', params: { m: context.m } });
  if (check(and([not('even'), { type: 'atLeast', params: { least: 1 } }]))) {
    enqueue.assign({ m: ({ context: now }: { context: ChartContext }) => (now.m + 2) % MODULUS });
    enqueue.raise({ type: 'd.x' });
  }
  enqueue.emit({ type: 'decided' });
  enqueue('note');
}

class ChartWriter {
  readonly #chance: SeededRandom;
  readonly #temper: ChartTemper;
  readonly #all: readonly NodeOutline[];
  readonly #children: string[] = [];

  constructor(chance: SeededRandom, temper: ChartTemper, root: NodeOutline) {
    this.#chance = chance;
    this.#temper = temper;
    this.#all = listOutlines(root);
  }

  node({ key, kind, inner }: NodeOutline, siblings: readonly NodeOutline[] = []): object {
    const chance = this.#chance;
    if (kind === 'history') return this.#history(key, siblings);
    const isFinal = kind === 'final';
    const invoke = !isFinal && chance.isLucky(0.12) ? { invoke: this.#invoke(key) } : {};
    const states = inner.map((one) => [one.key, this.node(one, inner)] as const);
    return {
      id: key,
      ...(kind === 'parallel' || isFinal ? { type: kind } : {}),
      ...(isFinal && chance.isLucky(0.5) ? { output: readOutput } : {}),
      // A parallel state needs no initial state, but XState performs its actions.
      ...(kind === 'compound' || (kind === 'parallel' && chance.isLucky(0.1))
        ? { initial: this.#initial(inner) }
        : {}),
      ...(states.length > 0 ? { states: Object.fromEntries(states) } : {}),
      ...invoke,
      entry: this.#actions(2),
      exit: this.#actions(2),
      ...(isFinal ? {} : this.#transitions(siblings, inner.length > 0)),
    };
  }

  /** As long as it remembers nothing it leads to the initial state, to a sibling by its path, or further in. */
  #history(key: string, siblings: readonly NodeOutline[]): object {
    const chance = this.#chance;
    const target = chance.of([
      () => null,
      () => chance.of(siblings.filter(canBeActive)).key,
      () => `#${chance.of(siblings.flatMap(listOutlines).filter(canBeActive)).key}`,
    ])();
    return {
      id: key,
      type: 'history',
      ...(chance.isLucky(0.5) ? { history: chance.of(['shallow', 'deep']) } : {}),
      ...(target === null ? {} : { target }),
    };
  }

  #initial(inner: readonly NodeOutline[]): unknown {
    const first = this.#chance.of(inner.filter(canBeActive)).key;
    return this.#chance.isLucky(0.3) ? { target: first, actions: this.#actions(2) } : first;
  }

  #invoke(key: string): object {
    const id = `child-${key}`;
    this.#children.push(id);
    return {
      src: 'idler',
      id,
      ...(this.#chance.isLucky(0.5) ? { input: readOutput } : {}),
      ...(this.#chance.isLucky(0.5) ? { onDone: this.#transition(false) } : {}),
      ...(this.#chance.isLucky(0.5) ? { onError: this.#transition(false) } : {}),
    };
  }

  #transitions(siblings: readonly NodeOutline[], hasInner: boolean): object {
    const chance = this.#chance;
    const { alwaysAbove, alwaysAtLeaf } = this.#temper;
    const on: Record<string, unknown> = {};
    // An event without a transition is forbidden: those further out don't see it.
    if (chance.isLucky(0.1)) on[chance.of(DESCRIPTORS)] = undefined;
    for (let left = chance.below(4); left > 0; left--) {
      on[chance.of(DESCRIPTORS)] = chance.isLucky(0.3)
        ? [this.#transition(true, siblings), this.#transition(false, siblings)]
        : this.#transition(false, siblings);
    }
    return {
      on,
      ...(chance.isLucky(hasInner ? alwaysAbove : alwaysAtLeaf) ? { always: this.#always() } : {}),
      ...(chance.isLucky(0.15)
        ? { after: { [chance.of([10, 'while', 'soon'])]: this.#transition(false) } }
        : {}),
      ...(hasInner && chance.isLucky(0.5) ? { onDone: this.#transition(false) } : {}),
    };
  }

  #always(): unknown {
    const first = this.#eventless();
    return this.#chance.isLucky(0.2) ? [first, this.#eventless()] : first;
  }

  /** Guarded, often without a target, and most of them only so often: few charts should go round for ever. */
  #eventless(): object {
    const chance = this.#chance;
    const target = chance.isLucky(0.5) ? null : this.#target();
    const isLimited = chance.isLucky(0.9);
    const guard = this.#guard(1) as never;
    return {
      ...(target === null ? {} : { target }),
      ...(chance.isLucky(0.1) ? { reenter: true } : {}),
      guard: isLimited ? and(['hasLeft', chance.isLucky(0.5) ? 'hasLeft' : guard]) : guard,
      actions: [...(isLimited ? ['spend'] : []), ...this.#actions(2)],
    };
  }

  #transition(isGuarded: boolean, siblings: readonly NodeOutline[] = []): object {
    const chance = this.#chance;
    const isNear = siblings.length > 0 && chance.isLucky(0.4);
    const target = isNear ? `#${chance.of(siblings).key}` : this.#target();
    return {
      ...(target === null ? {} : { target }),
      ...(chance.isLucky(0.25) ? { reenter: true } : {}),
      ...(isGuarded || chance.isLucky(0.3) ? { guard: this.#guard(2) } : {}),
      actions: [
        ...(siblings.length > 0 && chance.isLucky(0.7) ? ['refill'] : []),
        ...this.#actions(3),
      ],
    };
  }

  #target(): string | readonly string[] | null {
    const chance = this.#chance;
    if (chance.isLucky(0.25)) return null;
    const parallel = this.#all.filter(({ kind }) => kind === 'parallel');
    if (parallel.length > 0 && chance.isLucky(0.2)) {
      const regions = chance.of(parallel).inner.filter(canBeActive);
      return regions.map((region) => `#${chance.of(listOutlines(region)).key}`);
    }
    const histories = this.#all.filter((node) => !canBeActive(node));
    if (histories.length > 0 && chance.isLucky(0.3)) return `#${chance.of(histories).key}`;
    return `#${chance.of(this.#all.slice(1)).key}`;
  }

  #guard(depth: number): unknown {
    const chance = this.#chance;
    const part = () => this.#guard(depth - 1) as never;
    switch (chance.below(depth > 0 ? 10 : 6)) {
      case 0:
        return 'even';
      case 1:
        return { type: 'atLeast', params: { least: chance.below(MODULUS) } };
      case 2:
        return {
          type: 'atLeast',
          params: ({ context }: { context: ChartContext }) => ({ least: context.n }),
        };
      case 3:
        return 'evenOrMore';
      case 4:
        return ({ context }: { context: ChartContext }) => context.n !== context.m;
      case 5:
        return 'likeLast';
      case 6:
        return and([part(), part()]);
      case 7:
        return or([part(), part()]);
      case 8:
        return not(part());
      default:
        return this.#stateIn();
    }
  }

  #stateIn() {
    const { key } = this.#chance.of(this.#all);
    return stateIn(this.#chance.isLucky(0.7) ? `#${key}` : key);
  }

  #actions(most: number): readonly unknown[] {
    return Array.from({ length: this.#chance.below(most + 1) }, () => this.#action());
  }

  #action(): unknown {
    const chance = this.#chance;
    const actions: readonly (() => unknown)[] = [
      () => 'bump',
      () => 'note',
      () => 'tell',
      () => 'unheardOf',
      () => ({
        type: 'tell',
        params: ({ context }: { context: ChartContext }) => ({ m: context.m }),
      }),
      () => ({ type: 'add', params: { by: 1 + chance.below(3) } }),
      () => ({
        type: 'add',
        params: ({ context }: { context: ChartContext }) => ({ by: context.n }),
      }),
      () => 'decide',
      () => this.#decision(),
      () => 'later',
      () => cancel('later'),
      () =>
        cancel(({ context }: { context: ChartContext }) => (context.n === 0 ? 'later' : 'other')),
      () => raise({ type: 'b' }, { delay: 20, id: chance.of(['other', 'later']) }),
      () => emit(({ context }: { context: ChartContext }) => ({ type: 'heard', n: context.n })),
      () => log(({ context }: { context: ChartContext }) => context.n, 'n'),
      () => sendParent({ type: 'hello' }),
      () => (chance.isLucky(0.15) ? 'atOnce' : 'bump'),
      () => (chance.isLucky(0.2) ? this.#letter() : assign({ n: 0 })),
      () => doNothing,
    ];
    return chance.of(actions)();
  }

  #decision(): unknown {
    const guard = this.#guard(1) as never;
    const where = this.#stateIn();
    const letter = this.#chance.isLucky(0.1) ? this.#letter() : 'tell';
    return enqueueActions(({ enqueue, check }) => {
      if (check(where as never)) enqueue({ type: 'add', params: { by: 1 } } as never);
      if (check(guard)) enqueue(letter as never);
      else enqueue.cancel('later');
      enqueue('decide' as never);
    });
  }

  #letter(): unknown {
    const child = this.#chance.isLucky(0.5) ? this.#children.at(-1) : undefined;
    if (child !== undefined) return sendTo(child, { type: 'c' });
    const options = this.#chance.isLucky(0.5) ? { delay: 20, id: 'later' } : {};
    return sendTo(({ self }) => self, { type: 'c' }, options);
  }
}

function doNothing(): void {}

function readOutput({ context }: { context: ChartContext }): number {
  return context.n;
}

/** The output of a machine: its context and the event of the final state. */
function readResult({ context, event }: { context: ChartContext; event: object }): object {
  return { n: context.n, event };
}

function canBeActive({ kind }: NodeOutline): boolean {
  return kind !== 'history';
}

function listOutlines(outline: NodeOutline): readonly NodeOutline[] {
  return [outline, ...outline.inner.flatMap(listOutlines)];
}
