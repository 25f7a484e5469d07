/** Properties of ballots: who casts them, whom they may name, and that they do not change. */
import type { Ballot, Colour } from '../../machines/types.ts';
import { askedAfter } from '../models/clock.ts';
import { rememberLast } from '../models/rememberLast.ts';
import {
  areVotesOpen,
  canBeGone,
  canLeave,
  declareProperties,
  factsAbout,
  factsOfType,
  isClassic,
  isLeaving,
  isLiving,
  livingSeats,
  type MeetingProperty,
  type MeetingSnapshot,
  type MeetingTransition,
  ofEach,
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

export const voteProperties = declareProperties<MeetingProperty>([
  {
    name: 'vote-lock',
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
  {
    name: 'own-vote',
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
  {
    name: 'living-candidates',
    sentence: 'Votes are only for living players or skip.',
    ...ofEach(newBallots, (seat, { before, after }) => {
      const ballot = after.context.ballots[seat];
      return ballot === 'skip' || (ballot !== undefined && isLiving(before, ballot));
    }),
  },
  {
    name: 'legal-vote-counts',
    sentence: 'A player without a ballot who votes for a living player or skip has voted.',
    ...ofEach(
      (transition) => votersIn(transition).filter((seat) => votesLegally(transition, seat)),
      (seat, transition) =>
        transition.after.context.ballots[seat] === voteIn(transition, seat) ||
        isCleared(transition, seat),
    ),
  },
  {
    name: 'no-early-vote',
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
  {
    name: 'refused-vote-is-noted',
    sentence: 'A second vote and a vote for a departed player are refused and noted.',
    ...ofEach(
      (transition) => votersIn(transition).filter((seat) => !votesLegally(transition, seat)),
      (seat, transition) =>
        isUntouched(transition, seat) && factsAbout(transition, 'vote.refused', seat).length === 1,
    ),
  },
  {
    name: 'fault-never-votes',
    sentence: 'A player who fails in a tick has not voted in it.',
    appliesTo: (world) => world.environment.faults || canLeave(world),
    ...ofEach(
      (transition) => talkBids(transition).filter(({ type }) => type === 'fault'),
      ({ seat }, transition) => isUntouched(transition, seat),
    ),
  },
  {
    name: 'gone-never-vote',
    sentence:
      'Dead players, departed players and ghosts do not vote, even if their bid was under way.',
    appliesTo: canBeGone,
    ...ofEach(
      (transition) => talkBids(transition).filter(({ seat }) => !isLiving(transition.before, seat)),
      ({ seat }, transition) =>
        isUntouched(transition, seat) && factsAbout(transition, 'vote.locked', seat).length === 0,
    ),
  },
  {
    name: 'cleared-votes',
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
      return (
        after.context.ballots[leaver] === undefined &&
        named.every((seat) => after.context.ballots[seat] === undefined) &&
        named.every((seat) => cleared.filter((fact) => fact.seat === seat).length === 1)
      );
    }),
  },
]);

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
