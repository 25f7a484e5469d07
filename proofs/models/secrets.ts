/**
 * Secrets: ghost chat, private thoughts, and the identity of impostors. Self-composition checks each of them: two
 * copies of a whole meeting get the same public inputs and must show the same. The charts, messages, bid stream and
 * lenses are the real ones. The meeting has three living players and a ghost. Their few messages are chosen to matter:
 * accusations, replies, votes and ghost chat. The talk is short so that the search ends.
 */
import type { MachinePoint, SelfComposition } from 'glass-box-checker';
import type { MeetingSessionInput } from '../../machines/charts/meetingSession.ts';
import type { PlayerContext } from '../../machines/charts/player.ts';
import { decode, encode, lineOf, PLAIN_READERS } from '../../machines/journal/codec.ts';
import { type Lens, throughGlass, throughLens } from '../../machines/journal/lens.ts';
import { lineSchema } from '../../machines/journal/lines.ts';
import { emptyProjection, next, type Projection } from '../../machines/journal/projection.ts';
import { ARBITER, GALLERY, MEETING, playerId } from '../../machines/messages.ts';
import type { Fact, GhostFact } from '../../machines/rules/facts.ts';
import type { MeetingSetup, Table } from '../../machines/rules/meeting.ts';
import type { MeetingOptions } from '../../machines/rules/options.ts';
import { NO_PAST } from '../../machines/rules/record.ts';
import type { GameFact } from '../../machines/rules/ship/game.ts';
import type { PlayerInput } from '../../machines/rules/views.ts';
import type { Colour, Reply } from '../../machines/types.ts';
import { replyOf } from './closings.ts';
import { tableOfSeats } from './meeting.ts';
import type {
  MeetingSystem,
  SystemInput,
  SystemObservation,
  SystemState,
  SystemStep,
} from './meetingSystem.ts';

const LIVING = ['red', 'blue', 'green'] as const satisfies readonly Colour[];
const GHOST: Colour = 'pink';
const LEAVER: Colour = 'blue';
const SEATED: readonly Colour[] = [...LIVING, GHOST];

/** Two ticks of talk, so that the first can affect the second. */
const TICKS = 2;
/** More ghost turns than ticks, so that a silent ghost is a choice. */
const GHOST_TURNS = 4;

export type SmallMeetingOptions = {
  readonly impostors?: readonly Colour[];
  readonly options?: Partial<MeetingOptions>;
};

export function smallMeeting({
  impostors = ['green'],
  options = {},
}: SmallMeetingOptions = {}): MeetingSessionInput {
  const setting = tableOfSeats(LIVING, [GHOST], { maxTicks: TICKS, ...options }, impostors);
  return { ghostBudget: GHOST_TURNS, setting, players: createPlayers(setting) };
}

function createPlayers({ seats, standings }: MeetingSetup): readonly PlayerInput[] {
  const impostors = seats.filter(({ role }) => role === 'impostor');
  return seats.map(({ colour, role }) => ({
    colour,
    role,
    partners: impostors.flatMap((other) =>
      role === 'impostor' && other.colour !== colour ? [other.colour] : [],
    ),
    persona: { name: 'Ann', temperament: 'observer', notes: '' },
    brief: { sightings: [], notes: '' },
    pads: { main: '', meeting: '' },
    past: NO_PAST,
    ghost: standings[colour] === 'dead',
  }));
}

/** The same options with a talk short enough to search: in classic one tick of talk and one of votes. */
export function shortTalk(options: MeetingOptions): MeetingOptions {
  const { rules, secondsPerTick } = options;
  if (rules === 'house') return { ...options, maxTicks: TICKS };
  return { ...options, maxTicks: null, discussionTime: secondsPerTick, votingTime: secondsPerTick };
}

type PossibleReplies = readonly Partial<Reply>[];

export type MeetingComposition = SelfComposition<SystemState, SystemInput>;

type PairedInputs = ReturnType<MeetingComposition['inputs']>[number];

/** The seats that still think about a bid or, as ghosts, about a chat. The order of answers has no effect. */
export function listThinking(
  state: SystemState,
  what: 'bidding' | 'chatting' = 'bidding',
): readonly Colour[] {
  return SEATED.filter((seat) => actorPlace(state, playerId(seat)).includes(what));
}

