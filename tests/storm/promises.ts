/**
 * The promises of a league, judged while a storm goes on and when it is over. Each has a name and a sentence; a broken one
 * ends the storm.
 */

import { JournalLost } from '../../actors/league/journals.ts';
import { GamePaused } from '../../actors/league/worker.ts';
import { encodeResult, type GameResult } from '../../actors/stores/result.ts';
import type { LeagueLead, RecordOutcome, Slot, TeachOutcome } from '../../actors/stores/store.ts';
import { isOfStore } from '../../actors/stores/store.ts';
import { type AskedTeaching, StoreAccount } from './account.ts';
import type { Timeline } from './timeline.ts';
import type { Trace } from './trace.ts';

export const PROMISES = {
  'one-result': 'each slot of the schedule has exactly one result',
  'counted-once': 'each result is counted once: careers are what the results add up to',
  'as-in-quiet': 'a league of offline minds is the same as in a quiet run, to the byte',
  acknowledged: 'no result is lost, or changed, that was acknowledged',
  journals: 'every journal verifies, and is the one that its result names',
  files: 'every journal is in the folder of the last run, and nothing is left beside them',
  'paid-once': 'no answer is paid twice that was written down',
  'one-question': 'an answer of a model is given to one question only',
  secrets: 'no secret of a mind is in a request for another one',
  budget: 'a budget is never overdrawn by more than what is declared',
  'old-epoch': 'a worker whose game another one has claimed writes nothing',
  'new-epoch': 'every claim of a game has a higher epoch than those before it',
  'in-order': 'a journal in the store is what its worker has sent, piece by piece',
  settled: 'what is settled in the store stays as it was settled first',
  'taught-once':
    'a memory goes from version to version, and passes no barrier twice or without its name',
  'one-lead': 'two runs never hold the lead of a league at once',
  'lost-lead':
    'a run that knows that it has lost the lead hands out and takes back no games, and one without it plays and teaches nothing',
  'lead-freed':
    'a run that ends by itself leaves the lead to others, unless the store refuses that',
  ends: 'when faults have stopped, everything ends',
  'own-folder': 'two runs never write in one folder of journals at once',
  'no-crash': 'no process ends by a failure that it does not name',
  memory: 'what waits is bounded, and nothing waits when all is over',
} as const;
export type PromiseName = keyof typeof PROMISES;

/** A promise that was broken: which one, when, and how. */
export type Breach = { readonly promise: PromiseName; readonly ms: number; readonly text: string };

/** A process, as far as promises are concerned. */
type PromisedProcess = {
  readonly name: string;
  readonly folder: string;
  readonly isAlive: boolean;
};

export type PromiseGround = {
  readonly timeline: Timeline;
  readonly trace: Trace;
  readonly isLocal: boolean;
  /** The time of the leases of the store. */
  readonly leaseNow: () => number;
  /** How the paths of open journals end, by slot. */
  readonly openJournals: readonly string[];
  /** Requests that may be paid; null for no limit. */
  readonly mostPaid: number | null;
  /** Of a game: so many requests may be on their way when a disk fails. */
  readonly players: number;
};

/** A question to a model, and what became of it. */
type AskedOnce = {
  /** Unique words of the answer. */
  readonly token: string;
  readonly process: PromisedProcess;
  /** The process has written it to an open journal: as a reply, and as an answer, which fits the question. */
  isWritten: boolean;
  isKept: boolean;
};

type GameClaim = {
  /** Null where the process has had it before. */
  readonly epoch: number | null;
  readonly epochs: ReadonlySet<number>;
  /** The process knows that another one has the game. */
  isRefused: boolean;
};

