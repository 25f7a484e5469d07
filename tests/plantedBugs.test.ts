/**
 * Planted bugs: each replaces an exported function of the rules, and some property of the meeting must notice it. Nothing
 * on disk changes. `npm test` plants a few of them, the long run plants all.
 */
import { check } from 'glass-box-checker';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type * as Meeting from '../machines/rules/meeting.ts';
import type * as Pads from '../machines/rules/pads.ts';
import type * as Seats from '../machines/rules/seats.ts';
import type * as Tick from '../machines/rules/tick.ts';
import type * as Views from '../machines/rules/views.ts';
import { everyNth } from './support/seeds.ts';

/** By mistake: the functions that replace the module's own. */
type Bugs<Module> = Readonly<Record<string, (real: Module) => Partial<Module>>>;

const MEETING: Bugs<typeof Meeting> = {
  'the bid of a fourth player is lost': ({ closeTick }) => ({
    closeTick: (table, closed) => closeTick(table, { ...closed, bids: closed.bids.slice(0, 1) }),
  }),
  'a tick is announced after its bids': ({ closeTick }) => ({
    closeTick: (table, closed) => {
      const { changes, facts } = closeTick(table, closed);
      return { changes, facts: [...facts.slice(1), ...facts.slice(0, 1)] };
    },
  }),
  'the votes of one tick are lost': ({ closeTick }) => ({
    closeTick: (table, closed) => {
      const { changes, facts } = closeTick(table, closed);
      return { changes: { ...changes, ballots: table.ballots }, facts };
    },
  }),
  'the clock stands still': ({ closeTick }) => ({
    closeTick: (table, closed) => closeTick(table, { ...closed, tick: closed.tick - 1 }),
  }),
  'a player who leaves the talk stays at the table': ({ leaveTable }) => ({
    leaveTable: (table, seat, during) => {
      const { changes, facts } = leaveTable(table, seat, during);
      return { changes: { ...changes, standings: table.standings }, facts };
    },
  }),
  'a departure from the talk is not announced': ({ leaveTable }) => ({
    leaveTable: (...args) => ({ ...leaveTable(...args), facts: [] }),
  }),
  'a player who leaves after the poll counts as dead': ({ leaveAfterPoll }) => ({
    leaveAfterPoll: (table, seat, during) => ({
      ...leaveAfterPoll(table, seat, during),
      changes: { standings: { ...table.standings, [seat]: 'dead' } },
    }),
  }),
  'streaks of faults outlive the poll': ({ closePoll }) => ({
    closePoll: (table) => {
      const { changes, facts } = closePoll(table);
      return { changes: { ...changes, streaks: table.streaks }, facts };
    },
  }),
  'nobody is named as having missed the poll': ({ closePoll }) => ({
    closePoll: (table) => {
      const { changes, facts } = closePoll(table);
      return {
        changes,
        facts: facts.map((fact) => (fact.type === 'poll.closed' ? { ...fact, missed: [] } : fact)),
      };
    },
  }),
  'void ballots are counted': ({ closePoll }) => ({
    closePoll: (table) => {
      const { changes, facts } = closePoll(table);
      const { poll } = changes;
      return { changes: { ...changes, poll: poll ? { ...poll, void: [] } : null }, facts };
    },
  }),
  'a tie ejects the first of the leaders': ({ countPoll }) => ({
    countPoll: (table) => {
      const { changes, facts } = countPoll(table);
      if (changes.outcome !== 'tie') return { changes, facts };
      const [first] = Object.values(table.ballots).filter((ballot) => ballot !== 'skip');
      return { changes: { ...changes, ejected: first ?? null }, facts };
    },
  }),
  'the majority skips and yet the caller is ejected': ({ countPoll }) => ({
    countPoll: (table) => {
      const { changes, facts } = countPoll(table);
      if (changes.outcome !== 'skipped') return { changes, facts };
      return { changes: { outcome: 'ejected', ejected: table.call.by }, facts };
    },
  }),
  'the count is announced without its candidates': ({ countPoll }) => ({
    countPoll: (table) => {
      const { changes, facts } = countPoll(table);
      return {
        changes,
        facts: facts.map((fact) => (fact.type === 'poll.counted' ? { ...fact, counts: [] } : fact)),
      };
    },
  }),
  'the reveal passes over every second ballot': ({ turnBallot }) => ({
    turnBallot: (table) => {
      const { changes, facts } = turnBallot(table);
      return { changes: { revealed: (changes.revealed ?? table.revealed) + 1 }, facts };
    },
  }),
  'the reveal names voters as the ballots that they cast': ({ turnBallot }) => ({
    turnBallot: (table) => {
      const { changes, facts } = turnBallot(table);
      return {
        changes,
        facts: facts.map((fact) =>
          fact.type === 'ballot.revealed' ? { ...fact, ballot: fact.by } : fact,
        ),
      };
    },
  }),
  'an ejected player stays among the living': ({ announceResult }) => ({
    announceResult: (table) => {
      const { changes, facts } = announceResult(table);
      return { changes: { ...changes, standings: table.standings }, facts };
    },
  }),
  'the verdict is not announced': ({ announceResult }) => ({
    announceResult: (table) => ({ ...announceResult(table), facts: [] }),
  }),
  'a budget takes back the stop of the operator': ({ requestStop }) => ({
    requestStop: (table, outcome, during) => {
      const { changes, facts } = requestStop(table, outcome, during);
      return { changes: { ...changes, outcome }, facts };
    },
  }),
  'a player who is silent in the consolidation gets no line': ({ consolidate }) => ({
    consolidate: (table, closed) => {
      const { changes, facts } = consolidate(table, closed);
      const isKept = (fact: (typeof facts)[number]) =>
        fact.type !== 'scratchpads.consolidated' || fact.line === null;
      return { changes, facts: facts.filter(isKept) };
    },
  }),
  'the pages of the meeting are not erased': ({ erasePads }) => ({
    erasePads: (table) => ({ ...erasePads(table), facts: [] }),
  }),
  'the record keeps no result': ({ toMeetingRecord }) => ({
    toMeetingRecord: (table) => ({ ...toMeetingRecord(table), result: null }),
  }),
  'the poll is complete before the last vote': ({ isPollComplete, seatsWithBallot }) => ({
    isPollComplete: (table) => isPollComplete(table) || seatsWithBallot(table).length > 0,
  }),
  'the poll is never complete': () => ({ isPollComplete: () => false }),
  'the dead and departed are asked too': () => ({
    livingSeats: ({ seats }) => seats.map(({ colour }) => colour),
  }),
  'the arbiter does not hear who has voted': () => ({ seatsWithBallot: () => [] }),
  'every call is taken': () => ({ isCallLegal: () => true }),
  'every call is refused': () => ({ isCallLegal: () => false }),
  'the call is not announced': ({ announceCall }) => ({
    announceCall: (table) => ({ ...announceCall(table), facts: [] }),
  }),
};

