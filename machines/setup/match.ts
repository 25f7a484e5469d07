/**
 * A match as people write it and as the journal keeps it, in snake_case. A match with `call:` starts at the table and
 * ends after that one meeting. Without `call:` a match is a whole game.
 */
import { z } from 'zod';
import { MIND_HELP, MIND_KINDS } from '../rules/mindKinds.ts';
import { buildMap, SKELD } from '../rules/ship/map.ts';
import { DEEPEST, isTooDeep } from '../text.ts';
import {
  COLOURS,
  DEEDS,
  LEVELS,
  LONGEST_LESSON,
  MOST_LESSONS,
  PLACES,
  ROLES,
  ROOMS,
  type ShipMap,
  TEMPERAMENTS,
} from '../types.ts';
import { meetingOptionsSchema, optionsSchema } from './options.ts';

const colour = z.enum(COLOURS);
const place = z.enum(PLACES);
const room = z.enum(ROOMS);
const ventId = z.int().min(0).max(99);
const console = z.array(room).max(2).default([]);

const sightingSchema = z.strictObject({
  ago: z.number().min(0).describe('Seconds before the meeting'),
  who: colour.describe('Who was there; the own colour for the own path'),
  place: z.enum(PLACES),
  did: z.enum(DEEDS).default('passing'),
  victim: colour.optional().describe('Of `did: kill`: whom the own colour killed'),
});

const personaSchema = z.strictObject({
  name: z.string().min(1).max(80),
  temperament: z.enum(TEMPERAMENTS),
  notes: z.string().max(4000).default(''),
  language: z
    .string()
    .regex(/^\p{L}[\p{L} -]{0,39}$/u, 'expected the name of a language')
    .optional()
    .describe('What a model writes in. The engine finds mentions by English colours'),
});

const VOTING_HABITS = ['freely', 'after-nudge'] as const;

/** In characters, for a command, an address or a path. */
const LONGEST_WORD = 2000;
const word = z.string().min(1).max(LONGEST_WORD);

export const ownMindFields = {
  command: z
    .union([word, z.array(word).min(1).max(100)])
    .optional()
    .describe(
      '`mind: command`: the program and its arguments, as a list or with spaces between them',
    ),
  url: z
    .url({ protocol: /^https?$/ })
    .max(LONGEST_WORD)
    .optional()
    .describe('`mind: http`: where requests are posted, such as http://localhost:8000/'),
  module: word
    .optional()
    .describe('`mind: module`: the file whose default export decides, such as ./mind.ts'),
  folder: word
    .optional()
    .describe(
      'Where the command runs and the module is looked for; default: the folder of this file',
    ),
};

const variable = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]{0,39}$/,
    'expected the name of an environment variable, never a key',
  );

export const modelFields = {
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
  key: variable.optional().describe('Environment variable that holds the key'),
  headers: z
    .record(z.string().regex(/^[A-Za-z0-9-]{1,60}$/), variable)
    .optional()
    .describe('More headers, with the variables that hold their values: {api-key: AZURE_KEY}'),
  temperature: z.number().min(0).max(2).optional(),
  extra_body: z
    .record(z.string(), z.unknown())
    .refine((body) => !isTooDeep(body), `expected at most ${DEEPEST} levels`)
    .optional()
    .describe('Sent along as it is, such as {reasoning_effort: low}'),
};

const seatFields = {
  persona: z
    .union([z.enum(TEMPERAMENTS), personaSchema])
    .optional()
    .describe('A temperament of the offline minds, or a persona of your own'),
  mind: z
    .enum(MIND_KINDS)
    .default('scripted')
    .describe(
      `Who decides: ${MIND_KINDS.map((kind) => `${kind} is ${MIND_HELP[kind]}`).join('; ')}`,
    ),
  ...modelFields,
  level: z.enum(LEVELS).optional().describe('How much strategy advice the model gets'),
  ...ownMindFields,
  votes: z.enum(VOTING_HABITS).default('freely').describe('Whether it votes before the nudge'),
  notes: z.string().max(4000).default('').describe('What else the player knows, in prose'),
};

const meetingSeatSchema = z.strictObject({
  colour,
  role: z.enum(ROLES).default('crewmate'),
  dead: z.boolean().default(false),
  ...seatFields,
  leaves: z.int().min(0).optional().describe('The tick in which this player gets up and leaves'),
  saw: z.array(sightingSchema).default([]),
});

