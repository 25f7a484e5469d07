/**
 * The table as a journal claims it to be after a step: the table before, with each fact written into it.
 *
 * This is how a record is read where the machine would not have told it. What no fact tells (the clock of the meeting)
 * is as the machine has it.
 */

import type { Fact } from '../../machines/rules/facts.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import type { BySeat, Colour } from '../../machines/types.ts';
import type { Turn } from '../../proofs/properties/promise.ts';

export function retold({ before, after }: Turn, facts: readonly Fact[]): Table {
  return facts.reduce(written, { ...before.context, due: after.context.due });
}

function written(table: Table, fact: Fact): Table {
  switch (fact.type) {
    case 'tick.closed':
      return { ...table, streaks: answered(table, fact) };
    case 'vote.locked':
      return { ...table, ballots: { ...table.ballots, [fact.seat]: fact.ballot } };
    case 'vote.cleared':
      return { ...table, ballots: without(table.ballots, fact.seat) };
    case 'seat.faulted':
      return { ...table, streaks: { ...table.streaks, [fact.seat]: fact.streak } };
    case 'seat.departed':
      return departed(table, fact.seat);
    case 'poll.closed': {
      const { ballots } = table;
      const deserted = !Object.values(table.standings).includes('living');
      return { ...table, poll: { ballots, deserted, missed: fact.missed, void: fact.void } };
    }
    case 'ballot.turned':
      return { ...table, revealed: table.revealed + 1 };
    case 'poll.counted':
    case 'meeting.closed':
      return { ...table, outcome: fact.outcome, ejected: fact.ejected };
    case 'stop.asked':
      return { ...table, outcome: fact.outcome, ejected: null };
    case 'meeting.refused':
      return { ...table, outcome: 'refused' };
    case 'verdict.told':
      return fact.ejected === null
        ? table
        : { ...table, standings: { ...table.standings, [fact.ejected]: 'dead' } };
    default:
      return table;
  }
}

/** One reply begins the count of faults anew. */
function answered({ streaks }: Table, { bids }: Extract<Fact, { type: 'tick.closed' }>) {
  return bids.reduce(
    (left, { type, seat }) => (type === 'reply' ? without(left, seat) : left),
    streaks,
  );
}

/** In classic a ballot goes with its voter while the poll is open. */
function departed(table: Table, seat: Colour): Table {
  const standings = { ...table.standings, [seat]: 'departed' as const };
  const isCleared = table.options.rules === 'classic' && table.poll === null;
  return {
    ...table,
    standings,
    ballots: isCleared ? without(table.ballots, seat) : table.ballots,
  };
}

function without<T>(entries: BySeat<T>, seat: Colour): BySeat<T> {
  const { [seat]: _gone, ...rest } = entries;
  return rest;
}
