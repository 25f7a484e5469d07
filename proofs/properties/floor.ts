/** Properties of ticks and of presence: requests, views, the speaker, faults and departures. */
import type { MeetingOptions } from '../../machines/rules/options.ts';
import { LEFT, OUTAGE } from '../../machines/rules/tick.ts';
import type { Colour } from '../../machines/types.ts';
import { clockMarks } from '../models/clock.ts';
import { requestKindAt } from '../models/closings.ts';
import { rememberLast } from '../models/rememberLast.ts';
import {
  allHold,
  bidOf,
  type Clauses,
  declareProperties,
  factsOfType,
  hasFact,
  isClassic,
  isLiving,
  isTalkClosing,
  listClauses,
  livingSeats,
  type MeetingProperty,
  type MeetingSnapshot,
  type MeetingTransition,
  messagesToArbiter,
  sameFields,
  seatsOf,
  talkBids,
  valuesOf,
} from './property.ts';
import { expectedResult } from './votes.ts';

export function isTickOpen({ at }: MeetingSnapshot): boolean {
  return requestKindAt(at) !== null;
}

function isOpening({ before, event, after }: MeetingTransition): boolean {
  return isTickOpen(after) && (event.type === 'tick.closed' || before.at !== after.at);
}

/** The operator's stop lets the open tick close. Only a complete poll ends one early. */
function isAbandoned({ before, event, after }: MeetingTransition): boolean {
  return (
    before.at.endsWith('bidding') && event.type !== 'tick.closed' && !after.at.endsWith('bidding')
  );
}

const marksWithoutLimit = rememberLast((options: MeetingOptions) =>
  clockMarks({ ...options, maxTicks: null }),
);

function expectedTable(state: MeetingSnapshot) {
  const { options, call, record, ship, standings, ballots } = state.context;
  const { rules, confirmEjects, anonymousVotes } = options;
  const { by, kind, body, place } = call;
  const requestKind = requestKindAt(state.at);
  const withoutLimit = marksWithoutLimit(options);
  return {
    ...{ requestKind, rules, confirmEjects, anonymousVotes, record, ship },
    seats: seatsOf(state).map((colour) => ({
      colour,
      standing: standings[colour] ?? 'departed',
      voted: ballots[colour] !== undefined,
    })),
    call: { by, kind, body, place },
    votesOpen: requestKind === 'voting' || !isClassic(state),
    // The tick after which votes count, and the tick after which the poll closes.
    clock: {
      openAfter: rules === 'house' ? 0 : (withoutLimit.ballots ?? 0),
      closeAfter: withoutLimit.timeUp,
    },
    announced: expectedResult(state),
  };
}

export const tickProperties = declareProperties<MeetingProperty>({
  'all-living-are-asked': {
    sentence:
      'When the meeting starts waiting for bids, the arbiter opens one tick and asks exactly the living players. They see the call, the options, the voting clock, the public record, who is present and who has voted, but no ballot before all are revealed. A tick that ends before all bids are in is abandoned.',
    holds: (transition) => {
      const { after } = transition;
      const sent = messagesToArbiter(transition);
      const opened = sent.filter((message) => message.type === 'tick.opened');
      const abandoned = sent.filter(({ type }) => type === 'tick.abandoned');
      const [tick] = opened;
      const fields: Clauses =
        tick === undefined
          ? {}
          : {
              ...listClauses(tick.table, expectedTable(after)),
              'the asked players': [tick.seats, livingSeats(after)],
              'who has voted': [
                tick.voted,
                seatsOf(after).filter((seat) => after.context.ballots[seat] !== undefined),
              ],
            };
      return allHold({
        'the number of opened ticks': [opened.length, Number(isOpening(transition))],
        'the number of abandoned ticks': [abandoned.length, Number(isAbandoned(transition))],
        ...fields,
      });
    },
  },
  'ticks-are-announced-as-they-were': {
    sentence:
      'Each tick that closes is announced once, with its number, its kind, all bids in order and the dice. At most one player speaks: the one who won the floor, word for word, unless they are dead or departed, and no one in the reaction and the consolidation.',
    when: ({ before, event }) => event.type === 'tick.closed' && isTickOpen(before),
    holds: (transition) => {
      const { before, event } = transition;
      const [fact = {}, ...others] = factsOfType(transition, 'tick.closed');
      if (event.type !== 'tick.closed') return false;
      const { decision } = event;
      const isHeard =
        decision === null || decision.floor === null || isLiving(before, decision.floor);
      const heard = isHeard
        ? decision
        : { ...decision, floor: null, tieBreak: null, said: null, hits: [] };
      return allHold({
        ...listClauses(fact, { ...event, decision: before.tags.has('talk') ? heard : null }),
        'it is announced once': others.length === 0,
        'the speaker has the floor': (heard?.said?.speaker ?? heard?.floor) === heard?.floor,
      });
    },
  },
  'time-to-read': {
    sentence: 'Between two ticks of talk there is a pause exactly if one is configured.',
    when: (transition) => isTalkClosing(transition) && transition.after.tags.has('talk'),
    holds: ({ after }) => after.at.endsWith('pausing') === after.context.options.beatMs > 0,
  },
});

