/**
 * The account: what somebody who reads a journal line by line knows so far.
 *
 * It is kept apart from the engine on purpose. Every line is checked against the account as it was before that line,
 * and is then entered whatever the check said, so that one broken property is not reported over and over.
 */

import type { LivingLine } from '../../../../machines/journal/lines.ts';
import { fillMeetingOptions } from '../../../../machines/rules/options.ts';
import type { MeetingMatch } from '../../../../machines/setup/match.ts';
import {
  type Ballot,
  COLOURS,
  type Colour,
  type Outcome,
  type Phase,
  type Role,
  type Standing,
} from '../../../../machines/types.ts';
import { type Consequences, consequencesOf } from './consequences.ts';
import type { LineOf } from './property.ts';
import { Talk } from './talk.ts';
import type { Terms } from './terms.ts';

export type Closed = {
  readonly ballots: ReadonlyMap<Colour, Ballot>;
  readonly void: readonly Colour[];
  readonly missed: readonly Colour[];
  readonly isDeserted: boolean;
};

export class Account {
  readonly terms: Terms;
  /** Everybody with a seat, in the order of the seats. */
  readonly seats: readonly Colour[];
  readonly roles: ReadonlyMap<Colour, Role>;
  readonly standings: Map<Colour, Standing>;
  readonly ballots = new Map<Colour, Ballot>();
  readonly streaks = new Map<Colour, number>();
  readonly talk = new Talk();
  phase: Phase | null = null;
  readonly phases: Phase[] = [];
  lines = 0;
  /** Ticks that have passed, with those that were abandoned; the next one has this number. */
  ticks = 0;
  ticksOfPhase = 0;
  due: Consequences | null = null;
  /** Who left while the tick was open that closes next, and who had a ballot when it was opened and has none now. */
  readonly left = new Set<Colour>();
  readonly #unvoted = new Set<Colour>();
  clearing: Colour[] = [];
  poll: Closed | null = null;
  counted: { readonly outcome: Outcome; readonly ejected: Colour | null } | null = null;
  told: { readonly outcome: Outcome; readonly ejected: Colour | null } | null = null;
  turned = 0;
  /** The last request for an early end, and how many more ticks may close. */
  stop: LineOf<'stop.requested'> | null = null;
  ticksLeft = Number.POSITIVE_INFINITY;
  isRefused = false;
  readonly kept = new Set<Colour>();
  erased = 0;
  isOver = false;

  constructor(match: MeetingMatch) {
    this.terms = fillMeetingOptions(match);
    const seats = COLOURS.flatMap((name) => match.seats.filter(({ colour }) => colour === name));
    this.seats = seats.map(({ colour }) => colour);
    this.roles = new Map(seats.map(({ colour, role }) => [colour, role]));
    this.standings = new Map(seats.map(({ colour, dead }) => [colour, dead ? 'dead' : 'living']));
  }

  get living(): readonly Colour[] {
    return this.seats.filter((seat) => this.standings.get(seat) === 'living');
  }

  /** All living players have voted; so it is when nobody lives (rulings 4 and 22). */
  get isPollComplete(): boolean {
    return this.living.every((seat) => this.ballots.has(seat));
  }

  get isTalk(): boolean {
    return this.phase === 'discussion' || (this.phase === 'voting' && this.poll === null);
  }

  /** Classic rules take no vote before the voting phase (ruling 39). */
  get areVotesOpen(): boolean {
    return this.phase === 'voting' || this.terms.rules === 'house';
  }

  /** Why a vote would not be locked; null when it is legal. */
  refusal(voter: Colour, vote: Ballot): 'vote/closed' | 'vote/twice' | 'vote/target' | null {
    if (!this.areVotesOpen) return 'vote/closed';
    if (this.ballots.has(voter)) return 'vote/twice';
    return vote === 'skip' || this.standings.get(vote) === 'living' ? null : 'vote/target';
  }

