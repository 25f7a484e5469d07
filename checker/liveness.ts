/**
 * Liveness: what must come true at last, on every run on which the world is fair.
 *
 * A run that never gets there either ends somewhere else or goes round for ever among states that are not there yet.
 * So the states that are not there are cut out of the explored graph, and their loops are looked at: a loop counts
 * only when it is fair, that is when each assumed move is made in it or is impossible somewhere on it. It is enough to
 * look at whole components, for a run may go round all of one.
 */

import type { Exploration } from './explore.ts';
import type { Fairness, MachineStep, Property, PropertyVerdict, State, Trace } from './model.ts';
import { type MoveGraph, NumberList, type StatePath } from './paths.ts';

/*
 * Components: the sets of states that can go round for ever (Tarjan, without recursion).
 *
 * A component is a maximal set of states each of which can be reached from each other one. Only those in which a loop
 * is possible are told: more than one state, or one that leads to itself.
 */

/** The components of some states of a graph, by the moves between them. */
function findLoopingComponents(
  inside: readonly number[],
  moves: MoveGraph,
): readonly (readonly number[])[] {
  const search = new Tarjan(inside, moves);
  for (const state of inside) search.from(state);
  return search.found;
}

/** Not looked at yet; not inside at all. */
const NEW = 0;
const OUTSIDE = -1;

class Tarjan {
  readonly found: number[][] = [];
  readonly #moves: MoveGraph;
  /** For each state when it was opened, from 1. */
  readonly #index: Int32Array;
  /** The earliest state that it can go back to; 0 once its component is told. */
  readonly #low: Int32Array;
  readonly #stack: number[] = [];
  /** The states on the way to the one that is looked at, and the next move of each. */
  readonly #path: number[] = [];
  readonly #next: number[] = [];
  #opened = 0;

  constructor(inside: readonly number[], moves: MoveGraph) {
    this.#moves = moves;
    const size = inside.reduce((most, state) => Math.max(most, state + 1), 0);
    this.#index = new Int32Array(size).fill(OUTSIDE);
    this.#low = new Int32Array(size);
    for (const state of inside) this.#index[state] = NEW;
  }

  from(start: number): void {
    if (this.#index[start] !== NEW) return;
    this.#open(start);
    while (this.#path.length > 0) this.#go(this.#path.length - 1);
  }

  /** One move of the last state of the path. */
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
    if (component.length > 1 || this.#leadsToItself(state)) this.found.push(component);
  }

  #leadsToItself(state: number): boolean {
    for (let move = this.#moves.first(state); move < this.#moves.end(state); move++) {
      if (this.#moves.target(move) === state) return true;
    }
    return false;
  }

  #lower(state: number, low: number): void {
    if (low < (this.#low[state] ?? 0)) this.#low[state] = low;
  }
}

/** An assumption of weak fairness: whether a move is one of its moves. */
type Assumption = {
  readonly name: string;
  readonly helps: (move: number) => boolean;
  /** By draft, whether one of its moves can be made from there on: `POSSIBLE`, `IMPOSSIBLE`, or not asked yet. */
  readonly drafts: Uint8Array;
};

const POSSIBLE = 1;
const IMPOSSIBLE = 2;

type RegionMove = { readonly from: number; readonly move: number };

/** States each of which can be reached from each other one. */
class LoopRegion {
  readonly states: readonly number[];
  readonly #members: ReadonlySet<number>;
  readonly #moves: MoveGraph;

  constructor(states: readonly number[], moves: MoveGraph) {
    this.states = states;
    this.#members = new Set(states);
    this.#moves = moves;
  }

  /** An assumption allows going round here: one of its moves is made here, or is impossible somewhere here. */
  allows(assumption: Assumption): boolean {
    return this.unhelped(assumption) !== null || this.helping(assumption) !== null;
  }

  /** A move of an assumption that stays within the region. */
  helping({ helps }: Assumption): RegionMove | null {
    for (const from of this.states) {
      const move = this.#movesOf(from).find((one) => helps(one) && this.#staysWith(one));
      if (move !== undefined) return { from, move };
    }
    return null;
  }

  /** A state in which no move of an assumption is possible, whether it would stay or leave. */
  unhelped(assumption: Assumption): number | null {
    return (
      this.states.find(
        (node) => !this.#moves.isDraft(node) && !this.#isPossible(node, assumption),
      ) ?? null
    );
  }

  /** Whether a move of an assumption can be made here, or from a draft that leads on from here. */
  #isPossible(node: number, assumption: Assumption): boolean {
    const draft = this.#moves.isDraft(node) ? node - this.#moves.states : -1;
    const known = assumption.drafts[draft] ?? 0;
    if (known !== 0) return known === POSSIBLE;
    const isPossible = this.#movesOf(node).some((move) => {
      if (assumption.helps(move)) return true;
      const to = this.#moves.target(move);
      return this.#moves.isDraft(to) && this.#isPossible(to, assumption);
    });
    if (draft >= 0) assumption.drafts[draft] = isPossible ? POSSIBLE : IMPOSSIBLE;
    return isPossible;
  }

