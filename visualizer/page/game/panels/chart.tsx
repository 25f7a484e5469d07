/** The statechart: what is active, which transition led here, how often each fired; a click goes to where it fired. */

import { computed, signal } from '@preact/signals';
import { gameIn } from '../../../../machines/journal/opening.ts';
import { memo } from '../../frame/panel.tsx';
import { LineShape, nameEdge, Statechart, StateShape } from '../../frame/statechart.tsx';
import { jumpToFiring } from '../state/navigation.ts';
import { focus, moment, readBuildFacts, step, story } from '../state/session.ts';
import { describePlayer, type LitPlayer } from '../story/activeStates.ts';
import type { DrawnChart, DrawnNode, Spot } from '../story/pageData.ts';
import { countUntil } from '../story/story.ts';

type ChartKind = 'meeting' | 'game' | 'player';

const CHARTS = ['meeting', 'game', 'player'] as const satisfies readonly ChartKind[];

const isFolded = signal(false);
/** What was chosen by hand; null follows what is going on. */
const chosen = signal<ChartKind | null>(null);
const isGame = computed(() => gameIn(story.value.moments[0]?.line) !== null);
/** The state of the player who is looked at; null where nobody is. */
const own = computed<LitPlayer | null>(() =>
  moment.value === undefined || focus.value === null
    ? null
    : describePlayer(moment.value, focus.value),
);
const shown = computed<ChartKind>(() => {
  if (chosen.value === 'player') return own.value === null ? usual.value : 'player';
  return chosen.value === null || !isGame.value ? usual.value : chosen.value;
});
/** The chart of what is going on. */
const usual = computed<ChartKind>(() => {
  if (!isGame.value) return 'meeting';
  return moment.value?.ship?.lastRound == null && moment.value?.meeting != null
    ? 'meeting'
    : 'game';
});

export function Statecharts() {
  const which = shown.value;
  const { charts } = readBuildFacts();
  const whole = charts[which];
  const picture =
    isFolded.value && which !== 'player'
      ? which === 'meeting'
        ? charts.meetingPhases
        : charts.gamePhases
      : whole;
  return (
    <>
      {which === 'player' ? (
        <p class="last">{own.value?.words}</p>
      ) : (
        <LastTransition chart={whole} />
      )}
      <ChartDrawing
        key={`${which} ${isFolded.value}`}
        chart={picture}
        lit={listLit(which)}
        name={whole.id}
      />
      <TransitionList chart={whole} />
    </>
  );
}

function listLit(which: ChartKind): readonly string[] {
  return (which === 'player' ? own.value?.lit : moment.value?.lit) ?? [];
}

export function ChartSwitches() {
  const which = shown.value;
  return (
    <>
      {CHARTS.filter((each) => each !== 'game' || isGame.value).map((each) => (
        <button
          key={each}
          type="button"
          class="small"
          aria-pressed={which === each}
          disabled={each === 'player' && own.value === null}
          title={each === 'player' ? 'Choose a player above first' : undefined}
          onClick={() => {
            chosen.value = each;
          }}
        >
          {each}
        </button>
      ))}
      <button
        type="button"
        class="small"
        aria-pressed={isFolded.value}
        title="Only the phases"
        disabled={which === 'player'}
        onClick={() => {
          isFolded.value = !isFolded.value;
        }}
      >
        phases
      </button>
    </>
  );
}

/** The transitions that led here, in words. */
function LastTransition({ chart }: { readonly chart: DrawnChart }) {
  const trail = moment.value?.trail ?? [];
  const passed = trail.flatMap((id) => chart.edges.find((edge) => edge.id === id) ?? []);
  const leaf = moment.value?.lit.findLast((id) => id.startsWith(chart.id)) ?? '';
  const last = passed.at(-1);
  return (
    <p class="last">
      <b>{shortenState(leaf, chart) || 'not begun'}</b>
      {last === undefined ? null : <span title={last.description}> by {nameEdge(last)}</span>}
    </p>
  );
}

function shortenState(id: string, { id: root }: DrawnChart): string {
  return id.replace(`${root}.`, '').replaceAll('.', ' › ');
}

/** The same as the lines of the picture, for use without a pointer. */
function TransitionList({ chart }: { readonly chart: DrawnChart }) {
  const fired = chart.edges.filter(({ id }) => story.value.firings(id).length > 0);
  if (fired.length === 0) return null;
  return (
    <details class="transitions">
      <summary>Transitions of this journal</summary>
      <ul>
        {fired.map((edge) => {
          const steps = story.value.firings(edge.id);
          return (
            <li key={edge.id}>
              <button
                type="button"
                data-edge={edge.id}
                title={edge.description}
                onClick={() => jumpToFiring(steps)}
              >
                {shortenState(edge.source, chart) || chart.id} →{' '}
                {edge.target === null ? 'stays' : shortenState(edge.target, chart)}
                <span class="event">{nameEdge(edge)}</span>
                <span class="times">{countUntil(steps, step.value)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

type DrawingProps = {
  readonly chart: DrawnChart;
  readonly lit: readonly string[];
  /** What the chart is of. */
  readonly name: string;
};

function ChartDrawing({ chart, lit, name }: DrawingProps) {
  const trail = moment.value?.trail ?? [];
  const leaf = lit.findLast((id) => chart.nodes.some((node) => node.id === id)) ?? '';
  const hot = new Set(
    chart.edges.flatMap(({ id, line }) => (line !== null && trail.includes(id) ? [line] : [])),
  );
  const words = lit.map((id) => id.replace(`${name}.`, '').replaceAll('.', ' › ')).join(', ');
  return (
    <Statechart chart={chart} leaf={leaf} label={`Statechart of the ${name}. Lit: ${words}.`}>
      {chart.nodes.slice(1).map((node) => (
        <ChartState
          key={node.id}
          node={node}
          isLit={lit.includes(node.id)}
          isLeaf={node.id === leaf}
          visits={countUntil(story.value.visits(node.id), step.value)}
        />
      ))}
      {Object.entries(chart.lines).map(([id, spots]) => (
        <ChartLine
          key={id}
          id={id}
          spots={spots}
          chart={chart}
          isHot={hot.has(id)}
          fired={countFirings(id, chart)}
        />
      ))}
    </Statechart>
  );
}

/** How often a line was taken so far: several transitions may share it. */
function countFirings(line: string, { edges }: DrawnChart): number {
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

const ChartState = memo(({ node, isLit, isLeaf, visits }: StateProps) => (
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

const ChartLine = memo(({ id, spots, chart, isHot, fired }: LineProps) => {
  const edges = chart.edges.filter(({ line }) => line === id);
  // Long journals have many firings: they are sorted on a click.
  const go = () =>
    jumpToFiring(edges.flatMap((edge) => story.peek().firings(edge.id)).toSorted((a, b) => a - b));
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
