/** Misrules: mistakes that a rule of the meeting could have, one at a time. */

import type { ClosedTick } from '../../machines/rules/facts.ts';
import * as rules from '../../machines/rules/meeting.ts';
import { countVotes } from '../../machines/rules/meeting.ts';
import { type Ballot, type BySeat, COLOURS, type Colour } from '../../machines/types.ts';
import {
  alsoLocked,
  type Misrule,
  misrule,
  NOTHING,
  taking,
  takingTick,
  votesIn,
} from './misrule.ts';

/** A closed tick after which ballots are added that the rules would not take. */
function alsoLocking(extra: (table: rules.Table, closed: ClosedTick) => BySeat<Ballot>) {
  return takingTick((table, closed) =>
    alsoLocked(rules.closeTick(table, closed), extra(table, closed)),
  );
}

/** The votes of those of whom this is true. */
function votesOf(closed: ClosedTick, counts: (seat: Colour, vote: Ballot) => boolean) {
  return Object.fromEntries(
    votesIn(closed)
      .filter(({ seat, vote }) => counts(seat, vote))
      .map(({ seat, vote }) => [seat, vote]),
  );
}

function isCandidate(table: rules.Table, vote: Ballot): boolean {
  return vote === 'skip' || rules.isLiving(table, vote);
}

