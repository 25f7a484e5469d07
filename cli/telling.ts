/** Telling: shows lines of a journal one by one, to people as prose, to programs as NDJSON, through a lens. */
import type { Line } from '../machines/journal.ts';
import { type Lens, lensFor } from '../machines/lens.ts';
import { teller } from '../visualizer/terminal/teller.ts';
import { hasColour, print, printJson, screenWidth } from './output.ts';

export type TellingOptions = { readonly lens: Lens; readonly json?: boolean };

/** Shows one line after the other; returns whether there was something to see. */
export function shower({ lens, json = false }: TellingOptions): (line: Line) => boolean {
  if (json) {
    const look = lensFor(lens);
    return (line) => {
      const seen = look(line);
      if (seen !== null) printJson(seen);
      return seen !== null;
    };
  }
  const tell = teller({ lens, colour: hasColour(), width: screenWidth() });
  return (line) => {
    const rows = tell(line);
    for (const row of rows) print(row);
    return rows.length > 0;
  };
}
