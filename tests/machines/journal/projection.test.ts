/** The projection of a journal after each line, compared with other readings of the same lines. */
import { describe, expect, test } from 'vitest';
import type { Mind } from '../../../actors/minds/port.ts';
import {
  type Lens,
  lensFor,
  type SeenLine,
  seeThrough,
  throughGlass,
} from '../../../machines/journal/lens.ts';
import type { Line, LineOf } from '../../../machines/journal/lines.ts';
import {
  countTasks,
  countTurned,
  emptyProjection,
  livingIn,
  livingOn,
  next,
  type Projection,
  project,
} from '../../../machines/journal/projection.ts';
import { rounds } from '../../../machines/rules/options.ts';
import type { Colour } from '../../../machines/types.ts';
import { aLobby, gameLines, playGame } from '../../actors/laws/journeys.ts';
import { linesOf, meet } from '../../actors/laws/meetings.ts';
import { overhear } from '../../support/matches.ts';
import { aMeetingMatch } from '../builders.ts';

const GLASS: Lens = { type: 'glass' };
const GAMES = [3, 4, 5].map(async (seed) =>
  gameLines(
    await playGame(aLobby(6 + seed, { max_ticks: 12, vote_after: 3 }, { fault_rate: 0.1 }), seed),
  ),
);
const games = await Promise.all(GAMES);
const meeting = linesOf(await meet(aMeetingMatch(), 7));

/** The state after each line. */
function statesOf(lines: readonly SeenLine[], lens: Lens): readonly Projection[] {
  let state = emptyProjection(lens);
  return lines.map((line) => {
    state = next(state, line);
    return state;
  });
}

function ofType<T extends Line['type']>(lines: readonly Line[], type: T): readonly LineOf<T>[] {
  return lines.filter((line): line is LineOf<T> => line.type === type);
}

describe.each(games.map((lines, index) => ({ lines, name: `game ${index + 1}` })))(
  'the state of $name',
  ({ lines }) => {
    const seen = lines.map(throughGlass);
    const states = statesOf(seen, GLASS);
    const end = project(seen, GLASS);

    test('a projection line by line equals the projection of all lines at once', () => {
      expect(states.at(-1)).toEqual(end);
      expect(end.header).toBe(seen[0]);
      expect(end.ending).toBe(lines.findLast(({ type }) => type === 'game.closed'));
    });

    test('counts the meetings, the messages and the steps of tasks of the journal', () => {
      expect(end.meetings).toBe(ofType(lines, 'meeting.closed').length);
      expect(end.messages).toBe(ofType(lines, 'tick.closed').filter(({ said }) => said).length);
      expect(end.ship?.round).toBe(ofType(lines, 'round.closed').length);
      const steps = ofType(lines, 'round.closed').flatMap(({ events }) =>
        events.filter(({ type }) => type === 'task.stepped'),
      );
      expect(end.ship?.taskSteps).toBe(steps.length);
      const done = Object.values(end.ship?.tasksDone ?? {}).reduce((sum, tasks) => sum + tasks, 0);
      expect(done).toBe(steps.filter((step) => 'done' in step && step.done).length);
    });

    test('puts the living where their paths and vents have led them since the last meeting', () => {
      const places = new Map<Colour, string>();
      for (const [index, line] of lines.entries()) {
        if (line.type === 'meeting.closed') places.clear();
        if (line.type !== 'round.closed') continue;
        for (const [seat, path] of Object.entries(line.paths)) {
          const last = path?.at(-1);
          if (last !== undefined) places.set(seat as Colour, last); // a key of a record by seat
        }
        for (const event of line.events) {
          if (event.type === 'vent.used') places.set(event.seat, event.place);
          if (event.type === 'player.killed') places.set(event.by, event.place);
        }
        const ship = states[index]?.ship;
        if (ship == null) throw new Error('there is no ship');
        for (const seat of livingOn(ship))
          expect(ship.places[seat], `${seat} after line ${index}`).toBe(
            places.get(seat) ?? 'Cafeteria',
          );
      }
    });

    test('knows the same dead as its ship, and nobody comes back', () => {
      let living: readonly Colour[] | null = null;
      for (const { players, ship } of states) {
        if (ship === null) continue;
        expect(livingIn(players)).toEqual(livingOn(ship));
        const now = livingIn(players);
        expect((living ?? now).filter((seat) => now.includes(seat))).toEqual(now);
        living = now;
      }
    });

    test('has as many ballots turned as there were, and the count of the poll', () => {
      for (const [index, line] of lines.entries()) {
        if (line.type !== 'meeting.closed' || line.outcome === 'refused') continue;
        const { turned = [], outcome, isOver } = states[index]?.meeting ?? {};
        const counted = lines.slice(0, index).findLast(({ type }) => type === 'poll.counted');
        expect({ outcome, isOver }).toEqual({ outcome: line.outcome, isOver: true });
        if (counted?.type !== 'poll.counted' || turned.length === 0) continue;
        const byName = (
          counts: readonly { readonly candidate: string; readonly votes: number }[],
        ) => counts.map(({ candidate, votes }) => `${candidate} ${votes}`).toSorted();
        expect(byName(countTurned(turned))).toEqual(
          byName(counted.counts.filter(({ votes }) => votes > 0)),
        );
      }
    });

    test('a projection shares the parts that a line does not change', () => {
      for (const [index, line] of lines.entries()) {
        const [before, after] = [states[index - 1], states[index]];
        if (line.type !== 'vote.locked' || before === undefined) continue;
        expect(after?.players).toBe(before.players);
        expect(after?.ship).toBe(before.ship);
        expect(after?.ballots).toBe(before.ballots);
      }
    });
  },
);

