/**
 * A room for questions about secrets: three living players and a ghost, whose meeting can be stepped by hand.
 *
 * Its minds have little to say, chosen so that it matters: accusations, answers to them, votes, chat of the ghost. Its
 * talk is short, or the search would not end.
 */
import type { PlayerContext, PlayerInput } from '../../machines/charts/player.ts';
import { ARBITER, GALLERY, MEETING, playerId } from '../../machines/messages.ts';
import { QUIET } from '../../machines/rules/meeting.ts';
import { defaultOptions, type MeetingOptions } from '../../machines/rules/options.ts';
import type { Bid, Colour, Reply } from '../../machines/types.ts';
import type { Cast, Cue, Ensemble, Rest } from './ensemble.ts';
import { BUTTON } from './tables.ts';

export const LIVING = ['red', 'blue', 'green'] as const satisfies readonly Colour[];
export const GHOST: Colour = 'pink';
export const SEATED: readonly Colour[] = [...LIVING, GHOST];

/** Ticks of talk: what happens in the first can show in the second. */
const TICKS = 2;
/** Turns of the ghost: more than there are ticks, so that silence is its own choice. */
const GHOST_TURNS = 4;

export type RoomWanted = {
  readonly impostors?: readonly Colour[];
  readonly options?: Partial<MeetingOptions>;
};

/** The cast of such a room. */
export function roomCast({ impostors = ['green'], options = {} }: RoomWanted = {}): Cast {
  const role = (seat: Colour) => (impostors.includes(seat) ? 'impostor' : 'crewmate');
  return {
    ghostBudget: GHOST_TURNS,
    setting: {
      chance: { seed: 1, meeting: 0 },
      options: { ...defaultOptions(LIVING.length), maxTicks: TICKS, ...options },
      seats: SEATED.map((colour) => ({ colour, role: role(colour) })),
      call: BUTTON,
      circumstances: QUIET,
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

/** The options of a table, with talk so short that a room can be searched: in classic a tick of talk and one of votes. */
export function shortTalk(options: MeetingOptions): MeetingOptions {
  const { rules, secondsPerTick } = options;
  if (rules === 'house') return { ...options, maxTicks: TICKS };
  return { ...options, maxTicks: null, discussionTime: secondsPerTick, votingTime: secondsPerTick };
}

export type Replies = readonly Partial<Reply>[];

/** The inputs of one step of two rooms; null where one gets none. */
export type RoomDose = { readonly left: Cue | null; readonly right: Cue | null };

/** The seats at the table that still think, in order. Who answers first decides nothing, so they answer in order. */
export function thinking(ensemble: Ensemble, seats: readonly Colour[] = SEATED): readonly Colour[] {
  return seats.filter((seat) => placeOf(ensemble, playerId(seat)).includes('bidding'));
}

export function musing(ensemble: Ensemble): readonly Colour[] {
  return SEATED.filter((seat) => placeOf(ensemble, playerId(seat)).includes('musing'));
}

export function restOf<C = unknown>({ actors }: Ensemble, name: string): Rest<C> {
  const rest = actors[name];
  if (rest === undefined) throw new Error(`nobody is called ${name}`);
  return rest as Rest<C>; // each actor is of one machine, known by its name
}

function placeOf(ensemble: Ensemble, name: string): string {
  return restOf(ensemble, name).place.name;
}

export function isOver(ensemble: Ensemble): boolean {
  return restOf(ensemble, MEETING).status !== 'active';
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
export function handedIn(ensemble: Ensemble, bid: Bid): Cue {
  const { stamp, ghost } = restOf<PlayerContext>(ensemble, playerId(bid.seat)).context;
  return { type: 'answer', to: ghost ? 'gallery' : 'table', stamp, bid };
}

function answer(ensemble: Ensemble, seat: Colour, reply: Partial<Reply>): Cue {
  const bid: Bid = { type: 'reply', seat, received: reply, reply: { ...NOTHING, ...reply } };
  return handedIn(ensemble, bid);
}

function timers(ensemble: Ensemble, ...names: readonly string[]): readonly Cue[] {
  return names.flatMap((actor) =>
    restOf(ensemble, actor).timers.map(({ event }): Cue => ({ type: 'timer', actor, event })),
  );
}

/** What both copies get: timers of the table and, of the first player who thinks, every answer. */
export function publicDoses(
  left: Ensemble,
  right: Ensemble,
  replies: (
    seat: Colour,
    isTalk: boolean,
  ) => readonly (readonly [Partial<Reply>, Partial<Reply>])[],
): readonly RoomDose[] {
  const rights = timers(right, MEETING, ARBITER);
  const running = timers(left, MEETING, ARBITER).map((cue, index) => ({
    left: cue,
    right: rights[index] ?? null,
  }));
  const [seat] = thinking(left);
  if (seat === undefined) return running;
  const isTalk = placeOf(left, MEETING).includes('bidding');
  const answers = replies(seat, isTalk).map(([one, other]) => ({
    left: answer(left, seat, one),
    right: answer(right, seat, other),
  }));
  return [...running, ...answers];
}

/** What only the right copy gets: its ghosts talk, or are late. */
export function ghostDoses(right: Ensemble, replies: readonly Partial<Reply>[]) {
  return [
    ...timers(right, GALLERY),
    ...musing(right).flatMap((seat) => replies.map((reply) => answer(right, seat, reply))),
  ].map((cue): RoomDose => ({ left: null, right: cue }));
}

export const same = (replies: Replies) => replies.map((reply) => [reply, reply] as const);

/** Red accuses blue or votes green out; blue joins in; green asks and skips. All may be late as well. */
export function talk(seat: Colour, isTalk: boolean): Replies {
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

export const CHAT: Replies = [
  {},
  { desire: 10, message: 'red lied! red is the killer, believe me' },
];
