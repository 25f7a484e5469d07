import type {
  CurvesFigure,
  IntervalsFigure,
  MatrixFigure,
  ReportCell,
  ReportFigure,
  ScatterFigure,
} from '../../analysis/report/model.ts';
import { formatPercent } from '../../machines/text.ts';
import { drawGroup, drawTitle } from '../charts/svg.ts';
import {
  at,
  createScale,
  cutText,
  drawAxis,
  drawFigure,
  drawLegend,
  drawLine,
  drawMarker,
  drawText,
  type PlotArea,
  type PlotPoint,
  type PlotScale,
  SERIES,
  SOFT,
  strokeOf,
  widthOf,
} from './drawing.ts';
import { placeLabels } from './labels.ts';
import { formatFigure, formatInterval, formatTick, formatValue } from './numbers.ts';

export function drawReportFigure(figure: ReportFigure): string {
  switch (figure.kind) {
    case 'intervals':
      return drawIntervals(figure);
    case 'matrix':
      return drawMatrix(figure);
    case 'scatter':
      return drawScatter(figure);
    case 'curves':
      return drawCurves(figure);
    default:
      return figure satisfies never;
  }
}

/** A single column of a paper is about as wide at its size in print. */
const WIDTH = 520;
const RIGHT = WIDTH - 18;
const WIDEST_LABEL = 190;

function describeCell(name: string, cell: ReportCell): string {
  const interval = formatInterval(cell);
  return `${name}: ${formatValue(cell)}${interval === null ? '' : ` (${interval})`}`;
}

const endsOf = (cells: readonly (ReportCell | null)[]) =>
  cells.flatMap((cell) =>
    cell === null ? [] : [cell.value, cell.least, cell.most].filter((end) => end !== null),
  );

function drawIntervals(figure: IntervalsFigure): string {
  const { axis, series, rows, reference } = figure;
  const widest = Math.max(...rows.map(({ label }) => widthOf(label)), 40);
  const left = Math.min(WIDEST_LABEL, widest) + 14;
  const legend = series.length > 1 ? drawLegend(series, { left, right: RIGHT, top: 16 }) : null;
  const top = (legend?.height ?? 0) + (reference === null ? 8 : 22);
  const rowHeight = Math.max(24, 13 * series.length + 9);
  const bottom = top + rows.length * rowHeight + 4;
  const area = { left, right: RIGHT, top, bottom };
  const ends = endsOf(rows.flatMap(({ cells }) => cells));
  const marked = reference === null ? ends : [...ends, reference.at];
  const scale = createScale(marked, [left + 6, RIGHT - 6], axis);
  const drawn = rows.flatMap(({ label, cells }, row) => {
    const middle = top + rowHeight * (row + 0.5) + 2;
    const name = drawText(left - 10, middle + 4, cutText(label, WIDEST_LABEL), { anchor: 'end' });
    const points = cells.map((cell, index) => {
      const y = middle + 13 * (index - (series.length - 1) / 2);
      return cell === null ? '' : drawSpread(cell, [scale, y], index, `${label}, ${series[index]}`);
    });
    return [name, ...points];
  });
  return drawFigure({ width: WIDTH, height: bottom + 44 }, figure.title, [
    legend?.svg ?? '',
    drawAxis('bottom', area, scale, axis),
    reference === null ? '' : drawReference(area, scale, reference),
    ...drawn,
  ]);
}

function drawSpread(
  cell: ReportCell,
  [scale, y]: readonly [PlotScale, number],
  series: number,
  name: string,
): string {
  if (cell.value === null) return '';
  const [from, to] = endsIn(cell, scale) ?? [];
  const whisker =
    from === undefined || to === undefined ? '' : drawWhisker([from, y], [to, y], series);
  return whisker + drawMarker([scale.toPixels(cell.value), y], series, describeCell(name, cell));
}

function endsIn({ least, most }: ReportCell, scale: PlotScale): PlotPoint | null {
  return least === null || most === null ? null : [scale.toPixels(least), scale.toPixels(most)];
}

function drawWhisker(from: PlotPoint, to: PlotPoint, series: number): string {
  const stroke = { ...strokeOf(series), width: 1.5 };
  const isLying = from[1] === to[1];
  const cap = ([x, y]: PlotPoint) =>
    isLying ? drawLine([x, y - 3], [x, y + 3], stroke) : drawLine([x - 3, y], [x + 3, y], stroke);
  return drawLine(from, to, stroke) + cap(from) + cap(to);
}

