/**
 * Events whose payload is a product: many parts contribute something, and all contributions arrive as one event. The
 * parts are taken one after another, because most combinations lead to the same few intermediate results, the drafts.
 */
import type { EventObject } from 'xstate';
import { ValueIdentity } from './identity.ts';
import {
  type EventDraft,
  type EventEnds,
  type FactoredEvent,
  type Model,
  stateOf,
} from './model.ts';
import type { MachinePoint } from './stepper.ts';
import { remember } from './values.ts';

/** A draft at the point that awaits its event. */
export type OpenDraft<C> = {
  readonly factor: number;
  readonly point: MachinePoint<C>;
  readonly draft: EventDraft<C, unknown>;
  readonly parts: number;
};

/** A possible contribution of a part, and the event that contains only it. */
export type PartChoice<E> = { readonly choice: unknown; readonly event: E };

/** A choice, its index among all choices, and the fairness assumptions that it satisfies. */
export type DistinctChoice = {
  readonly via: number;
  readonly choice: unknown;
  readonly helps: number;
};

/** The choices of all parts that read the same. */
export type PartChoices<E> = {
  readonly all: readonly PartChoice<E>[];
  /** One of each group of equivalent choices. Empty until computed. */
  distinct: readonly DistinctChoice[];
  times: number;
};

/** A draft after taking every part with a single distinct choice. */
export type AdvancedDraft<C> = {
  readonly open: OpenDraft<C>;
  readonly helps: number;
  readonly taken: readonly (readonly [part: number, choice: unknown])[];
};

/** The bits of one number record which parts have contributed. */
const MOST_PARTS = 30;
const TOO_MANY_PARTS = `expected at most ${MOST_PARTS} parts of a factored event`;

/** After this many uses a choice is judged again, to detect dependencies that `reads` omits. */
export const JUDGED_AGAIN = 256;

export class FactoredEvents<C, E extends EventObject> {
  readonly #factors: readonly FactoredEvent<C, E>[];
  readonly #isSymmetric: boolean;
  /** Keyed by factor and part, then by the values that the part reads. */
  readonly #known: Map<string, PartChoices<E>>[] = [];
  /** Cache of the last lookup, which is usually repeated at once. */
  #last: {
    readonly open: OpenDraft<C>;
    readonly part: number;
    readonly choices: PartChoices<E>;
  } | null = null;
  readonly #settled = new Map<string, number>();
  readonly #marks: ValueIdentity;

  constructor({ factored, codec }: Pick<Model<C, E>, 'factored' | 'codec'>, isSymmetric: boolean) {
    this.#isSymmetric = isSymmetric;
    this.#marks = new ValueIdentity(codec ?? null);
    this.#factors = Object.values(factored ?? {});
  }

  open(point: MachinePoint<C>): readonly OpenDraft<C>[] {
    if (point.status !== 'active') return [];
    const state = stateOf(point);
    const opened: OpenDraft<C>[] = [];
    for (const [factor, { parts: countParts }] of this.#factors.entries()) {
      const parts = countParts(state);
      if (parts === null) continue;
      if (parts > MOST_PARTS) throw new Error(`${TOO_MANY_PARTS}, found ${parts} at ${state.at}`);
      const kept = Array.from({ length: parts }, () => null);
      const draft = { at: state.at, context: state.context, taken: 0, kept };
      opened.push({ factor, point, draft, parts });
    }
    return opened;
  }

  /** The next part to take, or -1 once all are taken. */
  nextPart({ draft, parts, factor }: OpenDraft<C>): number {
    if (draft.taken === (1 << parts) - 1) return -1;
    const next = this.#isSymmetric ? this.#factor(factor).next?.(draft, parts) : undefined;
    if (next !== undefined) return next;
    for (let part = 0; part < parts; part++) if ((draft.taken & (1 << part)) === 0) return part;
    return -1;
  }

  choicesOf(open: OpenDraft<C>, part: number): PartChoices<E> {
    const last = this.#last;
    if (last !== null && last.open === open && last.part === part) return last.choices;
    const { factor, draft } = open;
    const how = this.#factor(factor);
    const index = factor * MOST_PARTS + part;
    this.#known[index] ??= new Map();
    const choices = remember(this.#known[index], how.reads(draft, part), () => {
      const possible = how.choices(draft, part);
      const all = possible.map((choice) => ({ choice, event: how.alone(draft, choice) }));
      return { all, distinct: [], times: 0 };
    });
    this.#last = { open, part, choices };
    return choices;
  }

  /** Takes every part whose choices are all equivalent. A new draft asks all parts. Null if `look` returns false. */
  advance(
    opened: OpenDraft<C>,
    look: (open: OpenDraft<C>, part: number) => boolean,
  ): AdvancedDraft<C> | null {
    let open = opened;
    let helps = 0;
    const taken: (readonly [number, unknown])[] = [];
    const takeOnly = (part: number): boolean => {
      const [only, ...others] = this.choicesOf(open, part).distinct;
      if (only === undefined || others.length > 0) return false;
      open = this.take(open, part, only.choice);
      helps |= only.helps;
      taken.push([part, only.choice]);
      return true;
    };
    if (opened.draft.taken === 0) {
      for (let part = 0; part < opened.parts; part++) {
        if (!look(open, part)) return null;
        takeOnly(part);
      }
    }
    for (let part = this.nextPart(open); part >= 0; part = this.nextPart(open)) {
      if (!look(open, part)) return null;
      if (!takeOnly(part)) break;
    }
    return { open, helps, taken };
  }

  take(open: OpenDraft<C>, part: number, choice: unknown): OpenDraft<C> {
    const { draft, point, factor, parts } = open;
    const { context, kept } = this.#factor(factor).take(draft, part, choice);
    const next = {
      at: draft.at,
      context,
      taken: draft.taken | (1 << part),
      kept: kept === null ? draft.kept : draft.kept.with(part, kept),
    };
    const { place, timers, status, history, children } = point;
    const onward = { place, context, timers, status, history, children };
    return { factor, parts, draft: next, point: onward };
  }

  endsOf({ factor, draft }: OpenDraft<C>): EventEnds<E> {
    return this.#factor(factor).settle(draft);
  }

  listEnds(open: OpenDraft<C>): readonly E[] {
    const { ends, asides } = this.endsOf(open);
    return [...ends, ...asides.list()];
  }

  /** Whether to step and judge the asides, for the first time or again. */
  areDue({ factor }: OpenDraft<C>, reads: string): boolean {
    const key = `${factor} ${reads}`;
    const times = this.#settled.get(key) ?? 0;
    this.#settled.set(key, times + 1);
    return times % JUDGED_AGAIN === 0;
  }

  join({ factor }: OpenDraft<C>, end: E, choices: readonly unknown[]): E {
    return this.#factor(factor).join(end, choices);
  }

  /** A number for the parts of a draft other than its context. */
  markOf({ factor, draft }: OpenDraft<C>): number {
    return this.#marks.of([factor, draft.taken, draft.kept]);
  }

  #factor(index: number): FactoredEvent<C, E> {
    const factor = this.#factors[index];
    if (factor === undefined) throw new Error(`there is no factored event ${index}`);
    return factor;
  }
}
