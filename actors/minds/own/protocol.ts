/**
 * The protocol of own minds: messages between the engine and a program in a seat, as lines of JSON or HTTP bodies. The
 * engine sends a hello, then a request for each decision, and the mind answers each. Both sides ignore unknown fields.
 * A mind's messages are read field by field, so that a fault can name the problem.
 */

import { z } from 'zod';
import { INTENTS, LONGEST_WAIT } from '../../../machines/rules/ship/orders.ts';
import { WINNERS } from '../../../machines/rules/ship/world.ts';
import { readField } from '../../../machines/text.ts';
import {
  CALL_KINDS,
  COLOURS,
  DEEDS,
  PLACES,
  REQUEST_KINDS,
  ROLES,
  RULE_SETS,
  STANDINGS,
  SYSTEM,
} from '../../../machines/types.ts';
import type { Answer } from '../port.ts';

/** The protocol version. It changes when a field changes its meaning or is removed, never when one is added. */
export const PROTOCOL = 1;

/** Byte limit for a line or body of a mind. */
export const LONGEST_LINE = 1_000_000;

const colour = z.enum(COLOURS).meta({ id: 'colour' });
const place = z.enum(PLACES).meta({ id: 'place' });
const ballot = z.union([colour, z.literal('skip')]).meta({ id: 'ballot' });
const role = z.enum(ROLES).meta({ id: 'role' });
const count = z.int().nonnegative();
const note = z.object({ code: z.string(), text: z.string() });
const standing = z.enum(STANDINGS);
const pages = z.object({ main_scratch: z.string(), meeting_scratch: z.string() });

const helloSchema = z
  .object({
    type: z.literal('hello'),
    protocol: z.literal(PROTOCOL),
    game: z.string().describe('Tells games apart; drawn anew for each'),
    seat: colour.describe('Whom this mind plays'),
    longest_line: count.describe('Bytes of the longest answer'),
  })
  .meta({ title: 'hello', description: 'The first line from the engine' });

const callSchema = z.object({
  by: colour.describe('Who called the meeting'),
  kind: z.enum(CALL_KINDS),
  body: colour.nullable().describe('Whose body was found'),
  place: place.nullable(),
});

const announcedSchema = z
  .object({
    outcome: z.string(),
    ejected: colour.nullable(),
    role: role.nullable().describe('Null where the role is not confirmed'),
    remaining: count.nullable().describe('Impostors that remain; null where it is not confirmed'),
    ballots: z.array(z.object({ voter: colour.nullable(), ballot, void: z.boolean() })),
    sentence: z.string().nullable().describe('What the screen says'),
  })
  .nullable()
  .describe('The result, once every ballot is revealed');

const knownSchema = z
  .object({
    impostors: count.nullable().describe('At the start; null where the options hide it'),
    impostors_remaining: count.nullable().describe('As last announced; null where it was not'),
    meeting: count.describe('The number of the meeting that is on or comes next, from 1'),
    meetings: z
      .array(z.object({ call: callSchema, result: announcedSchema }))
      .describe('The earlier meetings; a result is null where nothing was counted'),
    losses: z.array(
      z.object({
        who: colour,
        how: z.enum(['killed', 'ejected', 'left']),
        where: z.enum(['ship', 'table']),
        meeting: count.describe(
          'At the table: that meeting. On the ship: the one before which it was',
        ),
      }),
    ),
    task_bar: z.object({ done: count, all: count }).nullable(),
  })
  .nullable()
  .describe('What everybody knows of the game so far; null after it');

const deedSchema = z.looseObject({
  type: z.string().describe('kill, vent, sabotage, shut, fix, task or fake'),
  meeting: count.describe('The meeting before which it was'),
  ago: z
    .number()
    .describe('Seconds before that meeting; on the ship, seconds ago since the last one'),
});

const sightingSchema = z.object({ ago: z.number(), who: colour, place, did: z.enum(DEEDS) });

const pastSchema = z.object({
  deeds: z.array(deedSchema).describe('What the player did on the ship in the whole game'),
  votes: z.array(z.object({ meeting: count, ballot: ballot.nullable() })),
  sightings: z.array(sightingSchema.extend({ meeting: count })).describe('Before earlier meetings'),
  forgotten: count.describe('Sightings that are left out of them'),
});

