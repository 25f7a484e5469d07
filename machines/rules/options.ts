/** Fills in and omits defaults of options, and checks the options of a game. */
import { readField } from '../text.ts';
import type { Note, Role, RuleSet } from '../types.ts';
import {
  type DefaultsFor,
  GAME_OPTIONS,
  MEETING_OPTIONS,
  type OptionRow,
  type Range,
  SILENCE_OPTIONS,
} from './optionRows.ts';

export type OptionValue<R extends OptionRow> = R extends { readonly type: 'number' }
  ? R extends { readonly default: null }
    ? number | null
    : number
  : R extends { readonly type: 'switch' }
    ? boolean
    : R extends { readonly type: 'choice' }
      ? R['choices'][number]
      : R extends { readonly type: 'group' }
        ? OptionsOf<R['rows']>
        : never;
type Rows = readonly OptionRow[];
/** A value for each row, by `key`. */
type OptionsOf<L extends Rows> = { readonly [R in L[number] as R['key']]: OptionValue<R> };
export type MeetingOptions = OptionsOf<typeof MEETING_OPTIONS>;
export type GameOptions = OptionsOf<typeof GAME_OPTIONS>;

/** A value for each row except pace, by `yaml`. */
type FilledOptions<L extends Rows> = {
  readonly [R in L[number] as R extends { readonly isPace: true }
    ? never
    : R['yaml']]: FilledValue<R>;
};
type FilledValue<R extends OptionRow> = R extends { readonly type: 'group' }
  ? FilledOptions<R['rows']>
  : OptionValue<R>;
export type FilledMeetingOptions = FilledOptions<typeof MEETING_OPTIONS>;
export type FilledGameOptions = FilledOptions<typeof GAME_OPTIONS> & FilledMeetingOptions;

/** Seconds of the lobby that one round stands for. */
export const SECONDS_PER_ROUND = 2.5;

/** For a match without a rule set. */
const RULES: RuleSet = 'house';

export function defaultOptions(living: number): MeetingOptions {
  return readOptions(MEETING_OPTIONS, {}, { players: living, rules: RULES });
}

/** The defaults for a game. Below 4 players it uses 4, above 15 it uses 15. */
export function defaultGameOptions(players: number, rules: RuleSet = RULES): GameOptions {
  return readOptions(GAME_OPTIONS, {}, { players, rules });
}

function readOptions<L extends Rows>(rows: L, written: object, table: DefaultsFor): OptionsOf<L> {
  return complete(rows, toKeys(rows, fillIn(rows, written, table)));
}

function fillIn(rows: Rows, written: unknown, table: DefaultsFor): object {
  const filled = rows.map((row) => {
    const value = readField(written, row.yaml);
    if (row.type === 'group') return [row.yaml, fillIn(row.rows, value, table)];
    return [row.yaml, value === undefined ? defaultOf(row, table) : value];
  });
  return Object.fromEntries(filled);
}

type SingleRow = Exclude<OptionRow, { readonly type: 'group' }>;

function defaultOf(row: SingleRow, table: DefaultsFor): unknown {
  const held = heldDefault(row, table.version);
  return typeof held === 'function' ? held(table) : held;
}

function heldDefault(row: SingleRow, version = Number.POSITIVE_INFINITY): SingleRow['default'] {
  return (row.earlier?.find(({ until }) => version <= until) ?? row).default;
}

function toKeys(rows: Rows, filled: unknown): object {
  const named = rows.map((row) => {
    const value = readField(filled, row.yaml);
    return [row.key, row.type === 'group' ? toKeys(row.rows, value) : value];
  });
  return Object.fromEntries(named);
}

export type StatedMatch = {
  readonly options: Readonly<Record<string, unknown>> & {
    readonly rules?: RuleSet | undefined;
    readonly weights?: Readonly<Record<string, unknown>> | undefined;
  };
  readonly seats: readonly { readonly role?: Role | undefined; readonly dead?: boolean }[];
};

function defaultsFor({ options, seats }: StatedMatch, version?: number): DefaultsFor {
  const players = seats.filter(({ dead }) => dead !== true).length;
  return { players, rules: options.rules ?? RULES, seats, version, weights: options.weights };
}

/** The options of silence that follow the living of each meeting: those that are computed and not written. */
export function listComputed({ options }: StatedMatch, version?: number) {
  const written = options.weights?.silence;
  return SILENCE_OPTIONS.flatMap((row) => {
    const isComputed = typeof heldDefault(row, version) === 'function';
    return isComputed && readField(written, row.yaml) === undefined ? [row.key] : [];
  });
}

export function readMeetingOptions(match: StatedMatch, version?: number): MeetingOptions {
  return readOptions(MEETING_OPTIONS, match.options, defaultsFor(match, version));
}

export function readGameOptions(match: StatedMatch, version?: number): GameOptions {
  return readOptions(GAME_OPTIONS, match.options, defaultsFor(match, version));
}

