/**
 * A second account of what the store was told, kept from its answers alone. Each answer of the store is compared with it at
 * the moment at which it is given.
 *
 * A server that forgets goes back to a state that is not known here: what was known is dropped, and is known again from
 * the next answer that says it.
 */
import type { MemoryChange } from '../../actors/stores/persona.ts';
import type {
  AppendOutcome,
  JournalPieces,
  LeadFence,
  Slot,
  TeachOutcome,
} from '../../actors/stores/store.ts';

/** The promises that it judges. */
type AccountPromise =
  | 'old-epoch'
  | 'new-epoch'
  | 'in-order'
  | 'settled'
  | 'taught-once'
  | 'lost-lead';

/** A journal in the making, as its workers have sent it. */
type OpenAccount = { readonly pieces: number; readonly text: string };

export type AskedTeaching = {
  readonly id: string;
  readonly seen: number;
  readonly change: MemoryChange;
  readonly fence: LeadFence | null;
};

export class StoreAccount {
  readonly #broken: (promise: AccountPromise, text: string) => void;
  /** The epoch that was granted last, by slot. */
  readonly #epochs = new Map<number, number>();
  readonly #journals = new Map<number, OpenAccount>();
  readonly #settled = new Map<string, string>();
  /** Versions of memories, and the barriers that each has passed. */
  readonly #versions = new Map<string, number>();
  readonly #passed = new Set<string>();
  #hasForgotten = false;

  constructor(broken: (promise: AccountPromise, text: string) => void) {
    this.#broken = broken;
  }

  forget(): void {
    this.#hasForgotten = true;
    this.#epochs.clear();
    this.#journals.clear();
    this.#settled.clear();
    this.#versions.clear();
    this.#passed.clear();
  }

  noteClaim({ slot }: Slot, epoch: number): void {
    const last = this.#epochs.get(slot) ?? 0;
    if (epoch <= last)
      this.#broken('new-epoch', `slot ${slot}: epoch ${epoch} is granted after epoch ${last}`);
    this.#epochs.set(slot, epoch);
  }

  noteAppend(
    { slot }: Slot,
    asked: { readonly epoch: number; readonly at: number; readonly text: string },
    outcome: AppendOutcome,
  ): void {
    const { epoch, at, text } = asked;
    const last = this.#epochs.get(slot);
    const before = at === 0 ? BLANK : this.#journals.get(slot);
    const expected = judgeAppend({ epoch, at }, last, before);
    if (expected !== null && outcome !== expected) {
      const what = `slot ${slot}: piece ${at} of epoch ${epoch}`;
      const there = `epoch ${last} and ${before?.pieces ?? 'no'} pieces`;
      const name = outcome === 'appended' && expected === 'fenced' ? 'old-epoch' : 'in-order';
      this.#broken(name, `${what} is ${outcome} at ${there}, and must be ${expected}`);
    }
    if (outcome !== 'appended') return;
    this.#epochs.set(slot, epoch);
    const dropped = at === 0 ? (this.#journals.get(slot) ?? BLANK) : BLANK;
    // A server that has forgotten may grant an epoch twice, and so takes a journal from two workers.
    if (!this.#hasForgotten && !text.startsWith(dropped.text))
      this.#broken(
        'in-order',
        `slot ${slot}: ${dropped.pieces} pieces are dropped for a new journal`,
      );
    if (before !== undefined)
      this.#journals.set(slot, { pieces: before.pieces + 1, text: before.text + text });
  }

  notePieces({ slot }: Slot, found: JournalPieces): void {
    const known = this.#journals.get(slot);
    if (known !== undefined && (known.pieces !== found.pieces || known.text !== found.text))
      this.#broken(
        'in-order',
        `slot ${slot}: the store gives ${found.pieces} pieces with ${found.text.length} characters, and ${known.pieces} with ${known.text.length} were appended${known.text.length === found.text.length ? ' in another order' : ''}`,
      );
    this.#journals.set(slot, found);
  }

  /** A game has a result: its open journal is gone. */
  noteRecorded(slot: number): void {
    this.#journals.set(slot, BLANK);
  }

  noteSettled(matter: string, value: string): void {
    const known = this.#settled.get(matter);
    if (known !== undefined && known !== value)
      this.#broken('settled', `${matter} is settled anew`);
    this.#settled.set(matter, value);
  }

  noteTeach({ id, seen, change, fence }: AskedTeaching, outcome: TeachOutcome): void {
    if (outcome.type !== 'taught') return;
    const { barrier, why } = change;
    const version = this.#versions.get(id) ?? seen;
    if (seen !== version || outcome.version !== seen + 1)
      this.#broken(
        'taught-once',
        `${id} was at version ${version}, and is taught from ${seen} to ${outcome.version}`,
      );
    if (fence === null) this.#broken('lost-lead', `${id} is taught by a run that names no lead`);
    if (why === 'reflection' && barrier === '')
      this.#broken('taught-once', `${id} has learned at a barrier without a name`);
    const passing = `${id} at ${barrier}`;
    if (barrier !== '' && this.#passed.has(passing))
      this.#broken('taught-once', `${passing} is taught a second time`);
    this.#passed.add(passing);
    this.#versions.set(id, outcome.version);
  }
}

const BLANK: OpenAccount = { pieces: 0, text: '' };

/** What becomes of a piece; null where nothing is known of the last claim, or of the journal. */
function judgeAppend(
  { epoch, at }: { readonly epoch: number; readonly at: number },
  last: number | undefined,
  before: OpenAccount | undefined,
): AppendOutcome | null {
  if (last === undefined) return null;
  if (epoch !== last) return 'fenced';
  if (before === undefined) return null;
  return before.pieces === at ? 'appended' : 'gap';
}
