/** The board in print: how the game stands, in two lines. */

import { livingOn, roleOf, type ShipState } from '../../machines/journal/projection.ts';
import { COLOURS, type Colour, PLACES } from '../../machines/types.ts';
import { SYSTEM_NAMES } from './alarm.ts';
import { hour, seconds } from './hours.ts';
import { type Ink, ink } from './ink.ts';
import { type Block, INDENT, paragraph } from './page.ts';
import { code, name } from './seats.ts';

export function boardBlocks(ship: ShipState): readonly Block[] {
  const standing = standingItems(ship);
  const lines = ship.lens.type === 'glass' ? [standing, placeItems(ship)] : [standing];
  const lead = ship.lens.type === 'glass' ? ink(`${INDENT}│ `, 'dim') : hour(ship.round);
  return lines.flatMap((items) => (items.length === 0 ? [] : [paragraph([lead], between(items))]));
}

function between(items: readonly (readonly Ink[])[]): readonly Ink[] {
  return items.flatMap((item, index) => (index === 0 ? item : [ink('  ·  ', 'dim'), ...item]));
}

function standingItems(ship: ShipState): readonly (readonly Ink[])[] {
  const { lens, sabotage } = ship;
  const broken =
    sabotage === null ? [] : [[ink(`trouble with ${SYSTEM_NAMES[sabotage.system]}`, 'yellow')]];
  if (lens.type === 'glass') return [bar(ship), ...cooldowns(ship), ...broken];
  if (lens.type === 'player') return [...own(ship, lens.seat), ...broken];
  const steps = ship.taskSteps === 0 ? [] : [[ink(`${ship.taskSteps} steps of tasks done`, 'dim')]];
  return [...steps, ...broken];
}

/** Cells of the bar. */
const CELLS = 12;

function bar(ship: ShipState): readonly Ink[] {
  const { done, all } = taskCount(ship);
  const full = all === 0 ? 0 : Math.floor((CELLS * done) / all);
  const cells = `${'■'.repeat(full)}${'□'.repeat(CELLS - full)}`;
  return [
    ink(`${cells} ${done}/${all} tasks`, 'dim'),
    ink(`, ${livingOn(ship).length} living`, 'dim'),
  ];
}

/** Tasks done and wanted: what the dead have left open may leave the bar. */
function taskCount(ship: ShipState): { readonly done: number; readonly all: number } {
  const { seats, options, losses, tasksDone: tasks } = ship;
  let done = 0;
  let all = 0;
  for (const { colour, role } of seats) {
    if (role === 'impostor') continue;
    const own = tasks[colour] ?? 0;
    const loss = losses.find(({ seat }) => seat === colour);
    const counts = loss === undefined || (loss.how !== 'left' && options.ghosts_do_tasks === true);
    done += own;
    all += counts ? handOf(ship) : own;
  }
  return { done, all };
}

/** Tasks that each player is dealt. */
export function handOf({ options }: ShipState): number {
  return (options.common_tasks ?? 0) + (options.long_tasks ?? 0) + (options.short_tasks ?? 0);
}

function cooldowns(ship: ShipState): readonly (readonly Ink[])[] {
  return livingOn(ship).flatMap((seat) => {
    const wait = ship.killWaits[seat];
    if (wait === undefined) return [];
    const text = wait === 0 ? ' can kill' : ` kills in ${seconds(wait)}`;
    return [[name(seat), ink(text, 'dim')]];
  });
}

function own(ship: ShipState, seat: Colour): readonly (readonly Ink[])[] {
  if (roleOf(ship, seat) === 'impostor') return cooldowns(ship).slice(0, 1);
  return [[ink(`${ship.tasksDone[seat] ?? 0}/${handOf(ship)} own tasks done`, 'dim')]];
}

/** Who is where, room by room; "†" is a body, brackets are a vent. */
function placeItems(ship: ShipState): readonly (readonly Ink[])[] {
  const living = livingOn(ship);
  return PLACES.flatMap((place) => {
    const here = COLOURS.filter((seat) => living.includes(seat) && ship.places[seat] === place);
    const bodies = ship.bodies.filter((body) => body.place === place);
    if (here.length + bodies.length === 0) return [];
    const marks = [
      ...here.flatMap((seat) => [ink(' '), ...mark(seat, ship)]),
      ...bodies.flatMap(({ victim }) => [ink(' †', 'redBright'), code(victim)]),
    ];
    return [[ink(place.replace(' hallway', ' hall'), 'dim'), ...marks]];
  });
}

function mark(seat: Colour, { inVents }: ShipState): readonly Ink[] {
  return inVents.includes(seat) ? [ink('('), code(seat), ink(')')] : [code(seat)];
}
