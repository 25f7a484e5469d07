/** Statistics of a recorded game, or of a meeting on its own, player by player. */

import { addCounters, type Counters } from '../../actors/stores/result.ts';
import { throughGlass } from '../../machines/journal/lens.ts';
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import { gameIn, meetingIn } from '../../machines/journal/opening.ts';
import { judgeFloor } from '../../machines/rules/grant.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import { COLOURS, type Colour, type Outcome, type Role, SYSTEM } from '../../machines/types.ts';
import { type ClaimType, findClaims } from '../../prompts/claims/claims.ts';
import { collectBeliefs } from '../beliefs/samples.ts';
import { type ClaimTruth, judgeTestimony } from '../claims/whereabouts.ts';
import { emptyAccount, endpointPricing, nameSeat, type Pricing, readAccounts } from './accounts.ts';
import { listLosses } from './losses.ts';
import { sumOf } from './numeric.ts';

type CountedFate = {
  fate: 'alive' | 'killed' | 'ejected' | 'left';
  /** The round of a kill, ejection or departure; null for a survivor. */
  until: number | null;
};

/** Counted line by line. Both sides of each share are counted, so that counts of many games can be added up. */
export type PlayerStats = ReturnType<typeof newPlayer>;

export type SeatStats = Pick<
  PlayerStats,
  'seat' | 'role' | 'persona' | 'messages' | 'votes' | 'faults' | 'account'
>;

export type MeetingStats = {
  readonly kind: 'body' | 'button';
  readonly outcome: Outcome;
  readonly ejected: Colour | null;
  readonly ejectedRole: Role | null;
  readonly messages: number;
};

export type GameStats = Readonly<NonNullable<ReturnType<typeof countGame>>>;
export type SingleMeetingStats = Readonly<NonNullable<ReturnType<typeof countMeeting>>>;

/** The statistics of a game; null without a complete game. */
export function countGame(lines: readonly Line[], pricing: Pricing = endpointPricing) {
  const [opened] = lines;
  const closed = lines.findLast((line) => line.type === 'game.closed');
  const match = gameIn(opened);
  if (opened?.type !== 'match.opened' || match === null || closed === undefined) return null;
  const counter = new PlayerCounter(match.seats, lines, pricing);
  return {
    seed: opened.seed,
    winner: closed.winner,
    reason: closed.reason,
    rounds: counter.rounds,
    meetings: counter.meetings,
    floor: counter.floor,
    players: counter.players,
    /** Empty if no player was asked. */
    beliefs: collectBeliefs(lines),
  };
}

export function countMeeting(lines: readonly Line[], pricing: Pricing = endpointPricing) {
  const [opened] = lines;
  const closed = lines.findLast((line) => line.type === 'meeting.closed');
  const match = meetingIn(opened);
  if (opened?.type !== 'match.opened' || match === null || closed === undefined) return null;
  const seats = match.seats.filter(({ dead }) => !dead);
  const counter = new PlayerCounter(seats, lines, pricing);
  const players = counter.players.map(
    ({ seat, role, persona, votes, faults, account, table }): SeatStats => {
      return { seat, role, persona, messages: table.spoken, votes, faults, account };
    },
  );
  const { outcome, ejected } = closed;
  return {
    seed: opened.seed,
    outcome,
    ejected,
    ejectedRole: players.find(({ seat }) => seat === ejected)?.role ?? null,
    ticks: lines.filter((line) => line.type === 'tick.closed').length,
    messages: sumOf(players, ({ messages }) => messages),
    floor: counter.floor,
    players,
    beliefs: collectBeliefs(lines),
  };
}

