/** The memory of a machine's history states, as nodes for stepping and as text for comparing states. */
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { byOrder, isInside, isLeaf, readChart } from './chart.ts';

export type HistoryMemory = {
  /** The orders of nodes, such as "4=2,3 9=8". Names would be ambiguous because a key may contain a dot. */
  readonly text: string;
  readonly nodes: ReadonlyMap<AnyStateNode, readonly AnyStateNode[]>;
};

export const NO_HISTORY: HistoryMemory = { text: '', nodes: new Map() };

export function createHistory(
  remembered: Iterable<readonly [AnyStateNode, readonly AnyStateNode[]]>,
): HistoryMemory {
  const nodes = new Map(
    [...remembered].map(([history, entered]) => [history, entered.toSorted(byOrder)] as const),
  );
  const text = [...nodes]
    .sort(([one], [other]) => byOrder(one, other))
    .map(([history, entered]) => `${history.order}=${entered.map(({ order }) => order).join()}`)
    .join(' ');
  return text === '' ? NO_HISTORY : { text, nodes };
}

export function readHistory(machine: AnyStateMachine, text: string): HistoryMemory {
  if (text === '') return NO_HISTORY;
  const byPlace = new Map(readChart(machine).nodes.map((node) => [`${node.order}`, node]));
  const nodeAt = (place: string) => {
    const node = byPlace.get(place);
    if (node === undefined) throw new Error(`${machine.id} has no node ${place}`);
    return node;
  };
  return createHistory(
    text.split(' ').map((remembered) => {
      const [history = '', entered = ''] = remembered.split('=');
      return [nodeAt(history), entered === '' ? [] : entered.split(',').map(nodeAt)];
    }),
  );
}

/** The memory after nodes are exited, or null without a history state among their children. */
export function recordHistory(
  history: HistoryMemory,
  leaving: readonly AnyStateNode[],
  active: readonly AnyStateNode[],
): HistoryMemory | null {
  const recorded = leaving.flatMap((left) =>
    Object.values(left.states)
      .filter(isHistory)
      .map((state) => {
        const isDeep = state.history === 'deep';
        const isKept = (node: AnyStateNode) =>
          isDeep ? isLeaf(node) && isInside(node, left) : node.parent === left;
        return [state, active.filter(isKept)] as const;
      }),
  );
  return recorded.length === 0 ? null : createHistory([...history.nodes, ...recorded]);
}

export function isHistory({ type }: AnyStateNode): boolean {
  return type === 'history';
}

/** The written targets, or the parent's initial state, whose actions are then performed too (`isInitial`). */
export function readHistoryDefault(history: AnyStateNode): {
  readonly target: readonly AnyStateNode[];
  readonly isInitial: boolean;
} {
  const { parent, config, machine } = history;
  if (parent === undefined) throw new Error(`${history.id} has no parent`);
  // XState's types omit the target of a history state.
  const written: unknown = Reflect.get(config, 'target');
  if (written === undefined || written === '') {
    if (parent.type === 'parallel') return { target: [parent], isInitial: false };
    return { target: parent.initial?.target ?? [], isInitial: true };
  }
  const targets: readonly unknown[] = Array.isArray(written) ? written : [written];
  return { target: targets.map((target) => findTarget(machine, parent, target)), isInitial: false };
}

/** A target is "#id" or a path from the parent of the history state. */
function findTarget(machine: AnyStateMachine, parent: AnyStateNode, target: unknown): AnyStateNode {
  if (typeof target !== 'string') return target as AnyStateNode; // XState takes a node as well
  if (target.startsWith('#')) return machine.getStateNodeById(target);
  // An id may contain dots, which must be escaped.
  const id = parent.id.replaceAll(/[\\.]/g, String.raw`\$&`);
  return machine.getStateNodeById(`#${id}.${target}`);
}
