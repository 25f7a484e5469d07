/**
 * The draft of a round: what the phases of a round write on, one after another, until the round is over.
 *
 * It belongs to one call of `resolveRound` and never leaves it; the worlds before and after are values.
 */
import {
  type BySeat,
  COLOURS,
  type Colour,
  type Deed,
  type Note,
  type Place,
  type Room,
  type System,
} from '../../types.ts';
import type { Departure } from '../facts.ts';
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

export type Draft = {
  /** The world as the round began: what everybody decided upon. */
  readonly before: World;
  /** The world so far. Its players are those below. */
  world: World;
  /** How everybody is by now: changed in place, as most of a round is about them. */
  readonly players: Partial<Record<Colour, PlayerState>>;
  readonly draws: BySeat<number>;
  /** Places that each player entered, in order; nobody else is in it. */
  readonly paths: Partial<Record<Colour, readonly Place[]>>;
  /** What each player could be seen doing when the round ended; nothing for those who were hidden. */
  readonly deeds: Partial<Record<Colour, Deed>>;
  readonly events: RoundEvent[];
  /** Players whose intent is fulfilled, or can't be. */
  readonly finished: Set<Colour>;
};

export function startDraft(world: World, draws: BySeat<number>): Draft {
  const players = { ...world.players };
  return {
    before: world,
    world: { ...world, players },
    players,
    draws,
    paths: {},
    deeds: {},
    events: [],
    finished: new Set(),
  };
}

export function playerOf({ players }: Draft, seat: Colour): PlayerState | undefined {
  return players[seat];
}

export function changePlayer(
  { players }: Draft,
  seat: Colour,
  changes: Partial<PlayerState>,
): void {
  const player = players[seat];
  if (player !== undefined) players[seat] = { ...player, ...changes };
}

/** Takes a player along a path. Apart from vents a place changes in no other way, so the record hears of every step. */
export function movePlayer(draft: Draft, seat: Colour, path: readonly Place[]): void {
  const place = path.at(-1);
  if (place === undefined) return;
  changePlayer(draft, seat, { place });
  draft.paths[seat] = path;
}

/** Those who are about one kind of thing, in the order of the seats, and what exactly. */
export function seatsIntending<Type extends Intent['type']>(
  { players }: Draft,
  ...types: readonly Type[]
): readonly { readonly by: Colour; readonly intent: Extract<Intent, { type: Type }> }[] {
  let found: { by: Colour; intent: Extract<Intent, { type: Type }> }[] = NO_ONE;
  for (const by of COLOURS) {
    const intent = players[by]?.intent ?? null;
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
export function refuseIntent(draft: Draft, seat: Colour, intent: Intent, note: Note): void {
  draft.events.push({ type: 'intent.refused', seat, intent, note });
  draft.finished.add(seat);
}

/** Of those who want the same, the one whom chance prefers: the highest draw. Draws of one round differ. */
export function pickByDraw(draft: Draft, seats: readonly Colour[]): Colour | null {
  let best: Colour | null = null;
  for (const seat of seats) {
    if (best === null || (draft.draws[seat] ?? 0) > (draft.draws[best] ?? 0)) best = seat;
  }
  return best;
}

/* Pursuit: what a player is about. Work that is left for something else is begun again. */

/** Takes something up; null for nothing. Only who goes on with the same task keeps what was worked. */
export function pursue(draft: Draft, seat: Colour, intent: Intent | null): void {
  const player = playerOf(draft, seat);
  if (player === undefined) return;
  const kept = intent !== null && isWork(intent) ? taskIndex(draft.world, seat, intent.task) : -1;
  const isLeft = player.progress.some(({ worked }, index) => worked > 0 && index !== kept);
  const progress = isLeft
    ? player.progress.map((one, index) =>
        one.worked > 0 && index !== kept ? { ...one, worked: 0 } : one,
      )
    : player.progress;
  changePlayer(draft, seat, { intent: intent === null ? null : boundIntent(intent), progress });
}

function boundIntent(intent: Intent): Intent {
  if (!('rounds' in intent)) return intent;
  return { ...intent, rounds: Math.min(Math.max(1, intent.rounds), LONGEST_WAIT) };
}

function isWork(intent: Intent): intent is Extract<Intent, { type: 'task' | 'fake' }> {
  return intent.type === 'task' || intent.type === 'fake';
}
