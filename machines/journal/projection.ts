/**
 * What the lines of a journal come to: who plays, where the meeting and the ship stand, what is known of minds.
 *
 * `next` takes one line after the other and returns the new state. Parts that a line does not change are the same
 * values as before, so a reader can keep a state for every line. The lines are those that a lens shows: a field that is
 * hidden is simply not known, and nothing is guessed.
 */
import type { MindKind } from '../rules/mindKinds.ts';
import { rounds } from '../rules/options.ts';
import type {
  Ballot,
  BySeat,
  Colour,
  Deed,
  Outcome,
  Phase,
  Place,
  Role,
  Room,
  System,
} from '../types.ts';
import type { Lens, SeenCast, SeenEvent, SeenGame, SeenLine, SeenOf } from './lens.ts';
import { gameIn } from './opening.ts';

export type SeenTick = SeenOf<'tick.closed'>;
export type SeenRound = SeenOf<'round.closed'>;
export type SeenBid = NonNullable<SeenTick['bids']>[number];
type SeenOrder = NonNullable<SeenRound['orders']>[number];

export type Projection = {
  readonly lens: Lens;
  /** The first line; null before it. */
  readonly header: SeenOf<'match.opened'> | null;
  readonly players: Players;
  /** The last meeting that began. It stays until the next one, so that its end can be looked at. */
  readonly meeting: MeetingState | null;
  /** Null for a meeting on its own. */
  readonly ship: ShipState | null;
  readonly minds: KnownMinds;
  /** Of the whole journal: meetings that are over, messages that were heard, ballots that counted. */
  readonly meetings: number;
  readonly messages: number;
  readonly ballots: readonly { readonly voter: Colour; readonly ballot: Ballot }[];
  readonly ending: SeenOf<'game.closed'> | null;
};

/** The state of a game. */
export type GameProjection = Projection & { readonly ship: ShipState };

export type PlayerFate = 'living' | 'killed' | 'ejected' | 'left' | 'dead';

export type KnownPlayer = {
  readonly seat: Colour;
  /** Null where the lens hides it. */
  readonly role: Role | null;
  /** What the persona is called; '' where it is hidden. */
  readonly persona: string;
  /** Who decides: null where it is hidden. */
  readonly mind: MindKind | null;
  /** The name of the model; '' for other minds, and where it is hidden. */
  readonly model: string;
  /** `dead` is a player of whom only that is known: dead from the start, or missing at the table. */
  readonly fate: PlayerFate;
};
export type Players = readonly KnownPlayer[];

/** A ballot that was turned; the voter is null where votes are anonymous. */
export type TurnedBallot = {
  readonly index: number;
  readonly voter: Colour | null;
  readonly ballot: Ballot;
  readonly isVoid: boolean;
};

export type MeetingState = {
  /** Which meeting of the journal, from 1. */
  readonly number: number;
  readonly call: SeenOf<'meeting.called'> | null;
  /** Why the call was refused; '' where it was not. */
  readonly refusal: string;
  readonly phase: Phase | null;
  /** The last tick of talk. */
  readonly tick: SeenTick | null;
  /** Ticks of talk so far. */
  readonly ticks: number;
  /** Who has voted, and for whom; null where that is hidden. */
  readonly locked: BySeat<Ballot | null>;
  readonly turned: readonly TurnedBallot[];
  readonly poll: SeenOf<'poll.closed'> | null;
  readonly sentence: string;
  readonly outcome: Outcome | null;
  readonly ejected: Colour | null;
  readonly isOver: boolean;
};

/** How a player came to be out of the game. */
export type Loss = {
  readonly seat: Colour;
  readonly how: 'killed' | 'ejected' | 'left';
  /** Null when no player did it, or when the lens hides it. */
  readonly by: Colour | null;
  readonly round: number;
};

/** What a player is about: the kind of it, and the task when it is one. */
export type CurrentAction = { readonly type: string; readonly task: string };

