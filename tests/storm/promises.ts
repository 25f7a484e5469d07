/** The promises of a league, judged during a storm and at its end. The first broken promise ends the storm. */

import { JournalLost } from '../../actors/league/journals.ts';
import { GamePaused } from '../../actors/league/worker.ts';
import { StoreError } from '../../actors/stores/errors.ts';
import { encodeResult, type GameResult } from '../../actors/stores/result.ts';
import type { LeagueLead, RecordOutcome, Slot, TeachOutcome } from '../../actors/stores/store.ts';
import { type AskedTeaching, StoreAccount } from './account.ts';
import type { Timeline } from './timeline.ts';

export const PROMISES = {
  'one-result': 'each slot of the schedule has exactly one result',
  'counted-once': 'each result is counted once: careers are the sums of the results',
  'as-in-quiet': 'a league of offline minds is the same as in a quiet run, to the byte',
  acknowledged: 'no acknowledged result is lost or changed',
  journals: 'every journal verifies, and is the one that its result names',
  files: 'every journal is in the folder of the last run, and no other file is',
  'paid-once': 'no answer that was written down is paid twice',
  'one-question': 'an answer of a model is given to one question only',
  secrets: 'no secret of a mind is in a request to another one',
  budget: 'a budget is never overdrawn by more than the declared amount',
  'old-epoch': 'a worker whose game was claimed by another worker writes nothing',
  'new-epoch': 'every claim of a game has a higher epoch than those before it',
  'in-order': 'a journal in the store is what its worker has sent, piece by piece',
  settled: 'a settled matter stays as it was settled first',
  'taught-once': 'a memory goes from version to version, and passes each named barrier once',
  'one-lead': 'two runs never hold the lead of a league at once',
  'lost-lead': 'a run without the lead hands out, takes back, plays and teaches nothing',
  'lead-freed': 'a run that ends by itself frees the lead, unless the store refuses',
  ends: 'after the faults have stopped, everything ends',
  'own-folder': 'two runs never write in one folder of journals at once',
  'no-crash': 'no process ends by an unnamed failure',
  memory: 'waiting work is bounded, and none is left at the end',
} as const;
export type PromiseName = keyof typeof PROMISES;
export type Breach = { readonly promise: PromiseName; readonly ms: number; readonly text: string };

type PromisedProcess = {
  readonly name: string;
  readonly folder: string;
  readonly isAlive: boolean;
};

export type PromiseGround = {
  readonly timeline: Timeline;
  readonly isLocal: boolean;
  readonly leaseNow: () => number;
  /** The ends of the paths of open journals, by slot. */
  readonly openJournals: readonly string[];
  /** Requests that may be paid; null for no limit. */
  readonly mostPaid: number | null;
  /** Players of a game: as many requests may be in flight when a disk fails. */
  readonly players: number;
};

type ModelAnswer = {
  /** Unique words of the answer. */
  readonly token: string;
  readonly process: PromisedProcess;
  /** Written to an open journal as a reply, and as an answer that fits the question. */
  isWritten: boolean;
  isKept: boolean;
  /** A pause asks its question anew. */
  isWaived: boolean;
};

type GameClaim = {
  /** Null if the process was granted this epoch twice. */
  readonly epoch: number | null;
  readonly epochs: ReadonlySet<number>;
  /** The answers that were in the store, as far as it has not forgotten them. */
  answers: string;
  /** The process knows that another one has the game. */
  isRefused: boolean;
  /** Answers that the process uses: the next piece of its journal has them. */
  readonly used: { readonly token: string; readonly isRefusal: boolean }[];
};

export class Promises {
  readonly #ground: PromiseGround;
  breach: Breach | null = null;
  /** Times that the server has forgotten. What it answered before does not count any more. */
  losses = 0;
  readonly account = new StoreAccount((promise, text) => this.report(promise, text));
  /** Failed writes: each may hide requests of one moment. After a failed sync, any number. */
  #diskFailures = 0;
  readonly #acknowledged = new Map<number, string>();
  readonly #epochs = new Map<number, number>();
  #lead: { term: string; until: number } | null = null;
  /** Processes that hold a lead, or know that they have lost it. */
  readonly #leads = new Map<PromisedProcess, { term: string; isLost: boolean }>();
  /** Processes that were ever given a lead, whatever a server has forgotten since. */
  readonly #haveLed = new Set<PromisedProcess>();
  /** The last claim of each process, by slot. */
  readonly #claims = new Map<PromisedProcess, Map<number, GameClaim>>();
  /** On one machine: the last writer of each folder, and since when it cannot write which open journals. */
  readonly #writers = new Map<string, PromisedProcess>();
  readonly #unwritten = new Map<PromisedProcess, Map<number, number>>();
  readonly #answers = new Map<string, ModelAnswer[]>();
  /** The answers of an earlier attempt that a process has read, by slot. */
  readonly #pasts = new Map<PromisedProcess, Map<number, string>>();
  readonly #answersByToken = new Map<string, ModelAnswer>();
  /** The kept lines of a question to a seat. */
  readonly #keptByQuestion = new Map<string, string>();
  /** Tokens of replies that did not fit. The call that got one may be noted only later. */
  readonly #misfits = new Set<string>();

