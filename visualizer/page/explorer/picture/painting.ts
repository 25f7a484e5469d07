/** Painting: a space on a canvas, with the run through it. */
import type { StateSpace } from '../../../../proofs/explorer/report.ts';
import type { Box, Layout } from './layout.ts';

export type Ink = Readonly<Record<'line' | 'run' | 'now' | 'ground', string>> & {
  /** By the phase that a place lies in. */
  readonly phases: Readonly<Record<string, string>>;
};

export type Painted = {
  readonly space: StateSpace;
  readonly states: readonly number[];
  readonly step: number;
  readonly ink: Ink;
};

export function paint(
  brush: CanvasRenderingContext2D,
  placed: Layout,
  box: Box,
  painted: Painted,
): void {
  brush.clearRect(0, 0, box.width, box.height);
  lines(brush, placed, painted);
  dots(brush, placed, painted);
  way(brush, placed, painted);
}

/** Many lines together are as dark as few. */
const INK = 260;

function lines(brush: CanvasRenderingContext2D, { x, y }: Layout, { space, ink }: Painted): void {
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
    brush.moveTo(x[from] ?? 0, y[from] ?? 0);
    brush.lineTo(x[to] ?? 0, y[to] ?? 0);
  };
  stroke(Math.min(0.16, INK / (others?.length ?? 1)), () => {
    for (let at = 0; others !== null && at < others.length; at += 2) {
      join(others[at] ?? 0, others[at + 1] ?? 0);
    }
  });
  stroke(Math.max(0.1, Math.min(0.5, INK / parents.length)), () => {
    for (const [state, parent] of parents.entries()) if (parent >= 0) join(parent, state);
  });
  brush.globalAlpha = 1;
}

function dots(brush: CanvasRenderingContext2D, { x, y }: Layout, { space, ink }: Painted): void {
  const { parents, places, placeOf, depths } = space;
  const crowded = Math.max(...depths);
  const radius = crowded > 500 ? 1.2 : crowded > 90 ? 2.1 : crowded > 40 ? 2.8 : 3.8;
  for (const [place, name] of places.entries()) {
    brush.fillStyle = ink.phases[name.split('.')[0] ?? ''] ?? ink.line;
    brush.beginPath();
    for (let state = 0; state < (parents?.length ?? 0); state++) {
      if (placeOf[state] !== place) continue;
      brush.moveTo((x[state] ?? 0) + radius, y[state] ?? 0);
      brush.arc(x[state] ?? 0, y[state] ?? 0, radius, 0, 2 * Math.PI);
    }
    brush.fill();
  }
}

function way(
  brush: CanvasRenderingContext2D,
  { x, y }: Layout,
  { states, step, ink }: Painted,
): void {
  if (states.length === 0) return;
  brush.strokeStyle = ink.run;
  brush.lineWidth = 2.4;
  brush.lineJoin = 'round';
  brush.beginPath();
  for (const [index, state] of states.entries()) {
    const [left, top] = [x[state] ?? 0, y[state] ?? 0];
    if (index === 0) brush.moveTo(left, top);
    // A step that stays where it is goes round.
    else if (states[index - 1] === state) {
      brush.moveTo(left + 9, top - 9);
      brush.arc(left, top - 9, 9, 0, 2 * Math.PI);
      brush.moveTo(left, top);
    } else brush.lineTo(left, top);
  }
  brush.stroke();
  for (const [index, state] of states.entries()) {
    const isNow = index === step;
    disc(brush, [x[state] ?? 0, y[state] ?? 0], isNow ? 7.5 : 4.2, isNow ? ink.now : ink.run, ink);
  }
  const now = states[step];
  if (now !== undefined) disc(brush, [x[now] ?? 0, y[now] ?? 0], 7.5, ink.now, ink);
}

function disc(
  brush: CanvasRenderingContext2D,
  [left, top]: readonly [number, number],
  radius: number,
  ...[fill, { ground }]: readonly [string, Ink]
): void {
  brush.beginPath();
  brush.arc(left, top, radius, 0, 2 * Math.PI);
  brush.fillStyle = fill;
  brush.fill();
  brush.lineWidth = 2;
  brush.strokeStyle = ground;
  brush.stroke();
}
