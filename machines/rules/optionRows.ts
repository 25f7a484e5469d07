/**
 * The options of a match, one row each. Types, the schemas of files and editors, the headers of journals and the tables
 * in docs/weights.md and docs/skeld.md come from these two lists. Times are in seconds of the Among Us lobby, and speed
 * and vision in its multiples. A round on the ship takes 2.5 seconds, the step of the kill cooldown, so every time of
 * the lobby is a whole number of rounds (docs/decisions/0013).
 *
 * Journals omit options at their default. To change a default, raise `VERSIONS.rules` (machines/versions.ts) and keep
 * the old default in `earlier`.
 */
import { type Role, RULE_SETS, type RuleSet } from '../types.ts';
import type { WeightedTerm } from './scoreTerms.ts';
import { DEFAULT_TERMS, leastSlope, mapWeights, WEIGHTED_TERMS } from './weights.ts';

export type DefaultsFor = {
  /** Living players of a meeting, all players of a game. */
  readonly players: number;
  readonly rules: RuleSet;
  /** The seats of a game. Undefined if no role is written. */
  readonly seats?: OpenSeats | undefined;
  /** The version of the rules. Undefined for the current one. */
  readonly version?: number | undefined;
  /** The weights that are written. */
  readonly weights?: Readonly<Record<string, unknown>> | undefined;
};
type Default<T> = T | ((table: DefaultsFor) => T);
type Defaulted<T> = {
  /** A computed default applies only if no value is written. */
  readonly default: Default<T>;
  /** Former defaults, oldest first. `until` is the last version of the rules with it. */
  readonly earlier?: readonly { readonly until: number; readonly default: Default<T> }[];
};
type Described = {
  /** The name in files and journals. */
  readonly yaml: string;
  readonly help: string;
  /** The source of the default: the lobby of Among Us, the design, a ruling, or ours. */
  readonly source: string;
  readonly defaultText?: string;
};
/** May be null if its default is, which means never unless `defaultText` says otherwise. */
type NumberRow = Defaulted<number | null> & {
  readonly type: 'number';
  readonly range: Range;
  readonly unit?: string;
  /** Changes how fast a match is shown, but not its course. Journals omit it. */
  readonly isPace?: true;
};
type SwitchRow = Defaulted<boolean> & { readonly type: 'switch' };
type ChoiceRow = Defaulted<string> & {
  readonly type: 'choice';
  readonly choices: readonly string[];
};
/** Numbers under one key. A rule checks their ranges, and its refusal shows the arithmetic. */
type GroupRow = { readonly type: 'group'; readonly rows: readonly OptionRow[] };
export type OptionRow = Described & {
  readonly key: string;
} & (NumberRow | SwitchRow | ChoiceRow | GroupRow);

/** "kill_cooldown" becomes "killCooldown". */
type CamelCase<S extends string> = S extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : S;

/** A row without its names. The source is ours if it is left out. */
type NamelessRow<T extends OptionRow['type']> = Omit<
  Extract<OptionRow, { readonly type: T }>,
  'type' | 'yaml' | 'key' | 'source'
> & { readonly source?: string };

function option<
  const T extends OptionRow['type'],
  const Y extends string,
  const R extends NamelessRow<T>,
>(
  type: T,
  yaml: Y,
  row: R,
): R & { readonly type: T; readonly yaml: Y; readonly key: CamelCase<Y>; readonly source: string };
function option(type: string, yaml: string, row: object): object {
  const key = yaml.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());
  return { source: 'ours', ...row, type, yaml, key };
}

function inUnits(unit: string, least: number, most: number, step = 1) {
  return { unit, range: { least, most, step } };
}

export type Range = { readonly least: number; readonly most: number; readonly step: number };

export const FEWEST_SEATS = 4;
export const MOST_SEATS = 15;

/** No single weight may drown the design's own scale of 0 to 10 for desire. */
const WEIGHT = { range: { least: 0, most: 100, step: 1 }, source: 'ours' } as const;

