/**
 * The message of a request: the view behind the prompt as data, with the open choices and the prompt itself. The schema
 * drops every field that it does not name. Nothing comes from the seed, which would reveal all roles.
 */

import type { BeliefQuestion } from '../../../machines/rules/beliefs.ts';
import { GAME_OPTIONS } from '../../../machines/rules/optionRows.ts';
import { SECONDS_PER_ROUND } from '../../../machines/rules/options.ts';
import {
  impostorsRemaining,
  meetingNumber,
  NO_PAST,
  type OwnPast,
  type PublicRecord,
} from '../../../machines/rules/record.ts';
import { LONGEST_WAIT } from '../../../machines/rules/ship/orders.ts';
import type { ActionView } from '../../../machines/rules/ship/views.ts';
import type { LivingView } from '../../../machines/rules/views.ts';
import type { Colour } from '../../../machines/types.ts';
import { joinBlocks } from '../../../prompts/block.ts';
import type { Identity } from '../../../prompts/personas.ts';
import { buildPrompt, type Prompt } from '../../../prompts/prompt.ts';
import type { ReflectionView } from '../../../prompts/reflection.ts';
import { listOpenActions, listTalk, openPage } from '../human/turnPrompt.ts';
import type { AnswerTimes } from '../kinds.ts';
import type { MindRequest } from '../port.ts';
import { type RequestMessage, requestSchema } from './protocol.ts';

export type RequestFrame = {
  readonly game: string;
  readonly identity: Identity;
  readonly times: AnswerTimes;
};

export function writeRequest(request: MindRequest, id: number, frame: RequestFrame) {
  const { kind, index, view } = request;
  return writeMessage(id, frame, view.you.colour, {
    kind,
    index,
    deadline_ms: kind === 'action' ? frame.times.ship : frame.times.table,
    ...writeView(request, frame.identity),
    choices: writeChoices(request),
    prompt: writePrompt(buildPrompt(request, frame.identity)),
  });
}

/** Belief requests have their own numbers, so requests of the game keep theirs. */
export const FIRST_BELIEF_ID = 2 ** 32;

export function writeBeliefRequest(question: BeliefQuestion, id: number, frame: RequestFrame) {
  const { view, tick, about } = question;
  const index = tick ?? view.table.tick;
  return writeMessage(id, frame, view.you.colour, {
    kind: 'belief',
    index,
    deadline_ms: frame.times.table,
    ...writeView({ kind: 'voting', index, view }, frame.identity),
    choices: { ...NO_CHOICES, targets: about },
    prompt: writePrompt(buildPrompt({ kind: 'belief', ...question }, frame.identity)),
  });
}

export function writeReflection(view: ReflectionView, id: number, frame: RequestFrame) {
  const { you, ending, seats } = view;
  return writeMessage(id, frame, you.colour, {
    kind: 'reflection',
    index: 0,
    deadline_ms: frame.times.table,
    you: writeYou(you, frame.identity, you.isGhost, you.past),
    ending: { ...ending, seats },
    known: null,
    record: NO_RECORD,
    choices: NO_CHOICES,
    prompt: writePrompt(buildPrompt({ kind: 'reflection', view }, frame.identity)),
  });
}

/** The fields of a message before the schema drops all others. */
type Unparsed<T> = T extends readonly (infer Item)[]
  ? readonly Unparsed<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Unparsed<T[Key]> }
    : T;
type MessageDraft = Unparsed<RequestMessage>;
type Optional = 'table' | 'ghosts' | 'ship' | 'ending';
type MessageFields = Omit<MessageDraft, 'type' | 'id' | 'game' | 'seat' | Optional> &
  Partial<Pick<MessageDraft, Optional>>;

function writeMessage(id: number, { game }: RequestFrame, seat: Colour, fields: MessageFields) {
  const none = { table: null, ghosts: null, ship: null, ending: null };
  const message: MessageDraft = { type: 'request', id, game, seat, ...none, ...fields };
  return requestSchema.parse(message);
}

const NO_RECORD: MessageDraft['record'] = { said: [], ghosts_said: [], seen: [] };
export const NO_CHOICES: MessageDraft['choices'] = {
  targets: [],
  votes: [],
  actions: [],
  rounds: { least: 1, most: LONGEST_WAIT },
  page: 'main_scratch',
};

