/** The bids of a tick in print: why this player got the floor, term by term, best bid first. */
import type { SeenOf } from '../../machines/journal/lens.ts';
import { readBid } from '../../machines/journal/projection.ts';
import { glued, type Ink, ink, type Style } from './ink.ts';
import { type Block, paragraph } from './page.ts';
import { code } from './seats.ts';

type Tick = SeenOf<'tick.closed'>;
type SeenScore = NonNullable<Tick['scores']>[number];

const TERMS = [
  ['mention', 'named'],
  ['accusation', 'accused'],
  ['silence', 'silence'],
  ['die', 'die'],
  ['recent_speaker', 'just spoke'],
  ['voted', 'voted'],
] as const;

const TIES = {
  silence: 'level bids: the longest silent goes first',
  unvoted: 'level bids: who has not voted goes first',
  draw: 'level bids: settled by a draw',
} as const;

/** The table of bids; empty where the lens shows none. The first line begins with `lead`, the others below it. */
export function bidBlocks(tick: Tick, lead: string): readonly Block[] {
  const ranked = (tick.scores ?? []).toSorted((one, other) => rank(other, tick) - rank(one, tick));
  if (ranked.length === 0) return [];
  const indent = ' '.repeat(lead.length);
  const rows = ranked.map((score, place) => row(score, tick, place === 0 ? lead : indent));
  const tie = tick.tie ?? null;
  const settled =
    tie === null ? [] : [paragraph([ink(`${indent}  `)], [ink(TIES[tie], 'dim', 'italic')])];
  return [...rows, ...settled];
}

/** The winner first, then those who could have won, then by total. */
function rank(score: SeenScore, { floor }: Tick): number {
  return (score.seat === floor ? 2 * FAR : 0) + (score.eligible ? FAR : 0) + score.total;
}
/** More than any total. */
const FAR = 1e6;

function row(score: SeenScore, tick: Tick, lead: string): Block {
  const { seat, total } = score;
  const wins = tick.floor === seat;
  const weight = wins ? 'bold' : 'dim';
  return paragraph(
    [
      ink(lead, 'dim'),
      ink(wins ? '▸ ' : '  '),
      code(seat),
      ink(` ${String(total).padStart(3)} = `, weight),
    ],
    [...terms(score, wins ? [] : ['dim']), ...remarks(score, tick)],
  );
}

/** "desire 7 +2 named +3 accused": the desire, and every other term that is not 0. */
function terms(score: SeenScore, styles: readonly Style[]): readonly Ink[] {
  const others = TERMS.flatMap(([term, word]) => {
    const value = score[term];
    if (!value) return [];
    const label = term === 'silence' ? `silence(${score.silent_ticks})` : word;
    return [ink(' '), ...glued(`${value > 0 ? '+' : '-'}${Math.abs(value)} ${label}`, ...styles)];
  });
  return [...glued(`desire ${score.desire ?? 0}`, ...styles), ...others];
}

/** Why a bid counts where it should not, or does not count. */
function remarks(score: SeenScore, tick: Tick): readonly Ink[] {
  const fault = faultOf(score.seat, tick);
  if (fault !== null) return [ink(` · fault: ${fault}`, 'red')];
  const isBlank = messageOf(score.seat, tick).trim() === '';
  const called = score.called_on === true ? [ink(' · called on', 'yellow')] : [];
  return isBlank ? [...called, ink(' · nothing to say', 'dim')] : called;
}

function faultOf(seat: SeenScore['seat'], { bids = [] }: Tick): string | null {
  return bids.find((bid) => bid.seat === seat)?.fault ?? null;
}

function messageOf(seat: SeenScore['seat'], { bids = [] }: Tick): string {
  const bid = bids.find((each) => each.seat === seat);
  return bid === undefined ? '' : readBid(bid).message;
}
