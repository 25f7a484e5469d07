import { describe, expect, test } from 'vitest';
import type { ModelMinds } from '../../../actors/minds/kinds.ts';
import type { SlowMind } from '../../../actors/minds/port.ts';
import { AnswerCache } from '../../../actors/replay/answerCache.ts';
import { WhatIf } from '../../../actors/replay/whatIf.ts';
import { type AnswerSample, readOutcome } from '../../../analysis/why/outcome.ts';
import { type ChangedPlay, playHere } from '../../../analysis/why/plays.ts';
import { listQuestions } from '../../../analysis/why/questions.ts';
import { addAnswers, beginResult, findAnswer } from '../../../analysis/why/result.ts';
import { answerQuestion, checkUnchanged } from '../../../analysis/why/why.ts';
import type { BySeat } from '../../../machines/types.ts';
import {
  askWhole,
  EXACT,
  type PlantedRule,
  plantMeeting,
  plantMinds,
  saysAt,
  stubborn,
  trusting,
} from './plantedMeeting.ts';

const rules: BySeat<PlantedRule> = {
  red: saysAt(1, 'Blue vented in Admin.', trusting),
  green: trusting,
  pink: trusting,
  blue: stubborn('skip'),
};

/** Minds that take their time; in odd samples no one believes anything. */
function samplingMinds(asked: { count: number }): (sample: number) => ModelMinds {
  return (sample) => (seat, index, times) => {
    const own =
      sample % 2 === 0
        ? rules
        : { ...rules, red: stubborn('skip'), green: stubborn('skip'), pink: stubborn('skip') };
    const mind = plantMinds(own)(seat, index, times);
    if (mind.pace !== 'at-once') return expect.unreachable();
    return {
      pace: 'in-time',
      answer: async (request, _, keepTime) => {
        keepTime();
        asked.count += 1;
        await Promise.resolve();
        return mind.answer(request);
      },
    } satisfies SlowMind;
  };
}

async function openSampled(cache: AnswerCache | null) {
  const { journal } = await plantMeeting(rules);
  const asked = { count: 0 };
  const minds = samplingMinds(asked);
  const models = cache === null ? minds : (sample: number) => cache.keep(minds(sample), sample);
  const record = WhatIf.open(journal, { models, standIns: false });
  const [question] = listQuestions(journal.lines, ['messages'], null);
  if (question === undefined) return expect.unreachable();
  const was = readOutcome(journal.lines);
  const ask = (samples: number, known: readonly AnswerSample[] = []) =>
    askWhole(question, {
      ...EXACT,
      until: 'meeting',
      models: 'a',
      samples,
      findSamples: () => known,
      player: playHere(record),
      was,
    });
  return { record, asked, ask, question, was };
}

