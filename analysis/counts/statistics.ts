/**
 * What happened in recorded games: one game player by player, one meeting on its own, and totals of many.
 *
 * Nothing but the journal is asked, so a game of any mind counts the same.
 */

import { throughGlass } from '../../machines/journal/lens.ts';
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import { gameIn, meetingIn } from '../../machines/journal/opening.ts';
import { nextShip, type ShipState } from '../../machines/journal/projection.ts';
import type { GameMatch, GameSeat, MeetingSeat } from '../../machines/setup/match.ts';
import {
  type Ballot,
  COLOURS,
  type Colour,
  type Outcome,
  type Role,
  SYSTEM,
} from '../../machines/types.ts';
import { type BeliefSample, collectBeliefs } from '../beliefs/samples.ts';
import { CLAIM_TYPES, type ClaimType, findClaims } from '../claims/claims.ts';
import { type ClaimTruth, Testimony } from '../claims/whereabouts.ts';
import {
  type Account,
  emptyAccount,
  endpointPricing,
  type Pricing,
  readAccounts,
  sumAccounts,
} from './accounts.ts';

type FinalFate = 'alive' | 'killed' | 'ejected' | 'left';

export type PlayerStats = {
  readonly seat: Colour;
  readonly role: Role;
  readonly persona: string;
  fate: FinalFate;
  /** The round in which it was over for them; null for those who lived. */
  until: number | null;
  /** Messages that won the floor, and those at meetings in which they were alive. */
  messages: number;
  heard: number;
  /** Meetings that they were alive for, and of these in which they never spoke. */
  meetings: number;
  unheard: number;
  votes: { impostor: number; crewmate: number; skip: number; missed: number };
  kills: number;
  tasks: { steps: number; done: number };
  /** Claims of place and time, by whether the ship's log agrees. */
  claims: Record<ClaimTruth, number>;
  /** All that they asserted, by what it was about. */
  assertions: Record<ClaimType, number>;
  faults: number;
  refused: number;
  account: Account;
};

type MeetingStats = {
  readonly kind: 'body' | 'button';
  readonly outcome: Outcome;
  readonly ejected: Colour | null;
  readonly ejectedRole: Role | null;
  readonly messages: number;
};

export type GameStats = {
  readonly seed: number;
  readonly winner: LineOf<'game.closed'>['winner'];
  readonly reason: LineOf<'game.closed'>['reason'];
  readonly rounds: number;
  readonly meetings: readonly MeetingStats[];
  readonly players: readonly PlayerStats[];
  /** What players have stated; none where they were not asked. */
  readonly beliefs: readonly BeliefSample[];
};

/** The statistics of a game; null when the journal is not of a whole one from its beginning to its end. */
export function countGame(
  lines: readonly Line[],
  pricing: Pricing = endpointPricing,
): GameStats | null {
  const [opened] = lines;
  const closed = lines.findLast((line) => line.type === 'game.closed');
  const match = gameIn(opened);
  if (opened?.type !== 'match.opened' || match === null || closed === undefined) return null;
  const game = new GameCounter(match);
  for (const line of lines) game.read(line);
  const stats = game.over(opened, closed);
  const accounts = readAccounts(lines, stats.players, pricing);
  for (const player of stats.players) player.account = accounts.get(player.seat) ?? emptyAccount();
  return { ...stats, beliefs: collectBeliefs(lines) };
}

function noAssertions(): Record<ClaimType, number> {
  return { place: 0, company: 0, task: 0, accusation: 0, defence: 0, vent: 0, act: 0 };
}

function newPlayer({ colour, role, persona }: GameSeat) {
  const player: PlayerStats = {
    seat: colour,
    role: role ?? 'crewmate',
    persona: typeof persona === 'string' ? persona : (persona?.name ?? ''),
    fate: 'alive',
    until: null,
    messages: 0,
    heard: 0,
    meetings: 0,
    unheard: 0,
    votes: { impostor: 0, crewmate: 0, skip: 0, missed: 0 },
    kills: 0,
    tasks: { steps: 0, done: 0 },
    claims: { true: 0, false: 0, unverifiable: 0 },
    assertions: noAssertions(),
    faults: 0,
    refused: 0,
    account: emptyAccount(),
  };
  return player;
}

const GLASS = { type: 'glass' } as const;

class GameCounter {
  readonly #players: ReadonlyMap<Colour, PlayerStats>;
  readonly #testimony = new Testimony(findClaims);
  readonly #meetings: MeetingStats[] = [];
  #ship: ShipState | null = null;
  /** Why the meeting that is on was called. */
  #kind: MeetingStats['kind'] = 'body';
  /** Who has spoken how often in the meeting that is on. */
  #spoken = new Map<Colour, number>();

