/** Planted mistakes: each is found by the promise that says so, on a shortest way. */
import { expect, test } from 'vitest';
import { check } from '../../checker/check.ts';
import { aModel, house, toldShort } from './models.ts';
import { PLANTS } from './plants.ts';

test.each(PLANTS)(
  '$mistake: found by $promise',
  ({ machine, promise, trace, rules: kind = house }) => {
    const model = aModel(kind({ players: 2 }), undefined, machine);
    const { judged } = check(model, { only: [promise] });
    const verdict = judged[0]?.verdict;
    if (verdict?.type !== 'violated') expect.fail(`${promise} is ${verdict?.type}`);
    expect(verdict.trace.events.map(toldShort)).toEqual(['gathering', ...trace]);
  },
);
