import { wilsonInterval } from '../../analysis/counts/numeric.ts';
import {
  type AnswerSample,
  compareEnds,
  compareOutcomes,
  isWithoutEffect,
  type MatchOutcome,
} from '../../analysis/why/outcome.ts';
import {
  rankAnswers,
  type SharedCredit,
  type StakeMoment,
  type Stakes,
  type WhyAnswer,
  type WhyResult,
} from '../../analysis/why/result.ts';
import { shareOfCrew } from '../../analysis/why/stakes.ts';
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import {
  capitalize,
  cutDifference,
  formatPercent,
  listWords,
  pluralize,
} from '../../machines/text.ts';
import type { Colour } from '../../machines/types.ts';
import { candidateName, describeMoment, formatRange } from '../text.ts';
import { clean, clipEnd, countColumns } from './layout.ts';
import { alignColumns, type TableRows, wrapLine, wrapLines } from './table.ts';

type Answers = readonly WhyAnswer[];
type AnyView = { readonly name: string; readonly result: WhyResult; readonly width: number };
export type WhyView = AnyView & {
  readonly answers: Answers;
  readonly isWhole: boolean;
};

type CreditView = AnyView & { readonly credit: SharedCredit };
type StakesView = AnyView & { readonly stakes: Stakes; readonly told: readonly string[] };

const MOST_LISTED = 20;

export function renderWhy({ answers, isWhole, width, ...view }: WhyView): string {
  const ranked = rankAnswers(answers);
  const pivotal = ranked.filter(({ effect }) => !isWithoutEffect(effect));
  const listed = isWhole ? ranked : pivotal.slice(0, MOST_LISTED);
  const hidden = isWhole ? 0 : pivotal.length - listed.length;
  const above = [...beginView(view), describeCount(answers, pivotal.length, view.result)];
  return [
    ...wrapLines(above, width),
    ...(listed.length === 0 ? [] : ['', ...renderRows(listed, width)]),
    ...(hidden === 0 ? [] : [`and ${hidden} more: --all lists them`]),
    ...(answers.length === 0 ? [] : ['', ...wrapLine(RANKING, width)]),
  ].join('\n');
}

/** The same in one line, for a journal of many: "12 of 64 change something, 5 the ejection, 3 the winner". */
export function summarizeWhy(answers: Answers): string {
  const count = (has: (effect: WhyAnswer['effect']) => boolean) =>
    answers.filter(({ effect }) => has(effect)).length;
  const changing = count((effect) => !isWithoutEffect(effect));
  const ejections = count(({ ejected }) => ejected > 0);
  const winners = count(({ winner }) => winner > 0);
  // A match that ends with the meeting has no winner.
  const won = answers.some(({ until }) => until === 'end') ? `, ${winners} the winner` : '';
  const counts = `${changing} of ${pluralize(answers.length, 'question')} change something, ${ejections} the ejection${won}`;
  const [most] = rankAnswers(answers);
  if (most === undefined || isWithoutEffect(most.effect)) return counts;
  const { what, seat } = most;
  return `${counts}; most: without the ${SINGULAR[what]} of ${capitalize(seat)} ${describeMoment(most)} ${describeEffect(most)}`;
}

export function summarizeStakes({ swings, moments }: Stakes): string {
  if (swings === null) return `${pluralize(moments.length, 'moment')} weighed, not all yet`;
  const [turning] = swings;
  if (turning === undefined) return 'nothing has moved the chance of the crew';
  const { before, after } = turning;
  return `turning point ${describeMoment(after)}, chance of the crew ${formatSwing(before, after)}`;
}

function formatSwing(before: StakeMoment, after: StakeMoment): string {
  return `${formatPercent(shareOfCrew(before))} → ${formatPercent(shareOfCrew(after))}`;
}

function beginView({ name, result }: Omit<AnyView, 'width'>): readonly string[] {
  return [`${clean(name)}: ${describeRecord(result)}`, describeCheck(result)];
}

const RANKING =
  'ranked by who wins, who is ejected, ballots that differ, the reason of the end, the length, and beliefs of the crew';

