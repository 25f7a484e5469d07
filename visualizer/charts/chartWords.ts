/** The words for the events and guards of the charts. */
import { capitalize } from '../../machines/text.ts';

/** What a row of a table says now, "The tick closes", and of a past move, "tick 6 closed". */
export type ChartWords = { readonly now: string; readonly past: string };

/** In the past `#` stands for the number and `@` for the seat that the event names. */
const EVENTS: Readonly<Record<string, readonly [now: string, past: string]>> = {
  always: ['By itself', ''],
  'tick.closed': ['The tick closes', 'tick # closed'],
  'seat.left': ['A player leaves the table', '@ left the table'],
  'seat.vacated': ['A player leaves the table', '@ left the table'],
  'seat.departed': ['The player leaves', 'the player left'],
  'seat.died': ['The player dies', 'the player died'],
  'bids.gathered': ['All bids are in', 'all bids of tick # were in'],
  'bids.outstanding': ['Somebody is still thinking', 'somebody was still thinking'],
  'bid.late': ['A bid comes too late', 'a bid came too late'],
  'orders.gathered': ['All orders are in', 'all orders of round # were in'],
  'orders.outstanding': ['Somebody is still thinking', 'somebody was still thinking'],
  'bid.requested': ['The mind is asked for a bid', 'the mind was asked for a bid'],
  'order.requested': ['The mind is asked for an order', 'the mind was asked for an order'],
  'talk.invited': ['The ghost is asked for a message', 'the ghost was asked for a message'],
  'mind.answered': ['The mind answers', 'the mind answered'],
  'mind.decided': ['The mind decides', 'the mind decided'],
  'rounds.seen': ['The player sees the ship', 'the player saw the ship'],
  'ghost.joined': ['A player joins the ghosts', '@ joined the ghosts'],
  'ghost.answered': ['A ghost answers', 'a ghost answered'],
  'turn.ended': ['The turn ends', 'the turn ended'],
  'table.changed': ['Something happens at the table', 'something happened at the table'],
  'meeting.over': ['The meeting ends', 'the meeting ended'],
};

/** The past is empty where it goes without saying. */
const GUARDS: Readonly<Record<string, readonly [now: string, past: string]>> = {
  operatorStops: ['The operator stops it', ''],
  leaverIsLiving: ['The player who leaves is alive', ''],
  isCallLegal: ['The call is legal', 'the call was legal'],
  isStopped: ['The operator has stopped the run', 'the operator had stopped the run'],
  isUnconverged: ['A limit of the operator is reached', 'a limit of the operator was reached'],
  everyoneVoted: ['All living players have voted', 'everyone had voted'],
  timeIsUp: ['Voting time is up', 'voting time was up'],
  ballotsAreDue: ['It is time for ballots', 'it was time for ballots'],
  hasNoBeat: ['No pause is set', ''],
  everyBallotTurned: ['Every ballot is turned', 'every ballot had been turned'],
  isOpenTick: ['The open tick is meant', ''],
  isOver: ['The game is decided', 'the game was decided'],
  isCalled: ['A player has called a meeting', 'a player had called a meeting'],
  isThisRound: ['This round is meant', ''],
  hasGlimpse: ['The table has something new', ''],
  hasNoGhosts: ['Nobody is dead', 'nobody was dead'],
  isMeetingOver: ['The meeting is over', ''],
  hasEveryGhostAnswered: ['Every ghost has answered', 'every ghost had answered'],
  isThisTurn: ['This turn is meant', ''],
  isGhost: ['The player is dead', 'the player was dead'],
  isCurrent: ['The last request is meant', ''],
  isMissed: ['The last request is meant', ''],
};

/** The words for an event as the chart writes it. Machines of other projects have names of a similar form. */
export function wordEvent(event: string): ChartWords {
  const known = EVENTS[event];
  if (known !== undefined) return { now: known[0], past: known[1] };
  const [, kind, what = ''] = /^(after|done|error) ?(.*)$/.exec(event) ?? [];
  const name = spaceOut(what);
  if (kind === 'after') {
    const delay = /^\d/.test(name) ? name : `the ${name}`;
    return { now: `After ${delay}`, past: `${delay} passed` };
  }
  if (kind === 'done') return { now: `The ${name} ends`, past: `the ${name} ended` };
  if (kind === 'error') return { now: `The ${name} fails`, past: `the ${name} failed` };
  const [, noun, verb] = /^([a-z]+)\.([a-z]+(?:ed|en))$/.exec(event) ?? [];
  if (noun === undefined) return { now: event, past: `${event} came` };
  const [is, was] = noun.endsWith('s') ? ['are', 'were'] : ['is', 'was'];
  return { now: `The ${noun} ${is} ${verb}`, past: `the ${noun} ${was} ${verb}` };
}

/** The words for a guard, whose name may join others by "and", "or" and "not". */
export function wordGuard(name: string): ChartWords {
  const now = name.replace(/[\w.]+/g, (part) => {
    const [words] = GUARDS[part] ?? [];
    return words === undefined ? part : lowerFirst(words);
  });
  const past = name.split(' and ').flatMap((part) => GUARDS[part]?.[1] || []);
  return { now: capitalize(now), past: past.join(' and ') };
}

/** "lockedIn" as "locked in". */
export function spaceOut(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
