/**
 * The statistics of one game, read off its journal: who did what, who said how much, and whose claims were true.
 *
 * It takes the lines one by one. Nothing but the journal is asked, so a game of any mind counts the same.
 */
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import {
  type Ballot,
  COLOURS,
  type Colour,
  type Outcome,
  type Role,
  SYSTEM,
} from '../../machines/types.ts';
import { type Account, newAccount } from './account.ts';
import { accountsOf, asTold, type Pricing } from './roll.ts';
import { Testimony } from './testimony.ts';
import type { Truth } from './whereabouts.ts';

export type Fate = 'alive' | 'killed' | 'ejected' | 'left';

export type PlayerStats = {
  readonly seat: Colour;
  readonly role: Role;
  readonly persona: string;
  fate: Fate;
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
  claims: Record<Truth, number>;
  faults: number;
  refused: number;
  account: Account;
};

export type MeetingStats = {
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
};

/** The statistics of a journal; null when it is not of a whole game from its beginning to its end. */
export function gameStats(lines: readonly Line[], pricing: Pricing = asTold): GameStats | null {
  const [opened] = lines;
  const closed = lines.findLast((line) => line.type === 'game.closed');
  if (opened?.type !== 'game.opened' || closed === undefined) return null;
  const game = new Game(opened);
  for (const line of lines) game.read(line);
  const stats = game.over(opened, closed);
  const accounts = accountsOf(lines, stats.players, pricing);
  for (const player of stats.players) player.account = accounts.get(player.seat) ?? newAccount();
  return stats;
}

function newPlayer({ colour, role, persona }: LineOf<'game.opened'>['lobby']['seats'][number]) {
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
    faults: 0,
    refused: 0,
    account: newAccount(),
  };
  return player;
}

class Game {
  readonly #players: ReadonlyMap<Colour, PlayerStats>;
  readonly #testimony = new Testimony();
  readonly #meetings: MeetingStats[] = [];
  #rounds = 0;
  #kind: 'body' | 'button' = 'body';
  /** Who has spoken how often in the meeting that is on. */
  #spoken = new Map<Colour, number>();

  constructor(opened: LineOf<'game.opened'>) {
    const { seats } = opened.lobby;
    this.#players = new Map(seats.map((seat) => [seat.colour, newPlayer(seat)]));
  }

  over({ seed }: LineOf<'game.opened'>, { winner, reason }: LineOf<'game.closed'>): GameStats {
    const players = COLOURS.flatMap((colour) => this.#players.get(colour) ?? []);
    return { seed, winner, reason, rounds: this.#rounds, meetings: this.#meetings, players };
  }

  read(line: Line): void {
    if (line.channel === 'ghosts') return;
    for (const { by, truth } of this.#testimony.hear(line)) {
      this.#change(by, ({ claims }) => void claims[truth]++);
    }
    switch (line.type) {
      case 'round.closed':
        this.#round(line);
        break;
      case 'meeting.called':
        this.#kind = line.kind;
        this.#spoken = new Map();
        break;
      case 'tick.closed':
        this.#tick(line);
        break;
      case 'ballot.turned':
        this.#vote(line.by, line.ballot);
        break;
      case 'poll.closed':
        for (const seat of line.missed) this.#change(seat, ({ votes }) => void votes.missed++);
        break;
      case 'seat.departed':
        this.#end(line.seat, 'left');
        break;
      case 'meeting.closed':
        this.#meeting(line);
        break;
      default:
    }
  }

  #round(line: LineOf<'round.closed'>): void {
    this.#rounds = line.round + 1;
    for (const { seat, fault } of line.orders) {
      if (fault !== undefined) this.#change(seat, (player) => void player.faults++);
    }
    for (const event of line.events) {
      switch (event.type) {
        case 'player.killed':
          this.#change(event.by, (player) => void player.kills++);
          this.#end(event.victim, 'killed');
          break;
        case 'seat.departed':
          this.#end(event.seat, 'left');
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
      if (player.fate !== 'alive') continue;
      const own = this.#spoken.get(player.seat) ?? 0;
      player.meetings += 1;
      player.messages += own;
      player.heard += messages;
      if (own === 0) player.unheard += 1;
    }
    const ejectedRole = ejected === null ? null : (this.#players.get(ejected)?.role ?? null);
    this.#meetings.push({ kind: this.#kind, outcome, ejected, ejectedRole, messages });
    if (ejected !== null) this.#end(ejected, 'ejected');
  }

  #end(seat: Colour, fate: Fate): void {
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
