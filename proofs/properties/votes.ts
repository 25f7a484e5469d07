/** Properties of ballots: who casts them and for whom, and how the poll is closed, counted, revealed and carried out. */

import type { Poll, Table } from '../../machines/rules/meeting.ts';
import type { AnnouncedResult } from '../../machines/rules/record.ts';
import { type Ballot, COLOURS, type Colour, type Outcome } from '../../machines/types.ts';
import {
  allHold,
  areVotesOpen,
  declareProperties,
  hasFact,
  haveAllVoted,
  isClassic,
  isLeaving,
  isLiving,
  isSame,
  livingSeats,
  type MeetingProperty,
  type MeetingSnapshot,
  type MeetingTransition,
  sameFields,
  seatsOf,
  valuesOf,
  voteIn,
} from './property.ts';

/** What becomes of the votes in a step. In classic, an open poll loses the ballots of leavers and those that name them. */
function expectedVotes(transition: MeetingTransition) {
  const { before } = transition;
  const votes: (readonly [Colour, Ballot])[] = [];
  for (const seat of livingSeats(before)) {
    const vote = voteIn(transition, seat);
    if (vote !== null) votes.push([seat, vote]);
  }
  const isLocked = ([seat, vote]: readonly [Colour, Ballot]) => isCounted(before, seat, vote);
  const locked = votes.filter(isLocked);
  const ballots: Partial<Record<Colour, Ballot>> = { ...before.context.ballots };
  for (const [seat, vote] of locked) ballots[seat] = vote;
  const cleared = clearersIn(transition).flatMap((leaver) => {
    delete ballots[leaver];
    const named = COLOURS.filter((seat) => ballots[seat] === leaver);
    for (const seat of named) delete ballots[seat];
    return named.map((seat) => [seat, leaver]);
  });
  return { ballots, locked, refused: votes.filter((vote) => !isLocked(vote)), cleared };
}

export const voteProperties = declareProperties<MeetingProperty>({
  'vote-lock': {
    sentence:
      'A cast vote never changes. Only in classic rules is it cleared: when its voter or the player it names leaves before the poll is closed.',
    when: ({ before }) => Object.keys(before.context.ballots).length > 0,
    holds: (transition) => {
      const [was, is] = [transition.before.context.ballots, transition.after.context.ballots];
      const leavers = clearersIn(transition);
      return seatsOf(transition.before).every((seat) => {
        const ballot = was[seat];
        const isCleared = leavers.some((leaver) => leaver === seat || leaver === ballot);
        return ballot === undefined || ballot === is[seat] || (isCleared && is[seat] === undefined);
      });
    },
  },
  'votes-count-as-cast': {
    sentence:
      'A ballot exists only because its living voter handed in that vote, for a living player or skip, once votes are open and as their first. Any other vote is refused and noted. Players who fail, the dead and the departed do not vote. If a player leaves an open classic poll, their ballot is removed, and their voters learn that they may vote again.',
    holds: (transition) => {
      const { ballots, locked, refused, cleared } = expectedVotes(transition);
      return allHold({
        'the ballots': sameFields(transition.after.context.ballots, ballots),
        'votes that count': [valuesOf(transition, 'vote.locked', 'seat', 'ballot'), locked],
        'refused votes': [valuesOf(transition, 'vote.refused', 'seat', 'vote'), refused],
        'cleared ballots': [valuesOf(transition, 'vote.cleared', 'seat', 'leaver'), cleared],
      });
    },
  },
});

function clearersIn(transition: MeetingTransition): readonly Colour[] {
  const { before } = transition;
  if (!before.tags.has('talk') || !isClassic(before)) return [];
  return livingSeats(before).filter((seat) => isLeaving(transition, seat));
}

export function isCounted(state: MeetingSnapshot, seat: Colour, vote: Ballot): boolean {
  const isFirst = state.context.ballots[seat] === undefined;
  return areVotesOpen(state) && isFirst && (vote === 'skip' || isLiving(state, vote));
}

/** The players with a ballot in the closed poll. */
function listVoters(state: MeetingSnapshot): readonly Colour[] {
  return COLOURS.filter((seat) => state.context.poll?.ballots[seat] !== undefined);
}

/** The votes of each candidate with any: players in the order of the colours, and then skip. */
function countVotes({ ballots, void: voided }: Poll) {
  const valid = COLOURS.flatMap((seat) => (voided.includes(seat) ? [] : (ballots[seat] ?? [])));
  return [...COLOURS, 'skip' as const].flatMap((candidate) => {
    const votes = valid.filter((ballot) => ballot === candidate).length;
    return votes === 0 ? [] : [{ candidate, votes }];
  });
}