/** Recommended by the lobby, in seconds, for 4 seats and more. */
const KILL_COOLDOWNS = [45, 30, 15, 35, 30, 25, 20, 20, 20, 20, 20, 20];

export const RECOMMENDED = KILL_COOLDOWNS.map((killCooldown, place) => {
  const seats = FEWEST_SEATS + place;
  return { seats, impostors: 1 + Number(seats >= 7) + Number(seats >= 12), killCooldown };
});

function defaultImpostors({ players, seats }: DefaultsFor): number {
  const { impostors } = recommended(players);
  return seats === undefined ? impostors : countImpostors(seats, impostors);
}

type OpenSeats = readonly { readonly role?: Role | undefined }[];

/** The recommended number of impostors, within the limits of the written roles. */
export function countImpostors(seats: OpenSeats, recommended: number): number {
  const named = seats.filter(({ role }) => role === 'impostor').length;
  const free = seats.filter(({ role }) => role !== 'crewmate').length;
  return Math.min(free, Math.max(named, recommended));
}

function recommended(players: number) {
  const seats = Math.min(MOST_SEATS, Math.max(FEWEST_SEATS, Math.floor(players)));
  return RECOMMENDED.find((row) => row.seats === seats) ?? { impostors: 1, killCooldown: 45 };
}

const KILL_DISTANCES = ['short', 'normal', 'long'] as const;
const TASK_BARS = ['always', 'meetings', 'never'] as const;
const ATTENTIONS = ['few', 'normal', 'all'] as const;

