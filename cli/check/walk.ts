/** A walk: the events of a trace, taken again by the machine, with everything it tells on the way. */
import { chooseStepper, type MachineEffect, stateOf, type Trace } from 'glass-box-checker';
import type { ToMeeting } from '../../machines/messages.ts';
import type { Fact } from '../../machines/rules/facts.ts';
import type { Rest, Turn } from '../../proofs/properties/promise.ts';
import type { MeetingEvent, MeetingModel } from './run.ts';

export type Walk = {
  readonly first: Rest;
  /** What was told before anything happened. */
  readonly opening: readonly Fact[];
  readonly turns: readonly Turn[];
};

export function walk(model: MeetingModel, { events }: Pick<Trace<MeetingEvent>, 'events'>): Walk {
  const { stepper } = chooseStepper(model);
  const begun = stepper.initial();
  let { point } = begun;
  const turns = events.map((event): Turn => {
    const before = stateOf(point);
    const leap = stepper.step(point, event);
    point = leap.point;
    // A timer is an event of the chart itself; promises know it by its type alone.
    return { before, event: event as ToMeeting, after: stateOf(point), effects: leap.effects };
  });
  return { first: stateOf(begun.point), opening: factsOf(begun.effects), turns };
}

/** What was told, in order. */
export function factsOf(effects: readonly MachineEffect[]): readonly Fact[] {
  return effects
    .filter(({ type }) => type === 'tell')
    .flatMap(({ params }) => (params as { readonly facts: readonly Fact[] }).facts); // of `tell`
}
