/**
 * Mutants of the meeting: mistakes in the chart or a rule, each with the property that notices it.
 *
 * The long run tries each in every world until one notices it. Here every twenty-fourth one is
 * tried, in the world that the table names.
 *
 * With GOLDEN=write the table in tests/golden/mutants.md is written anew. Whoever makes a mutant survive has lost a
 * property.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  AS_IT_IS,
  listMutants,
  type TriedMutant,
  tryMutant,
} from '../../proofs/checks/mutation.ts';
import { expectGolden } from '../support/golden.ts';
import { everyNth, seeds, testLong } from '../support/seeds.ts';

const ALL = listMutants();
const isWhole = seeds(0, 1) === 1 || process.env.GOLDEN === 'write';
const TABLE = new URL('../golden/mutants.md', import.meta.url);
const ROWS = [...readFileSync(TABLE, 'utf8').matchAll(/^\| (.+) \| (.+) \| (.+) \|$/gm)];

const SHARE = 24;
const MUTANTS = isWhole ? ALL : everyNth(ALL, SHARE);

function worldOf(name: string): string {
  const row = ROWS.find(([, broken]) => broken === name.replaceAll('|', '\\|'));
  return row?.[3] ?? '';
}

testLong('the meeting as it is keeps every property in all of these worlds', () => {
  expect(tryMutant(AS_IT_IS).fate).toBeNull();
});

test('rules are broken as well as the chart, each in a way of its own', () => {
  const names = ALL.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(
    ROWS.filter(([, broken]) => names.some((name) => name.replaceAll('|', '\\|') === broken)),
  ).toHaveLength(names.length);
  expect(ALL.filter(({ kind }) => kind === 'rule').length).toBeGreaterThan(20);
});

describe(`${MUTANTS.length} of ${ALL.length} mutants`, () => {
  const found: TriedMutant[] = [];

  test.each(MUTANTS)('$name', (mutant) => {
    const one = tryMutant(mutant, isWhole ? '' : worldOf(mutant.name));
    found.push(one);
    expect(one.fate).not.toBeNull();
  });

  test('the table says what killed them', () => {
    const table = renderKillTable(found);
    if (isWhole) return expectGolden('tests/golden/mutants.md', table);
    const rows = table
      .split('\n')
      .filter((row) =>
        found.some(({ name }) => row.startsWith(`| ${name.replaceAll('|', '\\|')} |`)),
      );
    expect(rows).toHaveLength(found.length);
    for (const row of rows) expect(readFileSync(TABLE, 'utf8')).toContain(row);
  });
});

/** All mutants as Markdown. */
function renderKillTable(all: readonly TriedMutant[]): string {
  return `# Mutants

Everything in the meeting that can be broken by itself, and the property that notices first. \`glassbox check --mutants\`
tries them all, and \`tests/proofs/mutants.test.ts\` does; with \`GOLDEN=write\` it writes this page. A mutant that lives
would be a gap in the properties. ${countKilled(all)} are killed.

## The chart

Guards are turned round, actions left out, transitions never taken, or taken without moving. ${countKilled(ofKind(all, 'chart'))}
are killed.

${renderMutants(ofKind(all, 'chart'))}

## The rules

One mistake in one rule, in the chart as it is: \`proofs/models/ruleMutants.ts\` has them. ${countKilled(ofKind(all, 'rule'))} are
killed.

${renderMutants(ofKind(all, 'rule'))}
`;
}

function ofKind(all: readonly TriedMutant[], kind: TriedMutant['kind']): readonly TriedMutant[] {
  return all.filter((one) => one.kind === kind);
}

function countKilled(all: readonly TriedMutant[]): string {
  return `${all.filter(({ fate }) => fate !== null).length} of ${all.length}`;
}

function renderMutants(all: readonly TriedMutant[]): string {
  const rows = all.map(({ name, fate }) => {
    const what = name.replaceAll('|', '\\|');
    return fate === null
      ? `| ${what} | survives | no property fails |`
      : `| ${what} | \`${fate.by}\` | ${fate.world} |`;
  });
  return ['| broken | noticed by | in |', '|---|---|---|', ...rows].join('\n');
}