  enter(line: LivingLine, at: number): void {
    this.lines += 1;
    switch (line.type) {
      case 'phase.entered':
        this.phase = line.phase;
        this.phases.push(line.phase);
        this.ticksOfPhase = 0;
        this.#open();
        return;
      case 'tick.closed':
        this.#tick(line, at);
        return;
      case 'vote.locked':
        this.ballots.set(line.seat, line.ballot);
        this.due?.votes.delete(line.seat);
        return;
      case 'vote.refused':
        this.due?.refusals.delete(line.seat);
        return;
      case 'vote.cleared':
        this.ballots.delete(line.seat);
        if (this.left.size > 0) this.#unvoted.add(line.seat);
        this.clearing = this.clearing.filter((seat) => seat !== line.seat);
        return;
      case 'seat.faulted':
        this.due?.faults.delete(line.seat);
        return;
      case 'seat.departed':
        this.#departure(line);
        return;
      case 'scratchpads.updated':
        this.due?.pads.delete(line.seat);
        return;
      default:
        this.#ending(line);
    }
  }

  #tick(line: LineOf<'tick.closed'>, at: number): void {
    this.due = consequencesOf(line, this, at);
    for (const { seat, fault } of line.bids) {
      this.streaks.set(seat, fault === undefined ? 0 : (this.streaks.get(seat) ?? 0) + 1);
    }
    if (this.isTalk) this.talk.enter(line);
    this.ticks = line.tick + 1;
    this.ticksOfPhase += 1;
    this.ticksLeft -= 1;
    this.#open();
  }

  #open(): void {
    this.left.clear();
    this.#unvoted.clear();
  }

  /** Whether a player had locked a ballot when the tick was opened. */
  hadVoted(seat: Colour): boolean {
    return this.ballots.has(seat) || this.#unvoted.has(seat);
  }

  #departure({ seat, during }: LineOf<'seat.departed'>): void {
    this.due?.departures.delete(seat);
    if (during === 'tick') this.left.add(seat);
    const isTalk = this.isTalk;
    this.standings.set(seat, 'departed');
    if (isTalk && this.terms.rules === 'classic') {
      if (during === 'tick' && this.ballots.has(seat)) this.#unvoted.add(seat);
      this.ballots.delete(seat);
      this.clearing = this.seats.filter((voter) => this.ballots.get(voter) === seat);
    }
    // The tick in which the last player without a ballot leaves has not happened, and its number is lost. Whose ballot
    // is about to be cleared must vote again.
    const isComplete = this.isPollComplete && this.clearing.length === 0;
    if (during === 'tick' && isTalk && isComplete) this.ticks += 1;
  }

  #ending(line: LivingLine): void {
    switch (line.type) {
      case 'poll.closed':
        this.poll = this.closing();
        return;
      case 'poll.counted':
        this.counted = { outcome: line.outcome, ejected: line.ejected };
        return;
      case 'ballot.revealed':
        this.turned += 1;
        return;
      case 'verdict.announced':
        this.told = { outcome: line.outcome, ejected: line.ejected };
        if (line.ejected !== null && this.standings.get(line.ejected) === 'living') {
          this.standings.set(line.ejected, 'dead');
        }
        return;
      case 'stop.requested':
        this.stop = line;
        this.ticksLeft = line.during === 'tick' ? 1 : 0;
        return;
      case 'meeting.refused':
        this.isRefused = true;
        return;
      case 'scratchpads.consolidated':
        this.kept.add(line.seat);
        return;
      case 'scratchpads.erased':
        this.erased += 1;
        return;
      case 'meeting.closed':
        this.isOver = true;
        return;
      default:
    }
  }

  closing(): Closed {
    const isVoid = (voter: Colour) => {
      const ballot = this.ballots.get(voter);
      return ballot !== undefined && ballot !== 'skip' && this.standings.get(ballot) !== 'living';
    };
    return {
      ballots: new Map(this.ballots),
      void: this.seats.filter(isVoid),
      missed: this.living.filter((seat) => !this.ballots.has(seat)),
      isDeserted: this.living.length === 0,
    };
  }
}