  constructor({ seats }: GameMatch) {
    this.#players = new Map(seats.map((seat) => [seat.colour, newPlayer(seat)]));
  }

  over(
    { seed }: LineOf<'match.opened'>,
    { winner, reason }: LineOf<'game.closed'>,
  ): Omit<GameStats, 'beliefs'> {
    const players = COLOURS.flatMap((colour) => this.#players.get(colour) ?? []);
    return { seed, winner, reason, rounds: this.#rounds, meetings: this.#meetings, players };
  }

  get #rounds(): number {
    return this.#ship?.round ?? 0;
  }

  read(line: Line): void {
    if (line.channel !== 'living') return;
    const seen = throughGlass(line);
    const known = this.#ship?.losses.length ?? 0;
    this.#ship = nextShip(this.#ship, seen, GLASS);
    for (const { seat, how } of this.#ship?.losses.slice(known) ?? []) this.#end(seat, how);
    for (const claim of this.#testimony.hear(seen)) {
      this.#change(claim.by, ({ claims, assertions }) => {
        assertions[claim.type] += 1;
        if (claim.type === 'place') claims[claim.truth] += 1;
      });
    }
    switch (line.type) {
      case 'round.closed':
        this.#round(line);
        break;
      case 'meeting.called':
        this.#spoken = new Map();
        this.#kind = line.kind;
        break;
      case 'tick.closed':
        this.#tick(line);
        break;
      case 'ballot.revealed':
        this.#vote(line.by, line.ballot);
        break;
      case 'poll.closed':
        for (const seat of line.missed) this.#change(seat, ({ votes }) => void votes.missed++);
        break;
      case 'meeting.closed':
        this.#meeting(line);
        break;
      default:
    }
  }

  #round(line: LineOf<'round.closed'>): void {
    for (const { seat, fault } of line.orders) {
      if (fault !== undefined) this.#change(seat, (player) => void player.faults++);
    }
    for (const event of line.events) {
      switch (event.type) {
        case 'player.killed':
          this.#change(event.by, (player) => void player.kills++);
          break;
        case 'task.stepped':
          this.#change(event.seat, ({ tasks }) => {
            tasks.steps += 1;
            if (event.done) tasks.done += 1;
          });
          break;
        case 'intent.refused':
          this.#change(event.seat, (player) => void player.refused++);
          break;
        default:
      }
    }
  }

  #tick({ bids, said }: LineOf<'tick.closed'>): void {
    for (const { seat, fault } of bids) {
      if (fault !== undefined) this.#change(seat, (player) => void player.faults++);
    }
    if (said === null || said.speaker === SYSTEM || said.message === '') return;
    const { speaker } = said;
    this.#spoken.set(speaker, (this.#spoken.get(speaker) ?? 0) + 1);
  }

  #vote(by: Colour, ballot: Ballot): void {
    const kind = ballot === 'skip' ? 'skip' : (this.#players.get(ballot)?.role ?? 'crewmate');
    this.#change(by, ({ votes }) => void votes[kind]++);
  }

  #meeting({ outcome, ejected }: LineOf<'meeting.closed'>): void {
    const messages = [...this.#spoken.values()].reduce((sum, count) => sum + count, 0);
    for (const player of this.#players.values()) {
      // The one who is ejected was there until the end of it.
      if (player.fate !== 'alive' && player.seat !== ejected) continue;
      const own = this.#spoken.get(player.seat) ?? 0;
      player.meetings += 1;
      player.messages += own;
      player.heard += messages;
      if (own === 0) player.unheard += 1;
    }
    const ejectedRole = ejected === null ? null : (this.#players.get(ejected)?.role ?? null);
    this.#meetings.push({ kind: this.#kind, outcome, ejected, ejectedRole, messages });
    this.#kind = 'body';
  }

  #end(seat: Colour, fate: FinalFate): void {
    this.#change(seat, (player) => {
      if (player.fate !== 'alive') return;
      player.fate = fate;
      player.until = this.#rounds;
    });
  }

  #change(seat: Colour, change: (player: PlayerStats) => void): void {
    const player = this.#players.get(seat);
    if (player !== undefined) change(player);
  }
}

export type SeatStats = {
  readonly seat: Colour;
  readonly role: Role;
  readonly persona: string;
  /** Messages that won the floor. */
  messages: number;
  votes: { impostor: number; crewmate: number; skip: number; missed: number };
  faults: number;
  account: Account;
};

