/** A statechart that is moved and zoomed, and its transitions as a list. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { DrawnBox } from '../../charts/svg.ts';
import type {
  DrawnChart,
  DrawnEdge,
  DrawnLine,
  DrawnNode,
  DrawnText,
  Spot,
} from '../game/story/pageData.ts';
import {
  boxAround,
  type ChartView,
  fitView,
  followView,
  keepInside,
  LEGIBLE_SCALE,
  panView,
  placeLabels,
  type ViewSize,
  zoomView,
} from './chartView.ts';
import { set, write } from './fieldEvents.ts';
import { useGestures, ZOOM_STEP } from './gestures.ts';
import { moveFocusInList } from './keyboard.tsx';
import { Button, Choice, memo, useMeasure } from './panel.tsx';

export type NodeMarks = {
  readonly said: string;
  readonly count: string;
  readonly isSeen: boolean;
  readonly isMissed?: boolean;
};

export type LineMarks = {
  readonly said: string;
  readonly isFired: boolean;
  readonly isMissed?: boolean;
  readonly width?: number;
};

type StatechartProps = {
  readonly chart: DrawnChart;
  readonly lit: readonly string[];
  /** The innermost active states, one in each region. They stay visible. */
  readonly leaves: readonly string[];
  readonly hot: readonly string[];
  readonly label: string;
  readonly children?: ComponentChildren;
  readonly markNode: (state: string) => NodeMarks;
  readonly markLine: (edges: readonly string[]) => LineMarks;
  /** Called for a click on a line. Its identity must stay the same as long as its behaviour does. */
  readonly onPick?: (edges: readonly string[]) => void;
  /** Transitions that stay highlighted while no others are pointed at. */
  readonly picked?: readonly string[];
};

/** Free is where a hand has left it. */
const mode = signal<'follow' | 'fit' | 'free'>('follow');

const VIEW_KEYS = { '0': set(mode, 'fit'), f: set(mode, 'follow') };

/** The highlighted transitions. The view moves only for a highlight from the list. */
type Pointing = { readonly ids: readonly string[]; readonly isListed: boolean };

const NOTHING: Pointing = { ids: [], isListed: false };
const pointed = signal(NOTHING);

export function pointingAt(ids: readonly string[], isListed: boolean) {
  const [enter, leave] = [set(pointed, { ids, isListed }), set(pointed, NOTHING)];
  return { onPointerEnter: enter, onPointerLeave: leave, onFocus: enter, onBlur: leave };
}

const listed = (ids: readonly string[]): Pointing => ({ ids, isListed: true });

function hasAny(ids: readonly string[], wanted: readonly string[]): boolean {
  return ids.some((id) => wanted.includes(id));
}

export function Statechart({ label, children, picked = [], ...picture }: StatechartProps) {
  const { chart, leaves, hot } = picture;
  const { nodes, edges, lines } = chart;
  const [size, setSize] = useState<ViewSize | null>(null);
  // The row that was pointed at may be gone, and says nothing of other states.
  useEffect(() => set(pointed, NOTHING), [leaves.join()]);
  const frame = useMeasure<HTMLDivElement>(({ clientWidth: width, clientHeight: height }) =>
    setSize({ width, height }),
  );
  const { ids, isListed } = pointed.value.ids.length > 0 ? pointed.value : listed(picked);
  const inSight = isListed && ids.length > 0 ? ids : hot;
  const [view, move] = useView(chart, size, [
    ...nodes.filter(({ id }) => inSight === hot && leaves.includes(id)),
    ...lines.flatMap((line) => (hasAny(line.edges, inSight) ? boxAround(line.spots) : [])),
  ]);
  const zoom = (factor: number, at?: Spot) =>
    move((from, within) => zoomView(from, factor, at ?? [within.width / 2, within.height / 2]));
  const gestures = useGestures({
    onPan: (by) => move((from) => panView(from, by)),
    onZoom: zoom,
    keys: VIEW_KEYS,
  });
  const scale = view?.scale ?? 1;
  const named = edges.filter(
    ({ id, isStart }) =>
      chart.texts.length === 0 && !isStart && (ids.includes(id) || hot.includes(id)),
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: there is no element for a picture with buttons.
    <div
      class="picture"
      role="group"
      aria-label="Picture of the statechart. Arrow keys: move. + and −: zoom. 0: fit. F: follow."
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that moves must be reachable by keyboard.
      tabIndex={0}
      ref={frame}
      data-scale={scale.toFixed(2)}
      {...gestures}
    >
      <svg
        class="statechart"
        role="img"
        aria-label={label}
        data-far={scale < FAR || undefined}
        data-worded={chart.texts.length > 0 || undefined}
        // Pixels, because percents would change size while the panel is measured and lay out all texts again.
        style={`--scale: ${Math.min(scale, LEGIBLE_SCALE)};${size && ` width: ${size.width}px; height: ${size.height}px`}`}
      >
        <g transform={view === null ? '' : `scale(${scale}) translate(${-view.x} ${-view.y})`}>
          <Shapes {...picture} pointed={ids} />
        </g>
        {view && size && <Labels {...picture} {...{ named, view, size }} />}
      </svg>
      <fieldset class="chart-tools">
        <legend class="vh">What is shown of the picture</legend>
        {children}
        <Button class="small" title="Zoom out" text="−" act={() => zoom(1 / ZOOM_STEP)} />
        <Button class="small" title="Zoom in" text="+" act={() => zoom(ZOOM_STEP)} />
        <Choice
          names={['fit', 'follow']}
          chosen={mode.value === 'free' ? null : mode.value}
          onChoose={write(mode)}
          class="small"
        />
      </fieldset>
    </div>
  );
}