/** Where a player was seen last by the one through whose eyes the lens looks. */
export type LastSeen = { readonly place: Place; readonly did: Deed; readonly round: number };

/** Through a player's eyes there is one place, at the table there is none. */
export type ShipState = {
  readonly lens: Lens;
  readonly seats: SeenGame['seats'];
  readonly options: SeenGame['options'];
  /** Where the button is: the game begins there, and goes on there after each meeting. */
  readonly start: Place;
  /** The round that comes next. */
  readonly round: number;
  /** The last round that was played; null in a meeting. */
  readonly lastRound: SeenRound | null;
  readonly places: BySeat<Place>;
  readonly inVents: readonly Colour[];
  readonly bodies: readonly { readonly victim: Colour; readonly place: Place }[];
  /** Bodies that a player has come upon. */
  readonly found: readonly Colour[];
  /** In the order in which they happened. */
  readonly losses: readonly Loss[];
  /** Players who were known to be out before the last meeting was over. */
  readonly knownLost: readonly Colour[];
  /** What is broken, and the rounds until it is too late; null where it only hinders. */
  readonly sabotage: { readonly system: System; readonly left: number | null } | null;
  /** Rooms whose doors are shut. */
  readonly shutDoors: readonly Room[];
  /** Rounds until an impostor may kill. */
  readonly killWaits: BySeat<number>;
  readonly actions: BySeat<CurrentAction>;
  /** Tasks that are done by each player, and steps of tasks in all. */
  readonly tasksDone: BySeat<number>;
  readonly taskSteps: number;
  readonly lastSeen: BySeat<LastSeen>;
};

/** The scratchpads of a player; `before` is the changed one until the last change, so that it can be shown. */
export type KnownPads = {
  readonly main: string;
  readonly meeting: string;
  readonly before: string;
};

export type KnownMinds = {
  /** What each player thought last. */
  readonly thoughts: BySeat<string>;
  readonly pads: BySeat<KnownPads>;
  /** Whose scratchpad the last line changed. */
  readonly noted: Colour | null;
};

/** Before the first line. */
export function emptyProjection(lens: Lens): Projection {
  return {
    lens,
    header: null,
    players: [],
    meeting: null,
    ship: null,
    minds: { thoughts: {}, pads: {}, noted: null },
    meetings: 0,
    messages: 0,
    ballots: [],
    ending: null,
  };
}

/** The state after a line that the lens shows. */
export function next(state: Projection, line: SeenLine): Projection {
  return {
    lens: state.lens,
    header: line.type === 'match.opened' ? line : state.header,
    players: nextPlayers(state.players, line),
    meeting: nextMeeting(state.meeting, line),
    ship: nextShip(state.ship, line, state.lens),
    minds: nextMinds(state.minds, line),
    meetings: state.meetings + Number(line.type === 'meeting.closed'),
    messages: state.messages + Number(line.type === 'tick.closed' && line.said != null),
    ballots: nextBallots(state.ballots, line),
    ending: line.type === 'game.closed' ? line : state.ending,
  };
}

/** The state after all of these lines. */
export function project(lines: Iterable<SeenLine>, lens: Lens): Projection {
  let state = emptyProjection(lens);
  for (const line of lines) state = next(state, line);
  return state;
}

function nextBallots(ballots: Projection['ballots'], line: SeenLine): Projection['ballots'] {
  if (line.type !== 'ballot.revealed') return ballots;
  const voter = line.voter ?? line.by ?? null;
  if (voter === null || line.ballot === undefined || line.void === true) return ballots;
  return [...ballots, { voter, ballot: line.ballot }];
}

// Players

