import { expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { judgeJournal } from '../../proofs/checks/conformance.ts';
import { listConfigurations } from '../../proofs/checks/meetingConfigurations.ts';
import { checkConfiguration } from '../../proofs/checks/meetingSearch.ts';
import { judgeRuns } from '../../proofs/checks/outcome.ts';
import {
  createJournalReport,
  createSearchReport,
} from '../../proofs/report/createExplorerReport.ts';
import { testLong } from '../support/seeds.ts';
import { aPlace } from './session.ts';

const CLASSIC = new URL('../../examples/classic.yaml', import.meta.url).pathname;

test('a recorded meeting is explained step by step beside its whole journal', async () => {
  const { done, read } = aPlace();
  await done(`run ${CLASSIC} --seed 3 --out a.jsonl`);
  const journal = readJournal(read('a.jsonl'));
  const history = judgeJournal('a.jsonl', journal, null) ?? expect.fail('it has no header');
  const [run] = createJournalReport([{ history, journal }], 0).runs;
  expect(run?.properties.map(({ name }) => name)).toEqual(history.judged.map(({ name }) => name));
  const trace = run?.properties.find(({ name }) => name === 'follows-the-rules')?.trace;
  expect(trace?.steps).toHaveLength(history.steps);
  expect(trace?.rests).toHaveLength(history.steps + 1);
  const ends = trace?.journals[0]?.ends ?? [];
  expect(ends).toEqual(ends.toSorted((one, other) => one - other));
  const living = journal.lines.filter(({ channel }) => channel === 'living');
  expect(ends.at(-1)).toBe(living.at(-1)?.seq);
  for (const [index, rest] of (trace?.rests ?? []).slice(0, -1).entries()) {
    const step = trace?.steps[index];
    expect(run?.states[rest]?.offers?.[step?.offer ?? -1]?.to).toEqual(step?.to);
  }
});

testLong(
  'where ticks are searched bid by bid, whole ticks are among what may come next',
  async () => {
    const request = { players: [4], rules: 'house', ghosts: 0, departures: 1 } as const;
    const [subject] = listConfigurations(null, request);
    if (subject === undefined) expect.fail('there is no configuration');
    expect(subject.knobs.combinations).toBe('folded');
    const knobs = { only: ['ends'], keepsGraph: true, isSymmetric: true };
    const run = await checkConfiguration(subject, knobs);

    const found = judgeRuns([run], null);
    const report = await createSearchReport({ runs: [run], coverage: null, found, exit: 0 });
    const [first] = report.runs;
    const last = first?.properties[0]?.trace?.rests.at(-1) ?? -1;
    expect(first?.states[last]?.offers?.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['tick.closed', 'seat.left']),
    );
  },
);
