/**
 * Checks what must eventually become true on every fair run. A violating run ends or loops for ever among states that do
 * not satisfy the property. A loop counts only if it is fair: it makes each assumed move, or the move is impossible
 * somewhere on it. Whole components suffice, because a run may visit all of one.
 */
import type { Exploration } from './explore.ts';
import {
  createTrace,
  type Fairness,
  type MachineStep,
  type Property,
  type PropertyVerdict,
  readAnswer,
  type State,
  type Trace,
} from './model.ts';
import { type MoveGraph, NumberList, type StatePath } from './paths.ts';

/** Index of a state that was not visited, and of a state outside the set. */
const NEW = 0;
const OUTSIDE = -1;

/** Strongly connected components with a loop: several states, or one that leads to itself (Tarjan). */
class LoopingComponents {
  readonly found: number[][] = [];
  readonly #moves: MoveGraph;
  /** When each state was opened, from 1. */
  readonly #index: Int32Array;
  /** The earliest state reachable from it, or 0 once its component is complete. */
  readonly #low: Int32Array;
  readonly #stack: number[] = [];
  /** The states on the current path, and the next move of each. */
  readonly #path: number[] = [];
  readonly #next: number[] = [];
  #opened = 0;

  constructor(inside: readonly number[], moves: MoveGraph) {
    this.#moves = moves;
    const size = inside.reduce((most, state) => Math.max(most, state + 1), 0);
    this.#index = new Int32Array(size).fill(OUTSIDE);
    this.#low = new Int32Array(size);
    for (const state of inside) this.#index[state] = NEW;
    for (const start of inside) {
      if (this.#index[start] === NEW) this.#open(start);
      while (this.#path.length > 0) this.#go(this.#path.length - 1);
    }
  }

  #go(at: number): void {
    const state = this.#path[at] ?? 0;
    const move = this.#next[at] ?? 0;
    if (move >= this.#moves.end(state)) {
      this.#path.pop();
      this.#next.pop();
      this.#close(state, this.#path[at - 1]);
      return;
    }
    this.#next[at] = move + 1;
    const to = this.#moves.target(move);
    const index = this.#index[to] ?? OUTSIDE;
    if (index === NEW) this.#open(to);
    else if (index > 0 && this.#low[to] !== 0) this.#lower(state, index);
  }

  #open(state: number): void {
    this.#opened += 1;
    this.#index[state] = this.#opened;
    this.#low[state] = this.#opened;
    this.#stack.push(state);
    this.#path.push(state);
    this.#next.push(this.#moves.first(state));
  }

  #close(state: number, parent: number | undefined): void {
    const low = this.#low[state] ?? 0;
    if (parent !== undefined) this.#lower(parent, low);
    if (low !== this.#index[state]) return;
    const component = this.#stack.splice(this.#stack.lastIndexOf(state));
    for (const member of component) this.#low[member] = 0;
    const leadsToItself = (move: number) => this.#moves.target(move) === state;
    if (component.length > 1 || this.#moves.findMove(state, leadsToItself) >= 0)
      this.found.push(component);
  }

  #lower(state: number, low: number): void {
    if (low < (this.#low[state] ?? 0)) this.#low[state] = low;
  }
}

type Assumption = {
  readonly name: string;
  readonly helps: (move: number) => boolean;
  /** By draft, whether a move of it is possible from there on: `POSSIBLE`, `IMPOSSIBLE`, or 0 if unknown. */
  readonly drafts: Uint8Array;
};

const POSSIBLE = 1;
const IMPOSSIBLE = 2;

type RegionMove = { readonly from: number; readonly move: number };

class LoopRegion {
  readonly states: readonly number[];
  /** The number of the region of each node, from 1. */
  readonly #regions: Int32Array;
  readonly #number: number;
  readonly #moves: MoveGraph;

  constructor(states: readonly number[], moves: MoveGraph, regions: Int32Array, number: number) {
    this.states = states;
    this.#regions = regions;
    this.#number = number;
    this.#moves = moves;
    for (const state of states) regions[state] = number;
  }

  #has(node: number): boolean {
    return this.#regions[node] === this.#number;
  }

  /** Whether a loop here can satisfy an assumption: one of its moves stays here, or none is possible in some state. */
  allows(assumption: Assumption): boolean {
    return this.unhelped(assumption) !== undefined || this.helping(assumption) !== null;
  }

  helping({ helps }: Assumption): RegionMove | null {
    for (const from of this.states) {
      const staysHere = (move: number) => this.#has(this.#moves.target(move));
      const move = this.#moves.findMove(from, (one) => helps(one) && staysHere(one));
      if (move >= 0) return { from, move };
    }
    return null;
  }

  unhelped(assumption: Assumption): number | undefined {
    return this.states.find(
      (node) => !this.#moves.isDraft(node) && !this.#isPossible(node, assumption),
    );
  }

  /** Whether a move of an assumption is possible here, or from a draft that starts here. */
  #isPossible(node: number, assumption: Assumption): boolean {
    const draft = this.#moves.isDraft(node) ? node - this.#moves.states : -1;
    const known = assumption.drafts[draft] ?? 0;
    if (known !== 0) return known === POSSIBLE;
    const found = this.#moves.findMove(node, (move) => {
      if (assumption.helps(move)) return true;
      const to = this.#moves.target(move);
      return this.#moves.isDraft(to) && this.#isPossible(to, assumption);
    });
    const isPossible = found >= 0;
    if (draft >= 0) assumption.drafts[draft] = isPossible ? POSSIBLE : IMPOSSIBLE;
    return isPossible;
  }

  after({ from, move }: RegionMove): StatePath {
    return [{ state: this.#moves.target(move), via: move - this.#moves.first(from) }];
  }

  /** A shortest path between two states. With `isRound` a path from a state to itself has at least one move. */
  findPath(from: number, to: number, isRound: boolean): StatePath {
    if (from === to && !isRound) return [];
    const came = new Map<number, RegionMove>();
    const queue = [from];
    for (let at = 0; at < queue.length && !came.has(to); at++) {
      const state = queue[at] ?? from;
      for (const move of this.#moves.movesOf(state)) {
        const next = this.#moves.target(move);
        if (came.has(next) || !this.#has(next)) continue;
        came.set(next, { from: state, move });
        queue.push(next);
      }
    }
    const path: { state: number; via: number }[] = [];
    let at = to;
    do {
      const step = came.get(at);
      if (step === undefined) throw new Error('a component is not connected');
      path.push(...this.after(step));
      at = step.from;
    } while (at !== from);
    return path.reverse();
  }
}

/** A loop from a state of a region to itself that satisfies every assumption. */
function buildLasso(region: LoopRegion, start: number, fair: readonly Assumption[]): StatePath {
  const loop: { state: number; via: number }[] = [];
  let at = start;
  for (const assumption of fair) {
    const gap = region.unhelped(assumption);
    const step = gap === undefined ? region.helping(assumption) : null;
    const target = gap ?? step?.from ?? at;
    loop.push(...region.findPath(at, target, false));
    if (step !== null) loop.push(...region.after(step));
    at = loop.at(-1)?.state ?? at;
  }
  if (loop.length === 0 || at !== start)
    loop.push(...region.findPath(at, start, loop.length === 0));
  return loop;
}

type LivenessQuestion<E> = {
  /** States where the property becomes due. For `eventually` only the first state. */
  readonly due: readonly number[];
  readonly isThere: (state: number) => boolean;
  readonly fair: readonly Assumption[];
  /** Not assumed. A trace names those that would rule its loop out. */
  readonly excuses: readonly Assumption[];
  readonly exploration: Exploration<E>;
};

/** A violating run whose end or loop is nearest to the start, or null. */
function findUnfulfilledRun<E>(question: LivenessQuestion<E>): Trace<E> | null {
  const { exploration, fair, excuses } = question;
  const { graph } = exploration;
  const waiting = new PendingStates(question);
  const end = waiting.states.find((state) => graph.first(state) === graph.end(state));
  const regionOf = new Int32Array(graph.states + graph.drafts);
  const regions = new LoopingComponents(waiting.states, graph).found.map(
    (members, index) => new LoopRegion(members, graph, regionOf, index + 1),
  );
  const isFair = (one: LoopRegion) => fair.every((assumption) => one.allows(assumption));
  const fairRegions = regions.map((one) => (isFair(one) ? one : undefined));
  const fairAt = (state: number) => fairRegions[(regionOf[state] ?? 0) - 1];
  const entry = waiting.states.find((state) => !graph.isDraft(state) && fairAt(state));
  const region = entry === undefined ? undefined : fairAt(entry);
  const [toEnd, path] = [end, entry].map((one) => (one === undefined ? null : waiting.pathTo(one)));
  if (toEnd && (!path || countEvents(toEnd) <= countEvents(path)))
    return createTrace(exploration.eventsOf(toEnd));
  if (entry === undefined || region === undefined || !path) return null;
  const loop = graph.toPath(buildLasso(region, entry, fair));
  return {
    events: exploration.eventsOf([...path, ...loop]),
    loop: countEvents(path),
    excludedBy: excuses.filter((one) => !region.allows(one)).map(({ name }) => name),
  };
}

/** Each state but the first stands for an event. Drafts stand for none. */
function countEvents(path: StatePath): number {
  return path.filter(({ state }) => state >= 0).length - 1;
}

const START = 1;
const FIRST_FROM = 2;

/** The pending states: reachable from a due state without fulfilling the property, nearest first. */
class PendingStates<E> {
  readonly states: readonly number[];
  /** The predecessor of each state plus two, `START` for a due state, 0 for an unreached one. */
  readonly #from: Int32Array;
  readonly #via: Int32Array;
  readonly #exploration: Exploration<E>;

  constructor({ due, isThere, exploration }: LivenessQuestion<E>) {
    this.#exploration = exploration;
    const { states: visited, drafts } = exploration.graph;
    this.#from = new Int32Array(visited + drafts);
    this.#via = new Int32Array(visited + drafts);
    const starts = due.filter((state) => !isThere(state));
    const states: number[] = [];
    let next = 0;
    let level: number[] = [];
    for (let depth = 0; next < starts.length || level.length > 0; depth++) {
      // State numbers grow with depth, so the due states of this depth come next.
      for (; next < starts.length; next++) {
        const start = starts[next] ?? 0;
        if (exploration.paths.depthOf(start) > depth) break;
        if (this.#reach(start, START, 0)) level.push(start);
      }
      for (const state of level) states.push(state);
      level = level.flatMap((from) => this.#successors(from, isThere, states));
    }
    this.states = states;
  }

  pathTo(state: number): StatePath {
    const tail: { state: number; via: number }[] = [];
    let at = state;
    for (let from = this.#from[at] ?? 0; from > START; from = this.#from[at] ?? 0) {
      tail.push({ state: at, via: this.#via[at] ?? 0 });
      at = from - FIRST_FROM;
    }
    const { graph, paths } = this.#exploration;
    return [...paths.pathTo(at), ...graph.toPath(tail.reverse())];
  }

  /** The next states. Drafts on the way have the same depth. */
  #successors(
    from: number,
    isThere: (state: number) => boolean,
    drafts: number[],
  ): readonly number[] {
    const { graph } = this.#exploration;
    const found: number[] = [];
    const nodes = [from];
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      const first = graph.first(node);
      for (let move = first; move < graph.end(node); move++) {
        const to = graph.target(move);
        const isDraft = graph.isDraft(to);
        if (!isDraft && isThere(to)) continue;
        if (!this.#reach(to, node + FIRST_FROM, move - first)) continue;
        if (isDraft) {
          drafts.push(to);
          nodes.push(to);
        } else found.push(to);
      }
    }
    return found;
  }

  #reach(state: number, from: number, via: number): boolean {
    if (this.#from[state] !== 0) return false;
    this.#from[state] = from;
    this.#via[state] = via;
    return true;
  }
}

type LivenessProperty<C, E> = Extract<Property<C, E>, { kind: 'eventually' | 'leads-to' }>;

/** Each assumption takes one bit. */
const MOST_ASSUMPTIONS = 31;
const UNASKED = 'not checked modulo symmetry: it is not marked isSymmetric';
/** Bits for each state: the property is due, and the property is fulfilled. */
const DUE = 1;
const THERE = 2;

export class LivenessMonitor<C, E> {
  readonly properties: readonly LivenessProperty<C, E>[];
  /** The assumptions of all properties. Each has one bit in the bits of a move. */
  readonly fairness: readonly Fairness<C, E>[];
  /** The bits of each move of a state, and of each draft, in order. */
  readonly helps = new NumberList();
  readonly draftHelps = new NumberList();
  /** The `DUE` and `THERE` bits by property and state. */
  readonly #stands: readonly NumberList[];

  constructor(properties: readonly Property<C, E>[]) {
    this.properties = properties.filter(isLiveness);
    this.#stands = this.properties.map(() => new NumberList());
    this.fairness = [
      ...new Set(this.properties.flatMap(({ fair = [], excuses = [] }) => [...fair, ...excuses])),
    ];
    const { length } = this.fairness;
    if (length > MOST_ASSUMPTIONS)
      throw new Error(
        `expected at most ${MOST_ASSUMPTIONS} assumptions of fairness, found ${length}`,
      );
  }

  /** Call it in the order of state numbers. */
  onState(state: State<C>, number: number): void {
    for (const [index, property] of this.properties.entries()) {
      const isDue =
        property.kind === 'eventually' ? number === 0 : readAnswer(property, property.from(state));
      this.#stands[index]?.push(
        (isDue ? DUE : 0) + (readAnswer(property, property.holds(state)) ? THERE : 0),
      );
    }
  }

  helpsOf({ before, event }: Pick<MachineStep<C, E>, 'before' | 'event'>): number {
    let bits = 0;
    for (const [index, { helps }] of this.fairness.entries()) {
      if (helps(before, event)) bits |= 1 << index;
    }
    return bits;
  }

  verdict(property: LivenessProperty<C, E>, exploration: Exploration<E>): PropertyVerdict<E> {
    const stands = this.#stands[this.properties.indexOf(property)];
    if (stands === undefined) return { type: 'incomplete', why: UNASKED };
    const due: number[] = [];
    for (let state = 0; state < stands.length; state++) {
      if ((stands.at(state) & DUE) !== 0) due.push(state);
    }
    if (due.length === 0) return { type: 'vacuous', why: 'it never becomes due' };
    const { graph } = exploration;
    const trace = findUnfulfilledRun({
      due,
      exploration,
      isThere: (state) => (stands.at(state) & THERE) !== 0,
      fair: (property.fair ?? []).map((assumed) => this.#assumption(assumed, graph)),
      excuses: (property.excuses ?? []).map((assumed) => this.#assumption(assumed, graph)),
    });
    return trace === null
      ? { type: 'proved', antecedents: due.length }
      : { type: 'violated', trace };
  }

  /** Moves of drafts are numbered after the moves of states. */
  #assumption(assumed: Fairness<C, E>, { outerMoves, drafts }: MoveGraph): Assumption {
    const bit = 1 << this.fairness.indexOf(assumed);
    const bits = (move: number) =>
      move < outerMoves ? this.helps.at(move) : this.draftHelps.at(move - outerMoves);
    return {
      name: assumed.name,
      helps: (move) => (bits(move) & bit) !== 0,
      drafts: new Uint8Array(drafts),
    };
  }
}

export function isLiveness<C, E>(property: Property<C, E>): property is LivenessProperty<C, E> {
  return property.kind === 'eventually' || property.kind === 'leads-to';
}
