/** Every promise that is shown in a match is kept in that match, and for each kind some match uses it up. */
import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../actors/engine/clock.ts';
import { startMatch } from '../../actors/engine/match.ts';
import type { LightMind } from '../../actors/minds/port.ts';
import { type Lens, lensFor } from '../../machines/journal/lens.ts';
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import {
  emptyProjection,
  next,
  type Projection,
  readBid,
} from '../../machines/journal/projection.ts';
import type { MeetingPromise } from '../../machines/rules/promises.ts';
import { type Match, meetingMatchSchema } from '../../machines/setup/match.ts';
import { plainGame } from '../../machines/setup/prepare.ts';
import type { Colour } from '../../machines/types.ts';
import { MachineRun, seeWithMoves } from '../../visualizer/charts/machineRun.ts';
import { carryPromises } from '../../visualizer/charts/moves.ts';
import { describePhase } from '../../visualizer/page/game/story/phases.ts';
import { readyMatch, recordLines } from '../support/matches.ts';
import { seeds } from '../support/seeds.ts';
import { recordedMeeting } from './page/recorded.ts';

async function play(match: Match, seed: number, mind?: (seat: Colour) => LightMind) {
  const ready = readyMatch(match, seed);
  const { recorder, written } = recordLines(ready);
  const clock = new SimulatedClock();
  const seats = match.seats.map(({ colour }) => colour);
  const minds =
    mind === undefined
      ? ready.minds
      : Object.fromEntries(seats.map((seat) => [seat, mind(seat)] as const));
  await startMatch({ ...ready, minds, clock, recorder }).result;
  return written.map(({ line }) => line);
}

type Found = { readonly isKept: boolean; readonly isUsedUp: boolean };

const isTalk = (line: Line): line is LineOf<'tick.closed'> =>
  line.type === 'tick.closed' && ['discussion', 'voting'].includes(line.requestKind);

function hasBid({ bids }: LineOf<'tick.closed'>, seat: Colour): boolean {
  const bid = bids.find((each) => each.seat === seat);
  return bid !== undefined && bid.fault === undefined && readBid(bid).message.trim() !== '';
}

function isStep(line: Line): boolean {
  const types: readonly Line['type'][] = [
    ...(['tick.closed', 'poll.counted', 'ballot.revealed', 'verdict.announced'] as const),
  ];
  return types.includes(line.type) || (line.type === 'phase.entered' && line.phase === 'reaction');
}

/** Judges a promise by the lines of the meeting that come after it. */
function judge(promise: MeetingPromise, rest: readonly Line[]): Found {
  const ticks = rest.filter(isTalk);
  const end = rest.find((line) => line.type === 'verdict.announced');
  switch (promise.type) {
    case 'floor': {
      const waits = Object.entries(promise.ticks).map(([name, most]): Found => {
        const seat = name as Colour; // the names of such a record are colours
        const silent = ticks.findIndex((tick) => !hasBid(tick, seat));
        const bidding = silent < 0 ? ticks.length : silent;
        const heard = ticks.findIndex(({ floor }) => floor === seat);
        const isHeard = heard >= 0 && heard < bidding;
        return {
          isKept: bidding < most || (isHeard && heard < most),
          isUsedUp: most > 2 && isHeard && heard === most - 1,
        };
      });
      return {
        isKept: waits.every(({ isKept }) => isKept),
        isUsedUp: waits.some(({ isUsedUp }) => isUsedUp),
      };
    }
    case 'closing':
      return { isKept: ticks.length <= promise.ticks, isUsedUp: ticks.length === promise.ticks };
    case 'ballots': {
      const turned = rest.filter(({ type }) => type === 'ballot.revealed').length;
      const locked = rest.filter(({ type }) => type === 'vote.locked').length;
      const isCleared = rest.some(({ type }) => type === 'vote.cleared');
      const isFixed =
        !promise.isFinal || end === undefined || locked === 0 || turned <= promise.cast;
      return { isKept: !isCleared && isFixed, isUsedUp: turned === promise.cast };
    }
    case 'ejection': {
      const closing = rest.findIndex(({ type }) => type === 'poll.closed');
      const isOpen = !promise.isFinal;
      const isExcused =
        isOpen && rest.slice(0, closing + 1).some(({ type }) => type === 'seat.departed');
      if (isExcused || end === undefined) return { isKept: true, isUsedUp: false };
      const { ejected } = end;
      const isKept =
        ejected === null || (promise.can.includes(ejected) && !promise.cannot.includes(ejected));
      const isLast = promise.can.length === 1 && promise.can[0] === ejected;
      return { isKept, isUsedUp: isLast && (isOpen || promise.from === 'turned') };
    }
    case 'end': {
      const steps = rest.filter(isStep).length;
      return { isKept: steps <= promise.steps, isUsedUp: steps === promise.steps };
    }
  }
}