  after({ from, move }: RegionMove): StatePath {
    return [{ state: this.#moves.target(move), via: move - this.#moves.first(from) }];
  }

  /** The shortest path from one state to another; to the same one, the shortest path round. */
  findPath(from: number, to: number, isRound: boolean): StatePath {
    if (from === to && !isRound) return [];
    const came = new Map<number, RegionMove>();
    const queue = [from];
    for (let at = 0; at < queue.length && !came.has(to); at++) {
      const state = queue[at] ?? from;
      for (const move of this.#movesOf(state)) {
        const next = this.#moves.target(move);
        if (came.has(next) || !this.#members.has(next)) continue;
        came.set(next, { from: state, move });
        queue.push(next);
      }
    }
    return this.#back(came, from, to);
  }

  #back(came: ReadonlyMap<number, RegionMove>, from: number, to: number): StatePath {
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

  #movesOf(state: number): readonly number[] {
    const moves: number[] = [];
    for (let move = this.#moves.first(state); move < this.#moves.end(state); move++) {
      moves.push(move);
    }
    return moves;
  }

  #staysWith(move: number): boolean {
    return this.#members.has(this.#moves.target(move));
  }
}

/** A path from a state of a region round to itself that passes by everything that makes it fair. */
function buildLasso(region: LoopRegion, start: number, fair: readonly Assumption[]): StatePath {
  const loop: { state: number; via: number }[] = [];
  let at = start;
  for (const assumption of fair) {
    const gap = region.unhelped(assumption);
    const step = gap === null ? region.helping(assumption) : null;
    const target = gap ?? step?.from ?? at;
    loop.push(...region.findPath(at, target, false));
    if (step !== null) loop.push(...region.after(step));
    at = loop.at(-1)?.state ?? at;
  }
  if (loop.length === 0 || at !== start)
    loop.push(...region.findPath(at, start, loop.length === 0));
  return loop;
}

/** A liveness property of the graph; states and moves are numbers of the exploration. */
type LivenessQuestion<E> = {
  /** States that were reached when the property became due; for `eventually` the first one. */
  readonly due: readonly number[];
  readonly isThere: (state: number) => boolean;
  readonly fair: readonly Assumption[];
  /** Not assumed; a loop names those that would rule it out. */
  readonly excuses: readonly Assumption[];
  readonly exploration: Exploration<E>;
};

/** The run that never gets there and whose end or loop is nearest to the beginning; null when there is none. */
function findUnfulfilledRun<E>(question: LivenessQuestion<E>): Trace<E> | null {
  const { exploration, fair, excuses } = question;
  const { graph } = exploration;
  const waiting = new PendingStates(question);
  const end = waiting.states.find((state) => graph.first(state) === graph.end(state));
  const regions = findLoopingComponents(waiting.states, graph)
    .map((members) => new LoopRegion(members, graph))
    .filter((region) => fair.every((assumption) => region.allows(assumption)));
  const regionOf = new Map(regions.flatMap((region) => region.states.map((one) => [one, region])));
  const entry = waiting.states.find((state) => !graph.isDraft(state) && regionOf.has(state));
  const region = entry === undefined ? undefined : regionOf.get(entry);
  if (end !== undefined && (entry === undefined || waiting.isNearer(end, entry))) {
    const path = waiting.pathTo(end);
    return { events: exploration.eventsOf(path), loop: null, excludedBy: [] };
  }
  if (entry === undefined || region === undefined) return null;
  const path = waiting.pathTo(entry);
  const loop = graph.toPath(buildLasso(region, entry, fair));
  return {
    events: exploration.eventsOf([...path, ...loop]),
    loop: countEvents(path),
    excludedBy: excuses.filter((one) => !region.allows(one)).map(({ name }) => name),
  };
}

/** Each state but the first stands for the event that led to it; drafts stand for none. */
function countEvents(path: StatePath): number {
  return path.filter(({ state }) => state >= 0).length - 1;
}

const START = 1;
const FIRST_FROM = 2;

/** The states that wait: reached from a due one without getting there, the nearest to the beginning first. */
class PendingStates<E> {
  readonly states: readonly number[];
  /** From where each was reached, plus two: `START` for those that were due, 0 where it was not reached; and by which move. */
  readonly #from: Int32Array;
  readonly #via: Int32Array;
  readonly #exploration: Exploration<E>;

