/** The report as Markdown: the same words, tables and figures as on the page. */

import type { Report, ReportCell, ReportTable } from '../../analysis/report/model.ts';
import { pluralize } from '../../machines/text.ts';
import { clean } from '../terminal/layout.ts';
import { formatInterval, formatValue, NOTHING } from './numbers.ts';
import { figurePath } from './plots.ts';

export function renderMarkdown(report: Report): string {
  const { title, data, sections, methods, sources, queries } = report;
  const parts = [
    `# ${escapeMarkdown(title)}`,
    `${pluralize(data.journals, 'journal')}, SHA-256 \`${data.digest}\`; made by ${escapeMarkdown(data.engine)}.`,
    ...sections.flatMap((section) => [
      `## ${escapeMarkdown(section.title)}`,
      ...section.text.map(escapeMarkdown),
      ...section.tables.map(renderTable),
      ...section.figures.map(
        ({ name, caption }) => `![${escapeMarkdown(caption)}](${figurePath(name)})`,
      ),
    ]),
    '## Methods and limits',
    ...methods.flatMap((method) => [
      `### ${escapeMarkdown(method.title)}`,
      ...method.text.map(escapeMarkdown),
    ]),
    '## Sources',
    sources.map((source, index) => `${index + 1}. ${escapeMarkdown(source)}`).join('\n'),
    '## Queries',
    'Each number has an id in `report.json`; the query of its name gives it from `tables/`. `queries.sql` has all of them for DuckDB.',
    queries
      .map(({ name, about, afterwards }) =>
        [
          `- \`${name}\`: ${escapeMarkdown(about)}`,
          afterwards === null ? '' : `; afterwards: ${escapeMarkdown(afterwards)}`,
        ].join(''),
      )
      .join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Text of any origin on one line, in which nothing is a mark of Markdown or HTML. */
export function escapeMarkdown(text: string): string {
  return (
    clean(text)
      .replace(/\s+/g, ' ')
      .replace(/[\\`*_{}[\]<>#|~&$]/g, (mark) => `\\${mark}`)
      // A list, or a link of its own, begins with these.
      .replace(/^([-+]|\d+[.)])(?= )/, '\\$1')
      .replace(/(https?|www)(?=[:.])/gi, '$1\u200b')
  );
}

function renderTable({ caption, heads, columns, rows }: ReportTable): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    `*${escapeMarkdown(caption)}*`,
    '',
    line([...heads, ...columns].map(escapeMarkdown)),
    line([...heads.map(() => '---'), ...columns.map(() => '---:')]),
    ...rows.map(({ labels, cells }) =>
      line([...labels.map(escapeMarkdown), ...cells.map(renderCell)]),
    ),
  ].join('\n');
}

function renderCell(cell: ReportCell | null): string {
  if (cell === null) return NOTHING;
  const interval = formatInterval(cell);
  const value = escapeMarkdown(formatValue(cell));
  return interval === null ? value : `${value} (${interval})`;
}
