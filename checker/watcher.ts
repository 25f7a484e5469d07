/** Watchers: each watches one promise during an exploration, and says in the end how it stands. */
import type { Exploration } from './exploration.ts';
import type { Move, Promised, State } from './model.ts';
import type { Judged, Trace, Verdict } from './verdict.ts';
import type { Waits } from './waits.ts';

export class Watcher<C, E> {
  readonly #promised: Promised<C, E>;
  /** Where it was broken first: the state, and the move into it where it is a step. */
  #broken: { readonly state: number; readonly move: Move<C, E> | null } | null = null;
  #witness: number | null = null;
  #antecedents = 0;

  constructor(promised: Promised<C, E>) {
    this.#promised = promised;
  }

  get looksAtMoves(): boolean {
    return this.#promised.kind === 'step';
  }

  get isBroken(): boolean {
    return this.#broken !== null;
  }

  get name(): string {
    return this.#promised.name;
  }

  /** The nearest state that was to be seen sometimes; null where there is none. */
  get witness(): number | null {
    return this.#witness;
  }

  /** How many steps it spoke of so far. */
  get antecedents(): number {
    return this.#antecedents;
  }

  /** It spoke of so many steps that were looked at elsewhere, and all of them kept it. */
  count(antecedents: number): void {
    this.#antecedents += antecedents;
  }

  onState(state: State<C>, number: number): void {
    const promised = this.#promised;
    if (promised.kind === 'always' && this.#broken === null && !promised.holds(state)) {
      this.#broken = { state: number, move: null };
    }
    if (promised.kind === 'never' && this.#broken === null && promised.holds(state)) {
      this.#broken = { state: number, move: null };
    }
    if (promised.kind === 'sometimes' && this.#witness === null && promised.holds(state)) {
      this.#witness = number;
    }
  }

  onMove(move: Move<C, E>, from: number): void {
    const promised = this.#promised;
    if (promised.kind !== 'step' || this.#broken !== null) return;
    if (promised.when !== undefined && !promised.when(move)) return;
    this.#antecedents += 1;
    if (!promised.holds(move)) this.#broken = { state: from, move };
  }

  onEnd(state: State<C>, number: number): void {
    if (this.#promised.kind === 'deadlock-free' && !state.isDone && this.#broken === null) {
      this.#broken = { state: number, move: null };
    }
  }

  judged(exploration: Exploration<E>, waits: Waits<C, E>): Judged<E> {
    const { name, sentence, kind, expect } = this.#promised;
    return {
      name,
      sentence,
      kind,
      expected: expect ?? 'proved',
      verdict: this.#verdict(exploration, waits),
    };
  }

  #verdict(exploration: Exploration<E>, waits: Waits<C, E>): Verdict<E> {
    const promised = this.#promised;
    if (this.#broken !== null) return violated(this.#broken, exploration);
    if (promised.kind === 'sometimes' && this.#witness !== null) {
      return { type: 'proved', antecedents: 1 };
    }
    if (exploration.ended !== null) {
      return { type: 'incomplete', why: `${exploration.ended} ended the search` };
    }
    switch (promised.kind) {
      case 'sometimes':
        return { type: 'violated', trace: NOWHERE };
      case 'eventually':
      case 'leads-to':
        if (!waits.isAsked(promised)) {
          return {
            type: 'incomplete',
            why: 'not asked modulo symmetry: it is not the same for all',
          };
        }
        return waits.verdict(promised, exploration);
      case 'step':
        if (this.#antecedents > 0) return { type: 'proved', antecedents: this.#antecedents };
        return { type: 'vacuous', why: 'no step ever was one that it speaks of' };
      default:
        return { type: 'proved', antecedents: null };
    }
  }
}

/** What should be seen sometimes was never seen: there is no run to show. */
const NOWHERE: Trace<never> = { events: [], loop: null, excludedBy: [] };

function violated<C, E>(
  { state, move }: { readonly state: number; readonly move: Move<C, E> | null },
  exploration: Exploration<E>,
): Verdict<E> {
  const events = exploration.eventsOf(exploration.wayTo(state));
  return {
    type: 'violated',
    trace: { events: move === null ? events : [...events, move.event], loop: null, excludedBy: [] },
  };
}
