/** Planted mistakes: each is found by the promise that says so, on a shortest way. */

import { check } from 'glass-box-checker';
import { expect, test } from 'vitest';
import { houseTable } from '../../proofs/models/meeting.ts';
import { aModel, toldShort } from './models.ts';
import { PLANTS, planted } from './plants.ts';

test.each(PLANTS)(
  '$mistake: found by $promise',
  ({ mistake, promise, trace, rules: kind = houseTable }) => {
    const model = aModel(kind({ players: 2 }), undefined, planted(mistake));
    const { results } = check(model, { only: [promise] });
    const verdict = results[0]?.verdict;
    if (verdict?.type !== 'violated') expect.fail(`${promise} is ${verdict?.type}`);
    expect(verdict.trace.events.map(toldShort)).toEqual(['gathering', ...trace]);
  },
);