const TOOLS = 34;

/** Below this scale only phases and lit states have names. */
const FAR = 0.7;

type ChangeView = (how: (from: ChartView, within: ViewSize) => ChartView) => void;

function useView(
  chart: DrawnChart,
  size: ViewSize | null,
  boxes: readonly DrawnBox[],
): readonly [ChartView | null, ChangeView] {
  const last = useRef<ChartView | null>(null);
  const [, draw] = useState({});
  if (size === null || size.width * size.height === 0) return [null, () => {}];
  // The tools stand over the foot of the picture, where nothing that must be seen may be.
  const place = { chart, size: { width: size.width, height: Math.max(60, size.height - TOOLS) } };
  // A manual view lasts as long as the picture.
  if (mode.value === 'fit') last.current = fitView(place);
  else if (mode.value === 'follow' || last.current === null)
    last.current = followView(last.current, boxes, place);
  const view = last.current;
  const move: ChangeView = (how) => {
    last.current = keepInside(how(last.current ?? view, size), place);
    mode.value = 'free';
    draw({});
  };
  return [view, move];
}

type ShapesProps = Omit<StatechartProps, 'label' | 'children' | 'picked'> & {
  readonly pointed: readonly string[];
};

function Shapes({ chart, lit, leaves, hot, onPick, ...shown }: ShapesProps) {
  const targets = chart.edges.flatMap(({ id, target, source }) =>
    shown.pointed.includes(id) ? [target ?? source] : [],
  );
  return (
    <>
      {chart.nodes.slice(1).map((node) => (
        <StateShape
          key={node.id}
          node={node}
          isLit={lit.includes(node.id)}
          isLeaf={leaves.includes(node.id)}
          isPointed={targets.includes(node.id)}
          {...shown.markNode(node.id)}
        />
      ))}
      {chart.lines.map((line) => (
        <LineShape
          key={line.path}
          chart={chart}
          line={line}
          isHot={hasAny(line.edges, hot)}
          isPointed={hasAny(line.edges, shown.pointed)}
          onPick={onPick}
          {...shown.markLine(line.edges)}
        />
      ))}
      {chart.texts.map((text, index) => (
        <TextShape
          key={index}
          text={text}
          isHot={hasAny(text.edges, hot)}
          isPointed={hasAny(text.edges, shown.pointed)}
        />
      ))}
    </>
  );
}

type LabelsProps = Pick<StatechartProps, 'chart' | 'leaves' | 'hot'> & {
  readonly named: readonly DrawnEdge[];
  readonly view: ChartView;
  readonly size: ViewSize;
};

const LETTER = 6.9;
const ROW = 18;
const SIDES = 10;
const ROWS = /.{1,24}(?:\s|$)/g;

/** Names of transitions in the picture, in rows. They never cover an active state. */
function Labels({ chart: { nodes, lines }, leaves, named, hot, view, size }: LabelsProps) {
  const labels = named.map(({ id, text, source }) => {
    const line = lines.find(({ edges }) => edges.includes(id));
    const rows = (line === undefined ? `↻ ${text}` : text).match(ROWS) ?? [text];
    const width = Math.max(...rows.map((row) => row.length)) * LETTER + SIDES;
    const state = nodes.find((node) => node.id === source);
    const along = line?.spots ?? underName(state, view.scale);
    return { id, rows, along, width, height: rows.length * ROW };
  });
  const boxes = nodes.slice(1).map((node) => {
    const mayBeCovered = !leaves.includes(node.id);
    return { ...(node.isInnermost ? node : boxOfName(node)), mayBeCovered };
  });
  const places = placeLabels(labels, boxes, view, size);
  return labels.map(({ id, rows, width, height }, index) => {
    const place = places[index];
    if (place == null) return null;
    const { x, y } = place;
    return (
      <g key={id} class="edge-label" data-label={id} data-hot={hot.includes(id) || undefined}>
        <rect x={x} y={y} width={width} height={height} rx={5} />
        {rows.map((row, at) => (
          <text key={row} x={x + width / 2} y={y + at * ROW + 13}>
            {row}
          </text>
        ))}
      </g>
    );
  });
}

