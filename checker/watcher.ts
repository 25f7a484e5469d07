/** Monitors: each watches one property during an exploration, and says in the end how it stands. */
import type { Exploration } from './exploration.ts';
import type { MachineStep, Property, State } from './model.ts';
import type { PropertyResult, PropertyVerdict, Trace } from './verdict.ts';
import type { LivenessMonitor } from './waits.ts';

export class PropertyMonitor<C, E> {
  readonly #property: Property<C, E>;
  /** Where it was broken first: the state, and the move into it where it is a step. */
  #broken: { readonly state: number; readonly move: MachineStep<C, E> | null } | null = null;
  #witness: number | null = null;
  #antecedents = 0;

  constructor(property: Property<C, E>) {
    this.#property = property;
  }

  get looksAtMoves(): boolean {
    return this.#property.kind === 'step';
  }

  get isBroken(): boolean {
    return this.#broken !== null;
  }

  get name(): string {
    return this.#property.name;
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
    const property = this.#property;
    if (property.kind === 'always' && this.#broken === null && !property.holds(state)) {
      this.#broken = { state: number, move: null };
    }
    if (property.kind === 'never' && this.#broken === null && property.holds(state)) {
      this.#broken = { state: number, move: null };
    }
    if (property.kind === 'sometimes' && this.#witness === null && property.holds(state)) {
      this.#witness = number;
    }
  }

  onMove(move: MachineStep<C, E>, from: number): void {
    const property = this.#property;
    if (property.kind !== 'step' || this.#broken !== null) return;
    if (property.when !== undefined && !property.when(move)) return;
    this.#antecedents += 1;
    if (!property.holds(move)) this.#broken = { state: from, move };
  }

  onEnd(state: State<C>, number: number): void {
    if (this.#property.kind === 'deadlock-free' && !state.isDone && this.#broken === null) {
      this.#broken = { state: number, move: null };
    }
  }

  conclude(exploration: Exploration<E>, waits: LivenessMonitor<C, E>): PropertyResult<E> {
    const { name, sentence, kind, expect } = this.#property;
    return {
      name,
      sentence,
      kind,
      expected: expect ?? 'proved',
      verdict: this.#verdict(exploration, waits),
    };
  }

  #verdict(exploration: Exploration<E>, waits: LivenessMonitor<C, E>): PropertyVerdict<E> {
    const property = this.#property;
    if (this.#broken !== null) return createViolation(this.#broken, exploration);
    if (property.kind === 'sometimes' && this.#witness !== null) {
      return { type: 'proved', antecedents: 1 };
    }
    if (exploration.ended !== null) {
      return { type: 'incomplete', why: `${exploration.ended} ended the search` };
    }
    switch (property.kind) {
      case 'sometimes':
        return { type: 'violated', trace: NOWHERE };
      case 'eventually':
      case 'leads-to':
        if (!waits.isAsked(property)) {
          return {
            type: 'incomplete',
            why: 'not asked modulo symmetry: it is not the same for all',
          };
        }
        return waits.verdict(property, exploration);
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

function createViolation<C, E>(
  { state, move }: { readonly state: number; readonly move: MachineStep<C, E> | null },
  exploration: Exploration<E>,
): PropertyVerdict<E> {
  const events = exploration.eventsOf(exploration.pathTo(state));
  return {
    type: 'violated',
    trace: { events: move === null ? events : [...events, move.event], loop: null, excludedBy: [] },
  };
}
