/**
 * The bid stream: all bids of a tick or the deadline, whichever comes first. Bids are committed in the order of the seats,
 * so a race decides nothing. A bid for another tick is late and changes nothing. The arbiter's statechart calls time.
 */
import * as rx from 'rxjs';
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
  messages$: rx.Observable<ToBids>,
  chance: MeetingChance,
): rx.Observable<ToArbiter> {
  const only = <T extends ToBids['type']>(...types: readonly T[]) =>
    messages$.pipe(rx.filter((one): one is Event<T> => types.some((type) => type === one.type)));
  const placed$ = only('bid.placed');
  const open$ = new rx.BehaviorSubject<number | null>(null);
  const late$ = placed$.pipe(
    rx.filter(({ tick }) => tick !== open$.value),
    rx.map(({ tick, bid }): ToArbiter => ({ type: 'bid.late', tick, bid })),
  );
  const outstanding$ = only('bids.requested').pipe(
    rx.filter(({ tick }) => tick === open$.value),
    rx.map((): ToArbiter => ({ type: 'bids.outstanding' })),
  );
  const gathered$ = only('bids.awaited', 'tick.abandoned').pipe(
    rx.tap((event) => open$.next(event.type === 'bids.awaited' ? event.tick : null)),
    rx.switchMap((event) =>
      event.type === 'tick.abandoned'
        ? rx.EMPTY
        : collectBids(event, placed$).pipe(
            rx.takeUntil(only('time.called').pipe(rx.filter(({ tick }) => tick === event.tick))),
            rx.takeLast(1),
            rx.defaultIfEmpty(NOBODY),
            rx.tap(() => open$.next(null)),
            rx.map((bids) => commitBids(event, bids, chance)),
          ),
    ),
  );
  return rx.merge(late$, gathered$, outstanding$);
}

const NOBODY: Collected = new Map();

/** If a player bids and then leaves, the departure replaces the bid. The map grows within one tick and is not kept. */
function collectBids(
  { tick, seats }: Event<'bids.awaited'>,
  placed$: rx.Observable<Event<'bid.placed'>>,
): rx.Observable<Collected> {
  if (seats.length === 0) return rx.of(NOBODY);
  return placed$.pipe(
    rx.filter((event) => event.tick === tick && seats.includes(event.bid.seat)),
    rx.scan((bids, { bid }) => bids.set(bid.seat, bid), new Map<Colour, Bid>()),
    rx.takeWhile((bids) => bids.size < seats.length, true),
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
  const messages$ = new rx.Subject<ToBids>();
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