const tableView = z.object({
  rules: z.enum(RULE_SETS),
  tick: count,
  seats: z.array(z.object({ colour, standing, voted: z.boolean() })),
  call: callSchema,
  votes_open: z.boolean(),
  confirm_ejects: z.boolean(),
  anonymous_votes: z.boolean(),
  ticks_left: count
    .nullable()
    .describe('Ticks until the poll closes, this one counted; null where nothing closes it'),
  announced: announcedSchema,
  ballot: ballot.nullable().describe('The own vote, once it is locked'),
  reminder: z
    .string()
    .nullable()
    .describe('Words of the engine to a player who has long been silent'),
});

const crisisSchema = z.object({ system: z.string(), seconds: z.number().nullable() });

const worldSchema = z
  .object({
    places: z.partialRecord(colour, z.string()).describe('Where the living are'),
    tasks: z.partialRecord(colour, z.object({ done: count, of: count })),
    impostors: z
      .partialRecord(
        colour,
        z.object({ wait: z.number(), hidden: z.boolean(), faking: z.boolean() }),
      )
      .describe('The living ones, with the seconds until they can kill; hidden in a vent'),
    crisis: crisisSchema.nullable(),
    shut: z.array(place).describe('Rooms whose doors are shut'),
    deeds: z
      .array(deedSchema)
      .describe('Kills, vents, sabotages, shut doors and faked tasks of the whole game'),
  })
  .describe('The ship at the call or, on the ship, now');
const truthSeats = z.array(z.object({ colour, role, standing }));

const ghostsView = z.object({
  turn: count,
  phase: z.string().describe('What the meeting of the living is about'),
  seats: truthSeats,
  ballots: z.partialRecord(colour, ballot),
  call: callSchema,
  announced: announcedSchema,
  world: worldSchema.nullable(),
  kills: z.array(deedSchema).describe('Before a meeting on its own; else they are in world'),
});

const taskSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  visual: z.boolean().describe('Others can see it done'),
  next: place.nullable().describe('Where its next step is; null when it is done'),
  rounds: count.describe('Rounds of work left on that step'),
  steps: count.describe('Steps done'),
  of: count,
});

const mapSchema = z.object({
  name: z.string(),
  openings: z.partialRecord(place, z.array(place)).describe('What each place opens to'),
  vents: z.array(z.object({ id: count, place, links: z.array(count) })),
  button: place,
  cameras: place.nullable().describe('Where the cameras are watched'),
  admin_table: place.nullable(),
});

const shipView = z.object({
  rules: z.enum(RULE_SETS),
  round: count,
  why: z.array(z.string()).describe('Why the player is asked'),
  place,
  vent: count.nullable().describe('The vent that the player is in'),
  going_on_with: z.looseObject({ type: z.enum(INTENTS) }).nullable(),
  here: z.array(z.object({ who: colour, place })).describe('Who is in sight'),
  company: z.array(colour).describe('Who stands in the same place'),
  bodies: z.array(z.object({ victim: colour, place })),
  tasks: z.array(taskSchema),
  kill_wait: z.number().nullable().describe('Seconds until this impostor can kill'),
  sabotage_wait: z.number().nullable(),
  buttons: count.describe('Emergency meetings left'),
  button_wait: z.number().describe('Seconds until the button works'),
  crisis: crisisSchema.extend({ consoles: z.array(place), done: z.array(place) }).nullable(),
  shut: z.array(place).describe('Rooms whose doors are shut'),
  bar: z.object({ done: count, all: count }).nullable().describe('Task steps of the whole crew'),
  camera_light: z.boolean().describe('A camera that shows this place is being watched'),
  heads: z.partialRecord(place, count).nullable().describe('What the Admin table shows'),
  living: z.array(colour).describe('Who was alive at the last meeting'),
  options: z.record(z.string(), z.unknown()).describe('The options of the game'),
  map: mapSchema,
  truth: z.object({ seats: truthSeats, world: worldSchema.nullable() }).nullable(),
});

const endingSchema = z.object({
  winner: z.enum(WINNERS).nullable(),
  reason: z.string(),
  seats: truthSeats,
});

const youSchema = z.object({
  colour,
  role,
  partners: z.array(colour).describe('Fellow impostors'),
  dead: z.boolean(),
  persona: z.object({
    name: z.string(),
    temperament: z.string(),
    notes: z.string(),
    character: z.string(),
    voice: z.string(),
    level: z.string(),
    learned: z.array(z.string()).describe('Lessons of earlier games'),
  }),
  notes: pages.describe('The own scratchpads'),
  knows: z.string().describe('What else the player knows, in prose'),
  past: pastSchema,
  notices: z.array(note).describe('What the engine has to say about the last answer'),
});

