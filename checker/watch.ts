/**
 * The watch: all that looks on while a model is explored, so that its promises can be judged in the end.
 *
 * States are looked at as they are numbered. Steps can be looked at elsewhere too, by a watch over the same promises:
 * then it is told how often a promise spoke there.
 */
import type { Exploration, Observer } from './exploration.ts';
import type { Model, Move, Promised, State } from './model.ts';
import type { Judged } from './verdict.ts';
import { Waits } from './waits.ts';
import { Watcher } from './watcher.ts';

export type Looking<C, E> = {
  readonly promises: readonly Promised<C, E>[];
  readonly isSymmetric: boolean;
};

export class Watch<C, E> {
  readonly isSymmetric: boolean;
  readonly #watchers: readonly Watcher<C, E>[];
  readonly waits: Waits<C, E>;
  /** Those who look at steps, in the order of their promises. */
  readonly steps: readonly Watcher<C, E>[];

  constructor({ promises, isSymmetric }: Looking<C, E>) {
    this.isSymmetric = isSymmetric;
    this.#watchers = promises.map((promised) => new Watcher(promised));
    this.steps = this.#watchers.filter(({ looksAtMoves }) => looksAtMoves);
    this.waits = new Waits(promises.filter((one) => !isSymmetric || canBeExchanged(one)));
  }

  /** Whether moves concern anybody. */
  get looksAtMoves(): boolean {
    return this.steps.length > 0 || this.waits.looksAtMoves;
  }

  /** Shows states and moves to whom they concern; moves only when they concern anybody. */
  observer(onState: ((state: State<C>, number: number) => void) | null): Observer<C, E> {
    const waitsAtMoves = this.waits.looksAtMoves ? this.waits : null;
    const onMove = (move: Move<C, E>, from: number) => {
      for (const watcher of this.steps) watcher.onMove(move, from);
      waitsAtMoves?.onMove(move);
    };
    return {
      onState: (state, number) => {
        for (const watcher of this.#watchers) watcher.onState(state, number);
        this.waits.onState(state, number);
        onState?.(state, number);
      },
      ...(this.looksAtMoves ? { onMove } : {}),
      onEnd: (state, number) => {
        for (const watcher of this.#watchers) watcher.onEnd(state, number);
      },
    };
  }

  /** What was to be seen sometimes, and the nearest state in which it was. */
  witnesses(): readonly { readonly name: string; readonly state: number }[] {
    return this.#watchers.flatMap(({ name, witness }) =>
      witness === null ? [] : [{ name, state: witness }],
    );
  }

  judged(exploration: Exploration<E>): readonly Judged<E>[] {
    return this.#watchers.map((watcher) => watcher.judged(exploration, this.waits));
  }
}

/** The promises of a model that are asked about: those with these names, or all. */
export function wantedOf<C, E extends { readonly type: string }>(
  { promises }: Pick<Model<C, E>, 'promises'>,
  only: readonly string[] | null,
): readonly Promised<C, E>[] {
  return promises.filter(({ name }) => only?.includes(name) ?? true);
}

/** Whether a promise may be asked of orbits instead of states. */
function canBeExchanged<C, E>(promised: Promised<C, E>): boolean {
  const isLasting = promised.kind === 'eventually' || promised.kind === 'leads-to';
  return !isLasting || promised.isSymmetric === true;
}
