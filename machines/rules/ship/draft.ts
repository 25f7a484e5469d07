/**
 * The draft of a round: what the phases of a round write on, one after another, until the round is over.
 *
 * It belongs to one call of `resolveRound` and never leaves it; the worlds before and after are values.
 */
import type {
  BySeat,
  Colour,
  Deed,
  Note,
  Place,
  Role,
  Room,
  Standing,
  System,
} from '../../types.ts';
import type { Departure } from '../facts.ts';
import { withEntry } from '../seats.ts';
import { type Intent, LONGEST_WAIT } from './orders.ts';
import type { TaskId } from './tasks.ts';
import { type PlayerState, taskIndex, type World } from './world.ts';

/* Events of a round: what happened on the ship, in the order in which it was resolved. */

/** How a vent was used: climbed into, crawled through, climbed out of. */
export const VENTINGS = ['in', 'through', 'out'] as const;
type Venting = (typeof VENTINGS)[number];

export type RoundEvent =
  | {
      readonly type: 'intent.refused';
      readonly seat: Colour;
      readonly intent: Intent;
      readonly note: Note;
    }
  | {
      readonly type: 'seat.faulted';
      readonly seat: Colour;
      readonly code: string;
      readonly streak: number;
    }
  | { readonly type: 'seat.departed'; readonly seat: Colour; readonly reason: Departure }
  | {
      readonly type: 'player.killed';
      readonly by: Colour;
      readonly victim: Colour;
      readonly place: Place;
    }
  | {
      readonly type: 'vent.used';
      readonly seat: Colour;
      readonly how: Venting;
      readonly vent: number;
      readonly place: Place;
    }
  | { readonly type: 'sabotage.begun'; readonly by: Colour; readonly system: System }
  | { readonly type: 'sabotage.fixed'; readonly by: readonly Colour[]; readonly system: System }
  | { readonly type: 'keypad.entered'; readonly seat: Colour; readonly at: Room }
  | { readonly type: 'doors.shut'; readonly by: Colour; readonly room: Room }
  | { readonly type: 'doors.opened'; readonly room: Room }
  | {
      readonly type: 'task.stepped';
      readonly seat: Colour;
      readonly task: TaskId;
      /** Steps of it that are done now. */
      readonly steps: number;
      readonly done: boolean;
    };

export type RoundEventType = RoundEvent['type'];

/** How a player is by now. A draft has its own copy of each, which is changed in place. */
type PlayerDraft = { -readonly [Name in keyof PlayerState]: PlayerState[Name] };

/**
 * One seat in a round. A round goes over its seats again and again, and reads them by name: a record of fixed shape for
 * each seat is read many times faster than a record by colour for each thing that is known of the seats.
 */
export type SeatDraft = {
  readonly seat: Colour;
  readonly role: Role;
  /** How the player was as the round began: what everybody decided upon. */
  readonly start: PlayerState;
  /** How the player is by now; the same object is in the world so far. */
  readonly player: PlayerDraft;
  /** Living, dead or departed by now, as in the world so far. */
  standing: Standing;
  /** Places that the player entered, in order; null for who stayed. */
  path: readonly Place[] | null;
  /** What the player could be seen doing when the round ended; null for those who were hidden. */
  deed: Deed | null;
  /** The intent is fulfilled, or can't be. */
  isFinished: boolean;
};

export type Draft = {
  /** The world as the round began: what everybody decided upon. */
  readonly before: World;
  /** The world so far. Its players are those of the seats. */
  world: World;
  /** In the order of the seats. */
  readonly seats: readonly SeatDraft[];
  readonly draws: BySeat<number>;
  readonly events: RoundEvent[];
};

export function startDraft(world: World, draws: BySeat<number>): Draft {
  const players: Partial<Record<Colour, PlayerState>> = {};
  const seats: SeatDraft[] = [];
  for (const { colour: seat, role } of world.ship.seats) {
    const start = world.players[seat];
    if (start === undefined) continue;
    const player = copyPlayer(start);
    const standing = world.standings[seat] ?? 'departed';
    players[seat] = player;
    seats.push({
      seat,
      role,
      start,
      player,
      standing,
      path: null,
      deed: null,
      isFinished: false,
    });
  }
  return { before: world, world: { ...world, players }, seats, draws, events: [] };
}

