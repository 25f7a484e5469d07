/** A worker: a thread that builds the model itself and expands the chunks of states that it is handed. */

import { parentPort, workerData } from 'node:worker_threads';
import type { EventObject } from 'xstate';
import { compileStepper } from '../compile.ts';
import { TransitionShapes } from '../coverage.ts';
import { listEvents } from '../explore.ts';
import { type MachineStep, type Model, type Property, stateOf } from '../model.ts';
import { Frontier, NumberList } from '../paths.ts';
import { PropertyMonitors, selectProperties } from '../properties.ts';
import { WatchedStepper } from '../purity.ts';
import type { GuardCounts, MachinePoint, MachineStepper } from '../stepper.ts';
import { VisitedStates } from '../visited.ts';
import { createXstateStepper } from '../xstateStepper.ts';
import {
  type ChunkFindings,
  loadModel,
  MoveReplayer,
  type StateChunk,
  type WorkerMessage,
  type WorkerSetup,
} from './checkInWorkers.ts';

/*
 * A worker's copy of the search: every state that it has seen, to expand chunks of them.
 *
 * It numbers the states that it sees in the order in which it sees them, and learns later which numbers they have in
 * the search. A point that it finds first waits aside until then.
 */

/** A point that was found here and has no number yet. */
type UnnumberedPoint<C> = {
  readonly state: number;
  readonly via: number;
  readonly point: MachinePoint<C>;
};

type WorkerStateOptions = { readonly isSymmetric: boolean; readonly keepsMoves: boolean };

export class WorkerState<C, E extends EventObject> {
  readonly #model: Model<C, E>;
  readonly #stepper: MachineStepper<C, E>;
  readonly #monitors: PropertyMonitors<C, E | EventObject>;
  readonly #keepsMoves: boolean;
  readonly #visited: VisitedStates<C, E>;
  readonly #frontier = new Frontier<C>();
  readonly #replayer: MoveReplayer<C, E>;
  readonly #shapes = new TransitionShapes();
  /** What to call each state that was seen here: its number in the search, or the complement of its place in `found`. */
  readonly #names = new NumberList();
  #found = 0;
  #aside: UnnumberedPoint<C>[] = [];
  /** The first point aside that may still be learnt. */
  #next = 0;

  constructor(
    model: Model<C, E>,
    stepper: MachineStepper<C, E>,
    monitors: PropertyMonitors<C, E | EventObject>,
    { isSymmetric, keepsMoves }: WorkerStateOptions,
  ) {
    this.#model = model;
    this.#stepper = stepper;
    this.#monitors = monitors;
    this.#keepsMoves = keepsMoves;
    this.#visited = new VisitedStates(model, isSymmetric);
    this.#replayer = new MoveReplayer(model, stepper, this.#frontier);
    this.#replayer.uncounted(() => this.#learn(stepper.initial().point));
  }

