/** Words that the terminal and the page share: players, systems, times, and how a game ended. */

import type { Interval } from '../analysis/counts/numeric.ts';
import type { SeenMeeting, SeenOf } from '../machines/journal/lens.ts';
import { SECONDS_PER_ROUND } from '../machines/rules/options.ts';
import { capitalize, formatCount } from '../machines/text.ts';
import type { Ballot, BySeat, Colour, Outcome, Place, TieBreak } from '../machines/types.ts';

type Badge = Readonly<{ code: string; suit: string; letters: string }>;

/** Every player is a colour, two letters and a word, so that colour never stands alone. One letter would clash. */
const BADGES: BySeat<Badge> = {
  red: { code: 'RD', suit: '#c51111', letters: '#ffffff' },
  blue: { code: 'BL', suit: '#2340d9', letters: '#ffffff' },
  green: { code: 'GN', suit: '#117f2d', letters: '#ffffff' },
  pink: { code: 'PK', suit: '#ed54ba', letters: '#1b0514' },
  orange: { code: 'OR', suit: '#f07d0d', letters: '#1f0f00' },
  yellow: { code: 'YL', suit: '#f5f557', letters: '#201f00' },
  black: { code: 'BK', suit: '#3f474e', letters: '#ffffff' },
  white: { code: 'WH', suit: '#e3eaf5', letters: '#131c28' },
  purple: { code: 'PR', suit: '#6b2fbb', letters: '#ffffff' },
  brown: { code: 'BN', suit: '#71491e', letters: '#ffffff' },
  cyan: { code: 'CY', suit: '#38fedc', letters: '#00211b' },
  lime: { code: 'LM', suit: '#50ef39', letters: '#052000' },
  maroon: { code: 'MA', suit: '#6e2034', letters: '#ffffff' },
  rose: { code: 'RO', suit: '#ecc0d3', letters: '#2a0d19' },
  banana: { code: 'BA', suit: '#f0e7a8', letters: '#241f00' },
  gray: { code: 'GR', suit: '#8494a3', letters: '#0b1118' },
  tan: { code: 'TA', suit: '#a89d89', letters: '#17130b' },
  coral: { code: 'CO', suit: '#e57373', letters: '#260505' },
};

/** A forged journal may name seats that there are not. */
export function badgeOf(seat: Colour): Badge {
  return BADGES[seat] ?? { code: '', suit: '', letters: '' };
}

export function candidateName(ballot: Ballot): string {
  return ballot === 'skip' ? 'Skip' : capitalize(ballot);
}

export type Ending = Pick<SeenOf<'game.closed'>, 'winner' | 'reason'>;
type Reason = NonNullable<Ending['reason']>;

const WHY: Readonly<Record<Reason, string>> = {
  tasks: 'every task is done',
  vote: 'the vote left too few of the crew',
  kills: 'too few of the crew are left',
  sabotage: 'the ship is lost',
  disconnect: 'too many of the crew left the game',
  faults: 'too many players of a side gave no usable answers',
  unfinished: 'an operator’s limit is reached',
  interrupted: 'the operator stopped the game',
};
/** Where the same reason sounds otherwise to the crew. */
const WHY_CREW: Readonly<Partial<Record<Reason, string>>> = {
  vote: 'the last impostor was voted out',
  disconnect: 'the last impostor left the game',
};

export function describeEnding({ winner, reason = 'interrupted' }: Ending): string {
  if (winner === 'crew') return `The crew wins: ${WHY_CREW[reason] ?? WHY[reason]}.`;
  return `${winner === 'impostors' ? 'The impostors win' : 'Nobody has won'}: ${WHY[reason]}.`;
}

type ShownOptions = Pick<SeenMeeting['options'], 'rules' | 'confirm_ejects' | 'anonymous_votes'>;

export function describeRules(options: ShownOptions): string {
  const confirm = options.confirm_ejects ? 'ejections confirm the role' : 'roles stay secret';
  const votes = options.anonymous_votes ? 'anonymous votes' : 'open reveal';
  return `${options.rules} rules · ${confirm} · ${votes}`;
}

