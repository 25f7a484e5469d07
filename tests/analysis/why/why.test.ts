import { describe, expect, test } from 'vitest';
import { readJournal } from '../../../actors/engine/journal/reader.ts';
import { type MatchHappening, WhatIf } from '../../../actors/replay/whatIf.ts';
import { type ChangeEffect, rankEffects, readOutcome } from '../../../analysis/why/outcome.ts';
import { playHere, playOnThreads } from '../../../analysis/why/plays.ts';
import { listQuestions, SUBJECTS } from '../../../analysis/why/questions.ts';
import {
  addAnswers,
  beginResult,
  findAnswer,
  rankAnswers,
  readResult,
  type WhyAnswer,
  writeResult,
} from '../../../analysis/why/result.ts';
import {
  answerQuestions,
  checkUnchanged,
  findOutsideSeats,
  findUnaskable,
} from '../../../analysis/why/why.ts';
import { canonical } from '../../../machines/journal/canonical.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { aLobby, gameText, playGame } from '../../actors/laws/journeys.ts';
import { IS_LONG, seeds } from '../../support/seeds.ts';
import {
  askWhole,
  EXACT,
  openPlanted,
  plantMeeting,
  plantMinds,
  saysAt,
  stubborn,
} from './plantedMeeting.ts';

const UNDER = { until: 'end', continued: 'minds', models: null, samples: 1 } as const;

async function openGame(players: number, seed: number) {
  const journal = readJournal(gameText(await playGame(aLobby(players), seed)));
  const record = WhatIf.open(journal, { models: null, standIns: false });
  return { journal, record, was: readOutcome(journal.lines) };
}

const game = await openGame(6, 3);
const questions = listQuestions(game.journal.lines, SUBJECTS, null);

describe('before anything is asked', () => {
  test.each(Array.from({ length: seeds(1, 40) }, (_, index) => index + 1))(
    'forks without a change are the record, seed %i',
    async (seed) => {
      const { journal, record } = await openGame(5 + (seed % 4), seed);
      const asked = listQuestions(
        journal.lines,
        IS_LONG ? ['messages', 'ballots'] : ['ballots'],
        null,
      );
      const outcome = await checkUnchanged(record, asked, true);
      const moments = new Set(asked.map(({ line }) => line)).size;
      expect(outcome).toEqual({
        type: 'identical',
        check: { forks: moments + 2, lines: (moments + 2) * journal.lines.length, identical: true },
      });
    },
  );

  test('a mind that answers otherwise when it is asked again is found out', async () => {
    let times = 0;
    const rules = {
      red: () => ({ says: `I have spoken ${times++} times.`, desire: 9 }),
      blue: stubborn('skip'),
      green: stubborn('skip'),
      pink: stubborn('skip'),
    };
    const models = plantMinds({ ...rules, red: saysAt(1, 'I count.', stubborn('skip')) });
    const { journal } = await plantMeeting({
      ...rules,
      red: saysAt(1, 'I count.', stubborn('skip')),
    });
    const { record } = await openPlanted(journal, models);
    expect((await checkUnchanged(record, [], false)).type).toBe('identical');
    const [line] = journal.lines.flatMap((one, at) =>
      one.type === 'tick.closed' && one.said?.speaker === 'red' ? [at + 1] : [],
    );
    const others = { ...rules, red: saysAt(1, 'I do not.', stubborn('skip')) };
    const rephrasing = await openPlanted(journal, plantMinds(others));
    expect(await checkUnchanged(rephrasing.record, [], false)).toMatchObject({
      type: 'different',
      difference: { line, recorded: expect.stringContaining('I count.') },
    });
    const forgetful = await openPlanted(journal, plantMinds(rules));
    expect(await checkUnchanged(forgetful.record, [], false)).toMatchObject({
      type: 'different',
      line: 1,
      difference: { channel: 'living' },
    });
  });

  test('a record of another program is distinguished from minds that think otherwise', async () => {
    const { journal } = game;
    const at = journal.lines.findIndex(({ type }) => type === 'poll.counted');
    const bodies = journal.bodies.with(at, '{"channel":"living"}');
    const record = WhatIf.open({ ...journal, bodies }, { models: null, standIns: false });
    expect(await checkUnchanged(record, [], false)).toMatchObject({
      type: 'unplayable',
      difference: { line: at + 1 },
    });
  });

  test('a match that is not over, or was stopped from outside, is refused', () => {
    const { journal } = game;
    expect(findUnaskable(journal)).toBeNull();
    expect(findUnaskable({ ...journal, lines: journal.lines.slice(0, -1) })).toMatchObject({
      code: 'why/unfinished',
    });
    const stopped = journal.lines.flatMap((line): readonly Line[] => {
      if (line.type !== 'game.closed') return [line];
      const { seq, hash, channel } = line;
      return [{ seq, hash, channel, type: 'end.requested', reason: 'interrupted' }, line];
    });
    expect(findUnaskable({ ...journal, lines: stopped })).toMatchObject({
      code: 'why/from-outside',
      text: expect.stringContaining(`line ${stopped.length - 1}`),
    });
  });

  test('seats with external minds are named', async () => {
    const { journal } = await plantMeeting({
      red: stubborn('skip'),
      blue: stubborn('skip'),
      green: stubborn('skip'),
      pink: stubborn('skip'),
    });
    expect(findOutsideSeats(journal)).toEqual(['red', 'blue', 'green', 'pink']);
    expect(findOutsideSeats(game.journal)).toEqual([]);
  });
});