type MarkedValue = { readonly at: number; readonly label: string };

const GUIDE = { name: 'axis', stroke: SOFT, dash: '4 3' } as const;

function drawReference({ top, bottom }: PlotArea, scale: PlotScale, marked: MarkedValue): string {
  const x = scale.toPixels(marked.at);
  const text = drawText(x, top - 5, marked.label, { anchor: 'middle', soft: true, small: true });
  return drawLine([x, top], [x, bottom], GUIDE) + text;
}

function drawLevel({ left, right }: PlotArea, scale: PlotScale, marked: MarkedValue): string {
  const y = scale.toPixels(marked.at);
  const text = drawText(right - 4, y - 5, marked.label, { anchor: 'end', soft: true, small: true });
  return drawLine([left, y], [right, y], GUIDE) + text;
}

/** Blue where the share is low, orange where it is high, and light between: also when printed without colour, by the figures. */
const HEAT = ['#2166ac', '#67a9cf', '#d1e5f0', '#f7f7f7', '#fddbc7', '#ef8a62', '#b2182b'] as const;
const PALE = [1, 2, 3, 4, 5];

function heatOf(value: number): { readonly fill: string; readonly ink: string } {
  const index = Math.min(HEAT.length - 1, Math.floor(value * HEAT.length));
  return { fill: HEAT[index] ?? '#ffffff', ink: PALE.includes(index) ? '#111111' : '#ffffff' };
}

function drawMatrix(figure: MatrixFigure): string {
  const { rows, columns, cells } = figure;
  const label = Math.min(WIDEST_LABEL, Math.max(...rows.map((row) => widthOf(row)), 40));
  const left = label + 36;
  const size = Math.min(72, Math.max(34, (RIGHT - left) / columns.length));
  const height = Math.min(46, size);
  const widest = Math.max(...columns.map((column) => widthOf(cutText(column, WIDEST_LABEL))));
  const isTurned = widest > size - 6;
  const top = (isTurned ? widest * SLOPE + 12 : 22) + 26;
  const width = left + size * columns.length + (isTurned ? widest * SLOPE : 0) + 8;
  const bottom = top + height * rows.length;
  const look = isTurned ? ({ anchor: 'start', turn: -45 } as const) : CENTRED;
  const heads = columns.map((column, index) => {
    const x = left + size * (index + 0.5) - (isTurned ? 2 : 0);
    return drawText(x, top - 8, cutText(column, WIDEST_LABEL), look);
  });
  const names = rows.map((row, index) => {
    const y = top + height * (index + 0.5) + 4;
    return drawText(left - 8, y, cutText(row, WIDEST_LABEL), { anchor: 'end' });
  });
  const drawn = cells.flatMap((line, row) =>
    line.map((cell, column) =>
      drawMatrixCell(cell, {
        box: {
          left: left + size * column,
          right: left + size * (column + 1),
          top: top + height * row,
          bottom: top + height * (row + 1),
        },
        name: `${rows[row]} against ${columns[column]}`,
      }),
    ),
  );
  const bold = { ...CENTRED, bold: true };
  const titles = [
    drawText(left + (size * columns.length) / 2, 15, figure.columnTitle, bold),
    drawText(14, (top + bottom) / 2, figure.rowTitle, { ...bold, turn: -90 }),
  ];
  const key = drawHeatKey(figure, left, bottom + 16);
  return drawFigure(
    { width: Math.max(width, left + KEY_WIDTH + 8), height: bottom + 52 },
    figure.title,
    [...titles, ...heads, ...names, ...drawn, key],
  );
}

const CENTRED = { anchor: 'middle' } as const;
/** The extent of a text at 45°, upwards and to the right. */
const SLOPE = Math.SQRT1_2;
const KEY_WIDTH = 210;