function writeView(
  request: MindRequest,
  identity: Identity,
): Pick<MessageFields, 'you' | 'known' | 'record' | 'table' | 'ghosts' | 'ship'> {
  switch (request.kind) {
    case 'action': {
      const { you, round, record } = request.view;
      const ago = (at: number) => (round - at) * SECONDS_PER_ROUND;
      const meeting = meetingNumber(record);
      const recent = you.deeds.map(({ round: at, ...deed }) => ({
        ...deed,
        meeting,
        ago: ago(at),
      }));
      const seen = [...you.faded, ...you.memory].map(({ who, place, did, until }) => {
        return { ago: ago(until), who, place, did };
      });
      return {
        you: writeYou(you, identity, you.isGhost, {
          ...you.past,
          deeds: [...you.past.deeds, ...recent],
        }),
        ship: writeShip(request.view),
        known: writeKnown(record),
        record: { ...NO_RECORD, seen },
      };
    }
    case 'ghost': {
      const { you, turn, requestKind, truth, transcript, chat } = request.view;
      return {
        you: writeYou({ ...you, notices: [] }, identity, true, you.past),
        ghosts: { ...truth, turn, phase: requestKind },
        known: writeKnown(truth.record),
        record: { said: transcript, ghosts_said: chat, seen: you.brief.sightings },
      };
    }
    default: {
      const { you, table } = request.view;
      return {
        you: writeYou(you, identity, false, you.past),
        table: writeTable(request.view),
        known: writeKnown(table.record),
        record: { ...NO_RECORD, said: table.transcript, seen: you.brief.sightings },
      };
    }
  }
}

/** A player's knowledge of themselves. A brief exists at the table only. */
type KnownSelf = Pick<LivingView['you'], 'colour' | 'role' | 'partners' | 'persona' | 'pads'> &
  Partial<Pick<LivingView['you'], 'brief' | 'notices'>>;

function writeYou(
  { colour, role, partners, persona, pads, brief, notices = [] }: KnownSelf,
  identity: Identity,
  isDead: boolean,
  past: OwnPast = NO_PAST,
): MessageDraft['you'] {
  return {
    colour,
    role,
    partners,
    dead: isDead,
    persona: { ...persona, ...identity },
    notes: { main_scratch: pads.main, meeting_scratch: pads.meeting },
    knows: brief?.notes ?? '',
    past,
    notices,
  };
}

function writeKnown(record: PublicRecord): MessageDraft['known'] {
  return {
    ...record,
    impostors_remaining: impostorsRemaining(record),
    meeting: meetingNumber(record),
    task_bar: record.bar,
  };
}

function writeTable({ you, table, reminder }: LivingView): MessageDraft['table'] {
  const { tick, clock } = table;
  return {
    ...table,
    votes_open: table.votesOpen,
    confirm_ejects: table.confirmEjects,
    anonymous_votes: table.anonymousVotes,
    ticks_left: clock.closeAfter === null ? null : Math.max(0, clock.closeAfter - tick),
    ballot: you.ballot,
    reminder,
  };
}

function writeShip(view: ActionView): MessageDraft['ship'] {
  const { you, round, rules, scene, map, options, truth } = view;
  return {
    ...scene,
    rules,
    round,
    going_on_with: scene.intent,
    kill_wait: you.isGhost ? null : scene.killWait,
    sabotage_wait: scene.sabotageWait,
    button_wait: scene.buttonWait,
    camera_light: scene.cameraLight,
    living: scene.seats,
    truth,
    options: Object.fromEntries(GAME_OPTIONS.map(({ key, yaml }) => [yaml, options[key]])),
    map: { ...map, cameras: map.cameras?.at ?? null, admin_table: map.adminTable },
  };
}

export function writeChoices(request: MindRequest): MessageDraft['choices'] {
  const { kind, view } = request;
  const at =
    kind === 'action' ? kind : kind === 'ghost' ? view.requestKind : view.table.requestKind;
  const { page } = openPage(view.you.pads, at);
  if (kind === 'ghost') return { ...NO_CHOICES, page };
  if (kind === 'action') return { ...NO_CHOICES, actions: listOpenActions(view), page };
  const { talk, ballots } = listTalk(view);
  return { ...NO_CHOICES, targets: talk ?? [], votes: ballots, page };
}

export function writePrompt({ system, user, schema, schemaName, maxTokens }: Prompt) {
  return {
    system: joinBlocks(system),
    user: joinBlocks(user),
    schema,
    schema_name: schemaName,
    max_tokens: maxTokens,
  };
}
