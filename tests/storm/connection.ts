/** The store as a process of a storm reaches it: every call goes over its connection, and the promises hear of it. */

import type { InMemoryStore } from '../../actors/stores/inMemory.ts';
import type { KeptJournal } from '../../actors/stores/journal.ts';
import type { MemoryChange, PersonaName } from '../../actors/stores/persona.ts';
import type { GameResult } from '../../actors/stores/result.ts';
import type { LeadFence, LeagueLead, Slot, Store } from '../../actors/stores/store.ts';
import type { StoreAccount } from './account.ts';
import { CALLS } from './faults.ts';
import type { Ground } from './ground.ts';
import type { SimulatedProcess } from './process.ts';
import type { Promises } from './promises.ts';
import type { Link } from './server.ts';

/** Where the store is: on the server, or in a file of a machine. */
export type StoreHome = {
  readonly store: InMemoryStore;
  change<T>(apply: (state: { readonly store: InMemoryStore }) => Promise<T>): Promise<T>;
};

export class StoreConnection implements Store {
  readonly #ground: Ground;
  readonly #process: SimulatedProcess;
  readonly #link: Link;
  readonly #home: StoreHome;

  constructor(
    ground: Ground,
    process: SimulatedProcess,
    { link, home }: { readonly link: Link; readonly home: StoreHome },
  ) {
    this.#ground = ground;
    this.#process = process;
    this.#link = link;
    this.#home = home;
  }

