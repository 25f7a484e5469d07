/**
 * Votes: what may be locked, when the poll is complete, and how it is counted.
 *
 * A ballot is binding. Skip is one more candidate (ruling 23), a tie ejects nobody, and a missed vote is not a skip
 * (ruling 3).
 */
import {
  type Ballot,
  type BySeat,
  COLOURS,
  type Colour,
  type Note,
  type Standing,
} from '../types.ts';
import { everySeat, seatsWith } from './seats.ts';

export type Ballots = BySeat<Ballot>;

/** What the count says. `counts` is in the order of the colours with skip last, and leaves out who got none. */
export type Tally = {
  readonly counts: readonly { readonly candidate: Ballot; readonly votes: number }[];
  readonly outcome: 'ejected' | 'tie' | 'skipped';
  readonly ejected: Colour | null;
};

/** The poll as it was closed. From here on no departure changes a ballot (ruling 20). */
export type Poll = {
  readonly ballots: Ballots;
  /** Voters whose ballot names somebody who left: revealed, but not counted. */
  readonly void: readonly Colour[];
  /** Living players without a ballot. */
  readonly missed: readonly Colour[];
  /** Nobody was left alive (ruling 22). */
  readonly deserted: boolean;
};

export function seatsThat(standings: BySeat<Standing>, standing: Standing): readonly Colour[] {
  return seatsWith(standings, (own) => own === standing);
}

/** Why a vote is not locked; null when it is legal. A vote for oneself is (ruling 16), one for the dead is not (15). */
export function voteRefusal(
  vote: Ballot,
  voter: Colour,
  ballots: Ballots,
  standings: BySeat<Standing>,
): Note | null {
  if (ballots[voter] !== undefined) {
    return {
      code: 'vote/locked',
      text: `your vote for ${ballots[voter]} is locked and cannot change`,
    };
  }
  if (vote === 'skip' || standings[vote] === 'living') return null;
  const living = seatsThat(standings, 'living').join(', ');
  return {
    code: 'vote/not-living',
    text: `your vote for ${vote} does not count: ${vote} is not among the living (${living})`,
  };
}

/** All living players have voted; true as well when nobody is left alive (rulings 4 and 22). */
export function everyoneVoted(ballots: Ballots, standings: BySeat<Standing>): boolean {
  return everySeat(
    standings,
    (standing, seat) => standing !== 'living' || ballots[seat] !== undefined,
  );
}

/** Closes the poll: fixes which ballots stand, which are void and who missed. */
export function close(ballots: Ballots, standings: BySeat<Standing>): Poll {
  const living = seatsThat(standings, 'living');
  return {
    ballots,
    void: seatsWith(ballots, (ballot) => isVoid(ballot, standings)),
    missed: living.filter((colour) => ballots[colour] === undefined),
    deserted: living.length === 0,
  };
}

/** Counts a poll: the unique plurality over skip and everybody else is ejected, otherwise nobody is. */
export function tally(poll: Poll): Tally {
  const candidates: readonly Ballot[] = [...COLOURS, 'skip'];
  const counts = candidates
    .map((candidate) => ({ candidate, votes: votesFor(candidate, poll) }))
    .filter(({ votes }) => votes > 0);
  const most = Math.max(0, ...counts.map(({ votes }) => votes));
  const leaders = counts.filter(({ votes }) => votes === most);
  const leader = leaders.length === 1 ? leaders[0]?.candidate : undefined;
  if (leader === undefined) return { counts, outcome: 'tie', ejected: null };
  if (leader === 'skip') return { counts, outcome: 'skipped', ejected: null };
  return { counts, outcome: 'ejected', ejected: leader };
}

function votesFor(candidate: Ballot, poll: Poll): number {
  const voters = seatsWith(poll.ballots, (ballot) => ballot === candidate);
  return voters.filter((voter) => !poll.void.includes(voter)).length;
}

function isVoid(ballot: Ballot, standings: BySeat<Standing>): boolean {
  return ballot !== 'skip' && standings[ballot] !== 'living';
}