/** Field by field, so that all players have one shape. */
function copyPlayer(player: PlayerState): PlayerDraft {
  const { place, vent, intent, moved, stride, killWait, buttons, progress } = player;
  return { place, vent, intent, moved, stride, killWait, buttons, progress };
}

/** The seat of a player; a game has so few that looking for one is the quickest. */
export function seatOf({ seats }: Draft, seat: Colour): SeatDraft | null {
  for (const one of seats) if (one.seat === seat) return one;
  return null;
}

export function isLivingSeat({ standing }: SeatDraft): boolean {
  return standing === 'living';
}

/** Whether the player may still act on the ship (`isActive` of a world). */
export function isActiveSeat({ world }: Draft, { standing }: SeatDraft): boolean {
  return standing === 'living' || (standing === 'dead' && world.ship.options.ghostsDoTasks);
}

/** A player dies or is gone. */
export function changeStanding(draft: Draft, one: SeatDraft, standing: Standing): void {
  one.standing = standing;
  const { world } = draft;
  draft.world = { ...world, standings: withEntry(world.standings, one.seat, standing) };
}

/** Takes a player along a path. Apart from vents a place changes in no other way, so the record hears of every step. */
export function movePlayer(one: SeatDraft, path: readonly Place[]): void {
  const place = path.at(-1);
  if (place === undefined) return;
  one.player.place = place;
  one.path = path;
}

/** What a seat intends, and of what kind it is. */
export type Attempt<Type extends Intent['type']> = {
  readonly by: SeatDraft;
  readonly intent: Extract<Intent, { type: Type }>;
};

/** Those who are about one kind of thing, in the order of the seats, and what exactly. */
export function seatsIntending<Type extends Intent['type']>(
  { seats }: Draft,
  ...types: readonly Type[]
): readonly Attempt<Type>[] {
  let found: Attempt<Type>[] = NO_ONE;
  for (const by of seats) {
    const { intent } = by.player;
    if (intent === null || !isOfType(intent, types)) continue;
    if (found === NO_ONE) found = [];
    found.push({ by, intent });
  }
  return found;
}

const NO_ONE: never[] = [];

function isOfType<Type extends Intent['type']>(
  intent: Intent,
  types: readonly Type[],
): intent is Extract<Intent, { type: Type }> {
  const meant: readonly Intent['type'][] = types;
  return meant.includes(intent.type);
}

/** The intent was not possible: it counts as a wait, and the player is told why. */
export function refuseIntent(draft: Draft, one: SeatDraft, intent: Intent, note: Note): void {
  draft.events.push({ type: 'intent.refused', seat: one.seat, intent, note });
  one.isFinished = true;
}

/** Of those who want the same, the one whom chance prefers: the highest draw. Draws of one round differ. */
export function pickByDraw(
  { draws }: Draft,
  attempts: readonly { readonly by: SeatDraft }[],
): SeatDraft | null {
  let best: SeatDraft | null = null;
  for (const { by } of attempts) {
    if (best === null || (draws[by.seat] ?? 0) > (draws[best.seat] ?? 0)) best = by;
  }
  return best;
}

/* Pursuit: what a player is about. Work that is left for something else is begun again. */

/** Takes something up; null for nothing. Only who goes on with the same task keeps what was worked. */
export function pursue({ world }: Draft, { seat, player }: SeatDraft, intent: Intent | null): void {
  const kept = intent !== null && isWork(intent) ? taskIndex(world, seat, intent.task) : -1;
  const isLeft = player.progress.some(({ worked }, index) => worked > 0 && index !== kept);
  if (isLeft) {
    player.progress = player.progress.map((one, index) =>
      one.worked > 0 && index !== kept ? { ...one, worked: 0 } : one,
    );
  }
  player.intent = intent === null ? null : boundIntent(intent);
}

function boundIntent(intent: Intent): Intent {
  if (!('rounds' in intent)) return intent;
  return { ...intent, rounds: Math.min(Math.max(1, intent.rounds), LONGEST_WAIT) };
}

function isWork(intent: Intent): intent is Extract<Intent, { type: 'task' | 'fake' }> {
  return intent.type === 'task' || intent.type === 'fake';
}