describe('questions of a record', () => {
  test('each message, ballot and claim of the table has its own', () => {
    const { lines } = game.journal;
    const said = lines.filter(
      (line) => line.type === 'tick.closed' && (line.said?.message ?? '') !== '',
    );
    const of = (what: string) => questions.filter((one) => one.what === what);
    expect(of('messages')).toHaveLength(said.length);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
    const voters = lines.filter(({ type }) => type === 'vote.locked');
    expect(
      new Set(of('ballots').map(({ seat, meeting }) => `${seat} ${meeting}`)).size,
    ).toBeLessThanOrEqual(voters.length);
    expect(of('bids').length).toBeGreaterThan(said.length);
  });

  test('a replacement is used for its own seat only', () => {
    const asked = listQuestions(game.journal.lines, ['messages', 'ballots'], 'skip');
    expect(new Set(asked.map(({ what, by }) => `${what} ${by}`))).toEqual(
      new Set(['messages silence', 'ballots skip']),
    );
  });
});

/** What happens to the living, in words that a fact and its line have in common. */
function traceOf(one: MatchHappening): string {
  switch (one.type) {
    case 'tick.closed': {
      const said = 'decision' in one ? one.decision?.said : one.said;
      return `${one.type} ${one.tick} ${said?.speaker}: ${said?.message}`;
    }
    case 'round.closed':
      return `${one.type} ${one.round} ${canonical([one.events, one.paths])}`;
    case 'vote.locked':
      return `${one.type} ${one.seat} ${one.ballot}`;
    default:
      return one.type;
  }
}

test('up to the change everything is the record, whatever is taken back', async () => {
  const { journal, record } = await openGame(5, 5);
  expect(readOutcome(journal.lines).meetings.length).toBeGreaterThan(1);
  const asked = listQuestions(journal.lines, IS_LONG ? ['messages', 'ballots'] : ['ballots'], null);
  const living = journal.lines.flatMap((line, at) =>
    line.channel === 'living' && line.type !== 'match.opened' ? [{ at, trace: traceOf(line) }] : [],
  );
  for (const { line, intervention } of asked) {
    const before = living.filter(({ at }) => at < line).map(({ trace }) => trace);
    const played: string[] = [];
    await record.play({ line, interventions: [intervention] }, (happenings) => {
      played.push(...happenings.map(traceOf));
      return played.length < before.length;
    });
    expect(played.slice(0, before.length)).toEqual(before);
  }
});

describe('answers', () => {
  const some = questions.filter((_, index) => index % seeds(45, 9) === 0);

  async function answer(threads: number): Promise<readonly WhyAnswer[]> {
    const { journal, record, was } = game;
    const answers: WhyAnswer[] = [];
    const plan = { standIns: false, journal: { lines: journal.lines, bodies: journal.bodies } };
    const player = threads === 0 ? playHere(record) : playOnThreads(plan, threads);
    const asking = { ...EXACT, player, was };
    await answerQuestions(some, asking, (one) => answers.push(one));
    await player[Symbol.asyncDispose]();
    return answers.toSorted((one, other) => one.line - other.line || (one.id < other.id ? -1 : 1));
  }

  test('are the same on this thread, on others, and asked again', async () => {
    const here = await answer(0);
    expect(here).toHaveLength(some.length);
    expect(await answer(2)).toEqual(here);
    expect(await answer(0)).toEqual(here);
  });

  test.each([5, 7])('come from a moment of a game of %i as from its beginning', async (players) => {
    const { record } = await openGame(players, 5);
    const asked = listQuestions(record.journal.lines, SUBJECTS, null);
    for (const { line, intervention } of asked.filter((_, index) => index % seeds(21, 7) === 0)) {
      const play = async (hearsBeliefs: boolean) => {
        const steps: string[] = [];
        await record.play({ line, interventions: [intervention], hearsBeliefs }, (facts) => {
          const own = facts.filter(({ type: of }) => of !== 'belief.heard');
          if (own.length > 0) steps.push(JSON.stringify(own));
          return true;
        });
        return steps;
      };
      // All beliefs need the whole match.
      const whole = await play(true);
      const [, ...later] = await play(false);
      expect(later.length).toBeLessThan(whole.length);
      expect(later).toEqual(whole.slice(-later.length));
    }
  });

  test('end between two questions when that is asked for', async () => {
    const answered: string[] = [];
    const { record, was } = game;
    const isStopped = () => answered.length >= 3;
    const asking = { ...EXACT, player: playHere(record), was, isStopped };
    await answerQuestions(some, asking, ({ id }) => answered.push(id));
    expect(answered).toEqual(some.slice(0, 3).map(({ id }) => id));
  });

  test('a thread that fails is a failure, and no answer', async () => {
    const { was, journal } = game;
    const plan = { standIns: false, journal: { lines: journal.lines.slice(1), bodies: [] } };
    const player = playOnThreads(plan, 1);
    const asking = { ...EXACT, player, was };
    const answers: WhyAnswer[] = [];
    await expect(answerQuestions(some, asking, (one) => answers.push(one))).rejects.toThrow(
      'expected the journal to have its header',
    );
    expect(answers).toEqual([]);
    await player[Symbol.asyncDispose]();
  });

  test('up to the end of the meeting agree with those up to the end of the game', async () => {
    const { record, was } = game;
    for (const one of some) {
      const asking = { ...EXACT, player: playHere(record), was };
      const whole = await askWhole(one, asking);
      const part = await askWhole(one, { ...asking, until: 'meeting' });
      expect(part.effect.ejected).toBe(whole.effect.ejected);
      expect(part.samples[0]?.ballots).toEqual(whole.samples[0]?.ballots);
      expect(part.effect.winner).toBe(0);
    }
  });

  test('are ranked by who wins, who is ejected, ballots, the reason, the length and beliefs', () => {
    const same = { samples: 2, winner: 0, ejected: 0, ballots: 0, reason: 0, rounds: 0 };
    const none = { ...same, suspicion: null };
    const ranked: readonly ChangeEffect[] = [
      { ...none, winner: 2 },
      { ...none, winner: 1, ejected: 2 },
      { ...none, winner: 1, ejected: 1, ballots: 9 },
      { ...none, ejected: 1 },
      { ...none, ballots: 2, rounds: 50 },
      { ...none, ballots: 1, reason: 2 },
      { ...none, ballots: 1, reason: 1, rounds: -50 },
      { ...none, rounds: -2 },
      { ...none, rounds: 1 },
      { ...none, suspicion: 0.3 },
      none,
    ];
    expect(ranked.toReversed().toSorted(rankEffects)).toEqual(ranked);
  });
});

