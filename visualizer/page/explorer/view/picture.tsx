/** The picture of a space: every state as a dot on a canvas, told in words as well. */
import { useEffect, useRef } from 'preact/hooks';
import type { StateSpace } from '../../../../proofs/explorer/report.ts';
import { theme } from '../../frame/preferences.ts';
import { type Box, layout } from '../picture/layout.ts';
import { type Ink, paint } from '../picture/painting.ts';
import { step, tale } from '../state/visit.ts';

const PHASES = [
  'interrupt',
  'discussion',
  'voting',
  'reveal',
  'reaction',
  'consolidation',
  'closed',
];
export function Picture({ space }: { readonly space: StateSpace }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const states = tale.value?.states ?? [];
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
  return <canvas ref={canvas} class="space" role="img" aria-label={pictureWords(space, states)} />;
}

function redraw(canvas: HTMLCanvasElement, space: StateSpace, states: readonly number[]): void {
  const box: Box = { width: canvas.clientWidth, height: canvas.clientHeight };
  const scale = devicePixelRatio;
  canvas.width = Math.round(box.width * scale);
  canvas.height = Math.round(box.height * scale);
  const brush = canvas.getContext('2d');
  if (brush === null || box.width === 0) return;
  brush.scale(scale, scale);
  paint(brush, layout(space, box), box, { space, states, step: step.value, ink: inkOf(canvas) });
}

/** The colours of the theme, as the style has them. */
function inkOf(canvas: HTMLCanvasElement): Ink {
  const probe = document.createElement('i');
  canvas.after(probe);
  const colour = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const ink = {
    line: colour('soft'),
    run: colour('amber'),
    now: colour('beam'),
    ground: colour('ground'),
    phases: Object.fromEntries(PHASES.map((phase) => [phase, colour(`phase-${phase}`)])),
  };
  probe.remove();
  return ink;
}

function pictureWords({ depths, places, counts }: StateSpace, states: readonly number[]): string {
  const where = places.map((place, index) => `${counts[index] ?? 0} in ${place}`).join(', ');
  const run = states.length === 0 ? '' : ` The run passes ${states.length} of them.`;
  return `Every state as a dot, in ${depths.length} columns by depth: ${where}.${run}`;
}