const recordSchema = z.object({
  said: z
    .array(
      z.object({
        tick: count,
        speaker: z.union([colour, z.literal(SYSTEM)]),
        target: colour.nullable(),
        message: z.string(),
      }),
    )
    .describe('What was said in this meeting, oldest first'),
  ghosts_said: z.array(z.object({ speaker: colour, message: z.string() })),
  seen: z.array(sightingSchema).describe('What the player has seen, with the seconds since'),
});

const choicesSchema = z.object({
  targets: z.array(colour).describe('Whom to speak to'),
  votes: z.array(ballot).describe('What `vote_action` may be; empty when no vote counts'),
  actions: z
    .array(z.looseObject({ type: z.enum(INTENTS) }))
    .describe('What `action` may be, ready to be sent; empty at the table'),
  rounds: z
    .object({ least: count, most: count })
    .describe('What `rounds` of an action may be instead'),
  page: z
    .enum(['main_scratch', 'meeting_scratch'])
    .describe('The scratchpad that can be written now'),
});

const promptSchema = z
  .object({
    system: z.string(),
    user: z.string(),
    schema: z.record(z.string(), z.unknown()).describe('JSON schema of the answer'),
    schema_name: z.string(),
    max_tokens: count,
  })
  .describe('What a language model would be sent for this request');

const KINDS = [...REQUEST_KINDS, 'action', 'belief', 'reflection'] as const;

export const requestSchema = z
  .object({
    type: z.literal('request'),
    id: count.describe('Belongs into the answer'),
    game: z.string(),
    seat: colour,
    kind: z.enum(KINDS),
    index: count.describe('The tick, the turn of the ghosts, or the round'),
    deadline_ms: z.number().nullable().describe('Milliseconds for the answer, from now on'),
    you: youSchema,
    table: tableView.nullable().describe('The meeting, as everybody sees it'),
    ghosts: ghostsView.nullable().describe('The truth, for a ghost'),
    ship: shipView.nullable().describe('The ship around the player, for an action'),
    ending: endingSchema.nullable().describe('How the game ended, for a reflection'),
    known: knownSchema,
    record: recordSchema,
    choices: choicesSchema,
    prompt: promptSchema,
  })
  .meta({ title: 'request', description: 'A line from the engine whenever the player decides' });

const mindHelloSchema = z
  .object({
    type: z.literal('hello'),
    protocol: z.literal(PROTOCOL).describe('The version that the mind speaks'),
    name: z.string().optional().describe('What the mind is called'),
    reflects: z
      .boolean()
      .optional()
      .describe('Whether a league may ask it after each game what it has learned'),
    believes: z
      .boolean()
      .optional()
      .describe(
        'Whether it may be asked, beside the game, how probable it holds each other player to be an impostor',
      ),
  })
  .meta({ title: 'hello of the mind', description: 'The first line from the mind' });

const scratchpads = z
  .object({ main_scratch: z.string().nullish(), meeting_scratch: z.string().nullish() })
  .nullish();

/** The answer fields of a model, all optional. Read by reply, order, belief and reflection in `prompts/`. */
const answerBody = z
  .looseObject({
    internal_thought: z.string().nullish(),
    desire_to_speak: z.number().nullish().describe('At the table: 0 to 10'),
    message: z.string().nullish().describe('At the table and among ghosts: what to say'),
    target: colour.nullish().describe('At the table: whom it is said to'),
    vote_action: ballot.nullish().describe('At the table: a vote, which is final'),
    action: z
      .looseObject({
        type: z.enum(INTENTS).nullable(),
        rounds: z.number().min(1).max(LONGEST_WAIT).nullish(),
      })
      .nullish()
      .describe('On the ship: what to do; null goes on'),
    probabilities: z
      .record(z.string(), z.number())
      .nullish()
      .describe('For a belief: from 0 to 1 for each player of choices.targets'),
    learned: z.array(z.string()).nullish().describe('After the game: lessons to keep'),
    scratchpad_updates: scratchpads,
  })
  .describe('The same JSON as a language model answers; {"action": null} passes');

const answerSchema = z
  .object({
    type: z.literal('answer'),
    id: count.describe('The id of the request'),
    answer: answerBody,
  })
  .meta({ title: 'answer', description: 'A line from the mind for each request' });

export const mindMessageSchema = z.union([
  helloSchema,
  requestSchema,
  mindHelloSchema,
  answerSchema,
]);

export type EngineHello = z.output<typeof helloSchema>;
export type RequestMessage = z.output<typeof requestSchema>;

