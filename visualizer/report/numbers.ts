import type { ReportCell, ReportUnit } from '../../analysis/report/model.ts';
import { tenths } from '../text.ts';

export const NOTHING = '–';

/** The decimals of a figure, null for as many as it needs, and the unit in the title of an axis. */
const UNITS: Readonly<Record<ReportUnit, readonly [decimals: number | null, unit: string | null]>> =
  {
    share: [1, '%'],
    odds: [3, '0 to 1'],
    points: [0, 'points'],
    games: [0, 'games'],
    count: [0, null],
    ballots: [2, 'ballots'],
    claims: [2, 'claims'],
    bits: [3, 'bits'],
    seconds: [2, 's'],
    tokens: [0, 'tokens'],
    dollars: [null, 'US$'],
    score: [4, '0 to 1'],
  };

export function formatFigure(value: number, unit: ReportUnit): string {
  if (unit === 'dollars' && value === 0) return '0';
  if (unit === 'share') return tenths(value).replace('-', '−');
  const [decimals] = UNITS[unit];
  return formatDecimals(value, decimals ?? decimalsOf(value));
}

export function formatValue({ value, unit, few }: ReportCell): string {
  if (value === null) return NOTHING;
  const figure = formatFigure(value, unit);
  const signed = unit === 'share' ? `${figure} %` : unit === 'dollars' ? `$${figure}` : figure;
  return few ? `${signed}*` : signed;
}

/** "52.4–66.3 %", or null where there is no interval. */
export function formatInterval({ least, most, unit }: ReportCell): string | null {
  if (least === null || most === null) return null;
  const sign = unit === 'share' ? ' %' : '';
  const dash = unit === 'share' || least >= 0 ? '–' : ' to ';
  return `${formatFigure(least, unit)}${dash}${formatFigure(most, unit)}${sign}`;
}

/** A tick of an axis, with no more decimals than its step has; the title of the axis has the unit. */
export function formatTick(value: number, step: number, unit: ReportUnit): string {
  const [shown, apart] = unit === 'share' ? [100 * value, 100 * step] : [value, step];
  const decimals = Math.max(0, -Math.floor(Math.log10(apart) + ROUNDING));
  return formatDecimals(shown, Math.min(MOST_DECIMALS, decimals));
}

const ROUNDING = 1e-9;
const MOST_DECIMALS = 6;

export function titleAxis(title: string, unit: ReportUnit): string {
  const [, shown] = UNITS[unit];
  return shown === null ? title : `${title} (${shown})`;
}

function decimalsOf(value: number): number {
  return Math.min(MOST_DECIMALS, Math.max(2, 2 - Math.floor(Math.log10(Math.abs(value)))));
}

function formatDecimals(value: number, decimals: number): string {
  const fixed = Math.abs(value).toFixed(decimals);
  const [whole = '0', rest] = fixed.split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(?:\d{3})+$)/g, ',') : whole;
  const sign = value < 0 && Number(fixed) !== 0 ? '−' : '';
  return `${sign}${grouped}${rest === undefined ? '' : `.${rest}`}`;
}
