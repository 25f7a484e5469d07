/** The state space by depth: bars for every space, and every state of a small one, with the run through them. */

import type { StateSpace } from '../../../../proofs/explorer/report.ts';
import { Panel } from '../../frame/panel.tsx';
import { columns, depthOf } from '../picture/layout.ts';
import { run, step, tale } from '../state/visit.ts';
import { Picture } from './picture.tsx';
import { count, placeWords } from './words.tsx';

export function SpacePane() {
  const space = run.value?.space ?? null;
  if (space === null) return null;
  const all = space.depths.reduce((sum, many) => sum + many, 0);
  return (
    <Panel id="space" title="State space by depth" aside={`${count(all)} states`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard. */}
      <section class="scroll" tabIndex={0} aria-label="Bars and picture of the space">
        <Bars space={space} />
        {space.parents === null ? (
          <p class="quiet">There are too many states to draw each of them.</p>
        ) : (
          <Picture space={space} />
        )}
        <Legend space={space} />
        <Counts space={space} />
      </section>
    </Panel>
  );
}

/** Units of the drawing, which is stretched to the pane. */
const WIDTH = 560;
const HIGH = 110;

function Bars({ space }: { readonly space: StateSpace }) {
  const { depths } = space;
  const most = Math.max(...depths);
  const { left, wide } = columns(depths.length, WIDTH);
  const thick = Math.max(2, Math.min(26, wide * 0.72 || 26));
  const here = tale.value?.states?.[step.value];
  const passed = here === undefined ? -1 : depthOf(space, here);
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${WIDTH} ${HIGH + 34}`}
      role="img"
      aria-label={barWords(depths)}
    >
      {depths.map((many, depth) => {
        const high = Math.max(1.5, (HIGH * many) / most);
        const x = left + depth * wide;
        return (
          <g key={`${depth}`} data-depth={depth} data-now={depth === passed || undefined}>
            <rect x={x - thick / 2} y={HIGH + 16 - high} width={thick} height={high} rx={2.5} />
            {wide < 24 && depth % 2 === 1 ? null : (
              <>
                <text class="many" x={x} y={HIGH + 11 - high}>
                  {count(many)}
                </text>
                <text class="depth" x={x} y={HIGH + 31}>
                  {depth}
                </text>
              </>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function barWords(depths: readonly number[]): string {
  return `States found at each depth: ${depths.map((many, depth) => `${depth}: ${many}`).join(', ')}.`;
}

function Legend({ space: { places } }: { readonly space: StateSpace }) {
  const phases = [...new Set(places.map((place) => place.split('.')[0] ?? ''))];
  return (
    <ul class="phases" aria-label="Colours of the phases">
      {phases.map((phase) => (
        <li key={phase}>
          <span class="swatch" style={`background: var(--phase-${phase})`} aria-hidden="true" />
          {phase}
        </li>
      ))}
      {tale.value?.states == null ? null : (
        <li>
          <span class="swatch way" aria-hidden="true" />
          the run
        </li>
      )}
    </ul>
  );
}

/** The same in words and numbers. */
function Counts({ space: { places, counts } }: { readonly space: StateSpace }) {
  const rows = places
    .map((place, index) => ({ place, many: counts[index] ?? 0 }))
    .toSorted((one, other) => other.many - one.many);
  return (
    <details class="counted">
      <summary>States by place</summary>
      <table class="places">
        <thead>
          <tr>
            <th scope="col">Place</th>
            <th scope="col">states</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ place, many }) => (
            <tr key={place} data-place={place}>
              <th scope="row">{placeWords(place)}</th>
              <td>{count(many)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