export function renderCredit({ credit, width, ...view }: CreditView): string {
  const { result } = view;
  const { meeting, what, values, orders, seed, sets, without, until } = credit;
  const outcome = describeEjected(result.record.meetings[meeting - 1]?.ejected ?? null);
  const how =
    orders === null
      ? `every set of them was played (${sets}), so the values are exact`
      : `${orders} orders drawn by seed ${seed}, ${sets} sets played; ± is a standard error`;
  const isPlayedOut = until === 'end' && result.record.winner !== null;
  const rows = values
    .toSorted((one, other) => Math.abs(other.ejected) - Math.abs(one.ejected))
    .map((one) => [
      capitalize(one.seat),
      describeMoment({ ...one, meeting }),
      formatValue(one.ejected, one.ejectedError, orders),
      ...(isPlayedOut ? [formatValue(one.winner, one.winnerError, orders)] : []),
      clipEnd(clean(one.words), roomFor(width, CREDIT_COLUMNS)),
    ]);
  const titles = ['player', 'when', 'ejection', ...(isPlayedOut ? ['winner'] : []), 'what it was'];
  const above = [
    ...beginView(view),
    `Shapley values of ${pluralize(values.length, SINGULAR[what])} of meeting ${meeting}, for: ${outcome}${isPlayedOut ? `; ${WINS[result.record.winner ?? 'crew']}` : ''}`,
    `${how}. With all of them taken back: ${without.ejected === 1 ? 'the same ejection' : 'another ejection'}${isPlayedOut ? (without.winner === 1 ? ', the same winner' : ', another winner') : ''}`,
  ];
  return [...wrapLines(above, width), '', ...alignColumns([titles, ...rows])].join('\n');
}

const CREDIT_COLUMNS = 60;

function formatValue(value: number, error: number, orders: number | null): string {
  return orders === null ? value.toFixed(2) : `${value.toFixed(2)} ± ${error.toFixed(2)}`;
}

const BARS = '▁▂▃▄▅▆▇█';

export function renderStakes({ stakes, told, width, ...view }: StakesView): string {
  const { moments, swings, continuations, continued } = stakes;
  const [turning] = swings ?? [];
  const above = [
    ...beginView(view),
    `chance of the crew at ${pluralize(moments.length, 'moment')}, from ${pluralize(continuations, 'continuation')} each (± ${formatPercent(MOST_ERROR / Math.sqrt(continuations))} at most); ${
      continued === 'stand-ins'
        ? describeStandIns(view.result.outside)
        : 'the same minds go on, with other seeds'
    }`,
  ];
  const below =
    turning === undefined
      ? [swings === null ? 'not all moments are weighed yet' : 'nothing has moved it']
      : [
          `the greatest swings, played on again with other seeds, ${pluralize(turning.after.continuations, 'continuation')} each; the first is the turning point`,
          ...told.map(clean),
        ];
  return [
    ...wrapLines(above, width),
    '',
    ...renderCurve(moments, turning?.after.line ?? null, width),
    '',
    ...wrapLines(below, width),
  ].join('\n');
}

/** Half of the 95 % interval of a share of one case at 50 %. */
export const MOST_ERROR = 0.98;

/** A column for each moment, or for several where there are more than columns; meetings and the turning point below. */
function renderCurve(
  moments: readonly StakeMoment[],
  turning: number | null,
  width: number,
): readonly string[] {
  const room = Number.isFinite(width) ? width : PLAIN_WIDTH;
  const each = Math.max(1, Math.ceil(moments.length / Math.max(1, room)));
  const columns = Array.from({ length: Math.ceil(moments.length / each) }, (_, index) =>
    moments.slice(index * each, (index + 1) * each),
  );
  const bar = (column: readonly StakeMoment[]) => {
    const last = column.at(-1);
    const level = last === undefined ? 0 : Math.round(shareOfCrew(last) * (BARS.length - 1));
    return BARS[level] ?? ' ';
  };
  const below = columns.map((column) => {
    if (column.some(({ line }) => line === turning)) return '▲';
    const tick = column.find((one) => one.tick !== null);
    return tick === undefined ? ' ' : String(tick.meeting % 10);
  });
  return [
    columns.map(bar).join(''),
    below.join('').trimEnd(),
    ...wrapLine(
      '█ the crew wins for sure, ▁ the impostors do; a figure is a meeting, ▲ the turning point',
      width,
    ),
  ];
}