export class Promises {
  readonly #ground: PromiseGround;
  breach: Breach | null = null;
  /** What the store was told, which its answers are compared with. */
  readonly account = new StoreAccount((promise, text) => this.broken(promise, text));
  /** Writes that failed: each may hide requests of one moment. Where a sync has failed, nobody knows what was written. */
  #diskFailures = 0;
  /** Results that were acknowledged, by slot. */
  readonly #acknowledged = new Map<number, string>();
  readonly #epochs = new Map<number, number>();
  #lead: { term: string; until: number } | null = null;
  /** Processes that hold a lead, or know that they have lost it. */
  readonly #leads = new Map<PromisedProcess, { term: string; isLost: boolean }>();
  /** Processes that were given a lead at some time, whatever a server has forgotten since. */
  readonly #haveLed = new Set<PromisedProcess>();
  /** What a process has claimed last, by slot. */
  readonly #claims = new Map<PromisedProcess, Map<number, GameClaim>>();
  /** Of a league on one machine: which run has written last in a folder, and since when one can't write which open journals. */
  readonly #writers = new Map<string, PromisedProcess>();
  readonly #unwritten = new Map<PromisedProcess, Map<number, number>>();
  /** Answers by question, and what a process was given of an earlier attempt, by slot. */
  readonly #answers = new Map<string, AskedOnce[]>();
  readonly #pasts = new Map<PromisedProcess, Map<number, string>>();
  readonly #answersByToken = new Map<string, AskedOnce>();
  /** Tokens of replies that did not fit, and are no answers. The call that got one may be noted only later. */
  readonly #misfits = new Set<string>();

  constructor(ground: PromiseGround) {
    this.#ground = ground;
  }

  /** The first breach is kept: others may follow from it. */
  broken(promise: PromiseName, text: string): void {
    if (this.breach !== null) return;
    this.breach = { promise, ms: this.#ground.timeline.now, text };
    this.#ground.trace.note('promises', `${promise} is broken: ${text}`);
  }

  /** A server has lost what it acknowledged: what was known of it is what it knows now. */
  forgetServer(): void {
    this.#acknowledged.clear();
    this.#epochs.clear();
    this.#lead = null;
    this.#leads.clear();
    this.account.forget();
  }

  noteClaim(process: PromisedProcess, game: Slot, epoch: number): void {
    const { slot } = game;
    const mine = this.#claims.get(process) ?? new Map<number, GameClaim>();
    const before = mine.get(slot);
    const epochs = new Set(before?.epochs).add(epoch);
    // A server that has forgotten may grant an epoch again: then a refusal does not say which attempt it is for.
    const isOnly = before?.epochs.has(epoch) !== true;
    this.#claims.set(
      process,
      mine.set(slot, { epoch: isOnly ? epoch : null, epochs, isRefused: false }),
    );
    this.account.noteClaim(game, epoch);
    this.#epochs.set(slot, Math.max(epoch, this.#epochs.get(slot) ?? 0));
  }

  /** A worker knows that the store takes no more of a journal of it. */
  noteRefused(process: PromisedProcess, slot: number, epoch: number): void {
    const claim = this.#claims.get(process)?.get(slot);
    if (claim?.epoch === epoch) claim.isRefused = true;
  }

