/**
 * Rule mutants break one rule of the meeting at a time, to test whether a property detects it. The
 * chart stays the same. A mutant replaces the use of the rules in one of its actions or guards.
 */

import { createMachine } from 'xstate';
import { type MeetingOutput, meeting, meetingMachine } from '../../machines/charts/meeting.ts';
import type { ToMeeting } from '../../machines/messages.ts';
import type { ClosedTick, Fact } from '../../machines/rules/facts.ts';
import type { MeetingStep, Table } from '../../machines/rules/meeting.ts';
import * as rules from '../../machines/rules/meeting.ts';
import { countVotes } from '../../machines/rules/meeting.ts';
import { type Ballot, type BySeat, COLOURS, type Colour } from '../../machines/types.ts';

type RuleMutant = {
  /** The defect, as a sentence without a full stop. */
  readonly mistake: string;
  readonly machine: typeof meetingMachine;
};

type Provided = Parameters<typeof meetingMachine.provide>[0];
type Action = NonNullable<NonNullable<Provided['actions']>['closeTick']>;
type Rule = (table: Table, event: ToMeeting) => MeetingStep;

function breakRule(mistake: string, broken: Provided): RuleMutant {
  return { mistake, machine: meetingMachine.provide(broken) };
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

const NOTHING: MeetingStep = { changes: {}, facts: [] };

/** An action that applies a rule, as in the production chart. */
function applyRule(rule: Rule): Action {
  const action = meeting.enqueueActions(({ context, event, enqueue }) => {
    const { changes, facts } = rule(context, event);
    enqueue.assign(changes);
    if (facts.length > 0) enqueue({ type: 'announceFacts', params: { facts } });
  });
  return action as Action; // a chart knows the id of its arbiter, a setup does not yet
}

function applyTickRule(rule: (table: Table, closed: ClosedTick) => MeetingStep): Action {
  return applyRule((table, event) => (event.type === 'tick.closed' ? rule(table, event) : NOTHING));
}

/** A stop that always cancels the ejection, even an announced one. */
function applyStop(during: 'tick' | 'pause'): Action {
  return applyRule((table, event) => {
    if (event.type !== 'meeting.stopped') return NOTHING;
    const { changes, facts } = rules.requestStop(table, event.outcome, during);
    return { changes: { ...changes, ejected: null }, facts };
  });
}

function votesOfTick({ bids }: ClosedTick): readonly { seat: Colour; vote: Ballot }[] {
  return bids.flatMap((bid) =>
    bid.type === 'reply' && bid.reply.vote !== null
      ? [{ seat: bid.seat, vote: bid.reply.vote }]
      : [],
  );
}

/** Adds ballots that the rules did not take. */
function lockAlso(step: MeetingStep, extra: BySeat<Ballot>): MeetingStep {
  return { ...step, changes: { ...step.changes, ballots: { ...step.changes.ballots, ...extra } } };
}

/** A closed tick that adds ballots against the rules. */
function lockingAlso(extra: (table: rules.Table, closed: ClosedTick) => BySeat<Ballot>) {
  return applyTickRule((table, closed) =>
    lockAlso(rules.closeTick(table, closed), extra(table, closed)),
  );
}

function votesOf(closed: ClosedTick, counts: (seat: Colour, vote: Ballot) => boolean) {
  return Object.fromEntries(
    votesOfTick(closed)
      .filter(({ seat, vote }) => counts(seat, vote))
      .map(({ seat, vote }) => [seat, vote]),
  );
}

function isCandidate(table: rules.Table, vote: Ballot): boolean {
  return vote === 'skip' || rules.isLiving(table, vote);
}

const aboutVotes: readonly RuleMutant[] = [
  breakRule('a second vote replaces the first', {
    actions: {
      closeTick: lockingAlso((table, closed) =>
        votesOf(closed, (seat, vote) => rules.isLiving(table, seat) && isCandidate(table, vote)),
      ),
    },
  }),
  breakRule('a fault counts as a skip', {
    actions: {
      closeTick: lockingAlso((table, { bids }) =>
        Object.fromEntries(
          bids
            .filter(({ type, seat }) => type === 'fault' && table.ballots[seat] === undefined)
            .map(({ seat }) => [seat, 'skip' as const]),
        ),
      ),
    },
  }),
  breakRule('the dead may be voted for', {
    actions: {
      closeTick: lockingAlso((table, closed) =>
        votesOf(closed, (seat) => rules.isLiving(table, seat) && table.ballots[seat] === undefined),
      ),
    },
  }),
  breakRule('the bid of a player who left still votes', {
    actions: {
      closeTick: lockingAlso((table, closed) =>
        votesOf(closed, (seat) => !rules.isLiving(table, seat) && !table.ballots[seat]),
      ),
    },
  }),
  breakRule('a vote counts before votes are open', {
    actions: {
      closeTick: applyTickRule((table, closed) =>
        rules.closeTick(table, { ...closed, requestKind: 'voting' }),
      ),
    },
  }),
  breakRule('votes for oneself are lost', {
    actions: {
      closeTick: applyTickRule((table, closed) => {
        const isOwn = (seat: Colour) =>
          votesOfTick(closed).some((vote) => vote.seat === seat && vote.vote === seat);
        const bids = closed.bids.filter(({ seat }) => !isOwn(seat));
        return rules.closeTick(table, { ...closed, bids });
      }),
    },
  }),
];

/** Several things at once in a tick: the actions of one player must not affect others. */
const aboutTicks: readonly RuleMutant[] = [
  breakRule('a refused vote ends the counting of the others', {
    actions: {
      closeTick: applyTickRule((table, closed) => {
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
    },
  }),
  breakRule('votes are lost when somebody speaks', {
    actions: {
      closeTick: applyTickRule((table, closed) => {
        const step = rules.closeTick(table, closed);
        if ((closed.decision?.floor ?? null) === null) return step;
        return {
          changes: { ...step.changes, ballots: table.ballots },
          facts: step.facts.filter(({ type }) => type !== 'vote.locked'),
        };
      }),
    },
  }),
  breakRule('the vote of a speaker is a skip', {
    actions: {
      closeTick: applyTickRule((table, closed) => {
        const floor = closed.decision?.floor;
        const bids = closed.bids.map((bid) =>
          bid.type === 'reply' && bid.seat === floor && bid.reply.vote !== null
            ? { ...bid, reply: { ...bid.reply, vote: 'skip' as const } }
            : bid,
        );
        return rules.closeTick(table, { ...closed, bids });
      }),
    },
  }),
  breakRule('a fault beside a vote is not counted', {
    actions: {
      closeTick: applyTickRule((table, closed) => {
        const step = rules.closeTick(table, closed);
        if (votesOfTick(closed).length === 0) return step;
        return { ...step, changes: { ...step.changes, streaks: table.streaks } };
      }),
    },
  }),
  breakRule('only the first who writes is kept', {
    actions: {
      closeTick: applyTickRule((table, closed) => {
        const { changes, facts } = rules.closeTick(table, closed);
        const first = facts.find(({ type }) => type === 'scratchpads.updated');
        return {
          changes,
          facts: facts.filter((fact) => fact.type !== 'scratchpads.updated' || fact === first),
        };
      }),
    },
  }),
  breakRule('voting takes one tick longer', {
    actions: {
      closeTick: applyTickRule((table, closed) => {
        const step = rules.closeTick(table, closed);
        if (step.changes.due !== 'time-up') return step;
        const { due = 'ballots' } = rules.closeTick(table, {
          ...closed,
          tick: closed.tick - 1,
        }).changes;
        return { ...step, changes: { ...step.changes, due } };
      }),
    },
  }),
  breakRule('patience is never more than two', {
    actions: {
      closeTick: applyTickRule((table, closed) => {
        const patience = Math.min(2, table.options.patience);
        return rules.closeTick({ ...table, options: { ...table.options, patience } }, closed);
      }),
    },
  }),
];

function changeFacts({ changes, facts }: MeetingStep, change: (fact: Fact) => Fact): MeetingStep {
  return { changes, facts: facts.map(change) };
}

const aboutWords: readonly RuleMutant[] = [
  breakRule('the sentence says the wrong role', {
    actions: {
      announceResult: applyRule((table) => {
        const seats = table.seats.map((seat) => ({
          ...seat,
          role: seat.role === 'impostor' ? ('crewmate' as const) : ('impostor' as const),
        }));
        return rules.announceResult({ ...table, seats });
      }),
    },
  }),
  breakRule('a refusal gives another reason', {
    actions: {
      closeTick: applyTickRule((table, closed) =>
        changeFacts(rules.closeTick(table, closed), (fact) =>
          fact.type === 'vote.refused'
            ? { ...fact, note: { ...fact.note, code: 'vote/not-living' } }
            : fact,
        ),
      ),
    },
  }),
  breakRule('a refusal does not name the locked vote', {
    actions: {
      closeTick: applyTickRule((table, closed) =>
        changeFacts(rules.closeTick(table, closed), (fact) =>
          fact.type === 'vote.refused'
            ? { ...fact, note: { ...fact.note, text: 'your vote does not count' } }
            : fact,
        ),
      ),
    },
  }),
  breakRule('the line says that nobody voted', {
    actions: {
      consolidate: applyTickRule((table, closed) =>
        rules.consolidate({ ...table, ballots: {} }, closed),
      ),
    },
  }),
  breakRule('a fault is noted with one too many', {
    actions: {
      closeTick: applyTickRule((table, closed) =>
        changeFacts(rules.closeTick(table, closed), (fact) =>
          fact.type === 'seat.faulted' ? { ...fact, streak: fact.streak + 1 } : fact,
        ),
      ),
    },
  }),
  {
    mistake: 'the result that is handed out ejects nobody',
    machine: redefine({
      output: ({ context }) => ({
        outcome: context.outcome ?? 'unconverged',
        ejected: null,
        standings: context.standings,
        held: rules.toMeetingRecord(context),
      }),
    }),
  },
  {
    mistake: 'the record of a stopped meeting has its outcome in place of the verdict',
    machine: redefine({
      output: ({ context }) => {
        const { call, result } = rules.toMeetingRecord(context);
        const outcome = context.outcome ?? 'unconverged';
        return {
          outcome,
          ejected: context.ejected,
          standings: context.standings,
          held: { call, result: result === null ? null : { ...result, outcome } },
        };
      },
    }),
  },
  breakRule('a stop takes back the verdict that was announced', {
    actions: { stop: applyStop('pause'), stopInTick: applyStop('tick') },
  }),
  {
    mistake: 'the arbiter is not given the last seat',
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

/** A departure that never removes ballots. */
function withoutClearing(during: 'pause' | 'tick') {
  return applyRule((table, event) => {
    if (event.type !== 'seat.left') return NOTHING;
    const asInHouse = { ...table, options: { ...table.options, rules: 'house' as const } };
    return rules.leaveTable(asInHouse, event.seat, during);
  });
}

function withPatience(more: number) {
  return applyTickRule((table, closed) => {
    const patience = table.options.patience + more;
    return rules.closeTick({ ...table, options: { ...table.options, patience } }, closed);
  });
}

const aboutPresence: readonly RuleMutant[] = [
  breakRule('patience lasts one fault longer', { actions: { closeTick: withPatience(1) } }),
  breakRule('patience ends one fault sooner', { actions: { closeTick: withPatience(-1) } }),
  breakRule('a reply does not end the count of faults', {
    actions: {
      closeTick: applyTickRule((table, closed) => {
        const step = rules.closeTick(table, closed);
        return {
          ...step,
          changes: { ...step.changes, streaks: { ...table.streaks, ...step.changes.streaks } },
        };
      }),
    },
  }),
  breakRule('a departure clears no ballots in classic', {
    actions: { leaveTable: withoutClearing('pause'), leaveTableInTick: withoutClearing('tick') },
  }),
  breakRule('a player who is gone may leave again', {
    guards: { leaverIsLiving: ({ event }) => event.type === 'seat.left' },
  }),
  breakRule('a player who left is heard', {
    actions: {
      closeTick: applyTickRule((table, closed) => {
        const { changes, facts } = rules.closeTick(table, closed);
        const [, ...others] = facts;
        return { changes, facts: [{ ...closed, type: 'tick.closed' }, ...others] };
      }),
    },
  }),
];

function countingOtherwise(
  end: (step: rules.MeetingStep, poll: NonNullable<rules.Table['poll']>) => OtherCount | null,
) {
  return applyRule((table) => {
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

const firstOfATie = countingOtherwise(({ changes }, poll) => {
  if (changes.outcome !== 'tie') return null;
  const { counts } = countVotes(poll);
  const most = Math.max(...counts.map(({ votes }) => votes));
  const ejected = COLOURS.find((colour) =>
    counts.some(({ candidate, votes }) => candidate === colour && votes === most),
  );
  return ejected === undefined ? null : { outcome: 'ejected', ejected };
});

/** Ignores skips when it looks for the plurality. */
const overSkip = countingOtherwise(({ changes }, poll) => {
  if (changes.outcome !== 'skipped' && changes.outcome !== 'tie') return null;
  const ballots = Object.fromEntries(
    Object.entries(poll.ballots).filter(([, ballot]) => ballot !== 'skip'),
  );
  const { outcome, ejected } = countVotes({ ...poll, ballots });
  return outcome === 'ejected' ? { outcome, ejected } : null;
});

const aboutThePoll: readonly RuleMutant[] = [
  breakRule('a tie ejects the first', { actions: { countPoll: firstOfATie } }),
  breakRule('a plurality over skip is not needed', { actions: { countPoll: overSkip } }),
  breakRule('skips that lead are a tie', {
    actions: {
      countPoll: countingOtherwise(({ changes }) =>
        changes.outcome === 'skipped' ? { outcome: 'tie', ejected: null } : null,
      ),
    },
  }),
  breakRule('void ballots are counted', {
    actions: {
      countPoll: applyRule((table) =>
        rules.countPoll({ ...table, poll: table.poll && { ...table.poll, void: [] } }),
      ),
    },
  }),
  breakRule('closing is only looked at when a vote arrives', {
    guards: {
      everyoneVoted: ({ context, event }) =>
        event.type === 'tick.closed' &&
        votesOfTick(event).length > 0 &&
        rules.isPollComplete(context),
    },
  }),
  breakRule('time is never up', { guards: { timeIsUp: () => false } }),
  breakRule('a missed vote is a skip', {
    actions: {
      closePoll: applyRule((table) => {
        const missed = rules.livingSeats(table).filter((seat) => table.ballots[seat] === undefined);
        const skips = Object.fromEntries(missed.map((seat) => [seat, 'skip' as const]));
        return rules.closePoll({ ...table, ballots: { ...table.ballots, ...skips } });
      }),
    },
  }),
];

const aboutTheEnd: readonly RuleMutant[] = [
  breakRule('the result names no player', {
    actions: {
      announceResult: applyRule((table) => rules.announceResult({ ...table, ejected: null })),
    },
  }),
  breakRule('the ejected stays alive', {
    actions: {
      announceResult: applyRule((table) => ({ ...rules.announceResult(table), changes: {} })),
    },
  }),
  breakRule('a void ballot is not turned', {
    actions: {
      turnBallot: applyRule((table) => {
        const step = rules.turnBallot(table);
        const isVoid = step.facts.some((fact) => fact.type === 'ballot.revealed' && fact.void);
        return isVoid ? { ...step, facts: [] } : step;
      }),
    },
  }),
  breakRule('the scratchpads are not erased', { actions: { erasePads: applyRule(() => NOTHING) } }),
  breakRule('a player who fails in the consolidation keeps nothing', {
    actions: {
      consolidate: applyTickRule((table, closed) => {
        const failed = closed.bids.filter(({ type }) => type === 'fault').map(({ seat }) => seat);
        const { changes, facts } = rules.consolidate(table, closed);
        const kept = facts.filter(
          (fact) => fact.type !== 'scratchpads.consolidated' || !failed.includes(fact.seat),
        );
        return { changes, facts: kept };
      }),
    },
  }),
];

export const RULE_MUTANTS: readonly RuleMutant[] = [
  ...aboutVotes,
  ...aboutTicks,
  ...aboutPresence,
  ...aboutThePoll,
  ...aboutTheEnd,
  ...aboutWords,
];
