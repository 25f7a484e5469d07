/** Breaks one rule of the meeting at a time, to test whether a property detects it. The chart stays the same. */

import { createMachine } from 'xstate';
import { type MeetingOutput, meeting, meetingMachine } from '../../machines/charts/meeting.ts';
import type { ToMeeting } from '../../machines/messages.ts';
import type { ClosedTick, Fact } from '../../machines/rules/facts.ts';
import type { MeetingStep, Table } from '../../machines/rules/meeting.ts';
import * as rules from '../../machines/rules/meeting.ts';
import { type Ballot, type BySeat, COLOURS, type Colour } from '../../machines/types.ts';

export type MeetingMutant = {
  readonly kind: 'chart' | 'rule';
  readonly name: string;
  readonly machine: typeof meetingMachine;
};

type Provided = Parameters<typeof meetingMachine.provide>[0];
type Actions = NonNullable<Provided['actions']>;
type ActionName = keyof Actions;
type Action = NonNullable<Actions['closeTick']>;
type Rule = (table: Table, event: ToMeeting) => MeetingStep;

function breakRule(mistake: string, broken: Provided): MeetingMutant {
  return { kind: 'rule', name: mistake, machine: meetingMachine.provide(broken) };
}

function redefine(parts: {
  readonly output?: (args: { readonly context: Table }) => MeetingOutput;
  readonly invoke?: object;
}): typeof meetingMachine {
  const { config, implementations } = meetingMachine;
  // XState infers the type of a literal definition only.
  const machine: unknown = createMachine(
    { ...config, ...parts } as never,
    implementations as never,
  );
  return machine as typeof meetingMachine; // all else is as it was
}

function changeOutput(
  mistake: string,
  change: (output: MeetingOutput) => Partial<MeetingOutput>,
): MeetingMutant {
  const output = ({ context }: { readonly context: Table }): MeetingOutput => {
    const { outcome, ejected, standings } = context;
    const held = rules.toMeetingRecord(context);
    const whole = { outcome: outcome ?? 'unconverged', ejected, standings, held };
    return { ...whole, ...change(whole) };
  };
  return { kind: 'rule', name: mistake, machine: redefine({ output }) };
}

const NOTHING: MeetingStep = { changes: {}, facts: [] };

function applyRule(rule: Rule): Action {
  const action = meeting.enqueueActions(({ context, event, enqueue }) => {
    const { changes, facts } = rule(context, event);
    enqueue.assign(changes);
    if (facts.length > 0) enqueue({ type: 'announceFacts', params: { facts } });
  });
  return action as Action; // a chart knows the id of its arbiter, a setup does not yet
}

type TickRule = (table: Table, closed: ClosedTick) => MeetingStep;

function onTick(rule: TickRule): Rule {
  return (table, event) => (event.type === 'tick.closed' ? rule(table, event) : NOTHING);
}

function breakAction(mistake: string, action: ActionName, rule: Rule): MeetingMutant {
  return breakRule(mistake, { actions: { [action]: applyRule(rule) } });
}

function breakTick(mistake: string, closeTick: TickRule): MeetingMutant {
  return breakAction(mistake, 'closeTick', onTick(closeTick));
}

function changeTick(
  mistake: string,
  change: (step: MeetingStep, table: Table, closed: ClosedTick) => Partial<MeetingStep>,
): MeetingMutant {
  return breakTick(mistake, (table, closed) => {
    const step = rules.closeTick(table, closed);
    return { ...step, ...change(step, table, closed) };
  });
}

function addBallots(
  mistake: string,
  extra: (table: Table, closed: ClosedTick) => BySeat<Ballot>,
): MeetingMutant {
  return changeTick(mistake, ({ changes }, table, closed) => ({
    changes: { ...changes, ballots: { ...changes.ballots, ...extra(table, closed) } },
  }));
}

function changeFacts<T extends Fact['type']>(
  mistake: string,
  type: T,
  change: (fact: Extract<Fact, { type: T }>) => Fact,
): MeetingMutant {
  const isOfType = (fact: Fact): fact is Extract<Fact, { type: T }> => fact.type === type;
  return changeTick(mistake, ({ facts }) => ({
    facts: facts.map((fact) => (isOfType(fact) ? change(fact) : fact)),
  }));
}

