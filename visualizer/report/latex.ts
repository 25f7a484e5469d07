/** The tables of the report as LaTeX (booktabs), to be put into a paper with \input. */

import type { Report, ReportCell, ReportTable } from '../../analysis/report/model.ts';
import { pluralize } from '../../machines/text.ts';
import { clean } from '../terminal/layout.ts';
import { formatInterval, formatValue } from './numbers.ts';

export function renderLatex({ title, data, sections }: Report): string {
  const tables = sections.flatMap((section) => section.tables);
  const comment = (text: string) => `% ${clean(text).replace(/\s+/g, ' ')}`;
  return `${[
    comment(title),
    comment(`${data.engine}; ${pluralize(data.journals, 'journal')}, sha256 ${data.digest}`),
    '% \\usepackage{booktabs} and \\usepackage{graphicx}; for names in other scripts XeLaTeX or LuaLaTeX.',
    '% Small figures are ends of 95 % intervals; a star marks figures of fewer than 30 games or seeds.',
    '',
    tables.map(renderTable).join('\n\n'),
  ].join('\n')}\n`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': '\\textquotedbl{}',
  // Between these a digit would end up in another font or sign.
  '−': '$-$',
  '–': '--',
  '“': '``',
  '”': "''",
  '’': "'",
  '…': '\\dots{}',
};

/** Text of any origin on one line, in which nothing is a command of LaTeX. */
export function escapeLatex(text: string): string {
  return (
    clean(text)
      .replace(/\s+/g, ' ')
      .replace(/[\\{}$&#%_^~<>|"−–“”’…]/g, (sign) => ESCAPES[sign] ?? sign)
      // A bracket behind the end of a row would be read as its spacing.
      .replace(/^\[/, '{[}')
  );
}

/** Columns from which a table is made as narrow as the page. */
const WIDE = 4;

function renderTable({ name, caption, heads, columns, rows }: ReportTable): string {
  const shape = `${'l'.repeat(heads.length)}${'r'.repeat(columns.length)}`;
  const line = (cells: readonly string[]) => `    ${cells.join(' & ')} \\\\`;
  const isWide = columns.length >= WIDE;
  const body = [
    `  \\begin{tabular}{${shape}}`,
    '    \\toprule',
    line([...heads, ...columns].map(escapeLatex)),
    '    \\midrule',
    ...rows.map(({ labels, cells }) =>
      line([...labels.map(escapeLatex), ...cells.map(renderCell)]),
    ),
    '    \\bottomrule',
    `  \\end{tabular}${isWide ? '}' : ''}`,
  ];
  return [
    '\\begin{table}',
    '  \\centering',
    `  \\caption{${escapeLatex(caption)}}`,
    `  \\label{tab:${name}}`,
    ...(isWide ? ['  \\resizebox{\\linewidth}{!}{%'] : []),
    ...body,
    '\\end{table}',
  ].join('\n');
}

function renderCell(cell: ReportCell | null): string {
  if (cell === null) return '--';
  const interval = formatInterval(cell);
  const value = escapeLatex(formatValue(cell)).replace(' \\%', '\\,\\%');
  return interval === null ? value : `${value} {\\scriptsize (${escapeLatex(interval)})}`;
}