export const GAME_OPTIONS = [
  option('number', 'impostors', {
    range: { least: 1, most: 3, step: 1 },
    default: defaultImpostors,
    defaultText: 'as recommended',
    source: 'lobby',
    help: 'Impostors in the game',
  }),
  option('number', 'kill_cooldown', {
    ...inUnits('seconds', 10, 60, 2.5),
    default: ({ players }) => recommended(players).killCooldown,
    defaultText: 'as recommended',
    source: 'lobby',
    help: 'Time from one kill of an impostor to the next',
  }),
  /** Among Us has 10 s, but no ruling asks for it. */
  option('number', 'first_kill_cooldown', {
    ...inUnits('seconds', 10, 60, 2.5),
    default: null,
    defaultText: 'as `kill_cooldown`',
    help: 'Time from the start of the game to the first kill; 10 in Among Us',
  }),
  option('choice', 'kill_distance', {
    choices: KILL_DISTANCES,
    default: 'normal',
    source: 'lobby',
    help: 'How near a victim must be',
  }),
  option('number', 'player_speed', {
    range: { least: 0.5, most: 3, step: 0.25 },
    default: 1,
    source: 'lobby',
    help: 'Steps in a round; 1 is from a room into the hallway',
  }),
  option('number', 'crew_vision', {
    range: { least: 0.25, most: 5, step: 0.25 },
    default: 1,
    source: 'lobby',
    help: 'How far crewmates see',
  }),
  option('number', 'impostor_vision', {
    range: { least: 0.25, most: 5, step: 0.25 },
    default: 1.5,
    source: 'lobby',
    help: 'How far impostors see',
  }),
  option('number', 'buttons', {
    range: { least: 0, most: 9, step: 1 },
    default: 1,
    source: 'lobby',
    help: 'Emergency meetings that each player may call',
  }),
  option('number', 'emergency_cooldown', {
    ...inUnits('seconds', 0, 60, 5),
    default: 15,
    source: 'lobby',
    help: 'Time without the button after the start and after each meeting',
  }),
  option('switch', 'show_impostors', {
    default: true,
    source: 'ruling 51',
    help: 'Tell everybody how many impostors there are',
  }),
  option('switch', 'visual_tasks', {
    default: true,
    source: 'lobby',
    help: 'Whether others can see that a visual task is done',
  }),
  option('choice', 'task_bar', {
    choices: TASK_BARS,
    default: 'always',
    source: 'lobby',
    help: 'When all players learn how many tasks are done',
  }),
  option('number', 'common_tasks', {
    range: { least: 0, most: 2, step: 1 },
    default: 1,
    source: 'lobby',
    help: 'Common tasks for each player',
  }),
  option('number', 'long_tasks', {
    range: { least: 0, most: 3, step: 1 },
    default: 1,
    source: 'lobby',
    help: 'Long tasks for each player',
  }),
  option('number', 'short_tasks', {
    range: { least: 0, most: 5, step: 1 },
    default: 2,
    source: 'lobby',
    help: 'Short tasks for each player',
  }),
  option('switch', 'ghosts_do_tasks', {
    default: ({ rules }) => rules === 'classic',
    defaultText: '`classic`: `true`, `house`: `false`',
    source: 'ruling 37',
    help: 'Whether dead crewmates do tasks; if not, their open tasks leave the bar',
  }),
  option('number', 'sabotage_cooldown', {
    ...inUnits('seconds', 0, 120, 2.5),
    default: 30,
    help: 'Time between the end of a sabotage and the next one',
  }),
  option('number', 'reactor_seconds', {
    ...inUnits('seconds', 15, 120, 2.5),
    default: 30,
    help: 'Time until the reactor melts',
  }),
  option('number', 'o2_seconds', {
    ...inUnits('seconds', 15, 120, 2.5),
    default: 30,
    help: 'Time until the air is gone',
  }),
  option('number', 'door_seconds', {
    ...inUnits('seconds', 2.5, 60, 2.5),
    default: 10,
    help: 'Time that doors stay shut',
  }),
  option('number', 'door_cooldown', {
    ...inUnits('seconds', 0, 120, 2.5),
    default: 30,
    help: 'Time until the doors of the same room can be shut again',
  }),
  /** docs/prompts.md has its measured cost and effect. */
  option('choice', 'attention', {
    choices: ATTENTIONS,
    default: 'normal',
    help: 'When a player is asked anew: `all` comings and goings; `normal`, when others come, and for impostors also when they go; `few`, only impostors who can kill',
  }),
  /** The default is fifty minutes of play, several times the longest game of people. */
  option('number', 'max_rounds', {
    ...inUnits('rounds', 1, 100_000),
    default: 1200,
    help: 'Stop the game as `unfinished` after this many rounds',
  }),
  /** Enough for a slow model. Without an answer its player waits this round. */
  option('number', 'round_deadline_ms', {
    ...inUnits('milliseconds', 1, 3_600_000),
    default: 60_000,
    help: 'Longest wait for the players of a round, in real or simulated time',
  }),
] as const satisfies readonly OptionRow[];

export const SILENCE_OPTIONS = [
  option('number', 'slope', {
    ...WEIGHT,
    range: { least: 1, most: 100, step: 1 },
    default: ({ players, weights }) =>
      leastSlope(
        mapWeights(({ yaml, weight }) => Number(weights?.[yaml] ?? weight)),
        players,
      ),
    defaultText: 'by the weights and the number of living players',
    earlier: [{ until: 3, default: ({ players }) => leastSlope(DEFAULT_TERMS, players) }],
    help: 'Boost for each tick of silence after the grace',
  }),
  option('number', 'grace', {
    ...WEIGHT,
    default: ({ players }) => players,
    defaultText: 'the number of living players',
    earlier: [{ until: 3, default: 0 }],
    help: 'Ticks of silence without a boost',
  }),
  option('number', 'cap', {
    ...WEIGHT,
    range: { least: 0, most: Number.MAX_SAFE_INTEGER, step: 1 },
    default: null,
    defaultText: 'none',
    help: 'Most that silence can add, large enough that nobody starves',
  }),
] as const satisfies readonly OptionRow[];

const SILENCE_GROUP = option('group', 'silence', {
  rows: SILENCE_OPTIONS,
  help: 'The boost of silence',
});

