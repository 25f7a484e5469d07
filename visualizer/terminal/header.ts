import type { Lens, SeenGame, SeenOf, SeenSeat } from '../../machines/journal/lens.ts';
import type { KnownPlayer } from '../../machines/journal/projection.ts';
import { findVendor, shortenModel } from '../identity.ts';
import { describeRules } from '../text.ts';
import {
  type Blocks,
  banner,
  blank,
  joinPhrases,
  type Phrase,
  paragraph,
  type ScreenBlock,
  styled,
} from './layout.ts';
import { type Names, player, playerWithName, type Scene } from './phrases.ts';

export function renderHeader(
  { match, seed }: SeenOf<'match.opened'>,
  { state, names }: Scene,
): Blocks {
  const { name, about, options } = match;
  const isGame = !('call' in match);
  const ship = isGame ? [styled(` · ${match.map === 'skeld' ? 'The Skeld' : match.map.name}`)] : [];
  const count = isGame ? match.options.impostors : 0;
  const impostors = count === 1 ? ' · one impostor' : ` · ${count} impostors`;
  const draw = seed === undefined ? '' : ` · seed ${seed}`;
  return [
    banner('The Glass Box League'),
    paragraph([], [styled(name, 'bold'), ...ship]),
    ...(about === '' ? [] : [paragraph([], [styled(about)])]),
    paragraph([], [styled(`${describeRules(options)}${isGame ? impostors : ''}${draw}`, 'dim')]),
    paragraph([], [styled('Seen ', 'dim'), ...describeLens(state.lens)]),
    blank(),
    ...renderSeats(match.seats, { state, names }),
  ];
}

function describeLens(lens: Lens): Phrase {
  if (lens.type === 'player') return [styled('with the eyes of ', 'dim'), ...player(lens.seat)];
  return [styled(VIEWS[lens.type], 'dim')];
}

const VIEWS = {
  table: 'from the table: no secrets before their time',
  glass: 'through the glass: thoughts, bids and ballots',
} as const;

type SeenPlayerSeat = SeenSeat | SeenGame['seats'][number];

/** One line for each seat with a known role or model. The other seats share one. */
function renderSeats(seats: readonly SeenPlayerSeat[], { state, names }: Scene): Blocks {
  const isKnown = ({ role, model }: SeenPlayerSeat) => role !== undefined || model !== undefined;
  const minds = new Map(state.players.map((one) => [one.seat, describeVendor(one)]));
  const others = seats
    .filter((seat) => !isKnown(seat))
    .map((seat) => [
      ...playerWithName(seat.colour, names),
      ...describeSeat(seat).map((word) => styled(` (${word})`, 'dim')),
    ]);
  const rest =
    others.length === 0 ? [] : [paragraph([styled('  ')], joinPhrases(others, styled(', ')))];
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

function describeSeat(seat: SeenPlayerSeat): readonly string[] {
  const { persona } = seat;
  const dead = 'dead' in seat && seat.dead ? ['dead'] : [];
  if (persona === undefined) return dead;
  if (typeof persona === 'string') return [persona, ...dead];
  const temperament = 'temperament' in persona ? [persona.temperament] : [];
  return [...new Set([persona.name, ...temperament]), ...dead];
}

function renderSeat(seat: SeenPlayerSeat, mind: string, names: Names): ScreenBlock {
  const { colour, role } = seat;
  const colours = role === 'impostor' ? (['redBright', 'bold'] as const) : [];
  const parts = [
    ...(role === undefined ? [] : [styled(role, ...colours)]),
    ...(mind === '' ? [] : [styled(mind)]),
    ...describeSeat(seat).map((part) => styled(part, 'dim')),
  ].map((part) => [part]);
  return paragraph(
    [styled('  ')],
    [
      ...(mind === '' ? playerWithName(colour, names) : player(colour)),
      styled(': '),
      ...joinPhrases(parts, styled(' · ', 'dim')),
    ],
  );
}
