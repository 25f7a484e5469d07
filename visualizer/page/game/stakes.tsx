/** The stake bar: the chance of the crew along the match, below the timeline, with the moments that moved it. */

import { computed } from '@preact/signals';
import { capitalize, formatPercent } from '../../../machines/text.ts';
import { isFutureShown, length, lens, moment, step, story, whyNotes } from './state/session.ts';
import { describeTurn, GRADES } from './story/cards.ts';
import type { StakeCurve, StakeTurn } from './story/pageData.ts';

/** The curve, if it gives nothing away: through the glass, and at the end. */
const shownCurve = computed(() => {
  const isOver = moment.value?.ending != null;
  return lens.value.type === 'glass' || isOver ? (whyNotes.value?.stakes ?? null) : null;
});

const until = computed(() => (isFutureShown.value ? length.value : step.value));

type PlacedPoint = { readonly step: number; readonly crew: number };

const placedPoints = computed((): readonly PlacedPoint[] =>
  (shownCurve.value?.points ?? []).flatMap(({ at, crew }) => {
    const found = story.value.stepOf(at);
    return found === null ? [] : [{ step: found, crew }];
  }),
);

export type PlacedTurn = StakeTurn & { readonly step: number; readonly isFirst: boolean };

export const placedTurns = computed((): readonly PlacedTurn[] =>
  (shownCurve.value?.turns ?? []).flatMap((turn, index) => {
    const found = story.value.stepOf(turn.at);
    if (found === null || found > until.value) return [];
    const what = lens.value.type === 'glass' ? turn.what : '';
    return [{ ...turn, what, step: found, isFirst: index === 0 }];
  }),
);

export function StakeBar() {
  const curve = shownCurve.value;
  const points = placedPoints.value;
  const [first] = points;
  if (curve === null || first === undefined) return null;
  const last = Math.max(1, length.value - 1);
  const now = points.findLast((point) => point.step <= step.value) ?? first;
  const end = Math.min(until.value, last);
  const place = (at: number) => `${((at / last) * 100).toFixed(2)}%`;
  return (
    <figure class="stakes" title={`Crew: ${describeSource(curve)}`}>
      <div class="curve">
        <svg
          viewBox={`0 0 ${last} 100`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Chance of the crew: ${formatPercent(now.crew)} now, ${describeSource(curve)}. ${placedTurns.value.map(describeTurn).join(' ')}`}
        >
          <path class="impostors" d={`M0 0V100H${end}V0Z`} />
          <path class="crew" d={drawArea(points, end)} />
          <path class="even" d={`M0 50H${last}`} />
        </svg>
        <span class="now" style={`left: ${place(step.value)}`} />
        {placedTurns.value.map((turn) => (
          <span
            key={turn.at}
            class="turn"
            data-grade={turn.grade}
            data-first={turn.isFirst || undefined}
            aria-hidden="true"
            title={describeTurn(turn)}
            style={`left: ${place(turn.step)}`}
          >
            {GRADES[turn.grade].sign}
          </span>
        ))}
      </div>
      <figcaption>
        <b>crew {formatPercent(now.crew)}</b> {describeSource(curve)}
      </figcaption>
    </figure>
  );
}

function drawArea(points: readonly PlacedPoint[], end: number): string {
  const known = points.filter((point) => point.step <= end);
  const steps = known.map(({ step: at, crew }, index) => {
    const y = (100 - crew * 100).toFixed(1);
    return index === 0 ? `V${y}H${at}` : `H${at}V${y}`;
  });
  return `M0 100${steps.join('')}H${end}V100Z`;
}

function describeSource({ continuations, standIns }: StakeCurve): string {
  const seats = story.value.moments[0]?.players.length ?? 0;
  const who =
    standIns.length === 0
      ? 'the same minds'
      : standIns.length >= seats
        ? 'scripted stand-ins for all players'
        : `scripted stand-ins for ${standIns.map(capitalize).join(', ')}`;
  return `chance to win, from ${continuations} continuations of each moment, played on by ${who}`;
}
