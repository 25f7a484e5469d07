import type { Report, ReportTable } from '../../analysis/report/model.ts';
import { CSV_COLUMNS, QUERIES_FILE, REPORT_START } from '../../analysis/report/queries.ts';
import { csvLine } from '../../analysis/tables/formats.ts';
import { renderPage, tablePath } from './page.ts';

export function renderReport(report: Report): ReadonlyMap<string, string> {
  const tables = report.sections.flatMap((section) => section.tables);
  return new Map([
    ['index.html', renderPage(report)],
    ...tables.map((table) => [tablePath(table.name), renderTable(table)] as const),
    [QUERIES_FILE, renderQueries(report)],
  ]);
}

/** One line for each number, with all of its digits that are the same on every machine. */
function renderTable({ heads, columns, rows }: ReportTable): string {
  const digits = (value: number | null) => (value === null ? null : Number(value.toPrecision(12)));
  const lines = rows.flatMap(({ labels, cells }) =>
    cells.flatMap((cell, index) => {
      if (cell === null) return [];
      const { value, least, most, unit, cases, clusters, few, id, query } = cell;
      const figures = [value, least, most].map(digits);
      return [[...labels, columns[index] ?? '', ...figures, unit, cases, clusters, few, id, query]];
    }),
  );
  return [[...heads, ...CSV_COLUMNS.split(',')], ...lines].map(csvLine).join('');
}

function renderQueries({ title, data, views, queries }: Report): string {
  const comment = (text: string) => `-- ${text.replace(/\s+/g, ' ')}`;
  const parts = queries.map(({ name, about, afterwards, sql }) =>
    [
      comment(`${name}: ${about}`),
      ...(afterwards === null ? [] : [comment(`afterwards: ${afterwards}`)]),
      `create view report_${name} as\n${sql};`,
    ].join('\n'),
  );
  const head = [
    REPORT_START,
    comment(`${title}; ${data.engine}; journals: sha256 ${data.digest}`),
    comment('For DuckDB, in the folder of the report: duckdb -init queries.sql'),
    comment("A number by its id: select * from report_sides where id = 'sides/crew';"),
  ];
  return `${[head.join('\n'), views, ...parts].join('\n\n')}\n`;
}
