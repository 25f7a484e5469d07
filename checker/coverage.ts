/**
 * Coverage: which places, transitions, guard outcomes and pairs of place and event were seen, and what never was.
 *
 * Counting costs an increment, so it is never turned off.
 */
import type { AnyStateMachine } from 'xstate';
import { chartOf, type Edge, isLeaf, nodeName } from './chart.ts';
import type { GuardCounts, Leap, Place } from './step.ts';

export type CoverageReport = {
  readonly states: { readonly seen: number; readonly all: number };
  readonly transitions: { readonly seen: number; readonly all: number };
  /** Leaves that were never active. */
  readonly unreached: readonly string[];
  /** Transitions that were never taken, with the nearest place that was reached. */
  readonly untaken: readonly { readonly edge: string; readonly nearest: string | null }[];
  /** What guards said; null when XState's engine ran, which can't be watched at it. */
  readonly guards: GuardReport | null;
  /** For each place and event: how often it was accepted and how often ignored. */
  readonly matrix: readonly {
    readonly at: string;
    readonly event: string;
    readonly accepted: number;
    readonly ignored: number;
  }[];
};

/** Outcomes of guards, two for each transition that has one. */
export type GuardReport = {
  readonly seen: number;
  readonly all: number;
  /** Transitions whose guard was asked and never passed. */
  readonly neverTrue: readonly string[];
  /** Transitions whose guard was asked and never failed. */
  readonly neverFalse: readonly string[];
  /** Transitions whose guard was never asked. */
  readonly unasked: readonly string[];
};

/** How often each transition was taken, and what its guard said, by its number in the chart. */
export type Traffic = {
  readonly taken: readonly number[];
  /** Null where XState's engine ran, which can't be watched at it. */
  readonly guards: GuardCounts | null;
};

type Pair = { accepted: number; ignored: number };

export class Coverage {
  readonly #machine: AnyStateMachine;
  readonly #guards: GuardCounts | null;
  readonly #taken: number[];
  readonly #places = new Set<Place>();
  readonly #pairs = new Map<Place, Map<string, Pair>>();
  /** What was counted last: neighbouring steps mostly begin at the same place with events of the same type. */
  #last: { readonly at: Place; readonly event: string; readonly pair: Pair } | null = null;
  #reached: Place | null = null;

  constructor(machine: AnyStateMachine, guards: GuardCounts | null) {
    this.#machine = machine;
    this.#guards = guards;
    this.#taken = chartOf(machine).edges.map(() => 0);
  }

  /** Counts a leap, or several that are alike; `at` and `event` are where it began and what came. */
  note<C>({ point, taken }: Leap<C>, at?: Place, event?: string, times = 1): void {
    for (const edge of taken) this.#taken[edge] = (this.#taken[edge] ?? 0) + times;
    if (point.place !== this.#reached) {
      this.#reached = point.place;
      this.#places.add(point.place);
    }
    if (at === undefined || event === undefined) return;
    const pair = this.#pair(at, event);
    if (taken.length > 0) pair.accepted += times;
    else pair.ignored += times;
  }

  traffic(): Traffic {
    const guards = this.#guards;
    return {
      taken: [...this.#taken],
      guards: guards === null ? null : { passed: [...guards.passed], failed: [...guards.failed] },
    };
  }

  report(): CoverageReport {
    const { edges, nodes } = chartOf(this.#machine);
    const leaves = nodes.filter(isLeaf).map(nodeName);
    const seen = new Set([...this.#places].flatMap(({ name }) => name.split(' & ')));
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
      guards: this.#guards === null ? null : guardReport(edges, this.#guards),
      matrix: [...this.#pairs].flatMap(([{ name }, events]) =>
        [...events].map(([event, pair]) => ({ at: name, event, ...pair })),
      ),
    };
  }

  #pair(at: Place, event: string): Pair {
    if (this.#last?.at === at && this.#last.event === event) return this.#last.pair;
    const events = this.#pairs.get(at) ?? new Map<string, Pair>();
    this.#pairs.set(at, events);
    const pair = events.get(event) ?? { accepted: 0, ignored: 0 };
    events.set(event, pair);
    this.#last = { at, event, pair };
    return pair;
  }
}

function guardReport(edges: readonly Edge[], { passed, failed }: GuardCounts): GuardReport {
  const guarded = edges.filter(({ guard }) => guard !== null);
  const hasPassed = ({ number }: Edge) => passed[number] !== 0;
  const hasFailed = ({ number }: Edge) => failed[number] !== 0;
  const asked = guarded.filter((edge) => hasPassed(edge) || hasFailed(edge));
  const labels = (which: readonly Edge[]) => which.map(({ label }) => label);
  return {
    seen: guarded.filter(hasPassed).length + guarded.filter(hasFailed).length,
    all: guarded.length * 2,
    neverTrue: labels(asked.filter((edge) => !hasPassed(edge))),
    neverFalse: labels(asked.filter((edge) => !hasFailed(edge))),
    unasked: labels(guarded.filter((edge) => !asked.includes(edge))),
  };
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
