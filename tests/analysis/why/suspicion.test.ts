import { describe, expect, test } from 'vitest';
import { readJournal } from '../../../actors/engine/journal/reader.ts';
import { MemorySink } from '../../../actors/engine/journal/sink.ts';
import { createMatch } from '../../../actors/engine/match.ts';
import { playMatch } from '../../../actors/engine/play.ts';
import { createBeliefSettings } from '../../../actors/minds/believers.ts';
import { WhatIf } from '../../../actors/replay/whatIf.ts';
import {
  compareOutcomes,
  isWithoutEffect,
  type MatchOutcome,
  readOutcome,
} from '../../../analysis/why/outcome.ts';
import { playHere, playRecord } from '../../../analysis/why/plays.ts';
import { listQuestions } from '../../../analysis/why/questions.ts';
import type { LineOf } from '../../../machines/journal/lines.ts';
import { COLOURS } from '../../../machines/types.ts';
import { aLobby } from '../../actors/laws/journeys.ts';
import { askWhole, EXACT } from './plantedMeeting.ts';

/** In this game a crewmate sees a kill before the first meeting. */
const SEED = 28;

async function playStated() {
  const creation = createMatch(aLobby(8), SEED);
  if (!creation.ok) return expect.unreachable();
  const { ready } = creation;
  const sink = new MemorySink();
  const beliefs = createBeliefSettings('meeting', ready.match, SEED);
  await playMatch(ready, { sink, beliefs }).result;
  const journal = readJournal(sink.text);
  const record = WhatIf.open(journal, { models: null, standIns: false });
  const impostors = ready.players.flatMap(({ colour, role }) =>
    role === 'impostor' ? [colour] : [],
  );
  return { journal, record, impostors, was: await playRecord(record) };
}

const { journal, record, impostors, was } = await playStated();

test("a replayed record reaches the same end, and its suspicion is the crew's mean", () => {
  const bare = was.meetings.map(({ suspicion: _, ...meeting }) => meeting);
  expect({ ...was, meetings: bare }).toEqual(readOutcome(journal.lines));
  expect(was.meetings.length).toBeGreaterThan(1);
  for (const [index, { suspicion = {} }] of was.meetings.entries()) {
    const stated = journal.lines.filter(
      (line): line is LineOf<'belief.stated'> =>
        line.type === 'belief.stated' &&
        line.moment === 'vote' &&
        line.meeting === index + 1 &&
        !impostors.includes(line.seat),
    );
    expect(stated.length).toBeGreaterThan(1);
    for (const of of COLOURS) {
      const shares = stated.flatMap(({ probabilities }) => probabilities[of] ?? []);
      const mean = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
      expect(of in suspicion, `${of}, meeting ${index + 1}`).toBe(shares.length > 0);
      expect(suspicion[of] ?? 0, `${of}, meeting ${index + 1}`).toBeCloseTo(mean, 10);
    }
  }
});

describe('a kill that was not seen', () => {
  const [kill] = listQuestions(journal.lines, ['kills'], null);

  test('takes suspicion off the killer', async () => {
    if (kill === undefined || kill.intervention.type !== 'unseen') return expect.unreachable();
    const { killer } = kill.intervention;
    const answer = await askWhole(kill, { ...EXACT, player: playHere(record), was });
    const shift = answer.samples[0]?.suspicion?.find(({ of }) => of === killer);
    expect(shift?.is).toBeLessThan(shift?.was ?? 0);
    expect(answer.effect.suspicion).toBeGreaterThan(0);
  });

  test('has no known effect on suspicion if the record was read without any', async () => {
    if (kill === undefined) return expect.unreachable();
    const unheard = { ...EXACT, player: playHere(record), was: readOutcome(journal.lines) };
    const answer = await askWhole(kill, unheard);
    expect([answer.effect.suspicion, answer.samples[0]?.suspicion]).toEqual([null, null]);
  });
});

describe('suspicion that is compared', () => {
  const meeting = { outcome: 'tie', ejected: null, ballots: {}, ticks: 1 } as const;
  const of = (suspicion: MatchOutcome['meetings'][number]['suspicion']): MatchOutcome => ({
    ...{ winner: null, reason: null, rounds: 0 },
    meetings: [{ ...meeting, ...(suspicion === undefined ? {} : { suspicion }) }],
  });

  test.each([
    ['the greatest first', { red: 0.5, blue: 0.2 }, { red: 0.4, blue: 0.5 }, ['blue', 'red']],
    ['not of who was dead in one', { red: 0.5, blue: 0.2 }, { blue: 0.3 }, ['blue']],
    ['not less than a believer’s digits', { red: 0.5 }, { red: 0.5004 }, []],
    ['but no more than that', { red: 0.5 }, { red: 0.5006 }, ['red']],
  ] as const)('names %s', (_, before, after, players) => {
    const { suspicion } = compareOutcomes(of(before), of(after), 0);
    expect(suspicion?.map((one) => one.of)).toEqual(players);
  });

  test('is no effect on the outcome', () => {
    const effect = { samples: 1, winner: 0, ejected: 0, ballots: 0, reason: 0, rounds: 0 };
    expect(isWithoutEffect({ ...effect, suspicion: 0.9 })).toBe(true);
    expect(isWithoutEffect({ ...effect, suspicion: 0.9, rounds: -1 })).toBe(false);
  });
});