  expand({ first, end, news, done }: StateChunk): ChunkFindings {
    this.#replayer.uncounted(() => {
      for (let at = 0; at < news.length; at += 2) {
        this.#learn(this.#pointAt(news[at] ?? 0, news[at + 1] ?? 0));
      }
    });
    this.#frontier.release(done);
    const before = this.#counted();
    const tally = createTally();
    let isWhole = true;
    try {
      for (let state = first; state < end; state++) this.#expandState(state, tally);
    } catch {
      // Whatever it is, it comes again where the search itself makes this step.
      isWhole = false;
    }
    return { first, end, isWhole, ...this.#written(tally), ...this.#countedSince(before) };
  }

  #expandState(state: number, tally: ChunkTally): void {
    const point = this.#frontier.at(state);
    const events = listEvents(this.#model, point);
    const before = this.#monitors.looksAtMoves ? stateOf(point) : null;
    for (let via = 0; via < events.length; via++) {
      const event = events[via];
      if (event === undefined)
        throw new Error(
          '`world` listed fewer events for the same state: it must depend on nothing but the state',
        );
      const transition = this.#stepper.step(point, event);
      if (this.#shapes.note(transition, point.place, event.type)) tally.shapes.push(state, via);
      const own = this.#visited.number(transition.point);
      if (own === this.#names.length) {
        this.#names.push(~this.#found);
        this.#found += 1;
        this.#aside.push({ state, via, point: transition.point });
        tally.found.push(state, via);
      }
      if (this.#keepsMoves) tally.targets.push(this.#names.at(own));
      if (before === null) continue;
      const { effects } = transition;
      this.#show({ before, event, after: stateOf(transition.point), effects }, state, via, tally);
    }
    tally.degrees.push(events.length);
  }

  #show(
    move: MachineStep<C, E | EventObject>,
    state: number,
    via: number,
    tally: ChunkTally,
  ): void {
    const { steps, liveness: waits } = this.#monitors;
    // Where it leads is for the search to say, which takes a step that breaks something itself.
    for (const monitor of steps) monitor.onMove(move, state, state, via);
    if (waits.looksAtMoves) tally.helps.push(waits.helpsOf(move));
  }

  /** The point of a new state: one that was found here, or made by the same step. */
  #pointAt(state: number, via: number): MachinePoint<C> {
    for (; this.#next < this.#aside.length; this.#next++) {
      const found = this.#aside[this.#next];
      if (found === undefined || found.state > state) break;
      if (found.state < state || found.via < via) continue;
      if (found.via === via) return found.point;
      break;
    }
    return this.#replayer.move(state, via).transition.point;
  }

  /** The next state of the search. */
  #learn(point: MachinePoint<C>): void {
    const number = this.#frontier.end;
    const own = this.#visited.number(point);
    if (own === this.#names.length) this.#names.push(number);
    else if (this.#names.at(own) < 0) this.#names.set(own, number);
    else
      throw new Error(
        'the model of this worker differs from that of the main thread: it must depend on nothing but its argument',
      );
    this.#frontier.push(point);
  }

  #counted(): CountsSoFar {
    const { guards } = this.#stepper;
    return {
      guards: guards === null ? null : { passed: [...guards.passed], failed: [...guards.failed] },
      antecedents: this.#monitors.steps.map(({ antecedents }) => antecedents),
      broken: this.#monitors.steps.map(({ isBroken }) => isBroken),
    };
  }

  #countedSince(before: CountsSoFar): Pick<ChunkFindings, 'antecedents' | 'violated' | 'guards'> {
    const now = this.#counted();
    const { guards } = now;
    return {
      antecedents: subtract(now.antecedents, before.antecedents),
      violated: [...now.broken.keys()].filter((one) => now.broken[one] !== before.broken[one]),
      guards:
        guards === null || before.guards === null
          ? null
          : {
              passed: subtract(guards.passed, before.guards.passed),
              failed: subtract(guards.failed, before.guards.failed),
            },
    };
  }

  #written({ degrees, found, targets, helps, shapes }: ChunkTally) {
    this.#aside = this.#aside.slice(this.#next);
    this.#next = 0;
    return {
      degrees: Int32Array.from(degrees),
      found: Int32Array.from(found),
      targets: this.#keepsMoves ? Int32Array.from(targets) : null,
      helps: this.#monitors.liveness.looksAtMoves ? Int32Array.from(helps) : null,
      shapes: Int32Array.from(shapes),
      counts: this.#shapes.take(),
    };
  }
}

/** What was counted so far, of all chunks together. */
type CountsSoFar = {
  readonly guards: GuardCounts | null;
  readonly antecedents: readonly number[];
  readonly broken: readonly boolean[];
};

/** What is written down while a chunk is expanded. */
type ChunkTally = Readonly<Record<'degrees' | 'found' | 'targets' | 'helps' | 'shapes', number[]>>;

function createTally(): ChunkTally {
  return { degrees: [], found: [], targets: [], helps: [], shapes: [] };
}

function subtract(now: readonly number[], before: readonly number[]): Int32Array {
  return Int32Array.from(now, (count, index) => count - (before[index] ?? 0));
}

async function createState(setup: WorkerSetup): Promise<WorkerState<unknown, EventObject>> {
  const { source, engine, only, isSymmetric, purity } = setup;
  const model = await loadModel<unknown, EventObject>(source);
  const create = engine === 'compiled' ? compileStepper : createXstateStepper;
  const stepper = create<unknown, EventObject>(model.machine, model.input);
  const properties: readonly Property<unknown, EventObject>[] = selectProperties(model, only);
  const monitors = new PropertyMonitors({ properties, isSymmetric });
  return new WorkerState(model, new WatchedStepper(stepper, model, purity), monitors, setup);
}

const state = await createState(workerData as WorkerSetup); // said by the search that started this thread
const post = (message: WorkerMessage) => parentPort?.postMessage(message);
parentPort?.on('message', (chunk: StateChunk) => {
  post({ type: 'found', findings: state.expand(chunk) });
});
post({ type: 'ready' });
