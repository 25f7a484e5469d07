/**
 * Projects the lines that a lens shows onto the state of the match. `next` reuses the parts that a line does not
 * change, so a reader can keep a state for every line. Hidden fields stay unknown and are never guessed.
 */
import type { MindKind } from '../rules/mindKinds.ts';
import { rounds } from '../rules/options.ts';
import { updatePads } from '../rules/pads.ts';
import { readField } from '../text.ts';
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
import {
  isFollowed,
  type Lens,
  type SeenCast,
  type SeenEvent,
  type SeenGame,
  type SeenLine,
  type SeenOf,
} from './lens.ts';
import { gameIn } from './opening.ts';

export type SeenTick = SeenOf<'tick.closed'>;
export type SeenRound = SeenOf<'round.closed'>;
export type SeenBid = NonNullable<SeenTick['bids']>[number];
type SeenOrder = NonNullable<SeenRound['orders']>[number];

export type Projection = {
  readonly lens: Lens;
  readonly header: SeenOf<'match.opened'> | null;
  readonly players: Players;
  /** The last meeting that began. It stays after its end until the next one. */
  readonly meeting: MeetingState | null;
  /** Null in a single meeting. */
  readonly ship: ShipState | null;
  readonly minds: KnownMinds;
  /** Of the whole journal: closed meetings, published messages, valid ballots. */
  readonly meetings: number;
  readonly messages: number;
  readonly ballots: readonly { readonly voter: Colour; readonly ballot: Ballot }[];
  readonly ending: SeenOf<'game.closed'> | null;
};

export type GameProjection = Projection & { readonly ship: ShipState };

export type PlayerFate = 'living' | 'killed' | 'ejected' | 'left' | 'dead';

/** Null or '' if the lens hides it. Only some minds have a model. */
export type KnownPlayer = {
  readonly seat: Colour;
  readonly role: Role | null;
  /** Its name. */
  readonly persona: string;
  readonly mind: MindKind | null;
  readonly model: string;
  /** `dead` if the cause is unknown: dead from the start, or missing at the table. */
  readonly fate: PlayerFate;
};
export type Players = readonly KnownPlayer[];

/** A revealed ballot. The voter is null if votes are anonymous. */
export type TurnedBallot = {
  readonly index: number;
  readonly voter: Colour | null;
  readonly ballot: Ballot;
  readonly isVoid: boolean;
};

export type MeetingState = {
  /** From 1, in the journal. */
  readonly number: number;
  readonly call: SeenOf<'meeting.called'> | null;
  /** Why the call was refused, or ''. */
  readonly refusal: string;
  readonly phase: Phase | null;
  /** The last tick of talk. */
  readonly tick: SeenTick | null;
  readonly ticks: number;
  /** Locked ballots, by voter. Null if hidden. */
  readonly locked: BySeat<Ballot | null>;
  readonly turned: readonly TurnedBallot[];
  readonly poll: SeenOf<'poll.closed'> | null;
  readonly sentence: string;
  readonly outcome: Outcome | null;
  readonly ejected: Colour | null;
  readonly isOver: boolean;
};

export type Loss = {
  readonly seat: Colour;
  readonly how: 'killed' | 'ejected' | 'left';
  /** The killer. Null if hidden or if there is none. */
  readonly by: Colour | null;
  readonly round: number;
};

/** The type of an intent, and its task or ''. */
export type CurrentAction = { readonly type: string; readonly task: string };

/** The last sight of a player through a player's lens. */
export type LastSeen = { readonly place: Place; readonly did: Deed; readonly round: number };

/** A player's lens shows one place, and the table shows none. */
export type ShipState = {
  readonly lens: Lens;
  readonly seats: SeenGame['seats'];
  readonly options: SeenGame['options'];
  /** The place of the button, where the game starts and resumes after each meeting. */
  readonly start: Place;
  /** The next round. */
  readonly round: number;
  /** Null in a meeting. */
  readonly lastRound: SeenRound | null;
  readonly places: BySeat<Place>;
  readonly inVents: readonly Colour[];
  readonly bodies: readonly { readonly victim: Colour; readonly place: Place }[];
  /** Victims whose bodies a player has seen. */
  readonly found: readonly Colour[];
  /** In the order of the events. */
  readonly losses: readonly Loss[];
  /** Players known to be out at the end of the last meeting. */
  readonly knownLost: readonly Colour[];
  /** `left`: rounds until the sabotage wins the game. Null if it can't. */
  readonly sabotage: { readonly system: System; readonly left: number | null } | null;
  readonly shutDoors: readonly Room[];
  /** Rounds until each impostor may kill. */
  readonly killWaits: BySeat<number>;
  readonly actions: BySeat<CurrentAction>;
  /** Finished tasks of each player, and finished steps of all. */
  readonly tasksDone: BySeat<number>;
  readonly taskSteps: number;
  readonly lastSeen: BySeat<LastSeen>;
};