const NAME = 12;
const HEADING = 26;
const BELOW_PX = 11;

function boxOfName({ key, nameAt: [x, y] }: DrawnNode): DrawnBox {
  return { x, y: y - NAME, width: key.length * LETTER, height: NAME + 4 };
}

function underName(state: DrawnNode | undefined, scale: number): readonly Spot[] {
  if (state === undefined) return [];
  const y = state.y + HEADING + BELOW_PX / scale;
  return [
    [state.x, y],
    [state.x + state.width, y],
  ];
}

type StateShapeProps = NodeMarks & {
  readonly node: DrawnNode;
  readonly isLit: boolean;
  readonly isLeaf: boolean;
  readonly isPointed: boolean;
};

const StateShape = memo(({ node, said, count, ...marks }: StateShapeProps) => {
  const { id, key, x, y, width, height, nameAt, isFinal, description } = node;
  return (
    <g
      class="state"
      data-node={id}
      data-top={node.isTop || undefined}
      data-region={node.isRegion || undefined}
      data-lit={marks.isLit || undefined}
      data-leaf={marks.isLeaf || undefined}
      data-seen={marks.isSeen || undefined}
      data-missed={marks.isMissed || undefined}
      data-pointed={marks.isPointed || undefined}
    >
      <title>{`${description} ${said}`.trim()}</title>
      <rect x={x} y={y} width={width} height={height} rx={7} />
      {isFinal ? (
        <rect class="inner" x={x + 3} y={y + 3} width={width - 6} height={height - 6} rx={5} />
      ) : null}
      <text x={nameAt[0]} y={nameAt[1]}>
        {key}
      </text>
      {count === '' ? null : (
        <text class="visits" x={x + width - 4} y={y - 1}>
          {count}
        </text>
      )}
    </g>
  );
});

type TextShapeProps = Readonly<{ text: DrawnText; isHot: boolean; isPointed: boolean }>;

const TextShape = memo(({ text, isHot, isPointed }: TextShapeProps) => (
  <g class="worded" data-hot={isHot || undefined} data-pointed={isPointed || undefined}>
    {text.plate === null ? null : <rect {...text.plate} rx={5} />}
    {text.words.map(([x, y, face, word]) => (
      <text key={`${x} ${y}`} class={face} x={x} y={y}>
        {word}
      </text>
    ))}
  </g>
));

type LineShapeProps = LineMarks & {
  readonly chart: DrawnChart;
  readonly line: DrawnLine;
  readonly isHot: boolean;
  readonly isPointed: boolean;
  readonly onPick: StatechartProps['onPick'];
};

const LineShape = memo(({ chart, line, said, width, onPick, ...marks }: LineShapeProps) => {
  const { edges: ids, path, head, spots } = line;
  const edges = chart.edges.filter(({ id }) => ids.includes(id));
  const [x, y] = spots[0] ?? [0, 0];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the same is done with the buttons of a list beside the picture.
    <g
      class="edge"
      data-edges={ids.join(' ')}
      data-hot={marks.isHot || undefined}
      data-pointed={marks.isPointed || undefined}
      data-fired={marks.isFired || undefined}
      data-missed={marks.isMissed || undefined}
      onClick={() => onPick?.(ids)}
      {...pointingAt(ids, false)}
    >
      <title>
        {edges.map(({ name, description }) => `${name}. ${description} `).join('') + said}
      </title>
      <path
        class="line"
        d={path}
        style={width === undefined ? undefined : `stroke-width: ${width.toFixed(1)}`}
      />
      <path class="head" d={head} />
      <path class="reach" d={path} />
      {edges[0]?.isStart === true ? <circle class="dot" cx={x} cy={y} r={4} /> : null}
    </g>
  );
});

export type ListedTransition = {
  readonly edge: DrawnEdge;
  readonly aside: string | number;
  readonly isNow?: boolean;
  readonly onGo: () => void;
};

type TransitionsProps = { readonly label: string; readonly rows: readonly ListedTransition[] };

export function TransitionRows({ label, rows }: TransitionsProps) {
  return (
    <ol class="recent" aria-label={label} onKeyDown={moveFocusInList}>
      {rows.map(({ edge, aside, isNow, onGo }, index) => (
        <li key={`${aside} ${edge.id}`}>
          <button
            type="button"
            data-edge={edge.id}
            title={`${edge.name}. ${edge.description}`}
            aria-current={isNow === true ? 'step' : undefined}
            tabIndex={index === 0 ? 0 : -1}
            onClick={onGo}
            {...pointingAt([edge.id], true)}
          >
            <span class="event">{edge.text}</span>
            <span class="way">{edge.way}</span>
            <span class="when">{aside}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
