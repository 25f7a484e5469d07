/**
 * Selection: which transitions an event takes, and which are taken without one.
 *
 * The nearest transition that passes wins; parallel regions each take theirs. Candidates are looked up once for each
 * node and event type.
 */
import type { AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { readChart } from './chart.ts';
import { type Guard, type GuardContext, resolveGuard } from './guards.ts';
import { removeConflicts } from './plan.ts';
import type { GuardCounts, MachinePlace } from './step.ts';

/** An active node in the tree of active nodes, its children in the order in which XState asks them. */
export type Branch = {
  readonly node: ActiveNode;
  readonly above: Branch | null;
  readonly inner: Branch[];
};
/** A node with its transitions, by event type as events ask for them. */
export type ActiveNode = {
  readonly node: AnyStateNode;
  readonly always: readonly Candidate[];
  readonly byEvent: Map<string, readonly Candidate[]>;
};
export type Candidate = {
  /** It and nothing else, as a choice. */
  readonly alone: readonly Candidate[];
  readonly edge: number;
  readonly definition: AnyTransitionDefinition;
  readonly guard: Guard | null;
};

/** The candidates of a place that has one leaf, in the order in which they are asked: the leaf's, then those above. */
export type LeafCandidates = {
  readonly leaf: Branch;
  readonly always: readonly Candidate[];
  readonly byEvent: Map<string, readonly Candidate[]>;
};

/** Who asks, and where it is counted what the guards said. */
type CountedGuardContext = GuardContext & { readonly guards: GuardCounts };

const NO_CANDIDATES: readonly Candidate[] = [];

export function createNode(node: AnyStateNode): ActiveNode {
  return { node, always: (node.always ?? []).map(createCandidate), byEvent: new Map() };
}

function createCandidate(definition: AnyTransitionDefinition): Candidate {
  const { machine } = definition.source;
  const edge = readChart(machine).edgeOf.get(definition);
  if (edge === undefined)
    throw new Error(`a transition of ${definition.source.id} is not in the chart`);
  const guard = definition.guard === undefined ? null : resolveGuard(machine, definition.guard);
  const alone: Candidate[] = [];
  const candidate = { edge: edge.number, definition, guard, alone };
  alone.push(candidate);
  return candidate;
}

/** The candidates of a place, where its leaves are one. */
export function collectLeafCandidates([leaf, ...others]: readonly Branch[]): LeafCandidates | null {
  if (leaf === undefined || others.length > 0) return null;
  return { leaf, always: collectUpwards(leaf, ({ always }) => always), byEvent: new Map() };
}

function collectUpwards(
  leaf: Branch,
  candidatesOf: (node: ActiveNode) => readonly Candidate[],
): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (let branch: Branch | null = leaf; branch !== null; branch = branch.above) {
    candidates.push(...candidatesOf(branch.node));
  }
  return candidates;
}

/** What an event takes where there is one leaf: the nearest that passes. */
export function selectAtLeaf(
  { leaf, byEvent }: LeafCandidates,
  run: CountedGuardContext,
): readonly Candidate[] {
  const { type } = run.event;
  let candidates = byEvent.get(type);
  if (candidates === undefined) {
    candidates = collectUpwards(leaf, (node) => listCandidates(node, type));
    byEvent.set(type, candidates);
  }
  return findFirstPassing(candidates, run)?.alone ?? NO_CANDIDATES;
}

/** What is taken without an event where there is one leaf. */
export function selectEventlessAtLeaf(
  { always }: LeafCandidates,
  run: CountedGuardContext,
): readonly Candidate[] {
  return findFirstPassing(always, run)?.alone ?? NO_CANDIDATES;
}

/** The transitions that an event takes: innermost first; parallel regions each take theirs. */
export function select(branch: Branch, run: CountedGuardContext): readonly Candidate[] {
  let inner: readonly Candidate[] = NO_CANDIDATES;
  for (const child of branch.inner) {
    const chosen = select(child, run);
    if (chosen.length > 0) inner = inner.length === 0 ? chosen : [...inner, ...chosen];
  }
  if (inner.length > 0) return inner;
  return findFirstPassing(listCandidates(branch.node, run.event.type), run)?.alone ?? NO_CANDIDATES;
}

/** The eventless transitions: for each leaf the nearest that passes. */
export function selectEventless(
  leaves: readonly Branch[],
  place: MachinePlace,
  run: CountedGuardContext,
): readonly Candidate[] {
  let chosen: readonly Candidate[] = NO_CANDIDATES;
  for (const leaf of leaves) {
    for (let branch: Branch | null = leaf; branch !== null; branch = branch.above) {
      const own = findFirstPassing(branch.node.always, run);
      if (own === null) continue;
      if (!chosen.includes(own)) chosen = [...chosen, own];
      break;
    }
  }
  if (chosen.length < 2) return chosen;
  const kept = removeConflicts(
    chosen.map(({ definition }) => definition),
    place.nodes,
  );
  return chosen.filter(({ definition }) => kept.includes(definition));
}

function findFirstPassing(
  candidates: readonly Candidate[],
  run: CountedGuardContext,
): Candidate | null {
  for (const candidate of candidates) {
    const { guard, edge } = candidate;
    if (guard === null) return candidate;
    const hasPassed = guard(run);
    const counts = hasPassed ? run.guards.passed : run.guards.failed;
    counts[edge] = (counts[edge] ?? 0) + 1;
    if (hasPassed) return candidate;
  }
  return null;
}

/** The transitions of a node for an event: those of its very type, then those by wildcards, the longest first. */
function listCandidates(own: ActiveNode, type: string): readonly Candidate[] {
  const known = own.byEvent.get(type);
  if (known !== undefined) return known;
  const { transitions } = own.node;
  const wild = [...transitions.keys()]
    .filter((descriptor) => descriptor !== type && isWildcardFor(descriptor, type))
    .sort((one, other) => other.length - one.length);
  const candidates = [type, ...wild]
    .flatMap((descriptor) => transitions.get(descriptor) ?? [])
    .map(createCandidate);
  own.byEvent.set(type, candidates);
  return candidates;
}

/** "*" stands for every event, "mouse.*" for "mouse" and whatever begins with "mouse." */
function isWildcardFor(descriptor: string, type: string): boolean {
  if (descriptor === '*') return true;
  if (!descriptor.endsWith('.*')) return false;
  const wanted = descriptor.slice(0, -2).split('.');
  const found = type.split('.');
  return wanted.every((part, index) => part !== '*' && found[index] === part);
}
