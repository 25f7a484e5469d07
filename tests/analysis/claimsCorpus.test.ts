import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { reportReader } from '../../analysis/claims/accuracy.ts';
import counted from '../../analysis/claims/counts.json' with { type: 'json' };
import { sumStats } from '../../analysis/counts/totals.ts';
import { PLACES as PLACES_ON_SHIP } from '../../machines/types.ts';
import { renderTotals } from '../../visualizer/terminal/statistics.ts';
import {
  COUNTED,
  compareAnnotators,
  countCommon,
  countReader,
  HALVES,
  halfOf,
  hashReader,
  isRecorded,
  LABEL,
  type ReaderCounts,
  readByMachine,
  readLabels,
  readRecorded,
  readUtterances,
  SOURCES,
} from '../corpus/corpus.ts';
import { expectGolden, expectGoldenPart } from '../support/golden.ts';

const VERSION = 1;
const { counts: COUNTS } = counted;
const utterances = readUtterances();
const texts = readRecorded();
const PLACES = ['kept', 'recorded'] as const;

const kept = (half: string) =>
  utterances.filter((one) => halfOf(one.id) === half && !isRecorded(one));
const recorded = (half: string) =>
  utterances.filter((one) => halfOf(one.id) === half && isRecorded(one));

const isHere = texts.size > 0;
const countHalf = (half: (typeof HALVES)[number]) => ({
  kept: countReader(kept(half), texts),
  recorded: isHere ? countReader(recorded(half), texts) : COUNTS[half].recorded,
});
const found: Readonly<
  Record<(typeof HALVES)[number], Readonly<Record<(typeof PLACES)[number], ReaderCounts>>>
> = { development: countHalf('development'), 'held-out': countHalf('held-out') };
// The texts of recorded games are not in the repository.
const countedBy = isHere ? hashReader() : counted.recordedBy;

describe('the corpus', () => {
  test('has 523 utterances of five sources, 290 for development and 233 held out', () => {
    const count = (source: string, half: string) =>
      utterances.filter((one) => one.source === source && halfOf(one.id) === half).length;
    expect(SOURCES.map((source) => [source, ...HALVES.map((half) => count(source, half))])).toEqual(
      [
        ['diverse', 63, 57],
        ['sandbox', 48, 32],
        ['chat', 83, 70],
        ['prose', 53, 37],
        ['scripted', 43, 37],
      ],
    );
    expect(new Set(utterances.map(({ id }) => id)).size).toBe(523);
  });

  test('has the text of an utterance, or the address and the hash of a recorded one', () => {
    for (const one of utterances) {
      const { path, step, model, sha256 } = one;
      const isAddressed = [path, step, model, sha256].every((part) => part !== undefined);
      expect([one.id, isAddressed, one.text === undefined]).toEqual([
        one.id,
        isRecorded(one),
        isRecorded(one),
      ]);
    }
  });

  test.each(['first', 'second', 'labels'] as const)('%s.jsonl labels all of it', (name) => {
    const labels = readLabels(name);
    expect([...labels.keys()]).toEqual(utterances.map(({ id }) => id));
    const odd = [...labels.values()].flatMap((claims) =>
      [...claims].filter((claim) => !LABEL.test(claim)),
    );
    expect(odd).toEqual([]);
  });

  test('was agreed on between the annotators: 41 utterances, each as one of them had it', () => {
    const [first, second] = [readLabels('first'), readLabels('second')];
    let differing = 0;
    for (const [id, agreed] of readLabels('labels')) {
      const [one, other] = [
        first.get(id) ?? new Set<string>(),
        second.get(id) ?? new Set<string>(),
      ];
      if (!isSame(one, other)) differing += 1;
      expect([one, other].some((labels) => isSame(labels, agreed))).toBe(true);
    }
    expect(differing).toBe(41);
  });

  test('docs/deduction.md has the agreement of the annotators', () => {
    const rows = COUNTED.map((kind) => {
      const { first, second, same, kappa, f1 } = compareAnnotators(kind);
      return [kind, first, second, same, kappa.toFixed(3), f1.toFixed(3)];
    });
    const titles = ['claims', 'first', 'second', 'both', 'kappa', 'F1'];
    expectGoldenPart('docs/deduction.md', 'agreement', table(titles, rows));
  });
});

