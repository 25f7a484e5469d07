/** Guards, what can happen next and why a machine moved, held against XState itself. */
import { describe, expect, test } from 'vitest';
import type { AnyStateMachine } from 'xstate';
import { arbiterMachine } from '../../machines/charts/arbiter.ts';
import { galleryMachine } from '../../machines/charts/gallery.ts';
import { gameMachine } from '../../machines/charts/game.ts';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import { playerMachine } from '../../machines/charts/player.ts';
import type { Lens } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { isMeeting } from '../../machines/setup/match.ts';
import { readChart } from '../../visualizer/charts/chart.ts';
import { wordEvent, wordGuard } from '../../visualizer/charts/chartWords.ts';
import { MachineRun, seeWithMoves } from '../../visualizer/charts/machineRun.ts';
import type { GuardValues, MachineMove } from '../../visualizer/charts/moves.ts';
import { describeChart } from '../../visualizer/page/build/facts.ts';
import { listExits } from '../../visualizer/page/frame/exits.ts';
import { describeMove } from '../../visualizer/page/frame/lastMove.ts';
import { listLit } from '../../visualizer/page/game/story/story.ts';
import { seeds } from '../support/seeds.ts';
import { exitsNow } from './page/exitsNow.ts';
import { recordedGame, recordedMeeting } from './page/recorded.ts';

const MACHINES: readonly AnyStateMachine[] = [
  meetingMachine,
  arbiterMachine,
  playerMachine,
  galleryMachine,
  gameMachine,
];
const CHARTS = new Map(MACHINES.map((machine) => [machine.id, describeChart(readChart(machine))]));

function chartOf(actor: string) {
  return CHARTS.get(actor.split(':')[0] ?? '');
}

/** Games, meetings with ghosts, faults and departures, and one whose viewers get time to read. */
async function record(): Promise<readonly (readonly Line[])[]> {
  const games = Array.from({ length: seeds(1, 20) }, (_, at) => recordedGame(at + 1));
  const names =
    seeds(2, 4) === 2 ? ['classic', 'trouble'] : ['classic', 'trouble', 'ghosts', 'four'];
  const meetings = await Promise.all(names.map((name) => recordedMeeting(name, 7)));
  return [...(await Promise.all(games)), ...meetings, ...meetings.slice(0, 1).map(atPace)];
}

const journals = record();

function atPace([header, ...rest]: readonly Line[]): readonly Line[] {
  if (header?.type !== 'match.opened') throw new Error('nothing was recorded');
  return [{ ...header, clock: { beat: 100 } }, ...rest];
}

test.each(MACHINES.map((machine) => [machine.id, machine] as const))(
  'every event and guard of the %s chart is put into words',
  (_, machine) => {
    const names = readChart(machine)
      .edges.filter(({ type }) => type === 'transition')
      .flatMap(({ event, guard }) => [
        wordEvent(event).now,
        ...(guard === null ? [] : [wordGuard(guard).now]),
      ]);
    expect(names.filter((name) => !/^[A-Z][a-z]*( [a-z]+)+$/.test(name))).toEqual([]);
  },
);

test('guards that are joined are put into words together', () => {
  expect(wordGuard('everyoneVoted and not isStopped')).toEqual({
    now: 'All living players have voted and not the operator has stopped the run',
    past: 'everyone had voted',
  });
});