export type SingleMeetingStats = {
  readonly seed: number;
  readonly outcome: Outcome;
  readonly ejected: Colour | null;
  readonly ejectedRole: Role | null;
  readonly ticks: number;
  readonly messages: number;
  /** Those who were alive when it began. */
  readonly players: readonly SeatStats[];
  /** What players have stated; none where they were not asked. */
  readonly beliefs: readonly BeliefSample[];
};

/** The statistics of a meeting on its own; null when the journal is not of a whole one. */
export function countMeeting(
  lines: readonly Line[],
  pricing: Pricing = endpointPricing,
): SingleMeetingStats | null {
  const [opened] = lines;
  const closed = lines.findLast((line) => line.type === 'meeting.closed');
  const match = meetingIn(opened);
  if (opened?.type !== 'match.opened' || match === null || closed === undefined) return null;
  const seats = match.seats.filter(({ dead }) => !dead).map(newSeat);
  const players = new Map(seats.map((seat) => [seat.seat, seat]));
  for (const line of lines) countLine(line, players);
  for (const [seat, account] of readAccounts(lines, seats, pricing)) {
    const player = players.get(seat);
    if (player !== undefined) player.account = account;
  }
  const { outcome, ejected } = closed;
  return {
    seed: opened.seed,
    outcome,
    ejected,
    ejectedRole: ejected === null ? null : (players.get(ejected)?.role ?? null),
    ticks: lines.filter((line) => line.type === 'tick.closed').length,
    messages: seats.reduce((sum, { messages }) => sum + messages, 0),
    players: COLOURS.flatMap((colour) => players.get(colour) ?? []),
    beliefs: collectBeliefs(lines),
  };
}

function newSeat({ colour, role, persona }: MeetingSeat): SeatStats {
  return {
    seat: colour,
    role,
    persona: typeof persona === 'string' ? persona : (persona?.name ?? ''),
    messages: 0,
    votes: { impostor: 0, crewmate: 0, skip: 0, missed: 0 },
    faults: 0,
    account: emptyAccount(),
  };
}

function countLine(line: Line, players: ReadonlyMap<Colour, SeatStats>): void {
  const change = (seat: Colour, act: (player: SeatStats) => void) => {
    const player = players.get(seat);
    if (player !== undefined) act(player);
  };
  switch (line.type) {
    case 'tick.closed': {
      for (const { seat, fault } of line.bids) {
        if (fault !== undefined) change(seat, (player) => void player.faults++);
      }
      const { said } = line;
      if (said === null || said.speaker === SYSTEM || said.message === '') break;
      change(said.speaker, (player) => void player.messages++);
      break;
    }
    case 'ballot.revealed': {
      const { ballot } = line;
      const kind = ballot === 'skip' ? 'skip' : (players.get(ballot)?.role ?? 'crewmate');
      change(line.by, ({ votes }) => void votes[kind]++);
      break;
    }
    case 'poll.closed':
      for (const seat of line.missed) change(seat, ({ votes }) => void votes.missed++);
      break;
    default:
  }
}

export type Interval = { readonly share: number; readonly least: number; readonly most: number };

/** Standard deviations on either side that hold 95 of 100 cases. */
const Z = 1.959964;

/**
 * A share with its 95 % interval (Wilson 1927), right also near 0 and 1; null where there was no case. Cases that are not
 * independent of each other have a weight: how many of them say as much as one that is.
 */
export function wilsonInterval(hits: number, cases: number, weight = 1): Interval | null {
  if (cases === 0) return null;
  const share = hits / cases;
  const n = cases / weight;
  const scale = 1 + Z ** 2 / n;
  const centre = (share + Z ** 2 / (2 * n)) / scale;
  const reach = (Z * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n ** 2))) / scale;
  return { share, least: Math.max(0, centre - reach), most: Math.min(1, centre + reach) };
}

/** A share of cases. `interval` is null where there was none. */
export type Rate = {
  readonly hits: number;
  readonly cases: number;
  readonly interval: Interval | null;
};

export type RoleTotals = {
  readonly players: number;
  readonly survived: Rate;
  /** Messages that won the floor, of all at meetings in which they were alive. */
  readonly speaking: Rate;
  /** Meetings at which one who was alive never spoke. */
  readonly unheard: Rate;
  /** Ballots against impostors, of those against any player. */
  readonly accuracy: Rate;
  readonly skipped: Rate;
  readonly missed: number;
  /** Claims of place and time that the ship's log contradicts, of those that it can judge. */
  readonly falsehoods: Rate;
  readonly unverifiable: number;
  /** Claims by what they are about. */
  readonly assertions: Readonly<Record<ClaimType, number>>;
  readonly kills: number;
  readonly tasksDone: number;
  readonly faults: number;
  readonly refused: number;
};

