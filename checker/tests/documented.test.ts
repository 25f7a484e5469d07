import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DOCUMENTED } from './documented.ts';

describe.each(DOCUMENTED)('$about.0', ({ check, found: [states, , result] }) => {
  test(`${result}, ${states} states`, () => {
    const found = check();
    const [property] = found.results;
    expect(found.results).toHaveLength(1);
    const told = [found.states, found.broken?.code ?? property?.verdict.type];
    expect(told).toEqual([states, result]);
    expect(found.warnings).toEqual([]);
    // A refused machine has no proof.
    if (found.broken !== null) expect(property?.verdict.type).toBe('incomplete');
  });
});

test('the table of the package has them all', () => {
  const page = readFileSync(new URL('../docs/machines.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| (?!machine|---)/.test(line));
  expect(rows).toEqual(
    DOCUMENTED.map(
      ({ about: [subject, claim], found: [states, because, result] }) =>
        `| ${subject} | ${claim} | ${states}: ${because} | ${result.includes('/') ? `refused: \`${result}\`` : result} |`,
    ),
  );
  expect(rows.length).toBeGreaterThanOrEqual(20);
});
