/** The data dictionary: every table and column, in words, for people and for programs. */
import { columnsOf, TABLES, type TableName } from './columns.ts';

/** As Markdown, a section for each table. */
export function writeDictionary(tables: readonly TableName[], heading = '##'): string {
  return tables
    .map((table) =>
      [
        `${heading} ${table}`,
        '',
        TABLES[table].about,
        '',
        '| column | type | what it is | unit |',
        '| --- | --- | --- | --- |',
        ...columnsOf(table).map(
          ({ name, type, about, unit }) => `| \`${name}\` | ${type} | ${about} | ${unit ?? ''} |`,
        ),
      ].join('\n'),
    )
    .join('\n\n');
}