function applyStop(during: 'tick' | 'pause'): Action {
  return applyRule((table, event) => {
    if (event.type !== 'meeting.stopped') return NOTHING;
    const { changes, facts } = rules.requestStop(table, event.outcome, during);
    return { changes: { ...changes, ejected: null }, facts };
  });
}

function votesOfTick({ bids }: ClosedTick): readonly (readonly [Colour, Ballot])[] {
  return bids.flatMap((bid) =>
    bid.type === 'reply' && bid.reply.vote !== null ? [[bid.seat, bid.reply.vote]] : [],
  );
}

function votesOf(closed: ClosedTick, counts: (seat: Colour, vote: Ballot) => boolean) {
  return Object.fromEntries(votesOfTick(closed).filter((vote) => counts(...vote)));
}

function skipsOf(seats: readonly Colour[]): BySeat<Ballot> {
  return Object.fromEntries(seats.map((seat) => [seat, 'skip' as const]));
}

function failedSeats({ bids }: ClosedTick): readonly Colour[] {
  return bids.filter(({ type }) => type === 'fault').map(({ seat }) => seat);
}

function isCandidate(table: Table, vote: Ballot): boolean {
  return vote === 'skip' || rules.isLiving(table, vote);
}

const aboutVotes: readonly MeetingMutant[] = [
  addBallots('a second vote replaces the first', (table, closed) =>
    votesOf(closed, (seat, vote) => rules.isLiving(table, seat) && isCandidate(table, vote)),
  ),
  addBallots('a fault counts as a skip', (table, closed) =>
    skipsOf(failedSeats(closed).filter((seat) => table.ballots[seat] === undefined)),
  ),
  addBallots('the dead may be voted for', (table, closed) =>
    votesOf(closed, (seat) => rules.isLiving(table, seat) && table.ballots[seat] === undefined),
  ),
  addBallots('the bid of a player who left still votes', (table, closed) =>
    votesOf(closed, (seat) => !rules.isLiving(table, seat) && !table.ballots[seat]),
  ),
  breakTick('a vote counts before votes are open', (table, closed) =>
    rules.closeTick(table, { ...closed, requestKind: 'voting' }),
  ),
  breakTick('votes for oneself are lost', (table, closed) => {
    const own = votesOf(closed, (seat, vote) => vote === seat);
    const bids = closed.bids.filter(({ seat }) => own[seat] === undefined);
    return rules.closeTick(table, { ...closed, bids });
  }),
];

/** Several things at once in a tick: the actions of one player must not affect others. */
const aboutTicks: readonly MeetingMutant[] = [
  breakTick('a refused vote ends the counting of the others', (table, closed) => {
    const refused = closed.bids.findIndex(
      (bid) =>
        bid.type === 'reply' &&
        bid.reply.vote !== null &&
        (table.ballots[bid.seat] !== undefined || !isCandidate(table, bid.reply.vote)),
    );
    const bids = refused < 0 ? closed.bids : closed.bids.slice(0, refused + 1);
    const { changes, facts } = rules.closeTick(table, { ...closed, bids });
    const [head, ...rest] = facts;
    return {
      changes,
      facts: head?.type === 'tick.closed' ? [{ ...head, ...closed }, ...rest] : facts,
    };
  }),
  changeTick('votes are lost when somebody speaks', ({ changes, facts }, table, { decision }) =>
    (decision?.floor ?? null) === null
      ? {}
      : {
          changes: { ...changes, ballots: table.ballots },
          facts: facts.filter(({ type }) => type !== 'vote.locked'),
        },
  ),
  breakTick('the vote of a speaker is a skip', (table, closed) => {
    const floor = closed.decision?.floor;
    const bids = closed.bids.map((bid) =>
      bid.type === 'reply' && bid.seat === floor && bid.reply.vote !== null
        ? { ...bid, reply: { ...bid.reply, vote: 'skip' as const } }
        : bid,
    );
    return rules.closeTick(table, { ...closed, bids });
  }),
  changeTick('a fault beside a vote is not counted', ({ changes }, table, closed) =>
    votesOfTick(closed).length === 0 ? {} : { changes: { ...changes, streaks: table.streaks } },
  ),
  changeTick('only the first who writes is kept', ({ facts }) => {
    const first = facts.find(({ type }) => type === 'scratchpads.updated');
    return {
      facts: facts.filter((fact) => fact.type !== 'scratchpads.updated' || fact === first),
    };
  }),
  changeTick('voting takes one tick longer', ({ changes }, table, closed) => {
    if (changes.due !== 'time-up') return {};
    const earlier = rules.closeTick(table, { ...closed, tick: closed.tick - 1 });
    return { changes: { ...changes, due: earlier.changes.due ?? 'ballots' } };
  }),
  withPatience('patience is never more than two', (patience) => Math.min(2, patience)),
];

