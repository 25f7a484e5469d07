import type { EventObject } from 'xstate';
import { listEvents } from '../explore.ts';
import { type Model, type PropertyResult, type State, stateOf, type Trace } from '../model.ts';
import { createXstateStepper } from '../xstateStepper.ts';

/** The states along a trace, the first one included. Throws where the world does not offer the next event. */
export function statesAlong<C, E extends EventObject>(
  model: Model<C, E>,
  { events }: Trace<EventObject>,
): readonly State<C>[] {
  const stepper = createXstateStepper<C, E>(model.machine, model.input);
  let { point } = stepper.initial();
  const states = [stateOf(point)];
  for (const event of events) {
    const offered = listEvents(model, point).find(
      (one) => JSON.stringify(one) === JSON.stringify(event),
    );
    if (offered === undefined)
      throw new Error(`${event.type} cannot happen in ${point.place.name}`);
    point = stepper.step(point, offered).point;
    states.push(stateOf(point));
  }
  return states;
}

export function traceOf({ name, verdict }: PropertyResult<EventObject>): Trace<EventObject> {
  if (verdict.type !== 'violated') throw new Error(`${name} is ${verdict.type}, not violated`);
  return verdict.trace;
}