const gameSeatSchema = z.strictObject({
  colour,
  role: z.enum(ROLES).optional().describe('Leave it out to have it dealt'),
  ...seatFields,
  learned: z
    .array(z.string().min(1).max(LONGEST_LESSON))
    .max(MOST_LESSONS)
    .optional()
    .describe('Lessons of earlier games; only this player knows them'),
});

const callSchema = z.strictObject({
  by: colour.describe('Who called the meeting'),
  report: colour.optional().describe('Whose body was reported; leave it out for the button'),
  place: z.enum(PLACES).optional().describe('Where the body lay'),
  buttons_left: z.int().min(0).max(9).default(1),
  cooldown: z.number().min(0).max(60).default(0).describe('Seconds until the button works again'),
  crisis: z.enum(['reactor', 'o2', 'lights', 'comms']).nullable().default(null),
});

const ghostsSchema = z.strictObject({
  present: z.boolean().default(true).describe('Whether the dead watch at all'),
  budget: z.int().min(0).max(10_000).default(30).describe('Turns of ghost talk in a meeting'),
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
  button: room.describe('Where the button is, and where all players begin'),
  consoles: z
    .strictObject({ reactor: console, o2: console, lights: console, comms: console })
    .prefault({})
    .describe('Where each system is fixed; one that is not on board has none'),
});

const anyMapSchema = z.union([z.enum(['skeld']), mapSchema]);

const heldSchema = z.strictObject({
  by: colour.describe('Who called it'),
  report: colour.optional().describe('Whose body was found; without it the button was pressed'),
  place: place.optional(),
  result: z.enum(['ejected', 'tie', 'skipped']).describe('How the vote ended'),
  ejected: colour.optional(),
  role: z.enum(ROLES).optional().describe('The role of the ejected, where it was confirmed'),
  remaining: z.int().min(0).optional().describe('Impostors that remained, where it was confirmed'),
  ballots: z.partialRecord(colour, z.union([colour, z.literal('skip')])).default({}),
});

const lossSchema = z.strictObject({
  who: colour,
  how: z.enum(['killed', 'ejected', 'left']),
  where: z.enum(['ship', 'table']).default('ship'),
  meeting: z
    .int()
    .min(1)
    .describe('At the table: that meeting. On the ship: the one before which it was'),
});

const recordSchema = z.strictObject({
  impostors: z.int().min(0).nullable().optional().describe('At the start; null hides it'),
  meetings: z.array(heldSchema).max(100).default([]),
  losses: z.array(lossSchema).max(15).default([]),
  bar: z
    .strictObject({ done: z.int().min(0), all: z.int().min(0) })
    .nullable()
    .default(null)
    .describe('Task steps of the whole crew'),
});

const matchFields = {
  name: z.string().min(1).max(120),
  about: z.string().max(2000).default(''),
  fault_rate: z.number().min(0).max(1).default(0).describe('Share of replies that go wrong'),
  ghosts: ghostsSchema.optional(),
};

export const meetingMatchSchema = z.strictObject({
  ...matchFields,
  options: meetingOptionsSchema.default({}),
  call: callSchema,
  record: recordSchema.optional().describe('What everybody knows of the game before'),
  map: anyMapSchema
    .optional()
    .describe('The ship that the players know; without it the talk is of no ship'),
  seats: z.array(meetingSeatSchema),
});

export const gameMatchSchema = z.strictObject({
  ...matchFields,
  map: anyMapSchema.default('skeld').describe('The Skeld, or a map of your own'),
  options: optionsSchema.default({}),
  seats: z.array(gameSeatSchema),
});

export const matchSchema = z.union([meetingMatchSchema, gameMatchSchema]);

export type MeetingMatch = z.output<typeof meetingMatchSchema>;
export type GameMatch = z.output<typeof gameMatchSchema>;
export type Match = z.output<typeof matchSchema>;
export type MeetingSeat = MeetingMatch['seats'][number];
export type GameSeat = GameMatch['seats'][number];
export type MatchSeat = GameSeat & Partial<Pick<MeetingSeat, 'leaves'>>;

export type MeetingMatchInput = z.input<typeof meetingMatchSchema>;
export type GameMatchInput = z.input<typeof gameMatchSchema>;

export function atPace<M extends Match>(match: M, beatMs: number): M {
  return { ...match, options: { ...match.options, beat_ms: beatMs } };
}

export function isMeeting(match: Match): match is MeetingMatch {
  return 'call' in match;
}

export function readMap({ map }: Pick<GameMatch, 'map'>): ShipMap {
  return map === 'skeld' ? SKELD : buildMap(map);
}
