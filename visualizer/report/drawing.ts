/** Drawing primitives. The colours (Okabe and Ito 2008) suit any colour vision; a page overrides them in dark mode. */
import type { FigureAxis } from '../../analysis/report/model.ts';
import { escapeXml, SANS } from '../charts/svg.ts';
import { clean } from '../terminal/layout.ts';
import { formatTick, titleAxis } from './numbers.ts';

const INK = '#1b1f24';
export const SOFT = '#57606a';
const GRID = '#d8dee4';
export const SERIES = ['#0072b2', '#d55e00', '#009e73', '#b1518d'] as const;
export const DARK_SERIES = ['#56b4e9', '#f0894a', '#2fc79a', '#e39ac4'] as const;

export const FONT_SIZE = 12;
const SMALL = 10.5;

/** Coordinates have two decimals, because more are invisible. */
export const at = (value: number) => String(Math.round(100 * value) / 100);

type TextLook = {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly soft?: boolean;
  readonly small?: boolean;
  readonly bold?: boolean;
  readonly turn?: number;
  /** Whether it is kept clear of lines that cross it. */
  readonly hasHalo?: boolean;
  readonly fill?: string;
};

export function drawText(x: number, y: number, text: string, look: TextLook = {}): string {
  const { anchor = 'start', soft = false, small = false, bold = false, turn, fill } = look;
  const halo =
    look.hasHalo === true
      ? ' paint-order="stroke" stroke="#ffffff" stroke-width="3" stroke-linejoin="round"'
      : '';
  const colour = fill ?? (soft ? SOFT : INK);
  const clear = look.hasHalo === true ? ' clear' : '';
  const name = fill === undefined ? ` class="${soft ? 'soft' : 'ink'}${clear}"` : '';
  const turned = turn === undefined ? '' : ` transform="rotate(${turn} ${at(x)} ${at(y)})"`;
  const size = small ? ` font-size="${SMALL}"` : '';
  const weight = bold ? ' font-weight="600"' : '';
  return `<text x="${at(x)}" y="${at(y)}"${name} fill="${colour}" text-anchor="${anchor}"${size}${weight}${halo}${turned}>${escapeXml(clean(text))}</text>`;
}

export type PlotPoint = readonly [x: number, y: number];

type LineLook = Readonly<{ name: string; stroke: string; width?: number; dash?: string }>;

export function drawLine([x1, y1]: PlotPoint, [x2, y2]: PlotPoint, look: LineLook): string {
  const { name, stroke, width = 1, dash } = look;
  const dashed = dash === undefined ? '' : ` stroke-dasharray="${dash}"`;
  return `<line class="${name}" x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" stroke="${stroke}" stroke-width="${width}"${dashed}/>`;
}

export const strokeOf = (series: number) => ({
  name: `s${series % SERIES.length} line`,
  stroke: SERIES[series % SERIES.length] ?? INK,
});

export function drawMarker([x, y]: PlotPoint, series: number, title = ''): string {
  const index = series % SERIES.length;
  const shape = `class="s${index} mark" fill="${SERIES[index]}" stroke="#ffffff" stroke-width="0.8"`;
  const inner = title === '' ? '' : `<title>${escapeXml(clean(title))}</title>`;
  if (index === 0) return `<circle ${shape} cx="${at(x)}" cy="${at(y)}" r="4.2">${inner}</circle>`;
  const corners = CORNERS[index] ?? [];
  const points = corners.map(([dx, dy]) => `${at(x + dx)},${at(y + dy)}`).join(' ');
  return `<polygon ${shape} points="${points}">${inner}</polygon>`;
}

const CORNERS: readonly (readonly PlotPoint[])[] = [
  [],
  [
    [-3.8, -3.8],
    [3.8, -3.8],
    [3.8, 3.8],
    [-3.8, 3.8],
  ],
  [
    [0, -4.8],
    [4.6, 3.6],
    [-4.6, 3.6],
  ],
  [
    [0, -5.2],
    [5.2, 0],
    [0, 5.2],
    [-5.2, 0],
  ],
];

