/** A room for questions about secrets: three living players and a ghost, in a meeting that can be stepped by hand. */
import { Subject } from 'rxjs';
import { bidStream } from '../../actors/bids.ts';
import { stepperFor } from '../../checker/check.ts';
import type { Answered, Dose, Duet } from '../../checker/interference.ts';
import type { Books } from '../../machines/arbiter.ts';
import type { Line } from '../../machines/journal.ts';
import { throughLens } from '../../machines/lens.ts';
import {
  type Cast,
  type Company,
  type Cue,
  company,
  type Ensemble,
  type Performed,
  type Rest,
  type Sight,
  type Stage,
  type Stepper,
} from '../../machines/model/ensemble.ts';
import type { PlayerContext } from '../../machines/player.ts';
import {
  ARBITER,
  GALLERY,
  MEETING,
  playerId,
  type ToArbiter,
  type ToBids,
} from '../../machines/protocol.ts';
import { QUIET } from '../../machines/rules/call.ts';
import type { Floor } from '../../machines/rules/floor.ts';
import { defaultOptions, type MeetingOptions } from '../../machines/rules/options.ts';
import type { Bid, Colour, Reply } from '../../machines/types.ts';
import { bodyOf } from '../../machines/wire.ts';
import { aBid, aButton, aPlayer, living } from '../machines/builders.ts';

export const LIVING = ['red', 'blue', 'green'] as const satisfies readonly Colour[];
const GHOST: Colour = 'pink';
export const SEATED: readonly Colour[] = [...LIVING, GHOST];

/** The stream that runs, told everything anew: it remembers nothing that is not in the basket. */
export function heardFrom(basket: readonly ToBids[], chance: { seed: number; meeting: number }) {
  const heard: ToArbiter[] = [];
  const opened$ = new Subject<Extract<ToBids, { type: 'bids.awaited' | 'tick.abandoned' }>>();
  const requested$ = new Subject<Extract<ToBids, { type: 'bids.requested' }>>();
  const placed$ = new Subject<Extract<ToBids, { type: 'bid.placed' }>>();
  const called$ = new Subject<Extract<ToBids, { type: 'time.called' }>>();
  const stream = bidStream({ opened$, requested$, placed$, called$ }, chance);
  const subscription = stream.subscribe((event) => heard.push(event));
  for (const message of basket) {
    heard.length = 0;
    if (message.type === 'bid.placed') placed$.next(message);
    else if (message.type === 'bids.requested') requested$.next(message);
    else if (message.type === 'time.called') called$.next(message);
    else opened$.next(message);
  }
  subscription.unsubscribe();
  return heard;
}

const STAGE: Stage = {
  // A stepper takes any point of its machine; the ensemble hands back the points that it was given.
  stepper: (machine, input) =>
    stepperFor({ name: machine.id, machine, input, world: () => [], promises: [] })
      .stepper as unknown as Stepper,
  bids: heardFrom,
};

export type Wanted = {
  readonly impostors?: readonly Colour[];
  readonly options?: Partial<MeetingOptions>;
  readonly bids?: Stage['bids'];
};

function aCast({ impostors = ['green'], options = {} }: Wanted = {}): Cast {
  const role = (seat: Colour) => (impostors.includes(seat) ? 'impostor' : 'crewmate');
  return {
    ghostBudget: 4,
    setting: {
      chance: { seed: 1, meeting: 0 },
      options: { ...defaultOptions(LIVING.length), maxTicks: 2, ...options },
      seats: SEATED.map((colour) => ({ colour, role: role(colour) })),
      call: aButton(),
      circumstances: QUIET,
      standings: { ...living(...LIVING), [GHOST]: 'dead' },
    },
    players: SEATED.map((colour) =>
      aPlayer({
        colour,
        role: role(colour),
        partners: impostors.filter((other) => impostors.includes(colour) && other !== colour),
        ghost: colour === GHOST,
      }),
    ),
  };
}

