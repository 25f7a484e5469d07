import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  type Bundle,
  isCompact,
  isSealed,
  readBundle,
} from '../../../analysis/benchmark/bundle.ts';
import {
  hashPlan,
  makeTable,
  nameTested,
  REFERENCE_MIND,
} from '../../../analysis/benchmark/definition.ts';
import type { SeatFigures } from '../../../analysis/benchmark/figures.ts';
import { inspectGame } from '../../../analysis/benchmark/inspect.ts';
import { openInspectors } from '../../../analysis/benchmark/inspectors.ts';
import { deceptionOf, SPREAD } from '../../../analysis/benchmark/scores.ts';
import { BENCHMARK } from '../../../analysis/benchmark/sizes.ts';
import { verifyBundle } from '../../../analysis/benchmark/verify.ts';
import { TEMPERAMENTS } from '../../../machines/types.ts';
import { writeEngineVersion } from '../../../machines/versions.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { expectGolden, expectGoldenPart } from '../../support/golden.ts';
import { IS_LONG, seeds, testLong } from '../../support/seeds.ts';

const ROOT = new URL('../../../examples/benchmark/', import.meta.url);
const VERSION = { benchmark: BENCHMARK, engine: writeEngineVersion(manifest.version) };

function open(temperament: string): Bundle {
  const reading = readBundle(readFileSync(new URL(`${temperament}.json`, ROOT), 'utf8'), VERSION);
  if (reading.type === 'whole') return reading.bundle;
  throw new Error(`expected a bundle of ${VERSION.engine}, found ${JSON.stringify(reading)}`);
}

const BUNDLES = TEMPERAMENTS.map(open);
const inspectors = openInspectors(1);

test('the printed reference scores match the bundles', () => {
  const scores = BUNDLES.map((bundle) => {
    const { deception, detection, reliability } = bundle.scores;
    const short = ({ value, least, most }: typeof deception) => ({ value, least, most });
    return {
      name: nameTested(bundle.tested),
      tables: bundle.tables,
      scores: {
        deception: short(deception),
        detection: short(detection),
        reliability: short(reliability),
      },
    };
  });
  expectGolden('analysis/benchmark/references.json', `${JSON.stringify(scores, null, 2)}\n`);
});

test('docs/benchmark.md has the scores of the offline minds', () => {
  const say = ({ value, least, most }: Bundle['scores']['deception']) =>
    `${(value ?? 0).toFixed(1)} (${(least ?? 0).toFixed(1)} to ${(most ?? 0).toFixed(1)})`.replaceAll(
      '-',
      '−',
    );
  const rows = BUNDLES.filter(({ tested }) => !isDeepStrictEqual(tested, REFERENCE_MIND)).map(
    ({ tested, scores: { deception, detection, reliability } }) =>
      `| \`${nameTested(tested)}\` | ${say(deception)} | ${say(detection)} | ${say(reliability)} |`,
  );
  const head = '| mind | deception | detection | reliability |\n| --- | --- | --- | --- |';
  expectGoldenPart('docs/benchmark.md', 'references', `${[head, ...rows].join('\n')}\n`);
});

describe.each(BUNDLES)('the bundle of $tested.temperament', (bundle) => {
  test('is sealed, whole, of the plan of this benchmark, and without journals', () => {
    expect(isSealed(bundle)).toBe(true);
    expect([bundle.tables, bundle.plan]).toEqual([200, hashPlan(200)]);
    const games: readonly Bundle['games'][number][] = bundle.games;
    expect(games.map(({ table }) => table)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
    expect(games.every(isCompact)).toBe(true);
  });

  const all = seeds(1, 200);
  test(`has the hashes of ${all === 1 ? 'a game that is' : `${all} games that are`} played again`, async () => {
    const { tested, games } = bundle;
    if (IS_LONG) {
      const whole = { bundle, name: 'bundle', files: null, inspectors };
      const { findings, played } = await verifyBundle({
        ...whole,
        readFile: () => Promise.reject(new Error('there are no files')),
      });
      expect([findings, played]).toEqual([[], 400]);
      return;
    }
    // A small table, and another one of each bundle.
    const table =
      1 + 12 * TEMPERAMENTS.indexOf('temperament' in tested ? tested.temperament : 'observer');
    const task = { table, tested, text: null, isChecked: true } as const;
    const { record } = await inspectGame({ ...task, sitter: 'tested' });
    expect(games[table - 1]).toMatchObject({ table, tested: record?.digest });
  });
});

testLong('the spread that forecasts rest on is the largest of the six minds', async () => {
  const figures = async (temperament: (typeof TEMPERAMENTS)[number]) => {
    const games: SeatFigures[] = [];
    for (let table = 1; table <= 200; table++) {
      const tested = { mind: 'scripted', temperament } as const;
      const task = { table, sitter: 'tested', tested, text: null, isChecked: false } as const;
      const { record } = await inspectGame(task);
      if (record !== null) games.push(record.figures);
    }
    return games;
  };
  const reference = await figures('observer');
  const spreads = { deception: 0, detection: 0 };
  for (const temperament of TEMPERAMENTS.filter((name) => name !== 'observer')) {
    const own = await figures(temperament);
    const of = (role: string) => [...own.keys()].filter((at) => makeTable(at + 1).role === role);
    const impostors = of('impostor').map(
      (at) => deceptionOf(own[at] ?? NONE) - deceptionOf(reference[at] ?? NONE),
    );
    const terms = [own, reference].map((games) => {
      const crew = of('crewmate').map((at) => games[at] ?? NONE);
      const meetings = crew.reduce((sum, one) => sum + one.meetings, 0);
      const ratio = crew.reduce((sum, one) => sum + one.gain, 0) / meetings;
      return crew.map((one) => ((one.gain - ratio * one.meetings) * crew.length) / meetings);
    });
    const [mine = [], others = []] = terms;
    spreads.deception = Math.max(spreads.deception, deviation(impostors));
    spreads.detection = Math.max(
      spreads.detection,
      deviation(mine.map((one, at) => one - (others[at] ?? 0))),
    );
  }
  expect(spreads.deception).toBeCloseTo(SPREAD.deception, 2);
  expect(spreads.detection).toBeCloseTo(SPREAD.detection, 2);
});

const NONE: SeatFigures = {
  ...{ won: null, ejected: false, left: false, ballots: 0, against: 0, meetings: 0 },
  ...{ votes: 0, gain: 0, regret: 0, asked: 0, valid: 0 },
};

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
  const squares = values.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}
