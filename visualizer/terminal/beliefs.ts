import type { BeliefSummary } from '../../analysis/beliefs/beliefs.ts';
import type { Estimate } from '../../analysis/beliefs/scores.ts';
import { sumCounts } from '../../analysis/counts/accounts.ts';
import type { BeliefMoment } from '../../machines/types.ts';
import { clean } from './layout.ts';
import { listCodes } from './statistics.ts';
import { fitColumns, type TableColumn, wrapLines } from './table.ts';

const MOMENTS: Readonly<Record<BeliefMoment, string>> = {
  call: 'at the call',
  tick: 'after a tick',
  vote: 'after the vote',
};

/** Groups over all personas, then crewmates by persona after the vote. */
export function renderBeliefs(
  beliefs: readonly BeliefSummary[],
  width = Infinity,
): readonly string[] {
  if (beliefs.length === 0) return [];
  const shown = beliefs.filter(
    ({ persona, role, moment }) => persona === null || (role === 'crewmate' && moment === 'vote'),
  );
  const missing = countMissing(beliefs);
  return [
    '',
    ...fitColumns(COLUMNS, shown, { width }),
    ...(missing === '' ? [] : ['', ...wrapLines([`missing: ${missing}`], width)]),
    '',
    ...wrapLines(MEANINGS, width),
  ];
}

const MEANINGS = [
  'pairs: one who was asked and one of whom · Brier: mean (probability − truth)², 0 is best; by share: what the bare share of impostors gets',
  'log: mean −ln of the probability of what is true · AUC: how often an impostor is suspected more than a crewmate · off by: calibration error, ten bins',
  'Intervals hold 95 of 100 cases and take a game for the unit (docs/deduction.md).',
];

const COLUMNS: readonly TableColumn<BeliefSummary>[] = [
  ['beliefs', 'always', nameGroup],
  ['pairs', 5, ({ pairs }) => String(pairs)],
  ['missing', 4, ({ missing }) => String(sumCounts(missing))],
  ['Brier', 7, ({ brier }) => writeEstimate(brier)],
  ['by share', 3, ({ base }) => (base === null ? '' : (base * (1 - base)).toFixed(DIGITS))],
  ['log', 1, ({ log }) => writeEstimate(log)],
  ['AUC', 6, ({ auc }) => writeEstimate(auc)],
  ['off by', 2, ({ calibrationError }) => calibrationError?.toFixed(DIGITS) ?? ''],
];

function nameGroup({ persona, role, source, moment }: BeliefSummary): string {
  return persona === null ? `${role}s ${MOMENTS[moment]} (${source})` : `  ${clean(persona)}`;
}

const DIGITS = 3;

/** "0.152, 0.149 to 0.155" */
function writeEstimate(estimate: Estimate | null): string {
  if (estimate === null) return '';
  const { value, least, most } = estimate;
  const reach =
    least === null || most === null ? '' : `, ${least.toFixed(DIGITS)} to ${most.toFixed(DIGITS)}`;
  return `${value.toFixed(DIGITS)}${reach}`;
}

function countMissing(beliefs: readonly BeliefSummary[]): string {
  const counts: Record<string, number> = {};
  for (const { persona, missing } of beliefs) {
    if (persona !== null) continue;
    for (const [code, times] of Object.entries(missing)) counts[code] = (counts[code] ?? 0) + times;
  }
  return listCodes(counts);
}
