import { expect, test } from 'vitest';
import { readJournal } from '../../../actors/engine/journal/reader.ts';
import { seedOf } from '../../../actors/replay/continue.ts';
import { WhatIf } from '../../../actors/replay/whatIf.ts';
import { readOutcome } from '../../../analysis/why/outcome.ts';
import { type ChangedPlay, playHere } from '../../../analysis/why/plays.ts';
import type { Stakes } from '../../../analysis/why/result.ts';
import { listMoments, rankSwings, shareOfCrew, weighMoment } from '../../../analysis/why/stakes.ts';
import { weighStakes } from '../../../analysis/why/why.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { aLobby, gameText, playGame } from '../../actors/laws/journeys.ts';
import { testLong } from '../../support/seeds.ts';
import { recordedGame } from '../../visualizer/page/recorded.ts';
import { FIVE, plantKill } from './plantedMeeting.ts';

const CONTINUATIONS = 2;
const NOTHING: Stakes = {
  continued: 'minds',
  continuations: CONTINUATIONS,
  moments: [],
  swings: null,
};

const journal = readJournal(
  gameText(await playGame(aLobby(4, { vote_after: 2, max_ticks: 5 }), 5)),
);
const record = WhatIf.open(journal, { models: null, standIns: false });
const places = listMoments(journal.lines);
const asking = {
  player: playHere(record),
  seed: seedOf(journal),
  isStopped: () => false,
  onMoment: () => {},
};
const weighed = await weighStakes(places, NOTHING, asking);

test('there is a moment for the beginning, each round and each tick of talk', () => {
  const rounds = journal.lines.filter(({ type }) => type === 'round.closed').length;
  const ticks = readOutcome(journal.lines).meetings.reduce((sum, one) => sum + one.ticks, 0);
  expect(places).toHaveLength(1 + rounds + ticks);
  expect(weighed.moments.map(({ line }) => line)).toEqual(places.map(({ line }) => line + 1));
  // What turned a game is never without words.
  expect(places.filter(({ isSame, what }) => !isSame && what === '')).toEqual([]);
});

test('each moment has all of its continuations, and the last is sure of who has won', () => {
  for (const { crew, impostors, continuations } of weighed.moments) {
    expect(continuations).toBe(CONTINUATIONS);
    expect(crew + impostors).toBe(CONTINUATIONS);
  }
  const last = weighed.moments.at(-1);
  if (last === undefined) return expect.unreachable();
  expect(shareOfCrew(last)).toBe(Number(readOutcome(journal.lines).winner === 'crew'));
  // Otherwise the law above would hold of a curve that never moves.
  expect(new Set(weighed.moments.map(shareOfCrew)).size).toBeGreaterThan(1);
});

test('a round without orders has the chances of the moment before', async () => {
  const plan = { ...asking, continuations: CONTINUATIONS, first: 0 };
  const same = places.findIndex(({ isSame }) => isSame);
  const place = places[same];
  if (place === undefined) return expect.unreachable('no round without orders');
  const moment = await weighMoment(place, plan);
  if (moment === null) return expect.unreachable('it was stopped');
  const { crew, impostors, ejected } = moment;
  expect(weighed.moments[same - 1]).toMatchObject({ crew, impostors, ejected });
});

testLong('an interrupted weighing goes on where it was, to the same end', async () => {
  // In the midst of a moment, and between two of them; the first of them is not like the one before it.
  const first = places.findIndex(({ isSame }, index) => index > 0 && !isSame);
  for (const [most, moments] of [
    [CONTINUATIONS - 1, 0],
    [CONTINUATIONS, 1],
    [2 * CONTINUATIONS - 1, first],
  ] as const) {
    let played = 0;
    const inner = asking.player;
    const run = (one: ChangedPlay) => {
      played += 1;
      return inner.run(one);
    };
    const player = { ...inner, run };
    const isStopped = () => played >= most;
    const begun = await weighStakes(places, NOTHING, { ...asking, player, isStopped });
    expect([played, begun]).toEqual([
      most,
      { ...NOTHING, moments: weighed.moments.slice(0, moments) },
    ]);
  }
  const part = { ...NOTHING, moments: weighed.moments.slice(0, -4) };
  expect(await weighStakes(places, part, asking)).toEqual(weighed);
});

test('the greatest swings are tried again with other seeds and more often', () => {
  const [first, ...others] = weighed.swings ?? [];
  if (first === undefined) return expect.unreachable();
  const size = ({ before, after }: typeof first) =>
    Math.abs(shareOfCrew(after) - shareOfCrew(before));
  expect(others.every((one) => size(one) <= size(first))).toBe(true);
  expect(first.after.continuations).toBe(4 * CONTINUATIONS);
  const lines = rankSwings(weighed.moments).map(({ after }) => after.line);
  expect(lines.slice(0, 5)).toContain(first.after.line);
});

test('minds that leave nothing to chance leave no stake', async () => {
  const { journal: planted, record: sure } = await plantKill(FIVE);
  const all = listMoments(planted.lines);
  const { moments, swings } = await weighStakes(all, NOTHING, {
    ...asking,
    player: playHere(sure),
  });
  expect(moments.every(({ crew }) => crew === CONTINUATIONS)).toBe(true);
  expect(swings).toEqual([]);
  const kill = moments.find(({ what }) => what.includes('Red killed Blue in Cafeteria'));
  expect(kill?.ejected).toEqual({ red: CONTINUATIONS });
});

test('a swing is explained by a race that is lost, or by the vote that decided it', async () => {
  let [races, votes] = [0, 0];
  for (const seed of [35, 38, 61, 72]) {
    const lines = await recordedGame(seed);
    for (const { what, line } of listMoments(lines)) {
      const rest = lines.slice(line + 1);
      const next = (type: Line['type']) => rest.findIndex((one) => one.type === type);
      if (what.startsWith('The reactor could no longer be reached in time: ')) {
        races += 1;
        const until = next('meeting.called') < 0 ? next('game.closed') : next('meeting.called');
        expect(JSON.stringify(rest.slice(0, until))).not.toContain('sabotage.fixed');
      }
      const [, ballot] = /^[A-Z]\w+’s vote (?:for|to) (\w+) decided it$/.exec(what) ?? [];
      if (ballot === undefined) continue;
      votes += 1;
      const verdict = rest[next('verdict.announced')];
      if (verdict?.type !== 'verdict.announced') return expect.unreachable();
      expect(verdict.ejected ?? 'skip').toBe(ballot.toLowerCase());
    }
  }
  expect(races).toBeGreaterThan(1);
  expect(votes).toBeGreaterThan(4);
});