function nextPlayers(players: Players, line: SeenLine): Players {
  switch (line.type) {
    case 'match.opened':
      return line.match.seats.map((seat) => {
        const isDead = 'dead' in seat && seat.dead;
        return {
          seat: seat.colour,
          role: seat.role ?? null,
          // Who thinks for the dead is written where the ghosts are, and not here.
          ...identify(isDead ? { ...seat, mind: undefined } : seat),
          fate: isDead ? 'dead' : 'living',
        };
      });
    case 'verdict.announced':
      return line.ejected == null ? players : withFates(players, { [line.ejected]: 'ejected' });
    case 'seat.departed':
      return line.seat === undefined ? players : withFates(players, { [line.seat]: 'left' });
    case 'round.closed':
      return (line.events ?? []).reduce<Players>((all, event) => {
        if (event.type === 'player.killed' && event.victim !== undefined)
          return withFates(all, { [event.victim]: 'killed' });
        if (event.type === 'seat.departed' && event.seat !== undefined)
          return withFates(all, { [event.seat]: 'left' });
        return all;
      }, players);
    case 'meeting.called':
      return withMissing(players, line.dead ?? []);
    case 'game.closed':
      return nameCast(unmask(withMissing(players, line.dead ?? []), line.impostors), line.cast);
    default:
      return players;
  }
}

function withFates(players: Players, fates: BySeat<PlayerFate>): Players {
  return players.map((player) => {
    const fate = fates[player.seat];
    return fate === undefined ? player : { ...player, fate };
  });
}

/** Players who are dead and were not known to be. */
function withMissing(players: Players, dead: readonly Colour[]): Players {
  const unknown = players.filter(({ seat, fate }) => fate === 'living' && dead.includes(seat));
  if (unknown.length === 0) return players;
  return withFates(players, Object.fromEntries(unknown.map(({ seat }) => [seat, 'dead'])));
}

function unmask(players: Players, impostors: readonly Colour[] | undefined): Players {
  if (impostors === undefined) return players;
  return players.map((player) => ({
    ...player,
    role: impostors.includes(player.seat) ? 'impostor' : 'crewmate',
  }));
}

function nameCast(players: Players, cast: readonly SeenCast[] | undefined): Players {
  if (cast === undefined) return players;
  return players.map((player) => {
    const own = cast.find(({ colour }) => colour === player.seat);
    return own === undefined ? player : { ...player, ...identify(own) };
  });
}

type SeatCast = { readonly [K in keyof SeenCast]?: SeenCast[K] | undefined };

function identify({ persona, mind, model = '' }: SeatCast) {
  return { persona: personaName(persona), mind: mind ?? null, model };
}

export function livingIn(players: Players): readonly Colour[] {
  return players.flatMap(({ seat, fate }) => (fate === 'living' ? [seat] : []));
}

function personaName(persona: string | { readonly name: string } | undefined): string {
  if (persona === undefined) return '';
  return typeof persona === 'string' ? persona : persona.name;
}

// The meeting

function newMeeting(number: number): MeetingState {
  return {
    ...{ number, call: null, refusal: '', phase: null, tick: null, ticks: 0, locked: {} },
    ...{ turned: [], poll: null, sentence: '', outcome: null, ejected: null, isOver: false },
  };
}

function nextMeeting(meeting: MeetingState | null, line: SeenLine): MeetingState | null {
  if (line.channel === 'ghosts') return meeting;
  const number = (meeting?.number ?? 0) + 1;
  if (line.type === 'phase.entered' && line.phase === 'interrupt')
    return { ...newMeeting(number), phase: 'interrupt' };
  if (line.type === 'meeting.refused')
    return { ...newMeeting(number), refusal: line.note?.text ?? 'The call breaks a rule.' };
  return meeting === null ? null : applyToMeeting(meeting, line);
}

