/**
 * Mutants of the meeting: everything that can be broken in the chart or in a rule, and the property that notices.
 *
 * With GOLDEN=write the table in docs/mutants.md is written anew. A mutant that nobody notices is named in
 * `proofs/mutation.ts` with the reason; whoever makes another one survive has lost a property.
 */
import { describe, expect, test } from 'vitest';
import {
  AS_IT_IS,
  isAccountedFor,
  listMutants,
  renderKillTable,
  type TriedMutant,
  tryMutant,
} from '../../proofs/mutation.ts';
import { expectGolden } from '../support/golden.ts';

const MUTANTS = listMutants();

test('the meeting as it is keeps every property in all of these worlds', () => {
  expect(tryMutant(AS_IT_IS).fate).toBeNull();
});

test('rules are broken as well as the chart, each in a way of its own', () => {
  const names = MUTANTS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(MUTANTS.filter(({ kind }) => kind === 'rule').length).toBeGreaterThan(20);
});

describe(`${MUTANTS.length} mutants`, () => {
  const found: TriedMutant[] = [];

  test.each(MUTANTS)('$name', (mutant) => {
    const one = tryMutant(mutant);
    found.push(one);
    expect(one).toSatisfy(isAccountedFor);
  });

  test('the table says what killed them', () => {
    expectGolden('docs/mutants.md', renderKillTable(found));
  });
});
