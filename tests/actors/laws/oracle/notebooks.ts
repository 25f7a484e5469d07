/** Notebooks: a player's notes are kept, and the pages of the meeting are erased whatever failed (ruling 27). */
import type { LivingLine } from '../../../../machines/journal/lines.ts';
import type { Account } from './account.ts';
import { replyOf } from './consequences.ts';
import { type Complain, expectSame, type LineOf } from './property.ts';

export function checkNotebooks(line: LivingLine, account: Account, complain: Complain): void {
  switch (line.type) {
    case 'scratchpads.updated': {
      const pads = account.due?.pads.get(line.seat);
      const written = [pads?.main_scratch ?? null, pads?.meeting_scratch ?? null];
      expectSame(complain, 'pads/noted', [line.main ?? null, line.meeting ?? null], written);
      return;
    }
    case 'scratchpads.consolidated':
      checkKept(line, account, complain);
      return;
    case 'scratchpads.erased':
      if (account.erased > 0) complain('pads/erased', 'they were erased before');
      for (const seat of account.living) {
        if (!account.kept.has(seat)) complain('pads/kept', `${seat} keeps nothing`);
      }
      return;
    case 'meeting.closed':
      if (account.phase === 'consolidation' && account.erased === 0)
        complain('pads/erased', 'they were not erased');
      return;
    default:
  }
}

function checkKept(
  line: LineOf<'scratchpads.consolidated'>,
  account: Account,
  complain: Complain,
): void {
  const { seat, main, line: mechanical } = line;
  if (account.kept.has(seat)) complain('pads/kept', `${seat} keeps something twice`);
  const bid = account.due?.bids.find((candidate) => candidate.seat === seat);
  const reply = bid === undefined ? null : replyOf(bid);
  const own = reply?.scratchpad_updates.main_scratch ?? null;
  expectSame(complain, 'pads/kept', main, own);
  if ((mechanical === null) === (main === null) || mechanical === '')
    complain('pads/kept', `${seat} keeps ${main === null ? 'nothing' : 'a line too many'}`);
}