/** What may be planted: a change of the room after a step, for which no chart has a place. */
export type Leak = (before: Ensemble, performed: Performed) => Ensemble;

/** A company that leaks. */
export function leaking({ begin, perform }: Company, leak: Leak): Company {
  return {
    begin,
    perform: (ensemble, cue) => {
      const performed = perform(ensemble, cue);
      return { ...performed, ensemble: leak(ensemble, performed) };
    },
  };
}

export function aCompany(wanted: Wanted = {}): Company {
  return company(aCast(wanted), { ...STAGE, bids: wanted.bids ?? heardFrom });
}

/** The room with other books: what a leak would do to them. */
export function withBooks(ensemble: Ensemble, change: (floor: Floor) => Floor): Ensemble {
  const rest = restOf<Books>(ensemble, ARBITER);
  const { floor, pending } = rest.context;
  const context = {
    ...rest.context,
    floor: change(floor),
    pending: pending === null ? null : change(pending),
  };
  return { ...ensemble, actors: { ...ensemble.actors, [ARBITER]: { ...rest, context } } };
}

/** The seats at the table that still think, in order. Who answers first decides nothing, so they answer in order. */
export function thinking(ensemble: Ensemble): readonly Colour[] {
  return SEATED.filter((seat) => placeOf(ensemble, playerId(seat)).includes('bidding'));
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

function answer(ensemble: Ensemble, seat: Colour, reply: Partial<Reply>): Cue {
  const { stamp, ghost } = restOf<PlayerContext>(ensemble, playerId(seat)).context;
  const bid: Bid = { ...aBid(seat, reply), received: reply };
  return { type: 'answer', to: ghost ? 'gallery' : 'table', stamp, bid };
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
): readonly Dose<Cue>[] {
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
  ].map((cue): Dose<Cue> => ({ left: null, right: cue }));
}

/** What these players see: what they are asked, and the journal through their own eyes. */
export function through(
  sights: readonly Sight[],
  observers: readonly Colour[],
): readonly unknown[] {
  return sights.flatMap((sight): readonly unknown[] => {
    if (sight.type === 'asked') return observers.includes(sight.seat) ? [sight] : [];
    if (sight.type === 'murmured') return [];
    const line = { ...bodyOf(sight.fact), channel: 'living', seq: 0, hash: '' } as unknown as Line; // as the recorder writes it
    return observers
      .map((seat) => throughLens(line, { type: 'player', seat }, { dead: [GHOST] }))
      .filter((seen) => seen !== null);
  });
}

const wholes = new WeakMap<Rest, unknown>();

/** All that an actor is, as plain data. */
export function wholeOf(ensemble: Ensemble, name: string): unknown {
  const rest = restOf(ensemble, name);
  const known = wholes.get(rest) ?? [
    rest.place.name,
    rest.context,
    rest.timers.map(({ id }) => id),
    rest.status,
  ];
  wholes.set(rest, known);
  return known;
}

/** All that a room is. */
export function whole(ensemble: Ensemble): unknown {
  const { actors, basket, routing } = ensemble;
  return [basket, routing, ...Object.keys(actors).map((name) => wholeOf(ensemble, name))];
}

export type RoomDuet = Duet<Ensemble, Cue>;

export function answered(
  { ensemble, sights }: Performed,
  see: (sights: readonly Sight[]) => readonly unknown[],
): Answered<Ensemble> {
  return { state: ensemble, seen: see(sights) };
}

type Replies = readonly Partial<Reply>[];

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

/** What was shown, as words: proof that there was something to hide. */
export function shown(sights: readonly Sight[], into: Set<string>): void {
  for (const sight of sights) {
    if (sight.type === 'murmured' && sight.fact.type === 'turn.closed') {
      into.add(sight.fact.said === null ? 'ghosts: silent' : 'ghosts: chat');
      if (sight.fact.bids.some(({ type }) => type === 'fault')) into.add('ghosts: late');
    }
    if (sight.type === 'told' && sight.fact.type === 'verdict.told') into.add(sight.fact.outcome);
  }
}
