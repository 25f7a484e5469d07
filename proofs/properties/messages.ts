/** What is promised about messages: the arbiter hears of every tick, and players are told of what they must know. */
import { type MeetingPromise, type Rest, sentToArbiter, type Turn, told } from './promise.ts';

/** Whether bids are awaited. */
export function isTickOpen({ at }: Rest): boolean {
  return at.endsWith('bidding') || at === 'reaction' || at === 'consolidation';
}

/** Where a tick that was open is not any more, or another one is. */
function movesOn({ before, event, after }: Turn): boolean {
  return event.type === 'tick.closed' || before.at !== after.at;
}

function sent(turn: Turn, type: ReturnType<typeof sentToArbiter>[number]['type']): number {
  let times = 0;
  for (const message of sentToArbiter(turn)) if (message.type === type) times += 1;
  return times;
}

export const messagePromises: readonly MeetingPromise[] = [
  {
    name: 'every-tick-is-opened',
    sentence: 'A tick is opened with the arbiter once, and exactly where bids are awaited next.',
    kind: 'step',
    holds: (turn) => sent(turn, 'tick.opened') === Number(isTickOpen(turn.after) && movesOn(turn)),
  },
  {
    name: 'no-tick-is-left-open',
    sentence: 'A tick that ends before all bids are in is abandoned, and no other one is.',
    kind: 'step',
    holds: (turn) => sent(turn, 'tick.abandoned') === Number(isAbandoned(turn)),
  },
  {
    name: 'every-tick-is-told',
    sentence: 'Each tick that closes is told once, as it was closed.',
    kind: 'step',
    when: ({ before, event }) => event.type === 'tick.closed' && isTickOpen(before),
    holds: (turn) => told(turn, 'tick.closed').length === 1,
  },
  {
    name: 'time-to-read',
    sentence: 'Between two ticks of talk there is a pause exactly where a pause was asked for.',
    kind: 'step',
    when: ({ before, event, after }) =>
      event.type === 'tick.closed' && before.tags.has('talk') && after.tags.has('talk'),
    holds: ({ after }) => after.at.endsWith('pausing') === after.context.options.beatMs > 0,
  },
];

/** The operator’s stop lets the open tick close; only a poll that is complete ends one early. */
function isAbandoned({ before, event, after }: Turn): boolean {
  return (
    before.at.endsWith('bidding') && event.type !== 'tick.closed' && !after.at.endsWith('bidding')
  );
}

/** Promised where somebody may leave. */
export const leavingPromises: readonly MeetingPromise[] = [
  {
    name: 'leaver-is-told',
    sentence: 'A departure is told once, with whether a tick was open.',
    kind: 'step',
    when: (turn) => leaver(turn) !== null,
    holds: (turn) => {
      const [fact, ...others] = told(turn, 'seat.departed');
      const during = isTickOpen(turn.before) ? 'tick' : 'pause';
      return others.length === 0 && fact?.seat === leaver(turn) && fact?.during === during;
    },
  },
  {
    name: 'leaver-has-bid-nothing',
    sentence: 'Who leaves in an open tick has bid nothing in it: the arbiter hears of it.',
    kind: 'step',
    when: (turn) => leaver(turn) !== null,
    holds: (turn) => sent(turn, 'seat.vacated') === Number(isTickOpen(turn.before)),
  },
];

/** Who was at the table and leaves it with this event. */
function leaver({ before, event }: Turn) {
  if (event.type !== 'seat.left') return null;
  return before.context.standings[event.seat] === 'living' ? event.seat : null;
}
