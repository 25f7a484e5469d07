import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readBundle } from '../../../analysis/benchmark/bundle.ts';
import { openBundle, verifyOpenedBundle } from '../../../analysis/benchmark/bundleFolder.ts';
import { nameTested } from '../../../analysis/benchmark/definition.ts';
import { openInspectors } from '../../../analysis/benchmark/inspectors.ts';
import { BENCHMARK } from '../../../analysis/benchmark/sizes.ts';
import { tableBundles } from '../../../analysis/benchmark/table.ts';
import { writeEngineVersion } from '../../../machines/versions.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { renderReport } from '../../../visualizer/report/files.ts';
import { renderTablePart, sayScore } from '../../../visualizer/terminal/benchmark.ts';
import { expectGoldenPart } from '../../support/golden.ts';
import { testLong } from '../../support/seeds.ts';

const FOLDER = 'examples/benchmark';
const engine = writeEngineVersion(manifest.version);
const page = readFileSync('docs/results.md', 'utf8');
const rows = page.split('\n').filter((line) => /^\| (?:scripted|anchor)_/.test(line));
const paths = readdirSync(FOLDER).map((name) => `${FOLDER}/${name}`);
const bundles = paths.map((path) => {
  const reading = readBundle(readFileSync(path, 'utf8'), { benchmark: BENCHMARK, engine });
  return reading.type === 'whole' ? reading.bundle : expect.unreachable(`${path}: ${reading.type}`);
});

describe('docs/results.md', () => {
  test('has a row for each committed bundle, with its scores and its number of tables', () => {
    const own = bundles.map(({ tested, scores, tables }) => {
      const { deception, detection, reliability } = scores;
      const cells = [nameTested(tested), ...[deception, detection, reliability].map(sayScore)];
      return [...cells, String(tables)].join(' | ');
    });
    const shown = rows.map((row) => row.split(' | ').slice(0, 5).join(' | ').replace('| ', ''));
    expect(shown.toSorted()).toEqual(own.toSorted());
  });

  test('names the minds that had games without a winner', () => {
    const own = bundles.flatMap(({ tested, scores: { reliability } }) =>
      reliability.undecided === undefined ? [] : [`${nameTested(tested)} ${reliability.undecided}`],
    );
    const [, named = ''] = /^- Games without a winner, .*: (.*)\.$/m.exec(page) ?? [];
    expect(named.split(', ').toSorted()).toEqual(own.toSorted());
  });

  test('names the engine and the commands that made it', () => {
    const [, made = ''] = /^Made on \d{4}-\d\d-\d\d by (.*)$/m.exec(page) ?? [];
    expect(made).toContain(`${engine}: \``);
    expect(made).toContain(`benchmark --table ${FOLDER}/`);
  });

  test('its first rows are in README.md', () => {
    const [titles = '', rule = ''] = page.split('\n').filter((line) => line.startsWith('|'));
    const cut = (line: string) => `${line.split(' | ').slice(0, 5).join(' | ')} |\n`;
    const text = [titles, rule, ...rows.slice(0, 2)].map(cut).join('');
    expectGoldenPart('README.md', 'results', text);
  });

  testLong('is the table of the bundles, verified', async () => {
    const inspectors = openInspectors(1);
    const table = await tableBundles(
      paths,
      (path) => openBundle(path, null, manifest.version),
      (opened) => verifyOpenedBundle(opened, { inspectors }, { engine, renderReport }),
    );
    const [made = ''] = /^Made on .*$/m.exec(page) ?? [];
    expect(page).toContain(renderTablePart(table, made));
  });
});
