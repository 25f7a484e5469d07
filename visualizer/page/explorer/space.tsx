import { useEffect, useRef } from 'preact/hooks';
import { formatCount as count } from '../../../machines/text.ts';
import { PHASES } from '../../../machines/types.ts';
import type { StateSpace } from '../../../proofs/report/explorerReport.ts';
import { ColumnTitles, Panel, Scroll } from '../frame/panel.tsx';
import { theme } from '../frame/preferences.ts';
import type { Spot } from '../game/story/pageData.ts';
import { reach, run, step, trace } from './visit.ts';
import { placeWords } from './words.tsx';

export function SpacePane() {
  const space = run.value?.space ?? null;
  if (space === null) return null;
  const all = space.depths.reduce((sum, many) => sum + many, 0);
  return (
    <Panel id="space" title="State space by depth" aside={`${count(all)} states`}>
      <Scroll label="Bars and picture of the space">
        <Bars space={space} />
        {space.parents === null ? (
          <p class="quiet">There are too many states to draw each one.</p>
        ) : (
          <Picture space={space} />
        )}
        <Legend space={space} />
        <Counts space={space} />
      </Scroll>
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
  const here = trace.value?.states?.[step.value];
  const passed = here === undefined ? -1 : depthOf(space, here);
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${WIDTH} ${HIGH + 34}`}
      role="img"
      aria-label={`States found at each depth: ${depths.map((many, depth) => `${depth}: ${many}`).join(', ')}.`}
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

function Legend({ space: { places } }: { readonly space: StateSpace }) {
  const phases = [...new Set(places.map((place) => place.split('.')[0] ?? ''))];
  return (
    <ul class="phases" aria-label="Colours of the phases">
      {phases.map((phase) => (
        <li key={phase}>
          <span
            class="swatch"
            style={`background: ${PHASES.some((one) => one === phase) || phase === 'closed' ? `var(--phase-${phase})` : hueOf(phase)}`}
            aria-hidden="true"
          />
          {phase}
        </li>
      ))}
      {trace.value?.states == null ? null : (
        <li>
          <span class="swatch way" aria-hidden="true" />
          the run
        </li>
      )}
    </ul>
  );
}

function Counts({ space: { places, counts } }: { readonly space: StateSpace }) {
  const rows = places
    .map((place, index) => ({ place, many: counts[index] ?? 0 }))
    .toSorted((one, other) => other.many - one.many);
  return (
    <details class="counted">
      <summary>States by place</summary>
      <table class="places">
        <ColumnTitles names={['Place', 'states']} />
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

type Box = { readonly width: number; readonly height: number };

const SIDE = 0.045;
const FARTHEST = 15;

function columns(depths: number, width: number): { left: number; wide: number } {
  const left = width * SIDE;
  return { left, wide: depths < 2 ? 0 : (width - 2 * left) / (depths - 1) };
}

function depthOf({ depths }: StateSpace, state: number): number {
  let first = 0;
  return depths.findIndex((many) => {
    first += many;
    return state < first;
  });
}

/** The spot of each state. States are numbered breadth first, so those of one depth have consecutive numbers. */
function placeStates(
  { depths, parents, placeOf }: StateSpace,
  { width, height }: Box,
): readonly Spot[] {
  const { left, wide } = columns(depths.length, width);
  const spots: Spot[] = (parents ?? []).map(() => [0, 0]);
  const above = (state: number) => spots[parents?.[state] ?? -1]?.[1] ?? 0;
  let first = 0;
  for (const [depth, many] of depths.entries()) {
    const states = Array.from({ length: many }, (_, index) => first + index);
    states.sort(
      (one, other) =>
        (placeOf[one] ?? 0) - (placeOf[other] ?? 0) || above(one) - above(other) || one - other,
    );
    const gap = many < 2 ? 0 : Math.min(FARTHEST, (height - 20) / (many - 1));
    const top = height / 2 - ((many - 1) * gap) / 2;
    for (const [index, state] of states.entries())
      spots[state] = [left + depth * wide, top + index * gap];
    first += many;
  }
  return spots;
}

function Picture({ space }: { readonly space: StateSpace }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { rests = [], states: numbered = null } = trace.value ?? {};
  const dots = run.value?.dots ?? [];
  // A walk of the reader may leave the states that a search modulo symmetry numbered.
  const states = numbered ?? rests.map((rest) => dots.indexOf(rest)).filter((dot) => dot >= 0);
  useEffect(() => {
    const { current } = canvas;
    if (current === null) return;
    const draw = () => redraw(current, space, states);
    draw();
    const sized = new ResizeObserver(draw);
    sized.observe(current);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', draw);
    return () => {
      sized.disconnect();
      dark.removeEventListener('change', draw);
    };
  }, [space, states, step.value, theme.value]);
  const find = ({ offsetX, offsetY }: MouseEvent) => {
    const { clientWidth: width = 0, clientHeight: height = 0 } = canvas.current ?? {};
    const farness = placeStates(space, { width, height }).map(([x, y]) =>
      Math.hypot(x - offsetX, y - offsetY),
    );
    const nearest = farness.indexOf(Math.min(...farness));
    if ((farness[nearest] ?? REACH) < REACH) reach(nearest);
  };
  return (
    <canvas
      ref={canvas}
      class="space"
      role="img"
      aria-label={pictureWords(space, states)}
      onClick={find}
    />
  );
}

/** How near a click must be to a dot, in pixels. */
const REACH = 14;

function redraw(canvas: HTMLCanvasElement, space: StateSpace, states: readonly number[]): void {
  const box: Box = { width: canvas.clientWidth, height: canvas.clientHeight };
  const scale = devicePixelRatio;
  canvas.width = Math.round(box.width * scale);
  canvas.height = Math.round(box.height * scale);
  const brush = canvas.getContext('2d');
  if (brush === null || box.width === 0) return;
  brush.scale(scale, scale);
  brush.clearRect(0, 0, box.width, box.height);
  const painted = { spots: placeStates(space, box), space, states, ink: inkOf(canvas) };
  lines(brush, painted);
  dots(brush, painted);
  way(brush, painted);
}

function inkOf(canvas: HTMLCanvasElement) {
  const probe = document.createElement('i');
  canvas.after(probe);
  const colour = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const phases = [...PHASES, 'closed'].map((phase) => [phase, colour(`phase-${phase}`)] as const);
  const ink = {
    line: colour('soft'),
    run: colour('amber'),
    now: colour('beam'),
    ground: colour('ground'),
    phases: Object.fromEntries<string | undefined>(phases),
  };
  probe.remove();
  return ink;
}

function pictureWords({ depths, places, counts }: StateSpace, states: readonly number[]): string {
  const where = places.map((place, index) => `${counts[index] ?? 0} in ${place}`).join(', ');
  const run = states.length === 0 ? '' : ` The run passes ${states.length} of them.`;
  return `Every state as a dot, in ${depths.length} columns by depth: ${where}.${run}`;
}

type Painted = Readonly<{
  spots: readonly Spot[];
  space: StateSpace;
  states: readonly number[];
  ink: ReturnType<typeof inkOf>;
}>;

const NOWHERE: Spot = [0, 0];

const INK = 260;

function lines(brush: CanvasRenderingContext2D, { spots, space, ink }: Painted): void {
  const { parents, others } = space;
  if (parents === null) return;
  brush.strokeStyle = ink.line;
  brush.lineWidth = 1;
  const stroke = (alpha: number, draw: () => void) => {
    brush.globalAlpha = alpha;
    brush.beginPath();
    draw();
    brush.stroke();
  };
  const join = (from: number, to: number) => {
    brush.moveTo(...(spots[from] ?? NOWHERE));
    brush.lineTo(...(spots[to] ?? NOWHERE));
  };
  stroke(Math.min(0.16, INK / (others?.length ?? 1)), () => {
    for (let at = 0; others !== null && at < others.length; at += 2)
      join(others[at] ?? 0, others[at + 1] ?? 0);
  });
  stroke(Math.max(0.1, Math.min(0.5, INK / parents.length)), () => {
    for (const [state, parent] of parents.entries()) if (parent >= 0) join(parent, state);
  });
  brush.globalAlpha = 1;
}

function dots(brush: CanvasRenderingContext2D, { spots, space, ink }: Painted): void {
  const { places, placeOf, depths } = space;
  const crowded = Math.max(...depths);
  const radius = crowded > 500 ? 1.2 : crowded > 90 ? 2.1 : crowded > 40 ? 2.8 : 3.8;
  for (const [place, name] of places.entries()) {
    brush.fillStyle = ink.phases[name.split('.')[0] ?? ''] ?? hueOf(name);
    brush.beginPath();
    for (const [state, [x, y]] of spots.entries()) {
      if (placeOf[state] !== place) continue;
      brush.moveTo(x + radius, y);
      brush.arc(x, y, radius, 0, 2 * Math.PI);
    }
    brush.fill();
  }
}

/** A colour for a place of a stranger's machine. */
function hueOf(name: string): string {
  let hue = 7;
  for (const letter of name.split('.')[0] ?? '')
    hue = (hue * 31 + letter.charCodeAt(0) * 137) % 360;
  return `hsl(${hue} 55% 55%)`;
}

function way(brush: CanvasRenderingContext2D, { spots, states, ink }: Painted): void {
  if (states.length === 0) return;
  brush.strokeStyle = ink.run;
  brush.lineWidth = 2.4;
  brush.lineJoin = 'round';
  brush.beginPath();
  for (const [index, state] of states.entries()) {
    const [left, top] = spots[state] ?? NOWHERE;
    if (index === 0) brush.moveTo(left, top);
    else if (states[index - 1] === state) {
      brush.moveTo(left + 9, top - 9);
      brush.arc(left, top - 9, 9, 0, 2 * Math.PI);
      brush.moveTo(left, top);
    } else brush.lineTo(left, top);
  }
  brush.stroke();
  const disc = (state: number, radius: number, fill: string) => {
    brush.beginPath();
    brush.arc(...(spots[state] ?? NOWHERE), radius, 0, 2 * Math.PI);
    brush.fillStyle = fill;
    brush.fill();
    brush.lineWidth = 2;
    brush.strokeStyle = ink.ground;
    brush.stroke();
  };
  for (const state of states) disc(state, 4.2, ink.run);
  const now = states[step.value];
  if (now !== undefined) disc(now, 7.5, ink.now);
}
