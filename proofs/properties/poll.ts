/** Properties of the poll: when it closes, its ballots, its count, its reveal, and the effect of the ejection. */
import type { Poll, Table } from '../../machines/rules/meeting.ts';
import type { AnnouncedResult } from '../../machines/rules/record.ts';
import type { Ballot, Colour } from '../../machines/types.ts';
import {
  declareProperties,
  factsOfType,
  hasFact,
  haveAllVoted,
  isLiving,
  isSame,
  isSameSet,
  livingSeats,
  type MeetingProperty,
  type MeetingSnapshot,
  type MeetingTransition,
  onlyFact,
  seatsOf,
} from './property.ts';

function isClosing({ before, after }: MeetingTransition): boolean {
  return before.context.poll === null && after.context.poll !== null;
}

function votersOf(state: MeetingSnapshot): readonly Colour[] {
  return seatsOf(state).filter((seat) => state.context.poll?.ballots[seat] !== undefined);
}

function countFor(poll: Poll, candidate: Ballot): number {
  return Object.entries(poll.ballots).filter(
    ([voter, ballot]) => ballot === candidate && !poll.void.some((seat) => seat === voter),
  ).length;
}

function findPlurality(poll: Poll, candidates: readonly Ballot[]): Ballot | null {
  const winners = candidates.filter((one) =>
    candidates.every((other) => other === one || countFor(poll, one) > countFor(poll, other)),
  );
  return winners[0] ?? null;
}

export const pollProperties = declareProperties<MeetingProperty>([
  {
    name: 'closing-is-noticed',
    sentence:
      'The talk never goes on when all living players have voted: it is checked after every tick and every departure.',
    kind: 'never',
    holds: (state) => state.tags.has('talk') && haveAllVoted(state),
  },
  {
    name: 'closing-has-a-reason',
    sentence: 'The poll closes only when all living players have voted or time is up.',
    when: isClosing,
    holds: (transition) => {
      const reason = haveAllVoted(transition.after) ? 'everyone-voted' : 'time-up';
      return (
        (reason === 'everyone-voted' || transition.after.context.due === 'time-up') &&
        onlyFact(transition, 'poll.closed')?.reason === reason
      );
    },
  },
  {
    name: 'poll-as-it-stood',
    sentence:
      'A closed poll holds the standing ballots; those for a departed player are void, and every living player without one missed the vote.',
    when: isClosing,
    holds: ({ after }) => {
      const { poll, ballots } = after.context;
      const isVoid = (ballot: Ballot | undefined) =>
        ballot !== undefined && ballot !== 'skip' && !isLiving(after, ballot);
      return (
        poll !== null &&
        isSame(poll.ballots, ballots) &&
        isSameSet(
          poll.void,
          seatsOf(after).filter((seat) => isVoid(ballots[seat])),
        ) &&
        isSameSet(
          poll.missed,
          livingSeats(after).filter((seat) => after.context.ballots[seat] === undefined),
        ) &&
        poll.deserted === (livingSeats(after).length === 0)
      );
    },
  },
  {
    name: 'closed-poll-is-closed',
    sentence:
      'Once the poll is closed no ballot is added, removed or changed, even if players leave.',
    when: ({ before }) => before.context.poll !== null,
    holds: ({ before, after }) =>
      isSame(before.context.poll, after.context.poll) &&
      isSame(before.context.ballots, after.context.ballots),
  },
  {
    name: 'only-the-living-count-in-classic',
    sentence:
      'In an open classic poll, every ballot is cast by a living player and names a living player or skip.',
    appliesTo: ({ setting }) => setting.options.rules === 'classic',
    kind: 'never',
    holds: (state) =>
      state.context.options.rules === 'classic' &&
      state.tags.has('talk') &&
      seatsOf(state).some((seat) => {
        const ballot = state.context.ballots[seat];
        if (ballot === undefined) return false;
        return !isLiving(state, seat) || (ballot !== 'skip' && !isLiving(state, ballot));
      }),
  },
  {
    name: 'count',
    sentence:
      'The count has every standing ballot that is not void, once, and a missed vote is not a skip.',
    when: hasFact('poll.counted'),
    holds: (transition) => {
      const { poll } = transition.before.context;
      const counts = factsOfType(transition, 'poll.counted')[0]?.counts ?? [];
      if (poll === null) return false;
      const all = Object.keys(poll.ballots).length - poll.void.length;
      return (
        counts.reduce((sum, { votes }) => sum + votes, 0) === all &&
        counts.every(({ candidate, votes }) => votes === countFor(poll, candidate) && votes > 0) &&
        poll.missed.every((seat) => poll.ballots[seat] === undefined)
      );
    },
  },
  {
    name: 'unique-plurality',
    sentence:
      'The ejected player has more votes than skip and than any other player; otherwise no player is ejected.',
    when: hasFact('poll.counted'),
    holds: (transition) => {
      const { before, after } = transition;
      const { poll } = before.context;
      if (poll === null) return false;
      const expected = expectedResultOf(before, poll);
      const [fact] = factsOfType(transition, 'poll.counted');
      return [after.context, fact].every((found) =>
        isSame([found?.outcome, found?.ejected], expected),
      );
    },
  },
  {
    name: 'each-ballot-is-turned-once',
    sentence:
      'The standing ballots are revealed one by one, each once, void ones too, as they were cast.',
    when: ({ before, after }) => before.context.revealed !== after.context.revealed,
    holds: isNextBallotTurned,
  },
  {
    name: 'all-turned-before-the-sentence',
    sentence: 'When the result is announced, exactly the standing ballots have been revealed.',
    when: hasFact('verdict.announced'),
    holds: (transition) => {
      const { before, after } = transition;
      const fact = onlyFact(transition, 'verdict.announced');
      return (
        after.context.revealed === votersOf(after).length &&
        fact?.ejected === before.context.ejected &&
        fact.outcome === before.context.outcome
      );
    },
  },
  {
    name: 'ejected-is-dead',
    sentence:
      'The ejected player dies when the result is announced, unless they have left; no other player is affected.',
    when: hasFact('verdict.announced'),
    holds: ({ before, after }) => {
      const { ejected, standings } = before.context;
      const expected =
        ejected === null || !isLiving(before, ejected)
          ? standings
          : { ...standings, [ejected]: 'dead' };
      return isSame(after.context.standings, expected);
    },
  },
]);