export function fillMeetingOptions(match: StatedMatch, version?: number): FilledMeetingOptions;
export function fillMeetingOptions(match: StatedMatch, version?: number): object {
  return fillIn(MEETING_OPTIONS.filter(isPlay), match.options, defaultsFor(match, version));
}

export function fillGameOptions(match: StatedMatch, version?: number): FilledGameOptions;
export function fillGameOptions(match: StatedMatch, version?: number): object {
  return fillIn(ALL_OPTIONS.filter(isPlay), match.options, defaultsFor(match, version));
}

const ALL_OPTIONS: Rows = [...GAME_OPTIONS, ...MEETING_OPTIONS];

function isPlay(row: OptionRow): boolean {
  return row.type !== 'number' || row.isPace !== true;
}

/** For a header: no pace and no constant defaults. A written value stays if the default of its option is computed. */
export function omitDefaults<O extends object>(written: O, version?: number): O;
export function omitDefaults(written: object, version?: number): object {
  return omitFrom(ALL_OPTIONS, written, version);
}

function omitFrom(rows: Rows, written: unknown, version: number | undefined): object {
  const kept = rows.filter(isPlay).flatMap((row): readonly (readonly [string, unknown])[] => {
    const value = readField(written, row.yaml);
    if (value === undefined) return [];
    if (row.type === 'group') {
      const inner = omitFrom(row.rows, value, version);
      return Object.keys(inner).length === 0 ? [] : [[row.yaml, inner]];
    }
    return value === heldDefault(row, version) ? [] : [[row.yaml, value]];
  });
  return Object.fromEntries(kept);
}

/** Throws if an option is missing or has the wrong type. Ranges are not checked. */
export function complete<L extends Rows>(rows: L, values: unknown): OptionsOf<L> {
  if (isComplete(rows, values)) return values;
  throw new Error(
    `expected a value for each of ${rows.length} options, found ${JSON.stringify(values)}`,
  );
}

function isComplete<L extends Rows>(rows: L, values: unknown): values is OptionsOf<L> {
  return rows.every((row) => isOf(row, readField(values, row.key)));
}

function isOf(row: OptionRow, value: unknown): boolean {
  switch (row.type) {
    case 'number':
      return typeof value === 'number' || (row.default === null && value === null);
    case 'switch':
      return typeof value === 'boolean';
    case 'choice':
      return row.choices.some((choice) => choice === value);
    case 'group':
      return isComplete(row.rows, value);
  }
}

type NumberOption = Extract<
  (typeof GAME_OPTIONS | typeof MEETING_OPTIONS)[number],
  { readonly type: 'number' }
>['key'];

export function rangeOf(key: NumberOption): Range {
  const row = [...GAME_OPTIONS, ...MEETING_OPTIONS].find((one) => one.key === key);
  if (row?.type === 'number') return row.range;
  throw new Error(`expected the name of a number option, found ${key}`);
}

/** Seconds from the start of the game to the first kill. */
export function firstKillCooldown(options: GameOptions): number {
  return options.firstKillCooldown ?? options.killCooldown;
}

/** Rounds that `seconds` take. A started round counts as one. */
export function rounds(seconds: number): number {
  return Math.ceil(seconds / SECONDS_PER_ROUND);
}

export function mostImpostors(seats: number): number {
  if (seats < 7) return 1;
  return seats < 9 ? 2 : 3;
}

/** Problems of the options, in the order of the lobby screen. */
export function gameRefusals(options: GameOptions, seats: number): readonly Note[] {
  const { impostors } = options;
  const notes = GAME_OPTIONS.flatMap((row) =>
    row.type === 'number' && row.key !== 'impostors'
      ? rangeRefusal(row.yaml, row.range, options[row.key])
      : [],
  );
  const most = mostImpostors(seats);
  if (!(Number.isInteger(impostors) && impostors >= 1 && impostors <= most)) {
    const expected = most === 1 ? '1' : `1 to ${most}`;
    const text = `expected ${expected} of ${seats} players to be impostors, found ${impostors}`;
    notes.unshift(matchNote('impostors', text));
  }
  const { commonTasks, longTasks, shortTasks } = options;
  if (commonTasks + longTasks + shortTasks === 0)
    notes.push(matchNote('no-tasks', 'expected a task for each player, found none of any kind'));
  return notes;
}

function rangeRefusal(
  name: string,
  { least, most, step }: Range,
  value: number | null,
): readonly Note[] {
  if (value === null) return [];
  if (value >= least && value <= most && value % step === 0) return [];
  const steps = step === 1 ? '' : ` in steps of ${step}`;
  return [matchNote('range', `${name}: expected ${least} to ${most}${steps}, found ${value}`)];
}

export function matchNote(code: string, text: string): Note {
  return { code: `match/${code}`, text };
}