function applyToMeeting(meeting: MeetingState, line: SeenLine): MeetingState {
  switch (line.type) {
    case 'meeting.called':
      return { ...meeting, call: line };
    case 'phase.entered':
      return { ...meeting, phase: line.phase ?? null };
    case 'tick.closed':
      return line.requestKind === 'discussion' || line.requestKind === 'voting'
        ? { ...meeting, tick: line, ticks: meeting.ticks + 1 }
        : meeting;
    case 'vote.locked':
      if (line.seat === undefined) return meeting;
      return { ...meeting, locked: { ...meeting.locked, [line.seat]: line.ballot ?? null } };
    case 'vote.cleared': {
      const kept = Object.entries(meeting.locked).filter(([seat]) => seat !== line.seat);
      return { ...meeting, locked: Object.fromEntries(kept) };
    }
    case 'poll.closed':
      return { ...meeting, poll: line };
    case 'ballot.revealed':
      return turnBallot(meeting, line);
    case 'verdict.announced':
    case 'meeting.closed':
      return {
        ...meeting,
        outcome: line.outcome ?? meeting.outcome,
        ejected: line.ejected ?? null,
        ...(line.type === 'meeting.closed' ? { isOver: true } : { sentence: line.sentence ?? '' }),
      };
    default:
      return meeting;
  }
}

function turnBallot(meeting: MeetingState, line: SeenOf<'ballot.revealed'>): MeetingState {
  const { index = meeting.turned.length, ballot } = line;
  if (ballot === undefined) return meeting;
  const voter = line.voter ?? line.by ?? null;
  const turned = { index, voter, ballot, isVoid: line.void === true };
  return { ...meeting, turned: [...meeting.turned, turned] };
}

export type BallotCount = { readonly candidate: Ballot; readonly votes: number };

/** The count of the ballots that are turned, most votes first; of two that are level the one that was so first. */
export function countTurned(ballots: readonly TurnedBallot[]): readonly BallotCount[] {
  const counts: { candidate: Ballot; votes: number }[] = [];
  for (const { ballot, isVoid } of ballots) {
    if (isVoid) continue;
    const known = counts.find(({ candidate }) => candidate === ballot);
    if (known === undefined) counts.push({ candidate: ballot, votes: 1 });
    else known.votes += 1;
    counts.sort((one, other) => other.votes - one.votes);
  }
  return counts;
}

// The ship

/** The part of the state that is about the ship, for a reader who needs nothing else. */
export function nextShip(ship: ShipState | null, line: SeenLine, lens: Lens): ShipState | null {
  const game = gameIn(line);
  if (game !== null) return openShip(game, lens);
  return ship === null ? null : applyToShip(ship, line);
}

function openShip({ seats, options, map }: SeenGame, lens: Lens): ShipState {
  const start = map === 'skeld' ? 'Cafeteria' : map.button;
  const cooldown = options.first_kill_cooldown ?? options.kill_cooldown;
  const opened: ShipState = {
    ...{ lens, seats, options, start, round: 0, lastRound: null, places: {}, inVents: [] },
    ...{ bodies: [], found: [], losses: [], knownLost: [], sabotage: null, shutDoors: [] },
    ...{ killWaits: {}, actions: {}, tasksDone: {}, taskSteps: 0, lastSeen: {} },
  };
  return gather(opened, rounds(cooldown));
}

function applyToShip(ship: ShipState, line: SeenLine): ShipState {
  switch (line.type) {
    case 'round.closed':
      return applyRound(ship, line);
    case 'phase.entered':
      if (line.phase !== 'interrupt') return ship;
      return { ...ship, lastRound: null, shutDoors: [], actions: {} };
    case 'verdict.announced':
      return line.ejected ? lose(ship, line.ejected, 'ejected') : ship;
    case 'seat.departed':
      return line.seat === undefined ? ship : lose(ship, line.seat, 'left');
    case 'meeting.called':
    case 'game.closed':
      return loseUnseen(ship, line.dead ?? []);
    case 'meeting.closed':
      return gather(ship, rounds(ship.options.kill_cooldown));
    default:
      return ship;
  }
}

export function roleOf({ seats }: ShipState, seat: Colour): Role | null {
  return seats.find(({ colour }) => colour === seat)?.role ?? null;
}

