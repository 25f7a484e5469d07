/** The store in memory: what the other stores are compared with. */

import { realTime } from '../../actors/ports/time.ts';
import type { KeptJournal } from '../../actors/stores/journal.ts';
import {
  BLANK_MEMORY,
  isSamePersona,
  KEPT_VERSIONS,
  type MemoryChange,
  type PersonaMemory,
  type PersonaName,
  personaId,
} from '../../actors/stores/persona.ts';
import {
  addCounters,
  auditResults,
  type Career,
  countCareers,
  encodeResult,
  expectResult,
  type GameResult,
  hasSameCounters,
  Recount,
  type ResultAudit,
  type StoredResult,
} from '../../actors/stores/result.ts';
import type {
  AppendOutcome,
  EnrolOutcome,
  JournalPieces,
  JournalState,
  LeadFence,
  LeagueLead,
  Rebuilt,
  RecordOutcome,
  Slot,
  Store,
  StoreHealth,
  TeachOutcome,
} from '../../actors/stores/store.ts';

type LeagueRecords = {
  readonly settled: Map<string, string>;
  readonly epochs: Map<number, number>;
  readonly journals: Map<number, string[]>;
  readonly results: Map<number, StoredResult>;
  readonly kept: Map<number, KeptJournal & JournalState>;
  lead: (LeagueLead & { readonly ends: number }) | null;
};

export class InMemoryStore implements Store {
  readonly #careers = new Map<string, Career>();
  readonly #memories = new Map<string, readonly PersonaMemory[]>();
  readonly #leagues = new Map<string, LeagueRecords>();
  readonly #now: () => number;

  /** `now` is the time of its leases, in milliseconds. */
  constructor(now: () => number = () => realTime.date()) {
    this.#now = now;
  }

  async enrol(persona: PersonaName): Promise<EnrolOutcome> {
    const id = personaId(persona);
    const known = this.#careers.get(id);
    if (known === undefined) {
      this.#careers.set(id, { persona, counters: {} });
      return 'new';
    }
    return isSamePersona(known.persona, persona) ? 'known' : 'taken';
  }

  async career(id: string): Promise<Career | null> {
    return this.#careers.get(id) ?? null;
  }

