/** Telling: shows lines of a journal one by one, to people as prose, to programs as NDJSON, through a lens. */

import { canonical } from '../machines/journal/canonical.ts';
import { type Lens, lensFor } from '../machines/journal/lens.ts';
import type { Line } from '../machines/journal/lines.ts';
import { createRenderer } from '../visualizer/terminal/renderer.ts';
import { hasColour, print, printJson, screenWidth } from './output.ts';

export type TellingOptions = { readonly lens: Lens; readonly json?: boolean };

/**
 * Shows one line after the other; each call returns whether there was something to see. `end` shows what was kept back
 * for a line that does not come.
 */
export type Shower = { (line: Line): boolean; end(): void };

export function shower({ lens, json = false }: TellingOptions): Shower {
  if (json) {
    const look = lensFor(lens);
    const show = (line: Line) => {
      const seen = look(line);
      if (seen !== null) printJson(sorted(seen));
      return seen !== null;
    };
    return Object.assign(show, { end: () => {} });
  }
  const tell = createRenderer({ lens, colour: hasColour(), width: screenWidth() });
  const printed = (rows: readonly string[]) => {
    for (const row of rows) print(row);
    return rows.length > 0;
  };
  return Object.assign((line: Line) => printed(tell(line)), {
    end: () => {
      printed(tell.end());
    },
  });
}

/** The same value with its keys in the order in which a journal has them. */
function sorted(value: object): object {
  return JSON.parse(canonical(value));
}
