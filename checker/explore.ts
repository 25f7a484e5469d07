/**
 * Visits every reachable state once, breadth first, so that the first counterexample is a shortest one. A state is kept
 * only until it has been expanded: its number, its parent and the event that led to it suffice to reach it again.
 */
import type { EventObject } from 'xstate';
import { isPromise, readChart } from './chart.ts';
import { type CoverageCounter, createCoverageCounter } from './coverage.ts';
import {
  type DraftObserver,
  DraftSearch,
  DraftWalk,
  type PartCounts,
  type PartPlace,
  type StateSearch,
} from './draftSearch.ts';
import { Unhashable, ValueIdentity } from './identity.ts';
import { describeMissing } from './missingNames.ts';
import {
  type MachineStart,
  type MachineStep,
  type Model,
  type SearchBudget,
  type State,
  stateOf,
  UNLIMITED,
} from './model.ts';
import { readEvents } from './outcomes.ts';
import { MoveGraph, MoveTable, PathTree, type StatePath } from './paths.ts';
import type { PurityWatch } from './purity.ts';
import {
  describeFault,
  listRunning,
  MachineFault,
  type MachinePoint,
  type MachineStepper,
  type Transition,
  Uncompilable,
} from './stepper.ts';
import {
  BrokenSymmetry,
  createSymmetryTest,
  type MovesByTarget,
  type SymmetryTest,
} from './symmetryTest.ts';
import { VisitedStates } from './visited.ts';

export type SearchObserver<C, E> = DraftObserver<C, E> & {
  readonly onStart?: (start: MachineStart<C>) => void;
  readonly onState?: (state: State<C>, number: number) => void;
  /** Called for every move, also to a known state: by the event at index `via`, to state number `to`. */
  readonly onMove?: (move: MachineStep<C, E>, from: number, to: number, via: number) => void;
  readonly onStuck?: (state: State<C>, number: number) => void;
};

export type ExploreOptions = {
  readonly budget: SearchBudget;
  readonly isSymmetric: boolean;
  /** With `some-steps`, hidden names of objects are not looked for. */
  readonly purity: PurityWatch;
  /** Keeps all moves, for liveness properties. */
  readonly keepsMoves: boolean;
  /** A clock in seconds, for the time budget. */
  readonly now: () => number;
  /** Bytes in use, for the byte budget. By default those that the search itself keeps. */
  readonly memory: (() => number) | null;
  /** Called about five times a second of the `now` clock. */
  readonly onProgress: ((progress: SearchProgress) => void) | null;
  readonly signal: AbortSignal | null;
};

export type SearchProgress = {
  readonly states: number;
  readonly transitions: number;
  /** States that were found and not expanded. 0 for a complete search. */
  readonly frontier: number;
  readonly depth: number;
  readonly seconds: number;
};

export type Exploration<E> = SearchProgress & {
  /** Why the search ended early, or null for a complete search. */
  readonly ended: string | null;
  readonly broken: MachineFailure<E> | null;
  /** Bytes used to store the states, without the frontier. */
  readonly bytes: number;
  readonly coverage: CoverageCounter;
  /** The moves out of each state, and the drafts of factored events between them. Empty unless `keepsMoves` is set. */
  readonly graph: MoveGraph;
  /** Counts within factored events, or null for a model without them. */
  readonly parts: PartCounts | null;
  readonly paths: Pick<PathTree, 'depths' | 'parents' | 'depthOf' | 'pathTo'>;
  /** The numbers of the states on a run, including the start. */
  readonly statesOf: (events: readonly E[]) => readonly number[];
  readonly eventsOf: (path: StatePath) => readonly E[];
  /** Runs that end with this part of a factored event, the likeliest first, each with its last step. */
  readonly runsThrough: (place: PartPlace) => Iterable<FoundRun<E>>;
};

type FoundRun<E> = { readonly events: readonly E[]; readonly last: MachineStep<unknown, E> };