/** The scratchpads of a player. `before` is the text that the last change replaced. */
export type KnownPads = {
  readonly main: string;
  readonly meeting: string;
  readonly before: string;
};

export type KnownMinds = {
  readonly thoughts: BySeat<string>;
  readonly pads: BySeat<KnownPads>;
  /** The player whose scratchpad the last line changed. */
  readonly noted: Colour | null;
};

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

function nextPlayers(players: Players, line: SeenLine): Players {
  switch (line.type) {
    case 'match.opened':
      return line.match.seats.map((seat) => {
        const isDead = 'dead' in seat && seat.dead;
        return {
          seat: seat.colour,
          role: seat.role ?? null,
          // The ghosts' channel has the minds of the dead.
          ...identify(isDead ? { ...seat, mind: undefined } : seat),
          fate: isDead ? 'dead' : 'living',
        };
      });
    case 'verdict.announced':
      return withFate(players, line.ejected, 'ejected');
    case 'seat.departed':
      return withFate(players, line.seat, 'left');
    case 'round.closed':
      return (line.events ?? []).reduce<Players>((all, event) => {
        if (event.type === 'player.killed') return withFate(all, event.victim, 'killed');
        return event.type === 'seat.departed' ? withFate(all, event.seat, 'left') : all;
      }, players);
    case 'meeting.called':
      return withMissing(players, line.dead);
    case 'game.closed':
      return reveal(withMissing(players, line.dead), line);
    default:
      return players;
  }
}

function withFate(players: Players, seat: Colour | null | undefined, fate: PlayerFate): Players {
  if (seat == null) return players;
  return players.map((player) => (player.seat === seat ? { ...player, fate } : player));
}

function withMissing(players: Players, dead: readonly Colour[] = []): Players {
  const missing = players.filter(({ seat, fate }) => fate === 'living' && dead.includes(seat));
  return missing.reduce((all, { seat }) => withFate(all, seat, 'dead'), players);
}

function reveal(players: Players, { impostors, cast }: SeenOf<'game.closed'>): Players {
  return players.map((player) => {
    const own = cast?.find(({ colour }) => colour === player.seat);
    const role = impostors?.includes(player.seat) ? 'impostor' : 'crewmate';
    const shown = impostors === undefined ? {} : ({ role } as const);
    return { ...player, ...shown, ...(own && identify(own)) };
  });
}

type SeatCast = { readonly [K in keyof SeenCast]?: SeenCast[K] | undefined };

function identify({ persona, mind, model = '' }: SeatCast) {
  const name = typeof persona === 'object' ? persona.name : (persona ?? '');
  return { persona: name, mind: mind ?? null, model };
}

export function livingIn(players: Players): readonly Colour[] {
  return players.flatMap(({ seat, fate }) => (fate === 'living' ? [seat] : []));
}

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

/** Votes of the revealed ballots, most first. Of equal candidates, the one who reached the count first. */
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

function nextShip(ship: ShipState | null, line: SeenLine, lens: Lens): ShipState | null {
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

export function roleOf({ seats }: ShipState, seat: string): Role | null {
  return seats.find(({ colour }) => colour === seat)?.role ?? null;
}

export function livingOn({ seats, losses }: ShipState): readonly Colour[] {
  return seats.flatMap(({ colour }) =>
    losses.some(({ seat }) => seat === colour) ? [] : [colour],
  );
}

/** Seconds until a sabotage wins the game. Null if it can't. */
export function secondsUntilLost({ options }: ShipState, system: System): number | null {
  if (system === 'reactor') return options.reactor_seconds;
  return system === 'o2' ? options.o2_seconds : null;
}

export function tasksPerPlayer({ options }: ShipState): number {
  return options.common_tasks + options.long_tasks + options.short_tasks;
}

/** The task bar. Open tasks of the dead count only if ghosts do tasks, and until the ghost leaves. */
export function countTasks(ship: ShipState): { readonly done: number; readonly all: number } {
  const { seats, options, losses, tasksDone } = ship;
  let done = 0;
  let all = 0;
  for (const { colour, role } of seats) {
    if (role === 'impostor') continue;
    const own = tasksDone[colour] ?? 0;
    const counts = losses.every(
      ({ seat, how }) => seat !== colour || (how !== 'left' && options.ghosts_do_tasks),
    );
    done += own;
    all += counts ? tasksPerPlayer(ship) : own;
  }
  return { done, all };
}

/** The glass does not count a body as found when an impostor sees it. */
export function isNoFinder(ship: ShipState, seat: string): boolean {
  return ship.lens.type === 'glass' && roleOf(ship, seat) === 'impostor';
}

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
    sabotage: sabotage?.left === null ? sabotage : null,
    killWaits: Object.fromEntries(impostors.map(({ colour }) => [colour, killWait])),
    lastSeen: {},
  };
}

