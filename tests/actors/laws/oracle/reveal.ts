/** The reveal: one ballot after the other, and the sentence that ends it (rulings 19, 20, 25). */
import type { LivingLine } from '../../../../machines/journal/lines.ts';
import type { Account } from './account.ts';
import { type Complain, expectSame, type LineOf } from './property.ts';

export function checkReveal(line: LivingLine, account: Account, complain: Complain): void {
  if (line.type === 'ballot.revealed') checkTurned(line, account, complain);
  if (line.type === 'verdict.announced') checkVerdict(line, account, complain);
}

function voters({ seats, poll }: Account) {
  return seats.filter((seat) => poll?.ballots.has(seat) === true);
}

function checkTurned(line: LineOf<'ballot.revealed'>, account: Account, complain: Complain): void {
  const { index, by, voter, ballot } = line;
  const expected = voters(account)[account.turned];
  expectSame(complain, 'reveal/order', [index, by], [account.turned, expected ?? null]);
  if (account.told !== null) complain('reveal/order', 'the verdict was told before');
  const locked = account.poll?.ballots.get(by) ?? null;
  const isVoid = account.poll?.void.includes(by) === true;
  expectSame(complain, 'reveal/ballot', [ballot, line.void], [locked, isVoid]);
  const shown = account.terms.anonymous_votes ? null : by;
  expectSame(complain, 'reveal/anonymous', voter, shown);
}

function checkVerdict(
  line: LineOf<'verdict.announced'>,
  account: Account,
  complain: Complain,
): void {
  const { outcome, ejected, sentence } = line;
  expectSame(complain, 'reveal/all', account.turned, voters(account).length);
  if (account.told !== null) complain('reveal/verdict', 'a verdict was told before');
  expectSame(complain, 'reveal/verdict', { outcome, ejected }, account.counted);
  expectSame(complain, 'reveal/sentence', sentence, sentenceFor(line, account));
}

function sentenceFor({ outcome, ejected }: LineOf<'verdict.announced'>, account: Account): string {
  const { confirm_ejects: isConfirmed } = account.terms;
  const impostors = account.seats.filter((seat) => account.roles.get(seat) === 'impostor');
  const left = impostors.filter(
    (seat) => account.standings.get(seat) === 'living' && seat !== ejected,
  ).length;
  const remaining = isConfirmed ? ` ${left} Impostor${left === 1 ? ' remains' : 's remain'}.` : '';
  if (ejected === null) {
    return `No one was ejected. (${outcome === 'skipped' ? 'Skipped' : 'Tie'})${remaining}`;
  }
  const name = ejected.replace(/^./, (letter) => letter.toUpperCase());
  if (!isConfirmed) return `${name} was ejected.`;
  const was = account.roles.get(ejected) === 'impostor' ? 'was' : 'was not';
  return `${name} ${was} ${impostors.length === 1 ? 'The' : 'An'} Impostor.${remaining}`;
}