const aboutWords: readonly MeetingMutant[] = [
  breakAction('the sentence says the wrong role', 'announceResult', (table) => {
    const seats = table.seats.map((seat) => ({
      ...seat,
      role: seat.role === 'impostor' ? ('crewmate' as const) : ('impostor' as const),
    }));
    return rules.announceResult({ ...table, seats });
  }),
  changeFacts('a refusal gives another reason', 'vote.refused', (fact) => ({
    ...fact,
    note: { ...fact.note, code: 'vote/not-living' },
  })),
  changeFacts('a refusal does not name the locked vote', 'vote.refused', (fact) => ({
    ...fact,
    note: { ...fact.note, text: 'your vote does not count' },
  })),
  breakAction(
    'the line says that nobody voted',
    'consolidate',
    onTick((table, closed) => rules.consolidate({ ...table, ballots: {} }, closed)),
  ),
  changeFacts('a fault is noted with one too many', 'seat.faulted', (fact) => ({
    ...fact,
    streak: fact.streak + 1,
  })),
  changeOutput('the result that is handed out ejects nobody', () => ({ ejected: null })),
  changeOutput(
    'the record of a stopped meeting has its outcome in place of the verdict',
    ({ outcome, held: { call, result } }) => ({
      held: { call, result: result && { ...result, outcome } },
    }),
  ),
  breakRule('a stop takes back the verdict that was announced', {
    actions: { stop: applyStop('pause'), stopInTick: applyStop('tick') },
  }),
  {
    kind: 'rule',
    name: 'the arbiter is not given the last seat',
    machine: redefine({
      invoke: {
        ...meetingMachine.config.invoke,
        input: ({ context }: { readonly context: Table }) => ({
          chance: context.chance,
          options: context.options,
          seated: context.seats.slice(0, -1).map(({ colour }) => colour),
        }),
      },
    }),
  },
];

function withoutClearing(during: 'pause' | 'tick') {
  return applyRule((table, event) => {
    if (event.type !== 'seat.left') return NOTHING;
    const asInHouse = { ...table, options: { ...table.options, rules: 'house' as const } };
    return rules.leaveTable(asInHouse, event.seat, during);
  });
}

function withPatience(mistake: string, change: (patience: number) => number): MeetingMutant {
  return breakTick(mistake, (table, closed) => {
    const patience = change(table.options.patience);
    return rules.closeTick({ ...table, options: { ...table.options, patience } }, closed);
  });
}

const aboutPresence: readonly MeetingMutant[] = [
  withPatience('patience lasts one fault longer', (patience) => patience + 1),
  withPatience('patience ends one fault sooner', (patience) => patience - 1),
  changeTick('a reply does not end the count of faults', ({ changes }, { streaks }) => ({
    changes: { ...changes, streaks: { ...streaks, ...changes.streaks } },
  })),
  breakRule('a departure clears no ballots in classic', {
    actions: { leaveTable: withoutClearing('pause'), leaveTableInTick: withoutClearing('tick') },
  }),
  breakRule('a player who is gone may leave again', {
    guards: { leaverIsLiving: ({ event }) => event.type === 'seat.left' },
  }),
  changeTick('a game learns only of the players lost last', ({ changes }, { faulted }) => ({
    changes: { ...changes, faulted: (changes.faulted ?? []).slice(faulted.length) },
  })),
  changeTick('a player who left is heard', ({ facts: [, ...others] }, _, closed) => ({
    facts: [{ ...closed, type: 'tick.closed' }, ...others],
  })),
];

