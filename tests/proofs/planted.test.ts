import { check } from 'glass-box-checker';
import { expect, test } from 'vitest';
import { houseTable } from '../../proofs/models/meeting.ts';
import { aModel, toldShort } from './models.ts';
import { PLANTS, planted } from './plants.ts';

test.each(PLANTS)(
  '$mistake: found by $property',
  ({ mistake, property, trace, rules: kind = houseTable }) => {
    const model = aModel(kind({ players: 2 }), undefined, planted(mistake));
    const { results } = check(model, { only: [property] });
    const verdict = results[0]?.verdict;
    if (verdict?.type !== 'violated') expect.fail(`${property} is ${verdict?.type}`);
    expect(verdict.trace.events.map(toldShort)).toEqual(['gathering', ...trace]);
  },
);
