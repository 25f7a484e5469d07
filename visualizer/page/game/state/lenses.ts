/** Lenses: looking through another one, in the page where it has everything, from the server where it is live. */

import type { Lens } from '../../../../machines/journal/lens.ts';
import { copyLinkTo, notice } from '../../frame/notice.ts';
import { addressNow } from './address.ts';
import { focus, lensIn, lensName, live, lookThrough, moment, openLive, widest } from './session.ts';

/** Asks the server for another lens; set by whoever listens to it. */
let ask: ((lens: Lens) => void) | null = null;

export function askWith(asking: (lens: Lens) => void): void {
  ask = asking;
}

/** Takes "table", "glass", "player" for the player that is looked at, or "player:red". */
export function useLens(name: string): void {
  const seat = focus.value ?? moment.value?.players[0]?.seat;
  const wanted = lensIn(name === 'player' && seat !== undefined ? `player:${seat}` : name);
  if (wanted === null) {
    notice.value = `This journal is here through the lens ${lensName(widest.value)} only.`;
    return;
  }
  if (live.value === null) lookThrough(wanted);
  else {
    openLive(wanted, moment.value?.name ?? null);
    ask?.(wanted);
  }
}

export function copyLink(): void {
  copyLinkTo(addressNow(), 'this moment');
}
