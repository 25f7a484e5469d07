/** The report as one page for screen, phone and printer. It has no script and loads nothing. */

import type {
  Report,
  ReportCell,
  ReportQuery,
  ReportSection,
  ReportTable,
} from '../../analysis/report/model.ts';
import { pluralize } from '../../machines/text.ts';
import { escapeXml } from '../charts/svg.ts';
import { clean } from '../terminal/layout.ts';
import { formatFigure, formatInterval, formatValue, NOTHING } from './numbers.ts';
import { drawReportFigure } from './plots.ts';
import { REPORT_STYLE } from './style.ts';

export function tablePath(name: string): string {
  return `csv/${name}.csv`;
}

function escapeText(text: string): string {
  return escapeXml(clean(text));
}

export function renderPage(report: Report): string {
  const { title, data, sections, methods, sources, queries } = report;
  const links = [
    ...sections.map(({ name, title: heading }) => [name, heading] as const),
    ['methods', 'Methods and limits'] as const,
    ['queries', 'Queries'] as const,
  ].map(([name, heading]) => `<li><a href="#${name}">${escapeText(heading)}</a></li>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(title)}</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
<header>
<h1>${escapeText(title)}</h1>
<p class="lead">${pluralize(data.journals, 'journal')} · ${escapeText(data.engine)}<br><span class="digest">sha256 ${escapeText(data.digest)}</span></p>
<p class="lead">Figures in grey are the ends of 95 % intervals, and n the cases. A star marks figures of fewer than 30 independent games. Each number leads to its <a href="#queries">query</a>.</p>
<nav><ol>${links.join('')}</ol></nav>
</header>
<main>
${sections.map(renderSection).join('\n')}
<section id="methods"><h2>Methods and limits</h2>
${methods.map(({ title: heading, text }) => `<h3>${escapeText(heading)}</h3>${renderText(text)}`).join('\n')}
<h3>Sources</h3><ol class="sources">${sources.map((source) => `<li>${escapeText(source)}</li>`).join('')}</ol>
</section>
${renderQueries(report, queries)}
</main>
</body>
</html>
`;
}

const renderText = (text: readonly string[]) =>
  text.map((paragraph) => `<p>${escapeText(paragraph)}</p>`).join('');

function renderSection({ name, title, text, tables, figures }: ReportSection): string {
  const drawn = figures.map(
    (figure) =>
      `<figure id="figure-${figure.name}"><div class="drawing">${drawReportFigure(figure)}</div><figcaption>${escapeText(figure.caption)}</figcaption></figure>`,
  );
  return [
    `<section id="${name}"><h2>${escapeText(title)}</h2>${renderText(text)}`,
    `<div class="tables">${tables.map(renderTable).join('')}</div>`,
    ...(drawn.length === 0 ? [] : [`<div class="figures">${drawn.join('')}</div>`]),
    '</section>',
  ].join('\n');
}

function renderTable({ name, caption, heads, columns, rows }: ReportTable): string {
  const titles = [
    ...heads.map((head) => `<th scope="col" class="label">${escapeText(head)}</th>`),
    ...columns.map((column) => `<th scope="col">${escapeText(column)}</th>`),
  ];
  const body = rows.map(({ labels, cells }) => {
    const named = labels.map((label, index) =>
      index === labels.length - 1
        ? `<th scope="row"${wideOf(label)}>${escapeText(label)}</th>`
        : `<td class="label"${wideOf(label)}>${escapeText(label)}</td>`,
    );
    return `<tr>${named.join('')}${cells.map(renderCell).join('')}</tr>`;
  });
  return `<div class="table" tabindex="0" role="region" aria-label="${escapeText(caption)}"><table id="table-${name}"><caption>${escapeText(caption)}</caption><thead><tr>${titles.join('')}</tr></thead><tbody>${body.join('')}</tbody></table><p class="csv"><a href="${tablePath(name)}">CSV</a></p></div>`;
}

/** A long name is broken, but not into columns of letters. */
function wideOf(label: string): string {
  return label.length > WIDE_LABEL ? ' data-wide' : '';
}

const WIDE_LABEL = 12;

function renderCell(cell: ReportCell | null): string {
  if (cell === null) return `<td>${NOTHING}</td>`;
  const value = escapeText(formatValue(cell));
  const id = escapeText(cell.id);
  const shown =
    cell.query === null
      ? `<span title="${id}">${value}</span>`
      : `<a href="#query-${cell.query}" title="${id}">${value}</a>`;
  const cases =
    cell.cases === null || cell.least === null || cell.unit !== 'share'
      ? null
      : `n = ${formatFigure(cell.cases, 'count')}`;
  const interval = formatInterval(cell);
  const notes = [interval && `(${interval})`, cases].filter((note) => note !== null);
  const small = notes.length === 0 ? '' : `<small>${notes.map(escapeText).join(', ')}</small>`;
  return `<td>${shown}${small}</td>`;
}

function renderQueries({ views }: Report, queries: readonly ReportQuery[]): string {
  const listed = queries.map(({ name, about, afterwards, sql }) => {
    const rest = afterwards === null ? '' : ` Afterwards: ${escapeText(afterwards)}.`;
    return `<div class="query" id="query-${name}"><h3>${name}</h3><p>${escapeText(about)}.${rest}</p><pre>${escapeXml(sql)}</pre></div>`;
  });
  return `<section id="queries"><h2>Queries</h2>
<p>Each number has an id, which is shown when you point at it and stands in the CSV file of its table. The query below gives it from the Parquet files in <code>tables/</code>, where every row names its journal, line and hash. The queries run in SQLite and DuckDB. <code>queries.sql</code> has all of them: <code>duckdb -init queries.sql</code>.</p>
<details><summary>Views that the queries are made of</summary><pre>${escapeXml(views)}</pre></details>
${listed.join('\n')}
</section>`;
}
