/** The address: "#t=42&lens=table&player=red" says where one is, so that it can be sent to somebody. */
import { COLOURS, type Colour } from '../../../../machines/types.ts';
import { keepAddressOf } from '../../frame/addressBar.ts';
import { isPlain } from './plain.ts';
import { placeName, range, rangeIn, rangeName } from './range.ts';
import { focus, isSeated, lens, lensName, story } from './session.ts';
import { jump, wasJump } from './travel.ts';

export type Address = {
  readonly t: string | null;
  readonly lens: string | null;
  readonly player: Colour | null;
  /** Two moments, as "40-55". */
  readonly range: string | null;
  readonly isPlain: boolean;
};

export function addressIn(hash: string): Address {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const player = COLOURS.find((colour) => colour === fields.get('player')) ?? null;
  const wanted = fields.get('lens');
  // "lens=player&player=red" means what "lens=player:red" does.
  const isShort = wanted === 'player' && player !== null;
  const t = fields.get('t');
  const range = fields.get('range') ?? (t?.includes('-') ? t : null);
  return {
    t: t?.split('-')[0] ?? null,
    lens: isShort ? `player:${player}` : wanted,
    player,
    range,
    isPlain: fields.has('plain'),
  };
}

export function addressNow(): string {
  const t = placeName();
  const fields = new URLSearchParams({ t, lens: lensName(lens.value) });
  const whole = rangeName();
  if (whole !== null && whole !== t) fields.set('range', whole);
  if (focus.value !== null) fields.set('player', focus.value);
  return `#${fields.toString().replaceAll('%3A', ':')}${isPlain.value ? '&plain' : ''}`;
}

export function keepAddress(): void {
  keepAddressOf({ now: addressNow, goTo: (hash) => goTo(addressIn(hash)), wasJump });
}

/** Goes to the moment and the player of an address. */
export function goTo({ t, player, range: wanted, isPlain: isWanted }: Address): void {
  const target = t === null ? null : story.value.stepOf(t);
  if (target !== null) jump(target);
  wasJump.value = false;
  focus.value = player !== null && isSeated(player) ? player : null;
  range.value = rangeIn(wanted);
  isPlain.value = isWanted;
}
