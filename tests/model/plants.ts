/** Plants: the meeting with one rule broken, beside the promise that should notice. The machines are left alone. */
import { meeting } from '../../machines/meeting/setup.ts';
import { meetingMachine } from '../../machines/meeting.ts';
import type { ToMeeting } from '../../machines/protocol.ts';
import * as rules from '../../machines/rules/table.ts';
import type { ClosedTick } from '../../machines/rules/tick.ts';
import { type Ballot, COLOURS, type Colour } from '../../machines/types.ts';
import { classic, type house, type Wanted } from './models.ts';

type Rule = (table: rules.Table, event: ToMeeting) => rules.Step;

type Action = NonNullable<
  NonNullable<Parameters<typeof meetingMachine.provide>[0]['actions']>['closeTick']
>;

/** An action that takes the step of a rule, as the production chart does. */
function taking(rule: Rule): Action {
  const action = meeting.enqueueActions(({ context, event, enqueue }) => {
    const { changes, facts } = rule(context, event);
    enqueue.assign(changes);
    if (facts.length > 0) enqueue({ type: 'tell', params: { facts } });
  });
  return action as Action; // a chart knows the id of its arbiter, a setup does not yet
}

const NOTHING: rules.Step = { changes: {}, facts: [] };

/** A closed tick after which ballots are added that the rules would not take. */
function alsoLocking(
  extra: (table: rules.Table, closed: ClosedTick) => Partial<Record<Colour, Ballot>>,
) {
  return taking((table, event) => {
    if (event.type !== 'tick.closed') return NOTHING;
    const step = rules.tickClosed(table, event);
    const ballots = { ...step.changes.ballots, ...extra(table, event) };
    return { ...step, changes: { ...step.changes, ballots } };
  });
}

const votesIn = ({ bids }: ClosedTick) =>
  bids.flatMap((bid) =>
    bid.type === 'reply' && bid.reply.vote !== null
      ? [{ seat: bid.seat, vote: bid.reply.vote }]
      : [],
  );

/** A tie ejects the first of those who lead. */
export const firstOfATieGoes = meetingMachine.provide({
  actions: {
    count: taking((table) => {
      const step = rules.pollCounted(table);
      if (step.changes.outcome !== 'tie') return step;
      const fact = step.facts[0];
      const counts = fact?.type === 'poll.counted' ? fact.counts : [];
      const most = Math.max(...counts.map(({ votes }) => votes));
      const first = COLOURS.find((colour) =>
        counts.some(({ candidate, votes }) => candidate === colour && votes === most),
      );
      if (first === undefined) return step;
      return { ...step, changes: { outcome: 'ejected', ejected: first } };
    }),
  },
});

type Plant = {
  readonly mistake: string;
  readonly machine: typeof meetingMachine;
  /** The promise that is broken. */
  readonly promise: string;
  /** A shortest way to break it, from the first tick on. */
  readonly trace: readonly string[];
  readonly rules?: (wanted: Wanted) => ReturnType<typeof house>;
};

