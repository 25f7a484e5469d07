/**
 * The monitors: all that looks on while a model is explored, so that its properties can be results in the end.
 *
 * States are looked at as they are numbered. Steps can be looked at elsewhere too, by a monitors over the same properties:
 * then it is told how often a property spoke there.
 */
import type { Exploration, SearchObserver } from './exploration.ts';
import type { MachineStep, Model, Property, State } from './model.ts';
import type { PropertyResult } from './verdict.ts';
import { LivenessMonitor } from './waits.ts';
import { PropertyMonitor } from './watcher.ts';

export type MonitoredProperties<C, E> = {
  readonly properties: readonly Property<C, E>[];
  readonly isSymmetric: boolean;
};

export class PropertyMonitors<C, E> {
  readonly isSymmetric: boolean;
  readonly #monitors: readonly PropertyMonitor<C, E>[];
  readonly liveness: LivenessMonitor<C, E>;
  /** Those who look at steps, in the order of their properties. */
  readonly steps: readonly PropertyMonitor<C, E>[];

  constructor({ properties, isSymmetric }: MonitoredProperties<C, E>) {
    this.isSymmetric = isSymmetric;
    this.#monitors = properties.map((property) => new PropertyMonitor(property));
    this.steps = this.#monitors.filter(({ looksAtMoves }) => looksAtMoves);
    this.liveness = new LivenessMonitor(
      properties.filter((one) => !isSymmetric || canBeExchanged(one)),
    );
  }

  /** Whether moves concern anybody. */
  get looksAtMoves(): boolean {
    return this.steps.length > 0 || this.liveness.looksAtMoves;
  }

  /** Shows states and moves to whom they concern; moves only when they concern anybody. */
  observer(onState: ((state: State<C>, number: number) => void) | null): SearchObserver<C, E> {
    const waitsAtMoves = this.liveness.looksAtMoves ? this.liveness : null;
    const onMove = (move: MachineStep<C, E>, from: number) => {
      for (const monitor of this.steps) monitor.onMove(move, from);
      waitsAtMoves?.onMove(move);
    };
    return {
      onState: (state, number) => {
        for (const monitor of this.#monitors) monitor.onState(state, number);
        this.liveness.onState(state, number);
        onState?.(state, number);
      },
      ...(this.looksAtMoves ? { onMove } : {}),
      onEnd: (state, number) => {
        for (const monitor of this.#monitors) monitor.onEnd(state, number);
      },
    };
  }

  /** What was to be seen sometimes, and the nearest state in which it was. */
  witnesses(): readonly { readonly name: string; readonly state: number }[] {
    return this.#monitors.flatMap(({ name, witness }) =>
      witness === null ? [] : [{ name, state: witness }],
    );
  }

  conclude(exploration: Exploration<E>): readonly PropertyResult<E>[] {
    return this.#monitors.map((monitor) => monitor.conclude(exploration, this.liveness));
  }
}

/** The properties of a model that are asked about: those with these names, or all. */
export function selectProperties<C, E extends { readonly type: string }>(
  { properties }: Pick<Model<C, E>, 'properties'>,
  only: readonly string[] | null,
): readonly Property<C, E>[] {
  return properties.filter(({ name }) => only?.includes(name) ?? true);
}

/** Whether a property may be asked of orbits instead of states. */
function canBeExchanged<C, E>(property: Property<C, E>): boolean {
  const isLasting = property.kind === 'eventually' || property.kind === 'leads-to';
  return !isLasting || property.isSymmetric === true;
}
