/** A monitor watches an exploration for one property and gives its verdict at the end. */
import type { PartPlace } from './draftSearch.ts';
import type { Exploration, SearchObserver } from './explore.ts';
import { isLiveness, LivenessMonitor } from './liveness.ts';
import {
  createTrace,
  type MachineStart,
  type MachineStep,
  type Property,
  type PropertyResult,
  type PropertyVerdict,
  readAnswer,
  type State,
} from './model.ts';
import type { StatePath } from './paths.ts';

/** A state, for a violating step also the next one, and what the property says of it. */
type BrokenPlace = {
  readonly state: number;
  readonly next: StatePath;
  readonly why?: boolean | string | null;
};

class PropertyMonitor<C, E> {
  readonly property: Property<C, E>;
  /** The first state that satisfies a `sometimes` property, or null. */
  witness: number | null = null;
  #broken: BrokenPlace | null = null;
  /** Parts of factored events that violated it. A run of whole events must confirm them. */
  #suspected: PartPlace[] = [];
  #antecedents = 0;

  constructor(property: Property<C, E>) {
    this.property = property;
  }

  onStart(start: MachineStart<C>): void {
    const holds = judgeStart(this.property, start);
    if (isViolated(holds)) this.#broken = { state: 0, next: [], why: holds };
  }

  onState(state: State<C>, number: number): void {
    const property = this.property;
    if (property.kind === 'sometimes') {
      if (this.witness === null && readAnswer(property, property.holds(state)))
        this.witness = number;
    } else if (this.#broken === null && judgeState(property, state) === false) {
      this.#broken = { state: number, next: [] };
    }
  }