/** Players who are not known to be out of the game. */
export function livingOn({ seats, losses }: ShipState): readonly Colour[] {
  return seats.flatMap(({ colour }) =>
    losses.some(({ seat }) => seat === colour) ? [] : [colour],
  );
}

/** Seconds until a sabotage is lost; null for what only hinders. */
export function secondsUntilLost({ options }: ShipState, system: System): number | null {
  if (system === 'reactor') return options.reactor_seconds;
  return system === 'o2' ? options.o2_seconds : null;
}

/** Tasks that each player is dealt. */
export function tasksPerPlayer({ options }: ShipState): number {
  return options.common_tasks + options.long_tasks + options.short_tasks;
}

/** Tasks that are done and wanted: what the dead have left open may leave the bar. */
export function countTasks(ship: ShipState): { readonly done: number; readonly all: number } {
  const { seats, options, losses, tasksDone } = ship;
  let done = 0;
  let all = 0;
  for (const { colour, role } of seats) {
    if (role === 'impostor') continue;
    const own = tasksDone[colour] ?? 0;
    const loss = losses.find(({ seat }) => seat === colour);
    const counts = loss === undefined || (loss.how !== 'left' && options.ghosts_do_tasks);
    done += own;
    all += counts ? tasksPerPlayer(ship) : own;
  }
  return { done, all };
}

/** Through the glass nobody wonders what an impostor finds. */
export function isNoFinder({ lens, seats }: ShipState, seat: string): boolean {
  const role = seats.find(({ colour }) => colour === seat)?.role;
  return lens.type === 'glass' && role === 'impostor';
}

/** Everybody at the button again, with no body left and every cooldown begun anew. */
function gather(ship: ShipState, killWait: number): ShipState {
  const { lens, seats, start, sabotage } = ship;
  const known = livingOn(ship).filter((seat) => isFollowed(lens, seat));
  const impostors = seats.filter(
    ({ colour, role }) => role === 'impostor' && isFollowed(lens, colour),
  );
  return {
    ...ship,
    places: Object.fromEntries(known.map((seat) => [seat, start])),
    inVents: [],
    bodies: [],
    found: [],
    knownLost: ship.losses.map(({ seat }) => seat),
    actions: {},
    sabotage: sabotage?.left === null ? sabotage : null,
    killWaits: Object.fromEntries(impostors.map(({ colour }) => [colour, killWait])),
    lastSeen: {},
  };
}

/** Whether the lens shows where a player goes. */
function isFollowed(lens: Lens, seat: Colour): boolean {
  return lens.type === 'glass' || (lens.type === 'player' && lens.seat === seat);
}

/** Players who were killed unseen are missed at the table. */
function loseUnseen(ship: ShipState, dead: readonly Colour[]): ShipState {
  const unknown = dead.filter((seat) => ship.losses.every((loss) => loss.seat !== seat));
  return unknown.reduce((after, seat) => lose(after, seat, 'killed'), ship);
}

function lose(
  ship: ShipState,
  seat: Colour,
  how: Loss['how'],
  by: Colour | null = null,
): ShipState {
  const places = Object.entries(ship.places).filter(([who]) => who !== seat);
  const loss = { seat, how, by, round: ship.round };
  return { ...ship, places: Object.fromEntries(places), losses: [...ship.losses, loss] };
}