function drawMatrixCell(
  cell: ReportCell | null,
  { box, name }: { readonly box: PlotArea; readonly name: string },
): string {
  const { left, right, top, bottom } = box;
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const place = `x="${at(left + 1)}" y="${at(top + 1)}" width="${at(right - left - 2)}" height="${at(bottom - top - 2)}" rx="2"`;
  if (cell === null || cell.value === null)
    return `<rect class="empty" ${place} fill="none" stroke="#d8dee4"/>`;
  const { fill, ink } = heatOf(cell.value);
  const count = cell.cases === null ? '' : `n ${formatFigure(cell.cases, 'count')}`;
  return drawGroup('', [
    drawTitle(describeCell(name, cell)),
    `<rect ${place} fill="${fill}"/>`,
    drawText(x, y - 1, formatPercent(cell.value), { anchor: 'middle', fill: ink }),
    drawText(x, y + 12, count, { anchor: 'middle', small: true, fill: ink }),
  ]);
}

function drawHeatKey({ unit }: MatrixFigure, left: number, top: number): string {
  const width = KEY_WIDTH / HEAT.length;
  const boxes = HEAT.map(
    (fill, index) =>
      `<rect x="${at(left + width * index)}" y="${at(top)}" width="${at(width)}" height="10" fill="${fill}"/>`,
  );
  const ticks = [0, 0.5, 1].map((value) =>
    drawText(left + KEY_WIDTH * value, top + 23, `${formatTick(value, 0.5, unit)} %`, {
      anchor: value === 0 ? 'start' : value === 1 ? 'end' : 'middle',
      soft: true,
      small: true,
    }),
  );
  return [...boxes, ...ticks].join('');
}

const SCATTER_HEIGHT = 400;

function drawScatter(figure: ScatterFigure): string {
  const area = { left: 70, right: RIGHT, top: 12, bottom: SCATTER_HEIGHT - 50 };
  const { points, hasDiagonal } = figure;
  const [xs, ys] = [endsOf(points.map(({ x }) => x)), endsOf(points.map(({ y }) => y))];
  const both = [...xs, ...ys];
  const x = createScale(hasDiagonal ? both : xs, [area.left + 8, area.right - 8], figure.x);
  const y = createScale(hasDiagonal ? both : ys, [area.bottom - 8, area.top + 8], figure.y);
  const placed = points.flatMap(({ label, x: across, y: up }) => {
    if (across.value === null || up.value === null) return [];
    const [px, py] = [x.toPixels(across.value), y.toPixels(up.value)];
    const [wide, high] = [endsIn(across, x), endsIn(up, y)];
    const whiskers = [
      ...(wide === null ? [] : [[wide[0], py, wide[1], py] as const]),
      ...(high === null ? [] : [[px, high[0], px, high[1]] as const]),
    ];
    const title = `${label === '' ? '' : `${label}: `}${describeCell(figure.x.title, across)}; ${describeCell(figure.y.title, up)}`;
    return [{ label, at: [px, py] as const, whiskers, title }];
  });
  return drawFigure({ width: WIDTH, height: SCATTER_HEIGHT }, figure.title, [
    drawAxis('bottom', area, x, figure.x),
    drawAxis('left', area, y, figure.y),
    hasDiagonal ? drawDiagonal(area, x, y) : '',
    ...placed.flatMap(({ whiskers }) =>
      whiskers.map(
        ([x1, y1, x2, y2]) => `<g opacity="0.55">${drawWhisker([x1, y1], [x2, y2], 0)}</g>`,
      ),
    ),
    drawFront(figure, x, y),
    ...placed.map(({ at: point, title }) => drawMarker(point, 0, title)),
    ...placeLabels(placed, area).flatMap(({ x: left, y: base, text, anchor, lineFrom, point }) => [
      lineFrom === null
        ? ''
        : drawLine(lineFrom, point, { name: 'axis', stroke: SOFT, width: 0.7 }),
      drawText(left, base, text, { anchor, hasHalo: true }),
    ]),
  ]);
}

/** From the least value that both axes have to the greatest. */
function drawDiagonal({ left, right, top, bottom }: PlotArea, x: PlotScale, y: PlotScale): string {
  const shared = (one: PlotScale) => [one.ticks[0] ?? 0, one.ticks.at(-1) ?? 1] as const;
  const [[a, b], [c, d]] = [shared(x), shared(y)];
  const [from, to] = [Math.max(a, c), Math.min(b, d)];
  const clamp = (value: number, least: number, most: number) =>
    Math.min(most, Math.max(least, value));
  const spot = (value: number): PlotPoint => [
    clamp(x.toPixels(value), left, right),
    clamp(y.toPixels(value), top, bottom),
  ];
  return drawLine(spot(from), spot(to), GUIDE);
}