/** The kinds of promises that were used up. All must be kept. */
function judgeAll(lines: readonly Line[]): ReadonlySet<string> {
  const run = new MachineRun();
  const used = new Set<string>();
  let before: readonly MeetingPromise[] = [];
  for (const [at, line] of lines.entries()) {
    const { promises } = run.stepTo(line);
    if (promises === before) continue;
    before = promises;
    const after = lines.slice(at + 1);
    const end = after.findIndex(({ type }) => type === 'meeting.closed');
    const rest = after.slice(0, end + 1).filter(({ channel }) => channel === 'living');
    for (const promise of promises) {
      const { isKept, isUsedUp } = judge(promise, rest);
      expect(isKept, `after line ${at + 1}: ${JSON.stringify(promise)}`).toBe(true);
      if (isUsedUp) used.add(promise.type);
    }
  }
  expect(run.refusal).toBeNull();
  return used;
}

/** Games of 4 to 15 players by both rule sets, with faults and with limits, and meetings that players leave. */
async function playSome(index: number): Promise<readonly Line[]> {
  if (index % 4 === 1)
    return await recordedMeeting(index % 8 === 1 ? 'trouble' : 'four', index + 6);
  const game = plainGame(4 + (index % 12), undefined, index % 2 === 0 ? 'house' : 'classic');
  const limits = [{}, { max_ticks: 4 }, { vote_after: 2, voting_time: 15 }][index % 3];
  return await play(
    { ...game, fault_rate: index % 5 === 2 ? 0.2 : 0, options: { ...game.options, ...limits } },
    index,
  );
}

const SPEAKERS: readonly Colour[] = ['red', 'blue', 'red', 'blue', 'red', 'blue', 'green'];

type Plot = { readonly ballot?: string; readonly isMute?: boolean };

/** The rivals that the proof of the bound on silence uses: one bids against Pink in each tick, and names the others. */
function playAgainstPink(seed: number, { ballot = 'skip', isMute = false }: Plot = {}) {
  const seats = ['red', 'blue', 'green', 'pink'] as const;
  const match = meetingMatchSchema.parse({
    name: 'Against Pink',
    call: { by: 'red' },
    options: { patience: 100, weights: { silence: { grace: 0 } } },
    seats: seats.map((colour) => ({ colour })),
  });
  return play(match, seed, (seat) => ({
    pace: 'at-once',
    answer: ({ index }) => {
      const isOver = index > SPEAKERS.length;
      const isSpeaker = SPEAKERS[index] === seat;
      if (seat !== 'pink' && !isSpeaker && !isOver && !isMute)
        return { ok: false, code: 'mind/silent', text: 'nothing' };
      const others = seats.filter((other) => other !== seat && other !== 'pink');
      const vote = (seat === 'pink' && index === 0) || isOver ? ballot : null;
      const message = seat === 'pink' ? 'hm' : isSpeaker ? `${others.join(' ')} sus` : '';
      const received = { desire_to_speak: isSpeaker ? 10 : 0, message, vote_action: vote };
      return { ok: true, received: { internal_thought: '', scratchpad_updates: {}, ...received } };
    },
  }));
}

