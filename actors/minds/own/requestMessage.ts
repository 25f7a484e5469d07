/**
 * The message of a request: the view behind the prompt as data, with the open choices and the prompt itself.
 *
 * Every field is copied by name, so a new field of a view stays inside until it is listed here. Nothing in it comes
 * from the seed, which would reveal all roles.
 */

import type { BeliefQuestion } from '../../../machines/rules/beliefs.ts';
import { GAME_OPTIONS } from '../../../machines/rules/optionRows.ts';
import { type GameOptions, SECONDS_PER_ROUND } from '../../../machines/rules/options.ts';
import {
  type AnnouncedResult,
  impostorsRemaining,
  meetingNumber,
  type OwnPast,
  type PublicRecord,
} from '../../../machines/rules/record.ts';
import { INTENTS, LONGEST_WAIT } from '../../../machines/rules/ship/orders.ts';
import type { MemoryEntry } from '../../../machines/rules/ship/sight.ts';
import type { ActionView } from '../../../machines/rules/ship/views.ts';
import type { GhostView, LivingView, PublicTable } from '../../../machines/rules/views.ts';
import type { Brief, Sighting, Utterance } from '../../../machines/types.ts';
import { joinBlocks } from '../../../prompts/block.ts';
import type { Identity } from '../../../prompts/personas.ts';
import { buildPrompt, type Prompt } from '../../../prompts/prompt.ts';
import type { ReflectionView } from '../../../prompts/reflection.ts';
import { buildTurnPrompt } from '../human/turnPrompt.ts';
import type { AnswerTimes } from '../kinds.ts';
import type { MindRequest } from '../port.ts';
import type { RequestMessage } from './protocol.ts';

export type RequestFrame = {
  readonly game: string;
  readonly identity: Identity;
  readonly times: AnswerTimes;
};

export function writeRequest(
  request: MindRequest,
  id: number,
  { game, identity, times }: RequestFrame,
): RequestMessage {
  const { kind, index, view } = request;
  return {
    type: 'request',
    id,
    game,
    seat: view.you.colour,
    kind,
    index,
    deadline_ms: kind === 'action' ? times.ship : times.table,
    ...NO_VIEW,
    ...writeView(request, identity),
    choices: writeChoices(request),
    prompt: writePrompt(buildPrompt(request, identity)),
  };
}

/** Belief requests have their own numbers, so requests of the game keep theirs. */
export const FIRST_BELIEF_ID = 2 ** 32;

export function writeBeliefRequest(
  question: BeliefQuestion,
  id: number,
  { game, identity, times }: RequestFrame,
): RequestMessage {
  const { view, tick, about } = question;
  const request: MindRequest = { kind: 'voting', index: view.table.tick, view };
  return {
    type: 'request',
    id,
    game,
    seat: view.you.colour,
    kind: 'belief',
    index: tick ?? view.table.tick,
    deadline_ms: times.table,
    ...NO_VIEW,
    ...writeView(request, identity),
    choices: { ...NO_CHOICES, targets: [...about] },
    prompt: writePrompt(buildPrompt({ kind: 'belief', ...question }, identity)),
  };
}

export function writeReflection(
  view: ReflectionView,
  id: number,
  { game, identity, times }: RequestFrame,
): RequestMessage {
  const { you, ending, seats } = view;
  return {
    type: 'request',
    id,
    game,
    seat: you.colour,
    kind: 'reflection',
    index: 0,
    deadline_ms: times.table,
    ...NO_VIEW,
    you: writeYou({ ...you, notices: [] }, identity, you.isGhost),
    ending: {
      winner: ending.winner,
      reason: ending.reason,
      seats: seats.map(({ colour, role, standing }) => ({ colour, role, standing })),
    },
    known: null,
    record: NO_RECORD,
    choices: NO_CHOICES,
    prompt: writePrompt(buildPrompt({ kind: 'reflection', view }, identity)),
  };
}

const NO_VIEW = { table: null, ghosts: null, ship: null, ending: null } as const;
const NO_RECORD: RequestMessage['record'] = { said: [], ghosts_said: [], seen: [] };
const NO_CHOICES: RequestMessage['choices'] = {
  targets: [],
  votes: [],
  actions: [],
  rounds: { least: 1, most: LONGEST_WAIT },
  page: 'main_scratch',
};

type ViewFields = Pick<RequestMessage, 'you' | 'known' | 'record'> &
  Partial<Pick<RequestMessage, 'table' | 'ghosts' | 'ship'>>;

