/**
 * Values that no game can produce, whatever the hashes say: a line that fits its schema may name an absent player, count
 * wrongly or let the dead kill. Only a replay compares everything. This check is for commands that only read.
 */
import type { Line, LineOf } from '../../../machines/journal/lines.ts';
import { isRecord } from '../../../machines/text.ts';
import { COLOURS } from '../../../machines/types.ts';

/** Fields with the words of a mind, which may name anything, and fields that have checks of their own. */
const FREE = 'clock intent message minds note notes parsed received target vote'.split(' ');
/** Fields with prose, which may be a single colour. */
const PROSE = ['line', 'main', 'meeting', 'reason', 'sentence', 'text', 'word'];
/** Lists that may name a player more than once. */
const REPEATED = ['events', 'hits', 'seen'];
/** The largest number in a line is a draw of 32 bits. The clock has its own limit. */
const MOST = 2 ** 32;
const MOST_CLOCKED = 1e12;

/** Follows the intact lines of a journal. */
export class PossibleGame {
  #seats: readonly string[] = [];
  #impostors: readonly string[] = [];
  readonly #dead = new Set<string>();
  readonly #next = { round: 0, tick: 0, turn: 0, index: 0 };
  #isOver = false;

  /** Why no game produces this line now; null if one may. */
  check(line: Line): string | null {
    if (line.type === 'match.opened') return this.#open(line) ?? findClockFault(line.clock);
    const found = this.#findStranger(line, '') ?? this.#judge(line);
    if (line.type === 'game.closed') this.#isOver = true;
    return found ?? findClockFault(line.clock);
  }

  #open({ match }: LineOf<'match.opened'>): string | null {
    const { seats } = match;
    if (this.#seats.length > 0) return 'the match is opened twice';
    this.#seats = seats.map(({ colour }) => colour);
    this.#impostors = seats.flatMap(({ colour, role }) => (role === 'impostor' ? [colour] : []));
    for (const seat of seats) if ('dead' in seat && seat.dead) this.#dead.add(seat.colour);
    const twice = findRepeated(this.#seats);
    if (twice !== undefined) return `the seat ${twice} is there twice`;
    return seats.length === 0 ? 'nobody sits at the table' : null;
  }

  #judge(line: Line): string | null {
    if (this.#isOver && line.channel === 'living') return 'the game is over';
    switch (line.type) {
      case 'round.closed':
        return this.#count('round', line.round) ?? this.#judgeKills(line);
      case 'meeting.called':
        Object.assign(this.#next, { tick: 0, index: 0 });
        return null;
      case 'tick.closed':
        return this.#count('tick', line.tick) ?? judgeTick(line);
      case 'turn.closed':
        // Each meeting counts its own turns.
        if (line.turn === 0) this.#next.turn = 0;
        return this.#count('turn', line.turn);
      case 'gallery.closed':
        return line.turns === this.#next.turn ? null : `${line.turns} turns of ${this.#next.turn}`;
      case 'vote.locked':
        if (this.#dead.has(line.seat)) return `${line.seat} votes, and is dead`;
        return this.#findDead(line.ballot, 'vote for');
      case 'meeting.closed': {
        const problem = this.#findDead(line.ejected, 'eject');
        if (line.ejected !== null) this.#dead.add(line.ejected);
        return problem;
      }
      case 'ballot.revealed':
        return this.#count('index', line.index);
      case 'poll.counted': {
        const votes = line.counts.reduce((sum, one) => sum + one.votes, 0);
        const most = this.#seats.length;
        return votes <= most ? null : `expected at most ${most} votes, found ${votes}`;
      }
      default:
        return null;
    }
  }

  #findDead(name: string | null, deed: string): string | null {
    return name !== null && this.#dead.has(name) ? `nobody can ${deed} ${name}, who is dead` : null;
  }

  #count(name: 'round' | 'tick' | 'turn' | 'index', found: number): string | null {
    const expected = this.#next[name];
    this.#next[name] = found + 1;
    // A departure may abandon the open tick.
    const skipped = found - expected;
    return skipped === 0 || (skipped === 1 && name === 'tick')
      ? null
      : `expected ${name} ${expected}, found ${found}`;
  }

  #judgeKills({ events }: LineOf<'round.closed'>): string | null {
    for (const event of events) {
      if (event.type === 'seat.departed') this.#dead.add(event.seat);
      if (event.type !== 'player.killed') continue;
      const { by, victim } = event;
      if (!this.#impostors.includes(by)) return `${by} is no impostor, and kills`;
      const dead = [by, victim].find((seat) => this.#dead.has(seat));
      if (dead !== undefined || by === victim)
        return `${by} kills ${victim}: ${dead ?? by} is dead`;
      this.#dead.add(victim);
    }
    return null;
  }

  /** Looks through all fields for a player who is not there, one who is there twice, and numbers out of range. */
  #findStranger(value: unknown, name: string): string | null {
    if (typeof value === 'number' && Math.abs(value) > MOST) return `${name}: ${value}`;
    if (typeof value === 'string') {
      const isAbsent = isColour(value) && !PROSE.includes(name) && !this.#seats.includes(value);
      return isAbsent ? `${name}: no player is ${value}` : null;
    }
    if (Array.isArray(value) && !REPEATED.includes(name)) {
      const twice = findRepeated(value.map(nameRow).filter((row) => row !== undefined));
      if (twice !== undefined) return `${name}: ${twice} is there twice`;
    }
    const fields: readonly (readonly [string, unknown])[] = Array.isArray(value)
      ? value.map((each) => [name, each])
      : Object.entries(isRecord(value) ? value : {});
    for (const [key, inner] of fields) {
      if (FREE.includes(key)) continue;
      const found = this.#findStranger(key, name) ?? this.#findStranger(inner, key);
      if (found !== null) return found;
    }
    return null;
  }
}

function isColour(word: string): boolean {
  return COLOURS.some((colour) => colour === word);
}

/** The player or candidate that a row of a list is about. */
function nameRow(row: unknown): unknown {
  if (!isRecord(row)) return typeof row === 'string' && isColour(row) ? row : undefined;
  return row['seat'] ?? row['candidate'];
}

function findRepeated(names: readonly unknown[]): unknown {
  return names.find((name, index) => names.indexOf(name) !== index);
}

function judgeTick({ tick, bids, floor, said, scores }: LineOf<'tick.closed'>): string | null {
  const has = (seat: string) => bids.some((bid) => bid.seat === seat);
  if (floor !== null && !has(floor)) return `${floor} has the floor without a bid`;
  const unasked = scores.find(({ seat }) => !has(seat));
  if (unasked !== undefined) return `${unasked.seat} has a score without a bid`;
  if (said !== null && (said.tick !== tick || said.speaker !== floor))
    return `${said.speaker} speaks in tick ${said.tick}, and ${floor ?? 'nobody'} has the floor`;
  return null;
}

/** Times, tokens and dollars of the clock. Other programs may add fields. */
function findClockFault(value: unknown, name = 'clock'): string | null {
  if (typeof value === 'number')
    return value >= 0 && value <= MOST_CLOCKED ? null : `${name}: ${value}`;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    if (name === 'clock' && !['arrived', 'calls', 'ms'].includes(key)) continue;
    const found = findClockFault(inner, key);
    if (found !== null) return found;
  }
  return null;
}
