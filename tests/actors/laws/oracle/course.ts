/** The course of a meeting: phases in order, ticks in number, each line in its place, and how it ends. */
import type { LivingLine } from '../../../../machines/journal/lines.ts';
import type { Phase } from '../../../../machines/types.ts';
import type { Account } from './account.ts';
import { type Complain, expectSame, type LineOf } from './property.ts';
import { talkTicks } from './terms.ts';

/**
 * The phases that may follow each phase. '' is the time before the first. An early consolidation ends without a
 * count.
 */
const NEXT: Readonly<Record<Phase | '', readonly Phase[]>> = {
  '': ['interrupt'],
  interrupt: ['discussion'],
  discussion: ['voting', 'consolidation'],
  voting: ['reveal', 'consolidation'],
  reveal: ['reaction'],
  reaction: ['consolidation'],
  consolidation: [],
};

const TALK: readonly Phase[] = ['discussion', 'voting'];
const TICKING: readonly Phase[] = [...TALK, 'reaction', 'consolidation'];
const SEATED: readonly Phase[] = ['interrupt', ...TICKING, 'reveal'];

const PLACES: Readonly<Record<LivingLine['type'], readonly Phase[] | null>> = {
  'match.opened': [],
  'meeting.called': ['interrupt'],
  'meeting.refused': null,
  'phase.entered': null,
  'tick.closed': TICKING,
  'vote.locked': TALK,
  'vote.refused': TALK,
  'vote.cleared': TALK,
  'seat.faulted': TALK,
  'seat.departed': SEATED,
  'scratchpads.updated': [...TALK, 'reaction'],
  'poll.closed': ['voting'],
  'poll.counted': ['voting'],
  'ballot.revealed': ['reveal'],
  'verdict.announced': ['reveal'],
  'scratchpads.consolidated': ['consolidation'],
  'scratchpads.erased': ['consolidation'],
  'stop.requested': null,
  'meeting.closed': null,
  'round.closed': [],
  'end.requested': [],
  'game.closed': [],
};

export function checkCourse(line: LivingLine, account: Account, complain: Complain): void {
  const { phase } = account;
  const places = PLACES[line.type];
  if (places !== null && !places.some((place) => place === phase)) {
    complain('course/place', `${line.type} stands in ${phase ?? 'no phase'}`);
  }
  if (account.isOver) complain('course/place', `${line.type} comes after the end`);
  if (account.poll !== null && phase === 'voting' && line.type === 'tick.closed') {
    complain('course/place', 'a tick was closed after the poll');
  }
  if (line.type === 'phase.entered') checkPhase(line.phase, account, complain);
  if (line.type === 'tick.closed') checkTick(line, account, complain);
  if (line.type === 'meeting.closed') checkEnd(line, account, complain);
  checkStop(line, account, complain);
}

function checkPhase(phase: Phase, account: Account, complain: Complain): void {
  const next = NEXT[account.phase ?? ''];
  if (!next.includes(phase)) {
    complain('course/phase', `${phase} does not come after ${account.phase ?? 'the header'}`);
  }
  if (phase === 'reveal' && account.counted === null)
    complain('course/phase', 'nothing was counted that could be revealed');
  if (phase === 'reaction' && account.told === null)
    complain('course/phase', 'there is no verdict to react to');
  if (phase === 'voting') checkVotingDue(account, complain);
  if (phase === 'consolidation' && account.isTalk) checkCutShort(account, complain);
}

/** Voting begins with the end of the poll, or when ballots are due by the clock. */
function checkVotingDue(account: Account, complain: Complain): void {
  const due = talkTicks(account.terms);
  if (account.isPollComplete || (due !== null && account.ticks >= due)) return;
  complain('course/clock', `voting begins after ${account.ticks} ticks, due after ${due}`);
}

function checkCutShort(account: Account, complain: Complain): void {
  const { max_ticks: most } = account.terms;
  const isLimit = most !== null && account.ticks >= most;
  if (!isLimit && account.stop?.outcome !== 'unconverged')
    complain('course/limit', `nobody asked for the end after ${account.ticks} ticks`);
}

function checkTick(line: LineOf<'tick.closed'>, account: Account, complain: Complain): void {
  const { tick, requestKind } = line;
  if (tick !== account.ticks)
    complain('course/tick', `expected tick ${account.ticks}, found ${tick}`);
  if (requestKind !== account.phase) {
    complain(
      'course/requestKind',
      `a tick of ${requestKind} stands in ${account.phase ?? 'no phase'}`,
    );
  }
  if (!account.isTalk) {
    if (account.ticksOfPhase > 0)
      complain('course/requestKind', `${account.phase} has a second tick`);
    return;
  }
  const { max_ticks: most } = account.terms;
  if (most !== null && tick >= most)
    complain('course/limit', `tick ${tick} was held with a limit of ${most}`);
  const due = talkTicks(account.terms);
  if (account.phase === 'discussion' && due !== null && tick >= due)
    complain('course/clock', `ballots were due after ${due} ticks, and tick ${tick} is talk`);
}

/** An interrupted meeting closes the tick that is open and then ends; one that is cut short still consolidates. */
function checkStop(line: LivingLine, account: Account, complain: Complain): void {
  const { stop } = account;
  if (stop === null) return;
  if (line.type === 'tick.closed' && account.isTalk && account.ticksLeft <= 0)
    complain('course/stop', `tick ${line.tick} was held after the stop`);
  if (stop.outcome !== 'interrupted') return;
  if (line.type === 'phase.entered')
    complain('course/stop', `the meeting was stopped and goes on with ${line.phase}`);
}

function checkEnd(line: LineOf<'meeting.closed'>, account: Account, complain: Complain): void {
  const { outcome, ejected } = line;
  const { told, stop } = account;
  const found = { outcome, ejected };
  const early = account.isRefused ? 'refused' : stop?.outcome;
  if (early === 'refused' || early === 'interrupted') {
    // A verdict that everybody has heard is not taken back by a stop.
    const heard = early === 'interrupted' ? (told?.ejected ?? null) : null;
    expectSame(complain, 'course/closed', found, { outcome: early, ejected: heard });
    return;
  }
  if (account.phase !== 'consolidation')
    complain('course/closed', `the meeting ends in ${account.phase ?? 'no phase'}`);
  expectSame(complain, 'course/closed', found, told ?? { outcome: 'unconverged', ejected: null });
}
