/**
 * A statechart as plain data, read from the state nodes of the constructed machine.
 * The one thing to know: there is one walk, so an edge of the chart and a live transition of the same
 * machine instance always carry the same id. `machine.provide()` makes a new instance with new objects.
 */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { actionNames, eventName, guardName, invokeNames } from './names.ts';

export interface Chart {
  readonly id: string;
  readonly description: string | null;
  /** Parents before children, in the order in which the machine declares them; the root comes first. */
  readonly nodes: readonly ChartNode[];
  readonly edges: readonly ChartEdge[];
}

export interface ChartNode {
  readonly id: string;
  readonly key: string;
  /** The id of the enclosing state; null for the root. */
  readonly parent: string | null;
  readonly type: 'atomic' | 'compound' | 'parallel' | 'final' | 'history' | 'deepHistory';
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly entry: readonly string[];
  readonly exit: readonly string[];
  readonly invokes: readonly string[];
}

export interface ChartEdge {
  /** `<source id>|<event type>|<number among those of the type>`; the type of an `always` is empty. */
  readonly id: string;
  /** `default` leads from a state to its initial state, or from a history to where it starts at first. */
  readonly type: 'default' | 'transition';
  readonly source: string;
  /** Empty for an internal transition; several when regions of a parallel state are entered together. */
  readonly targets: readonly string[];
  /** What a person calls the event: its type, "always", "after beat", "done", "error teller". */
  readonly event: string;
  readonly guard: string | null;
  readonly actions: readonly string[];
  readonly description: string | null;
  readonly internal: boolean;
  /** Whether the source is left and entered again although the target lies inside it. */
  readonly reenter: boolean;
}

export function chartOf(machine: AnyStateMachine): Chart {
  const nodes = [...family(machine.root)];
  return {
    id: machine.root.id,
    description: machine.root.description ?? null,
    nodes: nodes.map(chartNode),
    edges: nodes.flatMap((node) => [...departures(node).map(chartEdge), ...historyEdge(node)]),
  };
}

/** For a live inspector: the edge of each transition object of this very machine instance. */
export function edgeIds(machine: AnyStateMachine): ReadonlyMap<AnyTransitionDefinition, string> {
  const all = [...family(machine.root)].flatMap(departures);
  return new Map(all.map(({ transition, id }) => [transition, id]));
}

function* family(node: AnyStateNode): Generator<AnyStateNode> {
  yield node;
  for (const child of Object.values(node.states)) yield* family(child);
}

interface Departure {
  readonly id: string;
  readonly eventType: string;
  readonly transition: AnyTransitionDefinition;
}

/** No event of this type exists: the default transition of a state has none. */
const INITIAL = 'xstate.initial';

/** `node.transitions` holds `on`, `after` and the ends of actors, but neither `always` nor `initial`. */
function departures(node: AnyStateNode): readonly Departure[] {
  const initial = node.type === 'compound' ? [node.initial] : [];
  const byType = new Map<string, readonly AnyTransitionDefinition[]>([
    [INITIAL, initial],
    ...node.transitions,
    ['', node.always ?? []],
  ]);
  return [...byType].flatMap(([eventType, transitions]) =>
    transitions.map((transition, index) => {
      return { id: `${node.id}|${eventType}|${index}`, eventType, transition };
    }),
  );
}

function chartNode(node: AnyStateNode): ChartNode {
  return {
    id: node.id,
    key: node.key,
    parent: node.parent?.id ?? null,
    type: node.history === 'deep' ? 'deepHistory' : node.type,
    description: node.description ?? null,
    tags: node.tags,
    entry: actionNames(node.entry),
    exit: actionNames(node.exit),
    invokes: invokeNames(node),
  };
}

function chartEdge({ id, eventType, transition }: Departure): ChartEdge {
  const targets = transition.target?.map((target) => target.id) ?? [];
  return {
    id,
    type: eventType === INITIAL ? 'default' : 'transition',
    source: transition.source.id,
    targets,
    event: eventName(transition.source, eventType),
    guard: guardName(transition.guard),
    actions: actionNames(transition.actions),
    description: transition.description ?? null,
    internal: targets.length === 0,
    reenter: transition.reenter,
  };
}

/** XState resolves the default target of a history only when it is needed, so it has no object yet. */
function historyEdge(node: AnyStateNode): readonly ChartEdge[] {
  const path: unknown = node.config.target;
  if (node.type !== 'history' || typeof path !== 'string') return [];
  const target = path.startsWith('#')
    ? node.machine.getStateNodeById(path)
    : inside(node.parent, path);
  if (target === undefined) return [];
  const id = `${node.id}|xstate.history|0`;
  const silent = { guard: null, actions: [], description: null, internal: false, reenter: false };
  return [
    { id, type: 'default', source: node.id, targets: [target.id], event: 'history', ...silent },
  ];
}

function inside(node: AnyStateNode | undefined, path: string): AnyStateNode | undefined {
  const keys = path.split('.').filter((key) => key !== '');
  return keys.reduce<AnyStateNode | undefined>((at, key) => at?.states[key], node);
}
