/** What is promised about the poll: when it closes, what it holds, how it is counted and how it is shown. */
import type { Poll } from '../../machines/rules/meeting.ts';
import type { Ballot, Colour } from '../../machines/types.ts';
import {
  isLiving,
  isSame,
  isSameSet,
  livingAt,
  type Rest,
  type RestPromise,
  seated,
  type Turn,
  type TurnPromise,
  told,
} from './promise.ts';

function hasVoted({ context }: Rest, seat: Colour): boolean {
  return context.ballots[seat] !== undefined;
}

function haveAllVoted(rest: Rest): boolean {
  return livingAt(rest).every((seat) => hasVoted(rest, seat));
}

function closes({ before, after }: Turn): boolean {
  return before.context.poll === null && after.context.poll !== null;
}

/** Voters of a poll, in the order of the seats. */
function votersOf(rest: Rest): readonly Colour[] {
  return seated(rest).filter((seat) => rest.context.poll?.ballots[seat] !== undefined);
}

function standing(poll: Poll, candidate: Ballot): number {
  return Object.entries(poll.ballots).filter(
    ([voter, ballot]) => ballot === candidate && !poll.void.some((seat) => seat === voter),
  ).length;
}

/** Who has more of the counted ballots than anybody else; null when nobody has. */
function plurality(poll: Poll, candidates: readonly Ballot[]): Ballot | null {
  const winners = candidates.filter((one) =>
    candidates.every((other) => other === one || standing(poll, one) > standing(poll, other)),
  );
  return winners[0] ?? null;
}

const closingPromise: RestPromise = {
  name: 'closing-is-noticed',
  sentence:
    'The talk never rests when all the living have voted: it is noticed after every tick and at every departure.',
  kind: 'never',
  holds: (rest) => rest.tags.has('talk') && haveAllVoted(rest),
};

export const pollPromises: readonly (TurnPromise | RestPromise)[] = [
  closingPromise,
  {
    name: 'closing-has-a-reason',
    sentence: 'The poll is closed only when all the living have voted, or when time is up.',
    kind: 'step',
    when: closes,
    holds: (turn) => {
      const reason = haveAllVoted(turn.after) ? 'everyone-voted' : 'time-up';
      const facts = told(turn, 'poll.closed');
      return (
        (reason === 'everyone-voted' || turn.after.context.due === 'time-up') &&
        facts.length === 1 &&
        facts[0]?.reason === reason
      );
    },
  },
  {
    name: 'poll-as-it-stood',
    sentence:
      'The closed poll holds the ballots that stood; void are those for somebody who is gone, missed is every living player without one.',
    kind: 'step',
    when: closes,
    holds: ({ after }) => {
      const { poll, ballots } = after.context;
      const isVoid = (ballot: Ballot | undefined) =>
        ballot !== undefined && ballot !== 'skip' && !isLiving(after, ballot);
      return (
        poll !== null &&
        isSame(poll.ballots, ballots) &&
        isSameSet(
          poll.void,
          seated(after).filter((seat) => isVoid(ballots[seat])),
        ) &&
        isSameSet(
          poll.missed,
          livingAt(after).filter((seat) => !hasVoted(after, seat)),
        ) &&
        poll.deserted === (livingAt(after).length === 0)
      );
    },
  },
  {
    name: 'closed-poll-is-closed',
    sentence: 'Once the poll is closed no ballot comes, goes or changes, whoever leaves.',
    kind: 'step',
    when: ({ before }) => before.context.poll !== null,
    holds: ({ before, after }) =>
      isSame(before.context.poll, after.context.poll) &&
      isSame(before.context.ballots, after.context.ballots),
  },
  {
    name: 'only-the-living-count-in-classic',
    sentence:
      'In a classic poll that is open, every ballot is a living player’s and names a living player, or skip.',
    kind: 'never',
    holds: (rest) =>
      rest.context.options.rules === 'classic' &&
      rest.tags.has('talk') &&
      seated(rest).some((seat) => {
        const ballot = rest.context.ballots[seat];
        if (ballot === undefined) return false;
        return !isLiving(rest, seat) || (ballot !== 'skip' && !isLiving(rest, ballot));
      }),
  },
  {
    name: 'count',
    sentence:
      'Counted are the standing ballots less the void, each once, and a missed vote is no skip.',
    kind: 'step',
    when: (turn) => told(turn, 'poll.counted').length > 0,
    holds: (turn) => {
      const { poll } = turn.before.context;
      const counts = told(turn, 'poll.counted')[0]?.counts ?? [];
      if (poll === null) return false;
      const all = Object.keys(poll.ballots).length - poll.void.length;
      return (
        counts.reduce((sum, { votes }) => sum + votes, 0) === all &&
        counts.every(({ candidate, votes }) => votes === standing(poll, candidate) && votes > 0) &&
        poll.missed.every((seat) => poll.ballots[seat] === undefined)
      );
    },
  },
  {
    name: 'unique-plurality',
    sentence:
      'The ejected has more votes than skip and than anybody else; otherwise nobody is ejected.',
    kind: 'step',
    when: (turn) => told(turn, 'poll.counted').length > 0,
    holds: (turn) => {
      const { poll } = turn.before.context;
      if (poll === null) return false;
      const most = plurality(poll, [...seated(turn.before), 'skip']);
      const [outcome, ejected] = resultOf(poll, most);
      const fact = told(turn, 'poll.counted')[0];
      return (
        turn.after.context.outcome === outcome &&
        turn.after.context.ejected === ejected &&
        fact?.outcome === outcome &&
        fact.ejected === ejected
      );
    },
  },
  {
    name: 'each-ballot-is-turned-once',
    sentence:
      'The standing ballots are turned one by one, each once, void ones too, as they were cast.',
    kind: 'step',
    when: ({ before, after }) => before.context.revealed !== after.context.revealed,
    holds: isNextBallotTurned,
  },
  {
    name: 'all-turned-before-the-sentence',
    sentence: 'When the sentence is told, exactly the standing ballots have been turned.',
    kind: 'step',
    when: (turn) => told(turn, 'verdict.told').length > 0,
    holds: (turn) =>
      turn.after.context.revealed === votersOf(turn.after).length &&
      told(turn, 'verdict.told').length === 1 &&
      told(turn, 'verdict.told')[0]?.ejected === turn.before.context.ejected &&
      told(turn, 'verdict.told')[0]?.outcome === turn.before.context.outcome,
  },
];

function resultOf(poll: Poll, most: Ballot | null) {
  if (poll.deserted) return ['empty', null] as const;
  if (most === null) return ['tie', null] as const;
  return most === 'skip' ? (['skipped', null] as const) : (['ejected', most] as const);
}

function isNextBallotTurned(turn: Turn): boolean {
  const { before, after } = turn;
  const { poll, options, revealed } = before.context;
  const facts = told(turn, 'ballot.turned');
  const fact = facts[0];
  if (poll === null || fact === undefined || facts.length > 1) return false;
  const voter = votersOf(before)[revealed];
  return (
    voter !== undefined &&
    after.context.revealed === revealed + 1 &&
    fact.index === revealed &&
    fact.by === voter &&
    fact.voter === (options.anonymousVotes ? null : voter) &&
    fact.ballot === poll.ballots[voter] &&
    fact.void === poll.void.includes(voter)
  );
}
