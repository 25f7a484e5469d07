/**
 * Values that no game can produce, whatever the hashes say: a line that fits its schema may name an absent player, count
 * wrongly or let the dead kill. Only a replay compares everything. This check is for commands that only read.
 */
import type { EventFields, Line, LineOf } from '../../../machines/journal/lines.ts';
import { readGameOptions, readMeetingOptions } from '../../../machines/rules/options.ts';
import { neighbours } from '../../../machines/rules/ship/map.ts';
import { weightsRefusal } from '../../../machines/rules/weights.ts';
import { readMap } from '../../../machines/setup/match.ts';
import { isRecord, readField } from '../../../machines/text.ts';
import { COLOURS, type Place, type ShipMap } from '../../../machines/types.ts';

/** Fields with the words of a mind, which may name anything, and fields that have checks of their own. */
const FREE = new Set(
  'clock intent message minds note notes parsed received target vote'.split(' '),
);
/** Fields with prose, which may be a single colour. */
const PROSE = ['line', 'main', 'meeting', 'reason', 'sentence', 'text', 'word'];
/** Lists that may name a player more than once. */
const REPEATED = ['events', 'hits'];
/** The largest number in a line is a draw of 32 bits. The clock has its own limit. */
const MOST = 2 ** 32;
const MOST_CLOCKED = 1e12;

/** The last milestone before each of these lines. A meeting that breaks off closes after any of them. */
const DUE: Readonly<Partial<Record<Line['type'], Line['type']>>> = {
  'round.closed': 'meeting.closed',
  'meeting.called': 'meeting.closed',
  'poll.closed': 'meeting.called',
  'poll.counted': 'poll.closed',
  'ballot.revealed': 'poll.counted',
  'verdict.announced': 'poll.counted',
  'meeting.closed': 'verdict.announced',
  'game.closed': 'meeting.closed',
};
const MILESTONES = new Set(Object.values(DUE));
const BREAKS = ['unconverged', 'interrupted', 'refused'];

export class PossibleGame {
  #seats: readonly string[] = [];
  #impostors: readonly string[] = [];
  /** Null in a meeting on its own. */
  #map: ShipMap | null = null;
  readonly #dead = new Set<string>();
  /** Of the players who have left the button. */
  readonly #places = new Map<string, Place>();
  readonly #next: { turn: number; [row: string]: number } = { turn: 0 };
  #milestone: Line['type'] = 'meeting.closed';
  #isOver = false;

