/** The statechart: what is lit, what was passed last, how often each was entered; a click goes to where it fired. */
import { computed, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { facts, focus, moment, step, story } from '../state/session.ts';
import { hopFiring } from '../state/travel.ts';
import type { DrawnChart, DrawnEdge, DrawnNode, Spot } from '../story/drawn.ts';
import { type PlayerState, playerState } from '../story/player.ts';
import { countUntil } from '../story/story.ts';
import { Panel } from './panel.tsx';
import { still } from './still.tsx';

type Which = 'meeting' | 'game' | 'player';

const CHARTS = ['meeting', 'game', 'player'] as const satisfies readonly Which[];

const isFolded = signal(false);
/** What was chosen by hand; null follows what is going on. */
const chosen = signal<Which | null>(null);
const isGame = computed(() => story.value.moments[0]?.line.type === 'game.opened');
/** The state of the player who is looked at; null where nobody is. */
const own = computed<PlayerState | null>(() =>
  moment.value === undefined || focus.value === null
    ? null
    : playerState(moment.value, focus.value),
);
const shown = computed<Which>(() => {
  if (chosen.value === 'player') return own.value === null ? usual.value : 'player';
  return chosen.value === null || !isGame.value ? usual.value : chosen.value;
});
/** The chart of what is going on. */
const usual = computed<Which>(() => {
  if (!isGame.value) return 'meeting';
  return moment.value?.ship?.round == null && moment.value?.sitting != null ? 'meeting' : 'game';
});

export function ChartPanel() {
  const which = shown.value;
  const { charts } = facts;
  const whole = charts[which];
  const picture =
    isFolded.value && which !== 'player'
      ? which === 'meeting'
        ? charts.meetingPhases
        : charts.gamePhases
      : whole;
  return (
    <Panel id="chart" title="Statechart" aside={<Switches which={which} />}>
      {which === 'player' ? <p class="last">{own.value?.words}</p> : <Last chart={whole} />}
      <Drawing key={`${which} ${isFolded.value}`} chart={picture} whole={whole} />
      <Transitions chart={whole} />
    </Panel>
  );
}

function Switches({ which }: { readonly which: Which }) {
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
function Last({ chart }: { readonly chart: DrawnChart }) {
  const trail = moment.value?.trail ?? [];
  const passed = trail.flatMap((id) => chart.edges.find((edge) => edge.id === id) ?? []);
  const leaf = moment.value?.lit.findLast((id) => id.startsWith(chart.id)) ?? '';
  const last = passed.at(-1);
  return (
    <p class="last">
      <b>{short(leaf, chart) || 'not begun'}</b>
      {last === undefined ? null : <span title={last.description}> by {named(last)}</span>}
    </p>
  );
}

function short(id: string, { id: root }: DrawnChart): string {
  return id.replace(`${root}.`, '').replaceAll('.', ' › ');
}

function named({ isStart, event, guard }: DrawnEdge): string {
  return isStart ? 'the start' : `${event}${guard === null ? '' : ` [${guard}]`}`;
}

function Drawing({ chart, whole }: { readonly chart: DrawnChart; readonly whole: DrawnChart }) {
  const box = useRef<HTMLElement>(null);
  const isOwn = whole === facts.charts.player;
  const lit = (isOwn ? own.value?.lit : moment.value?.lit) ?? [];
  const trail = moment.value?.trail ?? [];
  const leaf = lit.findLast((id) => chart.nodes.some((node) => node.id === id)) ?? '';
  useEffect(() => {
    const { current } = box;
    const node = chart.nodes.find(({ id }) => id === leaf);
    if (current === null || node === undefined) return;
    const scale = current.scrollWidth === 0 ? 1 : Math.min(1, current.clientWidth / chart.width);
    current.scrollTop = (node.y + node.height / 2) * scale - current.clientHeight / 2;
  }, [leaf, chart]);
  const hot = new Set(
    chart.edges.flatMap(({ id, line }) => (line !== null && trail.includes(id) ? [line] : [])),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard.
    <section class="scroll" ref={box} tabIndex={0} aria-label="Picture of the statechart">
      <svg
        class="statechart"
        viewBox={`0 ${TOP} ${chart.width} ${chart.height - TOP}`}
        width={chart.width}
        role="img"
        aria-label={`Statechart of the ${whole.id}. Lit: ${lit.map((id) => short(id, whole)).join(', ')}.`}
      >
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
      </svg>
    </section>
  );
}

/** The frame of the machine itself is not drawn. */
const TOP = 22;

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

const State = still(({ node, isLit, isLeaf, visits }: StateProps) => {
  const { id, key, x, y, width, height, isFinal, description } = node;
  return (
    <g
      class="state"
      data-node={id}
      data-lit={isLit || undefined}
      data-leaf={isLeaf || undefined}
      data-seen={visits > 0 || undefined}
    >
      <title>{visits === 0 ? description : `${description} Entered ${visits} times.`}</title>
      <rect x={x} y={y} width={width} height={height} rx={7} />
      {isFinal ? (
        <rect class="inner" x={x + 3} y={y + 3} width={width - 6} height={height - 6} rx={5} />
      ) : null}
      <text x={x + 10} y={y + 17}>
        {key}
      </text>
      {visits === 0 ? null : (
        <text class="visits" x={x + width - 5} y={y + 10}>
          {visits}
        </text>
      )}
    </g>
  );
});

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
  const path = spots.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the same is done with the buttons of the list below.
    <g
      class="edge"
      data-edges={edges.map((edge) => edge.id).join(' ')}
      data-hot={isHot || undefined}
      data-fired={fired > 0 || undefined}
      onClick={go}
    >
      <title>{`${edges.map(named).join(', ')}.${fired === 0 ? '' : ` Fired ${fired} times.`}`}</title>
      <path class="reach" d={path} />
      <path class="line" d={path} />
      <path class="head" d={head(spots)} />
      {edges[0]?.isStart === true ? (
        <circle class="dot" cx={spots[0]?.[0]} cy={spots[0]?.[1]} r={4} />
      ) : null}
    </g>
  );
});

/** A triangle at the end of a line, which always arrives level or upright. */
function head(spots: readonly Spot[]): string {
  const [before, tip] = spots.slice(-2);
  if (before === undefined || tip === undefined) return '';
  const [dx, dy] = [Math.sign(tip[0] - before[0]), Math.sign(tip[1] - before[1])];
  const [x, y] = tip;
  return `M${x} ${y}L${x - 6 * dx - 3 * dy} ${y - 6 * dy - 3 * dx}L${x - 6 * dx + 3 * dy} ${y - 6 * dy + 3 * dx}Z`;
}

/** The same as the lines of the picture, for whoever has no pointer. */
function Transitions({ chart }: { readonly chart: DrawnChart }) {
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
                onClick={() => hopFiring(steps)}
              >
                {short(edge.source, chart) || chart.id} →{' '}
                {edge.target === null ? 'stays' : short(edge.target, chart)}
                <span class="event">{named(edge)}</span>
                <span class="times">{countUntil(steps, step.value)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
