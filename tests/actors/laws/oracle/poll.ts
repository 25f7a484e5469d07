/** The poll: locks, closing, the count and the reveal (rulings 3, 4, 15–25, 39). */
import type { LivingLine } from '../../../../machines/journal/lines.ts';
import { type Ballot, COLOURS, type Colour } from '../../../../machines/types.ts';
import type { Account } from './account.ts';
import { type Complain, expectSame, type LineOf } from './property.ts';
import { pollTicks } from './terms.ts';

export function checkPoll(line: LivingLine, account: Account, complain: Complain): void {
  checkClearing(line, account, complain);
  switch (line.type) {
    case 'tick.closed':
      checkOpen(account, complain);
      return;
    case 'vote.locked':
      checkLock(line, account, complain);
      return;
    case 'vote.refused':
      expectSame(complain, 'vote/lost', line.vote, account.due?.refusals.get(line.seat));
      return;
    case 'phase.entered':
      // A complete poll goes before a limit; a limit goes before the end of the voting time.
      if (line.phase === 'consolidation' && account.isTalk && account.isPollComplete)
        complain('poll/late', 'all living players had voted');
      return;
    case 'poll.closed':
      checkClosing(line, account, complain);
      return;
    case 'poll.counted':
      checkCount(line, account, complain);
      return;
    default:
  }
}

/** A ballot that names who has just left is cleared in classic rules, in the order of the seats. */
function checkClearing(line: LivingLine, account: Account, complain: Complain): void {
  const [voter] = account.clearing;
  if (line.type === 'vote.cleared') {
    if (line.seat !== voter)
      complain('vote/cleared', `the ballot of ${line.seat} names nobody who left just now`);
    else expectSame(complain, 'vote/cleared', line.leaver, account.ballots.get(voter));
  } else if (voter !== undefined) {
    complain('vote/cleared', `the ballot of ${voter} names somebody who has left`);
    account.clearing = [];
  }
}

/** Talk that goes on while nobody is left to vote, or after the time for it. */
function checkOpen(account: Account, complain: Complain): void {
  // A run that was stopped ends with the tick that is open, and counts nothing.
  if (!account.isTalk || account.stop?.outcome === 'interrupted') return;
  if (account.isPollComplete) complain('poll/late', 'all living players had voted');
  const end = pollTicks(account.terms);
  if (account.phase === 'voting' && end !== null && account.ticks >= end)
    complain('poll/late', `the voting time was up after ${end} ticks`);
}

function checkLock(line: LineOf<'vote.locked'>, account: Account, complain: Complain): void {
  const { seat, ballot } = line;
  if (account.due?.votes.get(seat) === ballot) return;
  const bid = account.due?.refusals.get(seat);
  const refusal = account.refusal(seat, ballot);
  if (refusal !== null) complain(refusal, `${seat} for ${ballot}`);
  if (bid !== ballot) complain('vote/invented', `${seat} did not vote for ${ballot} in this tick`);
}

function checkClosing(line: LineOf<'poll.closed'>, account: Account, complain: Complain): void {
  if (account.poll !== null) complain('course/place', 'the poll was closed before');
  const end = pollTicks(account.terms);
  const isUp = end !== null && account.ticks >= end;
  if (!account.isPollComplete && !isUp) complain('poll/early', 'somebody has not voted');
  const reason = account.isPollComplete ? 'everyone-voted' : 'time-up';
  expectSame(complain, 'poll/reason', line.reason, reason);
  const closed = account.closing();
  expectSame(complain, 'poll/missed', line.missed, closed.missed);
  expectSame(complain, 'poll/void', line.void, closed.void);
}

function checkCount(line: LineOf<'poll.counted'>, account: Account, complain: Complain): void {
  const { poll } = account;
  if (poll === null || account.counted !== null) {
    complain('course/place', 'there is nothing to count');
    return;
  }
  const votes = new Map<Ballot, number>();
  for (const [voter, ballot] of poll.ballots) {
    if (!poll.void.includes(voter)) votes.set(ballot, (votes.get(ballot) ?? 0) + 1);
  }
  const candidates: readonly Ballot[] = [...COLOURS, 'skip'];
  const counts = candidates
    .filter((candidate) => votes.has(candidate))
    .map((candidate) => ({ candidate, votes: votes.get(candidate) ?? 0 }));
  expectSame(complain, 'poll/count', line.counts, counts);
  const result = poll.isDeserted ? { outcome: 'empty', ejected: null } : plurality(votes);
  expectSame(complain, 'poll/outcome', { outcome: line.outcome, ejected: line.ejected }, result);
}

function plurality(votes: ReadonlyMap<Ballot, number>): {
  readonly outcome: 'ejected' | 'tie' | 'skipped';
  readonly ejected: Colour | null;
} {
  const [first, second] = [...votes].toSorted(([, one], [, other]) => other - one);
  if (first === undefined || first[1] === second?.[1]) return { outcome: 'tie', ejected: null };
  const [candidate] = first;
  return candidate === 'skip'
    ? { outcome: 'skipped', ejected: null }
    : { outcome: 'ejected', ejected: candidate };
}