function describeEjected(ejected: Colour | null, verb = 'is'): string {
  return `${ejected === null ? 'no one' : capitalize(ejected)} ${verb} ejected`;
}

function describeRecord({ record }: WhyResult): string {
  const { winner, reason, rounds, meetings } = record;
  if (reason === null) return describeEjected(meetings[0]?.ejected ?? null, 'was');
  const end = winner === null ? `no winner (${reason})` : `${winner} won (${reason})`;
  return `${end} after ${pluralize(rounds, 'round')} and ${pluralize(meetings.length, 'meeting')}`;
}

function describeCheck({ check }: Pick<WhyResult, 'check'>): string {
  if (check === null) return 'null check: not made';
  return `null check: ${pluralize(check.forks, 'fork')} without a change, each identical to the record to the byte (${pluralize(check.lines, 'line')} compared)`;
}

function describeCount(answers: Answers, pivotal: number, { outside }: WhyResult): string {
  if (answers.length === 0) return 'no questions: the record has none of that kind';
  const kinds = [...Map.groupBy(answers, ({ what }) => what)]
    .map(([what, { length }]) => `${what} ${length}`)
    .join(', ');
  const asked = `${pluralize(answers.length, 'question')} (${kinds})`;
  const changing = pivotal === 1 ? '1 changes something' : `${pivotal} change something`;
  return `${asked}; ${changing}; ${describeSureness(answers, outside)}`;
}

function describeStandIns(outside: WhyResult['outside']): string {
  return `scripted stand-ins go on for ${listWords(outside.map(capitalize))}`;
}

function describeSureness(answers: Answers, outside: WhyResult['outside']): string {
  if (answers.some(({ continued }) => continued === 'stand-ins'))
    return `${describeStandIns(outside)}, with and without each change`;
  if (outside.length === 0) return 'every mind is offline, so each answer is exact';
  // A smaller effect than the difference of two samples without a change is chance.
  const pairs = answers.flatMap(({ samples }) =>
    samples.slice(1).map(({ was }, index) => was.ejected !== samples[index]?.was.ejected),
  );
  const samples = Math.max(0, ...answers.map(({ effect }) => effect.samples));
  const noise =
    pairs.length === 0
      ? 'one sample cannot estimate noise'
      : `without a change the ejection differs by itself in ${describeShare(pairs.filter(Boolean).length, pairs.length)} pairs`;
  return `models for ${listWords(outside.map(capitalize))} were asked again, ${pluralize(samples, 'sample')} each; ${noise}`;
}

/** "2 of 4 (15.0–85.0 %)", with the 95 % interval (Wilson). */
function describeShare(hits: number, cases: number): string {
  const interval = wilsonInterval(hits, cases);
  return `${hits} of ${cases}${interval === null ? '' : ` (${formatRange(interval)})`}`;
}

const LEAST_WORDS = 40;
const GAP = 2;
/** Columns without a screen. Words are cut off there, too. */
const PLAIN_WIDTH = 100;

function roomFor(width: number, others: number): number {
  return Math.max(LEAST_WORDS, (Number.isFinite(width) ? width : PLAIN_WIDTH) - others);
}

function renderRows(answers: Answers, width: number): readonly string[] {
  const rows = answers.map((answer, index) => [
    String(index + 1),
    SINGULAR[answer.what],
    capitalize(answer.seat),
    describeMoment(answer),
    describeEffect(answer),
  ]);
  const table = [['', 'what', 'player', 'when', 'without it'], ...rows];
  const aligned = alignColumns(table);
  const widest = Math.max(...aligned.map(countColumns));
  if (widest + GAP + LEAST_WORDS > width && Number.isFinite(width))
    return foldRows(table, answers, width);
  const room = roomFor(width, widest + GAP);
  return aligned.map((row, index) => {
    const answer = answers[index - 1];
    const words = answer === undefined ? 'what it was' : describeChange(answer, room);
    return `${row.padEnd(widest)}  ${words}`.trimEnd();
  });
}

