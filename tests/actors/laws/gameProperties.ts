/**
 * The properties of a game, asked of each line of its journal.
 *
 * Every line is looked at with the logbook as it was before that line, and is then entered.
 */

import type { Line, LivingLine } from '../../../machines/journal/lines.ts';
import { gameIn } from '../../../machines/journal/opening.ts';
import type { Colour, Place } from '../../../machines/types.ts';
import { Logbook, type RoundLine, roundsOf } from './logbook.ts';
import type { LineOf } from './oracle/property.ts';

export function findGameViolations(lines: readonly Line[]): readonly string[] {
  const broken: string[] = [];
  const header = lines[0];
  const game = gameIn(header);
  if (header?.type !== 'match.opened' || game === null) return ['the header is missing'];
  const log = new Logbook(game, header.seed);
  for (const line of lines.slice(1)) {
    if (line.channel !== 'living') continue;
    for (const text of complaints(line, log)) broken.push(`line ${line.seq}: ${text}`);
    if (broken.length > ENOUGH) return broken;
    log.enter(line);
    if (line.type === 'round.closed') broken.push(...endOfRound(log));
  }
  if (!log.isOver) broken.push('the game has no end');
  return broken;
}

const ENOUGH = 5;

function* complaints(line: LivingLine, log: Logbook): Generator<string> {
  if (log.isOver) yield `${line.type} after the end`;
  switch (line.type) {
    case 'round.closed':
      yield* ofRound(line, log);
      break;
    case 'meeting.called':
      yield* ofCall(line, log);
      break;
    case 'meeting.refused':
      yield 'a meeting was called that could not be held';
      break;
    case 'vote.locked':
      if (!log.isLiving(line.seat)) yield `${line.seat} voted and is not among the living`;
      if (log.voters.has(line.seat)) yield `${line.seat} voted twice`;
      break;
    case 'game.closed':
      yield* ofEnd(line, log);
      break;
    default:
  }
}

function* ofRound(line: RoundLine, log: Logbook): Generator<string> {
  if (line.round !== log.round) yield `round ${line.round} instead of ${log.round}`;
  if (log.isInMeeting) yield 'a round in a meeting';
  if (log.verdict !== null) yield `a round although ${log.verdict} was due`;
  for (const { seat } of line.orders) if (!log.isActive(seat)) yield `${seat} was asked`;
  const gone = line.events.flatMap((event) => (event.type === 'seat.departed' ? event.seat : []));
  const lately = new Set([...gone, ...victimsOf(line)]);
  for (const seat of log.sailors.keys()) {
    const isIdle = !log.isActive(seat) || gone.includes(seat);
    if (isIdle && (line.paths[seat] ?? line.deeds[seat]) !== undefined)
      yield `${seat} did something`;
    if (!log.isLiving(seat) || lately.has(seat)) {
      if (line.seen[seat] !== undefined) yield `${seat} saw something`;
    }
    yield* ofPath(line, log, seat);
  }
  for (const event of line.events) yield* ofEvent(event, line, log);
  if (new Set(victimsOf(line)).size !== victimsOf(line).length) yield 'somebody was killed twice';
}

function victimsOf({ events }: RoundLine): readonly Colour[] {
  return events.flatMap((event) => (event.type === 'player.killed' ? event.victim : []));
}

function* ofPath(line: RoundLine, log: Logbook, seat: Colour): Generator<string> {
  const { map } = log.crew;
  const path = line.paths[seat] ?? [];
  if (path.length > Math.ceil(log.options.playerSpeed)) yield `${seat} ran`;
  if (path.length > 0 && log.sailor(seat).vent !== null) yield `${seat} walked out of a vent`;
  const isHeld = (place: Place) =>
    log.isLiving(seat) && !victimsOf(line).includes(seat) && isShut(place, line, log);
  let from = log.sailor(seat).place;
  for (const place of path) {
    if (map.openings[from]?.includes(place) !== true) yield `${seat} went from ${from} to ${place}`;
    if (isHeld(from) || isHeld(place))
      yield `${seat} went through the doors of ${from} or ${place}`;
    from = place;
  }
}

/** The doors open in this round, so they were still shut. */
function isShut(place: Place, { events }: RoundLine, { doors }: Logbook): boolean {
  const before = [...doors].some(([room, { isShut: wasShut }]) => room === place && wasShut);
  return before || events.some((event) => event.type === 'doors.shut' && event.room === place);
}