/** About how wide a text is, in pixels: nothing here can measure it. */
export function widthOf(text: string, size: number = FONT_SIZE): number {
  let units = 0;
  for (const character of text) {
    if (/[iljtfrI.,:;'|!()[\]]/.test(character)) units += 0.33;
    else if (/[mwMW%@]/.test(character)) units += 0.88;
    else if (/[\u1100-\uFFFF]/.test(character) || (character.codePointAt(0) ?? 0) > 0xffff)
      units += 1.05;
    else if (/[A-Z_]/.test(character)) units += 0.66;
    else units += 0.56;
  }
  return units * size;
}

export function cutText(text: string, width: number, size: number = FONT_SIZE): string {
  if (widthOf(text, size) <= width) return text;
  const characters = [...text];
  while (characters.length > 1 && widthOf(`${characters.join('')}…`, size) > width)
    characters.pop();
  return `${characters.join('')}…`;
}

export type PlotScale = Readonly<ReturnType<typeof createScale>>;

/** A scale that holds all values; shares and odds stay from 0 to 1. */
export function createScale(
  values: readonly number[],
  [from, to]: readonly [from: number, to: number],
  { unit }: Pick<FigureAxis, 'unit'>,
) {
  const isBound = unit === 'share' || unit === 'odds';
  const known = values.filter(Number.isFinite);
  let [least, most] = [Math.min(...known), Math.max(...known)];
  if (known.length === 0) [least, most] = [0, 1];
  if (!isBound && unit !== 'points') least = Math.min(0, least);
  const isNatural = least >= 0;
  if (most - least < 1e-9) [least, most] = [least - 0.05, most + 0.05];
  const rest = 0.03 * (most - least);
  least -= rest;
  most += rest;
  if (isNatural) least = Math.max(0, least);
  if (isBound) most = Math.min(1, most);
  const step = stepOf((most - least) / 5);
  const [first, last] = [Math.floor(least / step + 1e-9), Math.ceil(most / step - 1e-9)];
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  const [low, high] = [first * step, last * step];
  const toPixels = (value: number) => from + ((value - low) / (high - low)) * (to - from);
  return { toPixels, ticks, step };
}

/** The next of 1, 2 and 5 times a power of ten. */
function stepOf(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((one) => one * power >= rough - 1e-12) ?? 10;
  return factor * power;
}

export type PlotArea = Readonly<{ left: number; right: number; top: number; bottom: number }>;

export function drawAxis(
  side: 'bottom' | 'left',
  { left, right, top, bottom }: PlotArea,
  scale: PlotScale,
  axis: FigureAxis,
): string {
  const isLeft = side === 'left';
  const anchor = isLeft ? 'end' : 'middle';
  const ticks = scale.ticks.flatMap((tick) => {
    const at = scale.toPixels(tick);
    const from: PlotPoint = isLeft ? [left, at] : [at, top];
    const to: PlotPoint = isLeft ? [right, at] : [at, bottom];
    const [x, y] = isLeft ? [left - 7, at + 3.8] : [at, bottom + 16];
    const words = formatTick(tick, scale.step, axis.unit);
    return [
      drawLine(from, to, { name: 'grid', stroke: GRID }),
      drawText(x, y, words, { anchor, soft: true, small: true }),
    ];
  });
  const look = { name: 'axis', stroke: SOFT };
  const base = drawLine([left, isLeft ? top : bottom], [isLeft ? left : right, bottom], look);
  const [x, y] = isLeft ? [14, (top + bottom) / 2] : [(left + right) / 2, bottom + 35];
  const turn = isLeft ? { turn: -90 } : {};
  const title = drawText(x, y, titleAxis(axis.title, axis.unit), { anchor: 'middle', ...turn });
  return [...ticks, base, title].join('');
}

export function drawLegend(
  series: readonly string[],
  { left, right, top }: { readonly left: number; readonly right: number; readonly top: number },
): { readonly svg: string; readonly height: number } {
  const drawn: string[] = [];
  let [x, y] = [left, top];
  for (const [index, name] of series.entries()) {
    const width = widthOf(name) + 30;
    if (x > left && x + width > right) [x, y] = [left, y + 18];
    drawn.push(drawMarker([x + 5, y - 4], index), drawText(x + 14, y, name));
    x += width;
  }
  return { svg: drawn.join(''), height: y - top + 18 };
}

/** Wraps drawn parts in one SVG image. Screen readers announce its title only. */
export function drawFigure(
  { width, height }: { readonly width: number; readonly height: number },
  title: string,
  content: readonly string[],
): string {
  const size = `width="${at(width)}" height="${at(height)}" viewBox="0 0 ${at(width)} ${at(height)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="figure" ${size} role="img" aria-label="${escapeXml(clean(title))}" font-family="${escapeXml(SANS)}" font-size="${FONT_SIZE}">${content.join('')}</svg>`;
}
