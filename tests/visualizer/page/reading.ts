/** An independent reading of a journal, computed from its beginning for every line. */

import type { SeenLine } from '../../../machines/journal/lens.ts';
import type { Line, LineOf } from '../../../machines/journal/lines.ts';
import { gameIn } from '../../../machines/journal/opening.ts';
import { MachineRun } from '../../../visualizer/charts/machineRun.ts';
import type { ActorMessage } from '../../../visualizer/charts/messages.ts';

function meetingIn(lines: readonly Line[]): readonly Line[] {
  const start = lines.findLastIndex(
    (line) => line.type === 'phase.entered' && line.phase === 'interrupt',
  );
  return start < 0 ? [] : lines.slice(start);
}

const isTalk = (line: Line): line is LineOf<'tick.closed'> =>
  line.type === 'tick.closed' &&
  (line.requestKind === 'discussion' || line.requestKind === 'voting');

/**
 * The innermost state of the chart that is shown, after each line: the meeting's while there is one, else the game's.
 * The machines start with the second line, which the page shows with the first.
 */
export function litStates(lines: readonly Line[]): readonly string[] {
  const run = new MachineRun();
  const at = new Map<string, string>();
  let isAboard = gameIn(lines[0]) !== null;
  const lit = lines.map((line) => {
    for (const { actor, steps } of run.stepTo(line).moves)
      at.set(actor, steps.at(-1)?.states[0] ?? '');
    if (line.type === 'phase.entered') isAboard = false;
    if (line.type === 'round.closed') isAboard = true;
    return at.get(isAboard ? 'game' : 'meeting') ?? '';
  });
  return [lit[1] ?? '', ...lit.slice(1)];
}

export function formatMessage({ from, to, type, place }: ActorMessage): string {
  return `${from} > ${to.join(' ')}: ${type} ${place}`.trim();
}

/** The messages that everybody can work out from a line, so that they are no secret. */
export function messagesSaidBy(line: SeenLine): readonly string[] {
  switch (line.type) {
    case 'tick.closed':
      return [
        `meeting > arbiter: tick.opened tick ${line.tick}`,
        `arbiter > meeting: tick.closed tick ${line.tick}`,
      ];
    case 'round.closed':
      return [`orders > game: orders.gathered round ${line.round}`];
    case 'seat.departed':
      return line.reason === 'left' ? ['outside > meeting: seat.left'] : [];
    default:
      return [];
  }
}

export function speeches(lines: readonly Line[]): readonly string[] {
  return lines.flatMap((line) =>
    isTalk(line) && line.said !== null
      ? [`${line.said.speaker} > ${line.said.target ?? ''}: ${line.said.message}`]
      : [],
  );
}

/** "red 10+2+3=15" of every bid of the last tick. */
export function bids(lines: readonly Line[]): readonly string[] {
  const tick = meetingIn(lines).findLast(isTalk);
  return (tick?.scores ?? [])
    .map(({ seat, desire, mention, accusation, silence, die, recentSpeaker, voted, total }) => {
      const terms = [desire, mention, accusation, silence, die, recentSpeaker, voted];
      return `${seat} ${terms.filter((term) => term !== 0).join(' ')} = ${total}`;
    })
    .toSorted();
}

export function blank(lines: readonly Line[]): readonly string[] {
  const { bids: answers = [], scores = [] } = meetingIn(lines).findLast(isTalk) ?? {};
  const isAnswer = (seat: string) => answers.some((bid) => bid.seat === seat && !bid.fault);
  return scores.flatMap(({ seat, eligible }) => (!eligible && isAnswer(seat) ? [seat] : []));
}

export function noted(lines: readonly Line[]): readonly string[] {
  const last = lines.at(-1);
  return last?.type === 'scratchpads.updated' || last?.type === 'scratchpads.consolidated'
    ? [last.seat]
    : [];
}

export function votes(lines: readonly Line[]): readonly string[] {
  const meeting = meetingIn(lines);
  const turned = meeting.filter((line) => line.type === 'ballot.revealed');
  const isTold = meeting.some(({ type }) => type === 'verdict.announced');
  if (turned.length > 0 || isTold) {
    const counts = new Map<string, number>();
    for (const line of turned) {
      if (!line.void) counts.set(line.ballot, (counts.get(line.ballot) ?? 0) + 1);
    }
    return [...counts].map(([who, count]) => `${who} ${count}`).toSorted();
  }
  const locked = new Map<string, string>();
  for (const line of meeting) {
    if (line.type === 'vote.locked') locked.set(line.seat, line.ballot);
    if (line.type === 'vote.cleared') locked.delete(line.seat);
  }
  return [...locked].map(([voter, ballot]) => `${voter} > ${ballot}`).toSorted();
}

/** The place of each player and body: "red Admin", "red Admin vent", "blue Admin body". */
export function whereabouts(lines: readonly Line[]): readonly string[] {
  const game = gameIn(lines[0]);
  if (game === null) return [];
  const places = new Map<string, string>();
  const bodies = new Map<string, string>();
  const vented = new Set<string>();
  const gone = new Set<string>();
  const gather = () => {
    bodies.clear();
    vented.clear();
    for (const { colour } of game.seats) if (!gone.has(colour)) places.set(colour, 'Cafeteria');
  };
  const leave = (seat: string) => {
    gone.add(seat);
    places.delete(seat);
    vented.delete(seat);
  };
  gather();
  for (const line of lines) {
    if (line.type === 'meeting.closed') gather();
    if (line.type === 'verdict.announced' && line.ejected !== null) leave(line.ejected);
    if (line.type === 'seat.departed') leave(line.seat);
    if (line.type !== 'round.closed') continue;
    for (const [seat, path] of Object.entries(line.paths)) {
      const end = path?.at(-1);
      if (end !== undefined) places.set(seat, end);
    }
    for (const event of line.events) {
      if (event.type === 'player.killed') {
        leave(event.victim);
        bodies.set(event.victim, event.place);
        places.set(event.by, event.place);
      }
      if (event.type === 'seat.departed') leave(event.seat);
      if (event.type === 'vent.used') {
        places.set(event.seat, event.place);
        if (event.how === 'out') vented.delete(event.seat);
        else vented.add(event.seat);
      }
    }
  }
  return [
    ...[...places].map(([seat, place]) => `${seat} ${place}${vented.has(seat) ? ' vent' : ''}`),
    ...[...bodies].map(([seat, place]) => `${seat} ${place} body`),
  ].toSorted();
}
