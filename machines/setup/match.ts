/**
 * A scenario: everything that is fixed before a meeting begins, as people write it and as the journal keeps it.
 *
 * The schema is the wire form, in snake_case. Defaults are filled in when a scenario is resolved, so that a journal
 * says everything and a later change of defaults can't change a replay.
 */
import { z } from 'zod';
import {
  defaultGameOptions,
  defaultOptions,
  GAME_RANGES,
  type GameOptions,
  KILL_DISTANCES,
  type MeetingOptions,
  RANGES,
  TASK_BARS,
} from '../rules/options.ts';
import { type ShipMap, SKELD } from '../rules/ship/map.ts';
import {
  COLOURS,
  DEEDS,
  LEVELS,
  PLACES,
  type Place,
  ROLES,
  ROOMS,
  RULE_SETS,
  TEMPERAMENTS,
} from '../types.ts';

const colour = z.enum(COLOURS);
/** A number of a table of ranges: whole where its step is, and on its step. */
const range = ({ least, most, step }: { least: number; most: number; step: number }) => {
  const number = (Number.isInteger(step) ? z.int() : z.number()).min(least).max(most);
  return step === 1 ? number : number.multipleOf(step);
};
const weight = z.number();

const sightingSchema = z.strictObject({
  ago: z.number().min(0).describe('Seconds before the meeting'),
  who: colour.describe('Who was there; the own colour for the own path'),
  place: z.enum(PLACES),
  did: z.enum(DEEDS).default('passing'),
});

const personaSchema = z.strictObject({
  name: z.string().min(1).max(80),
  temperament: z.enum(TEMPERAMENTS),
  notes: z.string().max(4000).default(''),
});

const MIND_KINDS = ['scripted', 'silent', 'openai', 'human'] as const;
const VOTING_HABITS = ['freely', 'after-nudge'] as const;

const seatSchema = z.strictObject({
  colour,
  role: z.enum(ROLES).default('crewmate'),
  dead: z.boolean().default(false),
  persona: z
    .union([z.enum(TEMPERAMENTS), personaSchema])
    .optional()
    .describe('A temperament of the offline minds, or a persona of your own'),
  mind: z.enum(MIND_KINDS).default('scripted').describe('Who thinks for this seat'),
  model: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Name of the model; `mind: openai` wants one'),
  base_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Endpoint that speaks the OpenAI protocol, such as http://localhost:11434/v1'),
  key: z
    .string()
    .regex(
      /^[A-Za-z_][A-Za-z0-9_]{0,39}$/,
      'expected the name of an environment variable, never a key',
    )
    .optional()
    .describe('Environment variable that holds the key'),
  level: z.enum(LEVELS).optional().describe('How much strategy the model is told'),
  temperature: z.number().min(0).max(2).optional(),
  extra_body: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Sent along as it is, such as {reasoning_effort: low}'),
  votes: z.enum(VOTING_HABITS).default('freely').describe('Whether it votes before the nudge'),
  leaves: z.int().min(0).optional().describe('The tick in which this player gets up and leaves'),
  saw: z.array(sightingSchema).default([]),
  notes: z.string().max(4000).default('').describe('What else the player knows, in prose'),
});

const callSchema = z.strictObject({
  by: colour.describe('Who called the meeting'),
  report: colour.optional().describe('Whose body was reported; leave it out for the button'),
  place: z.enum(PLACES).optional().describe('Where the body lay'),
  buttons_left: z.int().min(0).max(9).default(1),
  cooldown: z.number().min(0).max(60).default(0).describe('Seconds until the button works again'),
  crisis: z.enum(['reactor', 'o2', 'lights', 'comms']).nullable().default(null),
});

const weightsSchema = z.strictObject({
  mention: weight.optional(),
  accusation: weight.optional(),
  recent_speaker: weight.optional(),
  voted: weight.optional(),
  silence: z
    .strictObject({
      slope: weight.optional(),
      grace: weight.optional(),
      cap: weight.nullable().optional(),
    })
    .optional(),
});

