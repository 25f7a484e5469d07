/**
 * The options of a match, each in one row: from these two lists come the types, the schema of a file, what a journal
 * writes, the JSON schema for editors and the tables in docs/weights.md and docs/skeld.md.
 *
 * Times are in the seconds of the Among Us lobby, speed and vision in its multiples. A tick of talk stands for
 * `secondsPerTick` of them and a round on the ship for 2.5, the step of the kill cooldown, so that every time of the
 * lobby screen is a whole number of rounds (docs/decisions/0013) and a match takes the same course on any machine.
 */
import { type Note, RULE_SETS, type RuleSet } from '../types.ts';
import { defaultWeights } from './weights.ts';

/** What a default may depend on. */
type DefaultsFor = {
  /** Living players of a meeting, all players of a game. */
  readonly players: number;
  readonly rules: RuleSet;
};
type Default<T> = T | ((table: DefaultsFor) => T);

type Described = {
  /** The name in our code. */
  readonly key: string;
  /** The name in files and journals. */
  readonly yaml: string;
  /** What it means, for editors and documents. */
  readonly help: string;
  /** Where the default is from: the settings screen of Among Us, the design or one of its rulings, or our own choice. */
  readonly source: string;
  /** The default in words where it depends on the table. */
  readonly defaultText?: string;
};
type NumberRow = {
  readonly type: 'number';
  readonly range: Range;
  readonly unit?: string;
  /** May be null, which means never where the row has no `defaultText` of its own. */
  readonly orNull?: true;
  readonly default: Default<number | null>;
  /** How fast it is shown, not what happens: no journal has it. */
  readonly isPace?: true;
};
type SwitchRow = { readonly type: 'switch'; readonly default: Default<boolean> };
type ChoiceRow = {
  readonly type: 'choice';
  readonly choices: readonly string[];
  readonly default: Default<string>;
};
/** Numbers under a key of their own. Their ranges are the business of a rule, whose refusal shows the arithmetic. */
type GroupRow = { readonly type: 'group'; readonly rows: readonly OptionRow[] };
export type OptionRow = Described & (NumberRow | SwitchRow | ChoiceRow | GroupRow);

/** Least and most of a number, and the step between its values; the step is from the lobby screen where there is one. */
export type Range = { readonly least: number; readonly most: number; readonly step: number };

/** The value of a row. */
export type OptionValue<R extends OptionRow> = R extends { readonly type: 'number' }
  ? R extends { readonly orNull: true }
    ? number | null
    : number
  : R extends { readonly type: 'switch' }
    ? boolean
    : R extends { readonly type: 'choice' }
      ? R['choices'][number]
      : R extends { readonly type: 'group' }
        ? OptionsOf<R['rows']>
        : never;
type OptionsOf<L extends readonly OptionRow[]> = {
  readonly [R in L[number] as R['key']]: OptionValue<R>;
};

export const FEWEST_SEATS = 4;
export const MOST_SEATS = 15;

/** Seconds of the lobby that one round stands for. */
export const SECONDS_PER_ROUND = 2.5;

/** No single weight may drown the design's own scale of 0 to 10 for desire. */
const WEIGHT = {
  type: 'number',
  range: { least: 0, most: 100, step: 1 },
  source: 'ours',
} as const;

/** What the lobby recommends: impostors, and the kill cooldown in seconds, for 4 to 15 players. */
export const RECOMMENDED: readonly {
  readonly seats: number;
  readonly impostors: number;
  readonly killCooldown: number;
}[] = [
  { seats: 4, impostors: 1, killCooldown: 45 },
  { seats: 5, impostors: 1, killCooldown: 30 },
  { seats: 6, impostors: 1, killCooldown: 15 },
  { seats: 7, impostors: 2, killCooldown: 35 },
  { seats: 8, impostors: 2, killCooldown: 30 },
  { seats: 9, impostors: 2, killCooldown: 25 },
  { seats: 10, impostors: 2, killCooldown: 20 },
  { seats: 11, impostors: 2, killCooldown: 20 },
  { seats: 12, impostors: 3, killCooldown: 20 },
  { seats: 13, impostors: 3, killCooldown: 20 },
  { seats: 14, impostors: 3, killCooldown: 20 },
  { seats: 15, impostors: 3, killCooldown: 20 },
];

function recommended(players: number) {
  const seats = Math.min(MOST_SEATS, Math.max(FEWEST_SEATS, Math.floor(players)));
  return RECOMMENDED.find((row) => row.seats === seats) ?? { impostors: 1, killCooldown: 45 };
}

