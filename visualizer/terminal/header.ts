/** The head of a meeting or a game in print: what is played, by which rules and whom, through which lens, and who called it. */
import type { Lens, SeenOf, SeenSeat } from '../../machines/journal/lens.ts';
import { ink } from './ink.ts';
import { thoughtBlock } from './minds.ts';
import { type Block, banner, blank, INDENT, paragraph } from './page.ts';
import type { Scene } from './scene.ts';
import { type Names, named, player } from './seats.ts';

type Opened = SeenOf<'journal.opened'>;

export function titleBlocks(
  { scenario, seed, meeting }: Opened,
  { state: { lens }, names }: Scene,
): readonly Block[] {
  const { name, about, options, seats } = scenario;
  const game = meeting === undefined || meeting === 0 ? '' : `, meeting ${meeting}`;
  const draw = seed === undefined ? '' : ` · seed ${seed}${game}`;
  return [
    banner('The Glass Box League'),
    paragraph([], [ink(name, 'bold')]),
    ...(about === '' ? [] : [paragraph([], [ink(about)])]),
    paragraph([], [ink(`${rulesLine(options)}${draw}`, 'dim')]),
    paragraph([], [ink('Seen ', 'dim'), ...lensInks(lens)]),
    blank(),
    ...seatBlocks(seats, names),
  ];
}

/** The head of a whole game. */
export function gameTitleBlocks(
  { lobby, seed }: SeenOf<'game.opened'>,
  { state: { lens }, names }: Scene,
): readonly Block[] {
  const { name, about, options, seats, map } = lobby;
  const draw = seed === undefined ? '' : ` · seed ${seed}`;
  const impostors =
    options.impostors === undefined ? '' : ` · ${impostorsAmong(options.impostors)}`;
  const ship = map === 'skeld' ? 'The Skeld' : map.name;
  return [
    banner('The Glass Box League'),
    paragraph([], [ink(name, 'bold'), ink(` · ${ship}`)]),
    ...(about === '' ? [] : [paragraph([], [ink(about)])]),
    paragraph([], [ink(`${rulesLine(options)}${impostors}${draw}`, 'dim')]),
    paragraph([], [ink('Seen ', 'dim'), ...lensInks(lens)]),
    blank(),
    ...seatBlocks(seats, names),
  ];
}

function impostorsAmong(count: number): string {
  return count === 1 ? 'one impostor' : `${count} impostors`;
}

/** `thought` is what made the caller call, where it is known. */
export function calledBlocks(
  { by, body, place }: SeenOf<'meeting.called'>,
  thought?: string,
): readonly Block[] {
  if (by === undefined) return [];
  const found = body === null || body === undefined ? null : body;
  const what =
    found === null
      ? [ink(' presses the emergency button')]
      : [ink(' reports the body of '), ...player(found)];
  const where = place === null || place === undefined ? [] : [ink(` in ${place}`)];
  return [
    paragraph([ink(INDENT)], [...player(by), ...what, ...where]),
    ...thoughtBlock(thought, INDENT),
  ];
}

/** What a spectator must know of the options to follow; the journal has them all. */
function rulesLine(
  options: Pick<Opened['scenario']['options'], 'rules' | 'confirm_ejects' | 'anonymous_votes'>,
): string {
  const rules = options.rules ?? 'house';
  const confirm =
    options.confirm_ejects === false ? 'roles stay secret' : 'ejections confirm the role';
  const votes = options.anonymous_votes === true ? 'anonymous votes' : 'open reveal';
  return `${rules} rules · ${confirm} · ${votes}`;
}

function lensInks(lens: Lens) {
  switch (lens.type) {
    case 'table':
      return [ink('from the table: no secrets before their time', 'dim')];
    case 'player':
      return [ink('with the eyes of ', 'dim'), ...player(lens.seat)];
    case 'glass':
      return [ink('through the glass: thoughts, bids and ballots', 'dim')];
    default:
      return lens satisfies never;
  }
}

/** A seat at a table or on a ship, where everybody lives at first. */
type Seated = SeenSeat | SeenOf<'game.opened'>['lobby']['seats'][number];

/** A line for each seat of which more is known than its colour; the others share one. */
function seatBlocks(seats: readonly Seated[], names: Names): readonly Block[] {
  const known = seats.filter(({ role }) => role !== undefined);
  const others = seats.filter(({ role }) => role === undefined);
  const list = others.flatMap((seat, index) => [
    ...(index === 0 ? [] : [ink(', ')]),
    ...named(seat.colour, names),
    ...(isDead(seat) ? [ink(' (dead)', 'dim')] : []),
  ]);
  const rest = list.length === 0 ? [] : [paragraph([ink('  ')], list)];
  return [...known.map((seat) => seatBlock(seat, names)), ...rest];
}

function seatBlock(seat: Seated, names: Names): Block {
  const { colour, role, persona } = seat;
  const character = typeof persona === 'object' ? [persona.name, persona.temperament] : [persona];
  const rest = [...new Set(character), isDead(seat) ? 'dead' : undefined].filter(
    (part) => part !== undefined,
  );
  const about = rest.map((part) => ` · ${part}`).join('');
  const colours = role === 'impostor' ? (['redBright', 'bold'] as const) : [];
  return paragraph(
    [ink('  ')],
    [...named(colour, names), ink(': '), ink(role ?? '', ...colours), ink(about, 'dim')],
  );
}

function isDead(seat: Seated): boolean {
  return 'dead' in seat && seat.dead;
}
