/** Priority: every bid term by term, and who gets the floor (rulings 2, 5, 6, 9, 11, 13, 32). */
import type { Score } from '../../../../machines/rules/scoreTerms.ts';
import type { Colour } from '../../../../machines/types.ts';
import type { Account } from './account.ts';
import { replyOf } from './consequences.ts';
import { type Complain, expectSame, type LineOf } from './property.ts';
import { boostOf, spread } from './terms.ts';

type Tick = LineOf<'tick.closed'>;

export function checkPriority(line: Tick, account: Account, complain: Complain): void {
  if (!account.isTalk) {
    const { scores, floor, said, hits, nudge, tie } = line;
    const nothing = { scores: [], floor: null, said: null, hits: [], nudge: null, tie: null };
    expectSame(complain, 'floor/talk', { scores, floor, said, hits, nudge, tie }, nothing);
    return;
  }
  const scored = line.scores.map(({ seat }) => seat);
  const bidders = line.bids.map(({ seat }) => seat);
  expectSame(complain, 'score/each', scored, bidders);
  for (const score of line.scores) {
    checkTerms(score, line, account, (code, text) => complain(code, `${score.seat}: ${text}`));
  }
  checkFloor(line, complain);
}

function checkTerms(score: Score, line: Tick, account: Account, complain: Complain): void {
  const { seat } = score;
  const { terms, talk } = account;
  const { weights } = terms;
  const bid = line.bids.find((candidate) => candidate.seat === seat);
  const reply = bid === undefined ? null : replyOf(bid);
  const silent = talk.silence(seat, line.tick);
  const boost = boostOf(terms, silent);
  const isCalledOn = boost > spread(terms);
  const due = (isOwed: boolean, weight: number) => (isOwed ? weight : 0);

  expectSame(complain, 'score/desire', score.desire, reply?.desire_to_speak ?? 0);
  const mention = due(talk.isNamed(seat, 'mention'), weights.mention);
  expectSame(complain, 'score/mention', score.mention, mention);
  const accusation = due(talk.isNamed(seat, 'accusation'), weights.accusation);
  expectSame(complain, 'score/accusation', score.accusation, accusation);
  expectSame(complain, 'score/silence', [score.silentTicks, score.silence], [silent, boost]);
  if (!Number.isInteger(score.die) || score.die < 1 || score.die > 6)
    complain('score/die', `the die shows ${score.die}`);
  const penalty = due(talk.hasJustSpoken(seat, line.tick), weights.recent_speaker);
  expectSame(complain, 'score/spoke', score.recentSpeaker + penalty, 0);
  checkVoted(score, account, complain);
  const sum =
    score.desire +
    score.mention +
    score.accusation +
    score.silence +
    score.die +
    score.recentSpeaker +
    score.voted;
  expectSame(complain, 'score/total', score.total, sum);
  expectSame(complain, 'score/called-on', score.calledOn, isCalledOn);

  const isBlank = reply !== null && reply.message.trim() === '';
  if (score.eligible && reply === null) complain('score/fault', 'a fault competes');
  if (score.eligible && isBlank && !isCalledOn) complain('score/blank', 'a blank bid competes');
  if (!score.eligible && reply !== null && (!isBlank || isCalledOn))
    complain('score/barred', 'a bid does not compete');
}

/** What counts is who had voted when the tick was opened. */
function checkVoted(score: Score, account: Account, complain: Complain): void {
  const { seat, hasVoted, voted } = score;
  expectSame(complain, 'score/voted', hasVoted, account.hadVoted(seat));
  const penalty = hasVoted ? account.terms.weights.voted : 0;
  expectSame(complain, 'score/voted', voted + penalty, 0);
}

function checkFloor(line: Tick, complain: Complain): void {
  const { floor, scores } = line;
  const competing = scores.filter(({ eligible }) => eligible);
  const most = Math.max(...competing.map(({ total }) => total));
  const first = competing.filter(({ total }) => total === most);
  if (floor === null) {
    if (competing.length > 0) complain('floor/nobody', 'the floor is empty');
    return;
  }
  const winner = scores.find(({ seat }) => seat === floor);
  if (winner?.eligible !== true) complain('floor/eligible', `${floor} does not compete`);
  if (winner === undefined) return;
  if (winner.total < most) complain('floor/highest', `${floor} has ${winner.total} of ${most}`);
  else if (winner.eligible) {
    const { seat, by } = decided(first, line);
    expectSame(complain, 'floor/tie', [floor, line.tie], [seat, by]);
  }
}

/** The winner among equals, and the tie-break that decided (ruling 5). */
function decided(
  first: readonly Score[],
  line: Tick,
): { readonly seat: Colour | null; readonly by: Tick['tie'] } {
  const alone = (scores: readonly Score[]) => scores[0]?.seat ?? null;
  if (first.length === 1) return { seat: alone(first), by: null };
  const longest = Math.max(...first.map(({ silentTicks }) => silentTicks));
  const silent = first.filter(({ silentTicks }) => silentTicks === longest);
  if (silent.length === 1) return { seat: alone(silent), by: 'silence' };
  const free = silent.filter(({ hasVoted }) => !hasVoted);
  if (free.length === 1) return { seat: alone(free), by: 'unvoted' };
  const drawing = free.length === 0 ? silent : free;
  const draw = ({ seat }: Score) => line.draws?.[seat] ?? -1;
  return { seat: alone(drawing.toSorted((one, other) => draw(other) - draw(one))), by: 'draw' };
}