function resultOf(poll: Poll): readonly [Outcome, Colour | null] {
  if (poll.deserted) return ['empty', null];
  const counts = countVotes(poll);
  const first = counts.find(({ votes, candidate }) =>
    counts.every((other) => other.candidate === candidate || votes > other.votes),
  );
  if (first === undefined) return ['tie', null];
  return first.candidate === 'skip' ? ['skipped', null] : ['ejected', first.candidate];
}

export const pollProperties = declareProperties<MeetingProperty>({
  'closing-is-noticed': {
    sentence:
      'Once all living players have voted, the talk is over and the poll closes, after every tick and every departure, even if a budget has run out. Only the operator’s stop comes first.',
    when: ({ before, after }) =>
      (before.tags.has('talk') || after.tags.has('talk')) && haveAllVoted(after),
    holds: ({ after: { tags, context } }) =>
      !tags.has('talk') && (context.poll !== null || context.outcome === 'interrupted'),
  },
  'poll-as-it-stood': {
    sentence:
      'The poll closes only when all living players have voted or time is up. It holds the standing ballots; those for a departed player are void, and every living player without one missed the vote. It is announced as it is.',
    when: ({ before, after }) => before.context.poll === null && after.context.poll !== null,
    holds: (transition) => {
      const { after } = transition;
      const { poll, ballots, due } = after.context;
      const living = livingSeats(after);
      const voided = COLOURS.filter((seat) => {
        const { [seat]: ballot = 'skip' } = ballots;
        return ballot !== 'skip' && !isLiving(after, ballot);
      });
      const missed = living.filter((seat) => ballots[seat] === undefined);
      const reason = missed.length === 0 ? 'everyone-voted' : 'time-up';
      return allHold({
        'the poll': sameFields(poll ?? {}, {
          ...{ ballots, void: voided, missed },
          deserted: living.length === 0,
        }),
        'the announcement': [
          valuesOf(transition, 'poll.closed', 'reason', 'missed', 'void'),
          [[reason, missed, voided]],
        ],
        'all have voted or time is up': missed.length === 0 || due === 'time-up',
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
  'unique-plurality': {
    sentence:
      'The count has every standing ballot that is not void, once, and a missed vote is not a skip. The ejected player has more votes than skip and than any other player; otherwise no player is ejected.',
    when: ({ before, after }) => before.at === 'voting.counting' && after.at.startsWith('reveal'),
    holds: (transition) => {
      const { poll } = transition.before.context;
      const { outcome, ejected } = transition.after.context;
      if (poll === null) return false;
      const result = resultOf(poll);
      const counted = valuesOf(transition, 'poll.counted', 'counts', 'outcome', 'ejected');
      return allHold({
        'the count': [counted, [[countVotes(poll), ...result]]],
        'the result': [[outcome, ejected], result],
      });
    },
  },
  'each-ballot-is-turned-once': {
    sentence:
      'The standing ballots are revealed one by one, each once, void ones too, as they were cast.',
    when: ({ before, after }) => before.context.revealed !== after.context.revealed,
    holds: (transition) => {
      const { poll, options, revealed } = transition.before.context;
      const voter = listVoters(transition.before)[revealed];
      if (poll === null || voter === undefined) return false;
      const shown = options.anonymousVotes ? null : voter;
      const fields = ['index', 'by', 'voter', 'ballot', 'void'] as const;
      return allHold({
        'the ballot': [
          valuesOf(transition, 'ballot.revealed', ...fields),
          [[revealed, voter, shown, poll.ballots[voter], poll.void.includes(voter)]],
        ],
        'the number of ballots': [transition.after.context.revealed, revealed + 1],
      });
    },
  },
  'the-sentence-is-true': {
    sentence:
      'The result is announced once, when exactly the standing ballots have been revealed. Its sentence names the ejected player, their role and the number of remaining impostors, as far as the options permit.',
    when: hasFact('verdict.announced'),
    holds: (transition) => {
      const { before, after } = transition;
      const { outcome, ejected } = before.context;
      const { seats, standings, revealed, remaining } = after.context;
      const left = seats.filter(
        ({ role, colour }) => role === 'impostor' && standings[colour] === 'living',
      ).length;
      return allHold({
        'what is announced': [
          valuesOf(transition, 'verdict.announced', 'sentence', 'outcome', 'ejected'),
          [[writeSentence(after.context, left), outcome, ejected]],
        ],
        'remaining impostors': [remaining, left],
        'revealed ballots': [revealed, listVoters(after).length],
      });
    },
  },
});

/** Null until the last ballot is revealed. Once announced it stays the poll’s, however the meeting ends. */
export function expectedResult(state: MeetingSnapshot): AnnouncedResult | null {
  const { context } = state;
  const { poll, revealed, remaining, options, seats } = context;
  if (poll === null || context.outcome === null) return null;
  const [outcome, ejected] = remaining === null ? [context.outcome, null] : resultOf(poll);
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
function writeSentence(
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
