/** Ticks of a table of ten through the actor system, with different minds and sinks. */
import { SimulatedClock } from '../../actors/engine/clock.ts';
import { MemorySink } from '../../actors/engine/journal/sink.ts';
import { meet, type Run } from './meetings.ts';
import type { Variant } from './rounds.ts';
import { lightMindOf, mindsOf, promiseMinds } from './table-of-ten.ts';

/** Meetings in one go, so that a timing is long enough to be one. */
const MEETINGS = 10;

export function tickVariants(): Variant[] {
  return [
    {
      name: 'actors, minds that answer at once',
      run: () => meetings(() => ({ minds: mindsOf(lightMindOf), sink: null })),
    },
    {
      name: 'actors, minds that answer at once, journal',
      run: () => meetings(() => ({ minds: mindsOf(lightMindOf), sink: new MemorySink() })),
    },
    {
      name: 'actors, scripted minds, journal',
      run: () => meetings(() => ({ minds: null, sink: new MemorySink() })),
    },
    {
      name: 'actors, promise minds with timers',
      run: () => meetings((clock) => ({ minds: promiseMinds(clock), sink: null })),
    },
    {
      name: 'actors, promise minds with timers, journal',
      run: () => meetings((clock) => ({ minds: promiseMinds(clock), sink: new MemorySink() })),
    },
  ];
}

/** Holds the meetings one after the other and counts their ticks. */
async function meetings(
  play: (clock: SimulatedClock) => Pick<Run, 'minds' | 'sink'>,
): Promise<number> {
  let ticks = 0;
  for (let seed = 0; seed < MEETINGS; seed++) {
    const clock = new SimulatedClock();
    ticks += (await meet({ seed, clock, ...play(clock) })).ticks;
  }
  return ticks;
}