const KILL_DISTANCES = ['short', 'normal', 'long'] as const;
const TASK_BARS = ['always', 'meetings', 'never'] as const;
export const ATTENTIONS = ['few', 'normal', 'all'] as const;

/** The options of a whole game. */
export const GAME_OPTIONS = [
  {
    key: 'impostors',
    yaml: 'impostors',
    type: 'number',
    range: { least: 1, most: 3, step: 1 },
    default: ({ players }) => recommended(players).impostors,
    defaultText: 'as recommended',
    source: 'lobby',
    help: 'Impostors in the game',
  },
  {
    key: 'killCooldown',
    yaml: 'kill_cooldown',
    type: 'number',
    range: { least: 10, most: 60, step: 2.5 },
    unit: 'seconds',
    default: ({ players }) => recommended(players).killCooldown,
    defaultText: 'as recommended',
    source: 'lobby',
    help: 'Time from one kill of an impostor to the next',
  },
  /** The game on the screen has 10 s; no ruling asks for it, so a lobby says so. */
  {
    key: 'firstKillCooldown',
    yaml: 'first_kill_cooldown',
    type: 'number',
    range: { least: 10, most: 60, step: 2.5 },
    unit: 'seconds',
    orNull: true,
    default: null,
    defaultText: 'as `kill_cooldown`',
    source: 'ours',
    help: 'Time from the start of the game to the first kill; 10 in Among Us',
  },
  {
    key: 'killDistance',
    yaml: 'kill_distance',
    type: 'choice',
    choices: KILL_DISTANCES,
    default: 'normal',
    source: 'lobby',
    help: 'How near a victim must be',
  },
  {
    key: 'playerSpeed',
    yaml: 'player_speed',
    type: 'number',
    range: { least: 0.5, most: 3, step: 0.25 },
    default: 1,
    source: 'lobby',
    help: 'Steps in a round; 1 is from a room into the hallway',
  },
  {
    key: 'crewVision',
    yaml: 'crew_vision',
    type: 'number',
    range: { least: 0.25, most: 5, step: 0.25 },
    default: 1,
    source: 'lobby',
    help: 'How far crewmates see',
  },
  {
    key: 'impostorVision',
    yaml: 'impostor_vision',
    type: 'number',
    range: { least: 0.25, most: 5, step: 0.25 },
    default: 1.5,
    source: 'lobby',
    help: 'How far impostors see',
  },
  {
    key: 'buttons',
    yaml: 'buttons',
    type: 'number',
    range: { least: 0, most: 9, step: 1 },
    default: 1,
    source: 'lobby',
    help: 'Emergency meetings that each player may call',
  },
  {
    key: 'emergencyCooldown',
    yaml: 'emergency_cooldown',
    type: 'number',
    range: { least: 0, most: 60, step: 5 },
    unit: 'seconds',
    default: 15,
    source: 'lobby',
    help: 'Time after the start and after each meeting in which the button does not work',
  },
  {
    key: 'showImpostors',
    yaml: 'show_impostors',
    type: 'switch',
    default: true,
    source: 'ruling 51',
    help: 'Tell everybody how many impostors there are',
  },
  {
    key: 'visualTasks',
    yaml: 'visual_tasks',
    type: 'switch',
    default: true,
    source: 'lobby',
    help: 'Whether others can see that a visual task is done',
  },
  {
    key: 'taskBar',
    yaml: 'task_bar',
    type: 'choice',
    choices: TASK_BARS,
    default: 'always',
    source: 'lobby',
    help: 'When all players learn how many tasks are done',
  },
  {
    key: 'commonTasks',
    yaml: 'common_tasks',
    type: 'number',
    range: { least: 0, most: 2, step: 1 },
    default: 1,
    source: 'lobby',
    help: 'Common tasks for each player',
  },
  {
    key: 'longTasks',
    yaml: 'long_tasks',
    type: 'number',
    range: { least: 0, most: 3, step: 1 },
    default: 1,
    source: 'lobby',
    help: 'Long tasks for each player',
  },
  {
    key: 'shortTasks',
    yaml: 'short_tasks',
    type: 'number',
    range: { least: 0, most: 5, step: 1 },
    default: 2,
    source: 'lobby',
    help: 'Short tasks for each player',
  },
  {
    key: 'ghostsDoTasks',
    yaml: 'ghosts_do_tasks',
    type: 'switch',
    default: ({ rules }) => rules === 'classic',
    defaultText: '`classic`: `true`, `house`: `false`',
    source: 'ruling 37',
    help: 'Whether dead crewmates go on with their tasks; where not, what they left undone is taken off the bar',
  },
  {
    key: 'sabotageCooldown',
    yaml: 'sabotage_cooldown',
    type: 'number',
    range: { least: 0, most: 120, step: 2.5 },
    unit: 'seconds',
    default: 30,
    source: 'ours',
    help: 'Time between the end of a sabotage and the next one',
  },
  {
    key: 'reactorSeconds',
    yaml: 'reactor_seconds',
    type: 'number',
    range: { least: 15, most: 120, step: 2.5 },
    unit: 'seconds',
    default: 30,
    source: 'ours',
    help: 'Time until the reactor melts',
  },
  {
    key: 'o2Seconds',
    yaml: 'o2_seconds',
    type: 'number',
    range: { least: 15, most: 120, step: 2.5 },
    unit: 'seconds',
    default: 30,
    source: 'ours',
    help: 'Time until the air is gone',
  },
  {
    key: 'doorSeconds',
    yaml: 'door_seconds',
    type: 'number',
    range: { least: 2.5, most: 60, step: 2.5 },
    unit: 'seconds',
    default: 10,
    source: 'ours',
    help: 'Time that doors stay shut',
  },
  {
    key: 'doorCooldown',
    yaml: 'door_cooldown',
    type: 'number',
    range: { least: 0, most: 120, step: 2.5 },
    unit: 'seconds',
    default: 30,
    source: 'ours',
    help: 'Time until the doors of the same room can be shut again',
  },
  /** What it costs and does in play is measured in docs/prompts.md. */
  {
    key: 'attention',
    yaml: 'attention',
    type: 'choice',
    choices: ATTENTIONS,
    default: 'normal',
    source: 'ours',
    help: 'Which comings and goings a player is asked for anew: `all` of them; `normal`, who comes, and for impostors also who goes; `few`, only for impostors who can kill',
  },
  /** By default fifty minutes of play: several times the longest game that people have the patience for. */
  {
    key: 'maxRounds',
    yaml: 'max_rounds',
    type: 'number',
    range: { least: 1, most: 100_000, step: 1 },
    unit: 'rounds',
    default: 1200,
    source: 'ours',
    help: 'Stop the game as `unfinished` after this many rounds',
  },
  /** A slow model answers within a minute, or its player waits this round. */
  {
    key: 'roundDeadlineMs',
    yaml: 'round_deadline_ms',
    type: 'number',
    range: { least: 1, most: 3_600_000, step: 1 },
    unit: 'milliseconds',
    default: 60_000,
    source: 'ours',
    help: 'Time, real or simulated, that the engine waits for the players of a round',
  },
] as const satisfies readonly OptionRow[];

