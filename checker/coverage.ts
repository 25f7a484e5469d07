/** Counts the states, transitions, guard outcomes and pairs of state and event that a search has seen. */
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { isInside, isLeaf, type MachineEdge, nameNode, readChart } from './chart.ts';
import type { GuardCounts, MachinePlace, Transition } from './stepper.ts';
import { remember } from './values.ts';

export type CoverageCounter = ReturnType<typeof createCoverageCounter>;

export type CoverageReport = ReturnType<CoverageCounter['report']>;

export type TransitionCounts = ReturnType<CoverageCounter['counts']>;

export function createCoverageCounter(machine: AnyStateMachine, guards: GuardCounts | null) {
  const { edges, nodes } = readChart(machine);
  const taken = edges.map(() => 0);
  const visited = new Set<AnyStateNode>();
  const rows = new Map<MachinePlace, Map<string, { accepted: number; ignored: number }>>();
  let reached: MachinePlace | null = null;
  return {
    note<C>({ point, taken: path }: Transition<C>, at?: MachinePlace, event?: string): void {
      for (const edge of path) taken[edge] = (taken[edge] ?? 0) + 1;
      if (point.place !== reached) {
        reached = point.place;
        for (const node of point.place.nodes) visited.add(node);
      }
      if (at === undefined || event === undefined) return;
      const row = remember(rows, at, () => new Map());
      const pair = remember(row, event, () => ({ accepted: 0, ignored: 0 }));
      if (path.length > 0) pair.accepted += 1;
      else pair.ignored += 1;
    },
    /** How often each transition was taken and its guard passed or failed, by transition number. */
    counts: () => structuredClone({ taken, guards }),
    report() {
      const leaves = nodes.filter(isLeaf);
      const seen = new Set(visited);
      // No transition ends in a leaf that an eventless transition leaves at once, but it was visited.
      for (const { number, definition } of edges) {
        if (taken[number] === 0) continue;
        for (const passed of [definition.source, ...(definition.target ?? [])]) seen.add(passed);
      }
      const unreached = leaves.filter((leaf) => !seen.has(leaf)).map(nameNode);
      const untaken = edges.filter(({ number }) => taken[number] === 0);
      return {
        states: { seen: leaves.length - unreached.length, all: leaves.length },
        transitions: { seen: edges.length - untaken.length, all: edges.length },
        unreached,
        untaken: untaken.map((edge) => ({ edge: edge.label, nearest: findNearest(edge, seen) })),
        /** Null with XState's engine, whose guards cannot be observed. */
        guards: guards === null ? null : reportGuards(edges, guards),
        /** How often each state accepted and ignored each event. */
        matrix: [...rows].flatMap(([{ name }, events]) =>
          [...events].map(([event, pair]) => ({ at: name, event, ...pair })),
        ),
      };
    },
  };
}

/** Outcomes of guards, two for each guarded transition. */
function reportGuards(edges: readonly MachineEdge[], { passed, failed }: GuardCounts) {
  const guarded = edges.filter(({ guard }) => guard !== null);
  const hasPassed = ({ number }: MachineEdge) => passed[number] !== 0;
  const hasFailed = ({ number }: MachineEdge) => failed[number] !== 0;
  const asked = guarded.filter((edge) => hasPassed(edge) || hasFailed(edge));
  const labels = (which: readonly MachineEdge[]) => which.map(({ label }) => label);
  return {
    seen: guarded.filter(hasPassed).length + guarded.filter(hasFailed).length,
    all: guarded.length * 2,
    neverTrue: labels(asked.filter((edge) => !hasPassed(edge))),
    neverFalse: labels(asked.filter((edge) => !hasFailed(edge))),
    unasked: labels(guarded.filter((edge) => !asked.includes(edge))),
  };
}

/** A reached leaf in the deepest reached state on the path to the source of a transition. */
function findNearest({ definition }: MachineEdge, seen: ReadonlySet<AnyStateNode>): string | null {
  let at: AnyStateNode | undefined = definition.source;
  while (at?.parent !== undefined && !seen.has(at)) at = at.parent;
  const within = at;
  const found = [...seen].find(
    (node) => isLeaf(node) && (node === within || isInside(node, within)),
  );
  return found === undefined || within.parent === undefined ? null : nameNode(found);
}