describe('the promises of a meeting', () => {
  const used = new Set<string>();

  test(`are kept in ${seeds(3, 50)} matches`, async () => {
    for (let index = 0; index < seeds(3, 50); index++)
      for (const kind of judgeAll(await playSome(index))) used.add(kind);
  });

  test('are as short as they can be: each kind is used up in some match', async () => {
    // Without a grace and with the dice of this seed, Blue wins tick 5 by the least that is possible, and Pink waits for 8 ticks.
    const lines = await playAgainstPink(SEED_OF_THE_LONGEST_WAIT);
    const floors = lines.filter(isTalk).map(({ floor }) => floor);
    expect(floors.slice(0, SPEAKERS.length + 1)).toEqual([...SPEAKERS, 'pink']);
    for (const kind of judgeAll(lines)) used.add(kind);
    expect([...used].toSorted()).toEqual(['ballots', 'closing', 'ejection', 'end', 'floor']);
  });
});

const SEED_OF_THE_LONGEST_WAIT = 50;

/** The numbers of the sentence under the phases: who has voted, and the ticks until voting closes. */
function readStrip(now: Projection) {
  const [, voted, left] =
    /(\d+)(?: of \d+)? (?:has|have) voted(?:.*, or in (\d+) tick)?/.exec(describePhase(now)) ?? [];
  return { voted, left };
}

test.each(['house', 'classic'] as const)(
  'at every line of a game by %s rules they count votes and ticks as the phase strip does',
  async (rules) => {
    const game = plainGame(6, undefined, rules);
    const limited = { ...game, options: { ...game.options, vote_after: 2, voting_time: 15 } };
    let compared = 0;
    for (const match of [game, limited]) {
      let now = emptyProjection(GLASS);
      let held: readonly MeetingPromise[] = [];
      for (const line of seeWithMoves(await play(match, 3), GLASS)) {
        now = next(now, line);
        held = line.promises ?? held;
        const { voted, left } = readStrip(now);
        if (voted === undefined) continue;
        for (const promise of held) {
          const [own, shown] =
            promise.type === 'ballots'
              ? [promise.cast, voted]
              : promise.type === 'closing'
                ? [promise.ticks, left]
                : [];
          if (shown === undefined) continue;
          expect(own, `at ${line.seq}`).toBe(Number(shown));
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(20);
  },
);

const GLASS: Lens = { type: 'glass' };
const TABLE: Lens = { type: 'table' };

/** The promises with their lines, until the first ballot is turned. */
function promisedTo(lens: Lens, lines: readonly Line[]): readonly unknown[] {
  const seen = seeWithMoves(lines, lens);
  const end = seen.findIndex(({ type }) => type === 'ballot.revealed');
  expect(end).toBeGreaterThan(0);
  return seen
    .slice(0, end)
    .flatMap(({ type, promises }) => (promises === undefined ? [] : [[type, promises]]));
}

describe('through a lens', () => {
  test.each<[string, Plot]>([
    ['whom somebody votes for', { ballot: 'red' }],
    ['who bids without a message', { isMute: true }],
  ])('no promise tells %s', async (_, plot) => {
    const [one, other] = [await playAgainstPink(50), await playAgainstPink(50, plot)];
    const lenses: readonly Lens[] = [TABLE, { type: 'player', seat: 'green' }];
    for (const lens of lenses) expect(promisedTo(lens, one)).toEqual(promisedTo(lens, other));
    expect(promisedTo(GLASS, one).length).toBeGreaterThan(promisedTo(TABLE, one).length);
  });

  test('the glass cut by the page shows what the source cuts', async () => {
    for (const lens of [TABLE, { type: 'player', seat: 'green' } as const]) {
      const lines = await playAgainstPink(3);
      const [carry, see] = [carryPromises(lens), lensFor(lens)];
      const glass = seeWithMoves(lines, GLASS);
      const cut = lines.map((line, at) => carry(line, glass[at]?.promises, see(line) !== null));
      const atSource = seeWithMoves(lines, lens).flatMap(({ promises = [] }) => promises);
      expect(cut.flatMap((promises = []) => promises)).toEqual(atSource);
    }
  });
});