const aboutVotes: readonly Misrule[] = [
  misrule('a second vote replaces the first', {
    actions: {
      closeTick: alsoLocking((table, closed) =>
        votesOf(closed, (seat, vote) => rules.isLiving(table, seat) && isCandidate(table, vote)),
      ),
    },
  }),
  misrule('a fault counts as a skip', {
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
  misrule('the dead may be voted for', {
    actions: {
      closeTick: alsoLocking((table, closed) =>
        votesOf(closed, (seat) => rules.isLiving(table, seat) && table.ballots[seat] === undefined),
      ),
    },
  }),
  misrule('the bid of somebody who has left still votes', {
    actions: {
      closeTick: alsoLocking((table, closed) =>
        votesOf(closed, (seat) => !rules.isLiving(table, seat) && !table.ballots[seat]),
      ),
    },
  }),
  misrule('a vote counts before votes are open', {
    actions: {
      closeTick: takingTick((table, closed) =>
        rules.closeTick(table, { ...closed, occasion: 'voting' }),
      ),
    },
  }),
  misrule('votes for oneself are lost', {
    actions: {
      closeTick: takingTick((table, closed) => {
        const isOwn = (seat: Colour) =>
          votesIn(closed).some((vote) => vote.seat === seat && vote.vote === seat);
        const bids = closed.bids.filter(({ seat }) => !isOwn(seat));
        return rules.closeTick(table, { ...closed, bids });
      }),
    },
  }),
];

/** A departure after which ballots are as they were, whatever the rule set. */
function uncleared(during: 'pause' | 'tick') {
  return taking((table, event) => {
    if (event.type !== 'seat.left') return NOTHING;
    const asInHouse = { ...table, options: { ...table.options, rules: 'house' as const } };
    return rules.leaveTable(asInHouse, event.seat, during);
  });
}

/** A closed tick by the rules of another patience. */
function withPatience(more: number) {
  return takingTick((table, closed) => {
    const patience = table.options.patience + more;
    return rules.closeTick({ ...table, options: { ...table.options, patience } }, closed);
  });
}

const aboutPresence: readonly Misrule[] = [
  misrule('patience lasts one fault longer', { actions: { closeTick: withPatience(1) } }),
  misrule('patience ends one fault sooner', { actions: { closeTick: withPatience(-1) } }),
  misrule('a reply does not end the count of faults', {
    actions: {
      closeTick: takingTick((table, closed) => {
        const step = rules.closeTick(table, closed);
        return {
          ...step,
          changes: { ...step.changes, streaks: { ...table.streaks, ...step.changes.streaks } },
        };
      }),
    },
  }),
  misrule('a departure clears no ballots in classic', {
    actions: { dismiss: uncleared('pause'), dismissInTick: uncleared('tick') },
  }),
  misrule('whoever is gone may leave once more', {
    guards: { leaverIsLiving: ({ event }) => event.type === 'seat.left' },
  }),
  misrule('whoever has left is heard', {
    actions: {
      closeTick: takingTick((table, closed) => {
        const { changes, facts } = rules.closeTick(table, closed);
        const [, ...others] = facts;
        return { changes, facts: [{ ...closed, type: 'tick.closed' }, ...others] };
      }),
    },
  }),
];

/** A count with another end. */
function counting(
  end: (step: rules.MeetingStep, poll: NonNullable<rules.Table['poll']>) => Ending | null,
) {
  return taking((table) => {
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

type Ending = { readonly outcome: 'ejected' | 'tie' | 'skipped'; readonly ejected: Colour | null };

/** A tie ejects the first of those who lead. */
const firstOfATie = counting(({ changes }, poll) => {
  if (changes.outcome !== 'tie') return null;
  const { counts } = countVotes(poll);
  const most = Math.max(...counts.map(({ votes }) => votes));
  const ejected = COLOURS.find((colour) =>
    counts.some(({ candidate, votes }) => candidate === colour && votes === most),
  );
  return ejected === undefined ? null : { outcome: 'ejected', ejected };
});

/** Skips are left out of the count of who has most. */
const overSkip = counting(({ changes }, poll) => {
  if (changes.outcome !== 'skipped' && changes.outcome !== 'tie') return null;
  const ballots = Object.fromEntries(
    Object.entries(poll.ballots).filter(([, ballot]) => ballot !== 'skip'),
  );
  const { outcome, ejected } = countVotes({ ...poll, ballots });
  return outcome === 'ejected' ? { outcome, ejected } : null;
});

const aboutThePoll: readonly Misrule[] = [
  misrule('a tie ejects the first', { actions: { count: firstOfATie } }),
  misrule('a plurality over skip is not needed', { actions: { count: overSkip } }),
  misrule('skips that lead are a tie', {
    actions: {
      count: counting(({ changes }) =>
        changes.outcome === 'skipped' ? { outcome: 'tie', ejected: null } : null,
      ),
    },
  }),
  misrule('void ballots are counted', {
    actions: {
      count: taking((table) =>
        rules.countPoll({ ...table, poll: table.poll && { ...table.poll, void: [] } }),
      ),
    },
  }),
  misrule('closing is only looked at when a vote arrives', {
    guards: {
      everyoneVoted: ({ context, event }) =>
        event.type === 'tick.closed' && votesIn(event).length > 0 && rules.isPollComplete(context),
    },
  }),
  misrule('time is never up', { guards: { timeIsUp: () => false } }),
  misrule('a missed vote is a skip', {
    actions: {
      closePoll: taking((table) => {
        const missed = rules.livingSeats(table).filter((seat) => table.ballots[seat] === undefined);
        const skips = Object.fromEntries(missed.map((seat) => [seat, 'skip' as const]));
        return rules.closePoll({ ...table, ballots: { ...table.ballots, ...skips } });
      }),
    },
  }),
];

const aboutTheEnd: readonly Misrule[] = [
  misrule('the sentence is told of nobody', {
    actions: { tellVerdict: taking((table) => rules.announceResult({ ...table, ejected: null })) },
  }),
  misrule('the ejected stays alive', {
    actions: {
      tellVerdict: taking((table) => ({ ...rules.announceResult(table), changes: {} })),
    },
  }),
  misrule('a void ballot is not turned', {
    actions: {
      turnBallot: taking((table) => {
        const step = rules.turnBallot(table);
        const isVoid = step.facts.some((fact) => fact.type === 'ballot.turned' && fact.void);
        return isVoid ? { ...step, facts: [] } : step;
      }),
    },
  }),
  misrule('the scratchpads are not erased', { actions: { erase: taking(() => NOTHING) } }),
  misrule('whoever fails in the consolidation keeps nothing', {
    actions: {
      consolidate: takingTick((table, closed) => {
        const failed = closed.bids.filter(({ type }) => type === 'fault').map(({ seat }) => seat);
        const { changes, facts } = rules.consolidate(table, closed);
        const kept = facts.filter(
          (fact) => fact.type !== 'pads.consolidated' || !failed.includes(fact.seat),
        );
        return { changes, facts: kept };
      }),
    },
  }),
];

/** Every misrule, each named once. */
export const MISRULES: readonly Misrule[] = [
  ...aboutVotes,
  ...aboutPresence,
  ...aboutThePoll,
  ...aboutTheEnd,
];
