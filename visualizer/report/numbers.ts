import type { ReportCell, ReportUnit } from '../../analysis/report/model.ts';

export const NOTHING = '–';

export function formatFigure(value: number, unit: ReportUnit): string {
  switch (unit) {
    case 'share':
      return formatDecimals(100 * value, 1);
    case 'odds':
    case 'bits':
      return formatDecimals(value, 3);
    case 'score':
      return formatDecimals(value, 4);
    case 'points':
    case 'games':
    case 'count':
    case 'tokens':
      return formatDecimals(value, 0);
    case 'ballots':
    case 'claims':
    case 'seconds':
      return formatDecimals(value, 2);
    case 'dollars':
      return value === 0 ? '0' : formatDecimals(value, decimalsOf(value));
    default:
      return unit satisfies never;
  }
}

/** A number in a table: the value with its percent or dollar sign. */
export function formatValue({ value, unit, few }: ReportCell): string {
  if (value === null) return NOTHING;
  const figure = formatFigure(value, unit);
  const signed = unit === 'share' ? `${figure} %` : unit === 'dollars' ? `$${figure}` : figure;
  return few ? `${signed}*` : signed;
}

/** "53.0 to 73.2", or null where there is no interval. */
export function formatInterval({ least, most, unit }: ReportCell): string | null {
  if (least === null || most === null) return null;
  return `${formatFigure(least, unit)} to ${formatFigure(most, unit)}`;
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
  return AXIS_UNITS[unit] === null ? title : `${title} (${AXIS_UNITS[unit]})`;
}

const AXIS_UNITS: Readonly<Record<ReportUnit, string | null>> = {
  share: '%',
  odds: '0 to 1',
  points: 'points',
  games: 'games',
  count: null,
  ballots: 'ballots',
  claims: 'claims',
  bits: 'bits',
  seconds: 's',
  tokens: 'tokens',
  dollars: 'US$',
  score: '0 to 1',
};

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
