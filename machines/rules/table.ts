/**
 * The table: the state of one meeting, and what each event does to it.
 *
 * Every function takes a table and what happened, and returns the part that changes with the facts to be told. The
 * statechart decides when each is called; nothing here waits, draws or looks at a clock. All of it stays bounded: who
 * said what, and the number of the tick, are in the arbiter's books (`floor.ts`).
 */
import type { BySeat, Call, Colour, Outcome, Seat, Standing, Verdict } from '../types.ts';
import { type Circumstances, callRefusal } from './call.ts';
import type { Closing, Fact, Moment } from './facts.ts';
import { type Due, due } from './pressure.ts';
import { sentence, turned } from './reveal.ts';
import { mechanicalLine } from './scratchpads.ts';
import { withEntry } from './seats.ts';
import {
  type ClosedTick,
  notedPads,
  type Present,
  withDeparture,
  withFaults,
  withVotes,
} from './tick.ts';
import { close, everyoneVoted, type Poll, seatsThat, tally } from './votes.ts';

export type Table = Present & {
  /** What the dice of this meeting are a value of. */
  readonly chance: Chance;
  readonly seats: readonly Seat[];
  readonly call: Call;
  readonly circumstances: Circumstances;
  /** What the clock of the meeting asks for. */
  readonly due: Due;
  /** The poll as it was closed; null while votes may still come. */
  readonly poll: Poll | null;
  /** Ballots turned so far. */
  readonly revealed: number;
  readonly outcome: Outcome | null;
  readonly ejected: Colour | null;
};

export type Chance = { readonly seed: number; readonly meeting: number };

/** What changes on the table, and what is told about it. */
export type Step = { readonly changes: Partial<Table>; readonly facts: readonly Fact[] };

export type Setting = Pick<
  Table,
  'chance' | 'options' | 'seats' | 'call' | 'circumstances' | 'standings'
>;

export function laid(setting: Setting): Table {
  return {
    ...setting,
    streaks: {},
    ballots: {},
    due: due(setting.options, 0),
    poll: null,
    revealed: 0,
    outcome: null,
    ejected: null,
  };
}

export function living(table: Table): readonly Colour[] {
  return seatsThat(table.standings, 'living');
}

export function hasLocked(table: Table): readonly Colour[] {
  return table.seats
    .map(({ colour }) => colour)
    .filter((seat) => table.ballots[seat] !== undefined);
}

export function callStands(table: Table): boolean {
  return callRefusal(table.call, table.standings, table.circumstances) === null;
}

export function pollComplete(table: Table): boolean {
  return everyoneVoted(table.ballots, table.standings);
}

export function called(table: Table): Step {
  return { changes: {}, facts: [{ type: 'meeting.called', call: table.call }] };
}

export function refused(table: Table): Step {
  const note = callRefusal(table.call, table.standings, table.circumstances);
  const facts: readonly Fact[] = note === null ? [] : [{ type: 'meeting.refused', note }];
  return { changes: { outcome: 'refused' }, facts };
}

/** A tick of talk: ballots are locked first, then faults are counted and the patience with them runs out. */
export function tickClosed(table: Table, closed: ClosedTick): Step {
  const facts: Fact[] = [
    { ...closed, type: 'tick.closed', verdict: withoutGhosts(table, closed.verdict) },
  ];
  const bids = closed.bids.filter(({ seat }) => table.standings[seat] === 'living');
  const voted = withVotes(table, closed.occasion, bids, facts);
  const present = withFaults(voted, bids, facts);
  facts.push(...notedPads(bids));
  const { ballots, standings, streaks } = present;
  return {
    changes: { ballots, standings, streaks, due: due(table.options, closed.tick + 1) },
    facts,
  };
}

/** Whether somebody is at the table who could leave it. */
export function isLiving(table: Table, seat: Colour): boolean {
  return table.standings[seat] === 'living';
}

/** A player left while votes may still come. */
export function left(table: Table, seat: Colour, during: Moment): Step {
  const facts: Fact[] = [];
  const leaving = { seat, reason: 'left', during } as const;
  const { standings, ballots, streaks } = withDeparture(table, leaving, facts);
  return { changes: { standings, ballots, streaks }, facts };
}

/** A player left once the poll is closed, or will never be: no ballot changes any more (ruling 20). */
export function leftAfterwards(table: Table, seat: Colour, during: Moment): Step {
  return {
    changes: { standings: withEntry(table.standings, seat, 'departed') },
    facts: [{ type: 'seat.departed', seat, reason: 'left', during }],
  };
}