/** Optional here means: the default of `rules/options.ts`. */
export const optionsSchema = z.strictObject({
  rules: z.enum(RULE_SETS).optional(),
  confirm_ejects: z.boolean().optional(),
  anonymous_votes: z.boolean().optional(),
  discussion_time: range(RANGES.discussionTime).optional(),
  voting_time: range(RANGES.votingTime).optional(),
  seconds_per_tick: range(RANGES.secondsPerTick).optional(),
  vote_after: range(RANGES.voteAfter).nullable().optional(),
  max_ticks: range(RANGES.maxTicks).nullable().optional(),
  patience: range(RANGES.patience).optional(),
  nudge_after: range(RANGES.nudgeAfter).optional(),
  nudge_every: range(RANGES.nudgeEvery).optional(),
  token_target: range(RANGES.tokenTarget).optional(),
  message_tokens: range(RANGES.messageTokens).optional(),
  deadline_ms: range(RANGES.deadlineMs).optional(),
  beat_ms: range(RANGES.beatMs).optional(),
  weights: weightsSchema.optional(),
});

const ghostsSchema = z.strictObject({
  present: z.boolean().default(true).describe('Whether the dead watch at all'),
  budget: z.int().min(0).max(10_000).default(30).describe('Turns of ghost talk in this meeting'),
});

export const scenarioSchema = z.strictObject({
  name: z.string().min(1).max(120),
  about: z.string().max(2000).default(''),
  options: optionsSchema.default({}),
  call: callSchema,
  fault_rate: z.number().min(0).max(1).default(0).describe('Share of replies that go wrong'),
  ghosts: ghostsSchema.optional(),
  seats: z.array(seatSchema),
});

/** A scenario as it is written: most of it optional. */
export type ScenarioInput = z.input<typeof scenarioSchema>;
export type Scenario = z.output<typeof scenarioSchema>;
export type ScenarioSeat = Scenario['seats'][number];

/** The options of a scenario for a table of `living` players, defaults filled in. */
export function optionsOf(scenario: Pick<Scenario, 'options'>, living: number) {
  const base = defaultOptions(living);
  const { weights = {}, ...given } = scenario.options;
  return {
    rules: given.rules ?? base.rules,
    confirmEjects: given.confirm_ejects ?? base.confirmEjects,
    anonymousVotes: given.anonymous_votes ?? base.anonymousVotes,
    discussionTime: given.discussion_time ?? base.discussionTime,
    votingTime: given.voting_time ?? base.votingTime,
    secondsPerTick: given.seconds_per_tick ?? base.secondsPerTick,
    voteAfter: given.vote_after ?? base.voteAfter,
    maxTicks: given.max_ticks ?? base.maxTicks,
    patience: given.patience ?? base.patience,
    nudgeAfter: given.nudge_after ?? base.nudgeAfter,
    nudgeEvery: given.nudge_every ?? base.nudgeEvery,
    tokenTarget: given.token_target ?? base.tokenTarget,
    messageTokens: given.message_tokens ?? base.messageTokens,
    deadlineMs: given.deadline_ms ?? base.deadlineMs,
    beatMs: given.beat_ms ?? base.beatMs,
    weights: {
      mention: weights.mention ?? base.weights.mention,
      accusation: weights.accusation ?? base.weights.accusation,
      recentSpeaker: weights.recent_speaker ?? base.weights.recentSpeaker,
      voted: weights.voted ?? base.weights.voted,
      silence: {
        slope: weights.silence?.slope ?? base.weights.silence.slope,
        grace: weights.silence?.grace ?? base.weights.silence.grace,
        cap: weights.silence?.cap ?? base.weights.silence.cap,
      },
    },
  };
}

/** The same options as a scenario writes them, with nothing left to a default. `beat_ms` is pace, not play. */
export function wireOptions(options: ReturnType<typeof optionsOf>): z.output<typeof optionsSchema> {
  const { mention, accusation, recentSpeaker, voted, silence } = options.weights;
  return {
    rules: options.rules,
    confirm_ejects: options.confirmEjects,
    anonymous_votes: options.anonymousVotes,
    discussion_time: options.discussionTime,
    voting_time: options.votingTime,
    seconds_per_tick: options.secondsPerTick,
    vote_after: options.voteAfter,
    max_ticks: options.maxTicks,
    patience: options.patience,
    nudge_after: options.nudgeAfter,
    nudge_every: options.nudgeEvery,
    token_target: options.tokenTarget,
    message_tokens: options.messageTokens,
    deadline_ms: options.deadlineMs,
    weights: { mention, accusation, recent_speaker: recentSpeaker, voted, silence },
  };
}