function expectedResultOf(state: MeetingSnapshot, poll: Poll) {
  return resultOf(poll, findPlurality(poll, [...seatsOf(state), 'skip']));
}

function resultOf(poll: Poll, most: Ballot | null) {
  if (poll.deserted) return ['empty', null] as const;
  if (most === null) return ['tie', null] as const;
  return most === 'skip' ? (['skipped', null] as const) : (['ejected', most] as const);
}

/**
 * The result that everybody knows. It is null until the last ballot is revealed. Once the verdict
 * is announced it stays the poll's, however the meeting ends.
 */
export function expectedResult(state: MeetingSnapshot): AnnouncedResult | null {
  const { poll, revealed, remaining, options, seats, ...table } = state.context;
  if (poll === null || table.outcome === null) return null;
  const [outcome, ejected] =
    remaining === null ? [table.outcome, null] : expectedResultOf(state, poll);
  const voters = seats.map(({ colour }) => colour).filter((seat) => poll.ballots[seat]);
  if (revealed < voters.length) return null;
  const role = seats.find(({ colour }) => colour === ejected)?.role ?? null;
  return {
    outcome,
    ejected,
    role: options.confirmEjects ? role : null,
    remaining: options.confirmEjects ? remaining : null,
    ballots: voters.flatMap((voter) => {
      const ballot = poll.ballots[voter];
      const isVoid = ballot !== undefined && poll.void.includes(voter);
      const shown = options.anonymousVotes ? null : voter;
      return ballot === undefined ? [] : [{ voter: shown, ballot, void: isVoid }];
    }),
    sentence:
      remaining === null ? null : writeSentence({ seats, options, outcome, ejected }, remaining),
  };
}

/** The sentence on the screen, as in Among Us. */
export function writeSentence(
  { seats, options, outcome, ejected }: Pick<Table, 'seats' | 'options' | 'outcome' | 'ejected'>,
  impostorsLeft: number,
): string {
  const left = impostorsLeft === 1 ? '1 Impostor remains.' : `${impostorsLeft} Impostors remain.`;
  const confirmed = options.confirmEjects ? ` ${left}` : '';
  if (ejected === null) {
    return `No one was ejected. (${outcome === 'skipped' ? 'Skipped' : 'Tie'})${confirmed}`;
  }
  const name = `${ejected[0]?.toUpperCase() ?? ''}${ejected.slice(1)}`;
  if (!options.confirmEjects) return `${name} was ejected.`;
  const impostors = seats.filter(({ role }) => role === 'impostor');
  const was = impostors.some(({ colour }) => colour === ejected) ? 'was' : 'was not';
  return `${name} ${was} ${impostors.length === 1 ? 'The' : 'An'} Impostor.${confirmed}`;
}

function isNextBallotTurned(transition: MeetingTransition): boolean {
  const { before, after } = transition;
  const { poll, options, revealed } = before.context;
  const fact = onlyFact(transition, 'ballot.revealed');
  if (poll === null || fact === undefined) return false;
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
