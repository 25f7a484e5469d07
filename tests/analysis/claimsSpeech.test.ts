import { describe, expect, test } from 'vitest';
import { type Rate, rate, sumOf } from '../../analysis/counts/numeric.ts';
import { formatShare } from '../../visualizer/text.ts';
import {
  COUNTED,
  countLabels,
  type ReaderCount,
  readByMachine,
  readSpeech,
} from '../corpus/corpus.ts';
import { expectGoldenPart } from '../support/golden.ts';

const speech = readSpeech();
const offline = speech.filter(({ source }) => source === 'scripted');
const models = speech.filter(({ source }) => source !== 'scripted');

function count(said: typeof speech) {
  const kinds = countLabels(
    said.map((one) => ({ found: readByMachine(one, one.text), wanted: new Set(one.claims) })),
  );
  const { time, ...apart } = kinds;
  const sum = (of: (one: ReaderCount) => number) => sumOf(Object.values(apart), of);
  const all = { right: sum((one) => one.right), wrong: sum((one) => one.wrong) };
  return { ...kinds, all: { ...all, missed: sum((one) => one.missed) } };
}

function write({ hits, cases, interval }: Rate): string {
  return interval === null ? '' : `${hits} of ${cases}: ${formatShare(interval, null)}`;
}

describe('the reader of claims on 200 messages of offline players and small models', () => {
  test('each message stands once, and half of them are of models', () => {
    expect([offline.length, models.length]).toEqual([100, 100]);
    expect(new Set(speech.map(({ text }) => text)).size).toBe(200);
  });

  test('docs/deduction.md has its precision and recall with their intervals', () => {
    const groups = [
      ['offline', count(offline)],
      ['models', count(models)],
    ] as const;
    const rows = (['all', ...COUNTED] as const).flatMap((kind) =>
      groups.flatMap(([who, counts]) => {
        const { right, wrong, missed } = counts[kind];
        if (right + wrong + missed === 0) return [];
        const [precision, recall] = [rate(right, right + wrong), rate(right, right + missed)];
        return [`| ${kind} | ${who} | ${write(precision)} | ${write(recall)} |\n`];
      }),
    );
    const head = '| claims | players | precision | recall |\n| --- | --- | --- | --- |\n';
    expectGoldenPart('docs/deduction.md', 'speech', `\n${head}${rows.join('')}\n`);
  });

  test('finds most claims of both, and what it finds is mostly there', () => {
    for (const [said, least] of [
      [offline, 0.8],
      [models, 0.5],
    ] as const) {
      const { right, wrong, missed } = count(said).all;
      expect(right / (right + wrong)).toBeGreaterThan(least);
      expect(right / (right + missed)).toBeGreaterThan(least);
    }
  });
});
