/** The lines of the statechart: the wider the more often they were taken, and dashed where they never were. */
import type { DrawnEdge, Spot } from '../../story/drawn.ts';
import type { Traffic } from '../picture/traffic.ts';
import { count } from './words.tsx';

type LineProps = {
  readonly spots: readonly Spot[];
  readonly all: readonly DrawnEdge[];
  readonly traffic: Traffic | null;
  readonly hot: ReadonlySet<string>;
};

/** Pixels: a line that is taken a thousand times as often is three steps wider. */
const WIDEST = 4.5;

export function Line({ spots, all, traffic, hot }: LineProps) {
  const isStart = all[0]?.isStart === true;
  const many = all.reduce((sum, { id }) => sum + (traffic?.taken.get(id) ?? 0), 0);
  const isMissed = traffic !== null && !isStart && many === 0;
  const width = many === 0 ? 1.1 : Math.min(WIDEST, 1.1 + Math.log10(many) * 0.55);
  const path = spots.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  return (
    <g
      class="edge"
      data-hot={all.some(({ id }) => hot.has(id)) || undefined}
      data-fired={many > 0 || undefined}
      data-missed={isMissed || undefined}
    >
      <title>{`${all.map(({ event, guard }) => `${event}${guard === null ? '' : ` [${guard}]`}`).join(', ')}. Taken ${count(many)} times.`}</title>
      <path class="reach" d={path} />
      <path class="line" d={path} style={`stroke-width: ${width.toFixed(1)}`} />
      <path class="head" d={head(spots)} />
      {isStart ? <circle class="dot" cx={spots[0]?.[0]} cy={spots[0]?.[1]} r={4} /> : null}
    </g>
  );
}

/** A triangle at the end of a line, which always arrives level or upright. */
function head(spots: readonly Spot[]): string {
  const [before, tip] = spots.slice(-2);
  if (before === undefined || tip === undefined) return '';
  const [dx, dy] = [Math.sign(tip[0] - before[0]), Math.sign(tip[1] - before[1])];
  const [x, y] = tip;
  return `M${x} ${y}L${x - 6 * dx - 3 * dy} ${y - 6 * dy - 3 * dx}L${x - 6 * dx + 3 * dy} ${y - 6 * dy + 3 * dx}Z`;
}
