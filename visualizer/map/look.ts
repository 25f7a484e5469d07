/** Look: the colours and letters of the map, as CSS inside it. A page lights a place by `data-active`. */

const SANS = "system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif";

/** Colour names of the picture, light first. Text keeps a contrast of 4.5 or more on its ground. */
const COLOURS = {
  ground: ['#f6f7f9', '#0d1117'],
  wall: ['#8a94a6', '#4d596b'],
  room: ['#ffffff', '#1d2532'],
  hallway: ['#e6ebf2', '#161d28'],
  ink: ['#1b2330', '#e9eef5'],
  muted: ['#566072', '#a3adbb'],
  door: ['#b3541e', '#f0a35e'],
  vent: ['#2f6f4f', '#7fd1a5'],
  task: ['#8a6d00', '#f2cf4a'],
  console: ['#1d4f9f', '#9cc3ff'],
  watch: ['#6b3fa0', '#cdaeff'],
  button: ['#b3261e', '#ff8a80'],
  active: ['#c2185b', '#ff6fa5'],
} as const;

export const LOOK = [
  `.ship{${properties(0)}}`,
  `@media(prefers-color-scheme:dark){.ship{${properties(1)}}}`,
  `.ship text{font-family:${SANS};fill:var(--ship-ink)}`,
  '.ship .ground{fill:var(--ship-ground)}',
  '.ship .walls{fill:var(--ship-wall);stroke:var(--ship-wall);stroke-width:5;stroke-linejoin:round}',
  '.ship .floor{fill:var(--ship-room)}',
  '.ship .hallway>.floor{fill:var(--ship-hallway)}',
  '.ship .passage{stroke:var(--ship-hallway);stroke-width:16;stroke-linecap:round}',
  '.ship .name{font-size:14.5px;font-weight:650;text-anchor:middle}',
  '.ship .hallway .name{font-size:10.5px;font-weight:500;fill:var(--ship-muted)}',
  '.ship .title{font-size:19px;font-weight:700}',
  '.ship .word{font-size:12px;fill:var(--ship-muted)}',
  '.ship .door{stroke:var(--ship-door);stroke-width:5;stroke-linecap:round}',
  '.ship .task{fill:none;stroke:var(--ship-task);stroke-width:1.5}',
  '.ship .visual{fill:var(--ship-task)}',
  '.ship .crawl{fill:none;stroke:var(--ship-vent);stroke-width:1.4;stroke-dasharray:2 5;stroke-linecap:round;opacity:.75}',
  '.ship .sign{fill:none;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}',
  '.ship .sign .plate{fill:var(--ship-room)}',
  '.ship .sign .solid{fill:currentColor;stroke:none}',
  '.ship .sign text{font-size:10.5px;font-weight:700;text-anchor:middle;fill:currentColor;stroke:none}',
  ...['vent', 'console', 'watch', 'button'].map(
    (kind) => `.ship .sign.${kind}{color:var(--ship-${kind});stroke:currentColor}`,
  ),
  '.ship [data-active]>.floor{stroke:var(--ship-active);stroke-width:3}',
].join('\n');

function properties(scheme: 0 | 1): string {
  return Object.entries(COLOURS)
    .map(([name, shades]) => `--ship-${name}:${shades[scheme]}`)
    .join(';');
}
