/** The statechart: what the search came through and what it never reached, and where the run is. */
import { useEffect, useRef } from 'preact/hooks';
import type { DrawnChart, DrawnNode } from '../../story/drawn.ts';
import { Panel } from '../../view/panel.tsx';
import { around, type Traffic, trafficOf } from '../picture/traffic.ts';
import type { Coverage } from '../searched.ts';
import { drawn, edges, run, step, tale } from '../state/visit.ts';
import { Line } from './lines.tsx';
import { Transitions } from './transitions.tsx';
import { count } from './words.tsx';

export function ChartPane() {
  const here = run.value;
  if (here === null) return null;
  const { coverage } = here;
  const traffic = coverage === null ? null : trafficOf(here, edges.value, drawn);
  const title = coverage === null ? 'Statechart' : 'Coverage';
  return (
    <Panel id="chart" title={title} aside={coverage === null ? undefined : shares(coverage)}>
      <Drawing chart={drawn} traffic={traffic} />
      {coverage === null ? null : <Transitions coverage={coverage} />}
    </Panel>
  );
}

function shares({ states, transitions, guards }: Coverage): string {
  const outcomes = guards === null ? '' : ` · ${guards.seen}/${guards.all} guard outcomes`;
  return `${states.seen}/${states.all} states · ${transitions.seen}/${transitions.all} transitions${outcomes}`;
}

type DrawingProps = { readonly chart: DrawnChart; readonly traffic: Traffic | null };

/** The frame of the machine itself is not drawn. */
const TOP = 22;

function Drawing({ chart, traffic }: DrawingProps) {
  const box = useRef<HTMLElement>(null);
  const at = tale.value?.rests[step.value]?.at ?? null;
  const leaf = at === null ? '' : `${chart.id}.${at}`;
  const lit = at === null ? [] : around(leaf);
  const trail = tale.value?.steps[step.value - 1]?.trail ?? [];
  const hot = new Set(trail.flatMap((number) => edges.value[number]?.id ?? []));
  useEffect(() => {
    const { current } = box;
    const node = chart.nodes.find(({ id }) => id === leaf);
    if (current === null || node === undefined) return;
    const scale = Math.min(1, current.clientWidth / chart.width);
    current.scrollTop = (node.y + node.height / 2) * scale - current.clientHeight / 2;
  }, [leaf]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard.
    <section class="scroll" ref={box} tabIndex={0} aria-label="Picture of the statechart">
      <svg
        class="statechart"
        viewBox={`0 ${TOP} ${chart.width} ${chart.height - TOP}`}
        width={chart.width}
        role="img"
        aria-label={`Statechart of the meeting.${at === null ? '' : ` The run is at ${at}.`}`}
      >
        {chart.nodes.slice(1).map((node) => (
          <State key={node.id} node={node} lit={lit} traffic={traffic} />
        ))}
        {Object.entries(chart.lines).map(([id, spots]) => (
          <Line
            key={id}
            spots={spots}
            all={chart.edges.filter(({ line }) => line === id)}
            traffic={traffic}
            hot={hot}
          />
        ))}
      </svg>
    </section>
  );
}

type StateProps = {
  readonly node: DrawnNode;
  readonly lit: readonly string[];
  readonly traffic: Traffic | null;
};

function State({
  node: { id, key, x, y, width, height, isFinal, description },
  lit,
  traffic,
}: StateProps) {
  const many = traffic?.rests.get(id) ?? 0;
  const isSeen = traffic === null ? lit.includes(id) : traffic.seen.has(id);
  const said =
    traffic === null ? '' : isSeen ? `${count(many)} states rest here.` : 'Never reached.';
  return (
    <g
      class="state"
      data-node={id}
      data-lit={lit.includes(id) || undefined}
      data-leaf={lit[0] === id || undefined}
      data-seen={isSeen || undefined}
      data-missed={(traffic !== null && !isSeen) || undefined}
    >
      <title>{`${description} ${said}`}</title>
      <rect x={x} y={y} width={width} height={height} rx={7} />
      {isFinal ? (
        <rect class="inner" x={x + 3} y={y + 3} width={width - 6} height={height - 6} rx={5} />
      ) : null}
      <text x={x + 10} y={y + 17}>
        {key}
      </text>
      {many === 0 ? null : (
        <text class="visits" x={x + width - 5} y={y + 10}>
          {count(many)}
        </text>
      )}
    </g>
  );
}
