/** Orders in print: what somebody thought and set out to do, as far as it can be read. */
import type { SeenOf } from '../../machines/journal/lens.ts';
import type { Colour } from '../../machines/types.ts';

export type Round = SeenOf<'round.closed'>;
export type RoundEvent = NonNullable<Round['events']>[number];
type SeenOrder = NonNullable<Round['orders']>[number];

/** What somebody is about: the kind of it, and the task when it is one. */
export type Aim = { readonly type: string; readonly task: string };

export function thoughtOf({ reading, received }: SeenOrder): string {
  return reading?.internal_thought ?? text(received, 'internal_thought');
}

/** What was thought by somebody in a round; undefined when nothing is known of it. */
export function thoughtIn({ orders = [] }: Round, seat: Colour): string | undefined {
  const order = orders.find((each) => each.seat === seat);
  return order === undefined || order.fault !== undefined ? undefined : thoughtOf(order);
}

/** Null when they go on with what they are about. */
export function aimOf({ reading, received, fault }: SeenOrder): Aim | null {
  if (fault !== undefined) return null;
  const action = reading === undefined ? field(received, 'action') : reading.action;
  const type = text(action, 'type');
  return type === '' ? null : { type, task: text(action, 'task') };
}

/** What somebody sets out to do in a round; null when they go on with what they are about. */
export function newAim({ orders = [] }: Round, seat: Colour): Aim | null {
  const order = orders.find((each) => each.seat === seat);
  return order === undefined ? null : aimOf(order);
}

function text(from: unknown, name: string): string {
  const found = field(from, name);
  return typeof found === 'string' ? found : '';
}

/** A field of something that may be anything. */
function field(from: unknown, name: string): unknown {
  if (typeof from !== 'object' || from === null) return undefined;
  return Object.entries(from).find(([key]) => key === name)?.[1];
}