function applyRound(ship: ShipState, line: SeenRound): ShipState {
  const actions = (line.orders ?? []).flatMap((order) => {
    const action = readAction(order);
    return action === null ? [] : [[order.seat, action] as const];
  });
  const walked = Object.entries(line.paths ?? {}).flatMap(([seat, path]) => {
    const end = path?.at(-1);
    return end === undefined ? [] : [[seat, end] as const];
  });
  const { sabotage } = ship;
  const left = sabotage === null || sabotage.left === null ? null : sabotage.left - 1;
  const killWaits = Object.entries(ship.killWaits).map(
    ([seat, wait = 0]) => [seat, Math.max(0, wait - 1)] as const,
  );
  let after: ShipState = {
    ...ship,
    lastRound: line,
    actions: { ...ship.actions, ...Object.fromEntries(actions) },
    places: { ...ship.places, ...Object.fromEntries(walked) },
    killWaits: Object.fromEntries(killWaits),
    sabotage: sabotage === null ? null : { ...sabotage, left },
    lastSeen: nextLastSeen(ship, line),
  };
  for (const event of line.events ?? []) after = applyEvent(after, event);
  return { ...after, found: foundIn(after, line), round: (line.round ?? ship.round) + 1 };
}

function nextLastSeen({ lens, round, lastSeen }: ShipState, line: SeenRound): BySeat<LastSeen> {
  if (lens.type !== 'player') return lastSeen;
  const sights = line.seen?.[lens.seat] ?? [];
  const fresh = sights.map(([who, place, did]) => [who, { place, did, round }] as const);
  return fresh.length === 0 ? lastSeen : { ...lastSeen, ...Object.fromEntries(fresh) };
}

function foundIn(ship: ShipState, { seen = {} }: SeenRound): readonly Colour[] {
  const bodies = Object.entries(seen).flatMap(([seat, sights = []]) =>
    isNoFinder(ship, seat) ? [] : sights.flatMap(([who, , did]) => (did === 'dead' ? [who] : [])),
  );
  return [...new Set([...ship.found, ...bodies])];
}

function applyEvent(ship: ShipState, event: SeenEvent): ShipState {
  switch (event.type) {
    case 'player.killed':
      return applyKill(ship, event);
    case 'seat.departed':
      return event.seat === undefined ? ship : lose(ship, event.seat, 'left');
    case 'vent.used': {
      const { seat, place, how } = event;
      if (seat === undefined || place === undefined) return ship;
      const others = ship.inVents.filter((other) => other !== seat);
      const inVents = how === 'out' ? others : [...others, seat];
      return { ...ship, inVents, places: { ...ship.places, [seat]: place } };
    }
    case 'sabotage.begun': {
      const { system } = event;
      if (system === undefined) return ship;
      const limit = secondsUntilLost(ship, system);
      // The clock has run for a round already.
      const left = limit === null ? null : rounds(limit) - 1;
      return { ...ship, sabotage: { system, left } };
    }
    case 'sabotage.fixed':
      return { ...ship, sabotage: null };
    case 'doors.shut':
      return event.room === undefined
        ? ship
        : { ...ship, shutDoors: [...ship.shutDoors, event.room] };
    case 'doors.opened':
      return { ...ship, shutDoors: ship.shutDoors.filter((room) => room !== event.room) };
    case 'task.stepped': {
      const taskSteps = ship.taskSteps + 1;
      const { seat, done } = event;
      if (seat === undefined || done !== true) return { ...ship, taskSteps };
      const tasksDone = { ...ship.tasksDone, [seat]: 1 + (ship.tasksDone[seat] ?? 0) };
      return { ...ship, taskSteps, tasksDone };
    }
    default:
      return ship;
  }
}

function applyKill(
  ship: ShipState,
  { by, victim, place }: Extract<SeenEvent, { type: 'player.killed' }>,
): ShipState {
  if (victim === undefined) return ship;
  const after = lose(ship, victim, 'killed', by ?? null);
  const bodies = place === undefined ? after.bodies : [...after.bodies, { victim, place }];
  if (by === undefined || place === undefined) return { ...after, bodies };
  const wait = rounds(ship.options.kill_cooldown) - 1;
  return {
    ...after,
    bodies,
    places: { ...after.places, [by]: place },
    killWaits: { ...after.killWaits, [by]: wait },
  };
}

// Minds

