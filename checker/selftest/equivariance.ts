/**
 * Equivariance: whether parts that are said to be alike can really be exchanged.
 *
 * Walks at random, and at each state tries an exchange on it and on an event. A step of what was exchanged must be the
 * step, exchanged; where it is not, something tells the parts apart, and a search modulo symmetry would prove nothing.
 */
import type { EventObject } from 'xstate';
import { chooseStepper } from '../check.ts';
import { listEvents } from '../explore.ts';
import type { Model } from '../model.ts';
import type { MachineEffect } from '../step.ts';
import { isAlike } from './agreement.ts';
import type { SeededRandom } from './chance.ts';

/** How parts are exchanged: each by the one at its place in the other order. */
export type PartExchange = {
  readonly parts: readonly string[];
  /** A value of any kind with the parts exchanged, in a form in which equal things are written alike. */
  readonly renamed: (value: unknown, to: Readonly<Record<string, string>>) => unknown;
  /** Effects as far as they are compared: what is said in which order may be presentation. */
  readonly compared: (effects: readonly MachineEffect[]) => unknown;
};

export type Asymmetry = { readonly at: string; readonly event: string };

const LONGEST = 14;

/** The first step in which the parts are not alike; null when none was found in so many walks. */
export function findAsymmetry<C, E extends EventObject>(
  model: Model<C, E>,
  { parts, renamed, compared }: PartExchange,
  chance: SeededRandom,
  walks: number,
): Asymmetry | null {
  const { stepper } = chooseStepper(model);
  const same: Readonly<Record<string, string>> = {};
  for (let walk = 0; walk < walks; walk++) {
    const order = shuffle(parts, chance);
    const exchange = Object.fromEntries(parts.map((part, at) => [part, order[at] ?? part]));
    let { point } = stepper.initial();
    for (let steps = chance.below(LONGEST) + 1; steps > 0; steps--) {
      const events = listEvents(model, point);
      if (events.length === 0) break;
      const event = chance.of(events);
      const transition = stepper.step(point, event);
      // With other names a context is a context still, and an event an event.
      const elsewhere = { ...point, context: renamed(point.context, exchange) as C };
      const other = stepper.step(elsewhere, renamed(event, exchange) as E);
      const isSame =
        other.point.place === transition.point.place &&
        isAlike(renamed(other.point.context, same), renamed(transition.point.context, exchange)) &&
        isAlike(
          compared(renamed(other.effects, same) as readonly MachineEffect[]),
          compared(renamed(transition.effects, exchange) as readonly MachineEffect[]),
        );
      if (!isSame) return { at: point.place.name, event: event.type };
      point = transition.point;
    }
  }
  return null;
}

function shuffle(parts: readonly string[], chance: SeededRandom): readonly string[] {
  const left = [...parts];
  return parts.map(() => left.splice(chance.below(left.length), 1)[0] ?? '');
}
