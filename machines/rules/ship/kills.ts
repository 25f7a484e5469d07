/**
 * Kills come first in a round. All decisions are based on the places at its beginning, and a kill is faster than a
 * step. If two impostors choose one victim, the draw decides whose kill it is, and the other one has done nothing.
 */
import type { Colour, Note } from '../../types.ts';
import { rounds } from '../options.ts';
import {
  changeStanding,
  type Draft,
  isLivingSeat,
  movePlayer,
  pickByDraw,
  pursue,
  refuseIntent,
  type SeatDraft,
  seatsIntending,
} from './draft.ts';
import { areJoined, isLiving, type PlayerState, roleOf, type World } from './world.ts';

export function resolveKills(draft: Draft): void {
  const { before } = draft;
  const tried = seatsIntending(draft, 'kill').filter(({ by }) => isLivingSeat(by));
  if (tried.length === 0) return;
  for (const { by, intent } of tried) {
    const note = killRefusal(before, by.seat, intent.whom);
    if (note !== null) refuseIntent(draft, by, intent, note);
    by.isFinished = true;
  }
  const able = tried.filter(({ by, intent }) => killRefusal(before, by.seat, intent.whom) === null);
  for (const victim of draft.seats) {
    const killers = able.filter(({ intent }) => intent.whom === victim.seat);
    // A player who left in this round cannot be killed.
    const isThere = isLivingSeat(victim);
    const quickest = pickByDraw(draft, killers);
    for (const { by, intent } of killers) {
      if (isThere && by === quickest) strike(draft, by, victim);
      else refuseIntent(draft, by, intent, isThere ? TOO_SLOW : notLiving(victim.seat));
    }
  }
}

function strike(draft: Draft, by: SeatDraft, victim: SeatDraft): void {
  const { place } = victim.player;
  changeStanding(draft, victim, 'dead');
  const { world } = draft;
  draft.world = { ...world, bodies: [...world.bodies, { victim: victim.seat, place }] };
  pursue(draft, victim, null);
  by.player.killWait = rounds(world.ship.options.killCooldown);
  // A kill from the next place moves the killer to the victim.
  if (by.start.place !== place) movePlayer(by, [place]);
  draft.events.push({ type: 'player.killed', by: by.seat, victim: victim.seat, place });
}

function killRefusal(world: World, by: Colour, victim: Colour): Note | null {
  const killer = world.players[by];
  const target = world.players[victim];
  if (killer === undefined || roleOf(world, by) !== 'impostor' || !isLiving(world, by))
    return note('impostors-only', 'only living impostors can kill');
  if (target === undefined || !isLiving(world, victim)) return notLiving(victim);
  if (roleOf(world, victim) === 'impostor') return note('partner', `${victim} is an impostor too`);
  if (killer.vent !== null) return note('in-vent', 'nobody can be killed from inside a vent');
  if (killer.killWait > 0) return note('cooldown', `${killer.killWait} rounds until a kill`);
  return isInReach(world, killer, target)
    ? null
    : note('out-of-reach', `${victim} is not within reach of ${by}`);
}

function isInReach(world: World, killer: PlayerState, target: PlayerState): boolean {
  const { killDistance } = world.ship.options;
  if (killer.place === target.place)
    return killDistance !== 'short' || (!killer.moved && !target.moved);
  return killDistance === 'long' && areJoined(world, killer.place, target.place);
}

const TOO_SLOW = note('at-once', 'another impostor was quicker');

function notLiving(victim: Colour): Note {
  return note('not-living', `${victim} is not among the living`);
}

function note(code: string, text: string): Note {
  return { code: `kill/${code}`, text };
}
