/**
 * A passage in print: some quiet rounds told together, by who went where and did what.
 *
 * Ways are told by where people stop, and those who did the same are told as one.
 */

import {
  actionIn,
  type CurrentAction,
  livingOn,
  roleOf,
  type SeenRound,
  type ShipState,
} from '../../machines/journal/projection.ts';
import type { Colour, Place } from '../../machines/types.ts';
import { chore, conjugated } from './chores.ts';
import { hour } from './hours.ts';
import { type Ink, ink } from './ink.ts';
import { type Block, paragraph } from './page.ts';
import { listed, name } from './seats.ts';
import { sightInks, theHallway } from './sights.ts';

/** A place where somebody stood, and what they did there. */
type Stop = { readonly place: Place; readonly did: readonly string[] };

export function passageBlocks(
  rounds: readonly SeenRound[],
  before: ShipState,
  after: ShipState,
): readonly Block[] {
  const first = rounds[0];
  if (first === undefined) return [];
  const items = [
    ...wayItems(rounds, before),
    ...suspense(before, after),
    ...(before.lens.type === 'player' ? sightInks(rounds, before.lens.seat) : []),
  ];
  if (items.length === 0) return [];
  const text = items.flatMap((item, index) =>
    index === 0 ? item : [ink('  ·  ', 'dim'), ...item],
  );
  return [paragraph([hour(first.round ?? before.round)], text)];
}

/** Where everybody went, those together who went alike. */
function wayItems(rounds: readonly SeenRound[], before: ShipState): readonly (readonly Ink[])[] {
  const alike = new Map<string, { readonly stops: readonly Stop[]; readonly seats: Colour[] }>();
  for (const { colour } of before.seats) {
    const stops = stopsOf(colour, rounds, before);
    if (stops.length === 0) continue;
    const key = JSON.stringify([stops, before.places[colour] === stops[0]?.place]);
    const group = alike.get(key);
    if (group === undefined) alike.set(key, { stops, seats: [colour] });
    else group.seats.push(colour);
  }
  return [...alike.values()].map(({ stops, seats }) => wayInks(stops, seats, before));
}

function wayInks(
  stops: readonly Stop[],
  seats: readonly Colour[],
  { places, losses }: ShipState,
): readonly Ink[] {
  const [lead] = seats;
  const start = lead === undefined ? undefined : places[lead];
  const isGhost = losses.some(({ seat }) => seat === lead);
  const way = stops.flatMap(({ place, did }, index) => {
    const stays = index === 0 && place === start;
    const deeds = did.map((words) => conjugated(words, seats.length)).join(', ');
    const goes = stays ? ` in ${theHallway(place)}` : ` → ${place}`;
    const does = deeds === '' ? '' : stays ? ` ${deeds}` : `, ${deeds}`;
    return [ink(goes, 'dim'), ink(does)];
  });
  return [...listed(seats), ...(isGhost ? [ink(' (ghost)', 'dim')] : []), ...way];
}

/** Where somebody stopped; who only stood about has none, and who is on the way is told when they have arrived. */
function stopsOf(seat: Colour, rounds: readonly SeenRound[], before: ShipState): readonly Stop[] {
  let place = before.places[seat];
  let aim = before.actions[seat];
  const start = place;
  const stops: Stop[] = [];
  for (const round of rounds) {
    const end = round.paths?.[seat]?.at(-1);
    aim = actionIn(round, seat) ?? aim;
    place = end ?? place;
    if (place === undefined) continue;
    if (end === undefined) stand(stops, place, doneIn(round, seat, place, aim));
  }
  return stops.filter(
    ({ place: where, did }, index) => did.length > 0 || index > 0 || where !== start,
  );
}

function stand(stops: Stop[], place: Place, did: readonly string[]): void {
  const last = stops.at(-1);
  if (last?.place !== place) {
    stops.push({ place, did });
    return;
  }
  const more = did.filter((words) => !last.did.includes(words));
  if (more.length > 0) stops[stops.length - 1] = { place, did: [...last.did, ...more] };
}

/** What somebody who stands was at: what is finished, and what only looks like work. */
function doneIn(
  { events = [], deeds = {} }: SeenRound,
  seat: Colour,
  place: Place,
  aim: CurrentAction | undefined,
): readonly string[] {
  const steps = events.flatMap((event) =>
    event.type === 'task.stepped' && event.seat === seat ? [chore(event.task ?? '')] : [],
  );
  if (steps.length > 0) return steps;
  const deed = deeds[seat];
  if (deed === 'task' && aim?.type === 'fake') return [`pretend to ${chore(aim.task)}`];
  if (deed === 'fixing') return ['work at the console'];
  if (deed === 'watching') return [place === 'Security' ? 'watch the cameras' : 'read the table'];
  return [];
}

/** An impostor alone with one other: whoever looks through the glass holds their breath. */
function suspense(before: ShipState, after: ShipState): readonly (readonly Ink[])[] {
  if (after.lens.type !== 'glass') return [];
  return pairs(after).flatMap(([one, other]) => {
    const wasSo = pairs(before).some(([a, b]) => a === one && b === other);
    const place = after.places[one];
    if (wasSo || place === undefined) return [];
    const where = ink(` in ${theHallway(place)}`, 'yellow');
    return [[name(one), ink(' is alone with ', 'yellow'), name(other), where]];
  });
}

/** Each impostor who is in one place with one crewmate only, and that crewmate. */
function pairs(ship: ShipState): readonly (readonly [Colour, Colour])[] {
  const there = livingOn(ship).filter((seat) => !ship.inVents.includes(seat));
  return there.flatMap((one) => {
    if (roleOf(ship, one) !== 'impostor') return [];
    const others = there.filter((seat) => seat !== one && ship.places[seat] === ship.places[one]);
    const [other] = others;
    const isPair = other !== undefined && others.length === 1;
    return isPair && roleOf(ship, other) === 'crewmate' ? [[one, other] as const] : [];
  });
}
