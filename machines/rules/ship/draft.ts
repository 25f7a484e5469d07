/** The draft of a round, which the phases of one call of `resolveRound` change one after another. */
import type {
  BySeat,
  ByType,
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

export const VENTINGS = ['in', 'through', 'out'] as const;

export type RoundEvent = ByType<{
  'intent.refused': { seat: Colour; intent: Intent; note: Note };
  'seat.faulted': { seat: Colour; code: string; streak: number };
  'seat.departed': { seat: Colour; reason: Departure };
  'player.killed': { by: Colour; victim: Colour; place: Place };
  'vent.used': { seat: Colour; how: (typeof VENTINGS)[number]; vent: number; place: Place };
  'sabotage.begun': { by: Colour; system: System };
  'sabotage.fixed': { by: readonly Colour[]; system: System };
  'keypad.entered': { seat: Colour; at: Room };
  'doors.shut': { by: Colour; room: Room };
  'doors.opened': { room: Room };
  'task.stepped': { seat: Colour; task: TaskId; steps: number; done: boolean };
}>;

export type RoundEventType = RoundEvent['type'];

/** The draft's own copy of a player, changed in place. */
type PlayerDraft = { -readonly [Name in keyof PlayerState]: PlayerState[Name] };

/** One seat in a round. Records of one fixed shape are much faster to read than records by colour. */
export type SeatDraft = {
  readonly seat: Colour;
  readonly role: Role;
  /** The player as the round began, which all decisions are based on. */
  readonly start: PlayerState;
  /** The player now. The world so far has the same object. */
  readonly player: PlayerDraft;
  /** As in the world so far. */
  standing: Standing;
  /** Places that the player entered, in order. Null if the player stayed. */
  path: readonly Place[] | null;
  /** The visible deed at the end of the round. Null for hidden players. */
  deed: Deed | null;
  isFinished: boolean;
};

export type Draft = {
  /** The world as the round began, which all decisions are based on. */
  readonly before: World;
  /** The world so far, with the players of the seats. */
  world: World;
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
    seats.push({ seat, role, start, player, standing, path: null, deed: null, isFinished: false });
  }
  return { before: world, world: { ...world, players }, seats, draws, events: [] };
}

/** Field by field, so that all players have one shape. */
function copyPlayer(player: PlayerState): PlayerDraft {
  const { place, vent, intent, moved, stride, killWait, buttons, progress } = player;
  return { place, vent, intent, moved, stride, killWait, buttons, progress };
}

/** A linear search is fastest for so few seats. */
export function seatOf({ seats }: Draft, seat: Colour): SeatDraft | null {
  for (const one of seats) if (one.seat === seat) return one;
  return null;
}

export function isLivingSeat({ standing }: SeatDraft): boolean {
  return standing === 'living';
}

export function isActiveSeat({ world }: Draft, { standing }: SeatDraft): boolean {
  return standing === 'living' || (standing === 'dead' && world.ship.options.ghostsDoTasks);
}

export function changeStanding(draft: Draft, one: SeatDraft, standing: Standing): void {
  one.standing = standing;
  const { world } = draft;
  draft.world = { ...world, standings: withEntry(world.standings, one.seat, standing) };
}

/** Only vents change a place without this, so the record has every step. */
export function movePlayer(one: SeatDraft, path: readonly Place[]): void {
  const place = path.at(-1);
  if (place === undefined) return;
  one.player.place = place;
  one.path = path;
}

export type Attempt<Type extends Intent['type']> = {
  readonly by: SeatDraft;
  readonly intent: Extract<Intent, { type: Type }>;
};

export function seatsIntending<Type extends Intent['type']>(
  { seats }: Draft,
  ...types: readonly Type[]
): readonly Attempt<Type>[] {
  const found: Attempt<Type>[] = [];
  for (const by of seats) {
    const { intent } = by.player;
    if (intent !== null && isOfType(intent, types)) found.push({ by, intent });
  }
  return found;
}

function isOfType<Type extends Intent['type']>(
  intent: Intent,
  types: readonly Type[],
): intent is Extract<Intent, { type: Type }> {
  const meant: readonly Intent['type'][] = types;
  return meant.includes(intent.type);
}

/** An impossible intent counts as a wait, and the player learns why. */
export function refuseIntent(draft: Draft, one: SeatDraft, intent: Intent, note: Note): void {
  draft.events.push({ type: 'intent.refused', seat: one.seat, intent, note });
  one.isFinished = true;
}

/** The seat with the highest draw. Draws of one round differ. */
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

/* Pursuit: the current intent. Interrupted work starts again. */

/** Null ends the pursuit. Only a player who continues the same task keeps the work done. */
export function pursue({ world }: Draft, { seat, player }: SeatDraft, intent: Intent | null): void {
  const isWork = intent?.type === 'task' || intent?.type === 'fake';
  const kept = isWork ? taskIndex(world, seat, intent.task) : -1;
  if (player.progress.some(({ worked }, index) => worked > 0 && index !== kept)) {
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
