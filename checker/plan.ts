/**
 * Plans SCXML's microstep as XState performs it: the nodes that transitions exit and enter in one configuration, and the
 * order of their actions. It depends only on configuration, transitions and history memory, so it is computed once.
 */
import type { AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { byOrder, isInside } from './chart.ts';
import {
  type HistoryMemory,
  isHistory,
  NO_HISTORY,
  readHistoryDefault,
  recordHistory,
} from './history.ts';

/** `expect` names children that are spawned after the entry actions. A completed node raises `xstate.done.state.ID`. */
export type PlannedAction =
  | { readonly type: 'action'; readonly action: unknown }
  | { readonly type: 'expect'; readonly ids: readonly string[] }
  | { readonly type: 'spawn'; readonly invoke: AnyStateNode['invoke'][number] }
  | { readonly type: 'stop'; readonly id: string }
  | CompletedNode
  /** The machine is done through this node. Its own output is computed here. */
  | { readonly type: 'output'; readonly by: CompletedNode };

export type CompletedNode = {
  readonly type: 'complete';
  readonly id: string;
  readonly output: unknown;
};

export type MicrostepPlan = {
  /** The active nodes after the step, in XState's order. */
  readonly nodes: readonly AnyStateNode[];
  readonly actions: readonly PlannedAction[];
  readonly isDone: boolean;
  /** The history memory after the step, or null if none was recorded. */
  readonly recorded: HistoryMemory | null;
};

/** Plans these transitions together. They must not conflict. */
export function planMicrostep(
  nodes: readonly AnyStateNode[],
  transitions: readonly AnyTransitionDefinition[],
  history: HistoryMemory,
): MicrostepPlan {
  const leaving = findExitSet(transitions, nodes, history).toSorted(byOrder).reverse();
  const recorded = recordHistory(history, leaving, nodes);
  const entering = new Entering(recorded ?? history);
  for (const transition of transitions) entering.follow(transition);
  const left = nodes.filter((node) => !leaving.includes(node));
  const between = transitions.flatMap(({ actions }) => actions.map(asAction));
  const before = [...leaving.flatMap(listLeavingActions), ...between];
  return { ...planEntering(left, entering, before), recorded };
}

export function planInitial(root: AnyStateNode): MicrostepPlan {
  const entering = new Entering(NO_HISTORY);
  entering.enter(root);
  entering.descend(root);
  return { ...planEntering([], entering, []), recorded: null };
}

/** Removes conflicts: of two transitions that exit the same state, the inner one wins, then the first. */
export function removeConflicts(
  transitions: readonly AnyTransitionDefinition[],
  nodes: readonly AnyStateNode[],
  history: HistoryMemory,
): readonly AnyTransitionDefinition[] {
  if (transitions.length < 2) return transitions;
  let kept: AnyTransitionDefinition[] = [];
  for (const transition of transitions) {
    const own = findExitSet([transition], nodes, history);
    const rivals = kept.filter((rival) =>
      findExitSet([rival], nodes, history).some((node) => own.includes(node)),
    );
    if (rivals.some((rival) => !isInside(transition.source, rival.source))) continue;
    kept = [...kept.filter((rival) => !rivals.includes(rival)), transition];
  }
  return kept;
}

function planEntering(
  left: readonly AnyStateNode[],
  entering: Entering,
  before: readonly PlannedAction[],
): Omit<MicrostepPlan, 'recorded'> {
  const nodes = [...left];
  const actions = [...before];
  let isDone = false;
  const known = new Set<AnyStateNode>();
  for (const node of [...entering.nodes].sort(byOrder)) {
    if (!nodes.includes(node)) nodes.push(node);
    actions.push(...listEnteringActions(node, entering.byDefault.has(node)));
    if (node.type !== 'final') continue;
    const { parent, output } = node;
    if (parent?.type === 'compound') actions.push({ type: 'complete', id: parent.id, output });
    let above = parent?.type === 'parallel' ? parent : parent?.parent;
    let by: CompletedNode = { type: 'complete', id: node.id, output };
    while (above?.type === 'parallel' && !known.has(above) && isComplete(above, nodes)) {
      known.add(above);
      by = { type: 'complete', id: above.id, output: undefined };
      actions.push(by);
      above = above.parent;
    }
    if (above !== undefined) continue;
    isDone = true;
    actions.push({ type: 'output', by });
  }
  if (isDone) {
    const last = nodes.toSorted(byOrder).reverse();
    actions.push(...last.flatMap(({ exit }) => exit.map(asAction)));
  }
  return { nodes, actions, isDone };
}

function listEnteringActions(
  { entry, invoke, initial }: AnyStateNode,
  isByDefault: boolean,
): readonly PlannedAction[] {
  const ids = invoke.map(({ id }) => id);
  const actions = entry.map(asAction);
  const spawns = invoke.map((one): PlannedAction => ({ type: 'spawn', invoke: one }));
  const first = isByDefault ? (initial?.actions ?? []).map(asAction) : [];
  if (ids.length === 0) return [...actions, ...first];
  return [{ type: 'expect', ids }, ...actions, ...spawns, ...first, { type: 'expect', ids: [] }];
}

/** The nodes to enter, and those whose initial state is entered by default. */
class Entering {
  readonly nodes = new Set<AnyStateNode>();
  readonly byDefault = new Set<AnyStateNode>();
  readonly #history: HistoryMemory;

  constructor(history: HistoryMemory) {
    this.#history = history;
  }

  enter(node: AnyStateNode): void {
    this.nodes.add(node);
    this.byDefault.add(node);
  }

  follow(transition: AnyTransitionDefinition): void {
    const { source, reenter, target = [] } = transition;
    const domain = findDomain(transition, this.#history);
    for (const node of target) {
      const isEntered = source !== node || source !== domain || reenter;
      if (isEntered && !isHistory(node)) this.enter(node);
      this.descend(node);
    }
    const limit = source.parent === undefined && reenter ? undefined : domain;
    for (const node of listEffectiveTargets(target, this.#history)) {
      const above = listAncestors(node, domain);
      if (domain?.type === 'parallel') above.push(domain);
      this.#climb(above, limit);
    }
  }

  descend(node: AnyStateNode): void {
    if (isHistory(node)) this.#restore(node);
    if (node.type === 'compound') {
      for (const first of node.initial?.target?.slice(0, 1) ?? []) {
        this.enter(first);
        this.descend(first);
        this.#climb(listAncestors(first, node), undefined);
      }
    }
    if (node.type === 'parallel') this.#fill(node, (region) => this.enter(region));
  }

  /** Enters the regions that nothing leads into. */
  #fill(node: AnyStateNode, enter: (region: AnyStateNode) => void): void {
    for (const region of listRegions(node)) {
      if ([...this.nodes].some((one) => isInside(one, region))) continue;
      enter(region);
      this.descend(region);
    }
  }

  #restore(history: AnyStateNode): void {
    const { parent } = history;
    const known = this.#history.nodes.get(history);
    const { target, isInitial } =
      known === undefined ? readHistoryDefault(history) : { target: known, isInitial: false };
    for (const node of target) {
      this.nodes.add(node);
      if (isInitial && parent !== undefined) this.byDefault.add(parent);
      this.descend(node);
    }
    for (const node of target) this.#climb(listAncestors(node, parent), undefined);
  }

  #climb(above: readonly AnyStateNode[], limit: AnyStateNode | undefined): void {
    for (const node of above) {
      if (limit === undefined || isInside(node, limit)) this.nodes.add(node);
      if (node.type === 'parallel') this.#fill(node, (region) => this.nodes.add(region));
    }
  }
}

