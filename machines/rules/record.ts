/** The public record: what the screen has shown of the game so far (ruling 44). It changes only at meetings. */
import {
  type BySeat,
  type ByType,
  type Call,
  COLOURS,
  type Colour,
  type Outcome,
  type Place,
  type Role,
  type Room,
  type ShipMap,
  type Sighting,
  type Standing,
  type System,
} from '../types.ts';
import type { RevealedBallot } from './facts.ts';
import type { GameOptions } from './options.ts';

export type PublicCall = Pick<Call, 'by' | 'kind' | 'body' | 'place'>;

/** The revealed result. Voters are null if votes are anonymous. */
export type AnnouncedResult = {
  readonly outcome: Outcome;
  readonly ejected: Colour | null;
  /** Null unless ejections are confirmed. */
  readonly role: Role | null;
  /** Impostors left after the ejection. Null unless ejections are confirmed. */
  readonly remaining: number | null;
  readonly ballots: readonly RevealedBallot[];
  /** The sentence after the last ballot. Null if the meeting was stopped before. */
  readonly sentence: string | null;
};

export type MeetingRecord = {
  readonly call: PublicCall;
  /** Null if the meeting was stopped before a count. */
  readonly result: AnnouncedResult | null;
};

/** `meeting` is the number of the meeting that made the loss known: for a loss on the ship the next one. */
export type PlayerLoss = {
  readonly who: Colour;
  readonly how: 'killed' | 'ejected' | 'left';
  readonly where: 'ship' | 'table';
  readonly meeting: number;
};

export type TaskBar = { readonly done: number; readonly all: number };

export type PublicRecord = {
  /** Impostors at the start. Null if the options hide it. */
  readonly impostors: number | null;
  /** Earlier meetings in order, without the current one. */
  readonly meetings: readonly MeetingRecord[];
  readonly losses: readonly PlayerLoss[];
  /** Task steps of the whole crew at the last meeting. Null if the options or a sabotage hide them. */
  readonly bar: TaskBar | null;
};

export function startRecord(impostors: number | null): PublicRecord {
  return { impostors, meetings: [], losses: [], bar: null };
}

/** The number of the current or next meeting, from 1. */
export function meetingNumber({ meetings }: Pick<PublicRecord, 'meetings'>): number {
  return meetings.length + 1;
}

/** Impostors left according to the screen. Null if it has not said. */
export function impostorsRemaining({ impostors, meetings }: PublicRecord): number | null {
  const told = meetings.findLast(({ result }) => result !== null && result.remaining !== null);
  return told?.result?.remaining ?? (areAllConfirmed(meetings) ? impostors : null);
}

function areAllConfirmed(meetings: readonly MeetingRecord[]): boolean {
  return meetings.every(
    ({ result }) => result === null || result.ejected === null || result.role !== null,
  );
}

type MissingPlayers = {
  readonly standings: BySeat<Standing>;
  readonly fallen: readonly Colour[];
};

/** A call shows everybody who is missing. A killed player whose ghost left counts as killed. */
export function recordCall(
  record: PublicRecord,
  { standings, fallen }: MissingPlayers,
  bar: TaskBar | null,
): PublicRecord {
  const how = (who: Colour) =>
    standings[who] === 'dead' || fallen.includes(who) ? 'killed' : 'left';
  return { ...record, bar, losses: addLosses(record, standings, 'ship', how) };
}

export function recordMeeting(
  record: PublicRecord,
  standings: BySeat<Standing>,
  held: MeetingRecord,
): PublicRecord {
  const how = (who: Colour) => (who === held.result?.ejected ? 'ejected' : 'left');
  const losses = addLosses(record, standings, 'table', how);
  return { ...record, meetings: [...record.meetings, held], losses };
}

function addLosses(
  record: PublicRecord,
  standings: BySeat<Standing>,
  where: PlayerLoss['where'],
  howLost: (who: Colour) => PlayerLoss['how'],
): readonly PlayerLoss[] {
  const meeting = meetingNumber(record);
  const gone = COLOURS.filter((seat) => {
    const standing = standings[seat];
    if (standing === undefined || standing === 'living') return false;
    return record.losses.every(({ who }) => who !== seat);
  });
  return [...record.losses, ...gone.map((who) => ({ who, how: howLost(who), where, meeting }))];
}

/** An event of a round that everybody hears of. */
export type HeardEvent = {
  readonly type: string;
  readonly system?: System;
  readonly room?: Room;
  readonly seat?: Colour;
};

/** A round as one player lived it. Empty parts are left out. */
export type LivedRound = {
  readonly round: number;
  readonly sights: readonly Pick<Sighting, 'who' | 'place' | 'did'>[];
  /** The places that the player entered, in order. */
  readonly path?: readonly Place[];
  readonly intent?: {
    readonly type: string;
    readonly whom?: Colour | undefined;
    readonly what?: string;
  };
  readonly heard?: readonly HeardEvent[];
};

/* What only the player knows (ruling 45): their own deeds, votes and sightings in the whole game. */

export type Crime = ByType<{
  kill: { victim: Colour; place: Place };
  vent: { how: 'in' | 'through' | 'out'; place: Place };
  sabotage: { system: System };
  shut: { room: Room };
}>;

export type OwnDeed =
  | Crime
  /** `done`: the whole task is done. Otherwise one step of it. */
  | ByType<{
      fix: { system: System };
      task: { task: string; place: string; done: boolean };
    }>;

/** A deed before that meeting, in seconds before its call. */
export type PastDeed = OwnDeed & { readonly meeting: number; readonly ago: number };

export type PastVote = {
  readonly meeting: number;
  /** Null for a missed vote. */
  readonly ballot: Colour | 'skip' | null;
};

/** In seconds before the call of that meeting. */
export type PastSighting = Sighting & { readonly meeting: number };

export type OwnPast = {
  readonly deeds: readonly PastDeed[];
  readonly votes: readonly PastVote[];
  /** Before the current meeting, oldest first. Those of the last stretch are in the brief or in the memory. */
  readonly sightings: readonly PastSighting[];
  /** The number of sightings that are left out (ruling 58). */
  readonly forgotten: number;
};

export const NO_PAST: OwnPast = { deeds: [], votes: [], sightings: [], forgotten: 0 };

/* What ghosts know (ruling 46), and the public facts of the ship. */

/** A deed that no other living player may know of. `fake` is the first round of a faked step. */
export type SecretDeed = { readonly by: Colour } & (
  | Crime
  | { readonly type: 'fake'; readonly place: Place }
);

/** In seconds before that meeting or, since the last one, before now; and by the clock of the game. */
export type DatedDeed = SecretDeed & {
  readonly meeting: number;
  readonly ago: number;
  readonly at: number;
};

export type DatedKill = DatedDeed & { readonly type: 'kill' };

/** The ship at the call of a meeting, or now. */
export type WorldTruth = {
  readonly places: BySeat<Place>;
  /** Task steps of each player with real tasks. */
  readonly tasks: BySeat<{ readonly done: number; readonly of: number }>;
  /** Of the living impostors: seconds until they can kill, and whether they are in a vent or fake a task. */
  readonly impostors: BySeat<{
    readonly wait: number;
    readonly hidden: boolean;
    readonly faking: boolean;
  }>;
  readonly crisis: { readonly system: System; readonly seconds: number | null } | null;
  /** Seconds until a sabotage is possible. */
  readonly sabotageWait: number;
  readonly shut: readonly Room[];
  /** Of the whole game, in order. */
  readonly deeds: readonly DatedDeed[];
};

export type KnownShip = { readonly map: ShipMap; readonly options: GameOptions };