type WeightRow = Described &
  NumberRow & {
    readonly key: WeightedTerm;
    readonly yaml: (typeof WEIGHTED_TERMS)[number]['yaml'];
  };

const WEIGHT_OPTIONS: readonly (WeightRow | typeof SILENCE_GROUP)[] = [
  ...WEIGHTED_TERMS.map(({ key, yaml, weight, help }): WeightRow => {
    return { ...WEIGHT, type: 'number', key, yaml, default: weight, help };
  }),
  SILENCE_GROUP,
];

/** The options of a meeting. A game has them for all its meetings. */
export const MEETING_OPTIONS = [
  option('choice', 'rules', {
    choices: RULE_SETS,
    default: 'house',
    source: 'design',
    help: '`house`: votes at any time. `classic`: talk without votes, then timed voting',
  }),
  option('switch', 'confirm_ejects', {
    default: true,
    source: 'lobby',
    help: 'Announce whether the ejected was an impostor',
  }),
  option('switch', 'anonymous_votes', {
    default: false,
    source: 'lobby',
    help: 'Do not show at the reveal who cast which ballot',
  }),
  option('number', 'discussion_time', {
    ...inUnits('seconds', 0, 120, 15),
    default: 15,
    source: 'lobby',
    help: 'Talk without votes; `classic` only',
  }),
  option('number', 'voting_time', {
    ...inUnits('seconds', 0, 300, 15),
    default: 120,
    source: 'lobby',
    help: 'Timed voting; 0 is no limit',
  }),
  /** The default is the time that a person needs for a sentence. */
  option('number', 'seconds_per_tick', {
    ...inUnits('seconds', 1, 60),
    default: 5,
    help: 'Time that one tick takes from the two above, rounded up',
  }),
  option('number', 'vote_after', {
    ...inUnits('ticks', 0, 10_000),
    default: null,
    source: 'ruling 1',
    help: "Operator's limit: open timed voting after this many ticks",
  }),
  option('number', 'max_ticks', {
    ...inUnits('ticks', 1, 100_000),
    default: null,
    source: 'ruling 1',
    help: "Operator's limit: stop the meeting as `unconverged` after this many ticks of talk",
  }),
  option('number', 'patience', {
    range: { least: 1, most: 100, step: 1 },
    default: 5,
    source: 'ruling 2',
    help: 'Faults in a row after which a player is disconnected',
  }),
  option('number', 'nudge_after', {
    ...inUnits('ticks', 1, 10_000),
    default: 20,
    help: 'Talk after which System says "wrap it up"',
  }),
  option('number', 'nudge_every', {
    ...inUnits('ticks', 1, 10_000),
    default: 5,
    source: 'ruling 34',
    help: 'Time between two nudges, whatever their reason',
  }),
  option('number', 'token_target', {
    ...inUnits('tokens', 100, 1_000_000),
    default: 25_000,
    source: 'design',
    help: 'Largest transcript; the nudge comes at 80 % of it',
  }),
  /** With the default, about 200 messages fit the token target. */
  option('number', 'message_tokens', {
    ...inUnits('tokens', 8, 4_000),
    default: 120,
    source: 'ruling 35',
    help: 'Longest message; the rest is cut',
  }),
  /** Enough for a slow model. Without an answer its player is silent. */
  option('number', 'deadline_ms', {
    ...inUnits('milliseconds', 1, 3_600_000),
    default: 60_000,
    help: 'Longest wait for bids and for ghosts, in real or simulated time',
  }),
  option('number', 'beat_ms', {
    ...inUnits('milliseconds', 0, 60_000),
    default: 0,
    isPace: true,
    help: 'Rest between two steps, for people who watch; not written to the journal',
  }),
  option('group', 'weights', {
    rows: WEIGHT_OPTIONS,
    help: 'Weights of the priority',
  }),
] as const satisfies readonly OptionRow[];
