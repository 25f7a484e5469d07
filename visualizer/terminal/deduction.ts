import { wilsonInterval } from '../../analysis/counts/numeric.ts';
import type {
  CrewReasoning,
  GameJudgement,
  JudgedBallot,
  PersonaReasoning,
} from '../../analysis/observer/judgement.ts';
import { capitalize, formatPercent, pluralize } from '../../machines/text.ts';
import type { BySeat } from '../../machines/types.ts';
import { candidateName, formatShare } from '../text.ts';
import { clean } from './layout.ts';
import {
  type ColumnWorth,
  fitColumns,
  fitTables,
  type TableColumn,
  type TableRows,
  wrapLines,
} from './table.ts';

export function renderDeduction(
  judged: GameJudgement,
  sum: PersonaReasoning,
  width = Infinity,
): string {
  const meetings = [...new Set(judged.knowledge.map(({ meeting }) => meeting))].sort(
    (one, other) => one - other,
  );
  const tables = meetings.map((meeting) => tabulateMeeting(judged, meeting));
  return [
    `impostors: ${judged.impostors.map(capitalize).join(', ')}`,
    '',
    ...fitTables(tables, { width, worth: MEETING_WORTH }),
    '',
    ...wrapLines(
      [
        describeSum(sum),
        ...meetings.flatMap((meeting) => listErrors(judged, meeting)),
        ...describeMessages(judged),
        '',
        ...EXPLAINED,
        'bits: by how much a message would narrow the teams of an honest listener who trusts no impostor; 1 halves them',
      ],
      width,
    ),
  ].join('\n');
}

const TITLES = ['', 'teams', 'most suspect', 'ballot', 'odds', 'regret'];
const MEETING_WORTH: ColumnWorth = ['always', 4, 1, 'always', 3, 2];
const MOST_NAMED = 3;

function tabulateMeeting({ knowledge, ballots }: GameJudgement, meeting: number): TableRows {
  const rows = knowledge
    .filter((one) => one.meeting === meeting)
    .map((known) => {
      const ballot = ballots.find((one) => one.meeting === meeting && one.voter === known.seat);
      return [
        capitalize(known.seat),
        String(known.teams),
        describeSuspects(known.odds),
        ...ballotCells(ballot),
      ];
    });
  return [TITLES.with(0, `meeting ${meeting}`), ...rows];
}

function listErrors(
  { knowledge, ballots, accusations }: GameJudgement,
  meeting: number,
): readonly string[] {
  return knowledge
    .filter((one) => one.meeting === meeting)
    .flatMap(({ seat }) => {
      const ballot = ballots.find((one) => one.meeting === meeting && one.voter === seat);
      const wrong = accusations.filter(
        (one) => one.meeting === meeting && one.by === seat && one.isError,
      );
      const accused = [...new Set(wrong.map((one) => one.accused))];
      const voted = ballot?.isError === true ? [`voted for ${candidateName(ballot.ballot)}`] : [];
      const errors = [...voted, ...accused.map((who) => `accused ${capitalize(who)}`)].join(', ');
      const line = `  meeting ${meeting}: ${capitalize(seat)} ${errors}: provably innocent`;
      return errors === '' ? [] : [line];
    });
}

function describeSuspects(odds: BySeat<number>): string {
  const named = Object.entries(odds)
    .filter(([, one]) => one > 0)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MOST_NAMED);
  return named.map(([seat, one]) => `${capitalize(seat)} ${formatPercent(one)}`).join(', ');
}

function ballotCells(ballot: JudgedBallot | undefined): readonly string[] {
  if (ballot === undefined) return ['none', '', ''];
  return [candidateName(ballot.ballot), formatPercent(ballot.odds), ballot.regret.toFixed(2)];
}

function describeSum({ ballots, accusations, regret }: PersonaReasoning): string {
  const mean = regret === null ? '' : ` · mean regret ${regret.toFixed(2)}`;
  return `errors of logic: ${ballots.errors} of ${pluralize(ballots.count, 'ballot')}, ${accusations.errors} of ${pluralize(accusations.count, 'accusation')}${mean}`;
}

const MOST_MESSAGES = 3;

function describeMessages({ messages }: GameJudgement): readonly string[] {
  const best = messages
    .filter(({ bits }) => bits > 0)
    .toSorted((one, other) => other.bits - one.bits)
    .slice(0, MOST_MESSAGES);
  const words = best.map(
    ({ meeting, tick, speaker, bits }) =>
      `${capitalize(speaker)} at meeting ${meeting}, tick ${tick} (${bits.toFixed(2)} bits)`,
  );
  return words.length === 0 ? [] : [`most informative messages: ${words.join(', ')}`];
}

const EXPLAINED = [
  'teams: of impostors, that are possible by what the player saw and the rules of the ship; all count alike',
  'odds: the share of these teams with the player who was voted for; skip counts as the mean of the living others',
  'regret: how much better the best ballot was',
];

export function renderReasoning(
  games: number,
  { personas, all }: CrewReasoning,
  width = Infinity,
): string {
  return [
    `${pluralize(games, 'game')}: how the crew reasoned`,
    '',
    ...fitColumns(PERSONA_COLUMNS, [...personas, { ...all, persona: 'all' }], { width }),
    '',
    ...wrapLines(
      [
        'errors: aimed at players who were provably innocent by what the player had seen; and their share in percent, with the ends of its interval',
        EXPLAINED[2] ?? '',
      ],
      width,
    ),
  ].join('\n');
}

const PERSONA_COLUMNS: readonly TableColumn<PersonaReasoning>[] = [
  ['persona', 'always', ({ persona }) => clean(persona)],
  ['games', 1, ({ games }) => String(games)],
  ['ballots', 4, ({ ballots }) => String(ballots.count)],
  ['errors', 'always', ({ ballots }) => formatErrors(ballots)],
  ['accusations', 3, ({ accusations }) => String(accusations.count)],
  ['errors', 6, ({ accusations }) => formatErrors(accusations)],
  ['regret', 5, ({ regret }) => regret?.toFixed(3) ?? ''],
];

function formatErrors({ errors, count }: PersonaReasoning['ballots']): string {
  const interval = wilsonInterval(errors, count);
  return interval === null ? String(errors) : `${errors}: ${formatShare(interval, count)}`;
}
