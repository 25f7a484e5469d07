import { expect, test } from 'vitest';
import { type CheckResult, check, chooseStepper } from '../check.ts';
import { philosophers } from '../examples/dining-philosophers.ts';
import { crossing } from '../examples/traffic-light.ts';
import { tryEvents } from '../walk.ts';

type Surveyed = Pick<CheckResult<{ type: string }>, 'graph'>;

function surveyOf({ graph }: Surveyed) {
  return graph ?? expect.fail('the search kept no graph');
}

test('a survey is made only on request, and not of a machine that throws', () => {
  expect(check(crossing(false)).graph).toBeNull();
});

test('a violated property has its run, and a kept one has none', () => {
  const { runs } = surveyOf(check(crossing(false), { keepsGraph: true }));
  expect([...runs.keys()]).toEqual(['safe']);
});

test('an offer names its transitions, its failing guards, and whether the world has it', () => {
  const model = philosophers(false);
  const { stepper } = chooseStepper(model);
  const first = stepper.initial().point;
  const { point } = stepper.step(first, { type: 'take', who: 0 });
  const here = model.world({
    at: '',
    tags: new Set(),
    context: point.context,
    ...{ status: 'active', isDone: false, nodes: [] },
    children: [],
  });
  const offers = tryEvents(stepper, point, here, [{ type: 'leave', who: 0 }]);
  expect(offers.filter(({ isEnabled }) => isEnabled).every(({ taken }) => taken.length === 1)).toBe(
    true,
  );
  expect(offers.at(-1)).toMatchObject({ isEnabled: false, taken: [], refused: [1] });
});
