/** The machines stepped along a journal, held against the actors that wrote it. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import {
  Actor,
  type AnyActor,
  type AnyMachineSnapshot,
  createActor,
  type InspectionEvent,
} from 'xstate';
import { runToEnd, SimulatedClock } from '../../actors/engine/clock.ts';
import { readMeeting } from '../../actors/engine/configFile.ts';
import { machinesFor } from '../../actors/engine/effects.ts';
import { Recorder } from '../../actors/engine/journal/recorder.ts';
import { createMatch } from '../../actors/engine/match.ts';
import { RunContext } from '../../actors/engine/runContext.ts';
import { createMind } from '../../actors/minds/kinds.ts';
import { arbiterMachine } from '../../machines/charts/arbiter.ts';
import { galleryMachine } from '../../machines/charts/gallery.ts';
import { gameMachine } from '../../machines/charts/game.ts';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import { playerMachine } from '../../machines/charts/player.ts';
import type { Lens } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { MEETING } from '../../machines/messages.ts';
import { isAtOnce, MIND_KINDS } from '../../machines/rules/mindKinds.ts';
import type { Match, MeetingMatch } from '../../machines/setup/match.ts';
import { plainGame } from '../../machines/setup/prepare.ts';
import type { Thinker } from '../../machines/turnPrompt.ts';
import { type BySeat, COLOURS, type Standing } from '../../machines/types.ts';
import { readChart } from '../../visualizer/charts/chart.ts';
import { lensWithMoves, MachineRun, seeWithMoves } from '../../visualizer/charts/machineRun.ts';
import { unpackMessages } from '../../visualizer/charts/messages.ts';
import type { Stepped } from '../../visualizer/charts/moves.ts';
import { seeds } from '../support/seeds.ts';
import { formatMessage, messagesSaidBy } from './page/reading.ts';
import { playedByModels, recordedGame, recordedMeeting, takingTime } from './page/recorded.ts';

type Places = Map<string, string[]>;

function note(places: Places, actor: string, states: readonly string[]): void {
  const known = places.get(actor) ?? [];
  places.set(actor, known);
  const place = states.join(' ');
  if (known.at(-1) !== place) known.push(place);
}

/** The messages that reached each actor, in order. */
type Heard = Map<string, readonly string[]>;

type Observed = {
  readonly lines: readonly Line[];
  readonly places: Places;
  readonly heard: Heard;
  /** Who answered, in the order of the answers. */
  readonly answered: readonly string[];
};

/**
 * A match of minds that take their time, and every configuration of each actor. After `leaveAt` ticks a player goes,
 * this long after the last of them.
 */
