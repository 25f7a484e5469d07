/** Writes the rows of a table as Parquet, CSV or JSON lines. In CSV null is an empty field and an empty text is "". */
import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import {
  type CellValue,
  type ColumnType,
  columnsOf,
  type TableName,
  type TableRow,
} from './columns.ts';

export const TABLE_FORMATS = ['parquet', 'csv', 'jsonl'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

export type TableFile = {
  add(row: TableRow): void;
  /** Nothing may be added afterwards. */
  close(): void;
};

/** ZSTD is smaller, but its bytes depend on the version of Node. */
type ParquetCodec = 'ZSTD' | 'SNAPPY';

export function openTable(
  table: TableName,
  format: TableFormat,
  write: (bytes: Uint8Array) => void,
  codec: ParquetCodec = 'ZSTD',
): TableFile {
  switch (format) {
    case 'parquet':
      return openParquetTable(table, write, codec);
    case 'csv':
      return openTextTable(write, csvLine(columnsOf(table).map(({ name }) => name)), (row) =>
        csvLine(columnsOf(table).map(({ name }) => row[name] ?? null)),
      );
    case 'jsonl':
      return openTextTable(write, '', (row) => `${JSON.stringify(row)}\n`);
    default:
      return format satisfies never;
  }
}

const CHARACTERS_AT_ONCE = 1 << 18;

function openTextTable(
  write: (bytes: Uint8Array) => void,
  head: string,
  format: (row: TableRow) => string,
): TableFile {
  let text = head;
  const flush = () => {
    write(Buffer.from(text));
    text = '';
  };
  const add = (row: TableRow) => {
    text += format(row);
    if (text.length >= CHARACTERS_AT_ONCE) flush();
  };
  return { add, close: flush };
}

/** A CSV line by RFC 4180. */
export function csvLine(cells: readonly CellValue[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: CellValue): string {
  if (value === null) return '';
  const text = String(value);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Few enough for memory, and enough for good compression. */
const ROWS_IN_GROUP = 20_000;

const PARQUET_TYPES = {
  text: 'STRING',
  whole: 'INT64',
  number: 'DOUBLE',
  flag: 'BOOLEAN',
} as const satisfies Record<ColumnType, string>;

function openColumns(table: TableName) {
  return columnsOf(table).map(({ name, type }) => {
    const data: (CellValue | bigint)[] = [];
    return { name, type: PARQUET_TYPES[type], nullable: true, data };
  });
}

function openParquetTable(
  table: TableName,
  write: (bytes: Uint8Array) => void,
  codec: ParquetCodec,
): TableFile {
  /** Rows of objects would take several times the memory. */
  const columns = openColumns(table);
  const writer = new ParquetWriter({
    writer: writeThrough(write),
    schema: schemaFromColumnData({ columnData: columns }),
    codec,
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    createdBy: 'glassbox',
    kvMetadata: [{ key: 'glassbox.table', value: table }],
  });
  let rows = 0;
  // The writer works synchronously.
  const flush = () => {
    if (rows === 0) return;
    void writer.write({ columnData: columns, rowGroupSize: ROWS_IN_GROUP });
    for (const column of columns) column.data = [];
    rows = 0;
  };
  const add = (row: TableRow) => {
    for (const { name, type, data } of columns) {
      const value = row[name] ?? null;
      data.push(type === 'INT64' && typeof value === 'number' ? BigInt(value) : value);
    }
    rows += 1;
    if (rows >= ROWS_IN_GROUP) flush();
  };
  const close = () => {
    flush();
    void writer.finish();
  };
  return { add, close };
}

/** A writer that forgets completed row groups. */
function writeThrough(write: (bytes: Uint8Array) => void): ByteWriter {
  const writer: ByteWriter = new ByteWriter();
  const pass = () => {
    write(writer.getBytes().slice());
    writer.index = 0;
  };
  return Object.assign(writer, { flush: pass, finish: pass });
}