describe.each(['table', 'red', 'blue'] as const)('through the lens of %s', (name) => {
  const lens: Lens = name === 'table' ? { type: 'table' } : { type: 'player', seat: name };

  test.each(games)("the projected state equals the engine's state", (...lines) => {
    const see = lensFor(lens);
    let [glass, known] = [emptyProjection(GLASS), emptyProjection(lens)];
    for (const line of lines) {
      glass = next(glass, throughGlass(line));
      const seen = see(line);
      if (seen === null) continue;
      known = next(known, seen);
      for (const [index, { role, persona, seat }] of known.players.entries()) {
        const truth = glass.players[index];
        expect(truth?.seat).toBe(seat);
        if (role !== null) expect(role).toBe(truth?.role);
        if (persona !== '') expect(persona).toBe(truth?.persona);
      }
      expect(glass.minds.thoughts).toMatchObject(known.minds.thoughts);
      expect(glass.ship?.places).toMatchObject(known.ship?.places ?? {});
      for (const [seat, ballot] of Object.entries(known.meeting?.locked ?? {}))
        if (ballot !== null) expect(glass.meeting?.locked).toMatchObject({ [seat]: ballot });
      expect(known.meeting?.phase).toBe(glass.meeting?.phase);
      expect(known.meeting?.ticks).toBe(glass.meeting?.ticks);
      expect(known.ship?.round).toBe(glass.ship?.round);
    }
  });
});

test('a meeting on its own has no ship, and ends as it was closed', () => {
  const state = project(seeThrough(meeting, { type: 'table' }), { type: 'table' });
  const closed = ofType(meeting, 'meeting.closed')[0];
  expect(state.ship).toBeNull();
  expect(state.meeting).toMatchObject({
    number: 1,
    isOver: true,
    outcome: closed?.outcome,
    ejected: closed?.ejected,
    ticks: ofType(meeting, 'tick.closed').filter(
      ({ requestKind }) => requestKind === 'discussion' || requestKind === 'voting',
    ).length,
  });
  expect(state.players.every(({ role }) => role === null)).toBe(true);
});

describe.each([
  ['the same for the first kill', {}],
  ['a shorter one for the first kill', { first_kill_cooldown: 10, kill_cooldown: 30 }],
  ['a longer one for the first kill', { first_kill_cooldown: 30, kill_cooldown: 10 }],
] as const)('the clocks of kills, with %s', (_, options) => {
  test('projected kill timers before each round equal those shown to the impostors', async () => {
    const told: { readonly round: number; readonly seat: Colour; readonly wait: number }[] = [];
    const recast = (mind: Mind, seat: Colour) =>
      overhear(mind, (request) => {
        const wait = request.kind === 'action' ? request.view.scene.killWait : null;
        if (wait !== null) told.push({ round: request.index, seat, wait });
      });
    const lobby = aLobby(8, { ...options, max_ticks: 8 });
    const game = await playGame(lobby, 11, { recast });
    let state = emptyProjection(GLASS);
    let compared = 0;
    for (const line of seeThrough(gameLines(game), GLASS)) {
      if (line.type === 'round.closed') {
        const { killWaits = {} } = state.ship ?? {};
        for (const { seat, wait } of told.filter(({ round }) => round === line.round)) {
          compared += 1;
          expect([line.round, seat, killWaits[seat]]).toEqual([line.round, seat, rounds(wait)]);
        }
      }
      state = next(state, line);
    }
    expect(compared).toBeGreaterThan(20);
  });
});

test('the projected task bar is the one shown where ghosts work and players leave through faults', async () => {
  const told: { readonly round: number; readonly all: number }[] = [];
  const recast = (mind: Mind) =>
    overhear(mind, (request) => {
      const bar = request.kind === 'action' ? request.view.scene.bar : null;
      if (bar !== null) told.push({ round: request.index, all: bar.all });
    });
  // The one task of this seed has one step, so tasks and steps are equal in number.
  const tasks = { common_tasks: 1, long_tasks: 0, short_tasks: 0 };
  const options = { rules: 'classic', patience: 2, max_ticks: 8, ...tasks } as const;
  const game = await playGame(aLobby(10, options, { fault_rate: 0.3 }), 9, { recast });
  const shown = new Set<number>();
  let state = emptyProjection(GLASS);
  for (const line of seeThrough(gameLines(game), GLASS)) {
    if (line.type === 'round.closed')
      for (const { all } of told.filter(({ round }) => round === line.round)) {
        shown.add(all);
        expect([line.round, state.ship && countTasks(state.ship).all]).toEqual([line.round, all]);
      }
    state = next(state, line);
  }
  expect(shown.size).toBeGreaterThan(1);
});