async function observe(match: Match, seed: number, leaveAt = 0, afterMs = 0): Promise<Observed> {
  const creation = createMatch(match, seed);
  if (!creation.ok) throw new Error('the match can not be manned');
  const { ready } = creation;
  const clock = new SimulatedClock();
  const minds = Object.fromEntries(
    Object.entries(ready.minds).map(([seat, mind], place) => [
      seat,
      takingTime(mind, place, clock),
    ]),
  );
  const answered: string[] = [];
  const lines: Line[] = [];
  const places: Places = new Map();
  const heard: Heard = new Map();
  const recorder = new Recorder({
    onLine: ({ line }) => lines.push(line),
    readClock: () => ({ ms: clock.elapsed }),
  });
  const inspect = (event: InspectionEvent) => {
    noteSnapshot(places, event);
    noteMessage(heard, event);
    if (event.type !== '@xstate.snapshot' || !(event.actorRef instanceof Actor)) return;
    const { id } = event.actorRef;
    if (isAnswer(event.event.type, places.get(id)?.at(-1))) answered.push(id);
  };
  const means = { clock, inspect };
  const { game, meetingSession } = machinesFor('xstate');
  const { ghostBudget, players } = ready;
  const standings: BySeat<Standing> = ready.type === 'meeting' ? ready.setting.standings : {};
  const root: AnyActor =
    ready.type === 'game'
      ? createActor(game, { ...means, input: { seed, ship: ready.ship, players, ghostBudget } })
      : createActor(meetingSession, {
          ...means,
          input: { setting: ready.setting, players, ghostBudget },
        });
  let ticks = 0;
  const run = new RunContext(root.system, {
    clock,
    minds,
    recorder,
    ghostsWatch: true,
    round: () => root.getSnapshot().context.round ?? null,
    onMeetingFacts: (facts) => {
      if (!facts.some(({ type }) => type === 'tick.closed')) return;
      ticks += 1;
      const seat = COLOURS.find((colour) => standings[colour] === 'living');
      if (ticks === leaveAt)
        clock.setTimeout(
          () => root.system.get(MEETING)?.send({ type: 'seat.left', seat }),
          afterMs,
        );
    },
    onGameFacts: null,
    beliefs: null,
  });
  recorder.write('living', [ready.headers.living]);
  recorder.write('ghosts', [ready.headers.ghosts]);
  await runToEnd(root, clock).over;
  run.dismissMinds();
  const [header, ...rest] = playedByModels(lines, ['a-model']);
  if (header === undefined) throw new Error('nothing was recorded');
  const opening = { ...header, clock: { beat: match.options.beat_ms ?? 0 } };
  return { lines: [opening, ...rest], places, heard, answered };
}

function noteMessage(heard: Heard, inspected: InspectionEvent): void {
  if (inspected.type !== '@xstate.event' || inspected.event.type === 'xstate.init') return;
  const { id, _parent: parent, logic } = inspected.actorRef as AnyActor;
  const [, kind = '', timer = ''] =
    /^xstate\.(after|done)\.(?:actor|(\w+))/.exec(inspected.event.type) ?? [];
  const type = kind === '' ? inspected.event.type : `${kind} ${timer}`.trim();
  hear(heard, parent === undefined ? logic.id : id, type);
}

function hear(heard: Heard, actor: string, type: string): void {
  heard.set(actor, [...(heard.get(actor) ?? []), type]);
}

/** Ghosts talk while others bid, and their lines are in another channel. */
function isAnswer(event: string, place = ''): boolean {
  return event === 'mind.decided' || (event === 'mind.answered' && !place.includes('ghost'));
}

function noteSnapshot(places: Places, { type, ...event }: InspectionEvent): void {
  if (type !== '@xstate.snapshot' || !('snapshot' in event) || !('_nodes' in event.snapshot))
    return;
  const { machine, _nodes: nodes } = event.snapshot as AnyMachineSnapshot; // only these have nodes
  const { id, _parent: parent } = event.actorRef as AnyActor;
  const leaves = nodes.filter((node) => node.type === 'atomic' || node.type === 'final');
  const names = leaves.map((leaf) => leaf.id);
  note(places, parent === undefined ? machine.id : id, names);
}

/** Every configuration of each actor that the page is given, and the leaves of each chart that were lit. */
function step(lines: readonly Line[], lens: Lens): Places {
  const places: Places = new Map();
  for (const { moves = [] } of seeWithMoves(lines, lens)) {
    for (const { actor, steps } of moves) note(places, actor, steps.at(-1)?.states ?? []);
  }
  return places;
}

function listen(lines: readonly Line[]): Heard {
  const heard: Heard = new Map();
  for (const { messages } of seeWithMoves(lines, GLASS))
    for (const { to, type } of unpackMessages(messages))
      for (const actor of to) hear(heard, actor, type);
  return heard;
}

/** Who answers, in the order in which the page is told. */
function listAnswers(lines: readonly Line[]): readonly string[] {
  return seeWithMoves(lines, GLASS).flatMap(({ moves = [] }) =>
    moves.flatMap(({ actor, event, steps }) =>
      isAnswer(event, steps.at(-1)?.states[0]) ? [actor] : [],
    ),
  );
}

const GLASS: Lens = { type: 'glass' };

