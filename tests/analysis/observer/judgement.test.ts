import { expect, test } from 'vitest';
import type { LightMind } from '../../../actors/minds/port.ts';
import { judgeGame, knowledgeOf } from '../../../analysis/observer/judgement.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { type BySeat, COLOURS, type Colour } from '../../../machines/types.ts';
import { testLong } from '../../support/seeds.ts';
import { impostorsOf, playGame } from './games.ts';

const SEEDS = [1, 2];

/** The crew says nothing and votes for the best or the worst suspect, or skips; on the ship all play as they do. */
async function playReasoned(seed: number, aim: 'best' | 'worst' | 'skip') {
  const known = new Map<string, BySeat<number>>();
  /** The odds of the living others, by meeting and voter. */
  const voters = new Map<string, readonly number[]>();
  const vote = (seat: Colour, written: readonly Line[], others: readonly Colour[]) => {
    const moment = `${written.filter(({ type }) => type === 'meeting.called').length} ${seat}`;
    const odds = known.get(moment) ?? knowledgeOf(written, seat).at(-1)?.odds ?? {};
    known.set(moment, odds);
    const oddsOf = (other: Colour) => odds[other] ?? 0;
    voters.set(moment, others.map(oddsOf));
    if (aim === 'skip') return aim;
    const sorted = others.toSorted((one, other) => oddsOf(other) - oddsOf(one));
    return sorted.at(aim === 'best' ? 0 : -1) ?? null;
  };
  const voting = (mind: LightMind, seat: Colour, written: readonly Line[]): LightMind => ({
    pace: 'at-once',
    answer: (request) => {
      if (request.kind !== 'discussion' && request.kind !== 'voting') return mind.answer(request);
      const others = request.view.table.seats.flatMap(({ colour, standing }) =>
        standing === 'living' && colour !== seat ? [colour] : [],
      );
      const isCrew = !impostorsOf(written).includes(seat);
      const vote_action = isCrew ? vote(seat, written, others) : 'skip';
      return { ok: true, received: { message: '', desire_to_speak: 0, vote_action } };
    },
  });
  const lines = await playGame(seed, {
    players: 7,
    minds: (scripted, written) =>
      Object.fromEntries(
        COLOURS.flatMap((seat) => {
          const mind = scripted[seat];
          return mind?.pace === 'at-once' ? [[seat, voting(mind, seat, written)]] : [];
        }),
      ),
  });
  return { lines, voters };
}

testLong('who reasons perfectly makes no error of logic and regrets nothing', async () => {
  let ballots = 0;
  for (const seed of SEEDS) {
    const { lines } = await playReasoned(seed, 'best');
    for (const { isError, regret } of judgeGame(lines)?.ballots ?? []) {
      expect({ seed, isError, regret }).toEqual({ seed, isError: false, regret: 0 });
      ballots += 1;
    }
  }
  expect(ballots).toBeGreaterThan(10);
});

test('who votes against all reason has made every error that could be made', async () => {
  let errors = 0;
  for (const seed of SEEDS) {
    const { lines, voters } = await playReasoned(seed, 'worst');
    for (const { voter, meeting, odds, isError, regret } of judgeGame(lines)?.ballots ?? []) {
      const all = voters.get(`${meeting} ${voter}`);
      if (all === undefined) continue;
      const least = Math.min(...all);
      const expected = { odds: least, isError: least === 0, regret: Math.max(...all) - least };
      expect({ seed, odds, isError, regret }).toEqual({ seed, ...expected });
      if (isError) errors += 1;
    }
  }
  expect(errors).toBeGreaterThan(1);
});

test('a skip is worth a random ballot among the living others', async () => {
  const { lines, voters } = await playReasoned(1, 'skip');
  let ballots = 0;
  for (const { voter, meeting, odds } of judgeGame(lines)?.ballots ?? []) {
    const all = voters.get(`${meeting} ${voter}`);
    if (all === undefined) continue;
    expect(odds).toBeCloseTo(all.reduce((sum, one) => sum + one, 0) / all.length, 12);
    ballots += 1;
  }
  expect(ballots).toBeGreaterThan(3);
});