  async personas(): Promise<readonly string[]> {
    return [...this.#careers.keys()].toSorted();
  }

  async memory(id: string, version?: number): Promise<PersonaMemory | null> {
    const versions = this.#memories.get(id) ?? [];
    if (version === undefined) return versions.at(-1) ?? BLANK_MEMORY;
    if (version === 0) return BLANK_MEMORY;
    return versions.find((one) => one.version === version) ?? null;
  }

  async history(id: string): Promise<readonly PersonaMemory[]> {
    return this.#memories.get(id) ?? [];
  }

  async teach(
    id: string,
    seen: number,
    change: MemoryChange,
    fence: LeadFence | null = null,
  ): Promise<TeachOutcome> {
    const versions = this.#memories.get(id) ?? [];
    const { version } = versions.at(-1) ?? BLANK_MEMORY;
    if (fence !== null && !this.#holds(fence)) return { type: 'fenced', version };
    if (version !== seen) return { type: 'stale', version };
    const next = { ...change, version: version + 1 };
    this.#memories.set(id, [...versions, next].slice(-KEPT_VERSIONS));
    return { type: 'taught', version: next.version };
  }

  async leagues(): Promise<readonly string[]> {
    const known = [...this.#leagues].filter(
      ([, { settled, results }]) => settled.size > 0 || results.size > 0,
    );
    return known.map(([league]) => league).toSorted();
  }

  async settle(league: string, matter: string, value: string): Promise<string> {
    const { settled } = this.#league(league);
    const held = settled.get(matter) ?? value;
    settled.set(matter, held);
    return held;
  }

  async settled(league: string, matter: string): Promise<string | null> {
    return this.#league(league).settled.get(matter) ?? null;
  }

  async claim({ league, slot }: Slot): Promise<number> {
    const { epochs } = this.#league(league);
    const epoch = (epochs.get(slot) ?? 0) + 1;
    epochs.set(slot, epoch);
    return epoch;
  }

  async append(
    { league, slot }: Slot,
    epoch: number,
    at: number,
    text: string,
  ): Promise<AppendOutcome> {
    const { epochs, journals } = this.#league(league);
    if (epoch !== epochs.get(slot)) return 'fenced';
    const pieces = at === 0 ? [] : (journals.get(slot) ?? []);
    if (pieces.length !== at) return 'gap';
    journals.set(slot, [...pieces, text]);
    return 'appended';
  }

  async pieces({ league, slot }: Slot): Promise<JournalPieces> {
    const pieces = this.#league(league).journals.get(slot) ?? [];
    return { pieces: pieces.length, text: pieces.join('') };
  }

  async record(
    result: GameResult,
    epoch: number | null,
    journal: KeptJournal | null = null,
  ): Promise<RecordOutcome> {
    const { results, epochs, kept: texts, journals } = this.#league(result.league);
    const kept = encodeResult(result);
    const known = results.get(result.slot);
    if (known?.body === kept.body) return 'duplicate';
    if (known !== undefined) return 'conflict';
    if (epoch !== null && epoch !== epochs.get(result.slot)) return 'fenced';
    const additions = countCareers(result);
    for (const [id, { persona }] of additions) {
      const there = this.#careers.get(id);
      if (there !== undefined && !isSamePersona(there.persona, persona)) return 'taken';
    }
    results.set(result.slot, kept);
    journals.delete(result.slot);
    if (journal !== null) texts.set(result.slot, { ...journal, isKept: true });
    for (const [id, { persona, counters }] of additions) {
      const before = this.#careers.get(id)?.counters ?? {};
      this.#careers.set(id, { persona, counters: addCounters(before, counters) });
    }
    return 'recorded';
  }

  async slots(league: string): Promise<readonly number[]> {
    const { results } = this.#league(league);
    return [...results.keys()].toSorted((one, other) => one - other);
  }

  async *results(league: string, least = 0, most = Infinity): AsyncIterable<GameResult> {
    for (const slot of await this.slots(league)) {
      if (slot < least || slot >= most) continue;
      const kept = this.#league(league).results.get(slot);
      if (kept !== undefined) yield expectResult({ league, slot }, kept);
    }
  }

  async audit(league: string): Promise<ResultAudit> {
    const { results } = this.#league(league);
    const rows = [...results].map(([slot, kept]) => ({ slot, ...kept }));
    return auditResults(league, rows, { least: results.size, most: results.size });
  }

  async discard(league: string, slots: readonly number[]): Promise<void> {
    for (const slot of slots) this.#league(league).results.delete(slot);
  }

  async lead(league: string, lead: LeagueLead, ms: number): Promise<LeagueLead> {
    const held = this.#leader(league);
    if (held !== null && held.term !== lead.term) return held;
    this.#league(league).lead = { ...lead, ends: this.#now() + ms };
    return lead;
  }

  async renewLead(fence: LeadFence, ms: number): Promise<boolean> {
    const records = this.#league(fence.league);
    if (records.lead?.term !== fence.term) return false;
    records.lead = { ...records.lead, ends: this.#now() + ms };
    return true;
  }

  async resignLead(fence: LeadFence): Promise<void> {
    if (this.#holds(fence)) this.#league(fence.league).lead = null;
  }

  async leader(league: string): Promise<LeagueLead | null> {
    return this.#leader(league);
  }

  async journals(league: string): Promise<ReadonlyMap<number, JournalState>> {
    const { kept } = this.#league(league);
    return new Map(
      [...kept].map(([slot, { digest, isKept }]) => [slot, { digest, isKept }] as const),
    );
  }

  async journal({ league, slot }: Slot): Promise<KeptJournal | null> {
    const kept = this.#league(league).kept.get(slot);
    return kept?.isKept === true ? { digest: kept.digest, packed: kept.packed } : null;
  }

  async dropJournals(league: string): Promise<void> {
    const { kept } = this.#league(league);
    for (const [slot, { digest }] of kept) {
      kept.set(slot, { digest, packed: new Uint8Array(), isKept: false });
    }
  }

  async rebuild(isLeftOut: (result: GameResult) => boolean = () => false): Promise<Rebuilt> {
    const counted = new Recount();
    for (const league of this.#leagues.keys()) {
      for await (const result of this.results(league)) if (!isLeftOut(result)) counted.add(result);
    }
    let changed = 0;
    for (const [id, { persona, counters }] of this.#careers) {
      const right = counted.get(id)?.counters ?? {};
      if (!hasSameCounters(counters, right)) changed += 1;
      this.#careers.set(id, { persona, counters: right });
    }
    return { personas: this.#careers.size, changed };
  }

  async health(): Promise<StoreHealth> {
    const text = 'everything is kept in memory and is gone when the process ends';
    return { what: 'memory', warnings: [{ code: 'store/in-memory', text }] };
  }

  async close(): Promise<void> {}

  #leader(league: string): LeagueLead | null {
    const { lead } = this.#league(league);
    if (lead === null || lead.ends <= this.#now()) return null;
    return { term: lead.term, runner: lead.runner };
  }

  #holds({ league, term }: LeadFence): boolean {
    return this.#league(league).lead?.term === term;
  }

  #league(name: string): LeagueRecords {
    const known = this.#leagues.get(name);
    if (known !== undefined) return known;
    const league: LeagueRecords = {
      settled: new Map(),
      epochs: new Map(),
      journals: new Map(),
      results: new Map(),
      kept: new Map(),
      lead: null,
    };
    this.#leagues.set(name, league);
    return league;
  }
}