/** Why a search broke off: a function threw, a step never ended, timers grew without bound, or a step is not pure. */
type MachineFailure<E> = {
  readonly state: number;
  readonly event: E | null;
  readonly message: string;
  /** The kind of fault. Codes are stable. */
  readonly code: string;
};

const PROGRESS_SECONDS = 0.2;
/** Number of states between measurements, because measuring memory takes longer than expanding a state. */
const STATES_A_MEASURE = 1024;
const MEGABYTE = 1_000_000;

const DEFAULTS: ExploreOptions = {
  budget: UNLIMITED,
  isSymmetric: false,
  purity: 'each-step',
  keepsMoves: false,
  now: () => performance.now() / 1000,
  memory: null,
  onProgress: null,
  signal: null,
};

/** The possible events at a point: its timers, then the events of the world. */
export function listEvents<C, E extends EventObject>(
  model: Model<C, E>,
  point: MachinePoint<C>,
): readonly (E | EventObject)[] {
  if (point.status !== 'active') return [];
  const world = readEvents('world', model.world(stateOf(point)));
  return point.timers.length === 0 ? world : [...point.timers.map(({ event }) => event), ...world];
}

export function explore<C, E extends EventObject>(
  model: Model<C, E>,
  stepper: MachineStepper<C, E>,
  observer: SearchObserver<C, E | EventObject> = {},
  options: Partial<ExploreOptions> = {},
): Exploration<E | EventObject> {
  const search = new Search(model, stepper, observer, options);
  search.goOn(() => false);
  return search.exploration();
}

export class Search<C, E extends EventObject> {
  readonly #model: Model<C, E>;
  readonly #stepper: MachineStepper<C, E>;
  readonly #observer: SearchObserver<C, E | EventObject>;
  readonly #options: ExploreOptions;
  readonly #visited: VisitedStates<C, E>;
  readonly #moves = new MoveTable();
  readonly #drafts: DraftSearch<C, E> | null;
  readonly #symmetry: SymmetryTest<MachinePoint<C>, E | EventObject> | null;
  readonly #start: number;
  readonly #paths = new PathTree();
  readonly #frontier = new Map<number, MachinePoint<C>>();
  readonly #coverage: CoverageCounter;
  #transitions = 0;
  #expanded = 0;
  #ended: string | null = null;
  /** The budget that ended the search in the middle of a state. */
  #cut: string | null = null;
  #broken: MachineFailure<E | EventObject> | null = null;
  /** Transitions without target and actions. They only hide an event from the states around them. */
  readonly #idle: ReadonlySet<number>;
  /** Whether an event has taken a transition from the expanded state. */
  #hasMoved = false;
  #awaitsDrafts = false;
  #shouldPause = () => false;
  #told = 0;
  #measured = -STATES_A_MEASURE;

