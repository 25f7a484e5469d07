/**
 * A scenario: everything that is fixed before a meeting begins, as people write it and as the journal keeps it.
 *
 * The schema is the wire form, in snake_case. Defaults are filled in when a scenario is resolved, so that a journal
 * says everything and a later change of defaults can't change a replay.
 */
import { z } from 'zod';
import { type ShipMap, SKELD } from '../rules/ship/map.ts';
import {
  COLOURS,
  DEEDS,
  LEVELS,
  PLACES,
  type Place,
  ROLES,
  ROOMS,
  TEMPERAMENTS,
} from '../types.ts';
import { meetingOptionsSchema, optionsSchema } from './options.ts';

const colour = z.enum(COLOURS);
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

const ghostsSchema = z.strictObject({
  present: z.boolean().default(true).describe('Whether the dead watch at all'),
  budget: z.int().min(0).max(10_000).default(30).describe('Turns of ghost talk in this meeting'),
});

export const scenarioSchema = z.strictObject({
  name: z.string().min(1).max(120),
  about: z.string().max(2000).default(''),
  options: meetingOptionsSchema.default({}),
  call: callSchema,
  fault_rate: z.number().min(0).max(1).default(0).describe('Share of replies that go wrong'),
  ghosts: ghostsSchema.optional(),
  seats: z.array(seatSchema),
});

/** A scenario as it is written: most of it optional. */
export type ScenarioInput = z.input<typeof scenarioSchema>;
export type Scenario = z.output<typeof scenarioSchema>;
export type ScenarioSeat = Scenario['seats'][number];

const place = z.enum(PLACES);
const room = z.enum(ROOMS);
const ventId = z.int().min(0).max(99);
const console = z.array(room).max(2).default([]);

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
  options: optionsSchema.default({}),
  fault_rate: z.number().min(0).max(1).default(0).describe('Share of replies that go wrong'),
  ghosts: ghostsSchema.optional(),
  seats: z.array(lobbySeatSchema),
});

/** A lobby as it is written: most of it optional. */
export type LobbyInput = z.input<typeof lobbySchema>;
export type Lobby = z.output<typeof lobbySchema>;
export type LobbySeat = Lobby['seats'][number];

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