export function actorState<C = unknown>({ actors }: SystemState, name: string): MachinePoint<C> {
  const actor = actors[name];
  if (actor === undefined) throw new Error(`no actor is called ${name}`);
  return actor as MachinePoint<C>; // each actor is of one machine, known by its name
}

function actorPlace(state: SystemState, name: string): string {
  return actorState(state, name).place.name;
}

function answer(state: SystemState, seat: Colour, reply: Partial<Reply>): SystemInput {
  const { index, ghost } = actorState<PlayerContext>(state, playerId(seat)).context;
  const bid = { ...replyOf(seat, reply), received: reply };
  return { type: 'answer', to: ghost ? 'gallery' : 'table', index, bid };
}

function timersOf(state: SystemState, ...names: readonly string[]): readonly SystemInput[] {
  return names.flatMap((actor) =>
    actorState(state, actor).timers.map(
      ({ event }): SystemInput => ({ type: 'timer', actor, event }),
    ),
  );
}

/** Inputs for both copies: timers of the table, and every answer of the first thinking player, changed for the right. */
export function publicInputs(
  left: SystemState,
  right: SystemState,
  talk = possibleTalk,
  change = (reply: Partial<Reply>, _seat: Colour) => reply,
): readonly PairedInputs[] {
  const rights = timersOf(right, MEETING, ARBITER);
  const running = timersOf(left, MEETING, ARBITER).map((input, index) => ({
    left: input,
    right: rights[index] ?? null,
  }));
  const [seat] = listThinking(left);
  if (seat === undefined) return running;
  const isTalk = actorPlace(left, MEETING).includes('bidding');
  const answers = talk(seat, isTalk).map((reply) => ({
    left: answer(left, seat, reply),
    right: answer(right, seat, change(reply, seat)),
  }));
  return [...running, ...answers];
}

/** Inputs for the right copy only: its ghosts talk or are late. */
function ghostInputs(right: SystemState, replies: readonly Partial<Reply>[]) {
  return [
    ...timersOf(right, GALLERY),
    ...listThinking(right, 'chatting').flatMap((seat) =>
      replies.map((reply) => answer(right, seat, reply)),
    ),
  ].map((input): PairedInputs => ({ left: null, right: input }));
}

/** Red accuses blue or votes for green. Blue joins in. Green asks and skips. All may also be late. */
export function possibleTalk(seat: Colour, isTalk: boolean): PossibleReplies {
  if (!isTalk) return [{ pads: { main: 'kept' } }];
  switch (seat) {
    case 'red':
      return [{ desire: 9, message: 'blue lied', target: 'blue' }, { vote: 'green' }];
    case 'blue':
      return [{ desire: 5, message: 'no, green did', vote: 'green' }];
    default:
      return [{ desire: 5, message: 'where was red', vote: 'skip' }];
  }
}

export const GHOST_CHAT: PossibleReplies = [
  {},
  { desire: 10, message: 'red lied! red is the killer, believe me' },
];

/** The living part of the meeting: the meeting, the arbiter and the living players, with their pending requests. */
function wholeTable(state: SystemState): unknown {
  const { standings } = actorState<Table>(state, MEETING).context;
  const present = LIVING.filter((seat) => standings[seat] === 'living').map(playerId);
  const names = [MEETING, ARBITER, ...present];
  return [state.bidMessages, ...names.map((name) => wholeActor(state, name))];
}

type Sights = (observations: readonly SystemObservation[]) => readonly unknown[];

/** Two copies of a meeting, which show what `see` leaves of their observations. */
function compose(
  [left, right]: readonly [MeetingSystem, MeetingSystem],
  see: Sights,
  { inputs, ...rest }: Omit<MeetingComposition, 'starts' | 'step' | 'whole'>,
): MeetingComposition {
  const observe = ({ state, observations }: SystemStep) => ({ state, seen: see(observations) });
  const first = observe(left.start());
  return {
    ...rest,
    starts: [[first, right === left ? first : observe(right.start())]],
    inputs: (one, other) =>
      actorState(one, MEETING).status === 'active' ? inputs(one, other) : [],
    step: (state, input) => observe(left.step(state, input)),
    whole: wholeState,
  };
}

