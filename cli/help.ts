/** Help: how commands are explained beyond the list of their options. */

/** What to type, and what comes of it. */
export type Example = readonly [line: string, does: string];

/** Examples below the options of a command: in two columns where all of them fit, else each over its meaning. */
export function examples(...list: readonly Example[]): string {
  const width = Math.max(...list.map(([line]) => line.length));
  const columns = list.map(([line, does]) => `  glassbox ${line.padEnd(width)}  ${does}`);
  const isNarrow = columns.every((row) => row.length <= COLUMNS);
  const rows = isNarrow ? columns : list.map(([line, does]) => `  glassbox ${line}\n      ${does}`);
  return `\nExamples:\n${rows.join('\n')}`;
}

/** A terminal of ordinary width. */
const COLUMNS = 80;
