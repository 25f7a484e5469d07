/**
 * Selection: which transitions an event takes, and which are taken without one.
 *
 * The nearest transition that passes wins; parallel regions each take theirs. Candidates are looked up once for each
 * node and event type.
 */
import type { AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { chartOf } from './chart.ts';
import { type Asked, passes } from './guards.ts';
import { withoutConflicts } from './plan.ts';
import type { Place } from './step.ts';

/** An active node in the tree of active nodes. */
export type Branch = {
  readonly node: Node;
  readonly above: Branch | null;
  readonly inner: Branch[];
};
/** A node with its transitions, by event type as events ask for them. */
export type Node = {
  readonly node: AnyStateNode;
  readonly always: readonly Candidate[];
  readonly byEvent: Map<string, readonly Candidate[]>;
};
export type Candidate = { readonly edge: number; readonly definition: AnyTransitionDefinition };

const NO_CANDIDATES: readonly Candidate[] = [];

export function nodeOf(node: AnyStateNode): Node {
  return { node, always: (node.always ?? []).map(candidateOf), byEvent: new Map() };
}

function candidateOf(definition: AnyTransitionDefinition): Candidate {
  const edge = chartOf(definition.source.machine).edgeOf.get(definition);
  if (edge === undefined)
    throw new Error(`a transition of ${definition.source.id} is not in the chart`);
  return { edge: edge.number, definition };
}

/** The transitions that an event takes: innermost first; parallel regions each take theirs. */
export function select(branch: Branch, run: Asked): readonly Candidate[] {
  let inner: readonly Candidate[] = NO_CANDIDATES;
  for (const child of branch.inner) {
    const chosen = select(child, run);
    if (chosen.length > 0) inner = inner.length === 0 ? chosen : [...inner, ...chosen];
  }
  if (inner.length > 0) return inner;
  const own = firstPassing(candidatesFor(branch.node, run.event.type), run);
  return own === null ? NO_CANDIDATES : [own];
}

/** The eventless transitions: for each leaf the nearest that passes. */
export function selectEventless(
  leaves: readonly Branch[],
  place: Place,
  run: Asked,
): readonly Candidate[] {
  let chosen: readonly Candidate[] = NO_CANDIDATES;
  for (const leaf of leaves) {
    for (let branch: Branch | null = leaf; branch !== null; branch = branch.above) {
      const own = firstPassing(branch.node.always, run);
      if (own === null) continue;
      if (!chosen.includes(own)) chosen = [...chosen, own];
      break;
    }
  }
  if (chosen.length < 2) return chosen;
  const kept = withoutConflicts(
    chosen.map(({ definition }) => definition),
    place.nodes,
  );
  return chosen.filter(({ definition }) => kept.includes(definition));
}

function firstPassing(candidates: readonly Candidate[], run: Asked): Candidate | null {
  for (const candidate of candidates) {
    const { guard } = candidate.definition;
    if (guard === undefined || passes(guard, run)) return candidate;
  }
  return null;
}

/** The transitions of a node for an event: by its type, or else by wildcards, the longest first. */
function candidatesFor(own: Node, type: string): readonly Candidate[] {
  const known = own.byEvent.get(type);
  if (known !== undefined) return known;
  const { transitions } = own.node;
  const exact = transitions.get(type);
  const definitions =
    exact ??
    [...transitions.keys()]
      .filter((descriptor) => isWildcardFor(descriptor, type))
      .sort((one, other) => other.length - one.length)
      .flatMap((descriptor) => transitions.get(descriptor) ?? []);
  const candidates = definitions.map(candidateOf);
  own.byEvent.set(type, candidates);
  return candidates;
}

/** "*" stands for every event, "mouse.*" for "mouse" and whatever begins with "mouse." */
function isWildcardFor(descriptor: string, type: string): boolean {
  if (descriptor === '*') return true;
  if (!descriptor.endsWith('.*')) return false;
  const wanted = descriptor.slice(0, -2).split('.');
  const found = type.split('.');
  return wanted.every((part, index) => found[index] === part);
}