/** Compares everything that living players may see, all their requests and all facts, and then the result of `look`. */
export function composeGhosts(system: MeetingSystem): MeetingComposition {
  const see: Sights = (observations) =>
    observations.filter((observation) =>
      observation.type === 'asked'
        ? observation.request.kind !== 'ghost'
        : observation.type === 'told',
    );
  return compose([system, system], see, {
    name: 'ghosts-do-not-interfere',
    sentence: 'No action of a ghost changes anything for the living.',
    inputs: (left, right) => [...publicInputs(left, right), ...ghostInputs(right, GHOST_CHAT)],
    look: wholeTable,
  });
}

/** A step of the actors, the projection of the journal up to then, and the facts as written and read. */
export type SystemMoment = SystemStep & {
  readonly journal: Projection;
  readonly kept: readonly (readonly [written: Fact, read: object | null])[];
};

/** Laws of the actors together, after each input, by their sentences. */
export type SystemLaws = Readonly<Record<string, (moment: SystemMoment) => boolean>>;

/**
 * Meeting, arbiter, players and bid stream, explored together. The ghost is silent. The second copy is the same system,
 * but reports each broken law, so the shortest run that tells the copies apart is the shortest run to a broken law.
 */
export function composeTogether(
  system: MeetingSystem,
  laws: SystemLaws,
  head: Pick<MeetingComposition, 'name' | 'sentence'>,
): MeetingComposition {
  const judging = new WeakMap<SystemState, Projection>();
  const judge = (step: SystemStep, before: Projection) => {
    const told = step.observations.flatMap((one) => (one.type === 'told' ? [one.fact] : []));
    const journal = told.map((fact) => throughGlass(createLine(fact))).reduce(next, before);
    const kept = told.map((fact) => [fact, keepFact(fact)] as const);
    judging.set(step.state, journal);
    const moment = { ...step, journal, kept };
    const broken = Object.entries(laws).filter(([, holds]) => !holds(moment));
    return { state: step.state, seen: broken.map(([sentence]) => sentence) };
  };
  const unknown = { role: null, persona: '', mind: null, model: '' };
  const players = SEATED.map((seat) => {
    return { ...unknown, seat, fate: seat === GHOST ? ('dead' as const) : ('living' as const) };
  });
  const opened = { ...emptyProjection({ type: 'glass' }), players };
  const see = ({ state }: SystemStep) => ({ state, seen: [] });
  return {
    ...head,
    starts: [[see(system.start()), judge(system.start(), opened)]],
    inputs: (one) =>
      actorState(one, MEETING).status !== 'active'
        ? []
        : [...publicInputs(one, one), sameInput({ type: 'leave', seat: LEAVER })],
    step: (state, input) => {
      const after = system.step(state, input);
      const journal = judging.get(state);
      return journal === undefined ? see(after) : judge(after, journal);
    },
    look: () => null,
    whole: wholeState,
  };
}

function createLine(fact: Fact | GhostFact | GameFact) {
  const channel = fact.type === 'turn.closed' ? 'ghosts' : 'living';
  return lineOf(encode(fact), { channel, seq: 1, hash: '0'.repeat(64) });
}

/** Writes a fact to a journal, and reads it without a parser. */
export function keepFact(fact: Fact | GhostFact | GameFact) {
  const call = 'call' in fact ? fact.call : undefined;
  return decode(lineSchema.parse(createLine(fact)), PLAIN_READERS, call);
}

const sameInput = (input: SystemInput) => ({ left: input, right: input });

const SECRET = { thought: 'I am the killer', pads: { meeting: 'blue knows' } };

/** Red thinks one of two things, notes it or not, and acts the same. */
export function composeThoughts(system: MeetingSystem): MeetingComposition {
  const others = SEATED.filter((seat) => seat !== 'red');
  const names = [MEETING, ARBITER, GALLERY, ...others.map(playerId)];
  return compose([system, system], throughEyesOf(others), {
    name: 'thoughts-do-not-interfere',
    sentence: 'The thoughts and notes of a player reach no other player.',
    inputs: (left, right) => [
      ...publicInputs(left, right, possibleTalk, (reply, seat) =>
        seat === 'red' ? { ...reply, ...SECRET } : reply,
      ),
      ...ghostInputs(right, GHOST_CHAT.slice(1)).map((dose) => ({ ...dose, left: dose.right })),
    ],
    look: (state) => names.map((name) => wholeActor(state, name)),
  });
}

