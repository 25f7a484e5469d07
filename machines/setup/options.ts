/** The options as files and journals write them, made from the rows of `rules/optionRows.ts`. Each may be left out. */
import { z } from 'zod';
import { GAME_OPTIONS, MEETING_OPTIONS, type OptionRow, type Range } from '../rules/optionRows.ts';
import type { GameOptions, MeetingOptions, OptionValue } from '../rules/options.ts';
import { readField } from '../text.ts';

type OptionTable = readonly OptionRow[];

type WrittenValue<R extends OptionRow> = R extends { readonly type: 'group' }
  ? { readonly [F in R['rows'][number] as F['yaml']]?: WrittenValue<F> | undefined }
  : OptionValue<R>;
type Shape<L extends OptionTable> = {
  readonly [R in L[number] as R['yaml']]: z.ZodOptional<z.ZodType<WrittenValue<R>>>;
};

export const meetingOptionsSchema = z.strictObject(shapeOf(MEETING_OPTIONS));
export const optionsSchema = z.strictObject({
  ...shapeOf(GAME_OPTIONS),
  ...meetingOptionsSchema.shape,
});

function shapeOf<L extends OptionTable>(rows: L): Shape<L>;
function shapeOf(rows: OptionTable): object {
  return Object.fromEntries(
    rows.map((row) => [row.yaml, schemaOf(row).describe(describe(row)).optional()]),
  );
}

function schemaOf(row: OptionRow): z.ZodType {
  switch (row.type) {
    case 'number':
      return row.default === null ? inRange(row.range).nullable() : inRange(row.range);
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
function groupSchema(rows: OptionTable): z.ZodType {
  const shape = rows.map((row) => {
    if (row.type === 'group') return [row.yaml, groupSchema(row.rows).optional()];
    const number = z.number().describe(describe(row));
    const isNullable = row.type === 'number' && row.default === null;
    return [row.yaml, (isNullable ? number.nullable() : number).optional()];
  });
  return z.strictObject(Object.fromEntries(shape));
}

function describe(row: OptionRow): string {
  return row.type === 'number' && row.unit !== undefined ? `${row.help} (${row.unit})` : row.help;
}

export function encodeMeetingOptions(options: MeetingOptions) {
  return meetingOptionsSchema.parse(encode(MEETING_OPTIONS, options));
}

export function encodeGameOptions(game: GameOptions, meeting: MeetingOptions) {
  return optionsSchema.parse({
    ...encode(GAME_OPTIONS, game),
    ...encode(MEETING_OPTIONS, meeting),
  });
}

function encode(rows: OptionTable, options: unknown): object {
  const written = rows.flatMap((row) => {
    if (row.type === 'number' && row.isPace === true) return [];
    const value = readField(options, row.key);
    return [[row.yaml, row.type === 'group' ? encode(row.rows, value) : value]];
  });
  return Object.fromEntries(written);
}
