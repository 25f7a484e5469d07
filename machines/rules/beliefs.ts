/**
 * Beliefs: how probable a player thinks it is that others are impostors. No rule reads them, no player hears them, and
 * the asked player does not remember them, so a match goes the same with or without them.
 */
import type { BeliefMoment, Bid, Colour, Utterance } from '../types.ts';
import { NOT_CALLED } from './floor.ts';
import type { Table } from './meeting.ts';
import { updatePads } from './pads.ts';
import { type LivingView, livingOthers, publicTable } from './views.ts';

export type BeliefPlace = {
  /** From 1. */
  readonly meeting: number;
  readonly moment: BeliefMoment;
  /** Null at the call and after the vote. */
  readonly tick: number | null;
};

export type BeliefQuestion = BeliefPlace & {
  /** The view that the next request at the table would show. */
  readonly view: LivingView;
  /** The other living players in the order of the seats. Nobody can vote for the dead, so they are left out. */
  readonly about: readonly Colour[];
};

/** Null if no other player is left. */
export function askBelief(place: BeliefPlace, view: LivingView): BeliefQuestion | null {
  const about = livingOthers(view);
  return about.length === 0 ? null : { ...place, view, about };
}

export function withWrittenPads(view: LivingView, bid: Bid): LivingView {
  if (bid.type === 'fault') return view;
  const pads = updatePads(view.you.pads, bid.reply.pads);
  return { ...view, you: { ...view.you, pads } };
}

export function viewAtPoll(
  view: LivingView,
  table: Table,
  transcript: readonly Utterance[],
): LivingView {
  const { you } = view;
  return {
    you: { ...you, ballot: table.ballots[you.colour] ?? null, notices: [] },
    table: {
      ...publicTable(table, 'voting'),
      votesOpen: false,
      tick: view.table.tick + 1,
      transcript,
    },
    ...NOT_CALLED,
  };
}
