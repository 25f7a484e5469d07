import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import type { RunningMeeting } from '../../../actors/engine/match.ts';
import type { Mind } from '../../../actors/minds/port.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { aMeetingMatch } from '../../machines/builders.ts';
import { aReply, linesOf, meet, slowly } from '../laws/meetings.ts';

/** Everybody talks; red the loudest and first of all, so that red's bid is in before anybody else's. */
function loud(clock: SimulatedClock, leaves: () => void) {
  return (_: Mind, seat: string): Mind =>
    slowly(
      {
        pace: 'at-once',
        answer: ({ index }) => {
          if (seat === 'orange' && index === 1) clock.setTimeout(leaves, 20);
          const shout = { desire_to_speak: 10, message: 'blue, blue and blue again' };
          const talk = { desire_to_speak: 1, message: 'who was near the body?' };
          return { ok: true, received: aReply(seat === 'red' ? shout : talk) };
        },
      },
      clock,
      () => (seat === 'red' ? 1 : 50),
    );
}

async function afterRedLeft(): Promise<readonly Line[]> {
  const clock = new SimulatedClock();
  let held: RunningMeeting | null = null;
  const meeting = await meet(aMeetingMatch({ options: { max_ticks: 6 } }), 3, {
    clock,
    begun: (begun) => {
      held = begun;
    },
    recast: loud(clock, () => held?.leave('red')),
  });
  return linesOf(meeting);
}

describe('who leaves in the middle of a tick', () => {
  test('a player who leaves has made no bid: their message is not published, and they name nobody', async () => {
    const lines = await afterRedLeft();
    const ticks = lines.filter((line) => line.type === 'tick.closed');
    expect(ticks[0]?.floor).toBe('red');
    expect(ticks[1]?.bids[0]).toMatchObject({ seat: 'red', fault: 'seat/left' });
    expect(ticks[1]?.floor).not.toBe('red');
    expect(ticks[1]?.floor).not.toBeNull();
    expect(ticks.slice(1).filter(({ said }) => said?.speaker === 'red')).toEqual([]);
  });

  test('a player who leaves is announced before the tick closes, and is not asked again', async () => {
    const lines = await afterRedLeft();
    const gone = lines.findIndex(({ type }) => type === 'seat.departed');
    const tick = lines.findIndex((line) => line.type === 'tick.closed' && line.tick === 1);
    expect(gone).toBeGreaterThan(0);
    expect(gone).toBeLessThan(tick);
    const later = lines.slice(tick + 1).filter((line) => line.type === 'tick.closed');
    expect(later.length).toBeGreaterThan(0);
    for (const { bids } of later) expect(bids.map(({ seat }) => seat)).not.toContain('red');
  });
});
