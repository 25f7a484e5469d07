/**
 * Behaviour: how everybody played their part at the table, in counts that can be added up over games.
 *
 * What a share is made of is counted on both sides: "followed" of "accusations", "bandwagon" of "ballots".
 */
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import { type Colour, SYSTEM } from '../../machines/types.ts';

const BEHAVIOUR = [
  /** Bids that came, and the sum of the desire in them. */
  'bids',
  'desire',
  /** Messages that won the floor, and their characters. */
  'spoken',
  'characters',
  /** Ballots that were locked, the sum of their ticks, and those for whom somebody had voted already. */
  'ballots',
  'ballot_ticks',
  'bandwagon',
  /** Ballots against oneself. */
  'accused_by',
  /** Messages that accuse somebody, the ballots of others that came later in the meeting, and those that followed. */
  'accusations',
  'later_ballots',
  'followed',
] as const;
type Counts = Record<(typeof BEHAVIOUR)[number], number>;
export type Behaviour = Readonly<Counts>;

function nothing(): Counts {
  return {
    bids: 0,
    desire: 0,
    spoken: 0,
    characters: 0,
    ballots: 0,
    ballot_ticks: 0,
    bandwagon: 0,
    accused_by: 0,
    accusations: 0,
    later_ballots: 0,
    followed: 0,
  };
}

type Accusation = { readonly by: Colour; readonly against: Colour };

class Table {
  readonly counts = new Map<Colour, Counts>();
  #tick = 0;
  #voted = new Map<Colour, Colour | 'skip'>();
  #accusations: Accusation[] = [];

  read(line: Line): void {
    if (line.channel === 'ghosts') return;
    switch (line.type) {
      case 'meeting.called':
        this.#voted = new Map();
        this.#accusations = [];
        break;
      case 'tick.closed':
        this.#bids(line);
        break;
      case 'vote.locked':
        this.#vote(line);
        break;
      case 'ballot.turned':
        if (line.ballot !== 'skip') this.#of(line.ballot).accused_by += 1;
        break;
      default:
    }
  }

  #of(seat: Colour): Counts {
    const known = this.counts.get(seat);
    if (known !== undefined) return known;
    const counts = nothing();
    this.counts.set(seat, counts);
    return counts;
  }

  #bids({ tick, scores, said, hits }: LineOf<'tick.closed'>): void {
    this.#tick = tick;
    for (const { seat, desire } of scores) {
      const own = this.#of(seat);
      own.bids += 1;
      own.desire += desire;
    }
    if (said === null || said.speaker === SYSTEM || said.message === '') return;
    const { speaker } = said;
    const own = this.#of(speaker);
    own.spoken += 1;
    own.characters += [...said.message].length;
    const against = new Set(
      hits.filter(({ kind }) => kind === 'accusation').map(({ seat }) => seat),
    );
    for (const seat of against) {
      own.accusations += 1;
      this.#accusations.push({ by: speaker, against: seat });
    }
  }

  #vote({ seat, ballot }: LineOf<'vote.locked'>): void {
    const own = this.#of(seat);
    own.ballots += 1;
    own.ballot_ticks += this.#tick;
    if ([...this.#voted.values()].includes(ballot)) own.bandwagon += 1;
    this.#voted.set(seat, ballot);
    // Whoever accused several times is counted once for a ballot.
    const pairs = this.#accusations.filter(({ by }) => by !== seat);
    for (const by of new Set(pairs.map((one) => one.by))) {
      const accuser = this.#of(by);
      accuser.later_ballots += 1;
      const isFollowed = pairs.some((one) => one.by === by && one.against === ballot);
      if (isFollowed) accuser.followed += 1;
    }
  }
}

/** How everybody behaved in a game. */
export function behaviourIn(lines: readonly Line[]): ReadonlyMap<Colour, Behaviour> {
  const table = new Table();
  for (const line of lines) table.read(line);
  return table.counts;
}