export type StatsTotals = {
  readonly games: number;
  readonly wins: Readonly<Record<'crew' | 'impostors', Rate>>;
  /** How often each end came, as "crew tasks" or "interrupted", the most frequent first. */
  readonly reasons: readonly (readonly [how: string, games: number])[];
  readonly rounds: number;
  readonly meetings: number;
  readonly calls: Readonly<Record<'body' | 'button', number>>;
  /** Meetings at which a player was ejected, and ejections of impostors. */
  readonly ejections: Rate;
  readonly rightEjections: Rate;
  readonly roles: Readonly<Record<Role, RoleTotals>>;
  /** Meetings on their own; of what they hold only the accounts are in these totals. */
  readonly singles: number;
  readonly account: Readonly<Record<Role, Account>>;
};

/** Adds games up, and the accounts of meetings on their own. */
export function sumStats(
  games: readonly GameStats[],
  singles: readonly SingleMeetingStats[] = [],
): StatsTotals {
  const decided = games.filter(({ winner }) => winner !== null).length;
  const won = (side: 'crew' | 'impostors') =>
    rate(games.filter(({ winner }) => winner === side).length, decided);
  const meetings = games.flatMap((game) => game.meetings);
  const ejections = meetings.filter(({ ejected }) => ejected !== null);
  const right = ejections.filter(({ ejectedRole }) => ejectedRole === 'impostor');
  const players = games.flatMap((game) => game.players);
  const of = (role: Role) => roleTotals(players.filter((player) => player.role === role));
  const seats = [...players, ...singles.flatMap((meeting) => meeting.players)];
  const account = (wanted: Role) =>
    sumAccounts(seats.flatMap((seat) => (seat.role === wanted ? [seat.account] : [])));
  return {
    games: games.length,
    wins: { crew: won('crew'), impostors: won('impostors') },
    reasons: countReasons(games),
    rounds: sum(games, ({ rounds }) => rounds),
    meetings: meetings.length,
    calls: {
      body: meetings.filter(({ kind }) => kind === 'body').length,
      button: meetings.filter(({ kind }) => kind === 'button').length,
    },
    ejections: rate(ejections.length, meetings.length),
    rightEjections: rate(right.length, ejections.length),
    roles: { crewmate: of('crewmate'), impostor: of('impostor') },
    singles: singles.length,
    account: { crewmate: account('crewmate'), impostor: account('impostor') },
  };
}

/** How a game ended: "crew tasks", or the reason alone where nobody has won. */
export function describeResult({ winner, reason }: Pick<GameStats, 'winner' | 'reason'>): string {
  return winner === null ? reason : `${winner} ${reason}`;
}

function countReasons(games: readonly GameStats[]): StatsTotals['reasons'] {
  const reasons = new Map<string, number>();
  for (const game of games)
    reasons.set(describeResult(game), (reasons.get(describeResult(game)) ?? 0) + 1);
  return [...reasons].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
}

function roleTotals(players: readonly PlayerStats[]): RoleTotals {
  const of = (count: (player: PlayerStats) => number) => sum(players, count);
  const impostor = of(({ votes }) => votes.impostor);
  const named = impostor + of(({ votes }) => votes.crewmate);
  const skips = of(({ votes }) => votes.skip);
  const falsehoods = of(({ claims }) => claims.false);
  const assertions = noAssertions();
  for (const type of CLAIM_TYPES) assertions[type] = of((player) => player.assertions[type]);
  return {
    players: players.length,
    survived: rate(players.filter(({ fate }) => fate === 'alive').length, players.length),
    speaking: rate(
      of(({ messages }) => messages),
      of(({ heard }) => heard),
    ),
    unheard: rate(
      of((player) => player.unheard),
      of(({ meetings }) => meetings),
    ),
    accuracy: rate(impostor, named),
    skipped: rate(skips, named + skips),
    missed: of(({ votes }) => votes.missed),
    falsehoods: rate(falsehoods, falsehoods + of(({ claims }) => claims.true)),
    unverifiable: of(({ claims }) => claims.unverifiable),
    assertions,
    kills: of(({ kills }) => kills),
    tasksDone: of(({ tasks }) => tasks.done),
    faults: of(({ faults }) => faults),
    refused: of(({ refused }) => refused),
  };
}

export function rate(hits: number, cases: number): Rate {
  return { hits, cases, interval: wilsonInterval(hits, cases) };
}

function sum<T>(list: readonly T[], count: (item: T) => number): number {
  return list.reduce((total, item) => total + count(item), 0);
}
