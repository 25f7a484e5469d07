import { expect, test } from 'vitest';
import { type CheckResult, check } from '../check.ts';
import { philosophers } from '../examples/dining-philosophers.ts';
import { crossing } from '../examples/traffic-light.ts';
import { Walk } from '../walk.ts';

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

test('an offer names its transitions, and a refused one its failing guards', () => {
  const walk = new Walk(philosophers(false));
  const { rests } = walk.follow([{ type: 'take', who: 0 }]);
  walk.explore(Number.POSITIVE_INFINITY);
  const { offers } = walk.list()[rests.at(-1) ?? -1] ?? expect.fail('the walk has no such state');
  expect(offers?.map(({ type, taken, refused }) => ({ type, taken, refused }))).toEqual([
    { type: 'take', taken: [0], refused: [] },
    { type: 'leave', taken: [], refused: [1] },
  ]);
});