describe('the machines stepped along a journal', () => {
  test.each(Array.from({ length: seeds(4, 20) }, (_, at) => at + 1))(
    'are in the states of the actors that wrote it, and hear what these heard, in the same order (game %d)',
    async (seed) => {
      const rules = seed % 2 === 0 ? 'house' : 'classic';
      const match = plainGame(6, undefined, rules);
      const { lines, places, heard, answered } = await observe(match, seed);
      expect(step(lines, GLASS)).toEqual(places);
      expect(listen(lines)).toEqual(heard);
      expect(listAnswers(lines)).toEqual(answered);
    },
  );

  test.each([
    [1, 0, false],
    [2, 40, false],
    [3, 620, true],
    [4, 500, true],
  ] as const)(
    'are so where a player leaves after tick %d, %d ms after the request',
    async (ticks, afterMs, hasBid) => {
      const meeting = await meetingOf('electrical');
      const { lines, places, heard } = await observe(meeting, 7, ticks, afterMs);
      const left = lines.find((line) => line.type === 'seat.departed');
      if (left?.type !== 'seat.departed') throw new Error('nobody left');
      expect(left.during).toBe('tick');
      expect(step(lines, GLASS)).toEqual(places);
      const last = places.get(`player:${left.seat}`)?.at(-2);
      expect(last?.endsWith(hasBid ? 'listening' : 'bidding')).toBe(true);
      const told = listen(lines);
      // No line has what the mind of the player who left answered after that.
      for (const each of [told, heard]) expect(each.delete(`player:${left.seat}`)).toBe(true);
      expect(told).toEqual(heard);
    },
  );

  test.each([0, 100])(
    'tell the table no more than its lines when a player leaves (beat %d)',
    async (beat) => {
      const meeting = await meetingOf('electrical');
      const paced = { ...meeting, options: { ...meeting.options, beat_ms: beat } };
      const { lines } = await observe(paced, 7, 2);
      expect(lines.find((line) => line.type === 'seat.departed')?.during).toBe(
        beat === 0 ? 'tick' : 'pause',
      );
      for (const line of seeWithMoves(lines, { type: 'table' }))
        expect(unpackMessages(line.messages).map(formatMessage)).toEqual(messagesSaidBy(line));
    },
  );

  test('take every line of matches with ghosts, faults and departures, and light every leaf', async () => {
    const lit = new Set<string>();
    const add = (lines: readonly Line[]) => {
      const run = new MachineRun();
      for (const line of lines)
        for (const { steps } of run.stepTo(line).moves)
          for (const { states } of steps) for (const state of states) lit.add(state);
      expect(run.refusal).toBeNull();
    };
    for (const seed of [1, 2, 3, 4]) {
      add(
        (await observe(plainGame(6, undefined, seed % 2 === 0 ? 'house' : 'classic'), seed)).lines,
      );
    }
    for (const example of ['classic', 'ghosts', 'trouble', 'four', 'two-impostors'])
      add(await recordedMeeting(example, 7));
    const slowly = await meetingOf('classic');
    add((await observe({ ...slowly, options: { ...slowly.options, beat_ms: 100 } }, 7, 2)).lines);
    const charts = [meetingMachine, arbiterMachine, playerMachine, galleryMachine, gameMachine];
    const leaves = charts.flatMap((machine) =>
      readChart(machine).nodes.filter(({ type }) => type === 'atomic' || type === 'final'),
    );
    expect(leaves.map(({ id }) => id).filter((id) => !lit.has(id))).toEqual([]);
  });

  test('refuse an edited line, say why and keep the state before it', async () => {
    const lines = await recordedGame(2);
    const at = lines.findIndex((line) => line.type === 'vote.locked' && line.ballot !== 'skip');
    const edited = lines.map(
      (line, index): Line =>
        index === at && line.type === 'vote.locked' ? { ...line, ballot: 'skip' } : line,
    );
    const run = new MachineRun();
    const steps = edited.map((line) => run.stepTo(line));
    const moved = steps.map(({ moves }) => moves.length);
    expect(steps.findIndex(({ refusal }) => refusal !== undefined)).toBe(at);
    expect(run.refusal).toMatch(/^expected ballot "\w+", found "skip"$/);
    expect(moved.slice(at).every((moves) => moves === 0)).toBe(true);
    expect(moved.slice(0, at).some((moves) => moves > 0)).toBe(true);
  });

  test.each([5, null])('refuse a reply whose message is %j, and throw nothing', async (message) => {
    const lines = structuredClone(await recordedMeeting('electrical', 7));
    const tick = lines.find((line) => line.type === 'tick.closed');
    if (tick?.type !== 'tick.closed') throw new Error('no tick');
    Object.assign(tick.bids[0] ?? {}, { parsed: { ...Object(tick.bids[0]?.received), message } });
    const run = new MachineRun();
    for (const line of lines) run.stepTo(line);
    expect(run.refusal).toMatch(/^a rule failed: /);
  });

  test('take each answer once where the clock repeats it or names nobody', async () => {
    const timed = (await recordedGame(2)).map((line): Line => {
      if (line.type !== 'round.closed') return line;
      return { ...line, clock: { arrived: line.orders.map(({ seat }) => [seat, 1]) } };
    });
    const repeated = timed.map(({ clock, ...line }) => {
      const arrived = [clock?.['arrived'] ?? []].flat();
      return { ...line, clock: { arrived: [...arrived, ['tan', 2], null, ...arrived] } } as Line;
    });
    const [once, twice] = [timed, repeated].map((lines) =>
      seeWithMoves(lines, GLASS).map(({ moves, messages }) => ({ moves, messages })),
    );
    expect(twice).toEqual(once);
  });

  test('refuse a line that is missing, repeated or from another match', async () => {
    const lines = await recordedMeeting('electrical', 7);
    const other = await recordedMeeting('electrical', 8);
    const at = lines.findIndex(({ type }) => type === 'tick.closed');
    const broken = [
      lines.toSpliced(at, 1),
      lines.toSpliced(at, 0, ...lines.slice(at, at + 1)),
      [...lines.slice(0, at), ...other.slice(at)],
      lines.slice(1),
      lines.toSpliced(at, 0, ...lines.slice(0, 1)),
      lines.toSpliced(at, 0, ...lines.filter(({ type }) => type === 'gallery.opened')),
    ];
    for (const journal of broken) {
      const run = new MachineRun();
      for (const line of journal) run.stepTo(line);
      expect(run.refusal).not.toBeNull();
    }
  });
});

