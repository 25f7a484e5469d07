/** Properties of ballots: who casts them and for whom, and how the poll is closed, counted, revealed and carried out. */

import type { Poll, Table } from '../../machines/rules/meeting.ts';
import type { AnnouncedResult } from '../../machines/rules/record.ts';
import type { Ballot, Colour } from '../../machines/types.ts';
import { askedAfter } from '../models/clock.ts';
import { rememberLast } from '../models/rememberLast.ts';
import {
  allHold,
  areVotesOpen,
  canBeGone,
  canLeave,
  declareProperties,
  factsAbout,
  factsOfType,
  hasFact,
  haveAllVoted,
  isClassic,
  isLeaving,
  isLiving,
  isSame,
  isSameSet,
  livingSeats,
  type MeetingProperty,
  type MeetingSnapshot,
  type MeetingTransition,
  ofEach,
  onlyFact,
  seatsOf,
  talkBids,
  voteIn,
} from './property.ts';

const newBallots = rememberLast(({ before, after }: MeetingTransition): readonly Colour[] => {
  if (before.context.ballots === after.context.ballots) return [];
  return seatsOf(after).filter(
    (seat) =>
      before.context.ballots[seat] === undefined && after.context.ballots[seat] !== undefined,
  );
});

/** The exception to the lock: in classic a ballot is removed with its voter or with the player it names. */
function isCleared(transition: MeetingTransition, seat: Colour): boolean {
  const ballot = transition.before.context.ballots[seat] ?? voteIn(transition, seat);
  return (
    isClassic(transition.before) &&
    transition.after.context.ballots[seat] === undefined &&
    (isLeaving(transition, seat) ||
      (ballot !== null && ballot !== 'skip' && isLeaving(transition, ballot)))
  );
}

/** A departed player gains no ballot. An earlier one is unchanged or removed with them. */
function isUntouched(transition: MeetingTransition, seat: Colour): boolean {
  const ballot = transition.after.context.ballots[seat];
  return ballot === transition.before.context.ballots[seat] || isCleared(transition, seat);
}

export const voteProperties = declareProperties<MeetingProperty>({
  'vote-lock': {
    sentence:
      'A cast vote never changes. Only in classic rules is it cleared: when its voter or the player it names leaves before the poll is closed.',
    when: ({ before }) => Object.keys(before.context.ballots).length > 0,
    holds: (transition) =>
      transition.before.context.ballots === transition.after.context.ballots ||
      seatsOf(transition.before).every(
        (seat) =>
          transition.before.context.ballots[seat] === undefined ||
          transition.before.context.ballots[seat] === transition.after.context.ballots[seat] ||
          (transition.before.context.poll === null && isCleared(transition, seat)),
      ),
  },
  'own-vote': {
    sentence: 'A ballot exists only because its living voter handed in that vote.',
    ...ofEach(newBallots, (seat, transition) => {
      const ballot = transition.after.context.ballots[seat];
      const locked = factsAbout(transition, 'vote.locked', seat);
      return (
        isLiving(transition.before, seat) &&
        voteIn(transition, seat) === ballot &&
        locked.length === 1 &&
        locked[0]?.ballot === ballot
      );
    }),
  },
  'living-candidates': {
    sentence: 'Votes are only for living players or skip.',
    ...ofEach(newBallots, (seat, { before, after }) => {
      const ballot = after.context.ballots[seat];
      return ballot === 'skip' || (ballot !== undefined && isLiving(before, ballot));
    }),
  },
  'legal-vote-counts': {
    sentence: 'A player without a ballot who votes for a living player or skip has voted.',
    ...ofEach(
      (transition) => votersIn(transition).filter((seat) => votesLegally(transition, seat)),
      (seat, transition) =>
        transition.after.context.ballots[seat] === voteIn(transition, seat) ||
        isCleared(transition, seat),
    ),
  },
  'no-early-vote': {
    sentence: 'Before voting is open, a vote in a bid is refused and no ballot is cast.',
    appliesTo: ({ setting: { options } }) =>
      options.rules === 'classic' && askedAfter(options) !== 0,
    ...ofEach(
      (transition) => (areVotesOpen(transition.before) ? [] : votersOf(transition)),
      (seat, transition) =>
        newBallots(transition).length === 0 &&
        factsAbout(transition, 'vote.refused', seat).length > 0,
    ),
  },
  'refused-vote-is-noted': {
    sentence: 'A second vote and a vote for a departed player are refused and noted.',
    ...ofEach(
      (transition) => votersIn(transition).filter((seat) => !votesLegally(transition, seat)),
      (seat, transition) =>
        isUntouched(transition, seat) && factsAbout(transition, 'vote.refused', seat).length === 1,
    ),
  },
  'fault-never-votes': {
    sentence: 'A player who fails in a tick has not voted in it.',
    appliesTo: (world) => world.environment.faults || canLeave(world),
    ...ofEach(
      (transition) => talkBids(transition).filter(({ type }) => type === 'fault'),
      ({ seat }, transition) => isUntouched(transition, seat),
    ),
  },
  'gone-never-vote': {
    sentence:
      'Dead players, departed players and ghosts do not vote, even if their bid was under way.',
    appliesTo: canBeGone,
    ...ofEach(
      (transition) => talkBids(transition).filter(({ seat }) => !isLiving(transition.before, seat)),
      ({ seat }, transition) =>
        isUntouched(transition, seat) && factsAbout(transition, 'vote.locked', seat).length === 0,
    ),
  },
  'cleared-votes': {
    sentence:
      'When a player leaves an open classic poll, their ballot is removed, and their voters learn that they may vote again.',
    appliesTo: (world) => world.setting.options.rules === 'classic' && canLeave(world),
    ...ofEach(leaversIn, (leaver, transition) => {
      const { before, after } = transition;
      const named = livingSeats(after).filter((seat) => {
        const vote = areVotesOpen(before) ? voteIn(transition, seat) : null;
        return (before.context.ballots[seat] ?? vote) === leaver;
      });
      const cleared = factsOfType(transition, 'vote.cleared').filter(
        (fact) => fact.leaver === leaver,
      );
      return allHold({
        'the ballot of the leaver': [after.context.ballots[leaver], undefined],
        'their votes are gone': named.every((seat) => after.context.ballots[seat] === undefined),
        'each of them learns it once': named.every(
          (seat) => cleared.filter((fact) => fact.seat === seat).length === 1,
        ),
      });
    }),
  },
});

