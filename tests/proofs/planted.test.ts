import { check } from 'glass-box-checker';
import { expect, test } from 'vitest';
import { houseTable } from '../../proofs/models/meeting.ts';
import { aModel, toldShort } from './models.ts';
import { PLANTS, planted } from './plants.ts';

test.each([...PLANTS])('%s: found by %s', (mistake, property, trace, rules = houseTable) => {
  const { results } = check(aModel(rules({ players: 2 }), undefined, planted(mistake)), {
    only: [property],
  });
  const verdict = results[0]?.verdict;
  if (verdict?.type !== 'violated') expect.fail(`${property} is ${verdict?.type}`);
  expect(verdict.trace.events.map(toldShort).join(', ')).toBe(`gathering, ${trace}`);
});
