/**
 * The merge: makes what workers found part of a search, in the order in which the search would have found it.
 *
 * Chunks are merged one after another, each as a whole. What has to be told exactly (a broken property, an error, the
 * very state at which a budget ends the search) is not taken from a worker: that chunk is expanded again here.
 */
import type { EventObject } from 'xstate';
import type { Search } from './explore.ts';
import type { Model } from './model.ts';
import { NumberList } from './numbers.ts';
import type { ChunkFindings } from './portion.ts';
import { MoveReplayer } from './replays.ts';
import type { MachinePlace, MachineStepper, Transition } from './step.ts';
import type { PropertyMonitors } from './watch.ts';

/** What is known of one worker. */
type SendingWorker<C> = {
  /** The numbers of all points that it ever found, in its order. */
  readonly found: NumberList;
  /** All shapes of transitions that it ever saw, in its order: the first transition of each, and where it began with what. */
  readonly shapes: {
    readonly transition: Transition<C>;
    readonly at: MachinePlace;
    readonly event: string;
  }[];
};

export class FindingsMerger<C, E extends EventObject> {
  readonly #search: Search<C, E>;
  readonly #monitors: PropertyMonitors<C, E | EventObject>;
  readonly #stepper: MachineStepper<C, E>;
  readonly #replayer: MoveReplayer<C, E>;
  readonly #senders: readonly SendingWorker<C>[];

  constructor(
    model: Model<C, E>,
    stepper: MachineStepper<C, E>,
    { search, monitors, workers }: MergerParts<C, E>,
  ) {
    this.#search = search;
    this.#monitors = monitors;
    this.#stepper = stepper;
    this.#replayer = new MoveReplayer(model, stepper, search.frontier);
    this.#senders = Array.from({ length: workers }, () => ({
      found: new NumberList(),
      shapes: [],
    }));
  }

  /** Merges what a worker found in the states that are next; the search may be over before all of them. */
  take(worker: number, findings: ChunkFindings): void {
    const search = this.#search;
    const sender = this.#senders[worker];
    if (sender === undefined) throw new Error(`there is no worker ${worker}`);
    const isAsItIs = this.#isAsItIs(findings);
    if (!isAsItIs) {
      while (search.expanded < findings.end && !search.isOver()) search.expandNext();
      if (search.isOver()) return;
    }
    this.#replayer.uncounted(() => this.#learn(sender, findings));
    if (isAsItIs) this.#count(sender, findings);
    search.letGo();
  }

  #isAsItIs({ isWhole, found, violated }: ChunkFindings): boolean {
    const { steps } = this.#monitors;
    return (
      isWhole &&
      this.#search.hasRoomFor(found.length / 2) &&
      violated.every((index) => steps[index]?.isBroken === true)
    );
  }

  /** Learns what the worker means by its points and its shapes of transitions. */
  #learn({ found, shapes }: SendingWorker<C>, findings: ChunkFindings): void {
    for (let at = 0; at < findings.found.length; at += 2) {
      const [state, via] = [findings.found[at] ?? 0, findings.found[at + 1] ?? 0];
      const { transition } = this.#replayer.move(state, via);
      found.push(this.#search.number(transition.point, state, via));
    }
    for (let at = 0; at < findings.shapes.length; at += 2) {
      const state = findings.shapes[at] ?? 0;
      const { event, transition } = this.#replayer.move(state, findings.shapes[at + 1] ?? 0);
      shapes.push({ transition, at: this.#search.frontier.at(state).place, event: event.type });
    }
  }

  #count({ found, shapes }: SendingWorker<C>, findings: ChunkFindings): void {
    const { degrees, targets, helps, antecedents, counts, guards } = findings;
    const search = this.#search;
    search.passOver(degrees, targets?.map((to) => (to < 0 ? found.at(~to) : to)) ?? null);
    if (helps !== null) this.#monitors.liveness.onMoves(helps);
    for (const [index, monitor] of this.#monitors.steps.entries()) {
      monitor.count(antecedents[index] ?? 0);
    }
    for (let at = 0; at < counts.length; at += 2) {
      const shape = shapes[counts[at] ?? 0];
      if (shape === undefined)
        throw new Error('a worker counts a transition that it never told of');
      search.coverage.note(shape.transition, shape.at, shape.event, counts[at + 1]);
    }
    addCounts(guards?.passed, this.#stepper.guards?.passed);
    addCounts(guards?.failed, this.#stepper.guards?.failed);
  }
}

type MergerParts<C, E extends EventObject> = {
  readonly search: Search<C, E>;
  readonly monitors: PropertyMonitors<C, E | EventObject>;
  readonly workers: number;
};

function addCounts(counts: Int32Array | undefined, sums: number[] | undefined): void {
  if (counts === undefined || sums === undefined) return;
  for (const [index, count] of counts.entries()) sums[index] = (sums[index] ?? 0) + count;
}
