/** The statecharts: active states, the last move and how often each transition fired. */

import { computed, signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { gameIn } from '../../../../machines/journal/opening.ts';
import { playerId } from '../../../../machines/messages.ts';
import { capitalize } from '../../../../machines/text.ts';
import { formatTimes } from '../../../text.ts';
import { takeOpen, toggle, write } from '../../frame/fieldEvents.ts';
import { describeMove } from '../../frame/lastMove.ts';
import { Button, Choice } from '../../frame/panel.tsx';
import { Statechart, TransitionRows } from '../../frame/statechart.tsx';
import { jumpToFiring } from '../state/navigation.ts';
import {
  describeRefusal,
  enlarged,
  focus,
  readBuildFacts,
  settledMoment,
  settledStep,
  stage,
  story,
} from '../state/session.ts';
import type { DrawnChart, WordedLayout } from '../story/pageData.ts';
import { countUntil, listLit, type Moment } from '../story/story.ts';

const CHARTS = ['meeting', 'game', 'player', 'arbiter'] as const;
type ChartKind = (typeof CHARTS)[number];

const isFolded = signal(false);
export const chosen = signal<ChartKind | null>(null);
const isGame = computed(() => gameIn(story.value.moments[0]?.line) !== null);
const shown = computed<ChartKind>(() => {
  if (chosen.value === null) return usual.value;
  if (chosen.value === 'player') return focus.value === null ? usual.value : 'player';
  return chosen.value === 'game' && !isGame.value ? usual.value : chosen.value;
});
const usual = computed<ChartKind>(() => {
  if (!isGame.value) return 'meeting';
  return settledMoment.value?.ship?.lastRound == null && settledMoment.value?.meeting != null
    ? 'meeting'
    : 'game';
});

const actor = computed(() =>
  shown.value === 'player' && focus.value !== null ? playerId(focus.value) : shown.value,
);

export const states = computed(() => {
  const { value: at } = settledStep;
  const shown = stage.value?.shown;
  const track = story.value.trackOf(actor.value);
  const rest = track?.restAt(at, shown);
  const leaves = rest?.states ?? [];
  const stepsOf = (id: string) => track?.stepsOf(id) ?? [];
  return { rest, leaves, lit: listLit(leaves), hot: track?.edgesAt(at, shown) ?? [], stepsOf };
});

export const shownChart = computed(() => readBuildFacts().charts[shown.value]);

/** The transition whose target is shown, as chosen in the list of what can happen next. */
export const pickedEdge = signal<string | null>(null);

export function Statecharts() {
  const which = shown.value;
  const { charts, worded } = readBuildFacts();
  const whole = shownChart.value;
  const canFold = which === 'meeting' || which === 'game';
  const folded = which === 'meeting' ? charts.meetingPhases : charts.gamePhases;
  const isPhases = canFold && isFolded.value;
  const isLarge = enlarged.value === 'chart';
  const large = useMemo(
    () => (isLarge ? withWords(whole, worded[which]) : whole),
    [isLarge, which],
  );
  return (
    <>
      <ActiveStatesLine chart={whole} />
      <ChartDrawing
        key={`${which} ${isPhases} ${isLarge}`}
        chart={isPhases ? folded : large}
        name={whole.id}
        canFold={canFold}
      />
      <AllTransitions chart={whole} />
    </>
  );
}

function withWords(chart: DrawnChart, { places, ...layout }: WordedLayout): DrawnChart {
  const nodes = chart.nodes.map((node, index) => ({ ...node, ...places[index] }));
  return { ...chart, ...layout, nodes };
}

export function ChartSwitches() {
  const isOff = (each: ChartKind) => each === 'player' && focus.value === null;
  return (
    <Choice
      names={CHARTS.filter((each) => each !== 'game' || isGame.value)}
      chosen={shown.value}
      onChoose={write(chosen)}
      isOff={isOff}
      titles={isOff('player') ? { player: 'Choose a player above first' } : {}}
      class="small"
    />
  );
}

function ActiveStatesLine({ chart }: { readonly chart: DrawnChart }) {
  const { leaves, rest } = states.value;
  const shownStates = chart.nodes.filter(({ id }) => leaves.includes(id));
  const notes = shownStates.flatMap(({ isFinal, description }) => (isFinal ? [] : description));
  if (rest !== undefined) notes.unshift(describeMove(chart, rest.move, rest.before));
  return (
    <p class="last">
      {shown.value === 'player' ? `${capitalize(focus.value ?? '')} ` : ''}
      <b>{shownStates.map(({ name }) => name).join(', ') || explainAbsence()}</b>{' '}
      {describeRefusal() || notes.join(' ')}
    </p>
  );
}

function explainAbsence(): string {
  const { lens, isStepped } = story.value;
  const isOwn = lens.type === 'player' && lens.seat === focus.value;
  const isSecret = shown.value === 'arbiter' || (shown.value === 'player' && !isOwn);
  if (!isStepped) return 'unknown';
  return lens.type !== 'glass' && isSecret ? 'hidden from this lens' : 'not begun';
}

export function nameMoment(at: Moment | undefined): string {
  if (at?.line.type === 'tick.closed') return `tick ${at.line.tick}`;
  return at?.line.type === 'round.closed' ? `round ${at.line.round}` : `line ${at?.name}`;
}

function AllTransitions({ chart }: { readonly chart: DrawnChart }) {
  const isOpen = useSignal(false);
  const { stepsOf } = states.value;
  const rows = chart.edges.flatMap((edge) => {
    const steps = stepsOf(edge.id);
    const aside = countUntil(steps, settledStep.value);
    return steps.length === 0 ? [] : [{ edge, aside, onGo: () => jumpToFiring(steps) }];
  });
  if (rows.length === 0) return null;
  return (
    <details class="transitions" onToggle={takeOpen(isOpen)}>
      <summary>All transitions</summary>
      {isOpen.value ? <TransitionRows label="Transitions of this journal" rows={rows} /> : null}
    </details>
  );
}

type DrawingProps = Readonly<{ chart: DrawnChart; name: string; canFold: boolean }>;

function ChartDrawing({ chart, name, canFold }: DrawingProps) {
  const { lit, leaves, hot, stepsOf } = states.value;
  const count = (id: string) => countUntil(stepsOf(id), settledStep.value);
  const isHere = (id: string) => chart.nodes.some((node) => node.id === id);
  // In a chart of phases a phase is the innermost state.
  const innermost = leaves.every(isHere) ? leaves : lit.filter(isHere).slice(-1);
  const words = lit.map((id) => id.replace(`${name}.`, '').replaceAll('.', ' › ')).join(', ');
  return (
    <Statechart
      chart={chart}
      lit={lit}
      leaves={innermost}
      hot={hot}
      label={`Statechart of the ${name}. Lit: ${words}.`}
      markNode={(id) => {
        const visits = count(id);
        return {
          said: visits === 0 ? '' : `Entered ${formatTimes(visits)}.`,
          count: visits === 0 ? '' : `${visits}`,
          isSeen: visits > 0,
        };
      }}
      markLine={(edges) => {
        const fired = edges.reduce((sum, id) => sum + count(id), 0);
        return { said: fired === 0 ? '' : `Fired ${formatTimes(fired)}.`, isFired: fired > 0 };
      }}
      onPick={pickEdges}
      picked={[pickedEdge.value ?? ''].filter((id) =>
        lit.some((state) => id.startsWith(`${state}|`)),
      )}
    >
      {canFold ? (
        <Button class="small" text="phases" isOn={isFolded.value} act={toggle(isFolded)} />
      ) : null}
    </Statechart>
  );
}

/** Goes to the next firing of one of these. Long journals have many, so they are sorted on a click. */
function pickEdges(edges: readonly string[]): void {
  const { stepsOf } = states.peek();
  jumpToFiring(edges.flatMap(stepsOf).toSorted((one, other) => one - other));
}