  noteRecord(
    process: PromisedProcess,
    { slot }: GameResult,
    epoch: number | null,
    outcome: RecordOutcome,
  ): void {
    if (this.#ground.isLocal && !this.#haveLed.has(process))
      this.broken(
        'lost-lead',
        `${process.name} records slot ${slot}, and was never given the lead`,
      );
    const last = this.#epochs.get(slot) ?? 0;
    if (outcome === 'recorded' && epoch !== null && epoch < last)
      this.broken(
        'old-epoch',
        `slot ${slot}: epoch ${epoch} has recorded after epoch ${last} began`,
      );
    if (outcome === 'recorded' && epoch === null && !this.#ground.isLocal)
      this.broken('old-epoch', `slot ${slot} is recorded by a worker that names no claim`);
    if (outcome === 'recorded' && this.#acknowledged.has(slot))
      this.broken('counted-once', `slot ${slot} was recorded a second time`);
    if (outcome === 'recorded') this.account.noteRecorded(slot);
  }

  noteAcknowledged(result: GameResult): void {
    this.#acknowledged.set(result.slot, encodeResult(result).body);
  }

  noteLead(
    process: PromisedProcess,
    {
      asked,
      there,
      ms,
    }: { readonly asked: LeagueLead; readonly there: LeagueLead; readonly ms: number },
  ): void {
    if (there.term !== asked.term) return;
    const now = this.#ground.leaseNow();
    const held = this.#lead;
    if (held !== null && held.term !== asked.term && held.until > now)
      this.broken('one-lead', `${process.name} was given the lead that ${held.term} holds`);
    this.#lead = { term: asked.term, until: this.#ground.leaseNow() + ms };
  }

  noteRenewal(term: string, isHeld: boolean, ms: number): void {
    if (isHeld) this.#lead = { term, until: this.#ground.leaseNow() + ms };
  }

  noteResigned(process: PromisedProcess, term: string): void {
    for (const [other, lead] of this.#leads) {
      if (other !== process && other.isAlive && lead.term === term && !lead.isLost)
        this.broken('one-lead', `${process.name} ends the lead of ${other.name}, which is there`);
    }
    if (this.#lead?.term === term) this.#lead = null;
  }

  /** The clock of leases has jumped. */
  shiftLeases(): void {
    this.#lead = null;
  }

  noteLeads(process: PromisedProcess, term: string): void {
    this.#haveLed.add(process);
    this.#leads.set(process, { term, isLost: false });
  }

  noteLost(process: PromisedProcess, term: string): void {
    const lead = this.#leads.get(process);
    if (lead?.term === term) lead.isLost = true;
  }

  /** A process has ended by itself. */
  noteEnded(process: PromisedProcess): void {
    const lead = this.#leads.get(process);
    if (lead !== undefined && !lead.isLost && this.#lead?.term === lead.term)
      this.broken('lead-freed', `${process.name} has ended, and holds the lead`);
  }

  /** The store has refused to let go of a lead. */
  noteKept(process: PromisedProcess): void {
    this.#leads.delete(process);
  }

  notePut(process: PromisedProcess): void {
    if (process.isAlive && !this.#haveLed.has(process))
      this.broken('lost-lead', `${process.name} hands out games, and was never given the lead`);
    if (process.isAlive && this.#leads.get(process)?.isLost === true)
      this.broken('lost-lead', `${process.name} hands out games, and knows that another run leads`);
  }

  noteWithdraw(process: PromisedProcess): void {
    if (process.isAlive && this.#leads.get(process)?.isLost === true)
      this.broken(
        'lost-lead',
        `${process.name} takes games back, and knows that another run leads`,
      );
  }

  noteTeach(process: PromisedProcess, asked: AskedTeaching, outcome: TeachOutcome): void {
    this.account.noteTeach(asked, outcome);
    const { fence } = asked;
    if (outcome.type !== 'taught' || fence === null) return;
    const held = this.#lead;
    if (held !== null && held.term !== fence.term)
      this.broken('lost-lead', `${process.name} has taught while ${held.term} leads`);
  }

  /** A game has failed, or a process has ended by an error: nothing but what it may end by. */
  noteFailure(process: PromisedProcess, error: unknown): void {
    if (isOfStore(error) || error instanceof JournalLost) return;
    if (error instanceof GamePaused) return;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (EXPECTED.some((words) => text.includes(words))) return;
    this.broken('no-crash', `${process.name}: ${text}`);
  }

  /** What a process was given of an earlier attempt at a game. */
  notePast(process: PromisedProcess, slot: number, text: string): void {
    this.#noteMisfits(text);
    const mine = this.#pasts.get(process) ?? new Map<number, string>();
    this.#pasts.set(process, mine.set(slot, pickAnswers(text)));
  }

  noteRead(process: PromisedProcess, path: string, text: string): void {
    const slot = this.#findSlot(path);
    if (slot >= 0) this.notePast(process, slot, text);
  }

  /** A process has written to a file. */
  noteWritten(path: string, text: string): void {
    if (this.#findSlot(path) < 0) return;
    this.#noteMisfits(text);
    for (const [token] of text.matchAll(TOKEN)) {
      const answer = this.#answersByToken.get(token);
      if (answer !== undefined) answer.isWritten = true;
    }
    for (const [token] of pickAnswers(text).matchAll(TOKEN)) {
      const answer = this.#answersByToken.get(token);
      if (answer !== undefined) answer.isKept = true;
    }
  }

  noteJoined(process: PromisedProcess, path: string): void {
    if (this.#findSlot(path) >= 0)
      this.broken('journals', `${process.name} writes behind a torn line of ${path}`);
  }

  /** How many whole answers of models were refused, as no move or vote that fits. */
  get misfits(): number {
    return this.#misfits.size;
  }

  #noteMisfits(text: string): void {
    for (const line of text.split('\n').filter(isCall))
      for (const [token] of line.matchAll(TOKEN)) this.#misfits.add(token);
  }

  /** The slot of an open journal; -1 for another file. */
  #findSlot(path: string): number {
    return this.#ground.openJournals.findIndex((name) => path.endsWith(name));
  }

  /** A process is about to write to a disk; `isFailing`: that can't be done, and it hears of it. */
  noteWrite(process: PromisedProcess, path: string, isFailing: boolean): void {
    if (!this.#ground.isLocal) return;
    const folder = path.slice(0, path.lastIndexOf('/'));
    const other = this.#writers.get(folder);
    if (other !== undefined && other !== process && other.isAlive)
      this.broken('own-folder', `${process.name} writes ${path} while ${other.name} is there`);
    this.#writers.set(folder, process);
    if (!isFailing) return;
    const slot = this.#findSlot(path);
    const mine = this.#unwritten.get(process) ?? new Map<number, number>();
    if (slot >= 0 && !mine.has(slot))
      this.#unwritten.set(process, mine.set(slot, this.#ground.timeline.now));
  }

  /** A model is asked; `seat` names the game and the seat. */
  noteAsked(process: PromisedProcess, question: string, seat: string, slot: number): void {
    const unwrittenMs = this.#unwritten.get(process)?.get(slot) ?? Number.POSITIVE_INFINITY;
    if (unwrittenMs < this.#ground.timeline.now)
      this.broken('paid-once', `${process.name} asks for ${seat}, and can't write down the answer`);
    if (this.#claims.get(process)?.get(slot)?.isRefused === true)
      this.broken('old-epoch', `${process.name} asks for ${seat}, and knows that it has lost it`);
    const past = this.#pasts.get(process)?.get(slot) ?? '';
    for (const { token, isKept, process: other } of this.#answers.get(question) ?? []) {
      const isWritten = past.includes(token) && !this.#misfits.has(token);
      // What is written in a folder of its own is there when the run goes on.
      const isOwed =
        isKept &&
        this.#ground.isLocal &&
        this.#diskFailures === 0 &&
        other !== process &&
        other.folder === process.folder;
      if (isWritten || isOwed)
        this.broken(
          'paid-once',
          `${process.name} asks for ${seat} what was answered and ${isWritten ? 'read' : 'written'} before (${token})`,
        );
    }
  }

  noteAnswered(
    process: PromisedProcess,
    { question, token }: { readonly question: string; readonly token: string },
  ): void {
    const answer = { token, process, isWritten: false, isKept: false };
    this.#answers.set(question, [...(this.#answers.get(question) ?? []), answer]);
    this.#answersByToken.set(token, answer);
  }

  /** A process has gone on with a reply. In a folder of its own it has written it down. */
  noteHeard(token: string): void {
    const { isLocal } = this.#ground;
    if (isLocal && this.#diskFailures === 0 && this.#answersByToken.get(token)?.isWritten === false)
      this.broken('paid-once', `${token} was answered, and is not written down`);
  }

  /** So many requests are paid by now. */
  notePaid(paid: number): void {
    const { mostPaid } = this.#ground;
    if (mostPaid !== null && paid > mostPaid + this.#diskFailures * this.#ground.players)
      this.broken('budget', `${paid} requests are paid, and ${mostPaid} may be`);
  }

  /** A disk has failed: what was written to it need not be there. */
  noteDiskFailed(what: 'write' | 'sync'): void {
    this.#diskFailures += what === 'sync' ? Number.POSITIVE_INFINITY : 1;
  }

  get acknowledged(): ReadonlyMap<number, string> {
    return this.#acknowledged;
  }
}

/** The words that a model puts into each answer, which no other answer has. */
export const TOKEN = /token-\d+\./g;

/**
 * What can be read of answers: half of a line can't, nor what comes after bytes that a disk has lost; and a reply that did
 * not fit is none.
 */
function pickAnswers(text: string): string {
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  const damaged = lines.findIndex((line) => line.includes('\0'));
  const whole = damaged < 0 ? lines : lines.slice(0, damaged);
  return whole.filter((line) => !isCall(line)).join('\n');
}

/** A call without an answer: its reply did not fit. */
function isCall(line: string): boolean {
  return line.startsWith('{"ahead":"call"');
}

/** What a game says that lost its thread, and what a run says whose league is played by another one. */
const EXPECTED = ['the thread that played it ended'];
