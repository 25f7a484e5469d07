/** The messages between the actors as plain data, and what of them a lens may show. */
import type { Lens } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { playerId } from '../../machines/messages.ts';

/** Names and numbers only. The place is the tick, turn or round of a message, such as "tick 3", or "". */
export type ActorMessage = {
  readonly from: string;
  readonly to: readonly string[];
  readonly type: string;
  readonly place: string;
};

/** Senders that are no machine: a player's mind, and the people who leave or stop a match. */
export const MIND = 'mind';
export const OUTSIDE = 'outside';

/** A game has thousands: "tick 3|bid.requested|arbiter|player:red player:blue". A place that repeats is left out. */
export function packMessages(messages: readonly ActorMessage[]): string {
  const rows = messages.map(({ from, to, type, place }, index) => {
    const isSamePlace = place === (messages[index - 1]?.place ?? '');
    return [...(isSamePlace ? [] : [place]), type, from, to.join(' ')].join('|');
  });
  return rows.join('/');
}

/** Characters of a line that are read. Fifteen players have about three thousand. */
const LONGEST = 30_000;

/** A journal that was edited may have anything there. */
export function unpackMessages(packed: unknown): readonly ActorMessage[] {
  if (typeof packed !== 'string' || packed === '') return [];
  let last = '';
  return packed
    .slice(0, LONGEST)
    .split('/')
    .map((row) => {
      const [to = '', from = '', type = '', place = last] = row.split('|').toReversed();
      last = place;
      return { from, to: to.split(' '), type, place };
    });
}

/** They say no more than the line which they lead to, and everybody sees that line. */
const PUBLIC =
  'tick.opened tick.closed orders.gathered seat.left meeting.stopped game.stopped'.split(' ');

const OWN = `meeting.opened rounds.seen order.requested mind.decided order.placed round.missed
  bid.requested mind.answered bid.placed tick.missed vote.locked vote.cleared notice.given seat.died seat.departed
  talk.invited ghost.answered turn.missed scratchpads.consolidated scratchpads.erased`.split(/\s+/);

/** All messages of a tick come with the line that closes it, because their times and unclosed ticks are secret. */
export function carryMessages(lens: Lens) {
  const own = lens.type === 'player' ? playerId(lens.seat) : null;
  let opening: ActorMessage[] = [];
  const waiting: ActorMessage[] = [];
  return (line: Pick<Line, 'type'>, packed: string, isShown: boolean): string => {
    if (lens.type === 'glass') return packed;
    for (const message of unpackMessages(packed)) {
      const { from, to, type, place } = message;
      const isOwn = [from, ...to].some((each) => each === own) && OWN.includes(type);
      if (!isOwn && !PUBLIC.includes(type)) continue;
      const seen =
        isOwn && from !== own ? { ...message, to: to.filter((each) => each === own) } : message;
      const isOpen = place === opening[0]?.place;
      if (type === 'tick.opened') opening = [seen];
      else if (type === 'bid.requested' || (isOpen && line.type !== 'tick.closed'))
        opening.push(seen);
      else waiting.push(...(isOpen ? opening.splice(0) : []), seen);
    }
    return isShown ? packMessages(waiting.splice(0)) : '';
  };
}