  onMove(move: MachineStep<C, E>, from: number, to: number, via: number): void {
    if (this.#broken !== null) return;
    const holds = judgeStep(this.property, move);
    if (holds !== null) this.#antecedents += 1;
    if (isViolated(holds)) this.#broken = { state: from, next: [{ state: to, via }], why: holds };
  }

  onPart(step: MachineStep<C, E>, place: PartPlace): void {
    if (this.#suspected.length >= MOST_SUSPECTED) return;
    const holds = judgeStep(this.property, step);
    if (holds !== null) this.#antecedents += 1;
    if (isViolated(holds)) this.#suspected.push(place);
  }

  onStuck(number: number): void {
    if (this.property.kind === 'deadlock-free') this.#broken ??= { state: number, next: [] };
  }

  resultOf(verdict: PropertyVerdict<E>): PropertyResult<E> {
    const { name, sentence = name, kind, expect } = this.property;
    return { name, sentence, kind, expected: expect ?? 'proved', verdict };
  }

  #confirm(exploration: Exploration<E>): PropertyVerdict<E> {
    for (const place of this.#suspected) {
      for (const { events, last } of exploration.runsThrough(place)) {
        const step = last as MachineStep<C, E>; // of the same machine
        const why = judgeStep(this.property, step);
        if (isViolated(why)) return violate(events, why);
      }
    }
    return { type: 'incomplete', why: UNCONFIRMED };
  }

  verdict(exploration: Exploration<E>, waits: LivenessMonitor<C, E>): PropertyVerdict<E> {
    const property = this.property;
    if (this.#broken !== null) {
      const { state, next, why } = this.#broken;
      return violate(exploration.eventsOf([...exploration.paths.pathTo(state), ...next]), why);
    }
    if (this.#suspected.length > 0) return this.#confirm(exploration);
    if (property.kind === 'sometimes' && this.witness !== null)
      return { type: 'proved', antecedents: 1 };
    if (exploration.ended !== null)
      return { type: 'incomplete', why: `${exploration.ended} ended the search` };
    switch (property.kind) {
      case 'sometimes':
        // It has no run to show.
        return { type: 'violated', trace: createTrace([]) };
      case 'eventually':
      case 'leads-to':
        return waits.verdict(property, exploration);
      case 'step':
        if (this.#antecedents > 0) return { type: 'proved', antecedents: this.#antecedents };
        return { type: 'vacuous', why: 'it applied to no step' };
      default:
        return { type: 'proved', antecedents: null };
    }
  }
}

const MOST_SUSPECTED = 32;
const UNCONFIRMED =
  'a part of a factored event violates it, but no whole event that was tried does, so it cannot be judged part by part';

/** Whether a property holds in a state, or null if it says nothing about one state alone. */
export function judgeState<C, E>(property: Property<C, E>, state: State<C>): boolean | null {
  if (property.kind === 'always') return readAnswer(property, property.holds(state));
  return property.kind === 'never' ? !readAnswer(property, property.holds(state)) : null;
}

/** Whether a property holds on a step or why not, or null if it does not apply to it. */
export function judgeStep<C, E>(property: Property<C, E>, step: MachineStep<C, E>) {
  if (property.kind !== 'step' || property.when?.(step) === false) return null;
  return readReason(property, property.holds(step));
}

export function judgeStart<C, E>(property: Property<C, E>, start: MachineStart<C>) {
  return property.kind === 'start' ? readReason(property, property.holds(start)) : null;
}

function readReason<C, E>(property: Property<C, E>, holds: boolean | string) {
  return typeof holds === 'string' ? holds : readAnswer(property, holds);
}

export function isViolated(holds: boolean | string | null): boolean {
  return holds === false || typeof holds === 'string';
}

function violate<E>(events: readonly E[], why: unknown): PropertyVerdict<E> {
  const reason = typeof why === 'string' ? { why } : {};
  return { type: 'violated', trace: createTrace(events), ...reason };
}

export class PropertyMonitors<C, E> {
  readonly isSymmetric: boolean;
  readonly #monitors: readonly PropertyMonitor<C, E>[];
  readonly liveness: LivenessMonitor<C, E>;
  readonly #steps: readonly PropertyMonitor<C, E>[];

  constructor(properties: readonly Property<C, E>[], isSymmetric: boolean) {
    this.isSymmetric = isSymmetric;
    this.#monitors = properties.map((property) => new PropertyMonitor(property));
    this.#steps = this.#monitors.filter(({ property }) => property.kind === 'step');
    this.liveness = new LivenessMonitor(
      properties.filter((one) => !isSymmetric || (isLiveness(one) && one.isSymmetric === true)),
    );
  }

  /** Forwards states and moves to the monitors. Moves are observed only if a monitor needs them. */
  observer(onState: (state: State<C>, number: number) => void): SearchObserver<C, E> {
    const waitsAtMoves = this.liveness.fairness.length > 0 ? this.liveness : null;
    const looksAtMoves = this.#steps.length > 0 || waitsAtMoves !== null;
    const onMove = (move: MachineStep<C, E>, from: number, to: number, via: number) => {
      for (const monitor of this.#steps) monitor.onMove(move, from, to, via);
      waitsAtMoves?.helps.push(waitsAtMoves.helpsOf(move));
    };
    return {
      onStart: (start) => {
        for (const monitor of this.#monitors) monitor.onStart(start);
      },
      onState: (state, number) => {
        for (const monitor of this.#monitors) monitor.onState(state, number);
        this.liveness.onState(state, number);
        onState(state, number);
      },
      ...(looksAtMoves ? { onMove } : {}),
      helpsOf: (before, event) => waitsAtMoves?.helpsOf({ before, event }) ?? 0,
      onOpen: (helps) => waitsAtMoves?.helps.push(helps),
      onDraftMove: (helps) => waitsAtMoves?.draftHelps.push(helps),
      onPart: (step, place) => {
        for (const monitor of this.#steps) monitor.onPart(step, place);
      },
      onStuck: (_, number) => {
        for (const monitor of this.#monitors) monitor.onStuck(number);
      },
    };
  }

  witnesses(): readonly { readonly name: string; readonly state: number }[] {
    return this.#monitors.flatMap(({ property: { name }, witness }) =>
      witness === null ? [] : [{ name, state: witness }],
    );
  }

  withhold(why: string): readonly PropertyResult<E>[] {
    return this.#monitors.map((monitor) => monitor.resultOf({ type: 'incomplete', why }));
  }

  conclude(exploration: Exploration<E>): readonly PropertyResult<E>[] {
    return this.#monitors.map((monitor) =>
      monitor.resultOf(monitor.verdict(exploration, this.liveness)),
    );
  }
}
