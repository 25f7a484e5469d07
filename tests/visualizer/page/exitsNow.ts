/** The transitions that XState itself takes and refuses, found by trying the events that the world can send. */
import type { AnyEventObject, AnyMachineSnapshot, AnyTransitionDefinition } from 'xstate';
import type { Line } from '../../../machines/journal/lines.ts';
import { COLOURS } from '../../../machines/types.ts';
import { findEdgeIds } from '../../../visualizer/charts/chart.ts';
import { MachineRun } from '../../../visualizer/charts/machineRun.ts';

export type ExitsNow = { readonly open: readonly string[]; readonly refused: readonly string[] };

/** Edges of the chart by whether some event takes them now. */
export function exitsNow(snapshot: AnyMachineSnapshot): ExitsNow {
  const ids = findEdgeIds(snapshot.machine);
  const idOf = (transition: AnyTransitionDefinition) => ids.get(transition) ?? '';
  const nodes = snapshot._nodes;
  const leaving = nodes.flatMap(({ transitions, always = [] }) => [
    ...[...transitions.values()].flat(),
    ...always,
  ]);
  const types = new Set(nodes.flatMap(({ transitions }) => [...transitions.keys()]));
  const taken = [...types].flatMap((type) =>
    listTries(type, snapshot).flatMap(
      (event) => snapshot.machine.getTransitionData(snapshot, event) ?? [],
    ),
  );
  const open = new Set(taken.map(idOf));
  const all = snapshot.status === 'active' ? leaving.map(idOf) : [];
  return {
    open: all.filter((id) => open.has(id)).toSorted(),
    refused: all.filter((id) => !open.has(id)).toSorted(),
  };
}

/** What XState takes and refuses in the meeting and in the game, by the moments of a page. */
export function exitsByMoment(lines: readonly Line[]): ReadonlyMap<string, ExitsOfCharts> {
  const run = new MachineRun();
  const found = new Map<string, ExitsOfCharts>();
  const exitsOf = (actor: string) => {
    const snapshot = run.snapshotOf(actor);
    return snapshot === undefined ? null : exitsNow(snapshot);
  };
  let moment = '';
  for (const line of lines) {
    run.stepTo(line);
    // The count of the poll is shown with the next line, and what else has no moment with the one before it.
    if (line.type === 'poll.counted') continue;
    if (!isSilent(line)) moment = `${line.channel === 'ghosts' ? 'g' : ''}${line.seq}`;
    found.set(moment, { meeting: exitsOf('meeting'), game: exitsOf('game') });
  }
  return found;
}

type ExitsOfCharts = Readonly<Record<'meeting' | 'game', ExitsNow | null>>;

function isSilent(line: Line): boolean {
  if (line.type === 'turn.closed') return line.said === null;
  const isGhosts = line.type === 'scratchpads.consolidated' && line.channel === 'ghosts';
  const silent = ['scratchpads.erased', 'gallery.opened', 'gallery.closed'];
  return isGhosts || silent.includes(line.type);
}

/** Events of a type with the current number and the next one, to both places, about every seat. */
function listTries(type: string, { context }: AnyMachineSnapshot): readonly AnyEventObject[] {
  if (type === 'seat.left') return COLOURS.map((seat) => ({ type, seat }));
  if (type === 'meeting.stopped')
    return ['interrupted', 'unconverged'].map((outcome) => ({ type, outcome }));
  const { index = 0, round = index, turn = index, floor = { tick: index } } = context;
  return [index, round, turn, floor.tick].flatMap((number) =>
    [number, number + 1].flatMap((now) =>
      ['table', 'gallery'].map((to) => ({
        type,
        to,
        index: now,
        tick: now,
        round: now,
        turn: now,
      })),
    ),
  );
}