/** The boost of silence (`weights.ts`). */
const SILENCE_OPTIONS = [
  {
    ...WEIGHT,
    key: 'slope',
    yaml: 'slope',
    range: { least: 1, most: 100, step: 1 },
    default: ({ players }) => defaultWeights(players).silence.slope,
    defaultText: 'by the number of living players, below',
    help: 'Boost for each tick of silence',
  },
  {
    ...WEIGHT,
    key: 'grace',
    yaml: 'grace',
    default: ({ players }) => defaultWeights(players).silence.grace,
    help: 'Ticks of silence without a boost',
  },
  {
    ...WEIGHT,
    key: 'cap',
    yaml: 'cap',
    orNull: true,
    default: ({ players }) => defaultWeights(players).silence.cap,
    help: 'Most that silence can add; large enough that no player is kept from the floor',
  },
] as const satisfies readonly OptionRow[];

/** The weights of the priority (`weights.ts`). */
const WEIGHT_OPTIONS = [
  {
    ...WEIGHT,
    key: 'mention',
    yaml: 'mention',
    default: ({ players }) => defaultWeights(players).mention,
    help: 'For a player who was named and has not spoken since',
  },
  {
    ...WEIGHT,
    key: 'accusation',
    yaml: 'accusation',
    default: ({ players }) => defaultWeights(players).accusation,
    help: 'For a player who was accused and has not spoken since',
  },
  {
    ...WEIGHT,
    key: 'recentSpeaker',
    yaml: 'recent_speaker',
    default: ({ players }) => defaultWeights(players).recentSpeaker,
    help: 'Against the player who spoke last',
  },
  {
    ...WEIGHT,
    key: 'voted',
    yaml: 'voted',
    default: ({ players }) => defaultWeights(players).voted,
    help: 'Against a player who has voted',
  },
  {
    key: 'silence',
    yaml: 'silence',
    type: 'group',
    rows: SILENCE_OPTIONS,
    source: 'ours',
    help: 'The boost of silence',
  },
] as const satisfies readonly OptionRow[];

