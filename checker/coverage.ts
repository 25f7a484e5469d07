/**
 * Coverage: which places, transitions and pairs of place and event were seen, and what was never reached.
 *
 * Counting costs an increment, so it is never turned off.
 */
import type { AnyStateMachine } from 'xstate';
import { chartOf, type Edge, isLeaf, nodeName } from './chart.ts';
import type { Leap } from './step.ts';

export type CoverageReport = {
  readonly states: { readonly seen: number; readonly all: number };
  readonly transitions: { readonly seen: number; readonly all: number };
  /** Leaves that were never active. */
  readonly unreached: readonly string[];
  /** Transitions that were never taken, with the nearest place that was reached. */
  readonly untaken: readonly { readonly edge: string; readonly nearest: string | null }[];
  /** For each place and event: how often it was accepted and how often ignored. */
  readonly matrix: readonly {
    readonly at: string;
    readonly event: string;
    readonly accepted: number;
    readonly ignored: number;
  }[];
};

type Pair = { accepted: number; ignored: number };

export class Coverage {
  readonly #machine: AnyStateMachine;
  readonly #taken: number[];
  readonly #places = new Map<string, number>();
  readonly #pairs = new Map<string, Map<string, Pair>>();

  constructor(machine: AnyStateMachine) {
    this.#machine = machine;
    this.#taken = chartOf(machine).edges.map(() => 0);
  }

  /** Counts a leap; `at` and `event` are where it began and what came. */
  note<C>({ point, taken }: Leap<C>, at?: string, event?: string): void {
    for (const edge of taken) this.#taken[edge] = (this.#taken[edge] ?? 0) + 1;
    const { name } = point.place;
    this.#places.set(name, (this.#places.get(name) ?? 0) + 1);
    if (at === undefined || event === undefined) return;
    let events = this.#pairs.get(at);
    if (events === undefined) {
      events = new Map();
      this.#pairs.set(at, events);
    }
    let pair = events.get(event);
    if (pair === undefined) {
      pair = { accepted: 0, ignored: 0 };
      events.set(event, pair);
    }
    if (taken.length > 0) pair.accepted += 1;
    else pair.ignored += 1;
  }

  report(): CoverageReport {
    const { edges, nodes } = chartOf(this.#machine);
    const leaves = nodes.filter(isLeaf).map(nodeName);
    const seen = new Set([...this.#places.keys()].flatMap((name) => name.split(' & ')));
    // A leaf that is only passed through between two events is never where a leap ends, but it was left.
    for (const { number, source, targets } of edges) {
      if (this.#taken[number] === 0) continue;
      for (const passed of [source, ...targets]) seen.add(passed);
    }
    const unreached = leaves.filter((leaf) => !isSeen(leaf, seen));
    const untaken = edges.filter(({ number }) => this.#taken[number] === 0);
    return {
      states: { seen: leaves.length - unreached.length, all: leaves.length },
      transitions: { seen: edges.length - untaken.length, all: edges.length },
      unreached,
      untaken: untaken.map((edge) => ({ edge: edge.label, nearest: nearest(edge, seen) })),
      matrix: [...this.#pairs].flatMap(([at, events]) =>
        [...events].map(([event, { accepted, ignored }]) => ({ at, event, accepted, ignored })),
      ),
    };
  }
}

function isSeen(leaf: string, seen: ReadonlySet<string>): boolean {
  if (seen.has(leaf)) return true;
  return [...seen].some((name) => name.startsWith(`${leaf}.`));
}

/** The deepest place on the way to the source of a transition that was reached. */
function nearest({ source }: Edge, seen: ReadonlySet<string>): string | null {
  const parts = source.split('.');
  for (let length = parts.length; length > 0; length--) {
    const prefix = parts.slice(0, length).join('.');
    for (const name of seen) if (name === prefix || name.startsWith(`${prefix}.`)) return name;
  }
  return null;
}