  enrol = (persona: PersonaName) => this.#change('enrol', (store) => store.enrol(persona));
  career = (id: string) => this.#look('career', (store) => store.career(id));
  personas = () => this.#look('personas', (store) => store.personas());
  memory = (id: string, version?: number) =>
    this.#look('memory', (store) => store.memory(id, version));
  history = (id: string) => this.#look('history', (store) => store.history(id));
  leagues = () => this.#look('leagues', (store) => store.leagues());
  settle = (league: string, matter: string, value: string) =>
    this.#change(
      `settle ${matter}`,
      (store) => store.settle(league, matter, value),
      (held) => {
        this.#process.isUnaware = false;
        this.#account.noteSettled(matter, held);
      },
    );
  settled = (league: string, matter: string) =>
    this.#look(
      `settled ${matter}`,
      (store) => store.settled(league, matter),
      (held) => {
        if (held !== null) this.#account.noteSettled(matter, held);
      },
    );
  slots = (league: string) => this.#look('slots', (store) => store.slots(league));
  audit = (league: string) => this.#look('audit', (store) => store.audit(league));
  discard = (league: string, slots: readonly number[]) =>
    this.#change('discard', (store) => store.discard(league, slots));
  leader = (league: string) => this.#look('leader', (store) => store.leader(league));
  journals = (league: string) => this.#look('journals', (store) => store.journals(league));
  journal = (slot: Slot) => this.#look('journal', (store) => store.journal(slot));
  dropJournals = (league: string) =>
    this.#change('drop journals', (store) => store.dropJournals(league));
  rebuild = () => this.#change('rebuild', (store) => store.rebuild());
  health = async () => ({ what: 'the store of a storm', warnings: [] });
  close = async () => {};

  async teach(id: string, seen: number, change: MemoryChange, fence: LeadFence | null = null) {
    return await this.#change(
      `teach ${id}`,
      (store) => store.teach(id, seen, change, fence),
      (outcome) => {
        this.#process.isUnaware = false;
        this.#promises.noteTeach(this.#process, { id, seen, change, fence }, outcome);
      },
    );
  }

  async claim(slot: Slot) {
    return await this.#change(
      `claim ${slot.slot}`,
      (store) => store.claim(slot),
      (epoch) => this.#promises.noteClaim(this.#process, slot, epoch),
    );
  }

  async append(slot: Slot, epoch: number, at: number, text: string) {
    const outcome = await this.#change(
      `append ${slot.slot}`,
      (store) => store.append(slot, epoch, at, text),
      (given) => this.#account.noteAppend(slot, { epoch, at, text }, given),
    );
    if (outcome !== 'appended') this.#promises.noteRefused(this.#process, slot.slot, epoch);
    return outcome;
  }

  async pieces(slot: Slot) {
    const found = await this.#look(
      `pieces ${slot.slot}`,
      (store) => store.pieces(slot),
      (there) => this.#account.notePieces(slot, there),
    );
    this.#promises.notePast(this.#process, slot.slot, found.text);
    return found;
  }

  async record(result: GameResult, epoch: number | null, journal: KeptJournal | null = null) {
    const outcome = await this.#change(
      `record ${result.slot}`,
      (store) => store.record(result, epoch, journal),
      (given) => this.#promises.noteRecord(this.#process, result, epoch, given),
    );
    if (outcome === 'recorded' || outcome === 'duplicate') this.#promises.noteAcknowledged(result);
    return outcome;
  }

  async *results(league: string, least?: number, most?: number) {
    yield* await this.#look('results', (store) => gather(store.results(league, least, most)));
  }

  async lead(league: string, lead: LeagueLead, ms: number) {
    const leader = await this.#change(
      'lead',
      (store) => store.lead(league, lead, ms),
      (there) => this.#promises.noteLead(this.#process, { asked: lead, there, ms }),
    );
    if (leader.term === lead.term) this.#promises.noteLeads(this.#process, lead.term);
    return leader;
  }

  async renewLead(fence: LeadFence, ms: number) {
    const isHeld = await this.#change(
      'renew lead',
      (store) => store.renewLead(fence, ms),
      (there) => this.#promises.noteRenewal(fence.term, there, ms),
    );
    if (!isHeld) this.#promises.noteLost(this.#process, fence.term);
    return isHeld;
  }

  async resignLead(fence: LeadFence) {
    try {
      await this.#change(
        'resign lead',
        (store) => store.resignLead(fence),
        () => this.#promises.noteResigned(this.#process, fence.term),
      );
    } catch (error) {
      this.#promises.noteKept(this.#process);
      throw error;
    }
  }

  get #promises(): Promises {
    return this.#ground.promises;
  }

  get #account(): StoreAccount {
    return this.#promises.account;
  }

  #look<T>(
    name: string,
    act: (store: InMemoryStore) => Promise<T>,
    note: (value: T) => void = () => {},
  ): Promise<T> {
    return this.#call(name, false, async () => {
      const value = await act(this.#home.store);
      note(value);
      return value;
    });
  }

  /** `note` hears of it once, even if a store goes through its changes again. */
  #change<T>(
    name: string,
    act: (store: InMemoryStore) => Promise<T>,
    note: (value: T) => void = () => {},
  ): Promise<T> {
    return this.#call(name, true, async () => {
      const value = await this.#home.change(({ store }) => act(store));
      note(value);
      this.#ground.trace.note(this.#process.name, `${name}: ${shorten(value)}`);
      this.#endAt(name);
      return value;
    });
  }

  /** A process may be killed, or stand still, when a call of it was carried out, before it knows. */
  #endAt(name: string): void {
    const call = CALLS.find((one) => name.startsWith(one));
    if (call === undefined || !this.#process.isAlive) return;
    const { faults, trace } = this.#ground;
    const what = `${call} of ${this.#process.name}`;
    const nth = faults.count(what);
    const stall = faults.take('stall-at-call', nth, what);
    if (stall !== null) {
      trace.note(this.#process.name, `stands still at ${name}`);
      this.#process.standStill(stall.forMs);
    }
    const ending = faults.take('kill-at-call', nth, what);
    if (ending === null) return;
    trace.note(this.#process.name, `is killed at ${name}`);
    this.#process.onKilled(ending.forMs);
  }

  #call<T>(name: string, isChange: boolean, act: () => Promise<T>): Promise<T> {
    return this.#link.call({ name, isChange, act });
  }
}

async function gather<T>(all: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
}

const MOST_CHARACTERS = 60;

function shorten(value: unknown): string {
  return (JSON.stringify(value) ?? 'done').slice(0, MOST_CHARACTERS);
}
