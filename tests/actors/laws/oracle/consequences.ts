/** Consequences: the lines that must follow a closed tick, worked out from its bids and from the table before it. */
import {
  type BidFields,
  type ReplyFields,
  replySchema,
} from '../../../../machines/journal/lines.ts';
import type { Ballot, Colour, Phase, Standing } from '../../../../machines/types.ts';
import type { Complain, LineOf } from './property.ts';
import type { Terms } from './terms.ts';

type Known = {
  readonly terms: Terms;
  readonly phase: Phase | null;
  readonly isTalk: boolean;
  readonly standings: ReadonlyMap<Colour, Standing>;
  readonly streaks: ReadonlyMap<Colour, number>;
  refusal(voter: Colour, vote: Ballot): string | null;
};

/** The obligations of a tick. A line that meets one removes it. */
export type Consequences = {
  readonly line: number;
  readonly bids: readonly BidFields[];
  readonly votes: Map<Colour, Ballot>;
  readonly refusals: Map<Colour, Ballot>;
  readonly faults: Map<Colour, { readonly code: string; readonly streak: number }>;
  readonly departures: Map<Colour, 'left' | 'faults'>;
  readonly pads: Map<Colour, ReplyFields['scratchpad_updates']>;
};

const LEFT = 'seat/left';

/** A bid as it was read; null for a fault. A reply that needed no reading is its own. */
export function replyOf(bid: BidFields): ReplyFields | null {
  if (bid.fault !== undefined) return null;
  if (bid.parsed !== undefined) return bid.parsed;
  const known = plain.get(bid);
  if (known !== undefined) return known;
  const reading = replySchema.parse(bid.received);
  plain.set(bid, reading);
  return reading;
}

/** Replies that were parsed before: several checks ask for the same one. */
const plain = new WeakMap<BidFields, ReplyFields>();

export function consequencesOf(
  tick: LineOf<'tick.closed'>,
  known: Known,
  line: number,
): Consequences {
  const owed: Consequences = {
    line,
    bids: tick.bids,
    votes: new Map(),
    refusals: new Map(),
    faults: new Map(),
    departures: new Map(),
    pads: new Map(),
  };
  const isTalk = known.isTalk;
  for (const bid of tick.bids) {
    if (isTalk && known.standings.get(bid.seat) !== 'living') continue;
    const reply = replyOf(bid);
    if (reply === null) {
      if (isTalk) oweForFault(owed, bid, known);
      continue;
    }
    const pads = reply.scratchpad_updates;
    const isNoted = pads.main_scratch !== undefined || pads.meeting_scratch !== undefined;
    if (isNoted && known.phase !== 'consolidation') owed.pads.set(bid.seat, pads);
    const vote = isTalk ? reply.vote_action : null;
    if (vote === null) continue;
    const isLegal = known.refusal(bid.seat, vote) === null;
    (isLegal ? owed.votes : owed.refusals).set(bid.seat, vote);
  }
  return owed;
}

/** Faults in a row lead to a disconnection at exactly the patience; who leaves is gone at once (ruling 2). */
function oweForFault(owed: Consequences, { seat, fault = '' }: BidFields, known: Known): void {
  const streak = (known.streaks.get(seat) ?? 0) + 1;
  owed.faults.set(seat, { code: fault, streak });
  if (fault === LEFT) owed.departures.set(seat, 'left');
  else if (streak === known.terms.patience) owed.departures.set(seat, 'faults');
}

/** Complains about everything that a tick should have led to and did not, once. */
export function settle(owed: Consequences, complain: Complain): void {
  for (const [seat, ballot] of owed.votes)
    complain('vote/lost', `${seat} voted ${ballot} and it was not locked`);
  for (const [seat, vote] of owed.refusals)
    complain('vote/lost', `${seat} was not told that the vote for ${vote} does not count`);
  for (const [seat, { code }] of owed.faults)
    complain('fault/streak', `the fault ${code} of ${seat} was not told`);
  for (const [seat, reason] of owed.departures)
    complain(reason === 'left' ? 'fault/left' : 'fault/patience', `${seat} is still here`);
  for (const [seat] of owed.pads) complain('pads/noted', `the notes of ${seat} were not told`);
  const all = [owed.votes, owed.refusals, owed.faults, owed.departures, owed.pads];
  for (const map of all) map.clear();
}
