/**
 * Replays: moves that were made elsewhere and are made once more, to have the points to which they lead.
 *
 * What a machine and its world do depends on nothing but the state, so a state and the place of an event in what the
 * world lists are enough. Replays count for nothing: guards are asked again, and it is forgotten.
 */
import type { EventObject } from 'xstate';
import { listEvents } from './explore.ts';
import type { Frontier } from './frontier.ts';
import type { Model } from './model.ts';
import type { MachineStepper, Transition } from './step.ts';

export class MoveReplayer<C, E extends EventObject> {
  readonly #model: Model<C, E>;
  readonly #stepper: MachineStepper<C, E>;
  readonly #frontier: Frontier<C>;
  /** The state whose events were listed last: moves are mostly replayed state by state. */
  #last: { readonly state: number; readonly events: readonly (E | EventObject)[] } | null = null;

  constructor(model: Model<C, E>, stepper: MachineStepper<C, E>, frontier: Frontier<C>) {
    this.#model = model;
    this.#stepper = stepper;
    this.#frontier = frontier;
  }

  /** The move out of a state that waits, by the event at that place. */
  move(
    state: number,
    via: number,
  ): { readonly event: E | EventObject; readonly transition: Transition<C> } {
    const point = this.#frontier.at(state);
    if (this.#last?.state !== state) {
      this.#last = { state, events: listEvents(this.#model, point) };
    }
    const event = this.#last.events[via];
    if (event === undefined) throw new Error('the world is not the same when it is asked again');
    return { event, transition: this.#stepper.step(point, event) };
  }

  /** Does something, and forgets what the guards said meanwhile. */
  uncounted(work: () => void): void {
    const { guards } = this.#stepper;
    const passed = guards?.passed.slice() ?? [];
    const failed = guards?.failed.slice() ?? [];
    work();
    guards?.passed.splice(0, passed.length, ...passed);
    guards?.failed.splice(0, failed.length, ...failed);
  }
}
