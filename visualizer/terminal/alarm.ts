/** Alarms in print: what must not be overlooked in a round, each on a line of its own with the thought behind it. */

import type { SeenEvent } from '../../machines/journal/gameLens.ts';
import {
  isNoFinder,
  type SeenRound,
  type ShipState,
  secondsUntilLost,
  thoughtIn,
} from '../../machines/journal/projection.ts';
import type { System } from '../../machines/rules/ship/map.ts';
import type { Colour, Deed, Place } from '../../machines/types.ts';
import { hour, seconds } from './hours.ts';
import { type Ink, ink } from './ink.ts';
import { thoughtBlock } from './minds.ts';
import { type Block, INDENT, paragraph } from './page.ts';
import { listed, player } from './seats.ts';
import { theHallway } from './sights.ts';

export const SYSTEM_NAMES: Readonly<Record<System, string>> = {
  reactor: 'the reactor',
  o2: 'the oxygen',
  lights: 'the lights',
  comms: 'the comms',
};
const BROKEN: Readonly<Record<System, string>> = {
  reactor: 'The reactor melts down',
  o2: 'The oxygen runs out',
  lights: 'The lights go out',
  comms: 'The comms fall silent',
};

/** What is grave in a round, as it stood before; nothing when it is quiet. */
export function alarmBlocks(round: SeenRound, before: ShipState): readonly Block[] {
  const told = (round.events ?? []).flatMap((event) => eventBlocks(event, round, before));
  return [...told, ...crimeBlocks(round, before), ...findBlocks(round, before)];
}

function eventBlocks(event: SeenEvent, round: SeenRound, before: ShipState): readonly Block[] {
  const at = hour(round.round ?? before.round);
  switch (event.type) {
    case 'player.killed':
      return killBlocks(event, round, before);
    case 'vent.used':
      return ventBlocks(event, round, at);
    case 'sabotage.begun':
      return sabotageBlocks(event, round, before);
    case 'sabotage.mended': {
      if (event.system === undefined) return [];
      const by =
        event.by === undefined ? [] : [ink(' (', 'dim'), ...listed(event.by), ink(')', 'dim')];
      return [
        line(at, '✓ ', [
          ink(`${capital(SYSTEM_NAMES[event.system])} ${MENDED[event.system]}`, 'green'),
          ...by,
        ]),
      ];
    }
    case 'keypad.entered': {
      const by = event.seat === undefined ? [ink('Somebody')] : player(event.seat);
      return [line(at, '  ', [...by, ink(` enters the code in ${event.at ?? 'a room'}`)])];
    }
    case 'doors.shut': {
      const what = `the doors of ${event.room ?? 'a room'}`;
      if (event.by === undefined) return [line(at, '  ', [ink(`${capital(what)} shut`)])];
      return [
        line(at, '  ', [...player(event.by), ink(` shuts ${what}`)]),
        ...behind(round, event.by),
      ];
    }
    case 'seat.departed': {
      if (event.seat === undefined) return [];
      const why = event.reason === 'faults' ? ' is disconnected' : ' leaves the game';
      return [line(at, '  ', [...player(event.seat), ink(why, 'yellow')])];
    }
    default:
      return [];
  }
}

const MENDED: Readonly<Record<System, string>> = {
  reactor: 'is stable again',
  o2: 'flows again',
  lights: 'are on again',
  comms: 'are back',
};

function killBlocks(
  { by, victim, place }: Extract<SeenEvent, { type: 'player.killed' }>,
  round: SeenRound,
  before: ShipState,
): readonly Block[] {
  if (by === undefined || victim === undefined || place === undefined) return [];
  const watched = Object.keys(witnesses(round, 'kill', by, place));
  const eyes = before.seats.flatMap(({ colour }) => (watched.includes(colour) ? [colour] : []));
  const seen = eyes.length === 0 ? [] : [ink(', before the eyes of '), ...listed(eyes)];
  const text = [
    ...player(by),
    ink(' kills ', 'redBright', 'bold'),
    ...player(victim),
    ink(` in ${theHallway(place)}`),
    ...seen,
  ];
  return [line(hour(round.round ?? before.round), '✖ ', text, 'redBright'), ...behind(round, by)];
}

/** Those who saw somebody do something somewhere. */
function witnesses(
  { seen = {} }: SeenRound,
  deed: Deed,
  by: Colour,
  where: Place,
): Readonly<Record<string, true>> {
  const eyes = Object.entries(seen).filter(([, sights = []]) =>
    sights.some(([who, place, did]) => who === by && did === deed && place === where),
  );
  return Object.fromEntries(eyes.map(([seat]) => [seat, true]));
}