  constructor(
    model: Model<C, E>,
    stepper: MachineStepper<C, E>,
    observer: SearchObserver<C, E | EventObject>,
    options: Partial<ExploreOptions>,
  ) {
    this.#model = model;
    this.#stepper = stepper;
    this.#observer = observer;
    this.#options = { ...DEFAULTS, ...options };
    const { isSymmetric, purity } = this.#options;
    const isThorough = purity === 'each-step';
    this.#visited = new VisitedStates(model, isSymmetric, isThorough);
    this.#symmetry = isSymmetric
      ? createSymmetryTest(
          new ValueIdentity(model.codec ?? null, isThorough),
          ({ place, context, status, timers }) => [place.number, context, status, timers],
          (point) => this.#outcomesAt(point),
        )
      : null;
    this.#drafts = model.factored === undefined ? null : this.#searchDrafts();
    this.#coverage = createCoverageCounter(model.machine, stepper.guards);
    const { edges } = readChart(model.machine);
    this.#idle = new Set(
      edges
        .filter(({ definition: { target, actions } }) => !target && actions.length === 0)
        .map(({ number }) => number),
    );
    this.#start = this.#options.now();
    this.#begin();
  }

  goOn(shouldPause: () => boolean): void {
    this.#shouldPause = shouldPause;
    while (!this.isOver() && !shouldPause()) {
      const number = this.#expanded;
      const point = this.#frontier.get(number);
      if (point === undefined) throw new Error(`state ${number} does not wait`);
      try {
        this.#expand(point);
      } catch (error) {
        throw error instanceof BrokenSymmetry ? this.#locate(error) : error;
      }
      if (this.#awaitsDrafts) continue;
      this.#frontier.delete(number);
      this.#expanded += 1;
    }
  }

  /** Whether the search is complete or has a reason to end. Call it before every state. */
  isOver(): boolean {
    this.#ended ??= this.#reasonToEnd();
    return this.#ended !== null || this.#expanded === this.#paths.states;
  }

  /** The number of a point. A new state joins the frontier. */
  #number(point: MachinePoint<C>, parent: number, via: number, nearest = parent): number {
    const number = this.#visited.number(point);
    if (number < this.#paths.states) {
      const difference = this.#symmetry?.findDifference(number, point) ?? null;
      if (difference === null) return number;
      const { isOfFirst, outcome } = difference;
      const path = [...this.#paths.pathTo(nearest), { state: number, via }];
      const { events } = this.#walk(isOfFirst ? this.#paths.pathTo(number) : path);
      throw new BrokenSymmetry([...events, outcome]);
    }
    this.#symmetry?.keep(number, point);
    this.#paths.add(parent, via, nearest);
    this.#frontier.set(number, point);
    this.#observer.onState?.(stateOf(point), number);
    return number;
  }

  #outcomesAt(point: MachinePoint<C>): MovesByTarget<E | EventObject> {
    return new Map(
      listEvents(this.#model, point).map((event) => [this.#leadOf(point, event), event]),
    );
  }

  /** Adds the run to a state that the symmetry refuses. */
  #locate({ events, message }: BrokenSymmetry): BrokenSymmetry {
    if (events.length > 0) return new BrokenSymmetry(events, message);
    const run = this.#walk(this.#paths.pathTo(this.#expanded));
    const isIt = (event: E | EventObject) => this.#leadOf(run.point, event) === message;
    const last = listEvents(this.#model, run.point).find(isIt);
    return new BrokenSymmetry([...run.events, ...(last === undefined ? [] : [last])], message);
  }

  /** The orbit that an event leads to, and the kinds of its effects. */
  #leadOf(point: MachinePoint<C>, event: E | EventObject): string {
    try {
      const { point: to, effects } = this.#stepper.step(point, event);
      return `${this.#model.symmetry?.orbit(to)} ${effects.map(({ type }) => type).join()}`;
    } catch (error) {
      return describeFault(error).message;
    }
  }

  exploration(): Exploration<E | EventObject> {
    const paths = this.#paths;
    return {
      ...this.#progress(),
      ended: this.#ended,
      broken: this.#broken,
      bytes: this.#bytes(),
      coverage: this.#coverage,
      graph: new MoveGraph(paths.states, this.#moves, this.#drafts?.moves ?? new MoveTable()),
      parts: this.#drafts?.counts ?? null,
      paths,
      statesOf: (events) => this.#statesOf(events),
      eventsOf: (path) => this.#walk(path).events,
      runsThrough: (place) => this.#runsAlong(paths.pathTo(place.node), place),
    };
  }

  #bytes(): number {
    const parts = [this.#visited, this.#paths, this.#moves, this.#drafts];
    return parts.reduce((sum, part) => sum + (part?.bytes ?? 0), 0);
  }

  #searchDrafts(): DraftSearch<C, E> {
    const { isSymmetric, keepsMoves, purity } = this.#options;
    if (isSymmetric && (this.#model.symmetry?.orbit.length ?? 2) < 2)
      throw new Error('`symmetry.orbit` must know drafts as well: the model has factored events');
    const search: StateSearch<C, E> = {
      step: (point, event) => this.#step(point, event),
      number: (point, via, draft) => this.#number(point, this.#expanded, via, ~draft),
      isEnded: () => {
        this.#cut = this.#spentBudget(this.#options.memory);
        return this.#cut !== null || this.#shouldPause();
      },
      leadOf: (point, event) => this.#leadOf(point, event),
      breakSymmetry: (path, place) => {
        const [run] = this.#runsAlong(path, place);
        throw new BrokenSymmetry(run?.events ?? []);
      },
      refuse: (message, event) => {
        this.#broken = { state: this.#expanded, event, message, code: 'model/not-factored' };
      },
    };
    const paths = this.#paths;
    const isThorough = purity === 'each-step';
    const visited = new VisitedStates(this.#model, isSymmetric, isThorough);
    const memory = { visited, paths, keepsMoves, isSymmetric, isThorough };
    return new DraftSearch(this.#model, search, this.#observer, memory);
  }

  #begin(): void {
    try {
      const missing = describeMissing(this.#model.machine);
      if (missing !== null) throw new MachineFault('machine/missing-names', missing);
      const first = this.#stepper.initial();
      this.#coverage.note(first);
      this.#observer.onStart?.({ state: stateOf(first.point), effects: first.effects });
      this.#number(first.point, -1, -1);
    } catch (error) {
      this.#break(error, null);
    }
  }

  #reasonToEnd(): string | null {
    if (this.#broken !== null) return `an error (${this.#broken.message})`;
    if (this.#cut !== null) return this.#cut;
    if (this.#expanded === this.#paths.states) return null;
    const isMeasured = this.#expanded - this.#measured >= STATES_A_MEASURE;
    if (isMeasured) this.#measured = this.#expanded;
    return this.#spentBudget(isMeasured ? (this.#options.memory ?? (() => this.#bytes())) : null);
  }

  /** The exceeded budget, or null. The byte budget is checked only if `measure` is given. Also reports progress. */
  #spentBudget(measure: (() => number) | null): string | null {
    const { budget, onProgress, signal } = this.#options;
    if (signal?.aborted === true) return 'an interruption';
    if (this.#paths.states > budget.states) return `the budget of ${budget.states} states`;
    const seconds = this.#seconds();
    if (seconds > budget.seconds) return `the budget of ${budget.seconds} seconds`;
    if (budget.bytes !== undefined && measure !== null && measure() > budget.bytes)
      return `the budget of ${Math.ceil(budget.bytes / MEGABYTE)} MB`;
    if (onProgress !== null && seconds - this.#told >= PROGRESS_SECONDS) {
      this.#told = seconds;
      onProgress(this.#progress());
    }
    return null;
  }

  #seconds(): number {
    return this.#options.now() - this.#start;
  }

  #progress(): SearchProgress {
    const { states, depth } = this.#paths;
    return {
      states,
      transitions: this.#transitions,
      frontier: states - this.#expanded,
      depth,
      seconds: this.#seconds(),
    };
  }

  #expand(point: MachinePoint<C>): void {
    const number = this.#expanded;
    const awaited = this.#drafts?.factored.open(point) ?? [];
    if (!this.#awaitsDrafts) {
      const events = listEvents(this.#model, point);
      this.#hasMoved = awaited.length > 0;
      if (!this.#takeEvents(point, events)) return;
      if (!this.#hasMoved && this.#waitsForNothing(point))
        this.#observer.onStuck?.(stateOf(point), number);
      for (const [index, open] of awaited.entries()) {
        const draft = this.#drafts?.open(open, number, events.length + index) ?? null;
        if (draft === null) return;
        if (this.#options.keepsMoves) this.#moves.add(~draft);
      }
    }
    if (this.#drafts !== null) {
      this.#awaitsDrafts = !this.#drafts.finish() && this.#broken === null;
      if (this.#awaitsDrafts || this.#broken !== null) return;
      for (const open of awaited) if (!this.#drafts.compare(open, number)) return;
    }
    if (this.#options.keepsMoves) this.#moves.close();
    try {
      this.#stepper.leave?.();
    } catch (error) {
      this.#break(error, null);
    }
  }

  /** Whether an active machine has no timer and no child that may still send an event. A promise sends only its end. */
  #waitsForNothing({ status, timers, children }: MachinePoint<C>): boolean {
    return (
      status === 'active' &&
      timers.length === 0 &&
      listRunning(children).every((id) => isPromise(this.#model.machine, id))
    );
  }

  /** Returns false if the machine broke. */
  #takeEvents(point: MachinePoint<C>, events: readonly (E | EventObject)[]): boolean {
    const number = this.#expanded;
    const before = this.#observer.onMove === undefined ? null : stateOf(point);
    for (const [index, event] of events.entries()) {
      const transition = this.#step(point, event);
      if (transition === null) return false;
      this.#transitions += 1;
      this.#hasMoved ||= transition.taken.some((edge) => !this.#idle.has(edge));
      const to = this.#number(transition.point, number, index);
      if (this.#options.keepsMoves) this.#moves.add(to);
      if (before === null) continue;
      const move = { before, event, after: stateOf(transition.point), effects: transition.effects };
      this.#observer.onMove?.(move, number, to, index);
    }
    return true;
  }

  #step(point: MachinePoint<C>, event: E | EventObject): Transition<C> | null {
    try {
      const transition = this.#stepper.step(point, event);
      this.#coverage.note(transition, point.place, event.type);
      return transition;
    } catch (error) {
      return this.#break(error, event);
    }
  }

  /** Rethrows the checker's own refusals. Any other error is a fault of the machine. */
  #break(error: unknown, event: E | EventObject | null): null {
    const isOwn = [Uncompilable, Unhashable, BrokenSymmetry].some((own) => error instanceof own);
    if (isOwn) throw error;
    const guilty = error instanceof MachineFault ? error.event : null;
    this.#broken = { state: this.#expanded, event: guilty ?? event, ...describeFault(error) };
    return null;
  }

  #statesOf(events: readonly (E | EventObject)[]): readonly number[] {
    let { point } = this.#stepper.initial();
    const states = [this.#visited.number(point)];
    for (const event of events) {
      point = this.#stepper.step(point, event).point;
      states.push(this.#visited.number(point));
    }
    return states;
  }

  /** Replays a path on the machine. It may end inside a factored event. */
  #walk(path: StatePath) {
    const events: (E | EventObject)[] = [];
    let { point } = this.#stepper.initial();
    const walk = this.#drafts === null ? null : new DraftWalk(this.#drafts);
    const leadsTo = (state: number) => (from: MachinePoint<C>, event: E | EventObject) =>
      this.#visited.number(this.#stepper.step(from, event).point) === state;
    try {
      for (const { state, via } of path.slice(1)) {
        if (state < 0) {
          walk?.goTo(~state, point);
          continue;
        }
        const event = walk?.isWithin
          ? walk.end(leadsTo(state))
          : this.#eventTo(point, via, leadsTo(state));
        events.push(event);
        point = this.#stepper.step(point, event).point;
      }
    } catch (error) {
      // Another member of an orbit has no such path.
      throw this.#options.isSymmetric ? new BrokenSymmetry(events) : error;
    }
    return { events, point, walk };
  }

  /** Modulo symmetry the search may have expanded another member of the orbit, so the destination decides. */
  #eventTo(
    point: MachinePoint<C>,
    via: number,
    leads: (point: MachinePoint<C>, event: E | EventObject) => boolean,
  ): E | EventObject {
    const enabled = listEvents(this.#model, point);
    const expected = enabled[via];
    const isIt = (event: E | EventObject) => !this.#options.isSymmetric || leads(point, event);
    const event = expected !== undefined && isIt(expected) ? expected : enabled.find(isIt);
    if (event !== undefined) return event;
    throw new Error(
      '`world` listed other events for the same state: it must depend on nothing but the state',
    );
  }

  *#runsAlong(path: StatePath, place: PartPlace): Iterable<FoundRun<E | EventObject>> {
    const { events, point, walk } = this.#walk(path);
    const before = stateOf(point);
    for (const event of walk?.listLast(place, point) ?? []) {
      const { point: to, effects } = this.#stepper.step(point, event);
      yield { events: [...events, event], last: { before, event, after: stateOf(to), effects } };
    }
  }
}