/** Faults of a mind by code. `docs/minds.md` is generated from it. */
export const MIND_FAULTS = {
  'not-started':
    'the command can’t be started: there is no such program or folder, or it may not be run',
  ended:
    'the command ended before its hello or during a request; its last words are in the sentence',
  'given-up': 'the command has ended four times and is not started again in this game',
  'not-reading': 'the command has closed its standard input, or a megabyte waits there to be read',
  unreachable: 'the web service does not answer, or the connection broke',
  status: 'the web service answered with another status than 200',
  redirect: 'the web service answered with a redirect, which is not followed',
  module:
    'the module can’t be loaded, has no default export that decides, or returned what JSON can’t hold',
  hello: 'the first line was no hello; the mind is not asked again in this game',
  version:
    'the hello has another version of the protocol, or none; the mind is not asked again in this game',
  'not-json': 'a line or a body was no JSON, or no UTF-8',
  'no-answer': 'a message was no answer, or had no `answer` in it',
  'wrong-id': 'an answer had no id, or one that was not asked for',
  twice: 'a request was answered twice',
  flood:
    'a line or a body was longer than a megabyte, or a thousand useless lines came in a row; the command is started anew',
} as const;

export type MindFault = { readonly ok: false; readonly code: string; readonly text: string };

export function fault(code: keyof typeof MIND_FAULTS, text: string): MindFault {
  return { ok: false, code: `mind/${code}`, text };
}

/** Carries messages between a seat and its mind. It never throws or rejects. */
export type MindLink = {
  ask(message: RequestMessage, signal: AbortSignal): Promise<Answer>;
  /** The mind's hello; null before it. */
  readonly said: MindHello | null;
  /** The game is over. Resolves when the mind is gone. */
  close(): Promise<void>;
};

export type MessageReading<T> = ({ readonly ok: true } & T) | MindFault;

/** Parses a line or body. `advice` is added to the error and tells how to send valid messages only. */
export function readMessage(
  text: string | null,
  advice: string,
): MessageReading<{ readonly value: unknown }> {
  if (text === null)
    return fault('not-json', 'expected JSON in UTF-8, found bytes that are no UTF-8');
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return fault('not-json', `expected one JSON object, found ${quote(text)}: ${advice}`);
  }
}

const SAY_HELLO = `answer {"type":"hello","protocol":${PROTOCOL},"name":"…"}`;

const LONGEST_NAME = 80;

export type MindHello = {
  readonly name: string;
  readonly reflects: boolean;
  readonly believes: boolean;
};

export function readHello(value: unknown): MessageReading<MindHello> {
  const type = readField(value, 'type');
  if (type !== 'hello')
    return fault('hello', `expected a hello first, found ${quote(type ?? value)}: ${SAY_HELLO}`);
  const protocol = readField(value, 'protocol');
  if (protocol !== PROTOCOL) {
    const found = protocol === undefined ? 'no version' : quote(protocol);
    return fault('version', `expected protocol ${PROTOCOL}, found ${found}: ${SAY_HELLO}`);
  }
  const name = readField(value, 'name');
  return {
    ok: true,
    name: typeof name === 'string' ? name.slice(0, LONGEST_NAME) : '',
    reflects: readField(value, 'reflects') === true,
    believes: readField(value, 'believes') === true,
  };
}

export function readAnswerMessage(
  value: unknown,
): MessageReading<{ readonly id: number; readonly received: unknown }> {
  const type = readField(value, 'type');
  if (type !== 'answer') {
    const found = type === undefined ? quote(value) : `type ${quote(type)}`;
    return fault('no-answer', `expected {"type":"answer","id":…,"answer":{…}}, found ${found}`);
  }
  const id = readField(value, 'id');
  if (typeof id !== 'number') {
    const found = id === undefined ? 'none' : quote(id);
    return fault('wrong-id', `expected the id of the request in the answer, found ${found}`);
  }
  const received = readField(value, 'answer');
  if (received === undefined) {
    const expected = `expected the field "answer" in the answer to request ${id}`;
    return fault('no-answer', `${expected}, found none`);
  }
  return { ok: true, id, received };
}

const LONGEST_QUOTE = 50;

/** A short form of a value on one line. One that is no JSON, such as a circle or a BigInt, is described instead. */
export function quote(value: unknown): string {
  let text = 'a value that is no JSON, or is nested too deeply';
  try {
    text = JSON.stringify(value) ?? 'nothing';
  } catch {}
  return text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE)}…`;
}