function writeView(request: MindRequest, identity: Identity): ViewFields {
  switch (request.kind) {
    case 'action': {
      const { you, round } = request.view;
      return {
        you: writeYou(you, identity, you.isGhost, writeRecentPast(you, request.view)),
        ship: writeShip(request.view),
        known: writeKnown(request.view.record),
        record: { ...NO_RECORD, seen: writeSightings(toAgo(you.memory, round)) },
      };
    }
    case 'ghost': {
      const { you, transcript, chat } = request.view;
      return {
        you: writeYou({ ...you, notices: [] }, identity, true, writePast(you.past)),
        ghosts: writeGhosts(request.view),
        known: writeKnown(request.view.truth.record),
        record: {
          said: writeSpeech(transcript),
          ghosts_said: chat.map(({ speaker, message }) => ({ speaker, message })),
          seen: writeSightings(you.brief.sightings),
        },
      };
    }
    default: {
      const { you, table } = request.view;
      return {
        you: writeYou(you, identity, false, writePast(you.past)),
        table: writeTable(request.view),
        known: writeKnown(table.record),
        record: {
          ...NO_RECORD,
          said: writeSpeech(table.transcript),
          seen: writeSightings(you.brief.sightings),
        },
      };
    }
  }
}

/** A player's knowledge of themselves. A brief exists at the table only. */
type KnownSelf = Pick<LivingView['you'], 'colour' | 'role' | 'partners' | 'persona' | 'pads'> & {
  readonly brief?: Brief;
  readonly notices: LivingView['you']['notices'];
};

function writeYou(
  { colour, role, partners, persona, pads, brief, notices }: KnownSelf,
  { character, voice, level, learned }: Identity,
  isDead: boolean,
  past: RequestMessage['you']['past'] = NO_DEEDS,
): RequestMessage['you'] {
  const { name, temperament, notes } = persona;
  return {
    colour,
    role,
    partners: [...partners],
    dead: isDead,
    persona: { name, temperament, notes, character, voice, level, learned: [...learned] },
    notes: { main_scratch: pads.main, meeting_scratch: pads.meeting },
    knows: brief?.notes ?? '',
    past,
    notices: notices.map(({ code, text }) => ({ code, text })),
  };
}

const NO_DEEDS = { deeds: [], votes: [] };

function writePast({ deeds, votes }: OwnPast): RequestMessage['you']['past'] {
  return { deeds: deeds.map((deed) => ({ ...deed })), votes: votes.map((vote) => ({ ...vote })) };
}

function writeRecentPast(
  { past, deeds }: ActionView['you'],
  { round, record }: ActionView,
): RequestMessage['you']['past'] {
  const { deeds: earlier, votes } = writePast(past);
  const recent = deeds.map(({ round: at, ...deed }) => ({
    ...deed,
    meeting: meetingNumber(record),
    ago: (round - at) * SECONDS_PER_ROUND,
  }));
  return { deeds: [...earlier, ...recent], votes };
}

function writeKnown(record: PublicRecord): RequestMessage['known'] {
  const { impostors, meetings, losses, bar } = record;
  return {
    impostors,
    impostors_remaining: impostorsRemaining(record),
    meeting: meetingNumber(record),
    meetings: meetings.map(({ call, result }) => ({
      call: writeCall(call),
      result: writeAnnounced(result),
    })),
    losses: losses.map((loss) => ({ ...loss })),
    task_bar: bar,
  };
}

function writeTable({ you, table, reminder }: LivingView): RequestMessage['table'] {
  const { rules, tick, seats, call, votesOpen, confirmEjects, anonymousVotes, announced } = table;
  return {
    rules,
    tick,
    seats: seats.map(({ colour, standing, voted }) => ({ colour, standing, voted })),
    call: writeCall(call),
    votes_open: votesOpen,
    confirm_ejects: confirmEjects,
    anonymous_votes: anonymousVotes,
    ticks_left: table.clock.closeAfter === null ? null : Math.max(0, table.clock.closeAfter - tick),
    announced: writeAnnounced(announced),
    ballot: you.ballot,
    reminder,
  };
}

function writeGhosts({ turn, requestKind, truth }: GhostView): RequestMessage['ghosts'] {
  const { seats, ballots, call, announced, world } = truth;
  return {
    turn,
    phase: requestKind,
    seats: seats.map(({ colour, role, standing }) => ({ colour, role, standing })),
    ballots: { ...ballots },
    call: writeCall(call),
    announced: writeAnnounced(announced),
    world:
      world === null
        ? null
        : {
            places: { ...world.places },
            tasks: { ...world.tasks },
            deeds: world.deeds.map((deed) => ({ ...deed })),
          },
  };
}