/** A fault adds one, except in an outage (ruling 54). A reply ends them. */
function faultsInARow(transition: MeetingTransition, seat: Colour): number {
  const bid = bidOf(transition, seat);
  if (bid?.type !== 'fault') return 0;
  return (transition.before.context.streaks[seat] ?? 0) + Number(!bid.code.startsWith(OUTAGE));
}

function isGettingUp(transition: MeetingTransition, seat: Colour): boolean {
  if (transition.event.type === 'seat.left') return transition.event.seat === seat;
  const bid = bidOf(transition, seat);
  return bid?.type === 'fault' && bid.code === LEFT;
}

const expectedLeavers = rememberLast((transition: MeetingTransition): readonly Colour[] => {
  const { patience } = transition.before.context.options;
  return livingSeats(transition.before).filter(
    (seat) => isGettingUp(transition, seat) || faultsInARow(transition, seat) >= patience,
  );
});

/** Faults in a row are kept while votes may come. */
function expectedStreaks(transition: MeetingTransition) {
  const { before, after } = transition;
  if (after.context.poll !== null) return {};
  const { streaks } = before.context;
  if (!before.tags.has('talk')) return streaks;
  const leavers = expectedLeavers(transition);
  const counted: Partial<Record<Colour, number>> = {};
  for (const seat of seatsOf(before)) {
    const isBid = isLiving(before, seat) && bidOf(transition, seat) !== null;
    const own = isBid ? faultsInARow(transition, seat) : (streaks[seat] ?? 0);
    if (own !== 0 && !leavers.includes(seat)) counted[seat] = own;
  }
  return counted;
}

export const presenceProperties = declareProperties<MeetingProperty>({
  'departure-has-a-reason': {
    sentence:
      'A player is gone exactly when they left, or failed as often in a row as `patience` allows in the talk. Only the ejected player dies, when the result is announced, unless they have left. The dead and the gone stay so. A departure is announced once, with its reason and whether a tick was open, and the arbiter is informed during a tick. A game learns of all who were lost through faults.',
    holds: (transition) => {
      const { before, event, after } = transition;
      const leavers = expectedLeavers(transition);
      const standings = { ...before.context.standings };
      for (const seat of leavers) standings[seat] = 'departed';
      const { ejected } = before.context;
      const isDying = ejected !== null && hasFact('verdict.announced')(transition);
      if (isDying && isLiving(before, ejected)) standings[ejected] = 'dead';
      const isInTick = isTickOpen(before);
      const during = event.type !== 'seat.left' ? null : isInTick ? 'tick' : 'pause';
      const missed = messagesToArbiter(transition).flatMap((message) =>
        message.type === 'seat.vacated' ? [message.seat] : [],
      );
      const { world, faulted } = before.context;
      const failing = leavers.filter((seat) => !isGettingUp(transition, seat));
      return allHold({
        'the standings': [after.context.standings, standings],
        'the lost': [after.context.faulted, world === null ? [] : [...faulted, ...failing]],
        'the departures': [
          valuesOf(transition, 'seat.departed', 'seat', 'reason', 'during'),
          leavers.map((seat) => {
            return [seat, isGettingUp(transition, seat) ? 'left' : 'faults', during];
          }),
        ],
        'whom the arbiter misses': [missed, during === 'tick' ? leavers : []],
      });
    },
  },
  'faults-are-counted': {
    sentence:
      'While voting is possible, faults in a row are counted, except in an outage, and one reply resets the count. The dead and the departed have none. Each fault of a living player in a tick of talk is noted with its code and that number.',
    holds: (transition) => {
      const { before, after } = transition;
      const failing = talkBids(transition).flatMap((bid) =>
        bid.type === 'fault' && isLiving(before, bid.seat)
          ? [[bid.seat, bid.code, faultsInARow(transition, bid.seat)]]
          : [],
      );
      return allHold({
        'the counts': sameFields(after.context.streaks, expectedStreaks(transition)),
        'the notes': [valuesOf(transition, 'seat.faulted', 'seat', 'code', 'streak'), failing],
      });
    },
  },
});
