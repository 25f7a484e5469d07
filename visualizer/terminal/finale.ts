/** The finale in print: who has won and why, who was who, and how everybody did. */
import type { SeenOf } from '../../machines/journal/lens.ts';
import type { Projection, ShipState } from '../../machines/journal/projection.ts';
import type { Colour, Role } from '../../machines/types.ts';
import { endingOf } from '../ending.ts';
import { handOf } from './board.ts';
import { type Ink, ink } from './ink.ts';
import { type Block, banner, blank, INDENT, paragraph } from './page.ts';
import { clock } from './rounds.ts';
import type { ShipProjection } from './scene.ts';
import { name, player } from './seats.ts';

type Closed = SeenOf<'game.closed'>;
export function finaleBlocks(closed: Closed, state: ShipProjection): readonly Block[] {
  const { impostors } = closed;
  const roles = new Map(
    state.ship.seats.flatMap(({ colour, role }): [Colour, Role][] => {
      const known =
        role ??
        (impostors === undefined ? null : impostors.includes(colour) ? 'impostor' : 'crewmate');
      return known === null ? [] : [[colour, known]];
    }),
  );
  const { meetings, messages, ship } = state;
  const length = `${clock(ship.round)} on the ship, ${counted(meetings, 'meeting')}, ${counted(messages, 'message')}`;
  return [
    blank(),
    banner('The game is over'),
    paragraph([ink(INDENT)], [ink(endingOf(closed), 'bold')]),
    paragraph([ink(INDENT)], [ink(length, 'dim')]),
    blank(),
    ...ship.seats.map(({ colour }) => fateBlock(colour, roles, state)),
  ];
}

function fateBlock(seat: Colour, roles: ReadonlyMap<Colour, Role>, state: ShipProjection): Block {
  const role = roles.get(seat);
  const hue = role === 'impostor' ? (['redBright', 'bold'] as const) : [];
  const facts = [
    fate(seat, state.ship),
    ...work(seat, role, state.ship),
    ...kills(seat, state.ship),
    ...votes(seat, roles, state),
  ];
  const rest = facts.flatMap((fact) => [ink(' · ', 'dim'), ...fact]);
  return paragraph(
    [ink('  ')],
    [...player(seat), ink(role === undefined ? '' : ': '), ink(role ?? '', ...hue), ...rest],
  );
}

function fate(seat: Colour, { losses }: ShipState): readonly Ink[] {
  const loss = losses.find((each) => each.seat === seat);
  if (loss === undefined) return [ink('survived', 'dim')];
  const by = loss.by === null ? [] : [ink(' by ', 'dim'), name(loss.by)];
  const how = loss.how === 'left' ? 'left the game' : loss.how;
  const when = loss.how === 'killed' && loss.by === null ? 'before' : 'at';
  return [ink(how), ...by, ink(` ${when} ${clock(loss.round)}`, 'dim')];
}

function work(seat: Colour, role: Role | undefined, ship: ShipState): readonly (readonly Ink[])[] {
  const isKnown =
    ship.lens.type === 'glass' || (ship.lens.type === 'player' && ship.lens.seat === seat);
  if (!isKnown || role !== 'crewmate') return [];
  return [[ink(`${ship.tasksDone[seat] ?? 0}/${handOf(ship)} tasks`, 'dim')]];
}

function kills(seat: Colour, { losses }: ShipState): readonly (readonly Ink[])[] {
  const victims = losses.filter(({ by }) => by === seat).length;
  return victims === 0 ? [] : [[ink(counted(victims, 'kill'), 'redBright')]];
}

/** How often a crewmate voted for an impostor, of the ballots that were for somebody. */
function votes(
  seat: Colour,
  roles: ReadonlyMap<Colour, Role>,
  { ballots }: Projection,
): readonly (readonly Ink[])[] {
  const cast = ballots.flatMap(({ voter, ballot }) =>
    voter === seat && ballot !== 'skip' ? [ballot] : [],
  );
  if (roles.get(seat) !== 'crewmate' || cast.length === 0) return [];
  const right = cast.filter((ballot) => roles.get(ballot) === 'impostor').length;
  return [[ink(`${right} of ${cast.length} votes right`, right > 0 ? 'green' : 'dim')]];
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
