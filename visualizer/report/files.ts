/** The files of a report: a page, the same as Markdown and as LaTeX, its figures, its numbers, its queries. */
import { listCells, REPORT_VERSION, type Report } from '../../analysis/report/model.ts';
import { renderLatex } from './latex.ts';
import { renderMarkdown } from './markdown.ts';
import { renderPage } from './page.ts';
import { drawReportFigure, figurePath } from './plots.ts';

export const FILE_NAMES = [
  'index.html',
  'report.md',
  'tables.tex',
  'queries.sql',
  'report.json',
] as const;

/** All figures that a report can have. */
export const FIGURE_NAMES: readonly string[] = [
  'leaderboard',
  'crossplay',
  'deception-skill',
  'deception-table',
  'roles',
  'persuasion',
  'persuasion-causal',
  'claims',
  'beliefs',
  'belief-suspicion',
  'suspicion',
  'votes',
  'errors',
  'costs',
  'calibration',
  'power',
].map(figurePath);

/** Every file of a report but for its tables, by its path in the folder of the report. */
export function renderReport(report: Report): ReadonlyMap<string, string> {
  const figures = report.sections
    .flatMap((section) => section.figures)
    .map((figure): [string, string] => [figurePath(figure.name), `${drawReportFigure(figure)}\n`]);
  return new Map([
    ['index.html', renderPage(report)],
    ['report.md', renderMarkdown(report)],
    ['tables.tex', renderLatex(report)],
    ['queries.sql', renderQueries(report)],
    ...figures,
    ['report.json', renderJson(report)],
  ]);
}

/** All queries with the views that they are made of, to be run in the folder of the report. */
function renderQueries({ title, data, views, queries }: Report): string {
  const comment = (text: string) => `-- ${text.replace(/\s+/g, ' ')}`;
  const parts = queries.map(({ name, about, afterwards, sql }) =>
    [
      comment(`${name}: ${about}`),
      ...(afterwards === null ? [] : [comment(`afterwards: ${afterwards}`)]),
      `create or replace view report_${name} as\n${sql};`,
    ].join('\n'),
  );
  const head = [
    comment(`Queries of ${title}`),
    comment(`${data.engine}; journals: sha256 ${data.digest}`),
    comment('For DuckDB, in the folder of the report: duckdb -init queries.sql'),
    comment("A number by its id: select * from report_sides where id = 'sides/crew';"),
  ];
  return `${[head.join('\n'), views, ...parts].join('\n\n')}\n`;
}

/** Every number with its id, interval, cases and query. */
function renderJson(report: Report): string {
  const { title, data, queries, views, sections } = report;
  const document = {
    type: 'report',
    v: REPORT_VERSION,
    title,
    ...data,
    numbers: listCells(report),
    sections: sections.map(({ name, title: heading, tables, figures }) => ({
      name,
      title: heading,
      tables: tables.map((table) => ({
        ...table,
        rows: table.rows.map(({ labels, cells }) => ({
          labels,
          cells: cells.map((cell) => cell?.id ?? null),
        })),
      })),
      figures: figures.map(({ name: figure, caption }) => ({ file: figurePath(figure), caption })),
    })),
    views,
    queries,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
