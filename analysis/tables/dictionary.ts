/** The data dictionary: every table and column in words. */
import { type ColumnSpec, SOURCE_COLUMNS, TABLES, type TableName } from './columns.ts';

const HEAD = ['| column | type | meaning | unit |', '| --- | --- | --- | --- |'];

export function writeDictionary(tables: readonly TableName[], heading = '##'): string {
  const common = ['Every table begins with these columns:', '', ...HEAD, ...rowsOf(SOURCE_COLUMNS)];
  const sections = tables.map((table) => {
    const { about, columns } = TABLES[table];
    return [`${heading} ${table}`, '', about, '', ...HEAD, ...rowsOf(columns)].join('\n');
  });
  return [common.join('\n'), ...sections].join('\n\n');
}

function rowsOf(columns: Readonly<Record<string, ColumnSpec>>): readonly string[] {
  return Object.entries(columns).map(
    ([name, { type, about, unit }]) => `| \`${name}\` | ${type} | ${about} | ${unit ?? ''} |`,
  );
}
