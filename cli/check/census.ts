/**
 * Census: how many different ballot vectors were seen in each phase, so that arithmetic from outside can check it.
 *
 * It looks on while states are found. Where seats that are alike were not told apart, each vector stands for
 * all that come of it by exchanging them, and those are counted.
 */
import type { State } from 'glass-box-checker';
import type { MeetingSetup, Table } from '../../machines/rules/meeting.ts';
import type { Ballot, Colour } from '../../machines/types.ts';

export type PhaseCount = {
  readonly phase: string;
  /** Vectors as they were visited. */
  readonly visited: number;
  /** With all that stand behind them by symmetry; null where there are too many exchanges to try. */
  readonly ballots: number | null;
};

type Vector = readonly (Ballot | null)[];

/** 720 exchanges are tried, 5040 are not. */
const MOST_EXCHANGED = 6;

export class Census {
  readonly #setting: MeetingSetup;
  readonly #phases = new Map<string, Map<string, Vector>>();

  constructor(setting: MeetingSetup) {
    this.#setting = setting;
  }

  note({ at, context }: State<Table>): void {
    this.#note(at.split('.')[0] ?? at, context.ballots);
  }

  counts(isSymmetric: boolean): readonly PhaseCount[] {
    const exchanges = isSymmetric ? exchangesOf(this.#setting) : null;
    return [...this.#phases].map(([phase, vectors]) => {
      const visited = vectors.size;
      if (!isSymmetric) return { phase, visited, ballots: visited };
      if (exchanges === null) return { phase, visited, ballots: null };
      return { phase, visited, ballots: this.#all([...vectors.values()], exchanges).size };
    });
  }

  #note(phase: string, ballots: Readonly<Partial<Record<Colour, Ballot>>>): void {
    const vector = this.#setting.seats.map(({ colour }) => ballots[colour] ?? null);
    let vectors = this.#phases.get(phase);
    if (vectors === undefined) {
      vectors = new Map();
      this.#phases.set(phase, vectors);
    }
    vectors.set(vector.join(), vector);
  }

  #all(vectors: readonly Vector[], exchanges: readonly Exchange[]): ReadonlySet<string> {
    const found = new Set<string>();
    const places = [...this.#setting.seats.keys()];
    for (const vector of vectors) {
      for (const { from, name } of exchanges) {
        found.add(places.map((place) => name(vector[from[place] ?? place] ?? null)).join());
      }
    }
    return found;
  }
}

/** Who sits where instead: `from` by place, `name` for the ballots. */
type Exchange = {
  readonly from: readonly number[];
  readonly name: (ballot: Ballot | null) => string;
};

/** All exchanges of seats that are alike: of one role, and all living or all dead; null where they are too many. */
function exchangesOf({ seats, standings }: MeetingSetup): readonly Exchange[] | null {
  const kinds = Map.groupBy([...seats.keys()], (place) => {
    const seat = seats[place];
    return seat === undefined ? '' : `${seat.role} ${standings[seat.colour]}`;
  });
  if ([...kinds.values()].some(({ length }) => length > MOST_EXCHANGED)) return null;
  let orders: readonly (readonly number[])[] = [[...seats.keys()]];
  for (const places of kinds.values()) {
    const permuted = permutations(places);
    orders = orders.flatMap((order) =>
      permuted.map((others) =>
        order.map((from, place) => {
          const index = places.indexOf(place);
          return index < 0 ? from : (others[index] ?? from);
        }),
      ),
    );
  }
  return orders.map((from) => {
    const names = new Map(
      seats.map(({ colour }, place) => [seats[from[place] ?? place]?.colour ?? colour, colour]),
    );
    const name = (ballot: Ballot | null) =>
      ballot === null || ballot === 'skip' ? `${ballot}` : (names.get(ballot) ?? ballot);
    return { from, name };
  });
}

function permutations(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}
