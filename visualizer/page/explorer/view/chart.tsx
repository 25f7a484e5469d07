/** The statechart: what the search came through and what it never reached, and where the run is. */

import type { ExplorerCoverage } from '../../../../proofs/explorer/report.ts';
import { Panel } from '../../frame/panel.tsx';
import { Statechart, StateShape } from '../../frame/statechart.tsx';
import type { DrawnChart, DrawnNode } from '../../game/story/pageData.ts';
import { around, type Traffic, trafficOf } from '../picture/traffic.ts';
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

function shares({ states, transitions, guards }: ExplorerCoverage): string {
  const outcomes = guards === null ? '' : ` · ${guards.seen}/${guards.all} guard outcomes`;
  return `${states.seen}/${states.all} states · ${transitions.seen}/${transitions.all} transitions${outcomes}`;
}

type ExploredChartProps = { readonly chart: DrawnChart; readonly traffic: Traffic | null };

function Drawing({ chart, traffic }: ExploredChartProps) {
  const at = tale.value?.rests[step.value]?.at ?? null;
  const leaf = at === null ? '' : `${chart.id}.${at}`;
  const lit = at === null ? [] : around(leaf);
  const trail = tale.value?.steps[step.value - 1]?.trail ?? [];
  const hot = new Set(trail.flatMap((number) => edges.value[number]?.id ?? []));
  const label = `Statechart of the meeting.${at === null ? '' : ` The run is at ${at}.`}`;
  return (
    <Statechart chart={chart} leaf={leaf} label={label}>
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
    </Statechart>
  );
}

type ExploredStateProps = {
  readonly node: DrawnNode;
  readonly lit: readonly string[];
  readonly traffic: Traffic | null;
};

function State({ node, lit, traffic }: ExploredStateProps) {
  const { id } = node;
  const many = traffic?.rests.get(id) ?? 0;
  const isSeen = traffic === null ? lit.includes(id) : traffic.seen.has(id);
  const said = isSeen ? `${count(many)} states rest here.` : 'Never reached.';
  return (
    <StateShape
      node={node}
      said={traffic === null ? '' : said}
      count={many === 0 ? '' : count(many)}
      isLit={lit.includes(id)}
      isLeaf={lit[0] === id}
      isSeen={isSeen}
      isMissed={traffic !== null && !isSeen}
    />
  );
}
