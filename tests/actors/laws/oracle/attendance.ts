/** Attendance: who bids, who is missing, whose patience has run out, and that nobody comes back. */
import type { LivingLine } from '../../../../machines/journal/lines.ts';
import type { Colour } from '../../../../machines/types.ts';
import type { Account } from './account.ts';
import { replyOf } from './consequences.ts';
import { type Complain, expectSame, type LineOf } from './property.ts';

export function checkAttendance(line: LivingLine, account: Account, complain: Complain): void {
  for (const seat of subjects(line)) checkPresent(seat, line, account, complain);
  if (line.type === 'tick.closed') checkBidders(line, account, complain);
  if (line.type === 'seat.faulted') {
    const { seat, code, streak } = line;
    expectSame(complain, 'fault/streak', { code, streak }, account.due?.faults.get(seat));
  }
  if (line.type === 'seat.departed') checkDeparture(line, account, complain);
}

function subjects(line: LivingLine): readonly Colour[] {
  switch (line.type) {
    case 'tick.closed':
      return [...line.bids.map(({ seat }) => seat), ...(line.floor === null ? [] : [line.floor])];
    case 'vote.locked':
    case 'vote.refused':
    case 'vote.cleared':
    case 'seat.faulted':
    case 'seat.departed':
    case 'scratchpads.updated':
    case 'scratchpads.consolidated':
      return [line.seat];
    default:
      return [];
  }
}

function checkPresent(seat: Colour, line: LivingLine, account: Account, complain: Complain): void {
  const standing = account.standings.get(seat);
  if (standing === 'living') return;
  if (standing !== 'departed') {
    complain('bids/ghost', `${seat} is ${standing ?? 'not seated'} and stands in ${line.type}`);
    return;
  }
  // A player who leaves during an open tick was asked and said nothing in it.
  if (line.type === 'tick.closed' && account.left.has(seat) && line.floor !== seat) return;
  complain('bids/departed', `${seat} has left and stands in ${line.type}`);
}

/** Living players all bid, and who left while the tick was open is there with a fault. */
function checkBidders(line: LineOf<'tick.closed'>, account: Account, complain: Complain): void {
  const bidders = line.bids.map(({ seat }) => seat);
  const expected = account.seats.filter(
    (seat) => account.standings.get(seat) === 'living' || account.left.has(seat),
  );
  expectSame(complain, 'bids/living', bidders, expected);
  for (const bid of line.bids) {
    if (account.left.has(bid.seat) && replyOf(bid) !== null)
      complain('bids/departed', `${bid.seat} has left and bids`);
    const desire = replyOf(bid)?.desire_to_speak ?? 0;
    if (!Number.isInteger(desire) || desire < 0 || desire > 10)
      complain('bids/desire', `${bid.seat} bid ${desire}`);
  }
}

function checkDeparture(line: LineOf<'seat.departed'>, account: Account, complain: Complain): void {
  const { seat, reason, during } = line;
  const owed = account.due?.departures.get(seat);
  if (account.standings.get(seat) !== 'living') complain('fault/left', `${seat} is not here`);
  if (reason === 'faults' && owed !== 'faults')
    complain('fault/patience', `${seat} was disconnected with patience left`);
  if (reason === 'left' && owed === 'faults')
    complain('fault/patience', `${seat} did not leave but was out of patience`);
  const moments = owed === undefined ? momentsOf(account) : [null];
  if (!moments.includes(during)) complain('fault/left', `${seat} can not leave in ${during}`);
}

type Moment = LineOf<'seat.departed'>['during'];

/** When somebody can leave by themselves: a tick is open or not, by the phase. */
function momentsOf({ phase, isTalk }: Account): readonly Moment[] {
  if (isTalk) return ['tick', 'pause'];
  return phase === 'reaction' || phase === 'consolidation' ? ['tick'] : ['pause'];
}
