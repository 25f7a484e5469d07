/**
 * The reveal: in which order the ballots are turned, and the sentence that ends it.
 *
 * The order is that of the seats, as on the human screen: presentation, and so the one place where a seat may come
 * first (ruling 25). The sentences are those of Among Us.
 */
import type { Ballot, Colour, Role } from '../types.ts';
import type { MeetingOptions } from './options.ts';
import { seatsWith } from './seats.ts';
import type { Poll, Tally } from './votes.ts';

/** One ballot as it is turned. `voter` is null when votes are anonymous. */
export type Turned = {
  readonly voter: Colour | null;
  readonly ballot: Ballot;
  readonly void: boolean;
};

/** Who is who, as far as the sentence needs it. */
export type Unmasked = {
  /** The role of the ejected; null when nobody was. */
  readonly role: Role | null;
  /** Impostors at the start of the game. */
  readonly impostors: number;
  /** Impostors still living after the ejection. */
  readonly remaining: number;
};

/** The voters whose ballots are turned, in order: every standing ballot once, void ones included. */
export function order(poll: Poll): readonly Colour[] {
  return seatsWith(poll.ballots, () => true);
}

/** The ballot turned at step `index` of the reveal; null when all have been. */
export function turned(poll: Poll, index: number, anonymous: boolean): Turned | null {
  const voter = order(poll)[index];
  const ballot = voter === undefined ? undefined : poll.ballots[voter];
  if (voter === undefined || ballot === undefined) return null;
  return { voter: anonymous ? null : voter, ballot, void: poll.void.includes(voter) };
}

/** What the screen says when the last ballot is turned. */
export function sentence(
  result: Pick<Tally, 'outcome' | 'ejected'>,
  unmasked: Unmasked,
  options: Pick<MeetingOptions, 'confirmEjects'>,
): string {
  const { outcome, ejected } = result;
  if (ejected === null) {
    const how = `No one was ejected. (${outcome === 'skipped' ? 'Skipped' : 'Tie'})`;
    return options.confirmEjects ? `${how} ${remain(unmasked.remaining)}` : how;
  }
  const name = ejected.charAt(0).toUpperCase() + ejected.slice(1);
  if (!options.confirmEjects) return `${name} was ejected.`;
  const not = unmasked.role === 'impostor' ? '' : 'not ';
  const article = unmasked.impostors === 1 ? 'The' : 'An';
  return `${name} was ${not}${article} Impostor. ${remain(unmasked.remaining)}`;
}

function remain(impostors: number): string {
  return impostors === 1 ? '1 Impostor remains.' : `${impostors} Impostors remain.`;
}
