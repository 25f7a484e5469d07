/**
 * Equivariance: whether parts that are said to be alike can really be exchanged.
 *
 * Walks at random, and at each state tries an exchange on it and on an event. A step of what was exchanged must be the
 * step, exchanged; where it is not, something tells the parts apart, and a search modulo symmetry would prove nothing.
 */
import type { EventObject } from 'xstate';
import { stepperFor } from '../check.ts';
import { eventsAt } from '../explore.ts';
import type { Model } from '../model.ts';
import type { Effect } from '../step.ts';
import { isAlike } from './agreement.ts';
import type { Chance } from './chance.ts';

/** How parts are exchanged: each by the one at its place in the other order. */
export type Exchanging = {
  readonly parts: readonly string[];
  /** A value of any kind with the parts exchanged, in a form in which equal things are written alike. */
  readonly renamed: (value: unknown, to: Readonly<Record<string, string>>) => unknown;
  /** Effects as far as they are compared: what is said in which order may be presentation. */
  readonly compared: (effects: readonly Effect[]) => unknown;
};

export type Leak = { readonly at: string; readonly event: string };

const LONGEST = 14;

/** The first step in which the parts are not alike; null when none was found in so many walks. */
export function leak<C, E extends EventObject>(
  model: Model<C, E>,
  { parts, renamed, compared }: Exchanging,
  chance: Chance,
  walks: number,
): Leak | null {
  const { stepper } = stepperFor(model);
  const same: Readonly<Record<string, string>> = {};
  for (let walk = 0; walk < walks; walk++) {
    const order = shuffled(parts, chance);
    const exchange = Object.fromEntries(parts.map((part, at) => [part, order[at] ?? part]));
    let { point } = stepper.initial();
    for (let steps = chance.below(LONGEST) + 1; steps > 0; steps--) {
      const events = eventsAt(model, point);
      if (events.length === 0) break;
      const event = chance.of(events);
      const leap = stepper.step(point, event);
      // With other names a context is a context still, and an event an event.
      const elsewhere = { ...point, context: renamed(point.context, exchange) as C };
      const other = stepper.step(elsewhere, renamed(event, exchange) as E);
      const isSame =
        other.point.place === leap.point.place &&
        isAlike(renamed(other.point.context, same), renamed(leap.point.context, exchange)) &&
        isAlike(
          compared(renamed(other.effects, same) as readonly Effect[]),
          compared(renamed(leap.effects, exchange) as readonly Effect[]),
        );
      if (!isSame) return { at: point.place.name, event: event.type };
      point = leap.point;
    }
  }
  return null;
}

function shuffled(parts: readonly string[], chance: Chance): readonly string[] {
  const left = [...parts];
  return parts.map(() => left.splice(chance.below(left.length), 1)[0] ?? '');
}
