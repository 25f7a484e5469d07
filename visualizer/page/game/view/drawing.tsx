/** The drawing of a statechart at a moment: what is lit, what was passed, and how often. */
import { LineShape, Statechart, StateShape } from '../../frame/statechart.tsx';
import { still } from '../../frame/still.tsx';
import { moment, step, story } from '../state/session.ts';
import { hopFiring } from '../state/travel.ts';
import type { DrawnChart, DrawnNode, Spot } from '../story/pageData.ts';
import { countUntil } from '../story/story.ts';

type DrawingProps = {
  readonly chart: DrawnChart;
  readonly lit: readonly string[];
  /** What the chart is of. */
  readonly name: string;
};

export function Drawing({ chart, lit, name }: DrawingProps) {
  const trail = moment.value?.trail ?? [];
  const leaf = lit.findLast((id) => chart.nodes.some((node) => node.id === id)) ?? '';
  const hot = new Set(
    chart.edges.flatMap(({ id, line }) => (line !== null && trail.includes(id) ? [line] : [])),
  );
  const words = lit.map((id) => id.replace(`${name}.`, '').replaceAll('.', ' › ')).join(', ');
  return (
    <Statechart chart={chart} leaf={leaf} label={`Statechart of the ${name}. Lit: ${words}.`}>
      {chart.nodes.slice(1).map((node) => (
        <State
          key={node.id}
          node={node}
          isLit={lit.includes(node.id)}
          isLeaf={node.id === leaf}
          visits={countUntil(story.value.visits(node.id), step.value)}
        />
      ))}
      {Object.entries(chart.lines).map(([id, spots]) => (
        <Line
          key={id}
          id={id}
          spots={spots}
          chart={chart}
          isHot={hot.has(id)}
          fired={firedOn(id, chart)}
        />
      ))}
    </Statechart>
  );
}

/** How often a line was taken so far: several transitions may share it. */
function firedOn(line: string, { edges }: DrawnChart): number {
  return edges.reduce(
    (sum, edge) =>
      edge.line === line ? sum + countUntil(story.value.firings(edge.id), step.value) : sum,
    0,
  );
}

type StateProps = {
  readonly node: DrawnNode;
  readonly isLit: boolean;
  readonly isLeaf: boolean;
  readonly visits: number;
};

const State = still(({ node, isLit, isLeaf, visits }: StateProps) => (
  <StateShape
    node={node}
    said={visits === 0 ? '' : `Entered ${visits} times.`}
    count={visits === 0 ? '' : `${visits}`}
    isLit={isLit}
    isLeaf={isLeaf}
    isSeen={visits > 0}
  />
));

type LineProps = {
  readonly id: string;
  readonly spots: readonly Spot[];
  readonly chart: DrawnChart;
  readonly isHot: boolean;
  readonly fired: number;
};

const Line = still(({ id, spots, chart, isHot, fired }: LineProps) => {
  const edges = chart.edges.filter(({ line }) => line === id);
  // Long journals have many firings: they are put in order when somebody asks for them.
  const go = () =>
    hopFiring(edges.flatMap((edge) => story.peek().firings(edge.id)).toSorted((a, b) => a - b));
  return (
    <LineShape
      spots={spots}
      edges={edges}
      said={fired === 0 ? '' : `Fired ${fired} times.`}
      isHot={isHot}
      isFired={fired > 0}
      onClick={go}
    />
  );
});