  constructor({ due, isThere, exploration }: LivenessQuestion<E>) {
    this.#exploration = exploration;
    this.#from = new Int32Array(exploration.graph.nodes);
    this.#via = new Int32Array(exploration.graph.nodes);
    const starts = due.filter((state) => !isThere(state));
    const states: number[] = [];
    let next = 0;
    let level: number[] = [];
    for (let depth = 0; next < starts.length || level.length > 0; depth++) {
      // Numbers grow with depth, so what becomes due at this depth comes next.
      for (; next < starts.length; next++) {
        const start = starts[next] ?? 0;
        if (exploration.depthOf(start) > depth) break;
        if (this.#reach(start, START, 0)) level.push(start);
      }
      for (const state of level) states.push(state);
      level = level.flatMap((from) => this.#successors(from, isThere, states));
    }
    this.states = states;
  }

  isNearer(one: number, other: number): boolean {
    return countEvents(this.pathTo(one)) <= countEvents(this.pathTo(other));
  }

  pathTo(state: number): StatePath {
    const tail: { state: number; via: number }[] = [];
    let at = state;
    for (let from = this.#from[at] ?? 0; from > START; from = this.#from[at] ?? 0) {
      tail.push({ state: at, via: this.#via[at] ?? 0 });
      at = from - FIRST_FROM;
    }
    const { graph, pathTo } = this.#exploration;
    return [...pathTo(at), ...graph.toPath(tail.reverse())];
  }

  /** The states that come next. Drafts on the way are of the same depth. */
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

/** More assumptions than bits are not kept. */
const MOST_ASSUMPTIONS = 31;
/** What is noted of a state: the property is due here, and it is fulfilled here. */
const DUE = 1;
const THERE = 2;

export class LivenessMonitor<C, E> {
  readonly #properties: readonly LivenessProperty<C, E>[];
  /** All assumptions of all properties; a move's bits say which of them it is a move of. */
  readonly #fairness: readonly Fairness<C, E>[];
  /** Bits of each move of a state, in the order of the moves. */
  readonly #helps = new NumberList();
  /** The same of the moves of drafts. */
  readonly #draftHelps = new NumberList();
  /** For each property, by state. */
  readonly #stands: readonly NumberList[];

  constructor(properties: readonly Property<C, E>[]) {
    this.#properties = properties.filter(isLiveness);
    this.#stands = this.#properties.map(() => new NumberList());
    this.#fairness = [
      ...new Set(this.#properties.flatMap(({ fair = [], excuses = [] }) => [...fair, ...excuses])),
    ];
    if (this.#fairness.length > MOST_ASSUMPTIONS) {
      throw new Error(
        `expected at most ${MOST_ASSUMPTIONS} assumptions of fairness, found ${this.#fairness.length}`,
      );
    }
  }

  isAsked(property: Property<C, E>): boolean {
    return this.#properties.some((asked) => asked === property);
  }

  get isNeeded(): boolean {
    return this.#properties.length > 0;
  }

  /** Whether moves must be shown as well. */
  get looksAtMoves(): boolean {
    return this.#fairness.length > 0;
  }

  /** States come in the order of their numbers. */
  onState(state: State<C>, number: number): void {
    for (const [index, property] of this.#properties.entries()) {
      const isDue = property.kind === 'eventually' ? number === 0 : property.from(state);
      this.#stands[index]?.push((isDue ? DUE : 0) + (property.holds(state) ? THERE : 0));
    }
  }

  onMove(move: MachineStep<C, E>): void {
    this.#helps.push(this.helpsOf(move));
  }

  /** A move to the first draft of a factored event. */
  onOpen(helps: number): void {
    this.#helps.push(helps);
  }

  /** A move from draft to draft, or to the end. */
  onDraftMove(helps: number): void {
    this.#draftHelps.push(helps);
  }

  /** Bits that say which of the assumptions this is a move of. */
  helpsOf({ before, event }: Pick<MachineStep<C, E>, 'before' | 'event'>): number {
    let bits = 0;
    for (const [index, { helps }] of this.#fairness.entries()) {
      if (helps(before, event)) bits |= 1 << index;
    }
    return bits;
  }

  verdict(property: LivenessProperty<C, E>, exploration: Exploration<E>): PropertyVerdict<E> {
    const stands = this.#stands[this.#properties.indexOf(property)] ?? new NumberList();
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

  /** Moves of drafts are numbered behind those of states. */
  #assumption(assumed: Fairness<C, E>, { outerMoves, drafts }: MoveGraph): Assumption {
    const bit = 1 << this.#fairness.indexOf(assumed);
    const bits = (move: number) =>
      move < outerMoves ? this.#helps.at(move) : this.#draftHelps.at(move - outerMoves);
    return {
      name: assumed.name,
      helps: (move) => (bits(move) & bit) !== 0,
      drafts: new Uint8Array(drafts),
    };
  }
}

function isLiveness<C, E>(property: Property<C, E>): property is LivenessProperty<C, E> {
  return property.kind === 'eventually' || property.kind === 'leads-to';
}