const CLAIM = {
  ...({ type: 'place', by: 'red', about: 'red', place: 'Admin' } as const),
  ...({ ago: null, truth: 'false', places: [] } as const),
};

describe('through a lens', () => {
  test.each<Lens>([GLASS, { type: 'table' }, { type: 'player', seat: 'pink' }])(
    'fields that only stepping adds are not taken from a journal (%j)',
    async (lens) => {
      const lines = await recordedMeeting('electrical', 7);
      const fields: Required<Stepped> = {
        moves: [{ actor: 'meeting', event: 'forged', steps: [] }],
        messages: 'tick 1|forged|meeting|arbiter',
        accused: ['red'],
        claims: [CLAIM],
        promises: [{ type: 'end', steps: 1 }],
        refusal: 'forged',
      };
      const forged = lines.map((line): Line => Object.assign({ ...line }, fields));
      expect(seeWithMoves(forged, lens)).toEqual(seeWithMoves(lines, lens));
    },
  );

  test.each([
    ['table', { type: 'table' }],
    ['player', { type: 'player', seat: 'pink' }],
  ] as const)('%s only the meeting, the game and oneself are known', async (_, lens) => {
    const { lines } = await observe(plainGame(6), 3);
    const shown = seeWithMoves(lines, lens).flatMap(({ moves = [] }) => moves);
    const actors = new Set(shown.map(({ actor }) => actor));
    const own = lens.type === 'player' ? ['player:pink'] : [];
    expect([...actors].toSorted()).toEqual(['game', 'meeting', ...own]);
    expect(JSON.stringify(shown)).not.toContain('game.round.deciding"');
  });

  test('every lens hears whom a message accuses, and that its target alone is not accused', async () => {
    const { lines } = await observe(plainGame(6), 3);
    const lenses: readonly Lens[] = [GLASS, { type: 'table' }, { type: 'player', seat: 'pink' }];
    const [glass = [], ...others] = lenses.map((lens) =>
      seeWithMoves(lines, lens).flatMap((line) => (line.type === 'tick.closed' ? [line] : [])),
    );
    for (const seen of others)
      expect(seen.map(({ accused }) => accused)).toEqual(glass.map(({ accused }) => accused));
    const aimed = glass.filter(({ said }) => said?.target !== undefined);
    const accusing = aimed.filter(({ accused = [] }) => accused.length > 0);
    expect(accusing.length).toBeGreaterThan(0);
    expect(accusing.length).toBeLessThan(aimed.length / 2);
  });
});

