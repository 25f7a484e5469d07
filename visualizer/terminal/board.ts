/** The board in print: how the game stands, in two lines. */
import { COLOURS, type Colour, PLACES } from '../../machines/types.ts';
import { SYSTEM_NAMES } from './alarm.ts';
import { hour, seconds } from './hours.ts';
import { type Ink, ink } from './ink.ts';
import { type Block, INDENT, paragraph } from './page.ts';
import { code, name } from './seats.ts';
import { livingOn, roleOf, type Voyage } from './voyage.ts';

export function boardBlocks(voyage: Voyage): readonly Block[] {
  const standing = standingItems(voyage);
  const lines = voyage.lens.type === 'glass' ? [standing, placeItems(voyage)] : [standing];
  const lead = voyage.lens.type === 'glass' ? ink(`${INDENT}│ `, 'dim') : hour(voyage.round);
  return lines.flatMap((items) => (items.length === 0 ? [] : [paragraph([lead], between(items))]));
}

function between(items: readonly (readonly Ink[])[]): readonly Ink[] {
  return items.flatMap((item, index) => (index === 0 ? item : [ink('  ·  ', 'dim'), ...item]));
}

function standingItems(voyage: Voyage): readonly (readonly Ink[])[] {
  const { lens, crisis } = voyage;
  const broken =
    crisis === null ? [] : [[ink(`trouble with ${SYSTEM_NAMES[crisis.system]}`, 'yellow')]];
  if (lens.type === 'glass') return [bar(voyage), ...cooldowns(voyage), ...broken];
  if (lens.type === 'player') return [...own(voyage, lens.seat), ...broken];
  const steps = voyage.steps === 0 ? [] : [[ink(`${voyage.steps} steps of tasks done`, 'dim')]];
  return [...steps, ...broken];
}

/** Cells of the bar. */
const CELLS = 12;

function bar(voyage: Voyage): readonly Ink[] {
  const { done, all } = taskCount(voyage);
  const full = all === 0 ? 0 : Math.floor((CELLS * done) / all);
  const cells = `${'■'.repeat(full)}${'□'.repeat(CELLS - full)}`;
  return [
    ink(`${cells} ${done}/${all} tasks`, 'dim'),
    ink(`, ${livingOn(voyage).length} living`, 'dim'),
  ];
}

/** Tasks done and wanted: what the dead have left open may leave the bar. */
function taskCount(voyage: Voyage): { readonly done: number; readonly all: number } {
  const { seats, options, losses, tasks } = voyage;
  let done = 0;
  let all = 0;
  for (const { colour, role } of seats) {
    if (role === 'impostor') continue;
    const own = tasks[colour] ?? 0;
    const loss = losses.find(({ seat }) => seat === colour);
    const counts = loss === undefined || (loss.how !== 'left' && options.ghosts_do_tasks === true);
    done += own;
    all += counts ? handOf(voyage) : own;
  }
  return { done, all };
}

/** Tasks that each player is dealt. */
export function handOf({ options }: Voyage): number {
  return (options.common_tasks ?? 0) + (options.long_tasks ?? 0) + (options.short_tasks ?? 0);
}

function cooldowns(voyage: Voyage): readonly (readonly Ink[])[] {
  return livingOn(voyage).flatMap((seat) => {
    const wait = voyage.waits[seat];
    if (wait === undefined) return [];
    const text = wait === 0 ? ' can kill' : ` kills in ${seconds(wait)}`;
    return [[name(seat), ink(text, 'dim')]];
  });
}

function own(voyage: Voyage, seat: Colour): readonly (readonly Ink[])[] {
  if (roleOf(voyage, seat) === 'impostor') return cooldowns(voyage).slice(0, 1);
  return [[ink(`${voyage.tasks[seat] ?? 0}/${handOf(voyage)} own tasks done`, 'dim')]];
}

/** Who is where, room by room; "†" is a body, brackets are a vent. */
function placeItems(voyage: Voyage): readonly (readonly Ink[])[] {
  const living = livingOn(voyage);
  return PLACES.flatMap((place) => {
    const here = COLOURS.filter((seat) => living.includes(seat) && voyage.places[seat] === place);
    const bodies = voyage.bodies.filter((body) => body.place === place);
    if (here.length + bodies.length === 0) return [];
    const marks = [
      ...here.flatMap((seat) => [ink(' '), ...mark(seat, voyage)]),
      ...bodies.flatMap(({ victim }) => [ink(' †', 'redBright'), code(victim)]),
    ];
    return [[ink(place.replace(' hallway', ' hall'), 'dim'), ...marks]];
  });
}

function mark(seat: Colour, { vented }: Voyage): readonly Ink[] {
  return vented.includes(seat) ? [ink('('), code(seat), ink(')')] : [code(seat)];
}
