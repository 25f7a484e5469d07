/**
 * The public record: what every living player knows of the game so far (ruling 44).
 *
 * It is what the screen has told everybody, and nothing else: the impostors at the start, every earlier meeting, and who
 * is gone, how and when. On the ship it is as the last meeting left it; a meeting on its own has the record that its file
 * states.
 */
import {
  type BySeat,
  type Call,
  COLOURS,
  type Colour,
  type Outcome,
  type Place,
  type Role,
  type ShipMap,
  type Standing,
  type System,
} from '../types.ts';
import type { RevealedBallot } from './facts.ts';
import type { GameOptions } from './options.ts';

/** What everybody hears of a call. */
export type PublicCall = Pick<Call, 'by' | 'kind' | 'body' | 'place'>;

/** The result once it has been revealed; voters are null where votes are anonymous. */
export type AnnouncedResult = {
  readonly outcome: Outcome;
  readonly ejected: Colour | null;
  /** The role of the ejected, only where ejections are confirmed. */
  readonly role: Role | null;
  /** Impostors still living after it, only where ejections are confirmed. */
  readonly remaining: number | null;
  readonly ballots: readonly RevealedBallot[];
  /** What the screen says when the last ballot is turned; null where the meeting was stopped before. */
  readonly sentence: string | null;
};

/** An earlier meeting; the first one is number 1. */
export type MeetingRecord = {
  readonly call: PublicCall;
  /** Null where the meeting was stopped before a count. */
  readonly result: AnnouncedResult | null;
};

/**
 * A player who is out of the game. `killed` and `left` on the ship are known from the next meeting on, whose number it
 * is; `ejected`, and `left` at the table, are of the meeting of that number.
 */
export type PlayerLoss = {
  readonly who: Colour;
  readonly how: 'killed' | 'ejected' | 'left';
  readonly where: 'ship' | 'table';
  readonly meeting: number;
};

export type TaskBar = { readonly done: number; readonly all: number };

export type PublicRecord = {
  /** Impostors at the start; null where the options hide their number. */
  readonly impostors: number | null;
  /** In order; the meeting that is on is not among them. */
  readonly meetings: readonly MeetingRecord[];
  readonly losses: readonly PlayerLoss[];
  /** Task steps of the whole crew as a meeting shows them; null where the options or a sabotage hide them. */
  readonly bar: TaskBar | null;
};

export function startRecord(impostors: number | null): PublicRecord {
  return { impostors, meetings: [], losses: [], bar: null };
}

/** The number of the meeting that is on or comes next, from 1. */
export function meetingNumber({ meetings }: Pick<PublicRecord, 'meetings'>): number {
  return meetings.length + 1;
}

/** Impostors that are left as far as the screen has told; null where it has not. */
export function impostorsRemaining({ impostors, meetings }: PublicRecord): number | null {
  const told = meetings.findLast(({ result }) => result !== null && result.remaining !== null);
  return told?.result?.remaining ?? (areAllConfirmed(meetings) ? impostors : null);
}

/** Whether no ejection has left the number of impostors open. */
function areAllConfirmed(meetings: readonly MeetingRecord[]): boolean {
  return meetings.every(
    ({ result }) => result === null || result.ejected === null || result.role !== null,
  );
}

/** Who is out of the game as a meeting is called, and whose bodies lay on the ship until now. */
export type MissingPlayers = {
  readonly standings: BySeat<Standing>;
  readonly fallen: readonly Colour[];
};

/** The record as a meeting is called: everybody sees who is missing. A ghost that has left was killed all the same. */
export function recordCall(
  record: PublicRecord,
  { standings, fallen }: MissingPlayers,
  bar: TaskBar | null,
): PublicRecord {
  const meeting = meetingNumber(record);
  const losses = newLosses(record, standings).map(
    (who): PlayerLoss => ({
      who,
      how: standings[who] === 'dead' || fallen.includes(who) ? 'killed' : 'left',
      where: 'ship',
      meeting,
    }),
  );
  return { ...record, bar, losses: [...record.losses, ...losses] };
}

/** The record after a meeting. */
export function recordMeeting(
  record: PublicRecord,
  standings: BySeat<Standing>,
  held: MeetingRecord,
): PublicRecord {
  const meeting = meetingNumber(record);
  const losses = newLosses(record, standings).map(
    (who): PlayerLoss => ({
      who,
      how: who === held.result?.ejected ? 'ejected' : 'left',
      where: 'table',
      meeting,
    }),
  );
  return {
    ...record,
    meetings: [...record.meetings, held],
    losses: [...record.losses, ...losses],
  };
}

/** Who is out of the game and was not before. */
function newLosses({ losses }: PublicRecord, standings: BySeat<Standing>): readonly Colour[] {
  return COLOURS.filter((seat) => {
    const standing = standings[seat];
    if (standing === undefined || standing === 'living') return false;
    return losses.every(({ who }) => who !== seat);
  });
}

/*
 * What a player knows alone (ruling 45): what they did, and how they voted, in the whole game.
 */

/** Something that a player did on the ship. */
export type OwnDeed =
  | { readonly type: 'kill'; readonly victim: Colour; readonly place: string }
  | { readonly type: 'vent'; readonly how: 'in' | 'through' | 'out'; readonly place: string }
  | { readonly type: 'sabotage'; readonly system: string }
  | { readonly type: 'shut'; readonly room: string }
  | { readonly type: 'fix'; readonly system: string }
  /** `done`: the whole task is; otherwise a step of it. */
  | {
      readonly type: 'task';
      readonly task: string;
      readonly place: string;
      readonly done: boolean;
    };

/** A deed of an earlier stretch, so many seconds before the meeting of that number. */
export type PastDeed = OwnDeed & { readonly meeting: number; readonly ago: number };

export type PastVote = {
  readonly meeting: number;
  /** Null for a vote that was missed. */
  readonly ballot: Colour | 'skip' | null;
};

export type OwnPast = { readonly deeds: readonly PastDeed[]; readonly votes: readonly PastVote[] };

export const NO_PAST: OwnPast = { deeds: [], votes: [] };

/*
 * What ghosts know beyond that (ruling 46), and the ship that everybody knows.
 */

/** What a player did on the ship and no living player may know of another. */
export type SecretDeed =
  | { readonly type: 'kill'; readonly by: Colour; readonly victim: Colour; readonly place: Place }
  | {
      readonly type: 'vent';
      readonly by: Colour;
      readonly how: 'in' | 'out';
      readonly place: Place;
    }
  | { readonly type: 'sabotage'; readonly by: Colour; readonly system: System };

/** A secret deed, so many seconds before the meeting of that number. */
export type DatedDeed = SecretDeed & { readonly meeting: number; readonly ago: number };

export type WorldTruth = {
  /** Where the living stood when the meeting was called. */
  readonly places: BySeat<Place>;
  /** Task steps of each player who has tasks of their own. */
  readonly tasks: BySeat<{ readonly done: number; readonly of: number }>;
  /** Kills of the whole game; vents and sabotages since the meeting before. */
  readonly deeds: readonly DatedDeed[];
};

/** What everybody knows of the ship, before the game and all through it. */
export type KnownShip = { readonly map: ShipMap; readonly options: GameOptions };