function newPlayer(seat: MatchSeat) {
  const fate: CountedFate = { fate: 'alive', until: null };
  const claims: Record<ClaimTruth, number> = { true: 0, false: 0, unverifiable: 0 };
  return {
    seat: seat.colour,
    role: seat.role ?? 'crewmate',
    persona: nameSeat(seat) ?? '',
    ...fate,
    /** Messages that won the floor, and messages of everybody at the meetings that the player was alive for. */
    messages: 0,
    heard: 0,
    /** Meetings that the player was alive for, and the meetings among them without a message of theirs. */
    meetings: 0,
    unheard: 0,
    votes: { impostor: 0, crewmate: 0, skip: 0, missed: 0 },
    kills: 0,
    tasks: { steps: 0, done: 0 },
    /** Claims of place and time, by whether the ship's log agrees, and claims by subject. */
    claims,
    assertions: noAssertions(),
    faults: 0,
    refused: 0,
    account: emptyAccount(),
    table: {
      /** Bids, and the sum of the desire in them. */
      bids: 0,
      desire: 0,
      /** Messages that won the floor, and their characters. */
      spoken: 0,
      characters: 0,
      /** Locked ballots, the sum of their ticks, and the ballots that repeat a ballot of an earlier tick. */
      ballots: 0,
      ballot_ticks: 0,
      bandwagon: 0,
      /** Ballots against the player. */
      accused_by: 0,
      /** Accusing messages, the ballots of others in later ticks of the meeting, and those that followed the accusation. */
      accusations: 0,
      later_ballots: 0,
      followed: 0,
    },
  };
}

export function noAssertions(): Record<ClaimType, number> {
  return { place: 0, company: 0, task: 0, accusation: 0, defence: 0, vent: 0, act: 0 };
}

class PlayerCounter {
  readonly meetings: MeetingStats[] = [];
  rounds = 0;
  /** Ticks with at least two bids that could win, and how often each reason won them. */
  floor: Counters = { ticks: 0 };
  readonly #players: ReadonlyMap<Colour, PlayerStats>;
  readonly #judge = judgeTestimony(findClaims);
  /** Of the current meeting: why it was called, who spoke how often, locked ballots and accusations. */
  #kind: MeetingStats['kind'] = 'body';
  #spoken = new Map<Colour, number>();
  #tick = 0;
  #locked: { readonly ballot: Colour | 'skip'; readonly tick: number }[] = [];
  #accusations: { readonly by: Colour; readonly against: Colour; readonly tick: number }[] = [];

  constructor(seats: readonly MatchSeat[], lines: readonly Line[], pricing: Pricing) {
    this.#players = new Map(seats.map((seat) => [seat.colour, newPlayer(seat)]));
    for (const line of lines) this.#read(line);
    for (const [seat, account] of readAccounts(lines, this.players, pricing))
      this.#change(seat, (player) => Object.assign(player, { account }));
  }