/** The players who leave an open poll. */
function leaversIn(transition: MeetingTransition): readonly Colour[] {
  const { before } = transition;
  if (!before.tags.has('talk')) return [];
  return livingSeats(before).filter((seat) => isLeaving(transition, seat));
}

/** The living players who vote in a tick of talk. */
const votersOf = rememberLast((transition: MeetingTransition) =>
  livingSeats(transition.before).filter((seat) => voteIn(transition, seat) !== null),
);

const votersIn = (transition: MeetingTransition) =>
  areVotesOpen(transition.before) ? votersOf(transition) : [];

function votesLegally(transition: MeetingTransition, seat: Colour): boolean {
  const vote = voteIn(transition, seat);
  return vote !== null && isLegalVote(transition.before, seat, vote);
}

export function isLegalVote(state: MeetingSnapshot, seat: Colour, vote: Ballot): boolean {
  return state.context.ballots[seat] === undefined && (vote === 'skip' || isLiving(state, vote));
}

function isClosing({ before, after }: MeetingTransition): boolean {
  return before.context.poll === null && after.context.poll !== null;
}

/** The players with a ballot in the closed poll. */
function listVoters(state: MeetingSnapshot): readonly Colour[] {
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

export const pollProperties = declareProperties<MeetingProperty>({
  'closing-is-noticed': {
    sentence:
      'The talk never goes on when all living players have voted: it is checked after every tick and every departure.',
    kind: 'never',
    holds: (state) => state.tags.has('talk') && haveAllVoted(state),
  },
  'closing-has-a-reason': {
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
  'poll-as-it-stood': {
    sentence:
      'A closed poll holds the standing ballots; those for a departed player are void, and every living player without one missed the vote.',
    when: isClosing,
    holds: ({ after }) => {
      const { poll, ballots } = after.context;
      const isVoid = (ballot: Ballot | undefined) =>
        ballot !== undefined && ballot !== 'skip' && !isLiving(after, ballot);
      const isMissed = (seat: Colour) => ballots[seat] === undefined;
      if (poll === null) return false;
      return allHold({
        'the ballots': [poll.ballots, ballots],
        'the void ones': isSameSet(
          poll.void,
          seatsOf(after).filter((seat) => isVoid(ballots[seat])),
        ),
        'the missed ones': isSameSet(poll.missed, livingSeats(after).filter(isMissed)),
        'whether nobody is left': [poll.deserted, livingSeats(after).length === 0],
      });
    },
  },
  'closed-poll-is-closed': {
    sentence:
      'Once the poll is closed no ballot is added, removed or changed, even if players leave.',
    when: ({ before }) => before.context.poll !== null,
    holds: ({ before, after }) =>
      isSame(before.context.poll, after.context.poll) &&
      isSame(before.context.ballots, after.context.ballots),
  },
  'only-the-living-count-in-classic': {
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
  count: {
    sentence:
      'The count has every standing ballot that is not void, once, and a missed vote is not a skip.',
    when: hasFact('poll.counted'),
    holds: (transition) => {
      const { poll } = transition.before.context;
      const counts = factsOfType(transition, 'poll.counted')[0]?.counts ?? [];
      if (poll === null) return false;
      const all = Object.keys(poll.ballots).length - poll.void.length;
      return allHold({
        'the votes together': [counts.reduce((sum, { votes }) => sum + votes, 0), all],
        'the votes of each': counts.every(
          ({ candidate, votes }) => votes === countFor(poll, candidate) && votes > 0,
        ),
        'who missed it has no ballot': poll.missed.every(
          (seat) => poll.ballots[seat] === undefined,
        ),
      });
    },
  },
  'unique-plurality': {
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
  'each-ballot-is-turned-once': {
    sentence:
      'The standing ballots are revealed one by one, each once, void ones too, as they were cast.',
    when: ({ before, after }) => before.context.revealed !== after.context.revealed,
    holds: isNextBallotTurned,
  },
  'all-turned-before-the-sentence': {
    sentence: 'When the result is announced, exactly the standing ballots have been revealed.',
    when: hasFact('verdict.announced'),
    holds: (transition) => {
      const { before, after } = transition;
      const fact = onlyFact(transition, 'verdict.announced');
      return (
        after.context.revealed === listVoters(after).length &&
        fact?.ejected === before.context.ejected &&
        fact.outcome === before.context.outcome
      );
    },
  },
  'ejected-is-dead': {
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
});

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
  const voters = listVoters(state);
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
  if (ejected === null)
    return `No one was ejected. (${outcome === 'skipped' ? 'Skipped' : 'Tie'})${confirmed}`;
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
  const voter = listVoters(before)[revealed];
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