function foldRows(table: TableRows, answers: Answers, width: number): readonly string[] {
  const heads = alignColumns(table.map((row) => [...row.slice(0, -1), '']));
  const margin = Math.max(...heads.map(countColumns)) + GAP;
  const room = Math.max(NARROW_WORDS, width - margin);
  return heads.flatMap((head, index) => {
    const answer = answers[index - 1];
    const words = answer === undefined ? 'and the original below it' : describeChange(answer, room);
    const lines = [...wrapLine(table[index]?.at(-1) ?? '', room), ...wrapLine(words, room)];
    return lines.map((line, row) => (row === 0 ? head : '').padEnd(margin) + line);
  });
}

const NARROW_WORDS = 20;

function describeChange({ what, by, words, instead }: WhyAnswer, columns: number): string {
  if (what === 'ballots') return `${words} → ${instead}`;
  const was = clean(words);
  if (by !== 'truth') return clipEnd(was, columns);
  const [from, to] = cutDifference(was, clean(instead), DIFFERENCE);
  const half = Math.floor((columns - ARROW.length) / 2);
  return `${clipEnd(from, half)}${ARROW}${clipEnd(to, half)}`;
}

const ARROW = ' → ';
/** Characters of a claim before its first difference. */
const DIFFERENCE = { before: 12, most: 200 };

const SINGULAR: Readonly<Record<WhyAnswer['what'], string>> = {
  messages: 'message',
  ballots: 'ballot',
  bids: 'bid',
  kills: 'kill',
  claims: 'claim',
};

export function describeEffect({ effect, samples, until }: WhyAnswer): string {
  const [sample] = samples;
  if (sample === undefined) return 'the same';
  if (isWithoutEffect(effect)) {
    const shift = effect.samples > 1 ? null : describeSuspicion(sample);
    return shift === null ? 'the same' : `the same, but ${shift}`;
  }
  if (effect.samples > 1) return describeSampled(effect, until);
  const parts: string[] = [];
  if (until === 'end' && effect.winner > 0) {
    const { winner, reason } = sample.is;
    parts.push(winner === null ? 'no one wins' : `${WINS[winner]} (${reason})`);
  }
  if (effect.ejected > 0) {
    const { ejected, outcome } = sample.is;
    parts.push(outcome === null ? 'there is no such meeting' : describeEjected(ejected));
  }
  if (sample.ballots.length === 1) parts.push(...sample.ballots.map(describeBallot));
  else if (sample.ballots.length > 1) parts.push(pluralize(sample.ballots.length, 'other ballot'));
  if (effect.reason > 0) parts.push(`the end comes by ${sample.is.reason}`);
  if (effect.rounds !== 0) parts.push(describeLength(effect.rounds));
  return parts.join(', ');
}

const NOTABLE_SHIFT = 0.05;

/** "Red is suspected at 40 %, not 62 %"; null where the crew believed nearly the same. */
function describeSuspicion({ suspicion }: AnswerSample): string | null {
  const [most] = suspicion ?? [];
  if (most === undefined || Math.abs(most.is - most.was) < NOTABLE_SHIFT) return null;
  return `${capitalize(most.of)} is suspected at ${formatPercent(most.is)}, not ${formatPercent(most.was)}`;
}

function describeSampled(
  { samples, winner, ejected, ballots, rounds }: WhyAnswer['effect'],
  until: WhyAnswer['until'],
): string {
  const parts: string[] = [];
  if (until === 'end') parts.push(`another winner in ${describeShare(winner, samples)}`);
  parts.push(`another ejection in ${describeShare(ejected, samples)}`);
  if (ballots > 0) parts.push(`${ballots.toFixed(1)} other ballots`);
  if (rounds !== 0) parts.push(`${rounds > 0 ? '+' : ''}${rounds.toFixed(1)} rounds`);
  return parts.join(', ');
}

