import type { Bundle } from '../../analysis/benchmark/bundle.ts';
import { nameTested } from '../../analysis/benchmark/definition.ts';
import references from '../../analysis/benchmark/references.json' with { type: 'json' };
import type { BenchmarkScore, BenchmarkScores } from '../../analysis/benchmark/scores.ts';
import type { BenchmarkRow, BenchmarkTableOfMany } from '../../analysis/benchmark/table.ts';
import type { BundleFinding, BundleVerification } from '../../analysis/benchmark/verify.ts';
import { formatCount, pluralize } from '../../machines/text.ts';
import { formatShare } from '../text.ts';
import { clean } from './layout.ts';
import { alignColumns } from './table.ts';

export type ShownScores = {
  readonly benchmark: string;
  readonly name: string;
  readonly tables: number;
  readonly scores: BenchmarkScores;
};

export function renderScores({ benchmark, name, tables, scores }: ShownScores): string {
  const rows = references
    .filter((one) => one.name !== name)
    .map((one) => ({ ...one, isTested: false }));
  const all = [...rows, { name, tables, scores, isTested: true }].toSorted(
    (one, other) => overall(other.scores) - overall(one.scores),
  );
  const head = ['', 'mind', 'deception', 'detection', 'reliability', 'games'];
  const body = all.map((one) => [
    one.isTested ? '→' : '',
    clean(one.name),
    sayScore(one.scores.deception),
    sayScore(one.scores.detection),
    sayScore(one.scores.reliability),
    String(one.tables),
  ]);
  const { undecided = 0 } = scores.reliability;
  return [
    `${benchmark}: ${clean(name)}${undecided === 0 ? '' : `, ${pluralize(undecided, 'game')} without a winner`}`,
    '',
    ...alignColumns([head, ...body]),
    '',
    'Points, with 95 % intervals. Deception and detection: how much better than the reference in the same seat, which is 0.',
    'Reliability: turns with a usable answer in time, of 100. Minds are in the order of the sum of the first two.',
  ].join('\n');
}

type ShownScore = Pick<BenchmarkScore, 'value' | 'least' | 'most'>;

function overall(scores: Readonly<Record<'deception' | 'detection', ShownScore>>): number {
  return (scores.deception.value ?? 0) + (scores.detection.value ?? 0);
}

export function sayScore({ value, least, most }: ShownScore) {
  if (value === null) return '–';
  if (least === null || most === null) return `${round(value)} (too few)`;
  return `${round(value)} (${round(least)} to ${round(most)})`;
}

function round(points: number): string {
  const text = points.toFixed(1);
  return text === '-0.0' ? '0.0' : text.replace('-', '−');
}

const ROW_TITLES =
  'mind,deception,detection,usable answers,tables,claims understood,tokens,cost,time a request,bundle';

function writeRows(rows: readonly BenchmarkRow[]): readonly (readonly string[])[] {
  const body = rows.map(({ name, scores, tables, understood, bundle, ...spent }) => [
    clean(name),
    sayScore(scores.deception),
    sayScore(scores.detection),
    sayScore(scores.reliability),
    formatCount(tables),
    understood.interval === null ? '–' : formatShare(understood.interval, understood.cases),
    spent.tokens === 0 ? '–' : formatCount(spent.tokens),
    spent.dollars === null ? '–' : `$${spent.dollars.toFixed(2)}`,
    spent.seconds === null ? '–' : `${spent.seconds.toFixed(1)} s`,
    clean(bundle),
  ]);
  return [ROW_TITLES.split(','), ...body];
}

const ROW_NOTES =
  'Ordered by the sum of both scores. Points with 95 % intervals for each mind alone; deception and detection rest on half of the tables each. Separated pairs, corrected for their number, are listed below. The reference in the same seat is 0. Tokens, cost and time a request (median) are as reported by the endpoint. Claims understood: of the statements that name a player or a place, those in which the reader of claims finds a claim, which is all that the pool can react to. Play between models does not depend on it.';

export function renderTable({ rows, notes }: BenchmarkTableOfMany): string {
  const told = rows.length === 0 ? [] : [...alignColumns(writeRows(rows)), '', ROW_NOTES];
  return [...told, ...notes.map(clean)].join('\n');
}

/** The same in Markdown; `made` says by what, when and how. */
export function renderTablePart({ rows, notes }: BenchmarkTableOfMany, made: string): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const [titles = [], ...body] = writeRows(rows);
  const [first = '', ...others] = notes.map(clean);
  const table = [line(titles), line(titles.map(() => '---')), ...body.map(line)];
  return [
    `${first}\n`,
    ...table,
    `\n${ROW_NOTES}\n`,
    ...others.map((note) => `- ${note}`),
    ...(others.length === 0 ? [] : ['']),
    made,
  ].join('\n');
}

export type ShownVerification = {
  readonly name: string;
  readonly bundle: Bundle;
  readonly verification: BundleVerification;
};

const SHOWN = 50;

export function renderVerification({ name, bundle, verification }: ShownVerification): string {
  const { findings, played, followed, scores } = verification;
  const { benchmark, tested, tables } = bundle;
  const lines = findings.slice(0, SHOWN).map(sayFinding);
  const more = findings.length - lines.length;
  const games = [
    `${played} games of offline minds were played again from the plan`,
    ...(followed === 0
      ? []
      : [`${followed} were played through with the answers of their journals`]),
  ].join(', ');
  const verdict =
    findings.length === 0
      ? 'Everything fits: the plan, every game, the results, the scores and the files. Taken on trust: the answers of the tested mind, its name, times and tokens.'
      : `${pluralize(findings.length, 'finding')}: this bundle is not what it says.`;
  return [
    ...lines,
    ...(more > 0 ? [`… and ${more} more`] : []),
    ...(findings.length > 0 ? [''] : []),
    `${clean(name)}: ${benchmark}, ${tables} tables of ${clean(nameTested(tested))}; ${games}`,
    verdict,
    ...(findings.length > 0 || scores === null
      ? []
      : ['', renderScores({ benchmark, name: nameTested(tested), tables, scores })]),
  ].join('\n');
}

function sayFinding({ code, text, file, line, table }: BundleFinding): string {
  const parts = [file, line === null ? null : `line ${line}`, table && `table ${table}`];
  const where = parts.filter((part) => part !== null).join(', ');
  return clean(`${where === '' ? '' : `${where}: `}${text} (${code})`);
}