const hasLeaver = (standings: Table['standings']) => Object.values(standings).includes('departed');

/** An ejection reveals the ejected player's role, and the number of impostors left a departed one's. */
function isRoleKnown(state: SystemState): boolean {
  const { ejected, poll, standings } = actorState<Table>(state, MEETING).context;
  return ejected !== null || (poll !== null && hasLeaver(standings));
}

/** Two meetings with different impostors, seen by one player. `isConfirmed` permits an ejection to reveal a role. */
export function composeRoles(
  observer: Colour,
  systems: readonly [MeetingSystem, MeetingSystem],
  isConfirmed: boolean,
): MeetingComposition {
  return compose(systems, throughEyesOf([observer]), {
    name: 'roles-do-not-interfere',
    sentence:
      'Except for a confirmed ejection, the view of a crewmate does not depend on who is the impostor.',
    inputs: (one, other) => publicInputs(one, other),
    look: (state) => [
      listThinking(state),
      ...[ARBITER, playerId(observer)].map((name) => wholeActor(state, name)),
    ],
    ...(isConfirmed ? { isReleased: (one, other) => isRoleKnown(one) && isRoleKnown(other) } : {}),
  });
}

/** A ballot is public once it is turned, and in classic if it is cleared (ruling 20). */
function isBallotKnown(state: SystemState): boolean {
  const { revealed, standings, options } = actorState<Table>(state, MEETING).context;
  return revealed > 0 || (options.rules === 'classic' && hasLeaver(standings));
}

const hasRedVoted = (state: SystemState) =>
  actorState<Table>(state, MEETING).context.ballots.red !== undefined;

/** Red votes for one of two players. One of them may leave. */
function composeBallots(system: MeetingSystem): MeetingComposition {
  const [, ...others] = LIVING;
  const names = [ARBITER, ...others.map(playerId)];
  return compose([system, system], throughEyesOf(others), {
    name: 'ballots-do-not-interfere',
    sentence:
      'Until it is turned, nobody at the table and no spectator learns whom a ballot names.',
    inputs: (left, right) => [
      ...publicInputs(left, right, possibleTalk, (reply, seat) =>
        seat === 'red' && reply.vote === 'green' ? { ...reply, vote: LEAVER } : reply,
      ),
      // A vote for a player who has left is refused, so the player leaves only after it.
      ...(hasRedVoted(left) ? [sameInput({ type: 'leave', seat: LEAVER })] : []),
    ],
    look: (state) => names.map((name) => wholeActor(state, name)),
    isReleased: (one, other) => isBallotKnown(one) || isBallotKnown(other),
  });
}

export const SECRETS = {
  'ghosts-do-not-interfere': composeGhosts,
  'thoughts-do-not-interfere': composeThoughts,
  'roles-do-not-interfere': (left: MeetingSystem, right: MeetingSystem, isConfirmed: boolean) =>
    composeRoles('red', [left, right], isConfirmed),
  'ballots-do-not-interfere': composeBallots,
} as const;

/** The view of these players: their requests, and the journal through their own lens and the table's. */
const throughEyesOf =
  (observers: readonly Colour[]): Sights =>
  (observations) =>
    observations.flatMap((observation): readonly unknown[] => {
      if (observation.type === 'asked')
        return observers.includes(observation.seat) ? [observation] : [];
      if (observation.type === 'murmured') return [];
      const line = createLine(observation.fact);
      const players = observers.map((seat) => ({ type: 'player', seat }) as const);
      const lenses: readonly Lens[] = [{ type: 'table' }, ...players];
      return lenses
        .map((lens) => throughLens(line, lens, { dead: [GHOST] }))
        .filter((seen) => seen !== null);
    });

const knownActors = new WeakMap<MachinePoint<unknown>, unknown>();

function wholeActor(state: SystemState, name: string): unknown {
  const rest = actorState(state, name);
  const { place, context, timers, status } = rest;
  const known = knownActors.get(rest) ?? [place.name, context, timers.map(({ id }) => id), status];
  knownActors.set(rest, known);
  return known;
}

function wholeState(state: SystemState): unknown {
  const { actors, bidMessages, audience } = state;
  return [bidMessages, audience, ...Object.keys(actors).map((name) => wholeActor(state, name))];
}
