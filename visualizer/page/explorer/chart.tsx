import { formatCount as count } from '../../../machines/text.ts';
import type {
  ExplorerCoverage,
  ExplorerEdge,
  ExplorerRun,
} from '../../../proofs/report/explorerReport.ts';
import type { DrawnBox } from '../../charts/svg.ts';
import { formatTimes } from '../../text.ts';
import { ColumnTitles, Panel } from '../frame/panel.tsx';
import {
  type LineMarks,
  type ListedTransition,
  type NodeMarks,
  Statechart,
  TransitionRows,
} from '../frame/statechart.tsx';
import type { DrawnChart } from '../game/story/pageData.ts';
import { drawn, edges, here, jump, run, step, trace } from './visit.ts';

export function ChartPane() {
  const found = run.value;
  if (found === null) return null;
  const { coverage } = found;
  const traffic = coverage === null ? null : trafficOf(found, edges.value, drawn.value);
  const title = coverage === null ? 'Statechart' : 'Coverage';
  return (
    <Panel id="chart" title={title} aside={coverage === null ? undefined : shares(coverage)}>
      <Drawing traffic={traffic} />
      <TransitionRows label="Last transitions, the latest first" rows={listRecent()} />
      {coverage === null ? null : <Transitions coverage={coverage} />}
    </Panel>
  );
}

function shares({ states, transitions, guards }: ExplorerCoverage): string {
  const outcomes = guards === null ? '' : ` · ${guards.seen}/${guards.all} guard outcomes`;
  return `${states.seen}/${states.all} states · ${transitions.seen}/${transitions.all} transitions${outcomes}`;
}

const LISTED = 12;

function listRecent(): readonly ListedTransition[] {
  const past = trace.value?.steps.slice(0, step.value) ?? [];
  const rows = past.flatMap(({ trail }, index) =>
    trail.flatMap((number) => {
      const edge = drawn.value.edges.find(({ id }) => id === edges.value[number]?.id);
      const at = index + 1;
      const isNow = at === step.value;
      return edge === undefined ? [] : [{ edge, aside: `step ${at}`, isNow, onGo: () => jump(at) }];
    }),
  );
  return rows.toReversed().slice(0, LISTED);
}

function Drawing({ traffic }: { readonly traffic: Traffic | null }) {
  const { at = null, nodes: lit = [] } = here.value ?? {};
  const isInner = (id: string) =>
    drawn.value.nodes.some((node) => node.id === id && node.isInnermost);
  const trail = trace.value?.steps[step.value - 1]?.trail ?? [];
  return (
    <Statechart
      chart={drawn.value}
      lit={lit}
      leaves={lit.filter(isInner)}
      hot={trail.flatMap((number) => edges.value[number]?.id ?? [])}
      label={`Statechart.${at === null ? '' : ` The run is at ${at}.`}`}
      markNode={(id) => markNode(id, traffic, lit)}
      markLine={(ids) => markLine(ids, traffic)}
    />
  );
}

function markNode(id: string, traffic: Traffic | null, lit: readonly string[]): NodeMarks {
  const many = traffic?.rests.get(id) ?? 0;
  const isSeen = traffic === null ? lit.includes(id) : traffic.seen.has(id);
  const said = isSeen
    ? many === 1
      ? 'One state rests here.'
      : `${count(many)} states rest here.`
    : 'Never reached.';
  return {
    said: traffic === null ? '' : said,
    count: many === 0 ? '' : count(many),
    isSeen,
    isMissed: traffic !== null && !isSeen,
  };
}

/** Pixels: a thousand times the traffic makes a line three steps wider. */
const WIDEST = 4.5;
const THINNEST = 1.1;

function markLine(ids: readonly string[], traffic: Traffic | null): LineMarks {
  const isStart = drawn.value.edges.some(({ id, isStart }) => isStart && ids.includes(id));
  const many = ids.reduce((sum, id) => sum + (traffic?.taken.get(id) ?? 0), 0);
  return {
    said: `Taken ${formatTimes(many)}.`,
    isFired: many > 0,
    isMissed: traffic !== null && !isStart && many === 0,
    width: many === 0 ? THINNEST : Math.min(WIDEST, THINNEST + Math.log10(many) * 0.55),
  };
}

type Traffic = ReturnType<typeof trafficOf>;

/** States of the search that rest in a state of the chart or inside it, times taken, and states entered or left. */
function trafficOf(
  { space, coverage }: ExplorerRun,
  edges: readonly ExplorerEdge[],
  { nodes, edges: lines }: DrawnChart,
) {
  const rests = new Map<string, number>();
  for (const [place, active] of (space?.nodes ?? []).entries()) {
    const states = space?.counts[place] ?? 0;
    for (const state of active) rests.set(state, (rests.get(state) ?? 0) + states);
  }
  const taken = new Map(edges.map(({ id }, index) => [id, coverage?.taken[index] ?? 0]));
  const around = (id: string | null): readonly string[] => {
    const inner = nodes.find((one) => one.id === id);
    const outer = inner === undefined ? [] : nodes.filter((node) => contains(node, inner));
    return outer.map((node) => node.id);
  };
  const passed = lines
    .filter(({ id }) => (taken.get(id) ?? 0) > 0)
    .flatMap(({ source, target }) => [source, target])
    .flatMap(around);
  return { rests, taken, seen: new Set([...rests.keys(), ...passed]) };
}

function contains(outer: DrawnBox, { x, y, width, height }: DrawnBox): boolean {
  const isAcross = outer.x <= x && outer.x + outer.width >= x + width;
  return isAcross && outer.y <= y && outer.y + outer.height >= y + height;
}

function Transitions({ coverage }: { readonly coverage: ExplorerCoverage }) {
  const { missing } = coverage;
  return (
    <div class="counted">
      <details>
        <summary>
          {missing.length === 0
            ? 'All runs together covered everything'
            : `${missing.length} parts never occurred in any run`}
        </summary>
        <ul class="missing">
          {missing.map(({ what, nearest, needs }) => (
            <li key={what} data-gate={needs === null || undefined}>
              <code>{what}</code>
              <span>
                {needs === null ? 'no reason is declared' : `needs ${needs}`}
                {nearest === null ? '' : `; nearest: ${nearest}`}
              </span>
            </li>
          ))}
        </ul>
      </details>
      <details>
        <summary>All transitions, counted</summary>
        <table class="transitions">
          <ColumnTitles names={['Transition', 'taken', 'guard yes', 'no']} />
          <tbody>
            {edges.value.map(({ id, source, event, targets, guard }, index) => (
              <tr key={id} data-edge={id} data-missed={!coverage.taken[index] || undefined}>
                <th scope="row">
                  {source} <span class="quiet">{event}</span> →{' '}
                  {targets.length === 0 ? 'stays' : targets.join(' & ')}
                  {guard === null ? null : <code>{guard}</code>}
                </th>
                <td>{count(coverage.taken[index] ?? 0)}</td>
                {[coverage.passed, coverage.failed].map((answers, column) => (
                  <td key={column}>
                    {guard === null || answers === null ? '–' : count(answers[index] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}
