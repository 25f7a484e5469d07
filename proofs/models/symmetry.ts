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
import {
  type Ballot,
  type BySeat,
  COLOURS,
  type Colour,
  type Role,
  type Standing,
} from '../../machines/types.ts';
import type { TickDraft } from './foldedTick.ts';
import { GraphForms } from './graphForms.ts';

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
  readonly orbit: (point: MeetingPoint, draft?: TickDraft) => number;
} {
  const forms = new TableForms(setting);
  return {
    name: 'players of the same role',
    orbit: (point, draft) => {
      // A draft is the table of a state with bids in it; what they lead to is a state again.
      if (draft === undefined) refuseOthers(setting, point.context);
      return forms.of(point, draft);
    },
  };
}

/** The canonical forms of the tables of one meeting: equal exactly when one is the other with its seats exchanged. */
class TableForms {
  readonly #graphs = new GraphForms();
  readonly #situations = new Map<string, number>();
  readonly #seats: MeetingSetup['seats'];
  readonly #places: ReadonlyMap<Ballot | undefined, number>;
  readonly #labels: Int32Array;
  readonly #targets: Int32Array;
  /** The situation that was looked up last: drafts of one tick are all in the same. */
  #last: { readonly point: MeetingPoint; readonly number: number } | null = null;

  constructor({ seats }: MeetingSetup) {
    this.#seats = seats;
    this.#places = new Map(seats.map(({ colour }, place) => [colour, place]));
    this.#labels = new Int32Array(seats.length);
    this.#targets = new Int32Array(seats.length);
  }

  of(point: MeetingPoint, draft?: TickDraft): number {
    const { context } = point;
    const { ballots } = context;
    let [part, place] = [0, 0];
    for (const { colour, role } of this.#seats) {
      const isLiving = context.standings[colour] === 'living';
      const mark = draft === undefined || !isLiving ? 0 : markOf(draft, part);
      if (isLiving) part += 1;
      const ballot = ballots[colour];
      this.#labels[place] = labelOf(context, colour, role, mark);
      this.#targets[place] =
        ballot === undefined || ballot === 'skip' ? NOBODY : (this.#places.get(ballot) ?? NOBODY);
      place += 1;
    }
    return this.#graphs.pair(
      this.#situationOf(point),
      this.#graphs.of(this.#labels, this.#targets),
    );
  }

  #situationOf(point: MeetingPoint): number {
    const last = this.#last;
    if (last !== null && isSameSituation(last.point, point)) return last.number;
    const number = this.#numberOf(describeSituation(point));
    this.#last = { point, number };
    return number;
  }

  #numberOf(situation: string): number {
    const known = this.#situations.get(situation);
    if (known !== undefined) return known;
    const number = this.#situations.size;
    this.#situations.set(situation, number);
    return number;
  }
}

function describeSituation({
  place,
  context,
  timers,
  status,
  history,
  children,
}: MeetingPoint): string {
  const { poll, due, outcome, revealed, remaining } = context;
  const shared =
    poll === null ? `${due} ${outcome}` : `${poll.deserted} ${outcome} ${revealed} ${remaining}`;
  const running = timers.length === 0 ? '' : timers.map(({ id }) => id).join();
  return `${place.name} ${status} ${history} ${running} ${children.join()} ${shared}`;
}

/** Whether two points are surely in the same situation: no more is looked at than costs nothing. */
function isSameSituation(one: MeetingPoint, other: MeetingPoint): boolean {
  const [from, to] = [one.context, other.context];
  return (
    one.place === other.place &&
    one.status === other.status &&
    one.history === other.history &&
    one.timers === other.timers &&
    one.children === other.children &&
    from.due === to.due &&
    from.outcome === to.outcome &&
    from.poll === to.poll &&
    from.revealed === to.revealed &&
    from.remaining === to.remaining
  );
}

const STANDINGS: readonly (Standing | undefined)[] = ['living', 'dead', 'departed'];
/** Faults in a row that a label has room for. */
const STREAKS = 32;

/** All that one seat is, apart from whom it names, as a whole number: digit by digit. */
function labelOf(
  { standings, streaks, ballots, poll, ejected }: Table,
  seat: Colour,
  role: Role,
  mark: number,
): number {
  const standing = standings[seat];
  const ballot = ballots[seat];
  const streak = standing === 'living' && poll === null ? (streaks[seat] ?? 0) : 0;
  if (streak >= STREAKS) throw new NoCanonicalForm(`${seat} has ${streak} faults in a row`);
  let label = Number(role === 'impostor') * 4 + STANDINGS.indexOf(standing);
  label = label * STREAKS + streak;
  label = label * 4 + (ballot === undefined ? 0 : ballot === 'skip' ? 1 : 2);
  label = label * 2 + Number(poll?.void.includes(seat) ?? false);
  label = label * 2 + Number(poll?.missed.includes(seat) ?? false);
  label = label * 2 + Number(ejected === seat);
  return label * 4 + mark;
}

/** What a living player has handed in, as far as the table does not show it: nothing, something, or that they go. */
function markOf({ taken, kept }: TickDraft, part: number): number {
  if (kept[part] !== null) return 2;
  return (taken & (1 << part)) === 0 ? 0 : 1;
}

const NOBODY = -1;

/** A table that the form can't tell from others; without symmetry it can still be checked. */
export class NoCanonicalForm extends Error {
  readonly code = 'model/no-form';
  /** Set where only some states have none: every state on its own can still be searched. */
  readonly isOfState: boolean;

  constructor(why: string, isOfState = false) {
    super(`no canonical form: ${why}`);
    this.isOfState = isOfState;
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
    throw new NoCanonicalForm('the ballots on the table are not those of the closed poll', true);
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
