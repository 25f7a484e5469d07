/**
 * The limit of checking: the same rules under a hand-written switch in place of the statechart, breadth first, with
 * texts as keys. It knows house rules without stops, and nothing else.
 */
import type { ToMeeting } from '../../machines/messages.ts';
import * as rules from '../../machines/rules/meeting.ts';
import { publicTable } from '../../machines/rules/views.ts';
import type { Colour, RequestKind } from '../../machines/types.ts';
import type { SmallTable } from './small-table.ts';

type Table = rules.Table;
type Moment = { readonly at: string; readonly table: Table };

/** Moves that nobody decides: what the clock of the chart does. */
const BEATS: Readonly<Record<string, (table: Table) => Moment>> = {
  'interrupt.gathering': listening,
  'voting.counting': (table) => after(table, rules.countPoll(table), 'reveal.turning'),
  'reveal.turning': (table) =>
    rules.isEveryBallotTurned(table)
      ? after(table, rules.announceResult(table), 'reveal.announcing')
      : after(table, rules.turnBallot(table), 'reveal.turning'),
  'reveal.announcing': (table) => opened(table, 'reaction', 'reaction'),
};

function moment(from: Moment, event: ToMeeting): Moment {
  if (event.type === 'seat.left') return emptied(from, event.seat);
  if (event.type !== 'tick.closed') return from;
  const { at, table } = from;
  switch (at) {
    case 'discussion.bidding':
      return listening(taken(table, rules.closeTick(table, event)));
    case 'reaction':
      return opened(
        taken(table, rules.noteReactions(table, event)),
        'consolidation',
        'consolidation',
      );
    case 'consolidation': {
      const kept = taken(table, rules.consolidate(table, event));
      const erased = taken(kept, rules.erasePads(kept));
      return after(erased, rules.closeMeeting(erased), 'closed');
    }
    default:
      return from;
  }
}

/** Somebody leaves: before the poll is closed it may be complete with that, afterwards it changes nothing. */
function emptied(from: Moment, seat: Colour): Moment {
  const { at, table } = from;
  if (!rules.isLiving(table, seat)) return from;
  switch (at) {
    case 'interrupt.gathering':
      return after(table, rules.leaveTable(table, seat, 'pause'), at);
    case 'discussion.bidding': {
      const rest = taken(table, rules.leaveTable(table, seat, 'tick'));
      if (!rules.isPollComplete(rest)) return { at, table: rest };
      return after(rest, rules.closePoll(rest), 'voting.counting');
    }
    default:
      return after(table, rules.leaveAfterPoll(table, seat, OPEN.has(at) ? 'tick' : 'pause'), at);
  }
}

/** Where a tick is open after the talk. */
const OPEN: ReadonlySet<string> = new Set(['reaction', 'consolidation']);

/** Between ticks: the ways out of the talk, in the order of the chart. */
function listening(table: Table): Moment {
  if (rules.isPollComplete(table)) return after(table, rules.closePoll(table), 'voting.counting');
  return opened(table, 'discussion.bidding', 'discussion');
}

let asked = 0;

/** Opens a tick, which means to write out what is asked. */
function opened(table: Table, at: string, requestKind: RequestKind): Moment {
  const seats = rules.livingSeats(table);
  const voted = rules.seatsWithBallot(table);
  asked += publicTable(table, requestKind).seats.length + seats.length + voted.length;
  return { at, table };
}

function taken(table: Table, { changes }: rules.MeetingStep): Table {
  return { ...table, ...changes };
}

function after(table: Table, step: rules.MeetingStep, at: string): Moment {
  return { at, table: taken(table, step) };
}

/** Ballots stay as they are once the poll is closed, so of the poll only the rest is written. */
function keyOf({ at, table }: Moment): string {
  const { seats, standings, ballots, streaks, due, poll, revealed, outcome, ejected } = table;
  let key = `${at} ${due} ${revealed} ${outcome} ${ejected}`;
  for (const { colour } of seats) {
    key += `,${standings[colour]} ${ballots[colour]} ${streaks[colour]}`;
  }
  return poll === null ? key : `${key},${poll.void} ${poll.missed} ${poll.deserted}`;
}

/** Visits every state; how many states and moves there are. */
export function checkedPlainly({ world, input }: SmallTable) {
  const first: Moment = { at: 'interrupt.gathering', table: rules.layTable(input) };
  const seen = new Set([keyOf(first)]);
  const queue = [first];
  let transitions = 0;
  const arrive = (next: Moment) => {
    transitions += 1;
    const key = keyOf(next);
    if (seen.has(key)) return;
    seen.add(key);
    queue.push(next);
  };
  for (let index = 0; index < queue.length; index++) {
    const from = queue[index] ?? first;
    const { at, table } = from;
    if (at === 'closed') continue;
    const beat = BEATS[at];
    if (beat !== undefined) arrive(beat(table));
    const state = { at, context: table, tags: new Set<string>(), isDone: false, children: [] };
    for (const event of world(state)) arrive(moment(from, event));
  }
  return { states: seen.size, transitions, asked };
}
