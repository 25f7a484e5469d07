/** The head of a meeting or a game: what is played, by which rules and whom, and through which lens. */
import type { Lens, SeenGame, SeenMeeting, SeenOf, SeenSeat } from '../../machines/journal/lens.ts';
import { banner, blank, paragraph, type ScreenBlock, styled } from './layout.ts';
import type { Scene } from './meeting.ts';
import { type Names, player, playerWithName } from './phrases.ts';

/** The head of a match. */
export function renderHeader(
  { match, seed }: SeenOf<'match.opened'>,
  scene: Scene,
): readonly ScreenBlock[] {
  const draw = seed === undefined ? '' : ` · seed ${seed}`;
  return 'call' in match
    ? renderMeetingHeader(match, draw, scene)
    : renderGameHeader(match, draw, scene);
}

function renderMeetingHeader(
  { name, about, options, seats }: SeenMeeting,
  draw: string,
  { state: { lens }, names }: Scene,
): readonly ScreenBlock[] {
  return [
    banner('The Glass Box League'),
    paragraph([], [styled(name, 'bold')]),
    ...(about === '' ? [] : [paragraph([], [styled(about)])]),
    paragraph([], [styled(`${describeRules(options)}${draw}`, 'dim')]),
    paragraph([], [styled('Seen ', 'dim'), ...describeLens(lens)]),
    blank(),
    ...renderSeats(seats, names),
  ];
}

function renderGameHeader(
  { name, about, options, seats, map }: SeenGame,
  draw: string,
  { state: { lens }, names }: Scene,
): readonly ScreenBlock[] {
  const impostors =
    options.impostors === undefined ? '' : ` · ${countImpostors(options.impostors)}`;
  const ship = map === 'skeld' ? 'The Skeld' : map.name;
  return [
    banner('The Glass Box League'),
    paragraph([], [styled(name, 'bold'), styled(` · ${ship}`)]),
    ...(about === '' ? [] : [paragraph([], [styled(about)])]),
    paragraph([], [styled(`${describeRules(options)}${impostors}${draw}`, 'dim')]),
    paragraph([], [styled('Seen ', 'dim'), ...describeLens(lens)]),
    blank(),
    ...renderSeats(seats, names),
  ];
}

function countImpostors(count: number): string {
  return count === 1 ? 'one impostor' : `${count} impostors`;
}

/** What a spectator must know of the options to follow; the journal has them all. */
function describeRules(
  options: Pick<SeenMeeting['options'], 'rules' | 'confirm_ejects' | 'anonymous_votes'>,
): string {
  const rules = options.rules ?? 'house';
  const confirm =
    options.confirm_ejects === false ? 'roles stay secret' : 'ejections confirm the role';
  const votes = options.anonymous_votes === true ? 'anonymous votes' : 'open reveal';
  return `${rules} rules · ${confirm} · ${votes}`;
}

function describeLens(lens: Lens) {
  switch (lens.type) {
    case 'table':
      return [styled('from the table: no secrets before their time', 'dim')];
    case 'player':
      return [styled('with the eyes of ', 'dim'), ...player(lens.seat)];
    case 'glass':
      return [styled('through the glass: thoughts, bids and ballots', 'dim')];
    default:
      return lens satisfies never;
  }
}

/** A seat at a table or on a ship, where all players live at first. */
type SeenPlayerSeat = SeenSeat | SeenGame['seats'][number];

/** A line for each seat of which more is known than its colour; the others share one. */
function renderSeats(seats: readonly SeenPlayerSeat[], names: Names): readonly ScreenBlock[] {
  const known = seats.filter(({ role }) => role !== undefined);
  const others = seats.filter(({ role }) => role === undefined);
  const list = others.flatMap((seat, index) => [
    ...(index === 0 ? [] : [styled(', ')]),
    ...playerWithName(seat.colour, names),
    ...(isDead(seat) ? [styled(' (dead)', 'dim')] : []),
  ]);
  const rest = list.length === 0 ? [] : [paragraph([styled('  ')], list)];
  return [...known.map((seat) => renderSeat(seat, names)), ...rest];
}

function renderSeat(seat: SeenPlayerSeat, names: Names): ScreenBlock {
  const { colour, role, persona } = seat;
  const character = typeof persona === 'object' ? [persona.name, persona.temperament] : [persona];
  const rest = [...new Set(character), isDead(seat) ? 'dead' : undefined].filter(
    (part) => part !== undefined,
  );
  const about = rest.map((part) => ` · ${part}`).join('');
  const colours = role === 'impostor' ? (['redBright', 'bold'] as const) : [];
  return paragraph(
    [styled('  ')],
    [
      ...playerWithName(colour, names),
      styled(': '),
      styled(role ?? '', ...colours),
      styled(about, 'dim'),
    ],
  );
}

function isDead(seat: SeenPlayerSeat): boolean {
  return 'dead' in seat && seat.dead;
}
