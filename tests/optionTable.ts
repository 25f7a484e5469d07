import type { OptionRow } from '../machines/rules/options.ts';

/** The table of some options as the documents have it, made from their rows. */
export function optionTable(rows: readonly OptionRow[]): string {
  const lines = rows.flatMap((row) => (row.type === 'group' ? [] : [lineOf(row)]));
  return [
    ['option', 'default', 'range', 'step', 'unit', 'source', 'meaning'],
    ['---', '---', '---', '---', '---', '---', '---'],
    ...lines,
  ]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}

function lineOf(row: Exclude<OptionRow, { type: 'group' }>): readonly string[] {
  const [range, step, unit] =
    row.type === 'number'
      ? [`${row.range.least} to ${row.range.most}`, String(row.range.step), row.unit ?? '']
      : [row.type === 'choice' ? row.choices.map(coded).join(', ') : '', '', ''];
  return [coded(row.yaml), defaultIn(row), range, step, unit, row.source, row.help];
}

function defaultIn(row: Exclude<OptionRow, { type: 'group' }>): string {
  if (row.defaultText !== undefined) return row.defaultText;
  if (row.default === null) return 'never';
  return typeof row.default === 'number' ? String(row.default) : coded(row.default);
}

function coded(text: unknown): string {
  return `\`${text}\``;
}
