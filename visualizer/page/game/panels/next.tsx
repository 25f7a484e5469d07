/** What can happen next in the chart that is shown, in short. */
import { computed } from '@preact/signals';
import { pluralize } from '../../../../machines/text.ts';
import { listExits } from '../../frame/exits.ts';
import { shownChart, states } from './chart.tsx';

export const exits = computed(() => {
  const { lit, rest } = states.value;
  return listExits(shownChart.value, lit, rest?.guards ?? {});
});

export function describeWays(): string {
  return pluralize(exits.value.filter(({ isOpen }) => isOpen).length, 'way');
}

/** "The tick closes, or 2 others". */
export function describeNext(): string {
  const [first, ...others] = exits.value.filter(({ isOpen }) => isOpen);
  if (first === undefined) return 'nothing';
  return `${first.edge.event}${others.length === 0 ? '' : `, or ${pluralize(others.length, 'other')}`}`;
}
