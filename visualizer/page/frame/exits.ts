/** What can happen next in a chart: every transition that leaves the active states, and whether it is open. */
import type { GuardValues } from '../../charts/moves.ts';
import type { DrawnEdge, WordedChart } from '../game/story/pageData.ts';

export type Exit = {
  readonly edge: DrawnEdge;
  /** The guard's value; null if it depends on the event, and without a guard. */
  readonly value: boolean | null;
  readonly detail: string;
  readonly isOpen: boolean;
  /** Whether another transition takes each of its events first. */
  readonly isTaken: boolean;
};

/** Open ones first, and of these the ones that lead on; otherwise in the order in which the machine tries them. */
export function listExits(
  { nodes, edges }: WordedChart,
  active: readonly string[],
  guards: GuardValues,
): readonly Exit[] {
  if (nodes.some(({ id, isFinal, isTop }) => isFinal && isTop && active.includes(id))) return [];
  const depth = ({ source }: DrawnEdge) => source.split('.').length;
  const leaving = edges
    .filter(({ isStart, source }) => !isStart && active.includes(source))
    .toSorted((one, other) => depth(other) - depth(one));
  const exits = leaving.map((edge, index) => {
    const { value = null, detail = '' } = guards[edge.guard ?? ''] ?? {};
    const isTaken = leaving
      .slice(0, index)
      .some((first) => isTriedBefore(first, edge) && takesAll(first, edge, guards));
    return { edge, value, detail, isOpen: value !== false && !isTaken, isTaken };
  });
  const rank = ({ isOpen, edge }: Exit) => Number(isOpen) * (edge.target === null ? 1 : 2);
  return exits.toSorted((one, other) => rank(other) - rank(one));
}

/** The transitions that came before the ones that were taken, and whose guards said no. */
export function listPassedOver({ edges }: WordedChart, taken: readonly string[]): readonly Exit[] {
  const passed = edges.filter((edge, index) => {
    const later = edges.slice(index + 1).filter(({ source }) => source === edge.source);
    return later.some(({ id }) => taken.includes(id) && isSameEvent(edge, id));
  });
  return passed.map((edge) => ({ edge, value: false, detail: '', isOpen: false, isTaken: false }));
}

function isTriedBefore(first: DrawnEdge, edge: DrawnEdge): boolean {
  return `${first.source}.`.startsWith(`${edge.source}.`) && isSameEvent(first, edge.id);
}

function isSameEvent({ id }: DrawnEdge, other: string): boolean {
  return id.split('|')[1] === other.split('|')[1];
}

/** Whether a transition takes each event that would reach a later one. */
function takesAll({ guard }: DrawnEdge, later: DrawnEdge, guards: GuardValues): boolean {
  return guard === null || guard === later.guard || guards[guard]?.value === true;
}
