/** The statechart: what the search came through and what it never reached, and where the run is. */

import type { ExplorerCoverage } from '../../../../proofs/explorer/report.ts';
import { Panel } from '../../frame/panel.tsx';
import {
  type LineMarks,
  type ListedTransition,
  type NodeMarks,
  Statechart,
  TransitionRows,
} from '../../frame/statechart.tsx';
import { around, type Traffic, trafficOf } from '../picture/traffic.ts';
import { drawn, edges, jump, run, step, tale } from '../state/visit.ts';
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

/** Transitions that are listed. */
const LISTED = 12;

/** What the run came by until now, the latest first. */
function listRecent(): readonly ListedTransition[] {
  const past = tale.value?.steps.slice(0, step.value) ?? [];
  const rows = past.flatMap(({ trail }, index) =>
    trail.flatMap((number) => {
      const edge = drawn.edges.find(({ id }) => id === edges.value[number]?.id);
      const at = index + 1;
      const isNow = at === step.value;
      return edge === undefined ? [] : [{ edge, aside: `step ${at}`, isNow, onGo: () => jump(at) }];
    }),
  );
  return rows.toReversed().slice(0, LISTED);
}

function Drawing({ traffic }: { readonly traffic: Traffic | null }) {
  const at = tale.value?.rests[step.value]?.at ?? null;
  const lit = at === null ? [] : around(`${drawn.id}.${at}`);
  const trail = tale.value?.steps[step.value - 1]?.trail ?? [];
  return (
    <Statechart
      chart={drawn}
      lit={lit}
      leaves={lit.slice(0, 1)}
      hot={trail.flatMap((number) => edges.value[number]?.id ?? [])}
      label={`Statechart of the meeting.${at === null ? '' : ` The run is at ${at}.`}`}
      markNode={(id) => markNode(id, traffic, lit)}
      markLine={(ids) => markLine(ids, traffic)}
    />
  );
}

function markNode(id: string, traffic: Traffic | null, lit: readonly string[]): NodeMarks {
  const many = traffic?.rests.get(id) ?? 0;
  const isSeen = traffic === null ? lit.includes(id) : traffic.seen.has(id);
  const said = isSeen ? `${count(many)} states rest here.` : 'Never reached.';
  return {
    said: traffic === null ? '' : said,
    count: many === 0 ? '' : count(many),
    isSeen,
    isMissed: traffic !== null && !isSeen,
  };
}

/** Pixels: a line that is taken a thousand times as often is three steps wider. */
const WIDEST = 4.5;
const THINNEST = 1.1;

/** The wider the more often it was taken, and dashed where it never was. */
function markLine(ids: readonly string[], traffic: Traffic | null): LineMarks {
  const isStart = drawn.edges.some(({ id, isStart }) => isStart && ids.includes(id));
  const many = ids.reduce((sum, id) => sum + (traffic?.taken.get(id) ?? 0), 0);
  return {
    said: `Taken ${count(many)} times.`,
    isFired: many > 0,
    isMissed: traffic !== null && !isStart && many === 0,
    width: many === 0 ? THINNEST : Math.min(WIDEST, THINNEST + Math.log10(many) * 0.55),
  };
}
