/**
 * Symmetry: which seats of a table can be exchanged so that nothing shows it.
 *
 * Colours are names only, so two tables that differ in who is called what are one and the same. Ballots make a
 * graph in which everybody points at one other seat or at nobody: trees that end in a player without a ballot or with
 * a skip, and circles with trees on them. Such a graph has a canonical form that costs little more than reading it
 * (trees by their sorted branches, circles by their least rotation), so nobody tries all N! exchanges.
 *
 * Roles are not exchanged. Neither the order of the seats nor the order in which ballots are turned is looked at: it
 * is presentation, and what it leaves behind on the table is the number of ballots turned (ruling 25). Left out as
 * well is what can matter no more: the call once it stands, faults and the clock once the poll is closed, and the
 * faults of those who are gone. That it does not matter is for a test of bisimulation to show.
 */
import type { MeetingSetup, Table } from '../../machines/rules/meeting.ts';
import { type Ballot, type BySeat, COLOURS, type Colour } from '../../machines/types.ts';

/** Exactly the fields of a table that the form knows. One more could tell seats apart without its noticing. */
const KNOWN_FIELDS = [
  'chance',
  'options',
  'seats',
  'call',
  'circumstances',
  'standings',
  'streaks',
  'ballots',
  'due',
  'poll',
  'revealed',
  'outcome',
  'ejected',
  'remaining',
  'record',
  'ship',
  'world',
] as const satisfies readonly (keyof Table)[];

/** A state of the meeting, as far as its form needs it. */
type MeetingPoint = {
  readonly place: { readonly name: string };
  readonly context: Table;
  readonly timers: readonly { readonly id: string }[];
  readonly status: string;
  readonly history: string;
  readonly children: readonly string[];
};

/** How the seats of this meeting can be exchanged: those of the same role. */
export function seatSymmetry(setting: MeetingSetup): {
  readonly name: string;
  readonly orbit: (point: MeetingPoint) => string;
} {
  return {
    name: 'players of the same role',
    orbit: (point) => {
      const { place, context, timers, status, history, children } = point;
      refuseOthers(setting, context);
      const running = timers.map(({ id }) => id).join();
      const rest = `${place.name} ${status} ${history} ${running} ${children.join()}`;
      return `${rest} ${canonicalForm(context)}`;
    },
  };
}

/** The canonical form of a table: equal for two tables exactly when one is the other with its seats exchanged. */
function canonicalForm(table: Table): string {
  const { poll, due, outcome, revealed, remaining, seats } = table;
  const isOpen = poll === null;
  const shared = isOpen
    ? `${due} ${outcome}`
    : `${poll.deserted} ${outcome} ${revealed} ${remaining}`;
  const labels = seats.map(({ colour, role }) => labelOf(table, colour, role));
  const targets = seats.map(({ colour }) => {
    const ballot = table.ballots[colour];
    return ballot === undefined || ballot === 'skip'
      ? NOBODY
      : seats.findIndex((seat) => seat.colour === ballot);
  });
  return `${shared} ${graphForm(labels, targets)}`;
}

/** All that one seat is, apart from whom it names. */
function labelOf(table: Table, seat: Colour, role: string): string {
  const { standings, streaks, ballots, poll, ejected } = table;
  const isHere = standings[seat] === 'living' && poll === null;
  const ballot = ballots[seat];
  const vote = ballot === undefined ? '-' : ballot === 'skip' ? 's' : '';
  const marks = `${poll?.void.includes(seat) ? 'v' : ''}${poll?.missed.includes(seat) ? 'm' : ''}`;
  return `${role[0]}${standings[seat]?.slice(0, 3)}${isHere ? (streaks[seat] ?? 0) : ''}${vote}${marks}${ejected === seat ? 'e' : ''}`;
}

const NOBODY = -1;

/** The canonical form of a graph in which each node points at one node or at none. */
export function graphForm(labels: readonly string[], targets: readonly number[]): string {
  const pending = targets.map(() => 0);
  for (const target of targets) if (target >= 0) pending[target] = (pending[target] ?? 0) + 1;
  const branches: string[][] = targets.map(() => []);
  const parts: string[] = [];
  const ready = [...targets.keys()].filter((node) => pending[node] === 0);
  // Leaves first: when a node is taken, all that points at it has been.
  for (let at = 0; at < ready.length; at++) {
    const node = ready[at] ?? 0;
    const target = targets[node] ?? NOBODY;
    const code = codeOf(labels[node], branches[node]);
    if (target < 0) {
      parts.push(code);
      continue;
    }
    branches[target]?.push(code);
    pending[target] = (pending[target] ?? 0) - 1;
    if (pending[target] === 0) ready.push(target);
  }
  // What still waits is on a circle.
  for (let node = 0; node < targets.length; node++) {
    const circle: string[] = [];
    for (let at = node; (pending[at] ?? 0) > 0; at = targets[at] ?? NOBODY) {
      pending[at] = 0;
      circle.push(codeOf(labels[at], branches[at]));
    }
    if (circle.length > 0) parts.push(`[${leastRotation(circle).join()}]`);
  }
  return parts.sort().join();
}

