/** Hearing: the bid stream that runs, as a part of a meeting that is stepped by hand. */

import { chooseStepper } from 'glass-box-checker';
import { Subject } from 'rxjs';
import type { AnyStateMachine } from 'xstate';
import { bidStream } from '../../actors/engine/bids.ts';
import { arbiterMachine } from '../../machines/charts/arbiter.ts';
import type { ToArbiter, ToBids } from '../../machines/messages.ts';
import type { MeetingChance } from '../../machines/rules/meeting.ts';
import {
  type Cast,
  type Company,
  company,
  type Stage,
  type Stepper,
} from '../../proofs/models/ensemble.ts';
import { arbiterPosting } from '../../proofs/models/posting.ts';

/** The stream that runs, told everything anew: it remembers nothing that is not in the basket. */
export function heardFrom(basket: readonly ToBids[], chance: MeetingChance) {
  const heard: ToArbiter[] = [];
  const opened$ = new Subject<Extract<ToBids, { type: 'bids.awaited' | 'tick.abandoned' }>>();
  const requested$ = new Subject<Extract<ToBids, { type: 'bids.requested' }>>();
  const placed$ = new Subject<Extract<ToBids, { type: 'bid.placed' }>>();
  const called$ = new Subject<Extract<ToBids, { type: 'time.called' }>>();
  const stream = bidStream({ opened$, requested$, placed$, called$ }, chance);
  const subscription = stream.subscribe((event) => heard.push(event));
  for (const message of basket) {
    heard.length = 0;
    if (message.type === 'bid.placed') placed$.next(message);
    else if (message.type === 'bids.requested') requested$.next(message);
    else if (message.type === 'time.called') called$.next(message);
    else opened$.next(message);
  }
  subscription.unsubscribe();
  return heard;
}

/** A company whose charts are stepped by the checker, with the bid stream that runs, or another one. */
export function companyOf(
  cast: Cast,
  bids: Stage['bids'] = heardFrom,
  arbiter = arbiterMachine,
): Company {
  // A stepper takes any point of its machine; the ensemble hands back the points that it was given.
  const stepperOf = (machine: AnyStateMachine, input: unknown) =>
    chooseStepper({ name: machine.id, machine, input, world: () => [], properties: [] })
      .stepper as unknown as Stepper;
  return company(cast, {
    stepper: (machine, input) => {
      const isArbiter = machine.id === arbiterMachine.id && arbiter !== arbiterMachine;
      return stepperOf(isArbiter ? arbiterPosting(arbiter) : machine, input);
    },
    bids,
  });
}
