/**
 * Beliefs: how probable a player holds it that others are impostors, asked beside the game.
 *
 * A belief is asked in a request of its own. No rule reads it, no player hears of it, and the player who was asked does not
 * remember it, so a match goes the same whether beliefs are asked or not.
 */
import type { BeliefMoment, Bid, BySeat, Colour, Utterance } from '../types.ts';
import type { Table } from './meeting.ts';
import { updatePads } from './pads.ts';
import { type LivingView, publicTable } from './views.ts';

/** When in a match a belief is asked. */
export type BeliefPlace = {
  /** From 1. */
  readonly meeting: number;
  readonly moment: BeliefMoment;
  /** The tick after which it is asked; null at the call and after the vote. */
  readonly tick: number | null;
};

/** What a player is asked to believe something of, and from what. */
export type BeliefQuestion = BeliefPlace & {
  /** What the player knows by then: what the next request at the table would show. */
  readonly view: LivingView;
  /** The other living players, in the order of the seats. Of the dead nobody is asked: nobody can vote for them. */
  readonly about: readonly Colour[];
};

/** What is asked of a player at a moment; null where no other player is left. */
export function askBelief(place: BeliefPlace, view: LivingView): BeliefQuestion | null {
  const about = view.table.seats.flatMap(({ colour, standing }) =>
    standing === 'living' && colour !== view.you.colour ? [colour] : [],
  );
  return about.length === 0 ? null : { ...place, view, about };
}

/** A view with the pages that its player has written since. */
export function withWrittenPads(view: LivingView, bid: Bid): LivingView {
  if (bid.type === 'fault') return view;
  const pads = updatePads(view.you.pads, bid.reply.pads);
  return { ...view, you: { ...view.you, pads } };
}

/** What a player knows when the poll is closed: all that was said, and their own ballot. */
export function viewAtPoll(
  view: LivingView,
  table: Table,
  transcript: readonly Utterance[],
): LivingView {
  const ballots: BySeat<LivingView['you']['ballot']> = table.ballots;
  const { you } = view;
  return {
    you: { ...you, ballot: ballots[you.colour] ?? null, notices: [] },
    table: {
      ...publicTable(table, 'voting'),
      votesOpen: false,
      tick: view.table.tick + 1,
      transcript,
    },
    calledOn: false,
    reminder: null,
  };
}