const VENTINGS = {
  in: ' climbs into the vent in ',
  through: ' crawls through to ',
  out: ' climbs out of the vent in ',
} as const;

function ventBlocks(
  { seat, how, place }: Extract<SeenEvent, { type: 'vent.used' }>,
  round: SeenRound,
  at: Ink,
): readonly Block[] {
  if (seat === undefined || how === undefined || place === undefined) return [];
  const text = [...player(seat), ink(`${VENTINGS[how]}${theHallway(place)}`, 'magenta')];
  return [line(at, '≈ ', text, 'magenta'), ...behind(round, seat)];
}

function sabotageBlocks(
  { by, system }: Extract<SeenEvent, { type: 'sabotage.begun' }>,
  round: SeenRound,
  before: ShipState,
): readonly Block[] {
  if (system === undefined) return [];
  const limit = secondsUntilLost(before, system);
  const time = limit === null ? '' : `: ${limit} seconds`;
  const who = by === undefined ? [] : [ink(' (', 'dim'), ...player(by), ink(')', 'dim')];
  const text = [ink(`${BROKEN[system]}${time}`, 'yellow', 'bold'), ...who];
  const alarm = line(hour(round.round ?? before.round), '! ', text, 'yellow');
  return [alarm, ...(by === undefined ? [] : behind(round, by))];
}

/** Crimes that somebody saw where the lens doesn't show the deed itself: with one's own eyes. */
function crimeBlocks(round: SeenRound, before: ShipState): readonly Block[] {
  const { lens } = before;
  if (lens.type !== 'player') return [];
  const at = hour(round.round ?? before.round);
  const told = (round.events ?? []).flatMap((event) =>
    event.type === 'player.killed' ? [event.by] : event.type === 'vent.used' ? [event.seat] : [],
  );
  return (round.seen?.[lens.seat] ?? []).flatMap(([who, place, did]) => {
    if ((did !== 'kill' && did !== 'vent') || told.includes(who)) return [];
    const what = did === 'kill' ? ' kill in ' : ' at the vent in ';
    const text = [
      ...player(lens.seat),
      ink(' sees '),
      ...player(who),
      ink(`${what}${theHallway(place)}`),
    ];
    return [line(at, '✖ ', text, 'redBright')];
  });
}

/** Bodies that somebody comes upon for the first time; who was there when it happened does not find it. */
function findBlocks(round: SeenRound, before: ShipState): readonly Block[] {
  const { seen = {}, events = [] } = round;
  const fresh = events.flatMap((event) =>
    event.type === 'player.killed' && event.victim !== undefined ? [event.victim] : [],
  );
  const finds = new Map<
    string,
    { readonly victim: Colour; readonly place: Place; readonly by: Colour[] }
  >();
  for (const { colour } of before.seats) {
    if (isNoFinder(before, colour)) continue;
    for (const [victim, place, did] of seen[colour] ?? []) {
      if (did !== 'dead' || fresh.includes(victim) || before.found.includes(victim)) continue;
      const find = finds.get(victim) ?? { victim, place, by: [] };
      find.by.push(colour);
      finds.set(victim, find);
    }
  }
  const at = hour(round.round ?? before.round);
  return [...finds.values()].map(({ victim, place, by }) => {
    const verb = by.length === 1 ? ' sees' : ' see';
    const what = [ink(`${verb} the body of `), ...player(victim), ink(` in ${theHallway(place)}`)];
    return line(at, '† ', [...listed(by), ...what], 'redBright');
  });
}

/** How long there is left, where something will be too late. */
export function countdownBlocks({ sabotage, round }: ShipState): readonly Block[] {
  if (sabotage === null || sabotage.left === null) return [];
  const text = `${seconds(sabotage.left)} until ${SYSTEM_NAMES[sabotage.system]} is lost`;
  return [line(hour(round), '! ', [ink(text, 'yellow')], 'yellow')];
}

function behind(round: SeenRound, seat: Colour): readonly Block[] {
  return thoughtBlock(thoughtIn(round, seat), INDENT);
}

function line(
  at: Ink,
  mark: string,
  text: readonly Ink[],
  ...hue: readonly ('redBright' | 'yellow' | 'magenta')[]
): Block {
  return paragraph([at, ink(mark, ...hue)], text);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