export const PLANTS: readonly Plant[] = [
  {
    mistake: 'a second vote replaces the first',
    machine: meetingMachine.provide({
      actions: {
        closeTick: alsoLocking((table, closed) =>
          Object.fromEntries(
            votesIn(closed)
              .filter(({ seat, vote }) => isLiving(table, seat) && isCandidate(table, vote))
              .map(({ seat, vote }) => [seat, vote]),
          ),
        ),
      },
    }),
    promise: 'vote-lock',
    trace: ['red blue=red', 'red blue=skip'],
  },
  {
    mistake: 'a fault counts as a skip',
    machine: meetingMachine.provide({
      actions: {
        closeTick: alsoLocking((table, { bids }) =>
          Object.fromEntries(
            bids
              .filter(({ type, seat }) => type === 'fault' && table.ballots[seat] === undefined)
              .map(({ seat }) => [seat, 'skip' as const]),
          ),
        ),
      },
    }),
    promise: 'fault-never-votes',
    trace: ['red blue!'],
  },
  {
    mistake: 'the dead may be voted for',
    machine: meetingMachine.provide({
      actions: {
        closeTick: alsoLocking((table, closed) =>
          Object.fromEntries(
            votesIn(closed)
              .filter(({ seat }) => isLiving(table, seat) && table.ballots[seat] === undefined)
              .map(({ seat, vote }) => [seat, vote]),
          ),
        ),
      },
    }),
    promise: 'living-candidates',
    trace: ['red blue!', 'red=blue'],
  },
  {
    mistake: 'the bid of somebody who has left still votes',
    machine: meetingMachine.provide({
      actions: {
        closeTick: alsoLocking((table, closed) =>
          Object.fromEntries(
            votesIn(closed)
              .filter(({ seat }) => !isLiving(table, seat) && table.ballots[seat] === undefined)
              .map(({ seat, vote }) => [seat, vote]),
          ),
        ),
      },
    }),
    promise: 'gone-never-vote',
    trace: ['red blue!', 'red blue=skip'],
  },
  {
    mistake: 'a tie ejects the first',
    machine: firstOfATieGoes,
    promise: 'unique-plurality',
    trace: ['red=red blue=blue', 'poll.counted'],
  },
  {
    mistake: 'void ballots are counted',
    machine: meetingMachine.provide({
      actions: {
        count: taking((table) =>
          rules.pollCounted({ ...table, poll: table.poll && { ...table.poll, void: [] } }),
        ),
      },
    }),
    promise: 'count',
    trace: ['red=blue blue!', 'poll.counted'],
  },
  {
    mistake: 'closing is only looked at when a vote arrives',
    machine: meetingMachine.provide({
      guards: {
        everyoneVoted: ({ context, event }) =>
          event.type === 'tick.closed' && votesIn(event).length > 0 && rules.pollComplete(context),
      },
    }),
    promise: 'closing-is-noticed',
    trace: ['red blue=red', 'red! blue'],
  },
  {
    mistake: 'a missed vote is a skip',
    machine: meetingMachine.provide({
      actions: {
        closePoll: taking((table) => {
          const missed = rules.living(table).filter((seat) => table.ballots[seat] === undefined);
          const skips = Object.fromEntries(missed.map((seat) => [seat, 'skip' as const]));
          const step = rules.pollClosed({ ...table, ballots: { ...table.ballots, ...skips } });
          return step;
        }),
      },
    }),
    promise: 'poll-as-it-stood',
    trace: ['red blue'],
    rules: classic,
  },
  {
    mistake: 'patience lasts one fault longer',
    machine: meetingMachine.provide({
      actions: {
        closeTick: taking((table, event) =>
          event.type === 'tick.closed'
            ? rules.tickClosed(
                { ...table, options: { ...table.options, patience: table.options.patience + 1 } },
                event,
              )
            : NOTHING,
        ),
      },
    }),
    promise: 'departure-has-a-reason',
    trace: ['red blue!', 'red blue!'],
  },
  {
    mistake: 'whoever has left is heard',
    machine: meetingMachine.provide({
      actions: {
        closeTick: taking((table, event) => {
          if (event.type !== 'tick.closed') return NOTHING;
          const { changes, facts } = rules.tickClosed(table, event);
          const [, ...others] = facts;
          return { changes, facts: [event, ...others] };
        }),
      },
    }),
    promise: 'gone-never-speak',
    trace: ['red blue!', 'red blue=skip'],
  },
  {
    mistake: 'the scratchpads are not erased',
    machine: meetingMachine.provide({
      actions: { erase: taking(() => NOTHING) },
    }),
    promise: 'erased-once',
    trace: ['red=red blue!', 'poll.counted', 'turning', 'turning', 'telling', 'nobody', 'nobody'],
  },
  {
    mistake: 'whoever fails in the consolidation keeps nothing',
    machine: meetingMachine.provide({
      actions: {
        consolidate: taking((table, event) => {
          if (event.type !== 'tick.closed') return NOTHING;
          const failed = event.bids.filter(({ type }) => type === 'fault').map(({ seat }) => seat);
          const { changes, facts } = rules.consolidated(table, event);
          const kept = facts.filter(
            (fact) => fact.type !== 'pads.consolidated' || !failed.includes(fact.seat),
          );
          return { changes, facts: kept };
        }),
      },
    }),
    promise: 'everybody-keeps-something',
    trace: ['red=blue blue!', 'poll.counted', 'turning', 'turning', 'telling', 'nobody', 'red!'],
  },
];

function isLiving(table: rules.Table, seat: Colour): boolean {
  return table.standings[seat] === 'living';
}

function isCandidate(table: rules.Table, vote: Ballot): boolean {
  return vote === 'skip' || isLiving(table, vote);
}
