import { formatLens } from '../../../../machines/journal/lens.ts';
import { COLOURS } from '../../../../machines/types.ts';
import { copyLinkTo, syncAddressBar } from '../../frame/address.ts';
import { formatPlace, formatRange, jumpTo, parseRange, range, wasJump } from './navigation.ts';
import { awaitMoment, focus, hasSeat, isPlain, lens, story } from './session.ts';

export type PageAddress = Readonly<ReturnType<typeof parseAddress>>;

export function parseAddress(hash: string) {
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

function formatAddress(): string {
  const t = formatPlace();
  const fields = new URLSearchParams({ t, lens: formatLens(lens.value) });
  const whole = formatRange();
  if (whole !== null && whole !== t) fields.set('range', whole);
  if (focus.value !== null) fields.set('player', focus.value);
  return `#${fields.toString().replaceAll('%3A', ':')}${isPlain.value ? '&plain' : ''}`;
}

export function syncAddress(): void {
  syncAddressBar({ now: formatAddress, goTo: (hash) => goToAddress(parseAddress(hash)), wasJump });
}

export function goToAddress({ t, player, range: wanted, isPlain: isWanted }: PageAddress): void {
  const target = t === null ? null : story.value.stepOf(t);
  if (target !== null) jumpTo(target);
  else if (t !== null) awaitMoment(t);
  wasJump.value = false;
  focus.value = player !== null && hasSeat(player) ? player : null;
  range.value = parseRange(wanted);
  isPlain.value = isWanted;
}

export function copyMomentLink(): void {
  copyLinkTo(formatAddress(), 'this moment');
}