  constructor(ground: PromiseGround) {
    this.#ground = ground;
  }

  /** Keeps the first breach: others may follow from it. */
  report(promise: PromiseName, text: string): void {
    if (this.breach !== null) return;
    this.breach = { promise, ms: this.#ground.timeline.now, text };
    this.#ground.timeline.note('promises', `${promise} is broken: ${text}`);
  }

  forgetServer(): void {
    this.losses += 1;
    this.#acknowledged.clear();
    this.#epochs.clear();
    this.#lead = null;
    this.#leads.clear();
    for (const mine of this.#claims.values()) for (const claim of mine.values()) claim.answers = '';
    this.account.forget();
  }

  noteClaim(process: PromisedProcess, game: Slot, epoch: number): void {
    const { slot } = game;
    const mine = this.#claims.get(process) ?? new Map<number, GameClaim>();
    const before = mine.get(slot);
    const epochs = new Set(before?.epochs).add(epoch);
    // A server that has forgotten may grant an epoch again. A refusal then does not name its attempt.
    const isNew = before?.epochs.has(epoch) !== true;
    const there = this.account.textOf(slot);
    this.#noteMisfits(there);
    const answers = pickAnswers(there);
    mine.set(slot, { epoch: isNew ? epoch : null, epochs, answers, isRefused: false, used: [] });
    this.#claims.set(process, mine);
    this.account.noteClaim(game, epoch);
    this.#epochs.set(slot, Math.max(epoch, this.#epochs.get(slot) ?? 0));
  }

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
      this.report('lost-lead', `${process.name} never led, and records slot ${slot}`);
    const last = this.#epochs.get(slot) ?? 0;
    if (outcome !== 'recorded') return;
    if (epoch !== null && epoch < last)
      this.report('old-epoch', `slot ${slot}: epoch ${epoch} records after epoch ${last} began`);
    if (epoch === null && !this.#ground.isLocal)
      this.report('old-epoch', `slot ${slot} is recorded by a worker that names no claim`);
    if (this.#acknowledged.has(slot))
      this.report('counted-once', `slot ${slot} was recorded a second time`);
    this.account.noteRecorded(slot);
  }

  noteAcknowledged(result: GameResult): void {
    this.#acknowledged.set(result.slot, encodeResult(result).body);
  }

  /** The store has given the lead. The process may not know it yet. */
  noteLeadGranted({ name }: PromisedProcess, { term }: LeagueLead, ms: number): void {
    const now = this.#ground.leaseNow();
    const held = this.#lead;
    if (held !== null && held.term !== term && held.until > now)
      this.report('one-lead', `${name} was given the lead that ${held.term} holds`);
    this.#lead = { term, until: now + ms };
  }

  noteLeadRenewed(term: string, isHeld: boolean, ms: number): void {
    if (isHeld) this.#lead = { term, until: this.#ground.leaseNow() + ms };
  }

  noteLeadResigned(process: PromisedProcess, term: string): void {
    for (const [other, lead] of this.#leads) {
      if (other !== process && other.isAlive && lead.term === term && !lead.isLost)
        this.report('one-lead', `${process.name} ends the lead of ${other.name}, which is there`);
    }
    if (this.#lead?.term === term) this.#lead = null;
  }

  shiftLeases(): void {
    this.#lead = null;
  }

  noteLeadKnown(process: PromisedProcess, term: string): void {
    this.#haveLed.add(process);
    this.#leads.set(process, { term, isLost: false });
  }

  noteLeadLost(process: PromisedProcess, term: string): void {
    const lead = this.#leads.get(process);
    if (lead?.term === term) lead.isLost = true;
  }

  noteEnded(process: PromisedProcess): void {
    const lead = this.#leads.get(process);
    if (lead !== undefined && !lead.isLost && this.#lead?.term === lead.term)
      this.report('lead-freed', `${process.name} has ended, and holds the lead`);
  }

  noteLeadKept(process: PromisedProcess): void {
    this.#leads.delete(process);
  }

  notePut(process: PromisedProcess): void {
    if (process.isAlive && !this.#haveLed.has(process))
      this.report('lost-lead', `${process.name} never led, and hands out games`);
    this.#checkLead(process, 'hands out games');
  }

  noteWithdraw(process: PromisedProcess): void {
    this.#checkLead(process, 'takes games back');
  }

  #checkLead(process: PromisedProcess, deed: string): void {
    if (process.isAlive && this.#leads.get(process)?.isLost === true)
      this.report('lost-lead', `${process.name} ${deed}, and knows that another run leads`);
  }

  noteTeach(process: PromisedProcess, asked: AskedTeaching, outcome: TeachOutcome): void {
    this.account.noteTeach(asked, outcome);
    const { fence } = asked;
    if (outcome.type !== 'taught' || fence === null) return;
    const held = this.#lead;
    if (held !== null && held.term !== fence.term)
      this.report('lost-lead', `${process.name} has taught while ${held.term} leads`);
  }

  noteFailure(process: PromisedProcess, error: unknown): void {
    if (error instanceof StoreError || error instanceof JournalLost || error instanceof GamePaused)
      return;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (text.includes(THREAD_ENDED)) return;
    this.report('no-crash', `${process.name}: ${text}`);
  }

  noteEarlierAttempt(process: PromisedProcess, slot: number, text: string): void {
    this.#noteMisfits(text);
    const mine = this.#pasts.get(process) ?? new Map<number, string>();
    this.#pasts.set(process, mine.set(slot, pickAnswers(text)));
  }

  noteRead(process: PromisedProcess, path: string, text: string): void {
    const slot = this.#findSlot(path);
    if (slot >= 0) this.noteEarlierAttempt(process, slot, text);
  }

  noteWritten(path: string, text: string): void {
    if (this.#findSlot(path) < 0) return;
    this.#noteMisfits(text);
    this.#noteKept(text);
  }

  /** A process sends a piece of a journal. Where it has claimed the game once, it sends all that it has used. */
  noteSent(process: PromisedProcess, slot: number, text: string): void {
    this.#noteKept(text);
    const claim = this.#claims.get(process)?.get(slot);
    if (!process.isAlive || claim?.epochs.size !== 1) return;
    for (const { token, isRefusal } of claim.used.splice(0)) this.#expectKept(token, isRefusal);
  }

  #noteKept(text: string): void {
    const kept = pickKept(text).join('\n');
    for (const [token] of text.matchAll(TOKEN)) {
      const answer = this.#answersByToken.get(token);
      if (answer === undefined) continue;
      answer.isWritten = true;
      if (kept.includes(token)) answer.isKept = true;
    }
    for (const line of text.split('\n')) this.#noteAgain(line);
  }

  /** A paused game asks a question anew whose failure was paid and is kept. */
  #noteAgain(line: string): void {
    const [question] = QUESTION.exec(line) ?? [];
    if (question === undefined) return;
    const before = this.#keptByQuestion.get(question) ?? '';
    this.#keptByQuestion.set(question, isAgain(line) ? '' : `${before} ${line}`);
    if (!isAgain(line)) return;
    for (const [token] of before.matchAll(TOKEN)) {
      const answer = this.#answersByToken.get(token);
      if (answer !== undefined) answer.isWaived = true;
    }
  }

  /** A process begins an open journal anew. Only a disk that has failed may take answers that were paid. */
  noteReplaced(process: PromisedProcess, path: string, text: string): void {
    const isSound = this.#diskFailures === 0 && !text.includes('\0');
    if (this.#findSlot(path) >= 0 && isSound && pickAnswers(text).match(TOKEN) !== null)
      this.report('paid-once', `${process.name} drops the answers of ${path}`);
  }

  noteTornAppend(process: PromisedProcess, path: string): void {
    if (this.#findSlot(path) >= 0)
      this.report('journals', `${process.name} writes behind a torn line of ${path}`);
  }

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

  /** A process is about to write. With `isFailing` the write fails, and the process is informed. */
  noteWrite(process: PromisedProcess, path: string, isFailing: boolean): void {
    if (!this.#ground.isLocal) return;
    const folder = path.slice(0, path.lastIndexOf('/'));
    const other = this.#writers.get(folder);
    if (other !== undefined && other !== process && other.isAlive)
      this.report('own-folder', `${process.name} writes ${path} while ${other.name} is there`);
    this.#writers.set(folder, process);
    if (!isFailing) return;
    const slot = this.#findSlot(path);
    const mine = this.#unwritten.get(process) ?? new Map<number, number>();
    if (slot >= 0 && !mine.has(slot))
      this.#unwritten.set(process, mine.set(slot, this.#ground.timeline.now));
  }

  noteAsked(process: PromisedProcess, question: string, seat: string, slot: number): void {
    const unwrittenMs = this.#unwritten.get(process)?.get(slot) ?? Number.POSITIVE_INFINITY;
    if (unwrittenMs < this.#ground.timeline.now)
      this.report('paid-once', `${process.name} asks for ${seat}, and cannot write the answer`);
    const claim = this.#claims.get(process)?.get(slot);
    if (claim?.isRefused === true)
      this.report('old-epoch', `${process.name} asks for ${seat}, and knows that it has lost it`);
    const isLast = claim?.epoch === this.#epochs.get(slot);
    const past = `${this.#pasts.get(process)?.get(slot) ?? ''} ${isLast ? claim?.answers : ''}`;
    for (const { token, isKept, isWaived, process: other } of this.#answers.get(question) ?? []) {
      const isWritten = past.includes(token) && !this.#misfits.has(token);
      // An answer in a run's own folder is there when the run continues.
      const isOwed =
        isKept &&
        !isWaived &&
        this.#ground.isLocal &&
        this.#diskFailures === 0 &&
        other !== process &&
        other.folder === process.folder;
      if (isWritten || isOwed)
        this.report('paid-once', `${process.name} asks again for ${seat}, and has ${token}`);
    }
  }

  noteAnswered(process: PromisedProcess, question: string, token: string): void {
    const answer = { token, process, isWritten: false, isKept: false, isWaived: false };
    this.#answers.set(question, [...(this.#answers.get(question) ?? []), answer]);
    this.#answersByToken.set(token, answer);
  }

  /** A process has used a reply. In its own folder it has written it down before; a refusal as the answer. */
  noteReplyUsed(process: PromisedProcess, slot: number, token: string, isRefusal: boolean): void {
    if (!this.#ground.isLocal)
      this.#claims.get(process)?.get(slot)?.used.push({ token, isRefusal });
    else if (this.#diskFailures === 0) this.#expectKept(token, isRefusal);
  }

  #expectKept(token: string, isRefusal: boolean): void {
    const answer = this.#answersByToken.get(token);
    const isThere = isRefusal ? answer?.isKept : answer?.isWritten;
    if (isThere === false)
      this.report('paid-once', `${token} was answered, and is not written down`);
  }

  notePaid(paid: number): void {
    const { mostPaid } = this.#ground;
    if (mostPaid !== null && paid > mostPaid + this.#diskFailures * this.#ground.players)
      this.report('budget', `${paid} requests are paid, and ${mostPaid} may be`);
  }

  noteDiskFailed(what: 'write' | 'sync'): void {
    this.#diskFailures += what === 'sync' ? Number.POSITIVE_INFINITY : 1;
  }

  get acknowledged(): ReadonlyMap<number, string> {
    return this.#acknowledged;
  }
}

/** The unique words in each answer of a model. */
export const TOKEN = /token-\d+\./g;

/** The readable answers: whole lines before any bytes that a disk has lost, without replies that did not fit. */
function pickAnswers(text: string): string {
  let kept = pickKept(text);
  for (const line of kept.filter(isAgain)) {
    const [question = ''] = QUESTION.exec(line) ?? [];
    const at = kept.indexOf(line);
    kept = kept.filter((one, index) => index > at || !one.includes(question));
  }
  return kept.join('\n');
}

function pickKept(text: string): readonly string[] {
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  const damaged = lines.findIndex((line) => line.includes('\0'));
  const whole = damaged < 0 ? lines : lines.slice(0, damaged);
  return whole.filter((line) => !isCall(line));
}

/** Whether a line asks a question anew: a pause takes back that its failure counts. */
function isAgain(line: string): boolean {
  return line.startsWith('{"ahead":"again"');
}

const QUESTION = /"seat":"\w+","request":"\w+"/;

/** Whether a line is a call without an answer: its reply did not fit. */
function isCall(line: string): boolean {
  return line.startsWith('{"ahead":"call"');
}

const THREAD_ENDED = 'the thread that played it ended';
