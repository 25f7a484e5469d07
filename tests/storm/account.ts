/** A second account of the store, from its answers alone. Each answer is compared with it when it is given. */
import type { MemoryChange } from '../../actors/stores/persona.ts';
import type {
  AppendOutcome,
  JournalPieces,
  LeadFence,
  Slot,
  TeachOutcome,
} from '../../actors/stores/store.ts';

type AccountPromise =
  | 'old-epoch'
  | 'new-epoch'
  | 'in-order'
  | 'settled'
  | 'taught-once'
  | 'lost-lead';

type OpenAccount = { readonly pieces: number; readonly text: string };

export type AskedTeaching = {
  readonly id: string;
  readonly seen: number;
  readonly change: MemoryChange;
  readonly fence: LeadFence | null;
};

export class StoreAccount {
  readonly #report: (promise: AccountPromise, text: string) => void;
  /** The last granted epoch, by slot. */
  readonly #epochs = new Map<number, number>();
  readonly #journals = new Map<number, OpenAccount>();
  readonly #settled = new Map<string, string>();
  /** Versions of memories, and the barriers that each has passed. */
  readonly #versions = new Map<string, number>();
  readonly #passed = new Set<string>();
  #hasForgotten = false;

  constructor(report: (promise: AccountPromise, text: string) => void) {
    this.#report = report;
  }

  /** After the server has forgotten, each state is known again from the next answer that contains it. */
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
      this.#report('new-epoch', `slot ${slot}: epoch ${epoch} is granted after epoch ${last}`);
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
      this.#report(name, `${what} is ${outcome} at ${there}, and must be ${expected}`);
    }
    if (outcome !== 'appended') return;
    this.#epochs.set(slot, epoch);
    const dropped = at === 0 ? (this.#journals.get(slot) ?? BLANK) : BLANK;
    // A server that has forgotten may grant an epoch twice, and so take a journal from two workers.
    if (!this.#hasForgotten && !text.startsWith(dropped.text))
      this.#report('in-order', `slot ${slot}: a new journal drops ${dropped.pieces} pieces`);
    if (before !== undefined)
      this.#journals.set(slot, { pieces: before.pieces + 1, text: before.text + text });
  }

  notePieces({ slot }: Slot, found: JournalPieces): void {
    const known = this.#journals.get(slot);
    const size = ({ pieces, text }: OpenAccount) => `${pieces} pieces of ${text.length} characters`;
    if (known !== undefined && (known.pieces !== found.pieces || known.text !== found.text))
      this.#report('in-order', `slot ${slot}: expected ${size(known)}, found ${size(found)}`);
    this.#journals.set(slot, found);
  }

  /** The known text of an open journal. */
  textOf(slot: number): string {
    return this.#journals.get(slot)?.text ?? '';
  }

  noteRecorded(slot: number): void {
    this.#journals.set(slot, BLANK);
  }

  noteSettled(matter: string, value: string): void {
    const known = this.#settled.get(matter);
    if (known !== undefined && known !== value)
      this.#report('settled', `${matter} is settled anew`);
    this.#settled.set(matter, value);
  }

  noteTeach({ id, seen, change, fence }: AskedTeaching, outcome: TeachOutcome): void {
    if (outcome.type !== 'taught') return;
    const { barrier, why } = change;
    const version = this.#versions.get(id) ?? seen;
    if (seen !== version || outcome.version !== seen + 1)
      this.#report('taught-once', `${id} at version ${version} goes ${seen} to ${outcome.version}`);
    if (fence === null) this.#report('lost-lead', `${id} is taught by a run that names no lead`);
    if (why === 'reflection' && barrier === '')
      this.#report('taught-once', `${id} has learned at a barrier without a name`);
    const passing = `${id} at ${barrier}`;
    if (barrier !== '' && this.#passed.has(passing))
      this.#report('taught-once', `${passing} is taught a second time`);
    this.#passed.add(passing);
    this.#versions.set(id, outcome.version);
  }
}

const BLANK: OpenAccount = { pieces: 0, text: '' };

/** The expected outcome; null if the last claim or the journal is unknown. */
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