function listRegions({ states }: AnyStateNode): readonly AnyStateNode[] {
  return Object.values(states).filter((node) => !isHistory(node));
}

function listEffectiveTargets(targets: readonly AnyStateNode[], { nodes }: HistoryMemory) {
  return targets.flatMap((node) =>
    isHistory(node) ? (nodes.get(node) ?? readHistoryDefault(node).target) : [node],
  );
}

/** The proper ancestors of a node below `end`. */
function listAncestors(node: AnyStateNode, end: AnyStateNode | undefined): AnyStateNode[] {
  const found: AnyStateNode[] = [];
  if (node === end) return found;
  for (let at = node.parent; at !== undefined && at !== end; at = at.parent) found.push(at);
  return found;
}

/** The innermost node that a transition does not exit. */
function findDomain(
  { source, target = [], reenter }: AnyTransitionDefinition,
  history: HistoryMemory,
): AnyStateNode | undefined {
  const targets = listEffectiveTargets(target, history);
  if (!reenter && targets.every((node) => node === source || isInside(node, source))) return source;
  const [head, ...tail] = [...targets, source];
  const common = listAncestors(head ?? source, undefined).find((outer) =>
    tail.every((node) => isInside(node, outer)),
  );
  if (common !== undefined) return common;
  return reenter ? undefined : source.machine.root;
}

function findExitSet(
  transitions: readonly AnyTransitionDefinition[],
  nodes: readonly AnyStateNode[],
  history: HistoryMemory,
): readonly AnyStateNode[] {
  const leaving = new Set<AnyStateNode>();
  for (const transition of transitions) {
    if (transition.target === undefined || transition.target.length === 0) continue;
    const domain = findDomain(transition, history);
    if (transition.reenter && transition.source === domain) leaving.add(domain);
    // Without a domain the machine itself is exited and entered again.
    for (const node of nodes) if (domain === undefined || isInside(node, domain)) leaving.add(node);
  }
  return [...leaving];
}

function isComplete(node: AnyStateNode, nodes: readonly AnyStateNode[]): boolean {
  const inner = listRegions(node);
  if (node.type === 'compound')
    return inner.some((child) => child.type === 'final' && nodes.includes(child));
  return node.type === 'parallel' && inner.every((child) => isComplete(child, nodes));
}

function listLeavingActions({ exit, invoke }: AnyStateNode): readonly PlannedAction[] {
  return [...exit.map(asAction), ...invoke.map(({ id }): PlannedAction => ({ type: 'stop', id }))];
}

function asAction(action: unknown): PlannedAction {
  return { type: 'action', action };
}
