/**
 * The options of a meeting: defaults, ranges and presets.
 *
 * Times are those of the Among Us lobby, in seconds; a tick stands for `secondsPerTick` of them, so that a meeting
 * takes the same course on a slow machine and on a fast one.
 */
import type { Note, RuleSet } from '../types.ts';
import { defaultWeights, type Weights } from './weights.ts';

/** Settings of a meeting. */
export type MeetingOptions = {
  readonly rules: RuleSet;
  /** Tell whether the ejected was an impostor. */
  readonly confirmEjects: boolean;
  /** Hide at the reveal who cast which ballot. */
  readonly anonymousVotes: boolean;
  /** Seconds of talk without votes (`classic`). */
  readonly discussionTime: number;
  /** Seconds of timed voting; 0 is no limit. */
  readonly votingTime: number;
  /** Seconds of meeting time that one tick stands for. */
  readonly secondsPerTick: number;
  /** Operator's limit: open timed voting after so many ticks; null is never (ruling 1). */
  readonly voteAfter: number | null;
  /** Operator's limit: stop as `unconverged` after so many ticks; null is never (ruling 1). */
  readonly maxTicks: number | null;
  /** Consecutive faults after which a player is disconnected (ruling 2). */
  readonly patience: number;
  /** The nudge comes when this many ticks have passed, and again every `nudgeEvery` ticks (ruling 34). */
  readonly nudgeAfter: number;
  readonly nudgeEvery: number;
  /** Size that the transcript should stay under, in tokens; the nudge comes at 80 % of it (ruling 35). */
  readonly tokenTarget: number;
  /** Longest message, in tokens; the rest is cut (ruling 35). */
  readonly messageTokens: number;
  /** Real or simulated milliseconds that the arbiter waits for bids. */
  readonly deadlineMs: number;
  /** Milliseconds that the engine rests between steps so that people can follow; 0 is none. */
  readonly beatMs: number;
  readonly weights: Weights;
};

export const FEWEST_SEATS = 4;
export const MOST_SEATS = 15;

/** Least, most and step of each number; the step is from the lobby screen where there is one. */
export const RANGES = {
  discussionTime: { least: 0, most: 120, step: 15 },
  votingTime: { least: 0, most: 300, step: 15 },
  secondsPerTick: { least: 1, most: 60, step: 1 },
  voteAfter: { least: 0, most: 10_000, step: 1 },
  maxTicks: { least: 1, most: 100_000, step: 1 },
  patience: { least: 1, most: 100, step: 1 },
  nudgeAfter: { least: 1, most: 10_000, step: 1 },
  nudgeEvery: { least: 1, most: 10_000, step: 1 },
  tokenTarget: { least: 100, most: 1_000_000, step: 1 },
  messageTokens: { least: 8, most: 4_000, step: 1 },
  deadlineMs: { least: 1, most: 3_600_000, step: 1 },
  beatMs: { least: 0, most: 60_000, step: 1 },
} as const;

/** Seconds that a human needs to say a sentence: the scale between lobby times and ticks. */
const SECONDS_PER_TICK = 5;
/** The transcript's target of the design, about 25k tokens. */
const TOKEN_TARGET = 25_000;
/** At this length about 180 messages fit the target. */
const MESSAGE_TOKENS = 120;
/** A slow model answers within a minute or is taken as silent. */
const DEADLINE_MS = 60_000;

/** The defaults for a table of `living` players. */
export function defaultOptions(living: number): MeetingOptions {
  return {
    rules: 'house',
    confirmEjects: true,
    anonymousVotes: false,
    discussionTime: 15,
    votingTime: 120,
    secondsPerTick: SECONDS_PER_TICK,
    voteAfter: null,
    maxTicks: null,
    patience: 5,
    nudgeAfter: 20,
    nudgeEvery: 5,
    tokenTarget: TOKEN_TARGET,
    messageTokens: MESSAGE_TOKENS,
    deadlineMs: DEADLINE_MS,
    beatMs: 0,
    weights: defaultWeights(living),
  };
}

/** Most impostors that a lobby of so many seats may have. */
export function mostImpostors(seats: number): number {
  if (seats < 7) return 1;
  return seats < 9 ? 2 : 3;
}

/*
 * The options of a whole game: defaults, ranges and what the lobby recommends for a number of players.
 *
 * Times are in the seconds of the lobby screen, speed and vision in its multiples. A round stands for 2.5 seconds, the
 * step of the kill cooldown, so that every time of the screen is a whole number of rounds (docs/decisions/0013). What
 * a meeting goes by is in `options.ts`.
 */

export const KILL_DISTANCES = ['short', 'normal', 'long'] as const;
type KillDistance = (typeof KILL_DISTANCES)[number];

export const TASK_BARS = ['always', 'meetings', 'never'] as const;
/** When everybody is told how many tasks are done. */
type TaskBar = (typeof TASK_BARS)[number];

