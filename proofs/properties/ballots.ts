/** What is promised about ballots: whose they are, whom they may name, and that they stay. */
import type { Colour } from '../../machines/types.ts';
import { once } from './once.ts';
import {
  handedIn,
  isClassic,
  isLiving,
  leaves,
  livingAt,
  seated,
  type Turn,
  type TurnPromise,
  takesVotes,
  talkBids,
  told,
} from './promise.ts';

/** Seats whose ballot is new after this turn. */
const newBallots = once(({ before, after }: Turn): readonly Colour[] => {
  if (before.context.ballots === after.context.ballots) return [];
  return seated(after).filter(
    (seat) =>
      before.context.ballots[seat] === undefined && after.context.ballots[seat] !== undefined,
  );
});

/** The one exception to the lock: in classic a ballot goes with its voter, or with the player whom it names. */
function isCleared(turn: Turn, seat: Colour): boolean {
  const ballot = turn.before.context.ballots[seat] ?? handedIn(turn, seat);
  return (
    isClassic(turn.before) &&
    turn.after.context.ballots[seat] === undefined &&
    (leaves(turn, seat) || (ballot !== null && ballot !== 'skip' && leaves(turn, ballot)))
  );
}

/** Nobody who is gone gained a ballot, and what they had before is as it was, or cleared with them. */
function isUntouched(turn: Turn, seat: Colour): boolean {
  const ballot = turn.after.context.ballots[seat];
  return ballot === turn.before.context.ballots[seat] || isCleared(turn, seat);
}

export const ballotPromises: readonly TurnPromise[] = [
  {
    name: 'vote-lock',
    sentence:
      'A cast vote never changes; only in classic it is cleared, when its voter or whom it names leaves before the poll is closed.',
    kind: 'step',
    when: ({ before }) => Object.keys(before.context.ballots).length > 0,
    holds: (turn) =>
      turn.before.context.ballots === turn.after.context.ballots ||
      seated(turn.before).every(
        (seat) =>
          turn.before.context.ballots[seat] === undefined ||
          turn.before.context.ballots[seat] === turn.after.context.ballots[seat] ||
          (turn.before.context.poll === null && isCleared(turn, seat)),
      ),
  },
  {
    name: 'own-vote',
    sentence: 'A ballot is there only because its own living voter handed in just that vote.',
    kind: 'step',
    when: (turn) => newBallots(turn).length > 0,
    holds: (turn) =>
      newBallots(turn).every((seat) => {
        const ballot = turn.after.context.ballots[seat];
        const locked = told(turn, 'vote.locked').filter((fact) => fact.seat === seat);
        return (
          isLiving(turn.before, seat) &&
          handedIn(turn, seat) === ballot &&
          locked.length === 1 &&
          locked[0]?.ballot === ballot
        );
      }),
  },
  {
    name: 'living-candidates',
    sentence: 'Only the living are voted for, and skip.',
    kind: 'step',
    when: (turn) => newBallots(turn).length > 0,
    holds: (turn) =>
      newBallots(turn).every((seat) => {
        const ballot = turn.after.context.ballots[seat];
        return ballot === 'skip' || (ballot !== undefined && isLiving(turn.before, ballot));
      }),
  },
  {
    name: 'legal-vote-counts',
    sentence: 'Whoever has no ballot and votes for one of the living, or skip, has voted.',
    kind: 'step',
    when: (turn) => takesVotes(turn.before) && legalVoters(turn).length > 0,
    holds: (turn) =>
      legalVoters(turn).every(
        (seat) =>
          turn.after.context.ballots[seat] === handedIn(turn, seat) || isCleared(turn, seat),
      ),
  },
  {
    name: 'no-early-vote',
    sentence: 'Where votes are not open yet, a vote in a bid is refused and nobody has voted.',
    kind: 'step',
    when: (turn) =>
      !takesVotes(turn.before) && talkBids(turn).some((bid) => isVote(turn, bid.seat)),
    holds: (turn) =>
      newBallots(turn).length === 0 &&
      talkBids(turn).every(
        ({ seat }) =>
          !isVote(turn, seat) || told(turn, 'vote.refused').some((fact) => fact.seat === seat),
      ),
  },
  {
    name: 'refused-vote-is-told',
    sentence: 'A second vote, and a vote for somebody who is gone, are refused and noted.',
    kind: 'step',
    when: (turn) => takesVotes(turn.before) && illegalVoters(turn).length > 0,
    holds: (turn) =>
      illegalVoters(turn).every(
        (seat) =>
          isUntouched(turn, seat) &&
          told(turn, 'vote.refused').filter((fact) => fact.seat === seat).length === 1,
      ),
  },
  {
    name: 'fault-never-votes',
    sentence: 'Whoever fails in a tick has not voted in it.',
    kind: 'step',
    when: (turn) => talkBids(turn).some(({ type }) => type === 'fault'),
    holds: (turn) =>
      talkBids(turn).every(({ type, seat }) => type !== 'fault' || isUntouched(turn, seat)),
  },
  {
    name: 'gone-never-vote',
    sentence: 'The dead, the departed and ghosts do not vote, even if their bid was under way.',
    kind: 'step',
    when: (turn) => talkBids(turn).some(({ seat }) => !isLiving(turn.before, seat)),
    holds: (turn) =>
      talkBids(turn).every(
        ({ seat }) =>
          isLiving(turn.before, seat) ||
          (isUntouched(turn, seat) &&
            told(turn, 'vote.locked').every((fact) => fact.seat !== seat)),
      ),
  },
];

/** Promised in classic, where a departure clears ballots. */
export const clearingPromise: TurnPromise = {
  name: 'cleared-votes',
  sentence:
    'When somebody leaves a classic poll that is open, their ballot is gone, and those who named them are told that they may vote again.',
  kind: 'step',
  when: (turn) => turn.before.tags.has('talk') && departing(turn).length > 0,
  holds: (turn) =>
    departing(turn).every((leaver) => {
      const named = livingAt(turn.after).filter((seat) => {
        const ballot = turn.before.context.ballots[seat] ?? handedIn(turn, seat);
        return ballot === leaver && isCounted(turn, seat);
      });
      const cleared = told(turn, 'vote.cleared').filter((fact) => fact.leaver === leaver);
      return (
        turn.after.context.ballots[leaver] === undefined &&
        named.every((seat) => turn.after.context.ballots[seat] === undefined) &&
        named.every((seat) => cleared.filter((fact) => fact.seat === seat).length === 1)
      );
    }),
};

function departing(turn: Turn): readonly Colour[] {
  return livingAt(turn.before).filter((seat) => leaves(turn, seat));
}

/** Had a ballot, or handed one in that counts. */
function isCounted(turn: Turn, seat: Colour): boolean {
  return turn.before.context.ballots[seat] !== undefined || takesVotes(turn.before);
}

function isVote(turn: Turn, seat: Colour): boolean {
  return isLiving(turn.before, seat) && handedIn(turn, seat) !== null;
}

/** The living who hand in a vote. */
const voters = once((turn: Turn) =>
  livingAt(turn.before).filter((seat) => handedIn(turn, seat) !== null),
);
const legalVoters = once((turn: Turn) => voters(turn).filter((seat) => votesLegally(turn, seat)));
const illegalVoters = once((turn: Turn) =>
  voters(turn).filter((seat) => !votesLegally(turn, seat)),
);

function votesLegally(turn: Turn, seat: Colour): boolean {
  const { before } = turn;
  const vote = handedIn(turn, seat);
  return (
    before.context.ballots[seat] === undefined &&
    (vote === 'skip' || (vote !== null && isLiving(before, vote)))
  );
}
