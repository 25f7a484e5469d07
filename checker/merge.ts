/**
 * The merge: makes what workers found part of a search, in the order in which the search would have found it.
 *
 * Portions are merged one after another, each as a whole. What has to be told exactly (a broken promise, an error, the
 * very state at which a budget ends the search) is not taken from a worker: that portion is expanded again here.
 */
import type { EventObject } from 'xstate';
import type { Search } from './explore.ts';
import type { Model } from './model.ts';
import { Numbers } from './numbers.ts';
import type { Findings } from './portion.ts';
import { Replays } from './replays.ts';
import type { Leap, Place, Stepper } from './step.ts';
import type { Watch } from './watch.ts';

/** What is known of one worker. */
type Sender<C> = {
  /** The numbers of all points that it ever found, in its order. */
  readonly found: Numbers;
  /** All kinds of leaps that it ever saw, in its order: the first leap of each, and where it began with what. */
  readonly kinds: { readonly leap: Leap<C>; readonly at: Place; readonly event: string }[];
};

export class Merge<C, E extends EventObject> {
  readonly #search: Search<C, E>;
  readonly #watch: Watch<C, E | EventObject>;
  readonly #stepper: Stepper<C, E>;
  readonly #replays: Replays<C, E>;
  readonly #senders: readonly Sender<C>[];

  constructor(
    model: Model<C, E>,
    stepper: Stepper<C, E>,
    { search, watch, workers }: Merging<C, E>,
  ) {
    this.#search = search;
    this.#watch = watch;
    this.#stepper = stepper;
    this.#replays = new Replays(model, stepper, search.frontier);
    this.#senders = Array.from({ length: workers }, () => ({ found: new Numbers(), kinds: [] }));
  }

  /** Merges what a worker found in the states that are next; the search may be over before all of them. */
  take(worker: number, findings: Findings): void {
    const search = this.#search;
    const sender = this.#senders[worker];
    if (sender === undefined) throw new Error(`there is no worker ${worker}`);
    const isAsItIs = this.#isAsItIs(findings);
    if (!isAsItIs) {
      while (search.expanded < findings.end && !search.isOver()) search.expandNext();
      if (search.isOver()) return;
    }
    this.#replays.uncounted(() => this.#learn(sender, findings));
    if (isAsItIs) this.#count(sender, findings);
    search.letGo();
  }

  #isAsItIs({ isWhole, found, violated }: Findings): boolean {
    const { steps } = this.#watch;
    return (
      isWhole &&
      this.#search.hasRoomFor(found.length / 2) &&
      violated.every((index) => steps[index]?.isBroken === true)
    );
  }

  /** Learns what the worker means by its points and its kinds of leaps. */
  #learn({ found, kinds }: Sender<C>, findings: Findings): void {
    for (let at = 0; at < findings.found.length; at += 2) {
      const [state, via] = [findings.found[at] ?? 0, findings.found[at + 1] ?? 0];
      const { leap } = this.#replays.move(state, via);
      found.push(this.#search.number(leap.point, state, via));
    }
    for (let at = 0; at < findings.kinds.length; at += 2) {
      const state = findings.kinds[at] ?? 0;
      const { event, leap } = this.#replays.move(state, findings.kinds[at + 1] ?? 0);
      kinds.push({ leap, at: this.#search.frontier.at(state).place, event: event.type });
    }
  }

  #count({ found, kinds }: Sender<C>, findings: Findings): void {
    const { degrees, targets, helps, antecedents, counts, guards } = findings;
    const search = this.#search;
    search.passOver(degrees, targets?.map((to) => (to < 0 ? found.at(~to) : to)) ?? null);
    if (helps !== null) this.#watch.waits.onMoves(helps);
    for (const [index, watcher] of this.#watch.steps.entries()) {
      watcher.count(antecedents[index] ?? 0);
    }
    for (let at = 0; at < counts.length; at += 2) {
      const kind = kinds[counts[at] ?? 0];
      if (kind === undefined) throw new Error('a worker counts a leap that it never told of');
      search.coverage.note(kind.leap, kind.at, kind.event, counts[at + 1]);
    }
    add(guards?.passed, this.#stepper.guards?.passed);
    add(guards?.failed, this.#stepper.guards?.failed);
  }
}

type Merging<C, E extends EventObject> = {
  readonly search: Search<C, E>;
  readonly watch: Watch<C, E | EventObject>;
  readonly workers: number;
};

function add(counts: Int32Array | undefined, sums: number[] | undefined): void {
  if (counts === undefined || sums === undefined) return;
  for (const [index, count] of counts.entries()) sums[index] = (sums[index] ?? 0) + count;
}