function writeCall({ by, kind, body, place }: PublicTable['call']) {
  return { by, kind, body, place };
}

function writeAnnounced(announced: AnnouncedResult | null) {
  if (announced === null) return null;
  const { outcome, ejected, role, remaining, ballots, sentence } = announced;
  return {
    outcome,
    ejected,
    role,
    remaining,
    sentence,
    ballots: ballots.map(({ voter, ballot, void: isVoid }) => ({ voter, ballot, void: isVoid })),
  };
}

function writeShip({ round, rules, scene, map, options }: ActionView): RequestMessage['ship'] {
  const { crisis, bar, heads } = scene;
  return {
    rules,
    round,
    why: [...scene.why],
    place: scene.place,
    vent: scene.vent,
    going_on_with: scene.intent === null ? null : { ...scene.intent },
    here: scene.here.map(({ who, place }) => ({ who, place })),
    company: [...scene.company],
    bodies: scene.bodies.map(({ victim, place }) => ({ victim, place })),
    tasks: scene.tasks.map(({ id, name, kind, visual, next, rounds, steps, of }) => {
      return { id, name, kind, visual, next, rounds, steps, of };
    }),
    kill_wait: scene.killWait,
    sabotage_wait: scene.sabotageWait,
    buttons: scene.buttons,
    button_wait: scene.buttonWait,
    crisis:
      crisis === null
        ? null
        : {
            system: crisis.system,
            seconds: crisis.seconds,
            consoles: [...crisis.consoles],
            done: [...crisis.done],
          },
    shut: [...scene.shut],
    bar: bar === null ? null : { done: bar.done, all: bar.all },
    camera_light: scene.cameraLight,
    heads: heads === null ? null : { ...heads },
    living: [...scene.seats],
    options: writeOptions(options),
    map: writeMap(map),
  };
}

function writeMap({ name, openings, vents, button, cameras, adminTable }: ActionView['map']) {
  return {
    name,
    openings: Object.fromEntries(
      Object.entries(openings).map(([place, ends]) => [place, [...(ends ?? [])]]),
    ),
    vents: vents.map(({ id, place, links }) => ({ id, place, links: [...links] })),
    button,
    cameras: cameras?.at ?? null,
    admin_table: adminTable,
  };
}

function writeOptions(options: GameOptions): Readonly<Record<string, unknown>> {
  return Object.fromEntries(GAME_OPTIONS.map(({ key, yaml }) => [yaml, options[key]]));
}

function writeSpeech(transcript: readonly Utterance[]): RequestMessage['record']['said'] {
  return transcript.map(({ tick, speaker, target, message }) => ({
    tick,
    speaker,
    target,
    message,
  }));
}

function writeSightings(sightings: readonly Sighting[]): RequestMessage['record']['seen'] {
  return sightings.map(({ ago, who, place, did }) => ({ ago, who, place, did }));
}

/** Memory in rounds, converted to seconds ago. */
function toAgo(memory: readonly MemoryEntry[], round: number): readonly Sighting[] {
  return memory.map(({ who, place, did, until }) => ({
    ago: (round - until) * SECONDS_PER_ROUND,
    who,
    place,
    did,
  }));
}

/** The choices open to this player now, as in a person's form. */
function writeChoices(request: MindRequest): RequestMessage['choices'] {
  const { talk, ballots, actions, notes } = buildTurnPrompt(request);
  return {
    targets: [...(talk ?? [])],
    votes: [...ballots],
    actions: actions.flatMap(({ action }) => {
      const type = INTENTS.find((one) => one === action['type']);
      if (type === undefined || (type === 'button' && !isButtonReady(request))) return [];
      return [{ ...action, type }];
    }),
    rounds: NO_CHOICES.rounds,
    page: notes.page,
  };
}

/** A person may walk to the button before it works. Listed actions work now. */
function isButtonReady(request: MindRequest): boolean {
  return request.kind === 'action' && request.view.scene.buttonWait === 0;
}

function writePrompt({ system, user, schema, schemaName, maxTokens }: Prompt) {
  return {
    system: joinBlocks(system),
    user: joinBlocks(user),
    schema: { ...schema },
    schema_name: schemaName,
    max_tokens: maxTokens,
  };
}
