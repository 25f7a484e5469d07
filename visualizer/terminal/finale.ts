/** The finale in print: who has won and why, who was who, and how everybody did. */
import type { SeenOf } from '../../machines/journal/lens.ts';
import type { Colour, Role } from '../../machines/types.ts';
import { endingOf } from '../ending.ts';
import { handOf } from './board.ts';
import { type Ink, ink } from './ink.ts';
import { type Block, banner, blank, INDENT, paragraph } from './page.ts';
import { clock } from './rounds.ts';
import { name, player } from './seats.ts';
import type { Voyage } from './voyage.ts';

type Closed = SeenOf<'game.closed'>;
export function finaleBlocks(closed: Closed, voyage: Voyage): readonly Block[] {
  const { impostors } = closed;
  const roles = new Map(
    voyage.seats.flatMap(({ colour, role }): [Colour, Role][] => {
      const known =
        role ??
        (impostors === undefined ? null : impostors.includes(colour) ? 'impostor' : 'crewmate');
      return known === null ? [] : [[colour, known]];
    }),
  );
  const { meetings, messages, round } = voyage;
  const length = `${clock(round)} on the ship, ${counted(meetings, 'meeting')}, ${counted(messages, 'message')}`;
  return [
    blank(),
    banner('The game is over'),
    paragraph([ink(INDENT)], [ink(endingOf(closed), 'bold')]),
    paragraph([ink(INDENT)], [ink(length, 'dim')]),
    blank(),
    ...voyage.seats.map(({ colour }) => fateBlock(colour, roles, voyage)),
  ];
}

function fateBlock(seat: Colour, roles: ReadonlyMap<Colour, Role>, voyage: Voyage): Block {
  const role = roles.get(seat);
  const hue = role === 'impostor' ? (['redBright', 'bold'] as const) : [];
  const facts = [
    fate(seat, voyage),
    ...work(seat, role, voyage),
    ...kills(seat, voyage),
    ...votes(seat, roles, voyage),
  ];
  const rest = facts.flatMap((fact) => [ink(' · ', 'dim'), ...fact]);
  return paragraph(
    [ink('  ')],
    [...player(seat), ink(role === undefined ? '' : ': '), ink(role ?? '', ...hue), ...rest],
  );
}

function fate(seat: Colour, { losses }: Voyage): readonly Ink[] {
  const loss = losses.find((each) => each.seat === seat);
  if (loss === undefined) return [ink('survived', 'dim')];
  const by = loss.by === null ? [] : [ink(' by ', 'dim'), name(loss.by)];
  const how = loss.how === 'left' ? 'left the game' : loss.how;
  const when = loss.how === 'killed' && loss.by === null ? 'before' : 'at';
  return [ink(how), ...by, ink(` ${when} ${clock(loss.round)}`, 'dim')];
}

function work(seat: Colour, role: Role | undefined, voyage: Voyage): readonly (readonly Ink[])[] {
  const isKnown =
    voyage.lens.type === 'glass' || (voyage.lens.type === 'player' && voyage.lens.seat === seat);
  if (!isKnown || role !== 'crewmate') return [];
  return [[ink(`${voyage.tasks[seat] ?? 0}/${handOf(voyage)} tasks`, 'dim')]];
}

function kills(seat: Colour, { losses }: Voyage): readonly (readonly Ink[])[] {
  const victims = losses.filter(({ by }) => by === seat).length;
  return victims === 0 ? [] : [[ink(counted(victims, 'kill'), 'redBright')]];
}

/** How often a crewmate voted for an impostor, of the ballots that were for somebody. */
function votes(
  seat: Colour,
  roles: ReadonlyMap<Colour, Role>,
  { ballots }: Voyage,
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
