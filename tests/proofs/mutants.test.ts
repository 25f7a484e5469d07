/**
 * Mutants of the meeting: everything that can be broken in the chart or in a rule, and the property that notices.
 *
 * The long run tries each in every world up to the one in which it is noticed; here it is tried there at once.
 *
 * With GOLDEN=write the table in docs/mutants.md is written anew. A mutant that nobody notices is named in
 * `proofs/mutation.ts` with the reason; whoever makes another one survive has lost a property.
 */
import { readFileSync } from 'node:fs';
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
import { seeds } from '../support/seeds.ts';

const MUTANTS = listMutants();
const isWhole = seeds(0, 1) === 1 || process.env.GOLDEN === 'write';
const TABLE = new URL('../../docs/mutants.md', import.meta.url);
/** The rows of the table: what is broken, the property that notices, and where. */
const ROWS = [...readFileSync(TABLE, 'utf8').matchAll(/^\| (.+) \| (.+) \| (.+) \|$/gm)];

/** Where the table says that a mutant is noticed. */
function worldOf(name: string): string {
  const row = ROWS.find(([, broken]) => broken === name.replaceAll('|', '\\|'));
  return row?.[3] ?? '';
}

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
    const one = tryMutant(mutant, isWhole ? '' : worldOf(mutant.name));
    found.push(one);
    expect(one).toSatisfy(isAccountedFor);
  });

  test('the table says what killed them', () => {
    expectGolden('docs/mutants.md', renderKillTable(found));
  });
});