/** The table notices players who were killed unseen. */
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
  const { sabotage } = ship;
  const actions: Partial<Record<Colour, CurrentAction>> = { ...ship.actions };
  for (const order of line.orders ?? []) {
    const action = readAction(order);
    if (action !== null) actions[order.seat] = action;
  }
  const walked = Object.entries(line.paths ?? {}).flatMap(([seat, path]) => {
    const end = path?.at(-1);
    return end === undefined ? [] : [[seat, end] as const];
  });
  const killWaits = Object.entries(ship.killWaits).map(
    ([seat, wait = 0]) => [seat, Math.max(0, wait - 1)] as const,
  );
  let after: ShipState = {
    ...ship,
    lastRound: line,
    actions,
    places: { ...ship.places, ...Object.fromEntries(walked) },
    killWaits: Object.fromEntries(killWaits),
    sabotage: sabotage && { ...sabotage, left: sabotage.left === null ? null : sabotage.left - 1 },
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
      // This round already counts.
      return { ...ship, sabotage: { system, left: limit === null ? null : rounds(limit) - 1 } };
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
  return {
    ...after,
    bodies,
    places: { ...after.places, [by]: place },
    killWaits: { ...after.killWaits, [by]: rounds(ship.options.kill_cooldown) - 1 },
  };
}

function nextMinds(minds: KnownMinds, line: SeenLine): KnownMinds {
  const quiet = minds.noted === null ? minds : { ...minds, noted: null };
  switch (line.type) {
    case 'round.closed': {
      const orders = line.orders?.filter(({ fault }) => fault === undefined) ?? [];
      return withPads(withThoughts(quiet, orders), orders);
    }
    case 'tick.closed': // a line of its own has the pads
      return withThoughts(quiet, line.bids);
    case 'turn.closed':
      return withPads(withThoughts(quiet, line.bids), line.bids);
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
  answers: readonly (SeenBid | SeenOrder)[] = [],
): KnownMinds {
  if (answers.length === 0) return minds;
  const thoughts = Object.fromEntries(answers.map((one) => [one.seat, readThought(one)]));
  return { ...minds, thoughts: { ...minds.thoughts, ...thoughts } };
}

function withPads(minds: KnownMinds, answers: readonly (SeenBid | SeenOrder)[] = []): KnownMinds {
  return answers.reduce((after, { seat, fault, parsed, received }) => {
    const updates = parsed?.scratchpad_updates ?? readField(received, 'scratchpad_updates');
    const [main, meeting] = ['main_scratch', 'meeting_scratch'].map((page) => {
      const text = readField(updates, page);
      return typeof text === 'string' ? text : undefined;
    });
    const isEmpty = fault !== undefined || (main ?? meeting) === undefined;
    return isEmpty ? after : writePads(after, seat, { main, meeting });
  }, minds);
}

const NO_PADS: KnownPads = { main: '', meeting: '', before: '' };

function writePads(
  minds: KnownMinds,
  seat: Colour,
  { main, meeting }: { readonly main?: string | undefined; readonly meeting?: string | undefined },
): KnownMinds {
  const old = minds.pads[seat] ?? NO_PADS;
  const before = main === undefined ? old.meeting : old.main;
  const written = updatePads(old, {
    ...(main !== undefined && { main }),
    ...(meeting !== undefined && { meeting }),
  });
  return { ...minds, pads: { ...minds.pads, [seat]: { ...written, before } }, noted: seat };
}

// Bids and orders. A line omits `parsed` if it equals `received`.

export function readBid(bid: SeenBid) {
  const message = bid.parsed?.message ?? textIn(bid.received, 'message');
  return { thought: readThought(bid), message };
}

function readThought({ parsed, received }: SeenBid | SeenOrder): string {
  return parsed?.internal_thought ?? textIn(received, 'internal_thought');
}

export function thoughtIn({ orders = [] }: SeenRound, seat: Colour): string | undefined {
  const order = orders.find((each) => each.seat === seat);
  return order === undefined || order.fault !== undefined ? undefined : readThought(order);
}

/** Null if the order continues the current action. */
function readAction({ parsed, received, fault }: SeenOrder): CurrentAction | null {
  if (fault !== undefined) return null;
  const action = parsed === undefined ? readField(received, 'action') : parsed.action;
  const type = textIn(action, 'type');
  return type === '' ? null : { type, task: textIn(action, 'task') };
}

export function actionIn({ orders = [] }: SeenRound, seat: Colour): CurrentAction | null {
  const order = orders.find((each) => each.seat === seat);
  return order === undefined ? null : readAction(order);
}

function textIn(value: unknown, name: string): string {
  const found = readField(value, name);
  return typeof found === 'string' ? found : '';
}
