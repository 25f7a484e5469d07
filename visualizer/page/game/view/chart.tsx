/** The statechart: what is lit, what was passed last, how often each was entered; a click goes to where it fired. */
import { computed, signal } from '@preact/signals';
import { Panel } from '../../frame/panel.tsx';
import { edgeName } from '../../frame/statechart.tsx';
import { facts, focus, moment, step, story } from '../state/session.ts';
import { hopFiring } from '../state/travel.ts';
import { describePlayer, type LitPlayer } from '../story/activeStates.ts';
import type { DrawnChart } from '../story/pageData.ts';
import { countUntil } from '../story/story.ts';
import { Drawing } from './drawing.tsx';

type Which = 'meeting' | 'game' | 'player';

const CHARTS = ['meeting', 'game', 'player'] as const satisfies readonly Which[];

const isFolded = signal(false);
/** What was chosen by hand; null follows what is going on. */
const chosen = signal<Which | null>(null);
const isGame = computed(() => story.value.moments[0]?.line.type === 'game.opened');
/** The state of the player who is looked at; null where nobody is. */
const own = computed<LitPlayer | null>(() =>
  moment.value === undefined || focus.value === null
    ? null
    : describePlayer(moment.value, focus.value),
);
const shown = computed<Which>(() => {
  if (chosen.value === 'player') return own.value === null ? usual.value : 'player';
  return chosen.value === null || !isGame.value ? usual.value : chosen.value;
});
/** The chart of what is going on. */
const usual = computed<Which>(() => {
  if (!isGame.value) return 'meeting';
  return moment.value?.ship?.lastRound == null && moment.value?.meeting != null
    ? 'meeting'
    : 'game';
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
      <Drawing
        key={`${which} ${isFolded.value}`}
        chart={picture}
        lit={litIn(which)}
        name={whole.id}
      />
      <Transitions chart={whole} />
    </Panel>
  );
}

function litIn(which: Which): readonly string[] {
  return (which === 'player' ? own.value?.lit : moment.value?.lit) ?? [];
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
      {last === undefined ? null : <span title={last.description}> by {edgeName(last)}</span>}
    </p>
  );
}

function short(id: string, { id: root }: DrawnChart): string {
  return id.replace(`${root}.`, '').replaceAll('.', ' › ');
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
                <span class="event">{edgeName(edge)}</span>
                <span class="times">{countUntil(steps, step.value)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
