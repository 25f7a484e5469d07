/**
 * Faults planted into stores, queue, leases, journals and what continues a game: which promise of a storm each of them
 * breaks, or why it breaks none.
 */
import { describe, expect, test } from 'vitest';
import { expectGoldenPart } from '../support/golden.ts';
import { describeLong, seeds } from '../support/seeds.ts';
import { NOTICED, RICH_SEEDS, UNHARMFUL } from './mutantList.ts';
import { huntMutant } from './planted.ts';
import { PROMISES } from './promises.ts';

const TRIED = seeds(2, NOTICED.length);
const turn = NOTICED.slice(0, TRIED);

describe(`${TRIED} of ${NOTICED.length} planted faults`, () => {
  test.each(turn)('$source: $name: is noticed', (mutant) => {
    const found = huntMutant(mutant, [mutant.seed]);
    const { seed, breaks: promise } = mutant;
    expect(found, `another one of ${RICH_SEEDS.join()} may show it`).toEqual({ seed, promise });
  });
});

describeLong(`${UNHARMFUL.length} planted faults without harm`, () => {
  test.each(UNHARMFUL)('$source: $name: breaks no promise', (mutant) => {
    expect(huntMutant(mutant, RICH_SEEDS)).toBeNull();
  });
});

test('each planted fault is in the list once', () => {
  const all = [...NOTICED, ...UNHARMFUL];
  const names = all.map(({ source, name }) => `${source} ${name}`);
  expect(new Set(names).size).toBe(names.length);
  for (const { breaks } of NOTICED) expect(Object.keys(PROMISES)).toContain(breaks);
});

test('docs/storm.md names each planted fault, the promise that it breaks, or why it breaks none', () => {
  const lines = [
    `${NOTICED.length} break a promise:`,
    '',
    '| source | fault | seed | promise |',
    '|---|---|---|---|',
    ...NOTICED.map(
      ({ source, name, seed, breaks }) => `| \`${source}\` | ${name} | ${seed} | \`${breaks}\` |`,
    ),
    '',
    `${UNHARMFUL.length} break none, with good reason:`,
    '',
    '| source | fault | why |',
    '|---|---|---|',
    ...UNHARMFUL.map(({ source, name, why }) => `| \`${source}\` | ${name} | ${why} |`),
  ];
  expectGoldenPart('docs/storm.md', 'planted faults', `${lines.join('\n')}\n`);
});
