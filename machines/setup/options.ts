/** Schema, decoding and encoding of the options in files and journals, made from the rows of `rules/options.ts`. */
import { z } from 'zod';
import {
  complete,
  defaultGameOptions,
  defaultOptions,
  GAME_OPTIONS,
  type GameOptions,
  MEETING_OPTIONS,
  type MeetingOptions,
  type OptionRow,
  type OptionValue,
  type Range,
} from '../rules/options.ts';

type Rows = readonly OptionRow[];

/** The written value of a row. */
type WrittenValue<R extends OptionRow> = R extends { readonly type: 'group' }
  ? { readonly [F in R['rows'][number] as F['yaml']]?: WrittenValue<F> | undefined }
  : OptionValue<R>;
type Shape<L extends Rows> = {
  readonly [R in L[number] as R['yaml']]: z.ZodOptional<z.ZodType<WrittenValue<R>>>;
};

/** The options of meetings in a file. */
export const meetingOptionsSchema = z.strictObject(shapeOf(MEETING_OPTIONS));
/** All options of a match in a file. */
export const optionsSchema = z.strictObject({
  ...shapeOf(GAME_OPTIONS),
  ...meetingOptionsSchema.shape,
});
type WrittenMeetingOptions = z.output<typeof meetingOptionsSchema>;
type WrittenOptions = z.output<typeof optionsSchema>;

function shapeOf<L extends Rows>(rows: L): Shape<L> {
  const shape = Object.fromEntries(
    rows.map((row) => [row.yaml, schemaOf(row).describe(describe(row)).optional()]),
  );
  if (hasRows(rows, shape)) return shape;
  throw new Error('an option has no schema');
}

function hasRows<L extends Rows>(rows: L, shape: object): shape is Shape<L> {
  return rows.every(({ yaml }) => yaml in shape);
}

function schemaOf(row: OptionRow): z.ZodType {
  switch (row.type) {
    case 'number':
      return row.orNull === true ? inRange(row.range).nullable() : inRange(row.range);
    case 'switch':
      return z.boolean();
    case 'choice':
      return z.enum(row.choices);
    case 'group':
      return groupSchema(row.rows);
  }
}

/** Whole if the step is whole, and a multiple of it. */
function inRange({ least, most, step }: Range): z.ZodType {
  const number = (Number.isInteger(step) ? z.int() : z.number()).min(least).max(most);
  return step === 1 ? number : number.multipleOf(step);
}

/** Any numbers. The rule that refuses them shows the arithmetic. */
function groupSchema(rows: Rows): z.ZodType {
  const shape = rows.map((row) => {
    if (row.type === 'group') return [row.yaml, groupSchema(row.rows).optional()];
    const number = z.number().describe(describe(row));
    const isNullable = row.type === 'number' && row.orNull === true;
    return [row.yaml, (isNullable ? number.nullable() : number).optional()];
  });
  return z.strictObject(Object.fromEntries(shape));
}

/** The description that editors show. */
function describe(row: OptionRow): string {
  return row.type === 'number' && row.unit !== undefined ? `${row.help} (${row.unit})` : row.help;
}

/** The options of meetings, with the defaults for a table of `living` players. */
export function decodeMeetingOptions(
  written: WrittenMeetingOptions,
  living: number,
): MeetingOptions {
  return complete(MEETING_OPTIONS, decode(MEETING_OPTIONS, written, defaultOptions(living)));
}

/** The options of a game, with its defaults. */
export function decodeGameOptions(written: WrittenOptions, players: number): GameOptions {
  const base = defaultGameOptions(players, written.rules);
  return complete(GAME_OPTIONS, decode(GAME_OPTIONS, written, base));
}

function decode(rows: Rows, written: unknown, base: unknown): object {
  const given = valuesOf(written);
  const others = valuesOf(base);
  const values = rows.map((row) => {
    const value = given.get(row.yaml);
    const other = others.get(row.key);
    return [row.key, row.type === 'group' ? decode(row.rows, value, other) : (value ?? other)];
  });
  return Object.fromEntries(values);
}

/** The options of meetings as a journal writes them: nothing is left to a default. */
export function encodeMeetingOptions(options: MeetingOptions): WrittenMeetingOptions {
  return meetingOptionsSchema.parse(encode(MEETING_OPTIONS, options));
}

/** The options of a game and its meetings as a journal writes them. */
export function encodeGameOptions(game: GameOptions, meeting: MeetingOptions): WrittenOptions {
  return optionsSchema.parse({
    ...encode(GAME_OPTIONS, game),
    ...encode(MEETING_OPTIONS, meeting),
  });
}

function encode(rows: Rows, options: unknown): object {
  const values = valuesOf(options);
  const written = rows.flatMap((row) => {
    if (row.type === 'number' && row.isPace === true) return [];
    const value = values.get(row.key);
    return [[row.yaml, row.type === 'group' ? encode(row.rows, value) : value]];
  });
  return Object.fromEntries(written);
}

function valuesOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}
