/** Walking and venting. Everybody moves at once, so nobody blocks anybody. */
import type { Colour, Note, Place, Room, ShipMap } from '../../types.ts';
import {
  type Draft,
  isActiveSeat,
  isLivingSeat,
  movePlayer,
  refuseIntent,
  type SeatDraft,
} from './draft.ts';
import { findVent, nextStep } from './map.ts';
import type { Intent } from './orders.ts';
import { isLit } from './sight.ts';
import {
  areJoined,
  isLiving,
  nextTaskStep,
  type PlayerState,
  STRIDE,
  shutRooms,
  taskIndex,
  type World,
} from './world.ts';

/** At speed 3, plus the rest of the last stride. */
const MOST_STEPS = 4;

export function movePlayers(draft: Draft): void {
  const { before } = draft;
  for (const one of draft.seats) {
    if (!isActiveSeat(draft, one)) continue;
    const { seat, start, player } = one;
    const isKiller = player.place !== start.place;
    const { intent } = player;
    const to = intent === null || isKiller ? null : destination(before, seat, intent);
    if (player.vent === null && to !== null && to !== player.place) walkTowards(draft, one, to);
    else Object.assign(player, { moved: false, stride: 0 });
  }
  for (const one of draft.seats) useVent(draft, one);
}

function walkTowards({ world }: Draft, one: SeatDraft, to: Place): void {
  const { player } = one;
  const { map, options } = world.ship;
  const shut = isLivingSeat(one) ? shutRooms(world) : [];
  const path: Place[] = [];
  let quarters = player.stride + options.playerSpeed * STRIDE;
  let at = player.place;
  while (quarters >= STRIDE && at !== to && path.length < MOST_STEPS) {
    const next = nextStep(map, at, to, shut) ?? stepToDoor(map, at, to, shut);
    if (next === null) break;
    at = next;
    quarters -= STRIDE;
    path.push(at);
  }
  // A player who has arrived or stands before a shut door saves no stride.
  player.stride = at === to || quarters >= STRIDE ? 0 : quarters;
  player.moved = path.length > 0;
  movePlayer(one, path);
}

/** If every route is shut, the player walks up to the door. */
function stepToDoor(map: ShipMap, at: Place, to: Place, shut: readonly Room[]): Place | null {
  const closed: readonly Place[] = shut;
  const next = nextStep(map, at, to, []);
  return next === null || closed.includes(at) || closed.includes(next) ? null : next;
}

/** The place that an intent leads to in the world as the round began. Null if it leads nowhere. */
export function destination(world: World, seat: Colour, intent: Intent): Place | null {
  const { map } = world.ship;
  switch (intent.type) {
    case 'go':
      return intent.to;
    case 'follow':
      return placeToFollow(world, seat, intent.whom);
    case 'task':
    case 'fake':
      return nextTaskStep(world, seat, taskIndex(world, seat, intent.task))?.place ?? null;
    case 'fix':
      return intent.at;
    case 'button':
      return map.button;
    case 'watch':
      return intent.what === 'cameras' ? (map.cameras?.at ?? null) : map.adminTable;
    default:
      return null;
  }
}

/** Where the followed player is: at most one step ahead, not behind a shut door, not in the dark. Null if lost. */
export function placeToFollow(world: World, seat: Colour, whom: Colour): Place | null {
  const own = world.players[seat]?.place;
  const other = world.players[whom];
  if (own === undefined || other === undefined || !isLiving(world, whom)) return null;
  if (other.vent !== null || !isLit(world, seat, own)) return null;
  if (own === other.place) return own;
  return areJoined(world, own, other.place) ? other.place : null;
}

function useVent(draft: Draft, one: SeatDraft): void {
  const { seat, player } = one;
  const { intent, vent: left, place } = player;
  if (intent === null || !isLivingSeat(one)) return;
  if (intent.type === 'surface' && left !== null) {
    player.vent = null;
    draft.events.push({ type: 'vent.used', seat, how: 'out', vent: left, place });
    one.isFinished = true;
  }
  if (intent.type !== 'vent') return;
  one.isFinished = true;
  const note = ventRefusal(draft.world, player, intent.to);
  const target = findVent(draft.world.ship.map, intent.to);
  if (note !== null || target === null) {
    if (note !== null) refuseIntent(draft, one, intent, note);
    return;
  }
  player.vent = target.id;
  player.place = target.place;
  player.moved = false;
  const how = left === null ? 'in' : 'through';
  draft.events.push({ type: 'vent.used', seat, how, vent: target.id, place: target.place });
}

function ventRefusal(world: World, player: PlayerState, to: number): Note | null {
  const target = findVent(world.ship.map, to);
  if (target === null) return refusal('no-vent', `there is no vent ${to}`);
  if (player.vent === null) {
    return target.place === player.place
      ? null
      : refusal('elsewhere', `vent ${to} is in ${target.place}, not in ${player.place}`);
  }
  return target.links.includes(player.vent)
    ? null
    : refusal('not-linked', `vent ${to} is not linked to vent ${player.vent}`);
}

function refusal(code: string, text: string): Note {
  return { code: `vent/${code}`, text };
}