const WINS = { crew: 'the crew wins', impostors: 'the impostors win' } as const;

function describeBallot({ voter, is }: AnswerSample['ballots'][number]): string {
  if (is === null) return `${capitalize(voter)} does not vote`;
  return `${capitalize(voter)} votes ${candidateName(is)}`;
}

export function isTalk({ requestKind }: Pick<LineOf<'tick.closed'>, 'requestKind'>): boolean {
  return requestKind === 'discussion' || requestKind === 'voting';
}

/** Whether the words that a fork gave to a player were spoken: "Red did not get the floor (22 against 35), so …". */
export function describeSpoken(lines: readonly Line[], player: Colour): string {
  const who = capitalize(player);
  let meeting = 0;
  for (const line of lines) {
    if (line.type === 'meeting.called') meeting += 1;
    if (line.type !== 'tick.closed' || !isTalk(line)) continue;
    const own = line.scores.find(({ seat }) => seat === player);
    if (own === undefined) continue;
    const first = line.scores.find(({ seat }) => seat === line.floor);
    if (line.floor === player)
      return `${who} had the floor (${own.total}) and said these words${meeting === 0 ? '' : ' in the next meeting'}`;
    const against =
      first === undefined
        ? `${own.total}`
        : `${own.total} against ${first.total} of ${capitalize(first.seat)}`;
    return `${who} did not get the floor (${against}), so the words were not spoken. --floor gives it to ${who}`;
  }
  return `${who} was not asked at the table again, so the words were not spoken`;
}

/** How a fork came out beside its original, meeting by meeting; null where one of them is not over. */
export function describeComparison(was: MatchOutcome, is: MatchOutcome): string | null {
  if (!isOver(was) || !isOver(is)) return null;
  const meetings = Array.from(
    { length: Math.max(was.meetings.length, is.meetings.length) },
    (_, index) => describeMeetingShift(was, is, index),
  ).flatMap((line) => line ?? []);
  const { isWinnerOther, isReasonOther, rounds } = compareEnds(was, is);
  const ends = [was, is].map(({ winner, reason }) => `${winner ?? 'no one'} won (${reason})`);
  const where = isWinnerOther || isReasonOther ? `instead of ${ends[0]}` : 'in both';
  const end = was.reason === null ? [] : [`${ends[1]} ${where}`];
  const length = rounds === 0 ? [] : [describeLength(rounds)];
  const first = [...end, ...length].join(', ');
  const lines = [...(first === '' ? [] : [first]), ...meetings];
  return lines.length === 0 || (meetings.length === 0 && !isWinnerOther && rounds === 0)
    ? 'Beside the original: all came out alike'
    : `Beside the original: ${lines.join('; ')}`;
}

function isOver({ reason, meetings }: MatchOutcome): boolean {
  return reason !== null || (meetings[0]?.outcome ?? null) !== null;
}

function describeMeetingShift(was: MatchOutcome, is: MatchOutcome, index: number): string | null {
  const [before, after] = [was.meetings[index], is.meetings[index]];
  const name = `meeting ${index + 1}`;
  if (before === undefined) return `${name} is new`;
  if (after === undefined) return `${name} was not held`;
  const { ballots } = compareOutcomes(was, is, index);
  const first = before.ejected === null ? 'no one' : capitalize(before.ejected);
  const parts = [
    ...(before.ejected === after.ejected
      ? []
      : [`${describeEjected(after.ejected, 'was')} instead of ${first}`]),
    ...(ballots.length === 0 ? [] : [pluralize(ballots.length, 'other ballot')]),
  ];
  return parts.length === 0 ? null : `${name}: ${parts.join(', ')}`;
}

function describeLength(rounds: number): string {
  return `${pluralize(Math.abs(rounds), 'round')} ${rounds > 0 ? 'longer' : 'shorter'}`;
}
