/** The rows of one journal, as the report counts them: who sits where, and what the tables say of the game. */
import type { CellValue, TableName, TableRow } from '../tables/columns.ts';

/** A player of a game, with all that figures are counted by. */
export type ReportedSeat = {
  readonly seat: string;
  /** `model_persona`, as leagues name it. */
  readonly who: string;
  /** The model; for any other mind its kind. */
  readonly label: string;
  readonly role: string;
  readonly fate: string;
  readonly fateRound: number | null;
  readonly fateMeeting: number | null;
  readonly won: boolean | null;
};

/** A meeting, as far as figures need it. */
export type ReportedMeeting = {
  readonly meeting: number;
  readonly round: number;
  readonly outcome: string | null;
  readonly ejected: string | null;
};

/** A mind that a header does not name is a script. */
const DEFAULT_MIND = 'scripted';

export class GameRows {
  readonly #rows: ReadonlyMap<TableName, readonly TableRow[]>;
  readonly seats: readonly ReportedSeat[];
  readonly meetings: readonly ReportedMeeting[];
  readonly seed: number;
  /** Players in the game. */
  readonly size: number;
  readonly impostors: number;
  readonly kind: string | null;
  readonly winner: string | null;
  readonly reason: string | null;
  readonly #bySeat: ReadonlyMap<string, ReportedSeat>;

  constructor(rows: ReadonlyMap<TableName, readonly TableRow[]>) {
    this.#rows = rows;
    const game = rows.get('games')?.[0] ?? {};
    this.seed = numberIn(game, 'seed') ?? 0;
    this.size = numberIn(game, 'players') ?? 0;
    this.impostors = numberIn(game, 'impostors') ?? 0;
    this.kind = textIn(game, 'kind');
    this.winner = textIn(game, 'winner');
    this.reason = textIn(game, 'reason');
    this.seats = this.of('seats').map(readSeat);
    this.#bySeat = new Map(this.seats.map((one) => [one.seat, one]));
    this.meetings = this.of('meetings').map((row) => ({
      meeting: numberIn(row, 'meeting') ?? 0,
      round: numberIn(row, 'round') ?? 0,
      outcome: textIn(row, 'outcome'),
      ejected: textIn(row, 'ejected'),
    }));
  }

  of(table: TableName): readonly TableRow[] {
    return this.#rows.get(table) ?? [];
  }

  /** The player whom a column names; null for nobody, `skip` or `system`. */
  seatIn(row: TableRow, column: string): ReportedSeat | null {
    return this.#bySeat.get(textIn(row, column) ?? '') ?? null;
  }

  meetingOf(row: TableRow): ReportedMeeting | null {
    const meeting = numberIn(row, 'meeting');
    return this.meetings.find((one) => one.meeting === meeting) ?? null;
  }
}

function readSeat(row: TableRow): ReportedSeat {
  const seat = textIn(row, 'seat') ?? '';
  const label = textIn(row, 'model') ?? textIn(row, 'mind') ?? DEFAULT_MIND;
  return {
    seat,
    who: `${label}_${textIn(row, 'persona') ?? seat}`,
    label,
    role: textIn(row, 'role') ?? '',
    fate: textIn(row, 'fate') ?? '',
    fateRound: numberIn(row, 'fate_round'),
    fateMeeting: numberIn(row, 'fate_meeting'),
    won: flagIn(row, 'won'),
  };
}

/** Whether a player was alive as a meeting was called. `was_alive` in SQL is the same. */
export function wasAlive(
  { fate, fateRound, fateMeeting }: ReportedSeat,
  { meeting, round }: ReportedMeeting,
): boolean {
  if (fate === 'alive') return true;
  if (fateMeeting !== null) return fateMeeting >= meeting;
  return fateRound !== null && fateRound >= round;
}

const cellIn = (row: TableRow, column: string): CellValue => row[column] ?? null;

export function textIn(row: TableRow, column: string): string | null {
  const cell = cellIn(row, column);
  return typeof cell === 'string' ? cell : null;
}

export function numberIn(row: TableRow, column: string): number | null {
  const cell = cellIn(row, column);
  return typeof cell === 'number' ? cell : null;
}

export function flagIn(row: TableRow, column: string): boolean | null {
  const cell = cellIn(row, column);
  return typeof cell === 'boolean' ? cell : null;
}