/** The start of a round, as m:ss. */
export function formatClock(round: number): string {
  const seconds = Math.floor(round * SECONDS_PER_ROUND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

type TickOrRound = Readonly<{ meeting: number; tick: number | null; round: number | null }>;

/** A moment of a game, on the ship or at the table: "at 4:47", "in meeting 2, tick 5". */
export function describeMoment({ meeting, tick, round }: TickOrRound): string {
  return tick === null ? `at ${formatClock(round ?? 0)}` : `in meeting ${meeting}, tick ${tick}`;
}

export function formatTimes(count: number): string {
  return count === 1 ? 'once' : `${formatCount(count)} times`;
}

/** A share in percent. Halves go to the even tenth, so that a share and the rest add up to 100. */
export function tenths(share: number): string {
  const steps = 1000 * share;
  const half = Math.floor(steps) + 0.5;
  const isHalf = Math.abs(steps - half) < HALF_WAY;
  return ((isHalf ? 2 * Math.round(half / 2) : Math.round(steps)) / 10).toFixed(1);
}

/** A share of whole cases that is no half is further from it. */
const HALF_WAY = 1e-7;

/** The parts of a whole in percent. They add up to 100: the greatest remainders are rounded up. */
export function splitPercent(counts: readonly number[]): readonly string[] {
  const whole = counts.reduce((sum, count) => sum + count, 0);
  const exact = counts.map((count) => (whole === 0 ? 0 : (100 * count) / whole));
  const missing = Math.round(exact.reduce((sum, part) => sum + (part % 1), 0));
  const byRemainder = [...exact.keys()].toSorted(
    (one, other) => ((exact[other] ?? 0) % 1) - ((exact[one] ?? 0) % 1),
  );
  const raised = new Set(byRemainder.slice(0, missing));
  return exact.map((part, index) => `${Math.floor(part) + Number(raised.has(index))} %`);
}

export const formatTenths = (share: number) => `${tenths(share)} %`;

export function formatRange({ least, most }: Pick<Interval, 'least' | 'most'>): string {
  return `${tenths(least)}–${tenths(most)} %`;
}

/** A share with its interval and the number of cases: "59.5 % (52.4–66.3 %), n = 200". */
export function formatShare({ share, ...ends }: Interval, cases: number | null): string {
  const n = cases === null ? '' : `, n = ${formatCount(cases)}`;
  return `${formatTenths(share)} (${formatRange(ends)})${n}`;
}

export type TextPiece = string | { readonly seat: Colour };

/** "Red reports the body of Blue in Admin" */
export function describeCall({ by, body, place }: SeenOf<'meeting.called'>): readonly TextPiece[] {
  const who = by === undefined ? 'Somebody' : { seat: by };
  const where = place == null ? '' : ` in ${place}`;
  return body == null
    ? [who, ` presses the emergency button${where}`]
    : [who, ' reports the body of ', { seat: body }, where];
}

export function joinPieces(pieces: readonly TextPiece[]): string {
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : capitalize(piece.seat)))
    .join('');
}

export const VENT_MOVES = {
  in: 'climbs into the vent in',
  through: 'crawls through to',
  out: 'climbs out of the vent in',
} as const;

export function withArticle(place: Place): string {
  return place.endsWith('hallway') ? `the ${place}` : place;
}

export function describeDeparture(reason: string | undefined): string {
  return reason === 'faults'
    ? 'is disconnected: too many replies in a row were of no use'
    : 'leaves the game';
}

export const TIE_REASONS: Readonly<Record<TieBreak, string>> = {
  silence: 'the longest silent goes first',
  unvoted: 'who has not voted goes first',
  draw: 'settled by a draw',
};

export const MEETING_ENDINGS: Readonly<Record<Outcome, string>> = {
  ejected: 'a player was ejected',
  tie: 'a tie, nobody was ejected',
  skipped: 'skipped, nobody was ejected',
  empty: 'nobody is left alive',
  unconverged: 'stopped before the vote by an operator’s limit',
  interrupted: 'the operator stopped the run',
  refused: 'the call was against the rules',
};