describe('samples', () => {
  test('are matches with and without the change, each pair with the same minds', async () => {
    const { record, ask } = await openSampled(null);
    expect(record.isAtOnce).toBe(false);
    expect(await checkUnchanged(record, [], true)).toMatchObject({
      type: 'identical',
      check: { forks: 1 },
    });
    const { effect, samples } = await ask(4);
    expect(samples.map(({ was, is }) => [was.ejected, is.ejected])).toEqual([
      ['blue', null],
      [null, null],
      ['blue', null],
      [null, null],
    ]);
    expect(effect).toMatchObject({ samples: 4, ejected: 2, ballots: 1.5 });
  });

  test('leave what others answered in that tick as it is in the record', async () => {
    // Green votes in the tick when Red speaks. In every sample he would not vote.
    const voting: BySeat<PlantedRule> = {
      ...rules,
      green: (tick, heard) => (tick === 1 ? { votes: 'pink' } : trusting(tick, heard)),
    };
    const { journal } = await plantMeeting(voting);
    const models = () => plantMinds({ ...voting, green: () => ({}) });
    const record = WhatIf.open(journal, { models, standIns: false });
    const [question] = listQuestions(journal.lines, ['messages'], null);
    if (question === undefined) return expect.unreachable();
    const { line, intervention } = question;
    const play = { line, interventions: [intervention], until: 'meeting', meeting: 0 } as const;
    const { meetings } = await playHere(record).run(play);
    expect(meetings[0]?.ballots).toEqual({
      red: 'skip',
      green: 'pink',
      pink: 'skip',
      blue: 'skip',
    });
  });

  test('samples are answered from the store, in this run and in the next', async () => {
    let file = '';
    const write = (line: string) => {
      file += line;
    };
    const cache = new AnswerCache('1', '', write);
    const first = await openSampled(cache);
    const answer = await first.ask(2);
    // Odd samples use other minds, so answers of even samples do not count.
    expect(answer.samples.map(({ was }) => was.ejected)).toEqual(['blue', null]);
    const paid = first.asked.count;
    expect(paid).toBe(cache.count.asked);
    expect(await first.ask(2)).toEqual(answer);
    expect(first.asked.count).toBe(paid);
    // Only torn or foreign answers are asked for again.
    const rows = file.split('\n');
    const torn = [...rows.slice(0, -2), (rows.at(-2) ?? '').slice(0, 50), 'not a line'].join('\n');
    const second = await openSampled(new AnswerCache('1', torn, () => {}));
    expect(await second.ask(2)).toEqual(answer);
    expect(second.asked.count).toBe(1);
    // Another version of the program may ask otherwise.
    const later = await openSampled(new AnswerCache('2', file, () => {}));
    expect(await later.ask(2)).toEqual(answer);
    expect(later.asked.count).toBe(paid);
  });

  test('are drawn beside those that there are, and the first of them are an answer of fewer', async () => {
    const { record, ask, asked, question, was } = await openSampled(null);
    const three = await ask(3);
    const before = asked.count;
    const five = await ask(5, three.samples);
    const cost = asked.count - before;
    expect(five.samples.slice(0, 3)).toEqual(three.samples);
    expect(five).toEqual(await ask(5));
    expect(asked.count - before - cost).toBeGreaterThan(cost);
    const fresh = beginResult(record.journal, { engine: '1', outside: [], record: was });
    const result = addAnswers(addAnswers(fresh, [three]), [five]);
    expect(result.answers).toEqual([five]);
    const under = { until: 'meeting', continued: 'minds', models: 'a' } as const;
    expect(findAnswer(result, question, { ...under, samples: 3 })).toEqual(three);
    expect(findAnswer(result, question, { ...under, samples: 6 })).toBeUndefined();
  });

  test('that can not be kept are given all the same, and it is known that they are not kept', async () => {
    const { record } = await openSampled(null);
    let [tried, failed, thrown] = [0, 0, 0];
    const full = new AnswerCache('1', '', () => {
      tried += 1;
      if (tried === 3) throw new Error('no space left');
    });
    full.onFailure = () => {
      failed += 1;
    };
    const keep = full.keep(samplingMinds({ count: 0 })(0), 0);
    const models: ModelMinds = (seat, index, times) => {
      const mind = keep(seat, index, times);
      if (mind.pace !== 'in-time') return expect.unreachable();
      return {
        pace: 'in-time',
        answer: async (...asked) => {
          thrown += 1;
          const answer = await mind.answer(...asked);
          thrown -= 1;
          return answer;
        },
      };
    };
    const kept = WhatIf.open(record.journal, { models: () => models, standIns: false });
    const line = record.journal.lines.findIndex(({ type }) => type === 'tick.closed');
    await kept.play({ line, interventions: [] }, () => true);
    expect(full.count.asked).toBeGreaterThan(3);
    expect([tried, failed, thrown]).toEqual([3, 1, 0]);
    expect(full.failure).toEqual(new Error('no space left'));
  });

  test('end between two matches when that is asked for, and nothing half is an answer', async () => {
    const { record, question, was } = await openSampled(null);
    const inner = playHere(record);
    for (let most = 0; most <= 4; most++) {
      let played = 0;
      const player = {
        ...inner,
        run: async (play: ChangedPlay) => {
          played += 1;
          return inner.run(play);
        },
      };
      const isStopped = () => played >= most;
      const asking = { ...EXACT, models: 'a', samples: 2, player, was, isStopped };
      const answer = await answerQuestion(question, asking);
      expect(played).toBe(most);
      expect(answer?.samples.length ?? null).toBe(most < 4 ? null : 2);
    }
  });

  test('a failure is not kept', async () => {
    let lines = 0;
    const cache = new AnswerCache('1', '', () => {
      lines += 1;
    });
    const failing: ModelMinds = () => ({
      pace: 'in-time',
      answer: async () => ({ ok: false, code: 'endpoint/timeout', text: 'no answer' }),
    });
    const { record } = await openSampled(null);
    const kept = WhatIf.open(record.journal, {
      models: () => cache.keep(failing, 0),
      standIns: false,
    });
    const line = record.journal.lines.findIndex(({ type }) => type === 'tick.closed');
    await kept.play({ line, interventions: [] }, () => true);
    expect(lines).toBe(0);
    expect(cache.count.asked).toBeGreaterThan(0);
  });
});

test('stand-ins replace minds that cannot be asked, and are compared only up to the change', async () => {
  const { journal } = await plantMeeting(rules);
  const record = WhatIf.open(journal, { models: null, standIns: true });
  expect(record.isAtOnce).toBe(true);
  const questions = listQuestions(journal.lines, ['messages', 'ballots'], null);
  const moments = [...new Set(questions.map(({ line }) => line))];
  const compared = moments.map(
    (at) => journal.lines.slice(0, at + 1).filter(({ channel }) => channel === 'living').length,
  );
  expect(await checkUnchanged(record, questions, true)).toEqual({
    type: 'identical',
    check: {
      forks: moments.length + 1,
      lines: compared.reduce((sum, lines) => sum + lines, journal.lines.length),
      identical: true,
    },
  });
  const [question] = questions;
  if (question === undefined) return expect.unreachable();
  const asking = { ...EXACT, until: 'meeting', continued: 'stand-ins' } as const;
  const was = readOutcome(journal.lines);
  const answer = await askWhole(question, { ...asking, player: playHere(record), was });
  expect(answer).toMatchObject({ continued: 'stand-ins', effect: { samples: 1 } });
  // The comparison is with the same stand-ins in the same moment, not with the record.
  const { line } = question;
  const unchanged = { line, interventions: [], until: 'meeting', meeting: 0 } as const;
  const { meetings } = await playHere(record).run(unchanged);
  expect(answer.samples[0]?.was.ejected).toBe(meetings[0]?.ejected);
  expect(meetings[0]?.ballots).not.toEqual(was.meetings[0]?.ballots);
});