test('between lines the glass sees who answers, a player themself, and the table a pause that ends', async () => {
  const meeting = await meetingOf('electrical');
  const match = { ...meeting, options: { ...meeting.options, beat_ms: 100 } };
  const { lines } = await observe(match, 7);
  const before = lines.slice(
    0,
    lines.findIndex(({ type }) => type === 'tick.closed'),
  );
  const [red, pink] = (['red', 'pink'] as const).map(
    (seat): Thinker => ({ seat, requestKind: 'discussion', since: 0 }),
  );
  if (red === undefined || pink === undefined) throw new Error('nobody thinks');
  const follow = (lens: Lens) => {
    const see = lensWithMoves(lens);
    for (const line of before) see(line);
    return [[red, pink], [pink], []].map((thinkers) =>
      see.follow(thinkers)?.moves.map(({ actor, event }) => `${actor} ${event.split('.after')[0]}`),
    );
  };
  expect(follow({ type: 'table' })).toEqual([['meeting xstate'], undefined, undefined]);
  expect(follow({ type: 'player', seat: 'pink' })).toEqual([
    ['meeting xstate', 'player:pink bid.requested'],
    undefined,
    ['player:pink mind.answered'],
  ]);
  const [asked, ...answers] = follow(GLASS);
  expect(asked).toContain('arbiter tick.opened');
  expect(answers).toEqual([['player:red mind.answered'], ['player:pink mind.answered']]);
});

test('what was said up to a line is not told again after players were followed', async () => {
  const lines = await recordedMeeting('electrical', 7);
  const at = lines.findIndex(({ type }) => type === 'tick.closed');
  const see = lensWithMoves(GLASS);
  const told = lines.slice(0, at + 1).map((line) => {
    see.follow([{ seat: 'red', requestKind: 'discussion', since: line.seq }]);
    return unpackMessages(see(line)?.messages).map(formatMessage);
  });
  expect(told.flat().filter((message) => message.includes('tick.opened'))).toHaveLength(2);
});

test('the minds that answer at once are those that the charts wait for in no state', () => {
  const settings = { seed: 1, faultRate: 0, models: null, times: { table: null, ship: null } };
  const [seat] = plainGame(5).seats;
  if (seat === undefined) throw new Error('nobody plays');
  for (const kind of MIND_KINDS) {
    const { pace } = createMind({ ...seat, mind: kind }, 0, settings);
    expect(isAtOnce(kind), kind).toBe(pace === 'at-once');
  }
});

async function meetingOf(example: string): Promise<MeetingMatch> {
  const file = new URL(`../../examples/${example}.yaml`, import.meta.url);
  const reading = readMeeting(await readFile(file, 'utf8'));
  if (!reading.ok) throw new Error('the example can not be read');
  return reading.value;
}