/** The options of a meeting; a game has them too, for all its meetings. */
export const MEETING_OPTIONS = [
  {
    key: 'rules',
    yaml: 'rules',
    type: 'choice',
    choices: RULE_SETS,
    default: 'house',
    source: 'design',
    help: '`house`: votes at any time. `classic`: talk without votes, then timed voting',
  },
  {
    key: 'confirmEjects',
    yaml: 'confirm_ejects',
    type: 'switch',
    default: true,
    source: 'lobby',
    help: 'Announce whether the ejected was an impostor',
  },
  {
    key: 'anonymousVotes',
    yaml: 'anonymous_votes',
    type: 'switch',
    default: false,
    source: 'lobby',
    help: 'Do not show at the reveal who cast which ballot',
  },
  {
    key: 'discussionTime',
    yaml: 'discussion_time',
    type: 'number',
    range: { least: 0, most: 120, step: 15 },
    unit: 'seconds',
    default: 15,
    source: 'lobby',
    help: 'Talk without votes; `classic` only',
  },
  {
    key: 'votingTime',
    yaml: 'voting_time',
    type: 'number',
    range: { least: 0, most: 300, step: 15 },
    unit: 'seconds',
    default: 120,
    source: 'lobby',
    help: 'Timed voting; 0 is no limit',
  },
  /** By default what a human needs to say a sentence. */
  {
    key: 'secondsPerTick',
    yaml: 'seconds_per_tick',
    type: 'number',
    range: { least: 1, most: 60, step: 1 },
    unit: 'seconds',
    default: 5,
    source: 'ours',
    help: 'Time of the two above that one tick stands for; a started tick counts whole',
  },
  {
    key: 'voteAfter',
    yaml: 'vote_after',
    type: 'number',
    range: { least: 0, most: 10_000, step: 1 },
    unit: 'ticks',
    orNull: true,
    default: null,
    source: 'ruling 1',
    help: "Operator's limit: open timed voting after this many ticks",
  },
  {
    key: 'maxTicks',
    yaml: 'max_ticks',
    type: 'number',
    range: { least: 1, most: 100_000, step: 1 },
    unit: 'ticks',
    orNull: true,
    default: null,
    source: 'ruling 1',
    help: "Operator's limit: stop the meeting as `unconverged` after this many ticks of talk",
  },
  {
    key: 'patience',
    yaml: 'patience',
    type: 'number',
    range: { least: 1, most: 100, step: 1 },
    default: 5,
    source: 'ruling 2',
    help: 'Faults in a row after which a player is disconnected',
  },
  {
    key: 'nudgeAfter',
    yaml: 'nudge_after',
    type: 'number',
    range: { least: 1, most: 10_000, step: 1 },
    unit: 'ticks',
    default: 20,
    source: 'ours',
    help: 'Talk after which System says "wrap it up"',
  },
  {
    key: 'nudgeEvery',
    yaml: 'nudge_every',
    type: 'number',
    range: { least: 1, most: 10_000, step: 1 },
    unit: 'ticks',
    default: 5,
    source: 'ruling 34',
    help: 'Time between two nudges, whatever their reason',
  },
  {
    key: 'tokenTarget',
    yaml: 'token_target',
    type: 'number',
    range: { least: 100, most: 1_000_000, step: 1 },
    unit: 'tokens',
    default: 25_000,
    source: 'design',
    help: 'Size that the transcript should stay under; the nudge comes at 80 % of it',
  },
  /** By default about 200 messages fit the target. */
  {
    key: 'messageTokens',
    yaml: 'message_tokens',
    type: 'number',
    range: { least: 8, most: 4_000, step: 1 },
    unit: 'tokens',
    default: 120,
    source: 'ruling 35',
    help: 'Longest message; the rest is cut',
  },
  /** A slow model answers within a minute, or its player is silent. */
  {
    key: 'deadlineMs',
    yaml: 'deadline_ms',
    type: 'number',
    range: { least: 1, most: 3_600_000, step: 1 },
    unit: 'milliseconds',
    default: 60_000,
    source: 'ours',
    help: 'Time, real or simulated, that the arbiter waits for bids, and the gallery for ghosts',
  },
  {
    key: 'beatMs',
    yaml: 'beat_ms',
    type: 'number',
    range: { least: 0, most: 60_000, step: 1 },
    unit: 'milliseconds',
    default: 0,
    isPace: true,
    source: 'ours',
    help: 'Rest between two steps, for people who watch; not written to the journal',
  },
  {
    key: 'weights',
    yaml: 'weights',
    type: 'group',
    rows: WEIGHT_OPTIONS,
    source: 'ours',
    help: 'Weights of the priority',
  },
] as const satisfies readonly OptionRow[];