function* ofEvent(event: RoundLine['events'][number], line: RoundLine, log: Logbook) {
  const { round } = line;
  switch (event.type) {
    case 'player.killed': {
      const [killer, victim] = [log.sailor(event.by), log.sailor(event.victim)];
      if (killer.role !== 'impostor' || !log.isLiving(event.by)) yield `${event.by} killed`;
      if (victim.role === 'impostor' || !log.isLiving(event.victim)) yield `${event.victim} died`;
      if (killer.readyIn > round) yield `${event.by} killed before the cooldown was over`;
      if (killer.vent !== null || victim.place !== event.place) yield 'a kill from nowhere';
      if (log.options.killDistance !== 'long' && killer.place !== event.place) yield 'a far kill';
      break;
    }
    case 'vent.used': {
      const { role, vent, place } = log.sailor(event.seat);
      const target = log.crew.map.vents.find(({ id }) => id === event.vent);
      if (role !== 'impostor' || !log.isLiving(event.seat)) yield `${event.seat} used a vent`;
      const isLinked = vent !== null && target?.links.includes(vent) === true;
      if (event.how === 'in' && (vent !== null || target?.place !== place))
        yield 'no such vent here';
      if (event.how === 'through' && !isLinked) yield `vent ${vent} does not lead to ${event.vent}`;
      if (event.how === 'out' && vent !== event.vent) yield `${event.seat} was in vent ${vent}`;
      break;
    }
    case 'sabotage.begun':
      if (log.sailor(event.by).role !== 'impostor') yield `${event.by} broke ${event.system}`;
      if (log.damage !== null) yield `${event.system} broke beside ${log.damage.system}`;
      if (log.sabotageIn > round) yield 'sabotage before the cooldown was over';
      break;
    case 'keypad.entered':
      if (log.damage?.system !== 'o2' || log.damage.keypads.has(event.at))
        yield 'a keypad too many';
      break;
    case 'doors.shut': {
      const door = log.doors.get(event.room);
      const next = door === undefined ? 0 : door.since + roundsOf(log.options.doorCooldown);
      if (next > round) yield `the doors of ${event.room} shut too early`;
      break;
    }
    case 'doors.opened': {
      const since = log.doors.get(event.room)?.since ?? Number.NaN;
      const rounds = roundsOf(log.options.doorSeconds);
      if (since + rounds !== round + 1) yield `the doors of ${event.room} were shut since ${since}`;
      break;
    }
    case 'task.stepped':
      yield* ofTask(event, line, log);
      break;
    default:
  }
}

function* ofTask(
  { seat, task, steps, done }: Extract<RoundLine['events'][number], { type: 'task.stepped' }>,
  line: RoundLine,
  log: Logbook,
): Generator<string> {
  const dealt = log.crew.tasks[seat]?.find(({ id }) => id === task);
  const { role, place, steps: before } = log.sailor(seat);
  if (dealt === undefined || role === 'impostor') yield `${seat} has no task ${task}`;
  if (steps !== (before.get(task) ?? 0) + 1) yield `${seat} did step ${steps} of ${task}`;
  if (dealt?.steps[steps - 1]?.place !== place) yield `${seat} did ${task} in ${place}`;
  if (line.paths[seat] !== undefined) yield `${seat} worked while walking`;
  if (done !== (dealt?.steps.length === steps)) yield `${task} is done after ${steps} steps`;
}

function* ofCall(line: LineOf<'meeting.called'>, log: Logbook): Generator<string> {
  const { by, kind, body, place } = line;
  if (!log.isLiving(by)) yield `${by} called and is not among the living`;
  const caller = log.sailor(by);
  const round = log.round - 1;
  if (caller.vent !== null) yield `${by} called out of a vent`;
  if (kind === 'button') {
    if (caller.buttons < 1) yield `${by} had no button left`;
    if (log.buttonIn > round) yield 'the button was pressed before the cooldown was over';
    if (log.damage !== null) yield `the button was pressed while ${log.damage.system} is broken`;
    if (caller.place !== log.crew.map.button) yield `${by} pressed the button from ${caller.place}`;
    return;
  }
  const found = body === null ? undefined : log.bodies.get(body);
  if (found === undefined) yield `there was no body of ${body}`;
  else if (found.place !== caller.place || found.place !== place) yield 'a body from afar';
  else if (found.since === round) yield 'a body was reported in the round of the kill';
}

function* ofEnd({ winner, reason }: LineOf<'game.closed'>, log: Logbook): Generator<string> {
  if (winner === null && reason !== 'faults') {
    const isLimit = log.round >= log.options.maxRounds && reason === 'unfinished';
    if (!isLimit && log.stop !== reason)
      yield `the game ended as ${reason}, which nobody asked for`;
    return;
  }
  if (log.verdict !== `${winner} by ${reason}`) yield `${winner} by ${reason}, not ${log.verdict}`;
}

/** Nobody is in two places. A player who stands has a deed there. A hidden player has none. */
function* endOfRound(log: Logbook): Generator<string> {
  for (const [seat, { vent, place }] of log.sailors) {
    const deed = log.last?.deeds[seat];
    if (vent !== null && deed !== undefined) yield `${seat} was ${deed} in a vent`;
    if (!log.crew.map.places.includes(place)) yield `${seat} is in ${place}`;
  }
}