describe('at every line', () => {
  test('what can happen next is what XState takes and refuses, in every actor', async () => {
    for (const lines of await journals) {
      const run = new MachineRun();
      const guards = new Map<string, GuardValues>();
      const places = new Map<string, readonly string[]>();
      for (const line of lines) {
        const moved = new Set<string>();
        for (const move of run.stepTo(line).moves) {
          moved.add(move.actor);
          guards.set(move.actor, { ...guards.get(move.actor), ...move.guards });
          places.set(move.actor, move.steps.at(-1)?.states ?? []);
        }
        for (const [actor, states] of places) {
          const [chart, snapshot] = [chartOf(actor), run.snapshotOf(actor)];
          if (!moved.has(actor) || chart === undefined || snapshot === undefined) continue;
          const exits = listExits(chart, listLit(states), guards.get(actor) ?? {});
          const ids = (isOpen: boolean) =>
            exits.flatMap((exit) => (exit.isOpen === isOpen ? exit.edge.id : [])).toSorted();
          expect({ open: ids(true), refused: ids(false) }, `${actor} at ${line.seq}`).toEqual(
            exitsNow(snapshot),
          );
        }
      }
      expect(run.refusal).toBeNull();
    }
  });

  test('a move reads as a sentence without a name from the code', async () => {
    const said = new Set<string>();
    for (const lines of await journals) {
      for (const { move, before } of movesOf(lines)) {
        const chart = chartOf(move.actor);
        if (chart !== undefined) said.add(describeMove(chart, move, before));
      }
    }
    const odd = [...said].filter(
      (sentence) =>
        !/^[A-Z][^.[\]#@|]+\.$/.test(sentence) || /[a-z][A-Z]|always|xstate/.test(sentence),
    );
    expect(odd).toEqual([]);
    const sentences = [
      /^Tick \d+ closed and everyone had voted, so discussion gave way to voting\.$/,
      /^Tick \d+ closed: \w+ has the floor, and the discussion goes on\.$/,
      /^Tick \d+ closed: \w+ has the floor, so bidding gave way to pausing\.$/,
      /^All orders of round \d+ were in and a player had called a meeting, so round gave way to meeting\.$/,
      /^Tick \d+ closed, so the meeting is over\.$/,
    ];
    for (const sentence of sentences)
      expect(
        [...said].some((each) => sentence.test(each)),
        `${sentence}`,
      ).toBe(true);
  });
});

function movesOf(lines: readonly Line[]) {
  const run = new MachineRun();
  const places = new Map<string, readonly string[]>();
  return lines.flatMap((line) =>
    run.stepTo(line).moves.map((move) => {
      const before = places.get(move.actor) ?? [];
      places.set(move.actor, move.steps.at(-1)?.states ?? []);
      return { move, before };
    }),
  );
}

describe('of a player who leaves the table', () => {
  async function leaveFirstTick(isDead: boolean): Promise<readonly [MachineMove, string]> {
    const lines = await recordedMeeting('ghosts', 7);
    const [header] = lines;
    if (header?.type !== 'match.opened' || !isMeeting(header.match)) throw new Error('no meeting');
    const leaver = header.match.seats.find(({ dead = false }) => dead === isDead);
    const seat = leaver?.colour ?? expect.fail('nobody leaves');
    const at = lines.findIndex(({ type }) => type === 'tick.closed');
    const run = new MachineRun();
    for (const line of lines.slice(0, at)) run.stepTo(line);
    const { moves } = run.stepTo({
      ...{ channel: 'living', seq: at, hash: '' },
      ...{ type: 'seat.departed', seat, reason: 'left', during: 'tick' },
    });
    const move = moves.find(({ actor }) => actor === 'meeting') ?? expect.fail('nothing moved');
    const chart = chartOf('meeting') ?? expect.fail('no chart');
    return [move, describeMove(chart, move, ['meeting.discussion.bidding'])];
  }

  test('the sentence says who left', async () => {
    const [, sentence] = await leaveFirstTick(false);
    expect(sentence).toMatch(/^[A-Z]\w+ left the table, and the meeting stays in bidding\.$/);
  });

  test('the guards that refuse a dead one are named', async () => {
    const [{ refusedBy }, sentence] = await leaveFirstTick(true);
    expect(refusedBy).toEqual(['leaverIsLiving']);
    expect(sentence).toMatch(
      /^[A-Z]\w+ left the table, but nothing moved: “The player who leaves is alive” does not hold\.$/,
    );
  });
});

describe('through a lens', () => {
  const fold = (moves: readonly MachineMove[], actor: string) =>
    Object.assign({}, ...moves.filter((move) => move.actor === actor).map(({ guards }) => guards));

  test.each([
    ['table', { type: 'table' }],
    ['player', { type: 'player', seat: 'pink' }],
  ] as const)(
    '%s only the guards of the meeting and of oneself are known',
    async (_, lens: Lens) => {
      for (const lines of await journals) {
        const moves = (through: Lens) =>
          seeWithMoves(lines, through).flatMap(({ moves: some = [] }) => some);
        const seen = moves(lens);
        const guarded = new Set(seen.flatMap(({ actor, guards }) => (guards ? [actor] : [])));
        guarded.delete('meeting');
        if (lens.type === 'player') guarded.delete(`player:${lens.seat}`);
        expect([...guarded]).toEqual([]);
        // What a hidden move changed comes with the next one that is shown.
        expect(fold(seen, 'meeting')).toEqual(fold(moves({ type: 'glass' }), 'meeting'));
      }
    },
  );
});