/*
 * A lobby: everything that is fixed before a whole game begins, as people write it and as the journal keeps it.
 *
 * The schema is the wire form, in snake_case. The options of a game and those of its meetings stand side by side, as
 * on the lobby screen. Defaults are filled in when players board (`boarding.ts`).
 */

const place = z.enum(PLACES);
const room = z.enum(ROOMS);
const ventId = z.int().min(0).max(99);
const console = z.array(room).max(2).default([]);

/** Optional here means: the default of `rules/gameOptions.ts`. */
export const gameOptionsSchema = z.strictObject({
  impostors: range(GAME_RANGES.impostors).optional(),
  kill_cooldown: range(GAME_RANGES.killCooldown).describe('Seconds').optional(),
  kill_distance: z.enum(KILL_DISTANCES).optional(),
  player_speed: range(GAME_RANGES.playerSpeed).optional(),
  crew_vision: range(GAME_RANGES.crewVision).optional(),
  impostor_vision: range(GAME_RANGES.impostorVision).optional(),
  buttons: range(GAME_RANGES.buttons).describe('Emergency meetings for each player').optional(),
  emergency_cooldown: range(GAME_RANGES.emergencyCooldown).describe('Seconds').optional(),
  visual_tasks: z.boolean().optional(),
  task_bar: z.enum(TASK_BARS).optional(),
  common_tasks: range(GAME_RANGES.commonTasks).optional(),
  long_tasks: range(GAME_RANGES.longTasks).optional(),
  short_tasks: range(GAME_RANGES.shortTasks).optional(),
  ghosts_do_tasks: z.boolean().optional(),
  sabotage_cooldown: range(GAME_RANGES.sabotageCooldown).describe('Seconds').optional(),
  reactor_seconds: range(GAME_RANGES.reactorSeconds).optional(),
  o2_seconds: range(GAME_RANGES.o2Seconds).optional(),
  door_seconds: range(GAME_RANGES.doorSeconds).optional(),
  door_cooldown: range(GAME_RANGES.doorCooldown).describe('Seconds').optional(),
  max_rounds: range(GAME_RANGES.maxRounds).describe('Stop as unfinished after these').optional(),
  round_deadline_ms: range(GAME_RANGES.roundDeadlineMs).optional(),
  ...optionsSchema.shape,
});

const mapSchema = z.strictObject({
  name: z.string().min(1).max(80),
  openings: z
    .partialRecord(place, z.array(place))
    .describe('What each place opens to; saying it from one side is enough'),
  vents: z.array(z.strictObject({ id: ventId, place, links: z.array(ventId) })).default([]),
  doors: z.array(room).default([]).describe('Rooms whose doors can be shut'),
  cameras: z
    .strictObject({ at: room, show: z.array(place) })
    .nullable()
    .default(null),
  admin_table: room.nullable().default(null),
  button: room.describe('Where the button is, and where everybody begins'),
  consoles: z
    .strictObject({ reactor: console, o2: console, lights: console, comms: console })
    .prefault({})
    .describe('Where each system is fixed; one that is not on board has none'),
});

/** Lessons that a seat brings along, and the characters of each: as many as a prompt holds. */
export const MOST_LESSONS = 10;
export const LONGEST_LESSON = 200;

/** A seat of a scenario, without what is peculiar to one meeting. */
const lobbySeatSchema = seatSchema
  .pick({
    colour: true,
    persona: true,
    mind: true,
    model: true,
    base_url: true,
    key: true,
    level: true,
    temperature: true,
    extra_body: true,
    votes: true,
    notes: true,
  })
  .extend({
    role: z.enum(ROLES).optional().describe('Leave it out to have it dealt'),
    learned: z
      .array(z.string().min(1).max(LONGEST_LESSON))
      .max(MOST_LESSONS)
      .optional()
      .describe('Lessons of earlier games; the player knows them and nobody else'),
  });

export const lobbySchema = z.strictObject({
  name: z.string().min(1).max(120),
  about: z.string().max(2000).default(''),
  map: z
    .union([z.enum(['skeld']), mapSchema])
    .default('skeld')
    .describe('The Skeld, or a map of your own'),
  options: gameOptionsSchema.default({}),
  fault_rate: z.number().min(0).max(1).default(0).describe('Share of replies that go wrong'),
  ghosts: ghostsSchema.optional(),
  seats: z.array(lobbySeatSchema),
});

