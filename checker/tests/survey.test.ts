/** The survey of a search has a run for what was violated, and offers say what may happen at a point. */
import { expect, test } from 'vitest';
import { type Checked, check, stepperFor } from '../check.ts';
import { philosophers } from '../examples/dining-philosophers.ts';
import { crossing } from '../examples/traffic-light.ts';
import { offersAt } from '../offers.ts';

type Surveyed = Pick<Checked<{ type: string }>, 'survey'>;

function surveyOf({ survey }: Surveyed) {
  return survey ?? expect.fail('nothing was surveyed');
}

test('nobody who did not ask gets one, and neither does a machine that throws', () => {
  expect(check(crossing(false)).survey).toBeNull();
});

test('a violated promise has its run, and a kept one has none', () => {
  const { runs } = surveyOf(check(crossing(false), { isSurveyed: true }));
  expect([...runs.keys()]).toEqual(['safe']);
});

test('an offer says what is taken, which guard says no, and whether the world has it', () => {
  const model = philosophers(false);
  const { stepper } = stepperFor(model);
  const first = stepper.initial().point;
  const { point } = stepper.step(first, { type: 'take', who: 0 });
  const here = model.world({ at: '', tags: new Set(), context: point.context, isDone: false });
  const offers = offersAt(stepper, point, here, [{ type: 'leave', who: 0 }]);
  expect(offers.filter(({ isOffered }) => isOffered).every(({ taken }) => taken.length === 1)).toBe(
    true,
  );
  expect(offers.at(-1)).toMatchObject({ isOffered: false, taken: [], refused: [1] });
});