  /** Why no game produces this line now; null if one may. */
  check(line: Line): string | null {
    if (line.type === 'match.opened') return this.#open(line) ?? findClockFault(line.clock);
    if (this.#isOver && line.channel === 'living') return 'the game is over';
    const found = this.#findStranger(line, '') ?? this.#findUndue(line) ?? this.#judge(line);
    if (line.type === 'game.closed') this.#isOver = true;
    return found ?? findClockFault(line.clock);
  }

  #open({ match, rulesVersion }: LineOf<'match.opened'>): string | null {
    if (this.#seats.length > 0) return 'the match is opened twice';
    const { seats } = match;
    this.#seats = seats.map(({ colour }) => colour);
    this.#impostors = seats.flatMap(({ colour, role }) => (role === 'impostor' ? [colour] : []));
    for (const seat of seats) if ('dead' in seat && seat.dead) this.#dead.add(seat.colour);
    const twice = findRepeated(this.#seats);
    if (twice !== undefined) return `the seat ${twice} is there twice`;
    if (seats.length === 0) return 'nobody sits at the table';
    const { weights } = readMeetingOptions(match, rulesVersion);
    const refusal = weightsRefusal(weights, seats.length - this.#dead.size);
    if ('call' in match || refusal !== null) return refusal?.text ?? null;
    this.#map = readMap(match);
    const { impostors } = readGameOptions(match, rulesVersion);
    const found = this.#impostors.length;
    return impostors === found ? null : `expected ${impostors} impostors, found ${found}`;
  }

  #findUndue(line: Line): string | null {
    // Searches write meetings of games without talk and poll.
    const isUnheld = line.type === 'verdict.announced' && this.#next['tick'] === 0;
    const isBroken = line.type === 'meeting.closed' && BREAKS.includes(line.outcome);
    const due = isBroken || isUnheld ? undefined : DUE[line.type];
    if (due !== undefined && due !== this.#milestone) return `${due} is missing before it`;
    if (MILESTONES.has(line.type)) this.#milestone = line.type;
    return null;
  }

  #judge(line: Line): string | null {
    switch (line.type) {
      case 'round.closed':
        return this.#judgeRound(line);
      case 'meeting.called':
        this.#places.clear();
        Object.assign(this.#next, { tick: 0, index: 0 });
        return null;
      case 'tick.closed':
        // A departure may abandon the open tick.
        return this.#count('tick', line.tick, 0, [0, 1]) ?? judgeTick(line);
      case 'turn.closed':
        // Each meeting counts its own turns.
        if (line.turn === 0) this.#next.turn = 0;
        return this.#count('turn', line.turn);
      case 'gallery.closed':
        return line.turns === this.#next.turn ? null : `${line.turns} turns of ${this.#next.turn}`;
      case 'vote.locked':
        return this.#findDead(line.seat, 'ask') ?? this.#findDead(line.ballot, 'vote for');
      case 'meeting.closed': {
        const problem = this.#findDead(line.ejected, 'eject');
        if (line.ejected !== null) this.#dead.add(line.ejected);
        return problem;
      }
      case 'ballot.revealed':
        return this.#count('index', line.index);
      case 'poll.counted': {
        const votes = line.counts.reduce((sum, one) => sum + one.votes, 0);
        return votes <= this.#seats.length ? null : `expected one vote each, found ${votes} votes`;
      }
      default:
        return this.#judgeEvent(line);
    }
  }

  #judgeRound({ round, paths, events }: LineOf<'round.closed'>): string | null {
    const map = this.#map;
    if (map === null) return 'a meeting on its own has no rounds';
    const walks = Object.entries(paths).flatMap(([seat, path]) =>
      path.map((place) => this.#move(seat, place, neighbours(map, place))),
    );
    const deeds = events.map((event) => this.#judgeEvent(event));
    return this.#count('round', round) ?? [...walks, ...deeds].find((one) => one !== null) ?? null;
  }

  #judgeEvent(event: EventFields | Line): string | null {
    switch (event.type) {
      case 'seat.faulted':
        // An answer begins the row of faults again, and an outage does not count.
        return this.#count(`fault of ${event.seat}`, event.streak, 1, [-Infinity, 0]);
      case 'seat.departed':
        // A player who leaves the table may still be ejected.
        if (this.#milestone === 'meeting.closed') this.#dead.add(event.seat);
        return null;
      case 'player.killed': {
        const { by, victim, place } = event;
        if (!this.#impostors.includes(by) || this.#impostors.includes(victim))
          return `${by} kills ${victim}: expected an impostor and one of the crew`;
        const dead = this.#findDead(by, 'be killed by') ?? this.#findDead(victim, 'kill');
        this.#dead.add(victim);
        return dead ?? this.#move(by, place) ?? this.#move(victim, place);
      }
      case 'vent.used': {
        const { seat, how, vent, place } = event;
        const vents = this.#map?.vents ?? [];
        const found = vents.find(({ id }) => id === vent);
        if (found?.place !== place) return `there is no vent ${vent} in ${place}`;
        const near = vents.filter(({ id }) => found.links.includes(id)).map((one) => one.place);
        return this.#move(seat, place, how === 'through' ? near : [place]);
      }
      default:
        return null;
    }
  }

  /** Moves a player, who begins and returns from meetings at the button. */
  #move(seat: string, to: Place, origins: readonly unknown[] = [to]): string | null {
    const from = this.#places.get(seat) ?? this.#map?.button;
    this.#places.set(seat, to);
    return origins.includes(from) ? null : `no way leads ${seat} from ${from} to ${to}`;
  }

  #findDead(name: string | null, deed: string): string | null {
    return name !== null && this.#dead.has(name) ? `nobody can ${deed} ${name}, who is dead` : null;
  }

  /** Checks a number against the next one of its row, give or take `below` and `above`. */
  #count(row: string, found: number, first = 0, [below, above] = [0, 0]): string | null {
    const expected = this.#next[row] ?? first;
    this.#next[row] = found + 1;
    const isNear = found >= expected + below && found <= expected + above;
    return isNear ? null : `expected ${row} ${expected}, found ${found}`;
  }

  /** Looks through all fields for a player who is not there, one who is there twice, and numbers out of range. */
  #findStranger(value: unknown, name: string): string | null {
    if (typeof value === 'number') return Math.abs(value) > MOST ? `${name}: ${value}` : null;
    if (typeof value === 'string') {
      const isAbsent = NAMES.has(value) && !PROSE.includes(name) && !this.#seats.includes(value);
      return isAbsent ? `${name}: no player is ${value}` : null;
    }
    if (Array.isArray(value)) {
      const twice = REPEATED.includes(name) ? undefined : findRepeated(value.map(nameRow));
      if (twice !== undefined) return `${name}: ${twice} is there twice`;
      for (const each of value) {
        const found = this.#findStranger(each, name);
        if (found !== null) return found;
      }
    } else if (isRecord(value)) {
      for (const key of Object.keys(value)) {
        if (FREE.has(key)) continue;
        const found = this.#findStranger(key, name) ?? this.#findStranger(value[key], key);
        if (found !== null) return found;
      }
    }
    return null;
  }
}

const NAMES: ReadonlySet<string> = new Set(COLOURS);

/** The player or candidate that a row of a list is about, or a whole sight. */
function nameRow(row: unknown): unknown {
  if (typeof row === 'string') return NAMES.has(row) ? row : undefined;
  if (Array.isArray(row)) return String(row);
  return readField(row, 'seat') ?? readField(row, 'candidate');
}

function findRepeated(names: readonly unknown[]): unknown {
  return names.find((name, index) => name !== undefined && names.indexOf(name) !== index);
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
