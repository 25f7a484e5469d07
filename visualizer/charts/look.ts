/**
 * Look: the colours and letters of the picture, as CSS inside it.
 * A page that embeds the picture may set the custom properties, and lights a state or a transition by `data-active`.
 */
import { FACES } from './text.ts';

const SANS = "system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif";
const MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";

/** Colour names of the picture, light first. Text keeps a contrast of 4.5 or more on its ground. */
const COLOURS = {
  ground: ['#f6f7f9', '#0d1117'],
  region: ['#ffffff', '#151b23'],
  state: ['#ffffff', '#212936'],
  border: ['#9aa4b2', '#56606f'],
  ink: ['#1b2330', '#e9eef5'],
  muted: ['#566072', '#a3adbb'],
  line: ['#5b6b8c', '#8a9bbd'],
  label: ['#e8edf7', '#2a3447'],
  event: ['#1d3f8f', '#b7cdff'],
  guard: ['#7a3e00', '#ffcf99'],
  active: ['#c2185b', '#ff6fa5'],
} as const;

export const LOOK = [
  `.statechart{${properties(0)}}`,
  `@media(prefers-color-scheme:dark){.statechart{${properties(1)}}}`,
  `.statechart text{font-family:${SANS};fill:var(--chart-ink)}`,
  ...Object.entries(FACES).map(([face, { size }]) => `.statechart .${face}{font-size:${size}px}`),
  `.statechart :is(.event,.guard,.action){font-family:${MONO}}`,
  '.statechart .title{font-weight:650}',
  '.statechart :is(.prose,.action,.word){fill:var(--chart-muted)}',
  '.statechart .event{font-weight:700;fill:var(--chart-event)}',
  '.statechart .guard{font-style:italic;fill:var(--chart-guard)}',
  '.statechart .ground{fill:var(--chart-ground)}',
  '.statechart .frame{fill:var(--chart-state);stroke:var(--chart-border);stroke-width:1.2}',
  '.statechart .region>.frame{fill:var(--chart-region);fill-opacity:.55}',
  '.statechart .parallel>.frame{stroke-dasharray:6 4}',
  '.statechart .inner{fill:none}',
  '.statechart .line{fill:none;stroke:var(--chart-line);stroke-width:1.3}',
  '.statechart :is(.head,.dot){fill:var(--chart-line)}',
  '.statechart .ring{fill:var(--chart-state);stroke:var(--chart-line);stroke-width:1.5}',
  '.statechart .label{fill:var(--chart-label)}',
  '.statechart [data-active]>.frame{stroke:var(--chart-active);stroke-width:2.4}',
  '.statechart [data-active]>:is(.line,.label){stroke:var(--chart-active)}',
  '.statechart [data-active]>.head{fill:var(--chart-active)}',
].join('\n');

function properties(scheme: 0 | 1): string {
  return Object.entries(COLOURS)
    .map(([name, shades]) => `--chart-${name}:${shades[scheme]}`)
    .join(';');
}
