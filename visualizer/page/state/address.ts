/** The address: "#t=42&lens=table&player=red" says where one is, so that it can be sent to somebody. */
import { effect } from '@preact/signals';
import { COLOURS, type Colour } from '../../../machines/types.ts';
import { focus, lens, lensName, moment, story } from './session.ts';
import { jump, wasJump } from './travel.ts';

export type Address = {
  readonly t: string | null;
  readonly lens: string | null;
  readonly player: Colour | null;
};

export function addressIn(hash: string): Address {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const player = COLOURS.find((colour) => colour === fields.get('player')) ?? null;
  const wanted = fields.get('lens');
  // "lens=player&player=red" means what "lens=player:red" does.
  const isShort = wanted === 'player' && player !== null;
  return { t: fields.get('t'), lens: isShort ? `player:${player}` : wanted, player };
}

export function addressNow(): string {
  const fields = new URLSearchParams({ t: moment.value?.name ?? '0', lens: lensName(lens.value) });
  if (focus.value !== null) fields.set('player', focus.value);
  return `#${fields.toString().replaceAll('%3A', ':')}`;
}

/** Browsers slow down pages that write their address more often than this. */
const WRITE_MS = 300;

/** Keeps the address in step; a jump can be undone with Back, steps are not worth it. */
export function keepAddress(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const address = addressNow();
    const isJump = wasJump.peek();
    if (location.hash === address) return;
    clearTimeout(timer);
    if (isJump) {
      wasJump.value = false;
      history.pushState(null, '', address);
    } else timer = setTimeout(() => history.replaceState(null, '', address), WRITE_MS);
  });
  addEventListener('popstate', () => goTo(addressIn(location.hash)));
}

/** Goes to the moment and the player of an address. */
export function goTo({ t, player }: Address): void {
  const target = t === null ? null : story.value.stepOf(t);
  if (target !== null) jump(target);
  wasJump.value = false;
  focus.value = player;
}
