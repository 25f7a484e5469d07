import type { Lens, SeenGame, SeenOf, SeenSeat } from '../../machines/journal/lens.ts';
import type { KnownPlayer } from '../../machines/journal/projection.ts';
import { findVendor, shortenModel } from '../identity.ts';
import { describeRules } from '../text.ts';
import { type Blocks, banner, blank, paragraph, type ScreenBlock, styled } from './layout.ts';
import type { Scene } from './meeting.ts';
import { type Names, player, playerWithName } from './phrases.ts';

export function renderHeader(
  { match, seed }: SeenOf<'match.opened'>,
  { state, names }: Scene,
): Blocks {
  const { name, about, options } = match;
  const isGame = !('call' in match);
  const ship = isGame ? [styled(` · ${match.map === 'skeld' ? 'The Skeld' : match.map.name}`)] : [];
  const impostors = isGame ? countImpostors(match.options.impostors) : '';
  const draw = seed === undefined ? '' : ` · seed ${seed}`;
  return [
    banner('The Glass Box League'),
    paragraph([], [styled(name, 'bold'), ...ship]),
    ...(about === '' ? [] : [paragraph([], [styled(about)])]),
    paragraph([], [styled(`${describeRules(options)}${impostors}${draw}`, 'dim')]),
    paragraph([], [styled('Seen ', 'dim'), ...describeLens(state.lens)]),
    blank(),
    ...renderSeats(match.seats, { state, names }),
  ];
}

function countImpostors(count: number): string {
  return count === 1 ? ' · one impostor' : ` · ${count} impostors`;
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

type SeenPlayerSeat = SeenSeat | SeenGame['seats'][number];

/** One line for each seat with a known role or model. The other seats share one. */
function renderSeats(
  seats: readonly SeenPlayerSeat[],
  { state: { players }, names }: Scene,
): Blocks {
  const isKnown = ({ role, model }: SeenPlayerSeat) => role !== undefined || model !== undefined;
  const minds = new Map(players.map((one) => [one.seat, describeVendor(one)]));
  const list = seats
    .filter((seat) => !isKnown(seat))
    .flatMap((seat, index) => [
      ...(index === 0 ? [] : [styled(', ')]),
      ...playerWithName(seat.colour, names),
      ...[...describeCharacter(seat), ...(isDead(seat) ? ['dead'] : [])].map((word) =>
        styled(` (${word})`, 'dim'),
      ),
    ]);
  const rest = list.length === 0 ? [] : [paragraph([styled('  ')], list)];
  return [
    ...seats.filter(isKnown).map((seat) => renderSeat(seat, minds.get(seat.colour) ?? '', names)),
    ...rest,
  ];
}

/** "gpt-5.2 (OpenAI)"; '' where no model plays. */
function describeVendor({ model }: KnownPlayer): string {
  if (model === '') return '';
  const vendor = findVendor(model);
  return vendor === null ? shortenModel(model) : `${shortenModel(model)} (${vendor.name})`;
}

function describeCharacter({ persona }: SeenPlayerSeat): readonly string[] {
  if (persona === undefined) return [];
  if (typeof persona === 'string') return [persona];
  const temperament = 'temperament' in persona ? [persona.temperament] : [];
  return [...new Set([persona.name, ...temperament])];
}

function renderSeat(seat: SeenPlayerSeat, mind: string, names: Names): ScreenBlock {
  const { colour, role } = seat;
  const colours = role === 'impostor' ? (['redBright', 'bold'] as const) : [];
  const about = [...describeCharacter(seat), ...(isDead(seat) ? ['dead'] : [])];
  const parts = [
    ...(role === undefined ? [] : [styled(role, ...colours)]),
    ...(mind === '' ? [] : [styled(mind)]),
    ...about.map((part) => styled(part, 'dim')),
  ];
  return paragraph(
    [styled('  ')],
    [
      ...(mind === '' ? playerWithName(colour, names) : player(colour)),
      styled(': '),
      ...parts.flatMap((part, index) => (index === 0 ? [part] : [styled(' · ', 'dim'), part])),
    ],
  );
}

function isDead(seat: SeenPlayerSeat): boolean {
  return 'dead' in seat && seat.dead;
}
