/**
 * The collection of orders: all of a round or the deadline, whichever comes first. Orders are committed in the order of
 * the seats, so a race decides nothing. An order of another round changes nothing. The game's statechart calls time.
 */
import { fromCallback } from 'xstate';
import type { OrdersInput } from '../../machines/charts/game.ts';
import type { ToOrders } from '../../machines/messages.ts';
import { drawForRound } from '../../machines/rules/dice.ts';
import type { Order } from '../../machines/rules/ship/orders.ts';
import { LATE } from '../../machines/rules/tick.ts';
import type { Colour } from '../../machines/types.ts';
import { contextOf } from './runContext.ts';

type OpenRound = {
  readonly round: number;
  readonly seats: readonly Colour[];
  readonly orders: Map<Colour, Order>;
  /** All requests are out: the last order closes the round. */
  isAsked: boolean;
};

export const ordersLogic = fromCallback<ToOrders, OrdersInput>((scope) => {
  const { sendBack, receive, input, system } = scope;
  let open: OpenRound | null = null;
  const close = ({ round, seats, orders }: OpenRound) => {
    open = null;
    const event = {
      type: 'orders.gathered' as const,
      round,
      orders: seats.map((seat) => orders.get(seat) ?? { ...LATE_ORDER, seat }),
      draws: drawForRound(input.seed, round, input.seats),
    };
    contextOf(system).handOn(event, sendBack);
  };
  receive((event) => {
    if (event.type === 'orders.awaited') {
      open = { round: event.round, seats: event.seats, orders: new Map(), isAsked: false };
      return;
    }
    if (open === null || open.round !== event.round) return;
    if (event.type === 'order.placed') open.orders.set(event.order.seat, event.order);
    if (event.type === 'orders.requested') open.isAsked = true;
    const isComplete = open.orders.size === open.seats.length;
    if (event.type === 'time.called' || (open.isAsked && isComplete)) close(open);
    else if (event.type === 'orders.requested') sendBack({ type: 'orders.outstanding' });
  });
});

const LATE_ORDER = { type: 'fault', code: LATE, text: 'no decision before the deadline' } as const;
