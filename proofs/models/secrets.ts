/**
 * Secrets: what ghosts say, what players think and who the impostors are. Each is checked by self-composition: two
 * copies of a whole meeting get the same public inputs and must show the same. The charts, the messages, the bid stream
 * and the lenses are those that run.
 *
 * The meeting is small: three living players and a ghost. Its minds have little to say, chosen so that it matters:
 * accusations, answers to them, votes, chat of the ghost. Its talk is short, or the search would not end.
 */
import type { PlayerContext, PlayerInput } from '../../machines/charts/player.ts';
import { encode } from '../../machines/journal/codec.ts';
import { throughLens } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { ARBITER, GALLERY, MEETING, playerId } from '../../machines/messages.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import { QUIET, WITHOUT_GAME } from '../../machines/rules/meeting.ts';
import { defaultOptions, type MeetingOptions } from '../../machines/rules/options.ts';
import type { Bid, Colour, Reply } from '../../machines/types.ts';
import { BUTTON_CALL } from './meeting.ts';
import type {
  ActorState,
  MeetingSystem,
  Observation,
  SystemInput,
  SystemSetup,
  SystemState,
  SystemStep,
} from './meetingSystem.ts';

const LIVING = ['red', 'blue', 'green'] as const satisfies readonly Colour[];
const GHOST: Colour = 'pink';
const SEATED: readonly Colour[] = [...LIVING, GHOST];

/** Ticks of talk: what happens in the first can show in the second. */
const TICKS = 2;
/** Turns of the ghost: more than there are ticks, so that silence is its own choice. */
const GHOST_TURNS = 4;

export type SmallMeetingOptions = {
  readonly impostors?: readonly Colour[];
  readonly options?: Partial<MeetingOptions>;
};

/** Red, blue and green live; pink is a ghost. */
export function smallMeeting({
  impostors = ['green'],
  options = {},
}: SmallMeetingOptions = {}): SystemSetup {
  const role = (seat: Colour) => (impostors.includes(seat) ? 'impostor' : 'crewmate');
  return {
    ghostBudget: GHOST_TURNS,
    setting: {
      chance: { seed: 1, meeting: 0 },
      options: { ...defaultOptions(LIVING.length), maxTicks: TICKS, ...options },
      seats: SEATED.map((colour) => ({ colour, role: role(colour) })),
      call: BUTTON_CALL,
      circumstances: QUIET,
      ...WITHOUT_GAME,
      standings: Object.fromEntries(
        SEATED.map((seat) => [seat, seat === GHOST ? 'dead' : 'living']),
      ),
    },
    players: SEATED.map(
      (colour): PlayerInput => ({
        colour,
        role: role(colour),
        partners: impostors.filter((other) => impostors.includes(colour) && other !== colour),
        persona: { name: 'Ann', temperament: 'observer', notes: '' },
        brief: { sightings: [], notes: '' },
        pads: { main: '', meeting: '' },
        light: false,
        ghost: colour === GHOST,
      }),
    ),
  };
}

/** The same options with talk so short that the search ends: in classic one tick of talk and one of votes. */
export function shortTalk(options: MeetingOptions): MeetingOptions {
  const { rules, secondsPerTick } = options;
  if (rules === 'house') return { ...options, maxTicks: TICKS };
  return { ...options, maxTicks: null, discussionTime: secondsPerTick, votingTime: secondsPerTick };
}

type PossibleReplies = readonly Partial<Reply>[];

/** The inputs of one step of both copies; null for a copy that gets none. */
type PairedInputs = { readonly left: SystemInput | null; readonly right: SystemInput | null };

/** The seats at the table that still think. Who answers first decides nothing, so they answer in the order of seats. */
export function listThinking(
  state: SystemState,
  seats: readonly Colour[] = SEATED,
): readonly Colour[] {
  return seats.filter((seat) => actorPlace(state, playerId(seat)).includes('bidding'));
}

export function listThinkingGhosts(state: SystemState): readonly Colour[] {
  return SEATED.filter((seat) => actorPlace(state, playerId(seat)).includes('chatting'));
}

export function actorState<C = unknown>({ actors }: SystemState, name: string): ActorState<C> {
  const actor = actors[name];
  if (actor === undefined) throw new Error(`no actor is called ${name}`);
  return actor as ActorState<C>; // each actor is of one machine, known by its name
}

function actorPlace(state: SystemState, name: string): string {
  return actorState(state, name).place.name;
}

function isOver(state: SystemState): boolean {
  return actorState(state, MEETING).status !== 'active';
}

const NOTHING: Reply = {
  thought: '',
  desire: 0,
  message: '',
  target: null,
  vote: null,
  pads: {},
  notes: [],
};

