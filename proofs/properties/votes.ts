/** Properties of ballots: who casts them, whom they may name, and that they do not change. */
import type { Ballot, Colour } from '../../machines/types.ts';
import { askedAfter } from '../models/clock.ts';
import { rememberLast } from '../models/rememberLast.ts';
import {
  areVotesOpen,
  canBeGone,
  canLeave,
  factsOfType,
  isClassic,
  isLeaving,
  isLiving,
  livingSeats,
  type MeetingSnapshot,
  type MeetingTransition,
  seatsOf,
  type TransitionProperty,
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

export const voteProperties: readonly TransitionProperty[] = [
  {
    name: 'vote-lock',
    sentence:
      'A cast vote never changes. Only in classic rules is it cleared: when its voter or the player it names leaves before the poll is closed.',
    kind: 'step',
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
  {
    name: 'own-vote',
    sentence: 'A ballot exists only because its living voter handed in that vote.',
    kind: 'step',
    when: (transition) => newBallots(transition).length > 0,
    holds: (transition) =>
      newBallots(transition).every((seat) => {
        const ballot = transition.after.context.ballots[seat];
        const locked = factsOfType(transition, 'vote.locked').filter((fact) => fact.seat === seat);
        return (
          isLiving(transition.before, seat) &&
          voteIn(transition, seat) === ballot &&
          locked.length === 1 &&
          locked[0]?.ballot === ballot
        );
      }),
  },
  {
    name: 'living-candidates',
    sentence: 'Votes are only for living players or skip.',
    kind: 'step',
    when: (transition) => newBallots(transition).length > 0,
    holds: (transition) =>
      newBallots(transition).every((seat) => {
        const ballot = transition.after.context.ballots[seat];
        return ballot === 'skip' || (ballot !== undefined && isLiving(transition.before, ballot));
      }),
  },
  {
    name: 'legal-vote-counts',
    sentence: 'A player without a ballot who votes for a living player or skip has voted.',
    kind: 'step',
    when: (transition) => areVotesOpen(transition.before) && legalVoters(transition).length > 0,
    holds: (transition) =>
      legalVoters(transition).every(
        (seat) =>
          transition.after.context.ballots[seat] === voteIn(transition, seat) ||
          isCleared(transition, seat),
      ),
  },
  {
    name: 'no-early-vote',
    sentence: 'Before voting is open, a vote in a bid is refused and no ballot is cast.',
    appliesTo: ({ setting: { options } }) =>
      options.rules === 'classic' && askedAfter(options) !== 0,
    kind: 'step',
    when: (transition) =>
      !areVotesOpen(transition.before) &&
      talkBids(transition).some((bid) => isVote(transition, bid.seat)),
    holds: (transition) =>
      newBallots(transition).length === 0 &&
      talkBids(transition).every(
        ({ seat }) =>
          !isVote(transition, seat) ||
          factsOfType(transition, 'vote.refused').some((fact) => fact.seat === seat),
      ),
  },
  {
    name: 'refused-vote-is-noted',
    sentence: 'A second vote and a vote for a departed player are refused and noted.',
    kind: 'step',
    when: (transition) => areVotesOpen(transition.before) && illegalVoters(transition).length > 0,
    holds: (transition) =>
      illegalVoters(transition).every(
        (seat) =>
          isUntouched(transition, seat) &&
          factsOfType(transition, 'vote.refused').filter((fact) => fact.seat === seat).length === 1,
      ),
  },
  {
    name: 'fault-never-votes',
    sentence: 'A player who fails in a tick has not voted in it.',
    appliesTo: (world) => world.environment.faults || canLeave(world),
    kind: 'step',
    when: (transition) => talkBids(transition).some(({ type }) => type === 'fault'),
    holds: (transition) =>
      talkBids(transition).every(
        ({ type, seat }) => type !== 'fault' || isUntouched(transition, seat),
      ),
  },
  {
    name: 'gone-never-vote',
    sentence:
      'Dead players, departed players and ghosts do not vote, even if their bid was under way.',
    appliesTo: canBeGone,
    kind: 'step',
    when: (transition) =>
      talkBids(transition).some(({ seat }) => !isLiving(transition.before, seat)),
    holds: (transition) =>
      talkBids(transition).every(
        ({ seat }) =>
          isLiving(transition.before, seat) ||
          (isUntouched(transition, seat) &&
            factsOfType(transition, 'vote.locked').every((fact) => fact.seat !== seat)),
      ),
  },
  {
    name: 'cleared-votes',
    sentence:
      'When a player leaves an open classic poll, their ballot is removed, and their voters learn that they may vote again.',
    appliesTo: (world) => world.setting.options.rules === 'classic' && canLeave(world),
    kind: 'step',
    when: (transition) => transition.before.tags.has('talk') && leaversIn(transition).length > 0,
    holds: (transition) =>
      leaversIn(transition).every((leaver) => {
        const named = livingSeats(transition.after).filter((seat) => {
          const ballot = transition.before.context.ballots[seat] ?? voteIn(transition, seat);
          return ballot === leaver && isCounted(transition, seat);
        });
        const cleared = factsOfType(transition, 'vote.cleared').filter(
          (fact) => fact.leaver === leaver,
        );
        return (
          transition.after.context.ballots[leaver] === undefined &&
          named.every((seat) => transition.after.context.ballots[seat] === undefined) &&
          named.every((seat) => cleared.filter((fact) => fact.seat === seat).length === 1)
        );
      }),
  },
];

function leaversIn(transition: MeetingTransition): readonly Colour[] {
  return livingSeats(transition.before).filter((seat) => isLeaving(transition, seat));
}

function isCounted(transition: MeetingTransition, seat: Colour): boolean {
  return transition.before.context.ballots[seat] !== undefined || areVotesOpen(transition.before);
}

function isVote(transition: MeetingTransition, seat: Colour): boolean {
  return isLiving(transition.before, seat) && voteIn(transition, seat) !== null;
}

const votersIn = rememberLast((transition: MeetingTransition) =>
  livingSeats(transition.before).filter((seat) => voteIn(transition, seat) !== null),
);
const legalVoters = rememberLast((transition: MeetingTransition) =>
  votersIn(transition).filter((seat) => votesLegally(transition, seat)),
);
const illegalVoters = rememberLast((transition: MeetingTransition) =>
  votersIn(transition).filter((seat) => !votesLegally(transition, seat)),
);

function votesLegally(transition: MeetingTransition, seat: Colour): boolean {
  const vote = voteIn(transition, seat);
  return vote !== null && isLegalVote(transition.before, seat, vote);
}

export function isLegalVote(state: MeetingSnapshot, seat: Colour, vote: Ballot): boolean {
  return state.context.ballots[seat] === undefined && (vote === 'skip' || isLiving(state, vote));
}
