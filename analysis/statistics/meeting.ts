/** The statistics of one meeting on its own, read off its journal: who said how much, who voted how, and their accounts. */
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import { COLOURS, type Colour, type Outcome, type Role, SYSTEM } from '../../machines/types.ts';
import { type Account, newAccount } from './account.ts';
import { accountsOf, asTold, type Pricing } from './roll.ts';

export type SeatStats = {
  readonly seat: Colour;
  readonly role: Role;
  readonly persona: string;
  /** Messages that won the floor. */
  messages: number;
  votes: { impostor: number; crewmate: number; skip: number; missed: number };
  faults: number;
  account: Account;
};

export type SingleMeeting = {
  readonly seed: number;
  readonly outcome: Outcome;
  readonly ejected: Colour | null;
  readonly ejectedRole: Role | null;
  readonly ticks: number;
  readonly messages: number;
  /** Those who were alive when it began. */
  readonly players: readonly SeatStats[];
};

/** The statistics of a journal; null when it is not of a whole meeting from its beginning to its end. */
export function meetingStats(
  lines: readonly Line[],
  pricing: Pricing = asTold,
): SingleMeeting | null {
  const [opened] = lines;
  const closed = lines.findLast((line) => line.type === 'meeting.closed');
  if (opened?.type !== 'journal.opened' || closed === undefined) return null;
  const seats = opened.scenario.seats.filter(({ dead }) => !dead).map(newSeat);
  const players = new Map(seats.map((seat) => [seat.seat, seat]));
  for (const line of lines) read(line, players);
  for (const [seat, account] of accountsOf(lines, seats, pricing)) {
    const player = players.get(seat);
    if (player !== undefined) player.account = account;
  }
  const { outcome, ejected } = closed;
  return {
    seed: opened.seed,
    outcome,
    ejected,
    ejectedRole: ejected === null ? null : (players.get(ejected)?.role ?? null),
    ticks: lines.filter((line) => line.type === 'tick.closed').length,
    messages: seats.reduce((sum, { messages }) => sum + messages, 0),
    players: COLOURS.flatMap((colour) => players.get(colour) ?? []),
  };
}

type Opened = LineOf<'journal.opened'>;

function newSeat({ colour, role, persona }: Opened['scenario']['seats'][number]): SeatStats {
  return {
    seat: colour,
    role,
    persona: typeof persona === 'string' ? persona : (persona?.name ?? ''),
    messages: 0,
    votes: { impostor: 0, crewmate: 0, skip: 0, missed: 0 },
    faults: 0,
    account: newAccount(),
  };
}

function read(line: Line, players: ReadonlyMap<Colour, SeatStats>): void {
  const change = (seat: Colour, act: (player: SeatStats) => void) => {
    const player = players.get(seat);
    if (player !== undefined) act(player);
  };
  switch (line.type) {
    case 'tick.closed': {
      for (const { seat, fault } of line.bids) {
        if (fault !== undefined) change(seat, (player) => void player.faults++);
      }
      const { said } = line;
      if (said === null || said.speaker === SYSTEM || said.message === '') break;
      change(said.speaker, (player) => void player.messages++);
      break;
    }
    case 'ballot.turned': {
      const { ballot } = line;
      const kind = ballot === 'skip' ? 'skip' : (players.get(ballot)?.role ?? 'crewmate');
      change(line.by, ({ votes }) => void votes[kind]++);
      break;
    }
    case 'poll.closed':
      for (const seat of line.missed) change(seat, ({ votes }) => void votes.missed++);
      break;
    default:
  }
}