export type MeetingOptions = OptionsOf<typeof MEETING_OPTIONS>;
export type GameOptions = OptionsOf<typeof GAME_OPTIONS>;

/** The defaults for a meeting of `living` players. */
export function defaultOptions(living: number): MeetingOptions {
  return complete(MEETING_OPTIONS, defaults(MEETING_OPTIONS, { players: living, rules: 'house' }));
}

/** The defaults for a game. Numbers of players that no lobby has get what the nearest lobby has. */
export function defaultGameOptions(players: number, rules: RuleSet = 'house'): GameOptions {
  return complete(GAME_OPTIONS, defaults(GAME_OPTIONS, { players, rules }));
}

function defaults(rows: readonly OptionRow[], table: DefaultsFor): object {
  return Object.fromEntries(rows.map((row) => [row.key, defaultOf(row, table)]));
}

function defaultOf(row: OptionRow, table: DefaultsFor): unknown {
  if (row.type === 'group') return defaults(row.rows, table);
  return typeof row.default === 'function' ? row.default(table) : row.default;
}

/** Options as a value of their type; throws where one is missing or of another kind. Ranges are not asked for. */
export function complete<L extends readonly OptionRow[]>(rows: L, values: unknown): OptionsOf<L> {
  if (isComplete(rows, values)) return values;
  throw new Error(
    `expected a value for each of ${rows.length} options, found ${JSON.stringify(values)}`,
  );
}

function isComplete<L extends readonly OptionRow[]>(
  rows: L,
  values: unknown,
): values is OptionsOf<L> {
  if (typeof values !== 'object' || values === null) return false;
  const found = new Map<string, unknown>(Object.entries(values));
  return rows.every((row) => isOf(row, found.get(row.key)));
}

/** Whether a value is of the kind that a row wants. */
function isOf(row: OptionRow, value: unknown): boolean {
  switch (row.type) {
    case 'number':
      return typeof value === 'number' || (row.orNull === true && value === null);
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

/** The range of an option that is a number. */
export function rangeOf(key: NumberOption): Range {
  const row = [...GAME_OPTIONS, ...MEETING_OPTIONS].find((one) => one.key === key);
  if (row?.type === 'number') return row.range;
  throw new Error(`there is no number called ${key} among the options`);
}

/** Seconds from the start of the game in which nobody is killed. */
export function firstKillCooldown(options: GameOptions): number {
  return options.firstKillCooldown ?? options.killCooldown;
}

/** Rounds that `seconds` take; a started round counts whole. */
export function rounds(seconds: number): number {
  return Math.ceil(seconds / SECONDS_PER_ROUND);
}

/** Most impostors that a lobby of `seats` may have. */
export function mostImpostors(seats: number): number {
  if (seats < 7) return 1;
  return seats < 9 ? 2 : 3;
}

/** Everything that is wrong with the options for a number of players, in the order of the lobby screen. */
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
    notes.unshift(note('impostors', text));
  }
  const { commonTasks, longTasks, shortTasks } = options;
  if (commonTasks + longTasks + shortTasks === 0) {
    notes.push(note('no-tasks', 'expected a task for each player, found none of any kind'));
  }
  return notes;
}

function rangeRefusal(
  name: string,
  { least, most, step }: Range,
  value: number | null,
): readonly Note[] {
  // Only the rows that may be null have a type that lets it in.
  if (value === null) return [];
  if (value >= least && value <= most && value % step === 0) return [];
  const steps = step === 1 ? '' : ` in steps of ${step}`;
  return [note('range', `${name}: expected ${least} to ${most}${steps}, found ${value}`)];
}

function note(code: string, text: string): Note {
  return { code: `match/${code}`, text };
}