const TICK: Bugs<typeof Tick> = {
  'a second vote replaces the first': ({ takeBid }) => ({
    takeBid: (opened, kind, bid) => takeBid({ ...opened, ballots: {} }, kind, bid),
  }),
  'votes for the dead are locked': ({ takeBid }) => ({
    takeBid: (opened, kind, bid) => {
      const part = takeBid(opened, kind, bid);
      const vote = bid.type === 'reply' ? bid.reply.vote : null;
      return part === null ? null : { ...part, locks: part.locks ?? vote };
    },
  }),
  'a fault does not count': ({ takeBid }) => ({
    takeBid: (...args) => {
      const part = takeBid(...args);
      return part === null ? null : { ...part, streak: 0 };
    },
  }),
  'a player out of patience stays': ({ takeBid }) => ({
    takeBid: (...args) => {
      const part = takeBid(...args);
      return part === null ? null : { ...part, departs: null };
    },
  }),
  'what players wrote in a tick is lost': ({ takeBid }) => ({
    takeBid: (...args) => {
      const part = takeBid(...args);
      return part === null ? null : { ...part, wrote: null };
    },
  }),
  'nothing that a tick did is announced': ({ settleTick }) => ({
    settleTick: (...args) => ({ ...settleTick(...args), facts: [] }),
  }),
  'time is never up': ({ dueAfter }) => ({
    dueAfter: (options, passed) => {
      const due = dueAfter(options, passed);
      return due === 'time-up' ? 'ballots' : due;
    },
  }),
};

const OTHERS = {
  pads: {
    'the line of the engine says skip for a missed vote': ({ writeMechanicalLine }) => ({
      writeMechanicalLine: (ballot, outcome, ejected) =>
        writeMechanicalLine(ballot ?? 'skip', outcome, ejected),
    }),
  } satisfies Bugs<typeof Pads>,
  seats: {
    'a changed entry is written into the old table': () => ({
      withEntry: (record, seat, entry) => Object.assign(record, { [seat]: entry }),
    }),
  } satisfies Bugs<typeof Seats>,
  views: {
    'the public table hides who has voted': ({ publicTable }) => ({
      publicTable: (...args) => {
        const shown = publicTable(...args);
        return { ...shown, seats: shown.seats.map((seat) => ({ ...seat, voted: false })) };
      },
    }),
  } satisfies Bugs<typeof Views>,
};

const ALL = Object.entries({ meeting: MEETING, tick: TICK, ...OTHERS }).flatMap(([name, bugs]) =>
  Object.entries<(real: never) => object>(bugs).map(([mistake, plant]) => ({
    name,
    mistake,
    plant,
  })),
);
const TRIED = everyNth(ALL, 6);

/** Enough for each of these bugs, and little work where none is. */
const BUDGET = { states: 600, seconds: 600 };

describe(`a property notices ${TRIED.length} of ${ALL.length} planted bugs`, () => {
  test.each(TRIED)('$name: $mistake', async ({ name, plant }) => {
    const path = `../machines/rules/${name}.ts`;
    vi.doMock(path, async (load) => {
      const real = await load<never>();
      return Object.assign({}, real, plant(real));
    });
    onTestFinished(() => {
      vi.doUnmock(path);
    });
    expect(await findNotice()).not.toBeNull();
  });
});

test('no property notices anything in the rules as they are', async () => {
  expect(await findNotice()).toBeNull();
});

/** The property that notices, or the error that breaks the machine. Null if nothing does. */
async function findNotice(): Promise<string | null> {
  vi.resetModules();
  const { classicTable, deadCallerTable, houseTable } = await import('../proofs/models/meeting.ts');
  const { aModel } = await import('./proofs/models.ts');
  const environment = { faults: true, combinations: 'some', departures: 1, stops: true } as const;
  for (const setting of [
    houseTable({ players: 2, patience: 2 }),
    classicTable({ patience: 2 }),
    deadCallerTable(),
  ]) {
    const model = aModel(setting, environment);
    const { broken, results } = check(model, { budget: BUDGET, purity: 'some-steps' });
    if (broken !== null) return broken.message;
    const found = results.find(
      ({ verdict, kind }) => kind !== 'sometimes' && verdict.type === 'violated',
    );
    if (found !== undefined) return found.name;
  }
  return null;
}