function drawFront({ points }: ScatterFigure, x: PlotScale, y: PlotScale): string {
  const front = points
    .filter(({ isFront }) => isFront)
    .toSorted((one, other) => (one.x.value ?? 0) - (other.x.value ?? 0))
    .map((one): PlotPoint => [x.toPixels(one.x.value ?? 0), y.toPixels(one.y.value ?? 0)]);
  if (front.length < 2) return '';
  // A step line: more money gains nothing until it reaches the next point.
  const path = front.map(([px, py], index) =>
    index === 0 ? `M${at(px)} ${at(py)}` : `H${at(px)}V${at(py)}`,
  );
  return `<path class="s1 line" d="${path.join('')}" fill="none" stroke="${SERIES[1]}" stroke-width="1.5" stroke-dasharray="5 3"/>`;
}

const CURVES_HEIGHT = 330;

function drawCurves(figure: CurvesFigure): string {
  const { series, reference } = figure;
  const names = series.map(({ label }) => label);
  const legend = series.length > 1 ? drawLegend(names, { left: 78, right: RIGHT, top: 16 }) : null;
  const top = (legend?.height ?? 0) + 10;
  const area = { left: 70, right: RIGHT, top, bottom: CURVES_HEIGHT - 50 };
  const all = series.flatMap(({ points }) => points);
  const ends = endsOf(all.map(({ cell }) => cell));
  const marked = reference === null ? ends : [...ends, reference.at, 0];
  const y = createScale(marked, [area.bottom - 4, area.top + 4], figure.y);
  const xs = [...new Set(all.map(({ x }) => x))].toSorted((one, other) => one - other);
  const isCounted = xs.length <= FEW_TICKS && xs.every((x) => x < FEW_TICKS * 2);
  const wide = createScale(xs, [area.left + 14, area.right - 14], { unit: 'games' });
  const narrow = (value: number) => {
    const [first = 0, last = 1] = [xs[0], xs.at(-1)];
    return (
      area.left + 30 + ((value - first) / Math.max(1, last - first)) * (area.right - area.left - 60)
    );
  };
  const x: PlotScale = isCounted ? { toPixels: narrow, ticks: xs, step: 1 } : wide;
  return drawFigure({ width: WIDTH, height: CURVES_HEIGHT }, figure.title, [
    legend?.svg ?? '',
    drawAxis('bottom', area, x, { title: figure.xTitle, unit: 'count' }),
    drawAxis('left', area, y, figure.y),
    reference === null ? '' : drawLevel(area, y, reference),
    ...series.map((one, index) =>
      drawCurve(one, { x, y }, { index, of: isCounted ? series.length : 1 }),
    ),
  ]);
}

const FEW_TICKS = 10;

function drawCurve(
  { label, points }: CurvesFigure['series'][number],
  { x, y }: { readonly x: PlotScale; readonly y: PlotScale },
  { index, of }: { readonly index: number; readonly of: number },
): string {
  // Shifts whiskers of several curves at the same place apart.
  const shift = of === 1 ? 0 : 5 * (index - (of - 1) / 2);
  const drawn = points.flatMap(({ x: across, cell }) =>
    cell.value === null
      ? []
      : [{ spot: [x.toPixels(across) + shift, y.toPixels(cell.value)] as const, across, cell }],
  );
  const path = drawn.map(
    ({ spot: [px, py] }, place) => `${place === 0 ? 'M' : 'L'}${at(px)} ${at(py)}`,
  );
  const { name, stroke } = strokeOf(index);
  const whiskers = drawn.map(({ spot: [px], cell }) => {
    const ends = endsIn(cell, y);
    return ends === null ? '' : drawWhisker([px, ends[0]], [px, ends[1]], index);
  });
  const marks = drawn.map(({ spot, across, cell }) =>
    drawMarker(spot, index, describeCell(`${label}, ${across}`, cell)),
  );
  return [
    `<path class="${name}" d="${path.join('')}" fill="none" stroke="${stroke}" stroke-width="1.5"/>`,
    ...whiskers,
    ...marks,
  ].join('');
}
