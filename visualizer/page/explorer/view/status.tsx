/** The status: one line for screen readers, a whole sentence for each step. */
import { notice } from '../../frame/address.ts';
import { property, step, tale } from '../state/visit.ts';

export function Status() {
  const { value: told } = tale;
  const here = told?.steps[step.value - 1];
  const sentence =
    told === null
      ? `${property.value?.name ?? ''}: ${property.value?.said ?? ''}.`
      : here === undefined
        ? `The beginning of ${property.value?.name ?? 'the run'}.`
        : `Step ${step.value} of ${told.steps.length}: ${here.happened}.`;
  return (
    <p class="vh" role="status" id="status">
      {notice.value === '' ? sentence : notice.value}
    </p>
  );
}
