/**
 * Who is asked next: a mind is consulted only when something happened that it may want to decide upon, so that a game
 * costs few calls.
 */
import { type BySeat, COLOURS, type Colour } from '../../types.ts';
import type { Draft } from './draft.ts';
import type { Sight } from './sight.ts';
import { bodiesInView, isLit } from './vision.ts';
import { isActive, isLiving, roleOf, type Trigger, type World } from './world.ts';

/** Who is asked in the next round, and why; nobody is asked where nothing happened to them. */
export function asked(draft: Draft, seen: BySeat<readonly Sight[]>): BySeat<readonly Trigger[]> {
  const asks: Partial<Record<Colour, readonly Trigger[]>> = {};
  for (const seat of COLOURS) {
    if (!isActive(draft.world, seat)) continue;
    const why = triggers(draft, seat, seen[seat]);
    if (hasSeenCrime(seat, seen[seat])) why.push('witness');
    if (why.length > 0) asks[seat] = why;
  }
  return asks;
}

function triggers(draft: Draft, seat: Colour, sights: readonly Sight[] = []): Trigger[] {
  const { before, world, events } = draft;
  const why: Trigger[] = [];
  const player = world.players[seat];
  const hasNothingToDo = player?.intent === null || draft.finished.has(seat);
  if (events.some((event) => event.type === 'intent.refused' && event.seat === seat)) {
    why.push('refused');
  } else if (hasNothingToDo) {
    why.push(draft.paths[seat] === undefined ? 'done' : 'arrived');
  }
  if (!isLiving(world, seat)) return why;
  if (hasNewCompany(before, world, seat)) why.push('company');
  if (hasNewBody(before, seat, sights)) why.push('body');
  if (before.crisis?.system !== world.crisis?.system) why.push('alarm');
  const wait = player?.killWait ?? 0;
  if (wait === 0 && (before.players[seat]?.killWait ?? 0) > 0) why.push('ready');
  return why;
}

/** A kill or a vent was seen: nobody goes on with their wires after that. */
function hasSeenCrime(seat: Colour, sights: readonly Sight[] = []): boolean {
  return sights.some(({ who, did }) => who !== seat && (did === 'kill' || did === 'vent'));
}

/** The living who are seen at the own place. */
export function company(world: World, seat: Colour): readonly Colour[] {
  const own = world.players[seat];
  if (own === undefined || !isLit(world, seat, own.place)) return [];
  return COLOURS.filter((other) => {
    const player = world.players[other];
    return (
      other !== seat &&
      player?.place === own.place &&
      player.vent === null &&
      isLiving(world, other)
    );
  });
}

/** Somebody has come; to an impostor it matters too when somebody has gone. */
function hasNewCompany(before: World, after: World, seat: Colour): boolean {
  const [then, now] = [company(before, seat), company(after, seat)];
  if (now.some((other) => !then.includes(other))) return true;
  return roleOf(after, seat) === 'impostor' && then.length > now.length && now.length > 0;
}

/** A body that was not in view as the round began, also one that was passed on the way. */
function hasNewBody(before: World, seat: Colour, sights: readonly Sight[]): boolean {
  if (sights.every(({ did }) => did !== 'dead')) return false;
  const known = bodiesInView(before, seat).map(({ victim }) => victim);
  return sights.some(({ who, did }) => did === 'dead' && !known.includes(who));
}
