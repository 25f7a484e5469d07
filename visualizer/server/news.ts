/**
 * News: who is being waited for, and whose request has just failed. They are told while they hold and kept nowhere.
 *
 * A lens shows no more of them than of the journal. That a bid is late or a fault is the secret of its seat, and whom the
 * ship waits for tells who is alive and has something to decide; so through Table one hears that the table thinks, not
 * who, and a player hears of the own seat besides.
 */
import type { Lens } from '../../machines/journal/lens.ts';
import type { Colour, Occasion } from '../../machines/types.ts';

/** What somebody is asked for: an order on the ship, or what is asked in a meeting. */
export type Asked = Occasion | 'action';

/** Somebody who is thinking, since a time in milliseconds. */
export type Thinker = { readonly seat: Colour; readonly occasion: Asked; readonly since: number };
/** A request that failed, or an answer that did not come: the code of the trouble. */
export type Trouble = { readonly seat: Colour; readonly code: string };

/** What holds at a time in milliseconds. */
export type Now = {
  readonly ms: number;
  readonly thinkers: readonly Thinker[];
  readonly troubles: readonly Trouble[];
};

/** What a lens is told of it. `ms` says for how long already, because clocks differ. */
export type News = {
  readonly thinking: readonly { readonly seat: Colour; readonly ms: number }[];
  readonly troubles: readonly Trouble[];
  /** For how long the table has been waited for; null where it is not. */
  readonly table: number | null;
};

/** When all at the table are asked at once, so that it is no secret that they are. */
const AT_TABLE: readonly Asked[] = ['discussion', 'voting', 'reaction', 'consolidation'];

export function newsFor(lens: Lens, { ms, thinkers, troubles }: Now): News {
  const isShown = ({ seat }: { readonly seat: Colour }) =>
    lens.type === 'glass' || (lens.type === 'player' && lens.seat === seat);
  const table = thinkers.filter(({ occasion }) => AT_TABLE.includes(occasion));
  return {
    thinking: thinkers
      .filter(isShown)
      .map(({ seat, since }) => ({ seat, ms: Math.round(ms - since) })),
    troubles: troubles.filter(isShown),
    table:
      table.length === 0 ? null : Math.round(ms - Math.min(...table.map(({ since }) => since))),
  };
}

/** What is new in it: seconds count by themselves. */
export function gistOf({ thinking, troubles, table }: News): string {
  return JSON.stringify([thinking.map(({ seat }) => seat), troubles, table !== null]);
}