/** A bid as the answer that the mind of its seat was asked for. */
export function answerWith(state: SystemState, bid: Bid): SystemInput {
  const { index, ghost } = actorState<PlayerContext>(state, playerId(bid.seat)).context;
  return { type: 'answer', to: ghost ? 'gallery' : 'table', index, bid };
}

function answer(state: SystemState, seat: Colour, reply: Partial<Reply>): SystemInput {
  const bid: Bid = { type: 'reply', seat, received: reply, reply: { ...NOTHING, ...reply } };
  return answerWith(state, bid);
}

function timersOf(state: SystemState, ...names: readonly string[]): readonly SystemInput[] {
  return names.flatMap((actor) =>
    actorState(state, actor).timers.map(
      ({ event }): SystemInput => ({ type: 'timer', actor, event }),
    ),
  );
}

/** What both copies get: timers of the table and, of the first player who thinks, every answer. */
export function publicInputs(
  left: SystemState,
  right: SystemState,
  replies: (
    seat: Colour,
    isTalk: boolean,
  ) => readonly (readonly [Partial<Reply>, Partial<Reply>])[],
): readonly PairedInputs[] {
  const rights = timersOf(right, MEETING, ARBITER);
  const running = timersOf(left, MEETING, ARBITER).map((input, index) => ({
    left: input,
    right: rights[index] ?? null,
  }));
  const [seat] = listThinking(left);
  if (seat === undefined) return running;
  const isTalk = actorPlace(left, MEETING).includes('bidding');
  const answers = replies(seat, isTalk).map(([one, other]) => ({
    left: answer(left, seat, one),
    right: answer(right, seat, other),
  }));
  return [...running, ...answers];
}

/** What only the right copy gets: its ghosts talk, or are late. */
function ghostInputs(right: SystemState, replies: readonly Partial<Reply>[]) {
  return [
    ...timersOf(right, GALLERY),
    ...listThinkingGhosts(right).flatMap((seat) =>
      replies.map((reply) => answer(right, seat, reply)),
    ),
  ].map((input): PairedInputs => ({ left: null, right: input }));
}

export const sameReplies = (replies: PossibleReplies) =>
  replies.map((reply) => [reply, reply] as const);

/** Red accuses blue or votes green out; blue joins in; green asks and skips. All may be late as well. */
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

type ObservedState = { readonly state: SystemState; readonly seen: readonly unknown[] };

/** Two rooms side by side, as a search for interference takes them. */
export type MeetingComposition = {
  readonly name: string;
  readonly sentence: string;
  readonly starts: readonly (readonly [ObservedState, ObservedState])[];
  readonly inputs: (left: SystemState, right: SystemState) => readonly PairedInputs[];
  readonly step: (state: SystemState, input: SystemInput) => ObservedState;
  readonly look: (state: SystemState) => unknown;
  readonly whole: (state: SystemState) => unknown;
  readonly isReleased?: (left: SystemState, right: SystemState) => boolean;
};

/** The table as it is: the meeting, the arbiter and whoever lives, with what each of them waits for. */
function wholeTable(state: SystemState): unknown {
  const { standings } = actorState<Table>(state, MEETING).context;
  const present = LIVING.filter((seat) => standings[seat] === 'living').map(playerId);
  const names = [MEETING, ARBITER, ...present];
  return [state.bidMessages, ...names.map((name) => wholeActor(state, name))];
}

type GhostOptions = {
  /** What is looked at between steps; the whole table where nothing else is said. */
  readonly look?: MeetingComposition['look'];
  /** Sees all that is shown. */
  readonly onObservations?: (observations: readonly Observation[]) => void;
  readonly leavers?: readonly Colour[];
};

/** All that the living may see is compared: every request of theirs and every fact; and then what `look` adds. */
export function composeGhosts(
  { start: begin, step: perform }: MeetingSystem,
  { look = wholeTable, onObservations: onSights = () => {}, leavers = [] }: GhostOptions = {},
): MeetingComposition {
  const see = (observations: readonly Observation[]) => {
    onSights(observations);
    return observations.filter((observation) =>
      observation.type === 'asked'
        ? observation.request.kind !== 'ghost'
        : observation.type === 'told',
    );
  };
  const first = observe(begin(), see);
  return {
    name: 'ghosts-do-not-interfere',
    sentence: 'No action of a ghost changes anything for the living.',
    starts: [[first, first]],
    inputs: (left, right) =>
      isOver(left)
        ? []
        : [
            ...publicInputs(left, right, (seat, isTalk) => sameReplies(possibleTalk(seat, isTalk))),
            ...leavers.map((seat) => sameInput({ type: 'leave', seat })),
            ...ghostInputs(right, GHOST_CHAT),
          ],
    step: (state, input) => observe(perform(state, input), see),
    look,
    whole: wholeState,
  };
}

