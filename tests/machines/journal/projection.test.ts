/** The projection of a journal after each line, compared with other readings of the same lines. */
import { describe, expect, test } from 'vitest';
import type { Mind } from '../../../actors/minds/port.ts';
import { decodeBid, decodeOrder, PLAIN_READERS } from '../../../machines/journal/codec.ts';
import {
  type Lens,
  lensFor,
  type SeenLine,
  seeThrough,
  throughGlass,
} from '../../../machines/journal/lens.ts';
import type { Line, LineOf } from '../../../machines/journal/lines.ts';
import {
  actionIn,
  countTasks,
  countTurned,
  emptyProjection,
  livingIn,
  livingOn,
  next,
  type Projection,
  project,
  readBid,
  type ShipState,
  thoughtIn,
} from '../../../machines/journal/projection.ts';
import { drawForRound } from '../../../machines/rules/dice.ts';
import { rounds } from '../../../machines/rules/options.ts';
import { mapSeats } from '../../../machines/rules/seats.ts';
import {
  type GameCourse,
  playRound,
  resumeAfterMeeting,
  startGame,
} from '../../../machines/rules/ship/game.ts';
import {
  isActive,
  isLiving,
  type PlayerState,
  roleOf,
  shutRooms,
  taskBar,
  type World,
} from '../../../machines/rules/ship/world.ts';
import type { GameMatch } from '../../../machines/setup/match.ts';
import {
  type Ballot,
  type BySeat,
  type Colour,
  type Standing,
  SYSTEMS,
} from '../../../machines/types.ts';
import { aLobby, gameLines, playGame } from '../../actors/laws/journeys.ts';
import { linesOf, meet } from '../../actors/laws/meetings.ts';
import { overhear, readyMatch } from '../../support/matches.ts';
import { aMeetingMatch } from '../builders.ts';
import { linesWith } from './planted.ts';

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

const SLOW = {
  player_speed: 2,
  first_kill_cooldown: 30,
  kill_cooldown: 10,
  task_bar: 'never',
} as const;
const ALARMS = {
  sabotage_cooldown: 5,
  reactor_seconds: 45,
  o2_seconds: 60,
  door_seconds: 20,
} as const;
const LIMITS = { max_ticks: 40, voting_time: 15 } as const;
const FAULTY = { fault_rate: 0.3 };

/** The course of the game after a line, by the rules alone. */
function courseAfter(course: GameCourse, line: Line): GameCourse {
  const { world, call, seed } = course;
  switch (line.type) {
    case 'round.closed': {
      const orders = line.orders.map((order) => decodeOrder(order, PLAIN_READERS));
      const seats = world.ship.seats.map(({ colour }) => colour);
      const draws = drawForRound(seed, line.round, seats);
      return { ...course, ...playRound(course, orders, draws).changes };
    }
    case 'verdict.announced':
      return line.ejected === null ? course : withStanding(course, line.ejected, 'dead');
    case 'seat.departed':
      return withStanding(course, line.seat, 'departed');
    case 'meeting.closed': {
      if (call === null) throw new Error('expected a call');
      const { standings } = world;
      return {
        ...course,
        ...resumeAfterMeeting(course, { standings, held: { call, result: null } }),
      };
    }
    default:
      return course;
  }
}

/** Players who left, alive or as ghosts, stay departed. */
function withStanding(course: GameCourse, seat: Colour, standing: Standing): GameCourse {
  const { world } = course;
  if (standing === 'dead' && world.standings[seat] !== 'living') return course;
  return { ...course, world: { ...world, standings: { ...world.standings, [seat]: standing } } };
}

function standingsOf({ seats, losses }: ShipState): object {
  const rows = seats.map(({ colour }) => {
    const own = losses.filter(({ seat }) => seat === colour);
    const isGone = own.some(({ how }) => how === 'left');
    return [colour, isGone ? 'departed' : own.length > 0 ? 'dead' : 'living'];
  });
  return Object.fromEntries(rows);
}

