/**
 * The oracle reads the lines of a journal and reports the properties that they violate. It repeats every sum from
 * the journal itself and shares no rule with the engine.
 */

import type { Line, LivingLine } from '../../../machines/journal/lines.ts';
import { meetingIn } from '../../../machines/journal/opening.ts';
import { Account } from './oracle/account.ts';
import { checkAttendance } from './oracle/attendance.ts';
import { settle } from './oracle/consequences.ts';
import { checkCourse } from './oracle/course.ts';
import { Gallery } from './oracle/gallery.ts';
import { checkNotebooks } from './oracle/notebooks.ts';
import { checkPoll } from './oracle/poll.ts';
import { checkPriority } from './oracle/priority.ts';
import type { Broken, Complain } from './oracle/property.ts';
import { checkReveal } from './oracle/reveal.ts';
import { checkSpeech } from './oracle/speech.ts';

export function findViolations(lines: readonly Line[]): readonly Broken[] {
  const broken: Broken[] = [];
  const complainAt =
    (line: number): Complain =>
    (code, text) =>
      broken.push({ code, line, text });
  const header = lines[0];
  const match = meetingIn(header);
  if (match === null) {
    complainAt(1)('course/opened', 'the header is missing');
    return broken;
  }
  const account = new Account(match);
  const gallery = new Gallery(account);
  for (const [index, line] of lines.entries()) {
    const complain = complainAt(index + 1);
    if (line.channel === 'ghosts') gallery.check(line, complain);
    else if (line.channel === 'living') {
      const { due } = account;
      if (due !== null && !isOwed(line, account)) settle(due, complainAt(due.line));
      checkLiving(line, account, complain);
      account.enter(line, index + 1);
    }
  }
  if (!account.isOver) complainAt(lines.length)('course/closed', 'the journal has no end');
  return broken;
}

/** Whether a line is one that a closed tick leads to. */
function isOwed(line: LivingLine, { due }: Account): boolean {
  switch (line.type) {
    case 'vote.locked':
    case 'vote.refused':
    case 'vote.cleared':
    case 'seat.faulted':
    case 'scratchpads.updated':
      return true;
    case 'seat.departed':
      return due?.departures.has(line.seat) === true;
    default:
      return false;
  }
}

function checkLiving(line: LivingLine, account: Account, complain: Complain): void {
  if (line.seq !== account.lines || (line.type === 'match.opened') !== (account.lines === 0))
    complain('course/opened', `${line.type} is number ${line.seq} of the living`);
  if (line.type === 'match.opened') return;
  checkCourse(line, account, complain);
  checkAttendance(line, account, complain);
  if (line.type === 'tick.closed') {
    checkPriority(line, account, complain);
    checkSpeech(line, account, complain);
  }
  checkPoll(line, account, complain);
  checkReveal(line, account, complain);
  checkNotebooks(line, account, complain);
}
