/** Tables at which everything goes wrong at once, by seed, for laws that always hold. */
import type { SimulatedClock } from '../../../actors/engine/clock.ts';
import type { MeetingMatch } from '../../../machines/setup/match.ts';
import { COLOURS } from '../../../machines/types.ts';
import { dealer, fraction, gossip, HABITS } from './gossip.ts';
import { aTable, following, type Staging, slowly } from './meetings.ts';

/** Short times, so that outside events hit any moment. */
export function turmoil(seed: number): MeetingMatch {
  const { is, below, one } = dealer(seed, 2);
  const rules = one(['house', 'classic'] as const);
  const size = { living: 4 + below(5), dead: below(3) };
  return aTable(size, {
    ghosts: { present: is(0.8), budget: below(9) },
    options: {
      rules,
      deadline_ms: 60 + below(60),
      beat_ms: one([0, 0, 7]),
      patience: 2 + below(4),
      vote_after: is(0.3) ? below(6) : null,
      max_ticks: is(0.5) ? 1 + below(15) : null,
      voting_time: one([15, 30, 60]),
    },
  });
}

/** Gossips of all paces; some leave and somebody stops the run, at any moment. */
export function disturbed(seed: number, clock: SimulatedClock): Partial<Staging> {
  const { is, below, one } = dealer(seed, 3);
  const gossips = following(gossip(seed, { ...HABITS, votes: 0.15 }));
  return {
    recast: (mind, seat) => {
      const light = gossips(mind, seat);
      const lane = COLOURS.indexOf(seat);
      if (fraction(seed, lane) < 0.2) return light;
      return slowly(light, clock, ({ index }) => Math.floor(80 * fraction(seed, index, lane)));
    },
    begun: (held) => {
      const count = below(5);
      for (let index = 0; index < count; index++) {
        const seat = one(COLOURS.slice(0, 8));
        clock.setTimeout(() => held.leave(seat), below(1500));
      }
      const ending = one(['stop', 'end'] as const);
      if (is(0.3)) clock.setTimeout(() => held[ending](), below(1500));
    },
  };
}
