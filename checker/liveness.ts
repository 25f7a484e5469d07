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
function findLoops(inside: readonly number[], moves: MoveGraph): readonly (readonly number[])[] {
  const found: number[][] = [];
  const size = inside.reduce((most, state) => Math.max(most, state + 1), 0);
  /** When each state was opened, from 1. */
  const indices = new Int32Array(size).fill(OUTSIDE);
  /** The earliest state reachable from it, or 0 once its component is complete. */
  const lows = new Int32Array(size);
  const stack: number[] = [];
  /** The states on the current path, and the next move of each. */
  const path: number[] = [];
  const nexts: number[] = [];
  let opened = 0;

  function go(at: number): void {
    const [state, move] = [path[at] ?? 0, nexts[at] ?? 0];
    if (move >= moves.end(state)) {
      path.pop();
      nexts.pop();
      close(state, path[at - 1]);
      return;
    }
    nexts[at] = move + 1;
    const to = moves.target(move);
    const index = indices[to] ?? OUTSIDE;
    if (index === NEW) open(to);
    else if (index > 0 && lows[to] !== 0) lower(state, index);
  }

  function open(state: number): void {
    opened += 1;
    indices[state] = opened;
    lows[state] = opened;
    stack.push(state);
    path.push(state);
    nexts.push(moves.first(state));
  }

  function close(state: number, parent: number | undefined): void {
    const low = lows[state] ?? 0;
    if (parent !== undefined) lower(parent, low);
    if (low !== indices[state]) return;
    const component = stack.splice(stack.lastIndexOf(state));
    for (const member of component) lows[member] = 0;
    const leadsToItself = (move: number) => moves.target(move) === state;
    if (component.length > 1 || moves.findMove(state, leadsToItself) >= 0) found.push(component);
  }

  function lower(state: number, low: number): void {
    if (low < (lows[state] ?? 0)) lows[state] = low;
  }

  for (const state of inside) indices[state] = NEW;
  for (const start of inside) {
    if (indices[start] === NEW) open(start);
    while (path.length > 0) go(path.length - 1);
  }
  return found;
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

type LoopRegion = ReturnType<typeof createRegion>;

function createRegion(states: readonly number[], moves: MoveGraph, has: (node: number) => boolean) {
  function helping({ helps }: Assumption): RegionMove | null {
    for (const from of states) {
      const move = moves.findMove(from, (one) => helps(one) && has(moves.target(one)));
      if (move >= 0) return { from, move };
    }
    return null;
  }

  function unhelped(assumption: Assumption): number | undefined {
    return states.find((node) => !moves.isDraft(node) && !isPossible(node, assumption));
  }

  /** Whether a move of an assumption is possible here, or from a draft that starts here. */
  function isPossible(node: number, assumption: Assumption): boolean {
    const draft = moves.isDraft(node) ? node - moves.states : -1;
    const known = assumption.drafts[draft] ?? 0;
    if (known !== 0) return known === POSSIBLE;
    const found = moves.findMove(node, (move) => {
      if (assumption.helps(move)) return true;
      const to = moves.target(move);
      return moves.isDraft(to) && isPossible(to, assumption);
    });
    if (draft >= 0) assumption.drafts[draft] = found >= 0 ? POSSIBLE : IMPOSSIBLE;
    return found >= 0;
  }

  function after({ from, move }: RegionMove): StatePath {
    return [{ state: moves.target(move), via: move - moves.first(from) }];
  }

  /** A shortest path between two states. With `isRound` a path from a state to itself has at least one move. */
  function findPath(from: number, to: number, isRound: boolean): StatePath {
    if (from === to && !isRound) return [];
    const came = new Map<number, RegionMove>();
    const queue = [from];
    for (let at = 0; at < queue.length && !came.has(to); at++) {
      const state = queue[at] ?? from;
      for (const move of moves.movesOf(state)) {
        const next = moves.target(move);
        if (came.has(next) || !has(next)) continue;
        came.set(next, { from: state, move });
        queue.push(next);
      }
    }
    const path: { state: number; via: number }[] = [];
    let at = to;
    do {
      const step = came.get(at);
      if (step === undefined) throw new Error('a component is not connected');
      path.push(...after(step));
      at = step.from;
    } while (at !== from);
    return path.reverse();
  }

  /** Whether a loop here can satisfy an assumption: one of its moves stays here, or none is possible in some state. */
  const allows = (assumption: Assumption) =>
    unhelped(assumption) !== undefined || helping(assumption) !== null;
  return { allows, helping, unhelped, after, findPath };
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
  const waiting = findPending(question);
  const end = waiting.states.find((state) => graph.first(state) === graph.end(state));
  const regionOf = new Int32Array(graph.states + graph.drafts);
  const regions = findLoops(waiting.states, graph).map((members, index) => {
    for (const state of members) regionOf[state] = index + 1;
    return createRegion(members, graph, (node) => regionOf[node] === index + 1);
  });
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
function findPending<E>({ due, isThere, exploration }: LivenessQuestion<E>) {
  const { graph, paths } = exploration;
  /** The predecessor of each state plus two, `START` for a due state, 0 for an unreached one. */
  const froms = new Int32Array(graph.states + graph.drafts);
  const vias = new Int32Array(froms.length);
  const reach = (state: number, from: number, via: number): boolean => {
    if (froms[state] !== 0) return false;
    froms[state] = from;
    vias[state] = via;
    return true;
  };
  const starts = due.filter((state) => !isThere(state));
  const states: number[] = [];
  let next = 0;
  let level: number[] = [];
  for (let depth = 0; next < starts.length || level.length > 0; depth++) {
    // State numbers grow with depth, so the due states of this depth come next.
    for (; next < starts.length; next++) {
      const start = starts[next] ?? 0;
      if (paths.depthOf(start) > depth) break;
      if (reach(start, START, 0)) level.push(start);
    }
    for (const state of level) states.push(state);
    level = level.flatMap((from) => listNext(from));
  }

  /** The next states. Drafts on the way have the same depth. */
  function listNext(from: number): readonly number[] {
    const found: number[] = [];
    const nodes = [from];
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      const first = graph.first(node);
      for (let move = first; move < graph.end(node); move++) {
        const to = graph.target(move);
        const isDraft = graph.isDraft(to);
        if (!isDraft && isThere(to)) continue;
        if (!reach(to, node + FIRST_FROM, move - first)) continue;
        if (isDraft) nodes.push(to);
        (isDraft ? states : found).push(to);
      }
    }
    return found;
  }

  const pathTo = (state: number): StatePath => {
    const tail: { state: number; via: number }[] = [];
    let at = state;
    for (let from = froms[at] ?? 0; from > START; from = froms[at] ?? 0) {
      tail.push({ state: at, via: vias[at] ?? 0 });
      at = from - FIRST_FROM;
    }
    return [...paths.pathTo(at), ...graph.toPath(tail.reverse())];
  };
  return { states, pathTo };
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