describe('the reader', () => {
  test('finds what analysis/claims/counts.json says, in either half', () => {
    expectGolden('analysis/claims/counts.json', writeCounts());
  });

  test('is counted on utterances that it has read: each is right, wrong, missed or without', () => {
    for (const half of HALVES) {
      for (const place of PLACES) {
        const all = place === 'kept' ? kept(half).length : recorded(half).length;
        for (const kind of COUNTED) {
          const { right, wrong, missed, neither } = COUNTS[half][place][kind];
          expect(neither).toBeLessThanOrEqual(all);
          expect(right + wrong + missed + neither).toBeGreaterThanOrEqual(all);
        }
      }
    }
  });

  test('is reported, in numbers and on the terminal, by the held-out half alone', () => {
    const { accuracy, corpus, utterances: count } = reportReader();
    expect([corpus, count]).toEqual([
      VERSION,
      kept('held-out').length + recorded('held-out').length,
    ]);
    const { kept: one, recorded: other } = COUNTS['held-out'];
    for (const kind of COUNTED) {
      const right = one[kind].right + other[kind].right;
      const { precision, recall } = accuracy[kind];
      expect([precision.hits, precision.cases]).toEqual([
        right,
        right + one[kind].wrong + other[kind].wrong,
      ]);
      expect([recall.hits, recall.cases]).toEqual([
        right,
        right + one[kind].missed + other[kind].missed,
      ]);
    }
    const { precision, recall } = accuracy.place;
    const share = ({ hits, cases }: typeof recall) => Math.round((100 * hits) / cases);
    expect(renderTotals(sumStats([]))).toMatch(
      new RegExp(`claims not true .* precision ${share(precision)} %, recall ${share(recall)} %`),
    );
  });

  test('docs/deduction.md has the counts of the held-out half, and a golden file those of the other', () => {
    const rows = (half: (typeof HALVES)[number]) =>
      PLACES.flatMap((place) =>
        COUNTED.map((kind) => {
          const { right, wrong, missed, neither } = found[half][place][kind];
          const percent = (cases: number) =>
            cases === 0 ? '' : `${Math.round((100 * right) / cases)} %`;
          return [
            kind,
            place === 'kept' ? 'written' : 'recorded',
            right,
            wrong,
            missed,
            neither,
            percent(right + wrong),
            percent(right + missed),
          ];
        }),
      );
    const titles = [
      'claims',
      'speech',
      'right',
      'wrong',
      'missed',
      'neither',
      'precision',
      'recall',
    ];
    expectGoldenPart('docs/deduction.md', 'held out', table(titles, rows('held-out')));
    expectGoldenPart('tests/golden/claims.md', 'development', table(titles, rows('development')));
  });

  test('docs/deduction.md says whether recorded games were measured with the reader as it is', () => {
    const says =
      countedBy === hashReader()
        ? 'Recorded games were measured with the reader as it stands.\n'
        : 'Recorded games were measured with an earlier version of the reader.\n';
    expectGoldenPart('docs/deduction.md', 'recorded by', says);
  });
});

const VERBATIM = [
  ['Blue said that Red vented in Electrical.', []],
  ['Blue told me that Red killed Pink, and I was in Admin.', ['place red Admin']],
  ['Blue said I was in Electrical, that’s a lie.', ['accuse blue']],
  [
    'Blue says she was in Admin and then went to Storage, but I was in Admin alone.',
    ['place red Admin'],
  ],
  ['I told you I was in Admin.', ['place red Admin']],
  ['Were you in Admin, Blue?', []],
  ['I was in Nav, where were you?', ['place red Navigation']],
  ['I never saw Blue in Admin.', []],
  ['If Blue was in Admin, Blue did it.', []],
  ['Maybe Blue vented in Admin.', []],
  ['I will go to Admin and then to Storage.', []],
  ['I am in Admin and will go to Storage.', ['place red Admin']],
  [
    'blue n i were in elec doing wires',
    ['place blue Electrical', 'place red Electrical', 'task blue', 'task red'],
  ],
  ['its not blue', ['defend blue']],
  ['its blue', ['accuse blue']],
  ['I don’t trust Blue.', ['accuse blue']],
  ['I trust Blue.', ['defend blue']],
  ['I found the body of Blue in Admin.', ['act red report']],
  [
    'Blue killed Green in Admin 20 seconds ago.',
    ['accuse blue', 'act blue kill', 'place blue Admin 20'],
  ],
  ['', []],
  ['?!?! ... ,,, ;;', []],
] as const;

test.each(VERBATIM)('%j claims %j', (message, claims) => {
  const said = { id: 'u000', source: 'chat', speaker: 'red', target: null } as const;
  expect([...readByMachine(said, message)].toSorted()).toEqual(claims);
});

test('a long text is read up to 4,000 characters', () => {
  const said = { id: 'u000', source: 'chat', speaker: 'red', target: null } as const;
  const long = `I was in Admin. ${'x '.repeat(2000)}I was in Storage.`;
  expect([...readByMachine(said, long)]).toEqual(['place red Admin']);
  expect([...readByMachine(said, long.replace(/x /g, ''))]).toEqual([
    'place red Admin',
    'place red Storage',
  ]);
});

test('the guidelines name each act and each place that a label may have', () => {
  const guidelines = readFileSync(new URL('../corpus/GUIDELINES.md', import.meta.url), 'utf8');
  const words = guidelines.replace(/\s+/g, ' ');
  const acts = new Set([...words.matchAll(/`act WHO (\w+)`/g)].map(([, act]) => act));
  expect(acts.size).toBe(8);
  for (const act of acts) expect(`act red ${act}`).toMatch(LABEL);
  for (const place of PLACES_ON_SHIP) expect(words).toContain(place);
});

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && countCommon(one, other) === one.size;
}

function table(titles: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |\n`;
  return `\n${line(titles)}${line(titles.map(() => '---'))}${rows.map(line).join('')}\n`;
}

function writeCounts(): string {
  const block = (half: (typeof HALVES)[number]) =>
    PLACES.map((place) => {
      const rows = COUNTED.map(
        (kind) => `        "${kind}": ${JSON.stringify(found[half][place][kind])}`,
      );
      return `      "${place}": {\n${rows.join(',\n')}\n      }`;
    }).join(',\n');
  const heldOut = utterances.filter(({ id }) => halfOf(id) === 'held-out').length;
  const counts = HALVES.map((half) => `    "${half}": {\n${block(half)}\n    }`);
  return `{
  "version": ${VERSION},
  "heldOut": ${heldOut},
  "recordedBy": "${countedBy}",
  "counts": {\n${counts.join(',\n')}\n  }
}
`;
}
