/** The store of personas and leagues. A change happens in one step or not at all, and any number of processes may write. */
import type { Note } from '../../machines/types.ts';
import type { KeptJournal } from './journal.ts';
import type { MemoryChange, PersonaMemory, PersonaName } from './persona.ts';
import type { Career, GameResult, ResultAudit } from './result.ts';

/** `taken`: another pair of model and name spells the same id. */
export type EnrolOutcome = 'new' | 'known' | 'taken';

/** `stale`: the memory was changed meanwhile; `fenced`: another run leads the league. `version` is the one that is there now. */
export type TeachOutcome = {
  readonly type: 'taught' | 'stale' | 'fenced';
  readonly version: number;
};

/**
 * `duplicate`: the slot has this very result already; `conflict`: it has another one, and the first one stays;
 * `fenced`: another worker has claimed the game; `taken`: a persona in it has the id of another one.
 */
export type RecordOutcome = 'recorded' | 'duplicate' | 'conflict' | 'fenced' | 'taken';

/** `gap`: the journal does not have as many pieces as the writer believes. */
export type AppendOutcome = 'appended' | 'fenced' | 'gap';

export type Slot = { readonly league: string; readonly slot: number };

export type JournalPieces = { readonly pieces: number; readonly text: string };

/** The leading run of a league: it alone hands out games and writes lessons. */
export type LeagueLead = {
  /** A name that no other lead has, not even a later one of the same run. */
  readonly term: string;
  readonly runner: string;
};

/** Rights of a run while it leads the league. After a takeover it is fenced off. */
export type LeadFence = { readonly league: string; readonly term: string };

/** The journal of a game that is over. One that was dropped leaves its hash. */
export type JournalState = { readonly digest: string; readonly isKept: boolean };

export type Rebuilt = { readonly personas: number; readonly changed: number };

export type StoreHealth = {
  /** A description of the store: "Redis 7.0.15 at localhost:6379". */
  readonly what: string;
  /** Risks of losing acknowledged writes; empty if there are none. */
  readonly warnings: readonly Note[];
};

export type Store = {
  enrol(persona: PersonaName): Promise<EnrolOutcome>;
  /** Null for a persona that was never enrolled. */
  career(id: string): Promise<Career | null>;
  /** All ids, in the order of their characters. */
  personas(): Promise<readonly string[]>;
  /** The memory as it is, or as it was at a version; null where there is no such version any more. */
  memory(id: string, version?: number): Promise<PersonaMemory | null>;
  history(id: string): Promise<readonly PersonaMemory[]>;
  /** Changes a memory if it is still at the version that was seen, and if the fence, where there is one, still holds. */
  teach(
    id: string,
    seen: number,
    change: MemoryChange,
    fence?: LeadFence | null,
  ): Promise<TeachOutcome>;

  /* Which run leads a league, by the store's time: the server's clock, or the clock of the file's machine. */

  /** Takes the lead for `ms` milliseconds from now if it is free or held by this very term. Returns the current lead. */
  lead(league: string, lead: LeagueLead, ms: number): Promise<LeagueLead>;
  /** Keeps the lead for `ms` milliseconds from now, even if it has run out. False when another run holds it. */
  renewLead(fence: LeadFence, ms: number): Promise<boolean>;
  resignLead(fence: LeadFence): Promise<void>;
  leader(league: string): Promise<LeagueLead | null>;

  /* The journals of finished games: each came in one step with its result. */

  /** By slot, in no order. */
  journals(league: string): Promise<ReadonlyMap<number, JournalState>>;
  journal(slot: Slot): Promise<KeptJournal | null>;
  /** Removes the journals of a league, and keeps their hashes. */
  dropJournals(league: string): Promise<void>;

  /** Every league with a result or a settled matter, in the order of their characters. */
  leagues(): Promise<readonly string[]>;
  /** Settles a matter of a league if it is open; returns what holds. */
  settle(league: string, matter: string, value: string): Promise<string>;
  settled(league: string, matter: string): Promise<string | null>;
  /** Claims a game: a worker that has claimed it before can't write any more. The epoch counts from 1. */
  claim(slot: Slot): Promise<number>;
  /** Adds to the journal of a game; `at` is the number of pieces there, and 0 begins it anew. */
  append(slot: Slot, epoch: number, at: number, text: string): Promise<AppendOutcome>;
  pieces(slot: Slot): Promise<JournalPieces>;
  /** Stores a result with its journal, counts it for its personas, removes the pieces. Null `epoch`: not claimed. */
  record(
    result: GameResult,
    epoch: number | null,
    journal?: KeptJournal | null,
  ): Promise<RecordOutcome>;
  slots(league: string): Promise<readonly number[]>;
  /** Results in the order of their slots: all, or those from `least` up to `most`. Throws at a damaged one. */
  results(league: string, least?: number, most?: number): AsyncIterable<GameResult>;
  audit(league: string): Promise<ResultAudit>;
  /** Takes results out, damaged ones too, as if their games had not been played, and counts the others of the league. */
  discard(league: string, slots: readonly number[]): Promise<void>;

  /** Counts all careers anew from the results but those left out; returns how many there are and how many were wrong. */
  rebuild(isLeftOut?: (result: GameResult) => boolean): Promise<Rebuilt>;
  health(): Promise<StoreHealth>;
  close(): Promise<void>;
};