function countOtherwise(
  mistake: string,
  end: (step: MeetingStep, poll: NonNullable<Table['poll']>) => OtherCount | null,
): MeetingMutant {
  return breakAction(mistake, 'countPoll', (table) => {
    const step = rules.countPoll(table);
    const other = table.poll === null ? null : end(step, table.poll);
    if (other === null) return step;
    return {
      changes: other,
      facts: step.facts.map((fact) =>
        fact.type === 'poll.counted' ? { ...fact, ...other } : fact,
      ),
    };
  });
}

type OtherCount = {
  readonly outcome: 'ejected' | 'tie' | 'skipped';
  readonly ejected: Colour | null;
};

const aboutThePoll: readonly MeetingMutant[] = [
  countOtherwise('a tie ejects the first', ({ changes }, poll) => {
    if (changes.outcome !== 'tie') return null;
    const { counts } = rules.countVotes(poll);
    const most = Math.max(...counts.map(({ votes }) => votes));
    const ejected = COLOURS.find((colour) =>
      counts.some(({ candidate, votes }) => candidate === colour && votes === most),
    );
    return ejected === undefined ? null : { outcome: 'ejected', ejected };
  }),
  countOtherwise('a plurality over skip is not needed', ({ changes }, poll) => {
    if (changes.outcome !== 'skipped' && changes.outcome !== 'tie') return null;
    const ballots = Object.fromEntries(
      Object.entries(poll.ballots).filter(([, ballot]) => ballot !== 'skip'),
    );
    const { outcome, ejected } = rules.countVotes({ ...poll, ballots });
    return outcome === 'ejected' ? { outcome, ejected } : null;
  }),
  countOtherwise('skips that lead are a tie', ({ changes }) =>
    changes.outcome === 'skipped' ? { outcome: 'tie', ejected: null } : null,
  ),
  breakAction('void ballots are counted', 'countPoll', (table) =>
    rules.countPoll({ ...table, poll: table.poll && { ...table.poll, void: [] } }),
  ),
  breakRule('closing is only looked at when a vote arrives', {
    guards: {
      everyoneVoted: ({ context, event }) =>
        event.type === 'tick.closed' &&
        votesOfTick(event).length > 0 &&
        rules.isPollComplete(context),
    },
  }),
  breakRule('time is never up', { guards: { timeIsUp: () => false } }),
  breakAction('a missed vote is a skip', 'closePoll', (table) => {
    const missed = rules.livingSeats(table).filter((seat) => table.ballots[seat] === undefined);
    return rules.closePoll({ ...table, ballots: { ...table.ballots, ...skipsOf(missed) } });
  }),
];

const aboutTheEnd: readonly MeetingMutant[] = [
  breakAction('the result names no player', 'announceResult', (table) =>
    rules.announceResult({ ...table, ejected: null }),
  ),
  breakAction('the ejected stays alive', 'announceResult', (table) => ({
    ...rules.announceResult(table),
    changes: {},
  })),
  breakAction('a void ballot is not turned', 'turnBallot', (table) => {
    const step = rules.turnBallot(table);
    const isVoid = step.facts.some((fact) => fact.type === 'ballot.revealed' && fact.void);
    return isVoid ? { ...step, facts: [] } : step;
  }),
  breakAction('the scratchpads are not erased', 'erasePads', () => NOTHING),
  breakAction(
    'a player who fails in the consolidation keeps nothing',
    'consolidate',
    onTick((table, closed) => {
      const failed = failedSeats(closed);
      const { changes, facts } = rules.consolidate(table, closed);
      const kept = facts.filter(
        (fact) => fact.type !== 'scratchpads.consolidated' || !failed.includes(fact.seat),
      );
      return { changes, facts: kept };
    }),
  ),
];

export const RULE_MUTANTS: readonly MeetingMutant[] = [
  ...aboutVotes,
  ...aboutTicks,
  ...aboutPresence,
  ...aboutThePoll,
  ...aboutTheEnd,
  ...aboutWords,
];