  get players(): readonly PlayerStats[] {
    return COLOURS.flatMap((colour) => this.#players.get(colour) ?? []);
  }

  #read(line: Line): void {
    if (line.channel !== 'living') return;
    if (line.type === 'round.closed') this.rounds = line.round + 1;
    for (const { seat, how } of listLosses(line)) this.#end(seat, how);
    for (const claim of this.#judge(throughGlass(line))) {
      this.#change(claim.by, ({ claims, assertions }) => {
        assertions[claim.type] += 1;
        if (claim.type === 'place') claims[claim.truth] += 1;
      });
      if (claim.type !== 'accusation' || line.type !== 'tick.closed') continue;
      const { by, about: against } = claim;
      this.#accusations.push({ by, against, tick: line.tick });
      this.#change(by, ({ table }) => void table.accusations++);
    }
    if (line.type === 'round.closed') this.#round(line);
    if (line.type === 'meeting.called') {
      this.#spoken = new Map();
      this.#kind = line.kind;
      this.#locked = [];
      this.#accusations = [];
    }
    if (line.type === 'tick.closed') this.#hear(line);
    if (line.type === 'vote.locked') this.#lock(line);
    if (line.type === 'ballot.revealed') this.#reveal(line);
    if (line.type === 'poll.closed')
      for (const seat of line.missed) this.#change(seat, ({ votes }) => void votes.missed++);
    if (line.type === 'meeting.closed') this.#close(line);
  }

  #round({ orders, events }: LineOf<'round.closed'>): void {
    this.#countFaults(orders);
    for (const event of events) {
      if (event.type === 'player.killed') this.#change(event.by, (player) => void player.kills++);
      if (event.type === 'intent.refused')
        this.#change(event.seat, (player) => void player.refused++);
      if (event.type === 'task.stepped')
        this.#change(event.seat, ({ tasks }) => {
          tasks.steps += 1;
          if (event.done) tasks.done += 1;
        });
    }
  }

  #countFaults(turns: readonly { readonly seat: Colour; readonly fault?: string | undefined }[]) {
    for (const { seat, fault } of turns)
      if (fault !== undefined) this.#change(seat, (player) => void player.faults++);
  }

  #hear({ tick, bids, scores, floor, said }: LineOf<'tick.closed'>): void {
    this.#tick = tick;
    this.#countFaults(bids);
    const judged = judgeFloor(scores, floor);
    for (const name of judged === null ? [] : ['ticks', ...judged])
      this.floor = addCounters(this.floor, { [name]: 1 });
    for (const { seat, desire } of scores) {
      this.#change(seat, ({ table }) => {
        table.bids += 1;
        table.desire += desire;
      });
    }
    if (said === null || said.speaker === SYSTEM || said.message === '') return;
    const { speaker, message } = said;
    this.#spoken.set(speaker, (this.#spoken.get(speaker) ?? 0) + 1);
    this.#change(speaker, ({ table }) => {
      table.spoken += 1;
      table.characters += [...message].length;
    });
  }

  /** All players of a tick speak and vote at the same time, so a ballot can follow only an earlier tick. */
  #lock({ seat, ballot }: LineOf<'vote.locked'>): void {
    const tick = this.#tick;
    const isFollowing = this.#locked.some((one) => one.tick < tick && one.ballot === ballot);
    this.#locked.push({ ballot, tick });
    this.#change(seat, ({ table }) => {
      table.ballots += 1;
      table.ballot_ticks += tick;
      if (isFollowing) table.bandwagon += 1;
    });
    const heard = this.#accusations.filter((one) => one.by !== seat && one.tick < tick);
    // A ballot counts once for a player, however often that player accused.
    for (const [by, own] of Map.groupBy(heard, (one) => one.by)) {
      this.#change(by, ({ table }) => {
        table.later_ballots += 1;
        if (own.some(({ against }) => against === ballot)) table.followed += 1;
      });
    }
  }

  #reveal({ by, ballot }: LineOf<'ballot.revealed'>): void {
    const kind = ballot === 'skip' ? 'skip' : (this.#players.get(ballot)?.role ?? 'crewmate');
    this.#change(by, ({ votes }) => void votes[kind]++);
    if (ballot !== 'skip') this.#change(ballot, ({ table }) => void table.accused_by++);
  }

  #close({ outcome, ejected }: LineOf<'meeting.closed'>): void {
    const messages = sumOf([...this.#spoken.values()], (count) => count);
    for (const player of this.#players.values()) {
      // An ejected player was there until the end of the meeting.
      if (player.fate !== 'alive' && player.seat !== ejected) continue;
      const own = this.#spoken.get(player.seat) ?? 0;
      player.meetings += 1;
      player.messages += own;
      player.heard += messages;
      if (own === 0) player.unheard += 1;
    }
    const ejectedRole = ejected === null ? null : (this.#players.get(ejected)?.role ?? null);
    this.meetings.push({ kind: this.#kind, outcome, ejected, ejectedRole, messages });
    this.#kind = 'body';
  }

  #end(seat: Colour, fate: CountedFate['fate']): void {
    this.#change(seat, (player) => {
      if (player.fate === 'alive') Object.assign(player, { fate, until: this.rounds });
    });
  }

  #change(seat: Colour, change: (player: PlayerStats) => void): void {
    const player = this.#players.get(seat);
    if (player !== undefined) change(player);
  }
}