function codeOf(label = '', branches: readonly string[] = []): string {
  return branches.length === 0 ? label : `${label}(${branches.toSorted().join()})`;
}

function leastRotation(codes: readonly string[]): readonly string[] {
  let least = codes;
  for (let from = 1; from < codes.length; from++) {
    const rotated = [...codes.slice(from), ...codes.slice(0, from)];
    if (rotated.join() < least.join()) least = rotated;
  }
  return least;
}

/** A table that the form can't tell from others; without symmetry it can still be checked. */
export class NoCanonicalForm extends Error {
  readonly code = 'model/no-form';

  constructor(why: string) {
    super(`no canonical form: ${why}`);
  }
}

/** Throws where the form would not tell everything: a hole in it would be a hole in a proof. */
function refuseOthers(setting: MeetingSetup, table: Table): void {
  const { poll, ballots, seats, options } = table;
  if (
    Object.keys(table).length !== KNOWN_FIELDS.length ||
    KNOWN_FIELDS.some((field) => !(field in table))
  ) {
    throw new NoCanonicalForm(
      `expected a table of ${KNOWN_FIELDS.join(', ')}, found ${Object.keys(table).join(', ')}`,
    );
  }
  if (seats !== setting.seats || options !== setting.options) {
    throw new NoCanonicalForm('seats or options have changed during the meeting');
  }
  if (poll !== null && !isSameBallots(poll.ballots, ballots)) {
    throw new NoCanonicalForm('the ballots on the table are not those of the closed poll');
  }
}

function isSameBallots(some: BySeat<Ballot>, others: BySeat<Ballot>): boolean {
  return some === others || COLOURS.every((seat) => some[seat] === others[seat]);
}

/** Who is called what after an exchange. Colours that are not named stay. */
type ColourExchange = BySeat<Colour>;

/**
 * A value with its colours exchanged, wherever they are: as names of fields, as values, and in text. Lists of seats
 * are put into the order of the seats again, for that order is nobody's doing.
 */
export function exchangeColours(value: unknown, exchange: ColourExchange): unknown {
  if (typeof value === 'string')
    return value.replace(COLOUR_WORDS, (word) => exchangeWord(word, exchange));
  if (Array.isArray(value))
    return inSeatOrder(value.map((item) => exchangeColours(item, exchange)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(
        ([name, part]) => [exchangeWord(name, exchange), exchangeColours(part, exchange)] as const,
      )
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

const COLOUR_WORDS = new RegExp(`\\b(${COLOURS.join('|')})\\b`, 'gi');

function exchangeWord(word: string, exchange: ColourExchange): string {
  const colour = COLOURS.find((known) => known === word.toLowerCase());
  const other = colour === undefined ? undefined : exchange[colour];
  if (other === undefined) return word;
  return word === colour ? other : other.charAt(0).toUpperCase() + other.slice(1);
}

/** The order of the seats, to look anything up in. */
const ORDER: readonly unknown[] = COLOURS;

/** Sorted by the seat of each item, where every item has one; as it was otherwise. */
function inSeatOrder(items: readonly unknown[]): readonly unknown[] {
  const ranks = items.map((item) => ORDER.indexOf(seatOf(item)));
  if (ranks.includes(-1)) return items;
  return [...items.keys()]
    .sort((one, other) => (ranks[one] ?? 0) - (ranks[other] ?? 0))
    .map((index) => items[index]);
}

function seatOf(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item;
  return Reflect.get(item, 'colour') ?? Reflect.get(item, 'seat') ?? Reflect.get(item, 'voter');
}

/** How all seats of a table are exchanged, to try whether they are alike: colours are names only. */
export function seatExchange({ seats }: MeetingSetup) {
  return {
    parts: seats.map(({ colour }) => colour),
    renamed: (value: unknown, to: Readonly<Record<string, string>>) =>
      exchangeColours(value, to as BySeat<Colour>), // parts are colours
    compared: withoutOrder,
  };
}

/** Lists as bags; without texts, which name the living in the order of the seats, and without the order of turning. */
function withoutOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value
      .filter((item: unknown) => !isTurning(item))
      .map((item: unknown) => JSON.stringify(withoutOrder(item)))
      .sort();
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'text')
      .map(([name, part]) => [name, withoutOrder(part)]),
  );
}

function isTurning(item: unknown): boolean {
  return (
    typeof item === 'object' && item !== null && Reflect.get(item, 'type') === 'ballot.revealed'
  );
}
