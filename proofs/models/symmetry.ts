/**
 * Decides which seats of a table can be exchanged without any effect. Colours are only names, so two tables that differ
 * in colours are the same. Ballots form a graph where each node points at one seat or none: trees ending in a player
 * without a ballot or with a skip, and cycles with trees attached. Its canonical form costs little more than reading it
 * (trees by sorted branches, cycles by their least rotation), so the N! exchanges are never tried. Roles are not
 * exchanged. The order of seats and of revealing ballots is presentation: the table only keeps the number of revealed
 * ballots (ruling 25). The form also omits data without further effect: the call once it stands, faults and the clock
 * once the poll is closed, and departed players' faults. A bisimulation test checks that they have none.
 */
import type { MachinePoint } from 'glass-box-checker';
import type { MeetingSetup, Table } from '../../machines/rules/meeting.ts';
import {
  type Ballot,
  COLOURS,
  type Colour,
  type Role,
  type Standing,
} from '../../machines/types.ts';
import type { TickDraft } from './foldedTick.ts';
import { GraphForms } from './graphForms.ts';
import { rememberParts } from './rememberLast.ts';

/** Exactly the fields that the form reads. A new field could distinguish seats without changing the form. */
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
  'faulted',
  'remaining',
  'record',
  'ship',
  'world',
  'kills',
] as const satisfies readonly (keyof Table)[];

type MeetingPoint = MachinePoint<Table>;

export function seatSymmetry(setting: MeetingSetup) {
  const formOf = createTableForms(setting);
  return {
    name: 'players of the same role',
    orbit: (point: MeetingPoint, draft?: TickDraft): number => {
      // A draft is a table with some bids taken. It is checked again as a state after the tick.
      if (draft === undefined) refuseOthers(setting, point.context);
      return formOf(point, draft);
    },
  };
}

/** The canonical forms of one meeting's tables. Equal exactly if exchanging seats maps one to the other. */
function createTableForms({ seats }: MeetingSetup) {
  const graphs = new GraphForms();
  const situations = new Map<string, number>();
  const places = new Map<Ballot | undefined, number>(
    seats.map(({ colour }, place) => [colour, place]),
  );
  const labels = new Int32Array(seats.length);
  const targets = new Int32Array(seats.length);
  /** Cache of the last lookup. Drafts of one tick share their situation. */
  let last: { readonly point: MeetingPoint; readonly number: number } | null = null;
  const situationOf = (point: MeetingPoint): number => {
    if (last !== null && isSameSituation(last.point, point)) return last.number;
    const situation = describeSituation(point);
    const number = situations.get(situation) ?? situations.size;
    situations.set(situation, number);
    last = { point, number };
    return number;
  };
  const sharedOf = rememberParts(
    { standings: true, poll: true, ejected: true, faulted: true },
    (table: SharedTable) =>
      seats.map(({ colour, role }) => ({
        colour,
        isLiving: table.standings[colour] === 'living',
        code: codeOf(table, colour, role),
      })),
  );
  return (point: MeetingPoint, draft?: TickDraft): number => {
    const { context } = point;
    const { ballots, streaks, poll } = context;
    let [part, place] = [0, 0];
    for (const { colour, isLiving, code } of sharedOf(context)) {
      const mark = draft === undefined || !isLiving ? 0 : markOf(draft, part);
      if (isLiving) part += 1;
      const ballot = ballots[colour];
      const streak = isLiving && poll === null ? (streaks[colour] ?? 0) : 0;
      if (streak >= STREAKS) throw noForm(`${colour} has ${streak} faults in a row`);
      const vote = ballot === undefined ? 0 : ballot === 'skip' ? 1 : 2;
      labels[place] = ((code * STREAKS + streak) * 4 + vote) * 4 + mark;
      targets[place] = vote < 2 ? NOBODY : (places.get(ballot) ?? NOBODY);
      place += 1;
    }
    return graphs.of(labels, targets, situationOf(point));
  };
}

function describeSituation(point: MeetingPoint): string {
  const { place, context, timers, status, history, children } = point;
  const { poll, due, outcome, revealed, remaining } = context;
  const shared =
    poll === null ? `${due} ${outcome}` : `${poll.deserted} ${outcome} ${revealed} ${remaining}`;
  const running = timers.length === 0 ? '' : timers.map(({ id }) => id).join();
  return `${place.name} ${status} ${history} ${running} ${children.join()} ${shared}`;
}

/** Whether two points are certainly in the same situation, by cheap comparisons only. */
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
/** The limit of a streak in a label, above the greatest patience. */
const STREAKS = 128;

type SharedTable = Pick<Table, 'standings' | 'poll' | 'ejected' | 'faulted'>;

/** Everything about one seat that the drafts of a tick share, as an integer with mixed radix. */
function codeOf(
  { standings, poll, ejected, faulted }: SharedTable,
  seat: Colour,
  role: Role,
): number {
  let code = Number(role === 'impostor') * 4 + STANDINGS.indexOf(standings[seat]);
  code = code * 2 + Number(poll?.void.includes(seat) ?? false);
  code = code * 2 + Number(poll?.missed.includes(seat) ?? false);
  code = code * 2 + Number(ejected === seat);
  return code * 2 + Number(faulted.includes(seat));
}

/** A living player's part of the draft that the table does not show: nothing, a bid, or a departure. */
function markOf({ taken, kept }: TickDraft, part: number): number {
  if (kept[part] !== null) return 2;
  return (taken & (1 << part)) === 0 ? 0 : 1;
}

const NOBODY = -1;

/** For a table without a canonical form. A search reports it and goes on without symmetry. */
const noForm = (why: string) => new Error(`no canonical form: ${why}`);

/** Throws if the form would be incomplete, which would make a proof unsound. */
function refuseOthers(setting: MeetingSetup, table: Table): void {
  const { poll, ballots, seats, options } = table;
  if (
    Object.keys(table).length !== KNOWN_FIELDS.length ||
    KNOWN_FIELDS.some((field) => !(field in table))
  ) {
    throw noForm(
      `expected a table of ${KNOWN_FIELDS.join(', ')}, found ${Object.keys(table).join(', ')}`,
    );
  }
  if (seats !== setting.seats || options !== setting.options)
    throw noForm('seats or options have changed during the meeting');
  const counted = poll?.ballots ?? ballots;
  if (counted !== ballots && COLOURS.some((seat) => counted[seat] !== ballots[seat]))
    throw noForm('the ballots on the table differ from the closed poll');
}