/** The projection's knowledge of the ship and of the living. */
function shipParts(ship: ShipState): object {
  const living = livingOn(ship);
  const here = <T>(all: BySeat<T>) =>
    mapSeats(all, (one, seat) => (living.includes(seat) ? one : undefined));
  return {
    places: here(ship.places),
    inVents: living.filter((seat) => ship.inVents.includes(seat)),
    killWaits: here(ship.killWaits),
    bodies: ship.bodies,
    sabotage: ship.sabotage,
    shutDoors: ship.shutDoors.toSorted(),
    tasksDone: mapSeats(ship.tasksDone, (tasks) => tasks),
    taskSteps: ship.taskSteps,
  };
}

function worldParts(world: World): object {
  const { bodies, crisis, players } = world;
  const here = <T>(read: (seat: Colour, player: PlayerState) => T | undefined) =>
    mapSeats(players, (player, seat) => (isLiving(world, seat) ? read(seat, player) : undefined));
  return {
    places: here((_, { place }) => place),
    inVents: Object.keys(here((_, { vent }) => vent ?? undefined)),
    killWaits: here((seat, { killWait }) =>
      roleOf(world, seat) === 'impostor' ? killWait : undefined,
    ),
    bodies,
    sabotage: crisis && { system: crisis.system, left: crisis.left },
    shutDoors: shutRooms(world).toSorted(),
    tasksDone: mapSeats(players, (_, seat) =>
      roleOf(world, seat) === 'crewmate' ? finishedTasks(world, seat) || undefined : undefined,
    ),
    taskSteps: taskBar(world).done,
  };
}

function finishedTasks({ ship, players }: World, seat: Colour): number {
  const progress = players[seat]?.progress ?? [];
  return (ship.tasks[seat] ?? []).filter(
    ({ steps }, index) => progress[index]?.steps === steps.length,
  ).length;
}

