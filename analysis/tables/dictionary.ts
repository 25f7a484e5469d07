/** The data dictionary: every table and column in words. */
import { columnsOf, isSourceColumn, TABLES, type TableName } from './columns.ts';

const HEAD = ['| column | type | meaning | unit |', '| --- | --- | --- | --- |'];

/** Markdown: the common columns, then a section for each table. */
export function writeDictionary(tables: readonly TableName[], heading = '##'): string {
  const common = ['Every table begins with these columns:', '', ...HEAD, ...rowsOf('games', true)];
  const sections = tables.map((table) =>
    [`${heading} ${table}`, '', TABLES[table].about, '', ...HEAD, ...rowsOf(table, false)].join(
      '\n',
    ),
  );
  return [common.join('\n'), ...sections].join('\n\n');
}

function rowsOf(table: TableName, isSource: boolean): readonly string[] {
  return columnsOf(table)
    .filter(({ name }) => isSourceColumn(name) === isSource)
    .map(({ name, type, about, unit }) => `| \`${name}\` | ${type} | ${about} | ${unit ?? ''} |`);
}
