/** Ticks of a table of ten through the actor system, with different minds and sinks. */
import { SimulatedClock } from '../../actors/engine/clock.ts';
import { MemorySink } from '../../actors/engine/journal/sink.ts';
import { meet, type Run } from './meetings.ts';
import type { Variant } from './rounds.ts';
import { lightMindOf, mindsOf, promiseMinds } from './table-of-ten.ts';

/** Meetings in one go, so that a timing is long enough to be one. */
const MEETINGS = 10;

export function tickVariants(): Variant[] {
  const light = () => mindsOf(lightMindOf);
  const none = () => null;
  const journal = () => new MemorySink();
  return [
    variant('minds that answer at once', light, none),
    variant('minds that answer at once, journal', light, journal),
    variant('scripted minds, journal', none, journal),
    variant('promise minds with timers', promiseMinds, none),
    variant('promise minds with timers, journal', promiseMinds, journal),
  ];
}

/** Holds the meetings one after the other and counts their ticks. */
function variant(
  name: string,
  minds: (clock: SimulatedClock) => Run['minds'],
  sink: () => Run['sink'],
): Variant {
  const run = async () => {
    let ticks = 0;
    for (let seed = 0; seed < MEETINGS; seed++) {
      const clock = new SimulatedClock();
      ticks += (await meet({ seed, clock, minds: minds(clock), sink: sink() })).ticks;
    }
    return ticks;
  };
  return { name: `actors, ${name}`, run };
}
