/**
 * The lens on the ship: what is left of the lines of a game for somebody who may not see everything.
 *
 * Everybody hears alarms, doors, entered keypads and that somebody has left; where the lobby shows the task bar all the
 * time, everybody sees it grow, and not by whose work. Nobody hears whose doing anything was, where anybody is, or that
 * somebody has died: the meeting shows who is missing. A player sees what they did and saw. The dead see all that happens, but
 * neither what others decide nor what others have seen. Who has won shows who was who, as the last screen of a game
 * does; a game without a winner keeps its roles.
 */

import type { Lobby, LobbySeat } from '../setup/match.ts';
import type { Colour } from '../types.ts';
import type { LineOf } from './lines.ts';
import type { WireEvent } from './roundLines.ts';
import { pick, type Viewer } from './viewer.ts';

/** What a spectator must remember of a game, because a later line is seen by it. */
export type Aboard = {
  readonly impostors: readonly Colour[];
  /** Whether everybody sees each step of a task in the bar. */
  readonly hasBar: boolean;
};
export const ASHORE: Aboard = { impostors: [], hasBar: false };

export type SeenLobbySeat = Pick<LobbySeat, 'colour'> & Partial<LobbySeat>;
export type SeenLobby = Pick<Lobby, 'name' | 'about' | 'options' | 'map'> & {
  readonly seats: readonly SeenLobbySeat[];
};

/** An event with only what may be seen of it: who did it, where or to whom may be missing. */
export type SeenEvent = Cut<WireEvent>;
type Cut<E> = E extends WireEvent ? Pick<E, 'type'> & Partial<Omit<E, 'type'>> : never;

/** What the header of a game tells that later lines are seen by. */
export function aboard({ lobby }: LineOf<'game.opened'>): Aboard {
  return {
    impostors: lobby.seats.flatMap(({ colour, role }) => (role === 'impostor' ? [colour] : [])),
    hasBar: lobby.options.task_bar === 'always',
  };
}

export function lobbyFor({ name, about, options, map, seats }: Lobby, viewer: Viewer): SeenLobby {
  const self = seats.find(({ colour }) => colour === viewer.seat);
  const { weights: _weights, ...open } = options;
  return { name, about, map, options: open, seats: seats.map((seat) => seatFor(seat, self)) };
}

/** Impostors know each other. How the director has a seat played is nobody's business, not even its own. */
function seatFor(seat: LobbySeat, self: LobbySeat | undefined): SeenLobbySeat {
  const { colour, role } = seat;
  if (seat === self) return { colour, ...pick(seat, ['role', 'persona', 'notes']) };
  return role === 'impostor' && self?.role === 'impostor' ? { colour, role } : { colour };
}

type Round = LineOf<'round.closed'>;

export function roundFor(line: Round, { seat, isDead }: Viewer, { hasBar }: Aboard): object {
  const own = seat === null ? [] : [seat];
  const view = { seat, isDead, hasBar };
  return {
    orders: line.orders.filter((order) => order.seat === seat),
    paths: isDead ? line.paths : pick(line.paths, own),
    deeds: isDead ? line.deeds : pick(line.deeds, own),
    seen: pick(line.seen, own),
    events: line.events.flatMap((event) => eventFor(event, view) ?? []),
  };
}

function eventFor(
  event: WireEvent,
  { seat, isDead, hasBar }: Viewer & Pick<Aboard, 'hasBar'>,
): SeenEvent | null {
  switch (event.type) {
    // What a mind wanted, and how it failed, is its own affair in life and in death.
    case 'intent.refused':
    case 'seat.faulted':
      return event.seat === seat ? event : null;
    case 'sabotage.begun':
      return isDead || event.by === seat ? event : { type: event.type, system: event.system };
    case 'doors.shut':
      return isDead || event.by === seat ? event : { type: event.type, room: event.room };
    case 'sabotage.mended':
      return isDead ? event : { type: event.type, system: event.system };
    case 'keypad.entered':
      return isDead || event.seat === seat ? event : { type: event.type, at: event.at };
    case 'task.stepped':
      if (isDead || event.seat === seat) return event;
      return hasBar ? { type: event.type } : null;
    case 'doors.opened':
    case 'seat.departed':
      return event;
    case 'player.killed':
      return isDead || event.by === seat ? event : null;
    case 'vent.used':
      return isDead || event.seat === seat ? event : null;
    default:
      return event satisfies never;
  }
}

/** Who was who. */
export function unmasked({ impostors }: Aboard): object {
  return { impostors };
}