const sameInput = (input: SystemInput) => ({ left: input, right: input });

const SECRET = { thought: 'I am the killer', pads: { meeting: 'blue knows' } };

/** Red thinks one thing or another, notes it or not, and does the same. */
export function composeThoughts({
  start: begin,
  step: perform,
}: MeetingSystem): MeetingComposition {
  const others = SEATED.filter((seat) => seat !== 'red');
  const see = (observations: readonly Observation[]) => throughEyesOf(observations, others);
  const first = observe(begin(), see);
  const names = [MEETING, ARBITER, GALLERY, ...others.map(playerId)];
  return {
    name: 'thoughts-do-not-interfere',
    sentence: 'The thoughts and notes of a player reach no other player.',
    starts: [[first, first]],
    inputs: (left, right) =>
      isOver(left)
        ? []
        : [
            ...publicInputs(left, right, (seat, isTalk) =>
              possibleTalk(seat, isTalk).map(
                (reply) => [reply, seat === 'red' ? { ...reply, ...SECRET } : reply] as const,
              ),
            ),
            ...ghostInputs(right, GHOST_CHAT.slice(1)).map((dose) => ({
              ...dose,
              left: dose.right,
            })),
          ],
    step: (state, input) => observe(perform(state, input), see),
    look: (state) => names.map((name) => wholeActor(state, name)),
    whole: wholeState,
  };
}

/**
 * Whether a confirmed ejection tells something: who was ejected, or, by how many impostors remain, who of those that
 * have left was one.
 */
function isRoleKnown(state: SystemState): boolean {
  const { ejected, poll, standings } = actorState<Table>(state, MEETING).context;
  return ejected !== null || (poll !== null && Object.values(standings).includes('departed'));
}

/** Two meetings that differ in who is who, through the eyes of one player; `isConfirmed` lets an ejection tell. */
export function composeRoles(
  observer: Colour,
  [left, right]: readonly [MeetingSystem, MeetingSystem],
  isConfirmed: boolean,
): MeetingComposition {
  const see = (observations: readonly Observation[]) => throughEyesOf(observations, [observer]);
  const { step: perform } = left;
  return {
    name: 'roles-do-not-interfere',
    sentence:
      'Nothing that a crewmate sees depends on who is the impostor, except a confirmed ejection.',
    starts: [[observe(left.start(), see), observe(right.start(), see)]],
    inputs: (one, other) =>
      isOver(one)
        ? []
        : publicInputs(one, other, (seat, isTalk) => sameReplies(possibleTalk(seat, isTalk))),
    step: (state, input) => observe(perform(state, input), see),
    look: (state) => [
      listThinking(state),
      wholeActor(state, ARBITER),
      wholeActor(state, playerId(observer)),
    ],
    whole: wholeState,
    ...(isConfirmed ? { isReleased: (one, other) => isRoleKnown(one) && isRoleKnown(other) } : {}),
  };
}

/** What these players see: what they are asked, and the journal through their own eyes. */
function throughEyesOf(
  observations: readonly Observation[],
  observers: readonly Colour[],
): readonly unknown[] {
  return observations.flatMap((observation): readonly unknown[] => {
    if (observation.type === 'asked')
      return observers.includes(observation.seat) ? [observation] : [];
    if (observation.type === 'murmured') return [];
    const line = {
      ...encode(observation.fact),
      channel: 'living',
      seq: 0,
      hash: '',
    } as unknown as Line; // as the recorder writes it
    return observers
      .map((seat) => throughLens(line, { type: 'player', seat }, { dead: [GHOST] }))
      .filter((seen) => seen !== null);
  });
}

const knownActors = new WeakMap<ActorState, unknown>();

/** All that an actor is, as plain data. */
function wholeActor(state: SystemState, name: string): unknown {
  const rest = actorState(state, name);
  const known = knownActors.get(rest) ?? [
    rest.place.name,
    rest.context,
    rest.timers.map(({ id }) => id),
    rest.status,
  ];
  knownActors.set(rest, known);
  return known;
}

/** All that a room is. */
function wholeState(state: SystemState): unknown {
  const { actors, bidMessages, audience } = state;
  return [bidMessages, audience, ...Object.keys(actors).map((name) => wholeActor(state, name))];
}

function observe(
  { state, observations }: SystemStep,
  see: (observations: readonly Observation[]) => readonly unknown[],
): ObservedState {
  return { state, seen: see(observations) };
}
