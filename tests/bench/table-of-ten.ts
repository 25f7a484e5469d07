/** The table that is measured: ten living players who talk for ever, with minds that cost next to nothing. */
import type { SimulatedClock } from '../../actors/engine/clock.ts';
import type { Answer, LightMind, Mind, MindRequest, SlowMind } from '../../actors/minds/port.ts';
import { type MeetingMatch, meetingMatchSchema } from '../../machines/setup/match.ts';
import { type BySeat, COLOURS, type Colour } from '../../machines/types.ts';

const TEN = COLOURS.slice(0, 10);
/** Ticks of one measured meeting: a long talk, far from the token target. */
const TICKS = 50;

export const tableOfTen: MeetingMatch = meetingMatchSchema.parse({
  name: 'ten who talk',
  call: { by: 'red' },
  options: { max_ticks: TICKS },
  seats: TEN.map((colour, index) => ({ colour, role: index < 2 ? 'impostor' : 'crewmate' })),
});

/** A reply as a model would give it: the design's fields, a message now and then with a name in it. */
function replyTo({ index: tick }: MindRequest, seat: Colour): Answer {
  const index = COLOURS.indexOf(seat);
  const other = TEN[(index + tick) % TEN.length] ?? 'red';
  return {
    ok: true,
    received: {
      internal_thought: 'who was it',
      desire_to_speak: (index * 7 + tick * 3) % 11,
      message: `I saw ${other} in Electrical`,
      target: null,
      vote_action: null,
      scratchpad_updates: {},
    },
  };
}

export const lightMindOf = (seat: Colour): LightMind => ({
  pace: 'at-once',
  answer: (request) => replyTo(request, seat),
});

/** Minds that answer after some simulated milliseconds. */
export function promiseMinds(clock: SimulatedClock): BySeat<Mind> {
  return mindsOf(
    (seat): SlowMind => ({
      pace: 'in-time',
      answer: async (request) => {
        await clock.sleep(delayMs(request.index, seat));
        return replyTo(request, seat);
      },
    }),
  );
}

/** Between 5 and 50 milliseconds, in no order that the seats could guess. */
function delayMs(tick: number, seat: Colour): number {
  return 5 + ((COLOURS.indexOf(seat) * 31 + tick * 17) % 46);
}

export function mindsOf<M extends Mind>(make: (seat: Colour) => M): BySeat<M> {
  return Object.fromEntries(TEN.map((seat) => [seat, make(seat)]));
}