describe('a result', () => {
  const engine = '0.1.0+rules2';
  const fresh = beginResult(game.journal, { engine, outside: [], record: game.was });

  async function fill() {
    const answers: WhyAnswer[] = [];
    for (const one of questions.slice(0, 5)) {
      answers.push(await askWhole(one, { ...EXACT, player: playHere(game.record), was: game.was }));
    }
    return addAnswers(fresh, answers.toReversed());
  }

  test('a fork is read as it was written, and names its question', async () => {
    const result = await fill();
    expect(readResult(writeResult(result), fresh)).toEqual({ ok: true, result });
    expect(readResult(writeResult(fresh), fresh)).toEqual({ ok: true, result: fresh });
    const [first, sixth] = [questions[0], questions[5]];
    if (first === undefined || sixth === undefined) return expect.unreachable();
    expect(findAnswer(result, first, UNDER)?.id).toBe(first.id);
    expect(findAnswer(result, first, { ...UNDER, until: 'meeting' })).toBeUndefined();
    expect(findAnswer(result, first, { ...UNDER, models: 'red=gemma' })).toBeUndefined();
    expect(findAnswer(result, first, { ...UNDER, samples: 2 })).toBeUndefined();
    expect(findAnswer(result, sixth, UNDER)).toBeUndefined();
    expect(addAnswers(result, result.answers)).toEqual(result);
    expect(rankAnswers(result.answers)).toHaveLength(5);
  });

  test.each([
    [
      'of another journal',
      { journal: { lines: 1, living: 'f'.repeat(64), ghosts: null } },
      'why/other-journal',
    ],
    [
      'with other words of the ghosts',
      { journal: { ...fresh.journal, ghosts: 'f'.repeat(64) } },
      'why/other-journal',
    ],
    ['of other rules', { engine: '0.1.0+rules3' }, 'why/other-version'],
    ['of an earlier version', { v: 1 }, 'why/other-version'],
    ['of a later version', { v: 3 }, 'why/other-version'],
    ['with an answer that is none', { answers: [{ id: 'x' }] }, 'why/damaged'],
    ['that is something else', { type: 'stats' }, 'why/not-a-result'],
  ])('%s is refused', (_, change, code) => {
    const text = JSON.stringify({ ...fresh, ...change });
    expect(readResult(text, fresh)).toMatchObject({ ok: false, code });
  });

  test('that is no JSON is refused', () => {
    expect(readResult('{"v":1,', fresh)).toMatchObject({ code: 'why/not-a-result' });
  });
});

test('a vote that was cleared when a player left is no vote', () => {
  const { lines } = game.journal;
  const locked = lines.find((line) => line.type === 'vote.locked');
  if (locked === undefined) return expect.unreachable();
  const { seat, seq, hash, channel } = locked;
  const cleared = { seat, seq, hash, channel, type: 'vote.cleared', leaver: 'tan' } as const;
  const ballots = (more: readonly Line[]) =>
    readOutcome(lines.flatMap((line) => (line === locked ? [line, ...more] : [line]))).meetings[0]
      ?.ballots;
  expect(ballots([])).toHaveProperty(seat, locked.ballot);
  expect(ballots([cleared])).not.toHaveProperty(seat);
});