/** The task bar in whole tasks. */
function tasksIn(world: World): object {
  const crew = world.ship.seats.filter(({ role }) => role === 'crewmate');
  const rows = crew.map(({ colour }) => {
    const done = finishedTasks(world, colour);
    return { done, all: isActive(world, colour) ? (world.ship.tasks[colour]?.length ?? 0) : done };
  });
  return { done: sumOf(rows.map(({ done }) => done)), all: sumOf(rows.map(({ all }) => all)) };
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

/** Games by both rule sets with every option of the ship that a projection reads, and players who leave. */
const LOBBIES: readonly (readonly [string, GameMatch, number])[] = [
  ['house rules', aLobby(9, { ...LIMITS, ...ALARMS }), 4],
  [
    'classic rules and departures',
    aLobby(10, { ...LIMITS, rules: 'classic', patience: 2 }, FAULTY),
    11,
  ],
  ['idle ghosts and a slow first kill', aLobby(10, { ...LIMITS, ...SLOW, patience: 2 }, FAULTY), 2],
  [
    'working ghosts and many alarms',
    aLobby(8, { ...LIMITS, ...ALARMS, ghosts_do_tasks: true }, { fault_rate: 0.1 }),
    5,
  ],
];
const WORLDS = LOBBIES.map(([name, lobby, seed]) => {
  return { name, lobby, seed, played: playGame(lobby, seed).then(gameLines) };
});

test('these games have every kind of event, each sabotage, and losses of all kinds at the table', async () => {
  const found = new Set<string>();
  for (const { played } of WORLDS)
    for (const line of await played) {
      if (line.type === 'verdict.announced') found.add(line.outcome);
      if (line.type === 'seat.departed') found.add('left the table');
      if (line.type !== 'round.closed') continue;
      for (const event of line.events)
        found.add(event.type === 'sabotage.begun' ? event.system : event.type);
    }
  expect([...found]).toEqual(
    expect.arrayContaining([
      ...['player.killed', 'seat.departed', 'vent.used', 'sabotage.fixed', 'doors.opened'],
      ...['doors.shut', 'task.stepped', 'ejected', 'left the table', ...SYSTEMS],
    ]),
  );
});

describe.each(WORLDS)('a game with $name', ({ lobby, seed, played }) => {
  const colours = lobby.seats.map(({ colour }) => colour);

  test("the projected ship is the engine's world after every round and meeting", async () => {
    const lines = await played;
    let course = startGame(seed, readyMatch(lobby, seed).ship);
    let isTabled = false;
    for (const [index, { ship }] of statesOf(lines.map(throughGlass), GLASS).entries()) {
      const line = lines[index];
      if (line === undefined || ship === null) throw new Error('there is no ship');
      course = courseAfter(course, line);
      const where = `line ${index}, ${line.type}`;
      expect(standingsOf(ship), where).toEqual(course.world.standings);
      expect(countTasks(ship), where).toEqual(tasksIn(course.world));
      expect(ship.round, where).toBe(course.round);
      if (line.type === 'phase.entered' && line.phase === 'interrupt') {
        isTabled = true;
        expect(ship, where).toMatchObject({ shutDoors: [], actions: {}, lastRound: null });
      }
      if (line.type === 'meeting.closed') {
        isTabled = false;
        expect(ship.knownLost.toSorted()).toEqual(ship.losses.map((loss) => loss.seat).toSorted());
      }
      // At the table the ship stands still, and its doors are open.
      if (!isTabled) expect(shipParts(ship), where).toEqual(worldParts(course.world));
    }
  });

  test('tells of each loss when it happened and who did it', async () => {
    const lines = await played;
    const losses: object[] = [];
    let round = 0;
    for (const line of lines) {
      const lose = (seat: Colour, how: string, by: Colour | null) =>
        losses.push({ seat, how, by, round });
      if (line.type === 'verdict.announced' && line.ejected !== null)
        lose(line.ejected, 'ejected', null);
      if (line.type === 'seat.departed') lose(line.seat, 'left', null);
      if (line.type !== 'round.closed') continue;
      for (const event of line.events) {
        if (event.type === 'player.killed') lose(event.victim, 'killed', event.by);
        if (event.type === 'seat.departed') lose(event.seat, 'left', null);
      }
      round += 1;
    }
    expect(project(lines.map(throughGlass), GLASS).ship?.losses).toEqual(losses);
    expect(losses.length).toBeGreaterThan(2);
  });

  test('a lens of a player shows the facts of this player as the glass does, and none of the others', async () => {
    const lines = await played;
    for (const own of [null, ...colours]) {
      const lens: Lens = own === null ? { type: 'table' } : { type: 'player', seat: own };
      const look = lensFor(lens);
      let [glass, known] = [emptyProjection(GLASS), emptyProjection(lens)];
      for (const line of lines) {
        glass = next(glass, throughGlass(line));
        const seen = look(line);
        if (seen === null) continue;
        known = next(known, seen);
        const where = `${own} at ${line.channel} ${line.seq}`;
        if (glass.ship === null || known.ship === null) throw new Error('there is no ship');
        const isGhost =
          own !== null &&
          glass.ship.losses.some((loss) => loss.seat === own && loss.how !== 'left');
        const only = <T>(all: BySeat<T>) =>
          mapSeats(all, (one, seat) => (seat === own ? one : undefined));
        expect(alwaysHeard(known.ship), where).toEqual(alwaysHeard(glass.ship));
        expect(known.ship.actions, where).toEqual(only(glass.ship.actions));
        expect(glass.ship.killWaits, where).toMatchObject(known.ship.killWaits);
        if (!isGhost) {
          expect(known.ship.killWaits, where).toEqual(only(glass.ship.killWaits));
          expect(known.ship.places, where).toEqual(only(glass.ship.places));
          expect(known.ship.tasksDone, where).toEqual(only(glass.ship.tasksDone));
          expect(known.ship.inVents, where).toEqual(
            glass.ship.inVents.filter((seat) => seat === own),
          );
        }
        expect(glass.ship.losses.map(({ seat, how }) => `${seat} ${how}`)).toEqual(
          expect.arrayContaining(known.ship.losses.map(({ seat, how }) => `${seat} ${how}`)),
        );
        if (line.type === 'meeting.called' || line.type === 'meeting.closed')
          expect(livingOn(known.ship), where).toEqual(livingOn(glass.ship));
      }
    }
  });

  test('a player last saw another where the latest sight since the meeting says', async () => {
    const lines = await played;
    for (const seat of colours) {
      const lens: Lens = { type: 'player', seat };
      const seen = seeThrough(lines, lens);
      let [sights, found]: [Map<Colour, object>, Colour[]] = [new Map(), []];
      for (const [index, { ship }] of statesOf(seen, lens).entries()) {
        const line = seen[index];
        if (line?.type === 'meeting.closed') [sights, found] = [new Map(), []];
        if (line?.type !== 'round.closed') continue;
        for (const [who, place, did] of line.seen?.[seat] ?? []) {
          sights.set(who, { place, did, round: line.round });
          if (did === 'dead' && !found.includes(who)) found.push(who);
        }
        expect([ship?.found, ship?.lastSeen]).toEqual([found, Object.fromEntries(sights)]);
      }
    }
  });

  test('the last decision of a player stays the current action until the next meeting', async () => {
    const lines = await played;
    const actions = new Map<Colour, object>();
    for (const [index, { ship }] of statesOf(lines.map(throughGlass), GLASS).entries()) {
      const line = lines[index];
      if (line?.type === 'phase.entered' && line.phase === 'interrupt') actions.clear();
      if (line?.type !== 'round.closed') continue;
      for (const order of line.orders) {
        const read = decodeOrder(order, PLAIN_READERS);
        const { thought, intent } =
          read.type === 'order' ? read.decision : { thought: undefined, intent: null };
        const action = intent && { type: intent.type, task: 'task' in intent ? intent.task : '' };
        expect(thoughtIn(line, order.seat)).toBe(thought);
        expect(actionIn(line, order.seat)).toEqual(action);
        if (action !== null) actions.set(order.seat, action);
      }
      expect(ship?.actions).toEqual(Object.fromEntries(actions));
    }
  });
});

describe.each(WORLDS)('the table and the minds of a game with $name', ({ played }) => {
  test('the projected meeting matches the lines since the call', async () => {
    const lines = await played;
    let number = 0;
    let ticks = 0;
    let turned = 0;
    const locked = new Map<Colour, Ballot>();
    for (const [index, { meeting: held }] of statesOf(lines.map(throughGlass), GLASS).entries()) {
      const line = lines[index];
      if (line?.channel !== 'living') continue;
      if (line.type === 'phase.entered' && line.phase === 'interrupt') {
        number += 1;
        [ticks, turned] = [0, 0];
        locked.clear();
        expect(held).toMatchObject({
          call: null,
          tick: null,
          poll: null,
          sentence: '',
          isOver: false,
        });
        expect([held?.outcome, held?.ejected]).toEqual([null, null]);
      }
      if (line.type === 'tick.closed' && line.scores.length > 0) ticks += 1;
      if (line.type === 'vote.locked') locked.set(line.seat, line.ballot);
      if (line.type === 'vote.cleared') locked.delete(line.seat);
      if (line.type === 'ballot.revealed') turned += 1;
      expect(held?.number ?? 0).toBe(number);
      expect(held?.ticks ?? 0).toBe(ticks);
      expect(held?.locked ?? {}).toEqual(Object.fromEntries(locked));
      expect(held?.turned.length ?? 0).toBe(turned);
      if (line.type === 'poll.closed') expect(held?.poll).toEqual(line);
      if (line.type === 'meeting.called') expect(held?.call).toEqual(line);
    }
    expect(number).toBeGreaterThan(0);
  });

  test('the projected thoughts and pages are those that the lines of this meeting or round say', async () => {
    const lines = await played;
    const thoughts = new Map<Colour, string>();
    const pages = new Map<Colour, { main: string; meeting: string; before: string }>();
    for (const [index, { minds }] of statesOf(lines.map(throughGlass), GLASS).entries()) {
      const line = lines[index];
      if (line?.type === 'phase.entered' && line.phase === 'interrupt') thoughts.clear();
      if (line?.type === 'round.closed')
        for (const order of line.orders) {
          const read = decodeOrder(order, PLAIN_READERS);
          if (read.type === 'order') thoughts.set(order.seat, read.decision.thought);
        }
      if (line?.type === 'tick.closed' || line?.type === 'turn.closed')
        for (const bid of line.bids) {
          const read = decodeBid(bid, PLAIN_READERS);
          thoughts.set(bid.seat, read.type === 'reply' ? read.reply.thought : '');
          if (read.type !== 'reply') continue;
          const { thought, message } = read.reply;
          expect(readBid(bid)).toEqual({ thought, message });
        }
      let noted: Colour | null = null;
      const write = (
        seat: Colour,
        written: { readonly main?: string; readonly meeting?: string },
      ) => {
        if (Object.keys(written).length === 0) return;
        const old = pages.get(seat) ?? { main: '', meeting: '', before: '' };
        const before = written.main === undefined ? old.meeting : old.main;
        pages.set(seat, { ...old, ...written, before });
        noted = seat;
      };
      if (line?.type === 'round.closed')
        for (const order of line.orders) {
          const read = decodeOrder(order, PLAIN_READERS);
          if (read.type === 'order') write(order.seat, read.decision.pads);
        }
      if (line?.type === 'turn.closed')
        for (const bid of line.bids) {
          const read = decodeBid(bid, PLAIN_READERS);
          if (read.type === 'reply') write(bid.seat, read.reply.pads);
        }
      if (line?.type === 'scratchpads.updated' || line?.type === 'scratchpads.consolidated') {
        const old = pages.get(line.seat) ?? { main: '', meeting: '', before: '' };
        noted = line.seat;
        if (line.type === 'scratchpads.updated') {
          const { main = old.main, meeting: page = old.meeting } = line;
          const before = line.main === undefined ? old.meeting : old.main;
          pages.set(line.seat, { main, meeting: page, before });
        } else {
          const added =
            old.main === ''
              ? line.line
              : `${old.main}
${line.line}`;
          pages.set(line.seat, { ...old, main: line.main ?? added ?? '', before: old.main });
        }
      }
      if (line?.type === 'scratchpads.erased')
        for (const [seat, pad] of pages) pages.set(seat, { ...pad, meeting: '' });
      expect(minds.noted).toBe(noted);
      expect(minds.thoughts).toEqual(Object.fromEntries(thoughts));
      expect(minds.pads).toEqual(Object.fromEntries(pages));
    }
    expect(pages.size).toBeGreaterThan(0);
  });
});

test('an order is read as it was parsed, and one that failed is no thought and no action', () => {
  const received = { internal_thought: 'kill', action: { type: 'task', task: 'swipe-card' } };
  const action = { type: 'fake', task: 'fix-wiring' };
  const parsed = { internal_thought: 'hide', action, scratchpad_updates: { main_scratch: 'red' } };
  const pads = { scratchpad_updates: { main_scratch: 'x'.repeat(4001), meeting_scratch: 'now' } };
  const orders = [
    { seat: 'red', received: { ...received, ...pads }, fault: 'order/shape', text: 'no task' },
    { seat: 'blue', received: { ...received, ...pads }, parsed },
    { seat: 'green', received: { internal_thought: '', action: null, ...pads } },
  ];
  const none = { events: [], paths: {}, deeds: {}, seen: {} };
  const [line] = linesWith([{ type: 'round.closed', round: 0, orders, ...none }]);
  if (line?.type !== 'round.closed') throw new Error('expected a round');
  const seats = ['red', 'blue', 'green'] as const;
  expect(seats.map((seat) => thoughtIn(line, seat))).toEqual([undefined, 'hide', '']);
  expect(seats.map((seat) => actionIn(line, seat))).toEqual([null, action, null]);
  expect(project([line], GLASS).minds).toEqual({
    thoughts: { blue: 'hide', green: '' },
    pads: {
      blue: { main: 'red', meeting: '', before: '' },
      green: { main: 'x'.repeat(4000), meeting: 'now', before: '' },
    },
    noted: 'green',
  });
});

test('a refused call is a meeting with its reason, which is over', () => {
  const refused = { type: 'meeting.refused', note: { code: 'call/dead', text: 'red is dead' } };
  const closed = { type: 'meeting.closed', outcome: 'refused', ejected: null };
  expect(project(linesWith([refused, closed]).map(throughGlass), GLASS).meeting).toMatchObject({
    ...{ number: 1, refusal: 'red is dead', phase: null, call: null },
    ...{ outcome: 'refused', ejected: null, isOver: true },
  });
});

/** What every player hears on the ship. The steps of tasks show in the bar only. */
function alwaysHeard({ sabotage, shutDoors, round, start, options, taskSteps }: ShipState): object {
  const { weights: _, ...known } = options;
  return {
    sabotage,
    shutDoors,
    round,
    start,
    known,
    ...(options.task_bar === 'always' ? { taskSteps } : {}),
  };
}

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
