/** The findings of `why` for the page. Only the glass gets words; the page hides the numbers of others until the end. */

import type { GameJudgement } from '../analysis/observer/judgement.ts';
import { isWithoutEffect } from '../analysis/why/outcome.ts';
import type { StakeMoment, Stakes, WhyAnswer, WhyResult } from '../analysis/why/result.ts';
import { shareOfCrew } from '../analysis/why/stakes.ts';
import type { Line } from '../machines/journal/lines.ts';
import { gameIn } from '../machines/journal/opening.ts';
import type { Colour, Role } from '../machines/types.ts';
import { describeTurn } from './page/game/story/cards.ts';
import type {
  ReasoningNotes,
  StakeCurve,
  StakeGrade,
  StakeTurn,
  WhyNotes,
} from './page/game/story/pageData.ts';
import { describeEffect, MOST_ERROR } from './terminal/why.ts';
import { describeMoment } from './text.ts';

/** The result as the page gets it, of the journal with these lines; `isWhole` where the lens hides nothing. */
export function createWhyNotes(
  { stakes, outside, answers, record }: WhyResult,
  lines: readonly Line[],
  isWhole: boolean,
): WhyNotes {
  // Results of the original minds count for more than results of stand-ins.
  const best = [...stakes].sort((one, other) => rankStakes(other) - rankStakes(one))[0];
  const isEmpty = best === undefined || best.moments.length < LEAST_MOMENTS;
  // An unfinished match never reaches the end that reveals numbers.
  const isHidden = !isWhole && record.reason === null;
  return {
    stakes: isEmpty || isHidden ? null : drawCurve(best, { lines, outside, isWhole }),
    credits: isWhole ? answers.flatMap((answer) => noteCredit(answer, lines)) : [],
  };
}

const LEAST_MOMENTS = 2;

function rankStakes({ continued, continuations, moments }: Stakes): number {
  return (continued === 'minds' ? 1e9 : 0) + continuations * 1e3 + moments.length;
}

type CurveContext = {
  readonly lines: readonly Line[];
  readonly outside: readonly Colour[];
  readonly isWhole: boolean;
  readonly isAll?: boolean;
};

export function describeSwings({ swings }: Stakes, lines: readonly Line[]): readonly string[] {
  const context = { lines, outside: [], isWhole: true, isAll: true };
  return (swings ?? []).flatMap((swing, index) =>
    gradeSwing(swing, index === 0, context).map((turn) =>
      describeTurn({ ...turn, isFirst: index === 0 }),
    ),
  );
}

function drawCurve(
  { continued, continuations, moments, swings }: Stakes,
  context: CurveContext,
): StakeCurve {
  return {
    continuations,
    standIns: continued === 'stand-ins' ? context.outside : [],
    points: moments.map((moment) => ({
      at: nameMoment(moment, context.lines),
      crew: roundShare(shareOfCrew(moment)),
    })),
    turns: (swings ?? []).flatMap((swing, index) => gradeSwing(swing, index === 0, context)),
  };
}

/** Shares are counts of a few hundred at most. */
function roundShare(share: number): number {
  return Math.round(share * 1000) / 1000;
}

function nameMoment({ line }: Pick<StakeMoment, 'line'>, lines: readonly Line[]): string {
  const found = lines[line - 1];
  return found === undefined ? '0' : `${found.seq}`;
}

/** Changes of a chance that make a move good or a mistake, and brilliant or a blunder. */
const NOTABLE = 0.15;
const GREAT = 0.3;
const NOTABLE_GRADES = ['good', 'mistake'] as const satisfies readonly StakeGrade[];
const GREAT_GRADES = ['brilliant', 'blunder'] as const satisfies readonly StakeGrade[];

/** Grades a swing for the side of its player. Within the error it has no grade, and only `isAll` keeps it. */
function gradeSwing(
  { before, after }: NonNullable<Stakes['swings']>[number],
  isTurning: boolean,
  { lines, isWhole, isAll = false }: CurveContext,
): readonly StakeTurn[] {
  const [from, to] = [shareOfCrew(before), shareOfCrew(after)];
  const error = MOST_ERROR * Math.sqrt(1 / before.continuations + 1 / after.continuations);
  const size = Math.abs(to - from);
  const isNotable = size >= Math.max(NOTABLE, error);
  if (!isNotable && !isAll && !(isTurning && size > 0)) return [];
  const by = findDoer(lines[after.line - 1]);
  const role = by === null ? null : findRole(by, lines[0]);
  const favour = role === 'impostor' ? from - to : to - from;
  const grades = size >= GREAT ? GREAT_GRADES : NOTABLE_GRADES;
  const grade = isNotable && role !== null ? grades[favour > 0 ? 0 : 1] : 'swing';
  return [
    {
      at: nameMoment(after, lines),
      when: describeMoment(after),
      from: roundShare(from),
      to: roundShare(to),
      grade,
      what: isWhole ? after.what : '',
    },
  ];
}

/** The player who spoke or killed; null if no single player can have moved the chances. */
function findDoer(line: Line | undefined): Colour | null {
  if (line?.type === 'tick.closed') return line.said === null ? null : line.floor;
  if (line?.type !== 'round.closed') return null;
  const kills = line.events.flatMap((event) => (event.type === 'player.killed' ? [event.by] : []));
  return kills.length === 1 ? (kills[0] ?? null) : null;
}

function findRole(seat: Colour, header: Line | undefined): Role | null {
  if (header === undefined) return null;
  return gameIn(header)?.seats.find(({ colour }) => colour === seat)?.role ?? null;
}

function noteCredit(answer: WhyAnswer, lines: readonly Line[]): WhyNotes['credits'] {
  if (answer.what !== 'messages' || isWithoutEffect(answer.effect)) return [];
  const isByStandIns = answer.continued === 'stand-ins';
  return [{ at: nameMoment(answer, lines), text: describeEffect(answer), isByStandIns }];
}

export function createReasoningNotes({ ballots, accusations }: GameJudgement): ReasoningNotes {
  const wrong = [
    ...ballots.flatMap(({ isError, voter }) => (isError ? [voter] : [])),
    ...accusations.flatMap(({ isError, by }) => (isError ? [by] : [])),
  ];
  const bySeat = Map.groupBy(wrong, (seat) => seat);
  return { errors: [...bySeat].map(([seat, { length: count }]) => ({ seat, count })) };
}
