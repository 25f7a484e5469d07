/**
 * The bid stream: all bids of a tick or the deadline, whichever comes first. Bids are committed in the order of the seats,
 * so a race decides nothing. A bid for another tick is late and changes nothing. The arbiter's statechart calls time.
 */
import {
  BehaviorSubject,
  defaultIfEmpty,
  EMPTY,
  filter,
  map,
  merge,
  type Observable,
  of,
  Subject,
  scan,
  switchMap,
  takeLast,
  takeUntil,
  takeWhile,
  tap,
} from 'rxjs';
import { fromCallback } from 'xstate';
import type { ToArbiter, ToBids } from '../../machines/messages.ts';
import { rollDice } from '../../machines/rules/dice.ts';
import type { MeetingChance } from '../../machines/rules/meeting.ts';
import { LATE } from '../../machines/rules/tick.ts';
import type { Bid, Colour } from '../../machines/types.ts';
import { contextOf } from './runContext.ts';

type Event<T extends ToBids['type']> = Extract<ToBids, { type: T }>;
type Collected = ReadonlyMap<Colour, Bid>;

export function bidStream(
  messages$: Observable<ToBids>,
  chance: MeetingChance,
): Observable<ToArbiter> {
  const only = <T extends ToBids['type']>(...types: readonly T[]) =>
    messages$.pipe(filter((one): one is Event<T> => types.some((type) => type === one.type)));
  const placed$ = only('bid.placed');
  const open$ = new BehaviorSubject<number | null>(null);
  const late$ = placed$.pipe(
    filter(({ tick }) => tick !== open$.value),
    map(({ tick, bid }): ToArbiter => ({ type: 'bid.late', tick, bid })),
  );
  const outstanding$ = only('bids.requested').pipe(
    filter(({ tick }) => tick === open$.value),
    map((): ToArbiter => ({ type: 'bids.outstanding' })),
  );
  const gathered$ = only('bids.awaited', 'tick.abandoned').pipe(
    tap((event) => open$.next(event.type === 'bids.awaited' ? event.tick : null)),
    switchMap((event) =>
      event.type === 'tick.abandoned'
        ? EMPTY
        : collectBids(event, placed$).pipe(
            takeUntil(only('time.called').pipe(filter(({ tick }) => tick === event.tick))),
            takeLast(1),
            defaultIfEmpty(NOBODY),
            tap(() => open$.next(null)),
            map((bids) => commitBids(event, bids, chance)),
          ),
    ),
  );
  return merge(late$, gathered$, outstanding$);
}

const NOBODY: Collected = new Map();

/** If a player bids and then leaves, the departure replaces the bid. The map grows within one tick and is not kept. */
function collectBids(
  { tick, seats }: Event<'bids.awaited'>,
  placed$: Observable<Event<'bid.placed'>>,
): Observable<Collected> {
  if (seats.length === 0) return of(NOBODY);
  return placed$.pipe(
    filter((event) => event.tick === tick && seats.includes(event.bid.seat)),
    scan((bids, { bid }) => bids.set(bid.seat, bid), new Map<Colour, Bid>()),
    takeWhile((bids) => bids.size < seats.length, true),
  );
}

function commitBids(
  { tick, seats }: Event<'bids.awaited'>,
  bids: Collected,
  chance: MeetingChance,
): ToArbiter {
  return {
    type: 'bids.gathered',
    tick,
    bids: seats.map((seat) => bids.get(seat) ?? { ...LATE_BID, seat }),
    dice: rollDice({ ...chance, stream: 'table', tick }, seats),
  };
}

const LATE_BID = { type: 'fault', code: LATE, text: 'no reply before the deadline' } as const;

function openStream(chance: MeetingChance, onEvent: (event: ToArbiter) => void) {
  const messages$ = new Subject<ToBids>();
  const subscription = bidStream(messages$, chance).subscribe(onEvent);
  return {
    send: (message: ToBids) => messages$.next(message),
    close: () => subscription.unsubscribe(),
  };
}

export const bidsLogic = fromCallback<ToBids, { chance: MeetingChance }>(
  ({ sendBack, receive, input, system }) => {
    const stream = openStream(input.chance, (event) => {
      if (event.type === 'bids.gathered') contextOf(system).handOn(event, sendBack);
      else sendBack(event);
    });
    receive(stream.send);
    return stream.close;
  },
);

/** The stream's output to the arbiter after the last of these messages, for a meeting that is stepped by hand. */
export function modelBidStream(bidMessages: readonly ToBids[], chance: MeetingChance) {
  const sent: ToArbiter[] = [];
  const stream = openStream(chance, (event) => sent.push(event));
  for (const message of bidMessages) {
    sent.length = 0;
    stream.send(message);
  }
  stream.close();
  return sent;
}