/** A lobby as it is written: most of it optional. */
export type LobbyInput = z.input<typeof lobbySchema>;
export type Lobby = z.output<typeof lobbySchema>;
export type LobbySeat = Lobby['seats'][number];

/** The options of the game, defaults filled in. How many impostors there are by default is the caller's to say. */
export function gameOptionsOf({ options: given, seats }: Lobby, impostors: number): GameOptions {
  const base = defaultGameOptions(seats.length, given.rules);
  return {
    impostors: given.impostors ?? impostors,
    killCooldown: given.kill_cooldown ?? base.killCooldown,
    killDistance: given.kill_distance ?? base.killDistance,
    playerSpeed: given.player_speed ?? base.playerSpeed,
    crewVision: given.crew_vision ?? base.crewVision,
    impostorVision: given.impostor_vision ?? base.impostorVision,
    buttons: given.buttons ?? base.buttons,
    emergencyCooldown: given.emergency_cooldown ?? base.emergencyCooldown,
    visualTasks: given.visual_tasks ?? base.visualTasks,
    taskBar: given.task_bar ?? base.taskBar,
    commonTasks: given.common_tasks ?? base.commonTasks,
    longTasks: given.long_tasks ?? base.longTasks,
    shortTasks: given.short_tasks ?? base.shortTasks,
    ghostsDoTasks: given.ghosts_do_tasks ?? base.ghostsDoTasks,
    sabotageCooldown: given.sabotage_cooldown ?? base.sabotageCooldown,
    reactorSeconds: given.reactor_seconds ?? base.reactorSeconds,
    o2Seconds: given.o2_seconds ?? base.o2Seconds,
    doorSeconds: given.door_seconds ?? base.doorSeconds,
    doorCooldown: given.door_cooldown ?? base.doorCooldown,
    maxRounds: given.max_rounds ?? base.maxRounds,
    roundDeadlineMs: given.round_deadline_ms ?? base.roundDeadlineMs,
  };
}

/** The options of the meetings of a game that begins with everybody alive. */
export function meetingOptionsOf({ options, seats }: Lobby): MeetingOptions {
  return optionsOf({ options }, seats.length);
}

/** The same options as a lobby writes them, with nothing left to a default but pace. */
export function wireGameOptions(game: GameOptions, meeting: MeetingOptions): Lobby['options'] {
  return {
    impostors: game.impostors,
    kill_cooldown: game.killCooldown,
    kill_distance: game.killDistance,
    player_speed: game.playerSpeed,
    crew_vision: game.crewVision,
    impostor_vision: game.impostorVision,
    buttons: game.buttons,
    emergency_cooldown: game.emergencyCooldown,
    visual_tasks: game.visualTasks,
    task_bar: game.taskBar,
    common_tasks: game.commonTasks,
    long_tasks: game.longTasks,
    short_tasks: game.shortTasks,
    ghosts_do_tasks: game.ghostsDoTasks,
    sabotage_cooldown: game.sabotageCooldown,
    reactor_seconds: game.reactorSeconds,
    o2_seconds: game.o2Seconds,
    door_seconds: game.doorSeconds,
    door_cooldown: game.doorCooldown,
    max_rounds: game.maxRounds,
    round_deadline_ms: game.roundDeadlineMs,
    ...wireOptions(meeting),
  };
}

/** The map of a lobby. A place of a map is one that an opening names; what is said from one side holds from both. */
export function mapOf({ map }: Pick<Lobby, 'map'>): ShipMap {
  if (map === 'skeld') return SKELD;
  const { name, vents, doors, cameras, admin_table, button, consoles } = map;
  const written = Object.entries(map.openings).flatMap(([from, ends]) => {
    const start = PLACES.find((one) => one === from);
    return start === undefined ? [] : (ends ?? []).map((end) => [start, end] as const);
  });
  const opens = (one: Place, other: Place) =>
    written.some(([a, b]) => (a === one && b === other) || (a === other && b === one));
  // In one order for everybody, so that how a map is written down does not decide which of two ways is taken.
  const places = PLACES.filter((one) => one === button || written.flat().includes(one));
  return {
    name,
    places,
    openings: Object.fromEntries(
      places.map((one) => [one, places.filter((other) => opens(one, other))]),
    ),
    vents,
    doors: [...new Set(doors)],
    cameras,
    adminTable: admin_table,
    button,
    consoles,
  };
}