function nextMinds(minds: KnownMinds, line: SeenLine): KnownMinds {
  const quiet = minds.noted === null ? minds : { ...minds, noted: null };
  switch (line.type) {
    case 'round.closed': {
      const { orders = [] } = line;
      return withThoughts(
        quiet,
        orders.flatMap((order) =>
          order.fault === undefined ? [[order.seat, readThought(order)] as const] : [],
        ),
      );
    }
    case 'tick.closed':
    case 'turn.closed': {
      const { bids = [] } = line;
      return withThoughts(
        quiet,
        bids.map((bid) => [bid.seat, readBid(bid).thought] as const),
      );
    }
    case 'phase.entered':
      return line.phase === 'interrupt' ? { ...quiet, thoughts: {} } : quiet;
    case 'scratchpads.updated':
      return line.seat === undefined ? quiet : writePads(quiet, line.seat, line);
    case 'scratchpads.consolidated': {
      const { seat, main, line: added } = line;
      if (seat === undefined) return quiet;
      const old = quiet.pads[seat]?.main ?? '';
      const kept = main ?? [old, added ?? ''].filter((text) => text !== '').join('\n');
      return writePads(quiet, seat, { main: kept });
    }
    case 'scratchpads.erased': {
      const pads = Object.entries(quiet.pads).map(([seat, pad]) => [seat, { ...pad, meeting: '' }]);
      return { ...quiet, pads: Object.fromEntries(pads) };
    }
    default:
      return quiet;
  }
}

function withThoughts(
  minds: KnownMinds,
  thoughts: readonly (readonly [Colour, string])[],
): KnownMinds {
  if (thoughts.length === 0) return minds;
  return { ...minds, thoughts: { ...minds.thoughts, ...Object.fromEntries(thoughts) } };
}

const NO_PADS: KnownPads = { main: '', meeting: '', before: '' };

function writePads(
  minds: KnownMinds,
  seat: Colour,
  { main, meeting }: { readonly main?: string | undefined; readonly meeting?: string | undefined },
): KnownMinds {
  const old = minds.pads[seat] ?? NO_PADS;
  const before = main === undefined ? old.meeting : old.main;
  const pads = { main: main ?? old.main, meeting: meeting ?? old.meeting, before };
  return { ...minds, pads: { ...minds.pads, [seat]: pads }, noted: seat };
}

// What stands in bids and orders. Where a reply says all by itself, what was parsed is left out of the line.

/** What a spectator is shown of a bid, '' where it says nothing. */
export type SeenReply = { readonly thought: string; readonly message: string };

export function readBid({ parsed, received }: SeenBid): SeenReply {
  return {
    thought: parsed?.internal_thought ?? textIn(received, 'internal_thought'),
    message: parsed?.message ?? textIn(received, 'message'),
  };
}

function readThought({ parsed, received }: SeenOrder): string {
  return parsed?.internal_thought ?? textIn(received, 'internal_thought');
}

/** What a player thought in a round; undefined where nothing is known of it. */
export function thoughtIn({ orders = [] }: SeenRound, seat: Colour): string | undefined {
  const order = orders.find((each) => each.seat === seat);
  return order === undefined || order.fault !== undefined ? undefined : readThought(order);
}

/** What an order sets out to do; null when the player goes on with what they are about. */
function readAction({ parsed, received, fault }: SeenOrder): CurrentAction | null {
  if (fault !== undefined) return null;
  const action = parsed === undefined ? fieldIn(received, 'action') : parsed.action;
  const type = textIn(action, 'type');
  return type === '' ? null : { type, task: textIn(action, 'task') };
}

/** What a player sets out to do in a round; null when they go on with what they are about. */
export function actionIn({ orders = [] }: SeenRound, seat: Colour): CurrentAction | null {
  const order = orders.find((each) => each.seat === seat);
  return order === undefined ? null : readAction(order);
}

function textIn(value: unknown, name: string): string {
  const found = fieldIn(value, name);
  return typeof found === 'string' ? found : '';
}

/** A field of a reply as it arrived, because that may be anything. */
export function fieldIn(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}