export function pollClosed(table: Table): Step {
  const poll = close(table.ballots, table.standings);
  const reason: Closing = pollComplete(table) ? 'everyone-voted' : 'time-up';
  return {
    // From here on faults count against nobody.
    changes: { poll, streaks: {} },
    facts: [{ type: 'poll.closed', reason, missed: poll.missed, void: poll.void }],
  };
}

export function pollCounted(table: Table): Step {
  if (table.poll === null) return { changes: {}, facts: [] };
  const count = tally(table.poll);
  const outcome = table.poll.deserted ? 'empty' : count.outcome;
  const ejected = table.poll.deserted ? null : count.ejected;
  return {
    changes: { outcome, ejected },
    facts: [{ type: 'poll.counted', counts: count.counts, outcome, ejected }],
  };
}

export function everyBallotTurned(table: Table): boolean {
  return table.poll === null || turned(table.poll, table.revealed, false) === null;
}

export function ballotTurned(table: Table): Step {
  const { poll, revealed, options } = table;
  const known = poll === null ? null : turned(poll, revealed, false);
  const shown = poll === null ? null : turned(poll, revealed, options.anonymousVotes);
  if (shown === null || known === null || known.voter === null) return { changes: {}, facts: [] };
  return {
    changes: { revealed: revealed + 1 },
    facts: [{ type: 'ballot.turned', index: revealed, by: known.voter, ...shown }],
  };
}

export function verdictTold(table: Table): Step {
  const ejected = table.ejected;
  const standings =
    ejected === null || table.standings[ejected] !== 'living'
      ? table.standings
      : withEntry(table.standings, ejected, 'dead');
  const outcome = table.outcome ?? 'tie';
  const spoken = sentence(
    { outcome: outcome === 'skipped' ? 'skipped' : 'tie', ejected },
    unmasked(table, standings),
    table.options,
  );
  return {
    changes: { standings },
    facts: [{ type: 'verdict.told', sentence: spoken, outcome, ejected }],
  };
}

/** The reaction tick: scratchpads only, no message and no vote (ruling 26). */
export function reacted(_table: Table, closed: ClosedTick): Step {
  return { changes: {}, facts: [{ ...closed, type: 'tick.closed' }, ...notedPads(closed.bids)] };
}

/** The consolidation tick: each player's own text or the engine's line; nothing can make it fail (ruling 27). */
export function consolidated(table: Table, closed: ClosedTick): Step {
  const facts: Fact[] = [{ ...closed, type: 'tick.closed' }];
  for (const seat of living(table)) {
    const bid = closed.bids.find((candidate) => candidate.seat === seat);
    const main = bid?.type === 'reply' ? (bid.reply.pads.main ?? null) : null;
    const line = main === null ? lineFor(table, seat) : null;
    facts.push({ type: 'pads.consolidated', seat, main, line });
  }
  return { changes: {}, facts };
}

export function erased(_table: Table): Step {
  return { changes: {}, facts: [{ type: 'pads.erased' }] };
}

/** The operator or a budget asked for the end. What the operator has asked for no budget takes back. */
export function stopAsked(
  table: Table,
  outcome: 'unconverged' | 'interrupted',
  during: Moment,
): Step {
  const stands = table.outcome === 'interrupted' ? table.outcome : outcome;
  return {
    changes: { outcome: stands, ejected: null },
    facts: [{ type: 'stop.asked', outcome, during }],
  };
}

/** A limit that the operator set was reached: nothing is counted and no vote is invented (ruling 1). */
export function unconverged(_table: Table): Step {
  return { changes: { outcome: 'unconverged', ejected: null }, facts: [] };
}

export function closed(table: Table): Step {
  const { outcome, ejected } = table;
  return {
    changes: {},
    facts: [{ type: 'meeting.closed', outcome: outcome ?? 'unconverged', ejected }],
  };
}

/** Whoever left while the tick was open has not spoken. */
function withoutGhosts(table: Table, verdict: Verdict | null): Verdict | null {
  if (verdict === null || verdict.floor === null) return verdict;
  if (table.standings[verdict.floor] === 'living') return verdict;
  return { ...verdict, floor: null, tieBreak: null, said: null, hits: [] };
}

function lineFor(table: Table, seat: Colour): string {
  return mechanicalLine(table.ballots[seat], table.outcome ?? 'unconverged', table.ejected);
}

function unmasked(table: Table, standings: BySeat<Standing>) {
  const impostors = table.seats.filter(({ role }) => role === 'impostor');
  return {
    role: table.seats.find(({ colour }) => colour === table.ejected)?.role ?? null,
    impostors: impostors.length,
    remaining: impostors.filter(({ colour }) => standings[colour] === 'living').length,
  };
}