export type GameOptions = {
  readonly impostors: number;
  /** Seconds. */
  readonly killCooldown: number;
  readonly killDistance: KillDistance;
  /** Steps a round: 1 is from a room into the hallway. */
  readonly playerSpeed: number;
  readonly crewVision: number;
  readonly impostorVision: number;
  /** Emergency meetings that each player may call. */
  readonly buttons: number;
  /** Seconds after the start and after a meeting in which the button does not work. */
  readonly emergencyCooldown: number;
  readonly visualTasks: boolean;
  readonly taskBar: TaskBar;
  /** Tasks of each kind for each player. */
  readonly commonTasks: number;
  readonly longTasks: number;
  readonly shortTasks: number;
  /** Dead crewmates go on with their tasks; where not, what they left undone is taken off the bar (ruling 37). */
  readonly ghostsDoTasks: boolean;
  /** Seconds between the end of a sabotage and the next one. */
  readonly sabotageCooldown: number;
  /** Seconds until the reactor melts. */
  readonly reactorSeconds: number;
  /** Seconds until the air is gone. */
  readonly o2Seconds: number;
  /** Seconds that doors stay shut. */
  readonly doorSeconds: number;
  /** Seconds until the doors of the same room can be shut again. */
  readonly doorCooldown: number;
  /** Operator's limit: the game is stopped as `unfinished` after so many rounds. */
  readonly maxRounds: number;
  /** Real or simulated milliseconds that the engine waits for the players of a round. */
  readonly roundDeadlineMs: number;
};

/** Seconds of the lobby that one round stands for. */
export const SECONDS_PER_ROUND = 2.5;

/** Rounds that so many seconds take; a started round counts whole. */
export function rounds(seconds: number): number {
  return Math.ceil(seconds / SECONDS_PER_ROUND);
}

/** Least, most and step of each number; those without a place on the lobby screen are as wide as makes sense. */
export const GAME_RANGES = {
  impostors: { least: 1, most: 3, step: 1 },
  killCooldown: { least: 10, most: 60, step: 2.5 },
  playerSpeed: { least: 0.5, most: 3, step: 0.25 },
  crewVision: { least: 0.25, most: 5, step: 0.25 },
  impostorVision: { least: 0.25, most: 5, step: 0.25 },
  buttons: { least: 0, most: 9, step: 1 },
  emergencyCooldown: { least: 0, most: 60, step: 5 },
  commonTasks: { least: 0, most: 2, step: 1 },
  longTasks: { least: 0, most: 3, step: 1 },
  shortTasks: { least: 0, most: 5, step: 1 },
  sabotageCooldown: { least: 0, most: 120, step: 2.5 },
  reactorSeconds: { least: 15, most: 120, step: 2.5 },
  o2Seconds: { least: 15, most: 120, step: 2.5 },
  doorSeconds: { least: 2.5, most: 60, step: 2.5 },
  doorCooldown: { least: 0, most: 120, step: 2.5 },
  maxRounds: { least: 1, most: 100_000, step: 1 },
  roundDeadlineMs: { least: 1, most: 3_600_000, step: 1 },
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

/** Fifty minutes of play: several times the longest game that people have the patience for. */
const MAX_ROUNDS = 1200;
/** A slow model answers within a minute or is taken to wait. */
const ROUND_DEADLINE_MS = 60_000;

/** The defaults for so many players. Numbers of players that no lobby has get what the nearest lobby has. */
export function defaultGameOptions(seats: number, rules: RuleSet = 'house'): GameOptions {
  const lobby = Math.min(MOST_SEATS, Math.max(FEWEST_SEATS, Math.floor(seats)));
  const advice = RECOMMENDED.find((row) => row.seats === lobby);
  return {
    impostors: advice?.impostors ?? 1,
    killCooldown: advice?.killCooldown ?? 45,
    killDistance: 'normal',
    playerSpeed: 1,
    crewVision: 1,
    impostorVision: 1.5,
    buttons: 1,
    emergencyCooldown: 15,
    visualTasks: true,
    taskBar: 'always',
    commonTasks: 1,
    longTasks: 1,
    shortTasks: 2,
    // Ruling 37: in `house` ghosts only watch.
    ghostsDoTasks: rules === 'classic',
    sabotageCooldown: 30,
    reactorSeconds: 30,
    o2Seconds: 30,
    doorSeconds: 10,
    doorCooldown: 30,
    maxRounds: MAX_ROUNDS,
    roundDeadlineMs: ROUND_DEADLINE_MS,
  };
}

/** Everything that is wrong with the options for so many players, in the order of the lobby screen. */
export function gameRefusals(options: GameOptions, seats: number): readonly Note[] {
  const { impostors, ...others } = options;
  const notes = Object.entries(others).flatMap(([name, value]) => rangeRefusal(name, value));
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

type Range = { readonly least: number; readonly most: number; readonly step: number };
const RANGE_OF: Readonly<Record<string, Range>> = GAME_RANGES;

function rangeRefusal(name: string, value: unknown): readonly Note[] {
  const range = RANGE_OF[name];
  if (range === undefined || typeof value !== 'number') return [];
  const { least, most, step } = range;
  if (value >= least && value <= most && value % step === 0) return [];
  const steps = step === 1 ? '' : ` in steps of ${step}`;
  return [note('range', `${name}: expected ${least} to ${most}${steps}, found ${value}`)];
}

function note(code: string, text: string): Note {
  return { code: `game/${code}`, text };
}
