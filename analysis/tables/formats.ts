/**
 * Formats: rows of one table as the bytes of a file, written as they come.
 *
 * Parquet files have a row group for so many rows, so that memory does not grow with the journals. `whole` is INT64 there,
 * `number` DOUBLE, `flag` BOOLEAN, `text` a UTF-8 string; every column may be null. In CSV null is an empty field and an
 * empty text is "".
 */
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

/** The file of one table. */
export type TableFile = {
  add(row: TableRow): void;
  /** Writes what is left. Nothing may be added afterwards. */
  close(): void;
};

/** Smaller, by the library of Node; or the same bytes by every version of it. */
type ParquetCodec = 'ZSTD' | 'SNAPPY';

/** Begins the file of a table; `write` gets its bytes, one piece after the other. */
export function openTable(
  table: TableName,
  format: TableFormat,
  write: (bytes: Uint8Array) => void,
  codec: ParquetCodec = 'ZSTD',
): TableFile {
  switch (format) {
    case 'parquet':
      return new ParquetTable(table, write, codec);
    case 'csv':
      return new TextTable(write, csvLine(columnsOf(table).map(({ name }) => name)), (row) =>
        csvLine(columnsOf(table).map(({ name }) => row[name] ?? null)),
      );
    case 'jsonl':
      return new TextTable(write, '', (row) => `${JSON.stringify(row)}\n`);
    default:
      return format satisfies never;
  }
}

/** Characters that are written at once. */
const CHARACTERS_AT_ONCE = 1 << 18;

class TextTable implements TableFile {
  readonly #write: (bytes: Uint8Array) => void;
  readonly #format: (row: TableRow) => string;
  #text: string;

  constructor(write: (bytes: Uint8Array) => void, head: string, format: (row: TableRow) => string) {
    this.#write = write;
    this.#format = format;
    this.#text = head;
  }

  add(row: TableRow): void {
    this.#text += this.#format(row);
    if (this.#text.length >= CHARACTERS_AT_ONCE) this.#flush();
  }

  close(): void {
    this.#flush();
  }

  #flush(): void {
    this.#write(Buffer.from(this.#text));
    this.#text = '';
  }
}

/** A line of CSV as in RFC 4180. */
export function csvLine(cells: readonly CellValue[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: CellValue): string {
  if (value === null) return '';
  const text = String(value);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows of a group: few enough for memory, and many enough to be packed well. */
const ROWS_IN_GROUP = 20_000;

const PARQUET_TYPES = {
  text: 'STRING',
  whole: 'INT64',
  number: 'DOUBLE',
  flag: 'BOOLEAN',
} as const satisfies Record<ColumnType, string>;

/** A column of the row group that is being filled. */
type OpenColumn = {
  readonly name: string;
  readonly type: ColumnType;
  data: (CellValue | bigint)[];
};

class ParquetTable implements TableFile {
  /** Values by column: rows would take several times the memory. */
  readonly #columns: readonly OpenColumn[];
  readonly #writer: ParquetWriter;
  #rows = 0;

  constructor(table: TableName, write: (bytes: Uint8Array) => void, codec: ParquetCodec) {
    this.#columns = columnsOf(table).map(({ name, type }) => ({ name, type, data: [] }));
    this.#writer = new ParquetWriter({
      writer: writeThrough(write),
      schema: schemaFromColumnData({ columnData: this.#columnData() }),
      codec,
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
      createdBy: 'glassbox',
      kvMetadata: [{ key: 'glassbox.table', value: table }],
    });
  }

  add(row: TableRow): void {
    for (const { name, type, data } of this.#columns) data.push(toParquet(row[name] ?? null, type));
    this.#rows += 1;
    if (this.#rows >= ROWS_IN_GROUP) this.#flush();
  }

  close(): void {
    this.#flush();
    // The bytes are handed on at once, so there is nothing to wait for.
    void this.#writer.finish();
  }

  #flush(): void {
    if (this.#rows === 0) return;
    void this.#writer.write({ columnData: this.#columnData(), rowGroupSize: ROWS_IN_GROUP });
    for (const column of this.#columns) column.data = [];
    this.#rows = 0;
  }

  #columnData() {
    return this.#columns.map(({ name, type, data }) => ({
      name,
      type: PARQUET_TYPES[type],
      nullable: true,
      data,
    }));
  }
}

function toParquet(value: CellValue, type: ColumnType): CellValue | bigint {
  return type === 'whole' && typeof value === 'number' ? BigInt(value) : value;
}

/** A writer that keeps nothing of a row group that is complete. */
function writeThrough(write: (bytes: Uint8Array) => void): ByteWriter {
  const writer: ByteWriter = new ByteWriter();
  const pass = () => {
    write(writer.getBytes().slice());
    writer.index = 0;
  };
  return Object.assign(writer, { flush: pass, finish: pass });
}
