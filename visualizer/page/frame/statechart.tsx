/** A statechart as it was laid out: a picture that scrolls to the active state, and the shapes in it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { DrawnChart, DrawnEdge, DrawnNode, Spot } from '../game/story/pageData.ts';

/** The frame of the machine itself is not drawn. */
const TOP = 22;

type StatechartProps = {
  readonly chart: DrawnChart;
  /** The innermost state that is lit, which is kept in sight; '' for none. */
  readonly leaf: string;
  readonly label: string;
  readonly children: ComponentChildren;
};

export function Statechart({ chart, leaf, label, children }: StatechartProps) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = box;
    const node = chart.nodes.find(({ id }) => id === leaf);
    if (current === null || node === undefined) return;
    const scale = current.scrollWidth === 0 ? 1 : Math.min(1, current.clientWidth / chart.width);
    current.scrollTop = (node.y + node.height / 2) * scale - current.clientHeight / 2;
  }, [leaf, chart]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard.
    <section class="scroll" ref={box} tabIndex={0} aria-label="Picture of the statechart">
      <svg
        class="statechart"
        viewBox={`0 ${TOP} ${chart.width} ${chart.height - TOP}`}
        width={chart.width}
        role="img"
        aria-label={label}
      >
        {children}
      </svg>
    </section>
  );
}

type StateShapeProps = {
  readonly node: DrawnNode;
  /** What is said of it after its description. */
  readonly said: string;
  /** The number in its corner; '' for none. */
  readonly count: string;
  readonly isLit: boolean;
  readonly isLeaf: boolean;
  readonly isSeen: boolean;
  readonly isMissed?: boolean;
};

export function StateShape({ node, said, count, ...marks }: StateShapeProps) {
  const { id, key, x, y, width, height, isFinal, description } = node;
  return (
    <g
      class="state"
      data-node={id}
      data-lit={marks.isLit || undefined}
      data-leaf={marks.isLeaf || undefined}
      data-seen={marks.isSeen || undefined}
      data-missed={marks.isMissed || undefined}
    >
      <title>{`${description} ${said}`.trim()}</title>
      <rect x={x} y={y} width={width} height={height} rx={7} />
      {isFinal ? (
        <rect class="inner" x={x + 3} y={y + 3} width={width - 6} height={height - 6} rx={5} />
      ) : null}
      <text x={x + 10} y={y + 17}>
        {key}
      </text>
      {count === '' ? null : (
        <text class="visits" x={x + width - 5} y={y + 10}>
          {count}
        </text>
      )}
    </g>
  );
}

type LineShapeProps = {
  readonly spots: readonly Spot[];
  /** The transitions that share the line. */
  readonly edges: readonly DrawnEdge[];
  /** What is said of them after their names. */
  readonly said: string;
  readonly isHot: boolean;
  readonly isFired: boolean;
  readonly isMissed?: boolean;
  /** Pixels, where the width tells something. */
  readonly width?: number;
  readonly onClick?: () => void;
};

export function LineShape({ spots, edges, said, width, onClick, ...marks }: LineShapeProps) {
  const path = spots.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  const style = width === undefined ? undefined : `stroke-width: ${width.toFixed(1)}`;
  const [x, y] = spots[0] ?? [0, 0];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the same is done with the buttons of a list beside the picture.
    <g
      class="edge"
      data-edges={edges.map(({ id }) => id).join(' ')}
      data-hot={marks.isHot || undefined}
      data-fired={marks.isFired || undefined}
      data-missed={marks.isMissed || undefined}
      onClick={onClick}
    >
      <title>{`${edges.map(nameEdge).join(', ')}. ${said}`.trim()}</title>
      <path class="reach" d={path} />
      <path class="line" d={path} style={style} />
      <path class="head" d={drawArrowHead(spots)} />
      {edges[0]?.isStart === true ? <circle class="dot" cx={x} cy={y} r={4} /> : null}
    </g>
  );
}

export function nameEdge({ isStart, event, guard }: DrawnEdge): string {
  return isStart ? 'the start' : `${event}${guard === null ? '' : ` [${guard}]`}`;
}

/** A triangle at the end of a line, which always arrives level or upright. */
function drawArrowHead(spots: readonly Spot[]): string {
  const [before, tip] = spots.slice(-2);
  if (before === undefined || tip === undefined) return '';
  const [dx, dy] = [Math.sign(tip[0] - before[0]), Math.sign(tip[1] - before[1])];
  const [x, y] = tip;
  return `M${x} ${y}L${x - 6 * dx - 3 * dy} ${y - 6 * dy - 3 * dx}L${x - 6 * dx + 3 * dy} ${y - 6 * dy + 3 * dx}Z`;
}
