/**
 * The order: a mind's reply in the action phase, and how it is read. Small mistakes are corrected and noted. Anything
 * else is a fault, and the player waits.
 */

import { z } from 'zod';
import {
  type Decision,
  INTENTS,
  type Intent,
  LONGEST_WAIT,
} from '../machines/rules/ship/orders.ts';
import { TASK_IDS } from '../machines/rules/ship/tasks.ts';
import { isRecord, parseJson } from '../machines/text.ts';
import { COLOURS, type Note, PLACES, ROOMS, SYSTEMS } from '../machines/types.ts';
import { cleanPage } from './clean.ts';
import {
  flatPads,
  isWirePads,
  leaveOutMisshapen,
  noteReadings,
  padsSchema,
  readAs,
  readPads,
  showValue,
  type Unreadable,
  type WireReply,
} from './reply.ts';

export type WireOrder = Pick<WireReply, 'internal_thought' | 'scratchpad_updates'> & {
  readonly action: Intent | null;
};

const orderSchema = z.object({
  internal_thought: z.string().nullish(),
  action: z.unknown(),
  scratchpad_updates: padsSchema,
  read_as: readAs,
  ...flatPads,
});

export type OrderReading = { readonly ok: true; readonly decision: Decision } | Unreadable;

/** Accepts an object, or text that is one. */
export function readOrder(received: unknown): OrderReading {
  const value = typeof received === 'string' ? parseJson(received) : received;
  const notes: Note[] = [];
  if (isWireOrder(value)) return normaliseOrder(value, notes);
  const checked = orderSchema.safeParse(leaveOutMisshapen(orderSchema, value, notes));
  if (!checked.success) {
    const text = `expected a JSON object with an action, found ${showValue(received)}`;
    return { ok: false, code: 'order/not-an-order', text };
  }
  return normaliseOrder(checked.data, notes);
}

/** A quick test for the exact wire form. Everything else goes through the schema. */
function isWireOrder(value: unknown): value is Omit<WireOrder, 'action'> & { action: unknown } {
  return (
    isRecord(value) &&
    typeof value['internal_thought'] === 'string' &&
    isWirePads(value['scratchpad_updates']) &&
    Object.hasOwn(value, 'action') &&
    Object.keys(value).length === WIRE_FIELDS
  );
}

const WIRE_FIELDS = 3;

function normaliseOrder(wire: z.infer<typeof orderSchema>, notes: Note[]): OrderReading {
  const { internal_thought, action, read_as } = wire;
  notes.push(...noteReadings(read_as));
  const intent = readIntent(action, notes);
  if (intent === undefined) {
    const text = `action: expected null or an object with a type (${INTENTS.join(', ')}) and what it needs, found ${showValue(action)}`;
    return { ok: false, code: 'order/no-action', text };
  }
  const pads = readPads(wire, notes);
  const thought = cleanPage(internal_thought ?? '');
  return { ok: true, decision: { thought, intent, pads, notes } };
}

/**
 * Null to continue, undefined if the action makes no sense. Unneeded fields are ignored. `to` may hold a place and
 * `whom` a player for every action, because the wire form is flat (action.ts).
 */
function readIntent(action: unknown, notes: Note[]): Intent | null | undefined {
  if (action === null || action === undefined) return null;
  if (typeof action === 'string') {
    // An action in one word, such as "wait" or "button". Any other word continues.
    const type = findWord(INTENTS, action);
    return type === undefined ? null : readIntent({ type }, notes);
  }
  if (typeof action !== 'object') return undefined;
  const field = (name: string): string | null => {
    const value: unknown = Reflect.get(action, name);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
  };
  if (Reflect.get(action, 'type') === null) return null;
  const type = findWord(INTENTS, field('type'));
  return type && buildIntent(type, field, notes);
}

function buildIntent(
  type: Intent['type'],
  field: (name: string) => string | null,
  notes: Note[],
): Intent | undefined {
  const find = <T extends string>(words: readonly T[], name: string, flatName = name) =>
    findWord(words, field(name) ?? field(flatName));
  const to = find(PLACES, 'to');
  const whom = find(COLOURS, 'whom');
  const body = find(COLOURS, 'body', 'whom');
  const task = find(TASK_IDS, 'task');
  const system = find(SYSTEMS, 'system');
  const room = find(ROOMS, 'room', 'to');
  const at = find(ROOMS, 'at', 'to');
  const what = find(['cameras', 'admin'], 'what');
  const vent = Number(field('to') ?? Number.NaN);
  switch (type) {
    case 'wait':
      return { type, rounds: readRounds(field('rounds') ?? '1', notes) };
    case 'surface':
    case 'button':
      return { type };
    case 'go':
      return to && { type, to };
    case 'follow':
      return whom && { type, whom, rounds: readRounds(field('rounds'), notes) };
    case 'kill':
      return whom && { type, whom };
    case 'task':
    case 'fake':
      return task && { type, task };
    case 'vent':
      return Number.isInteger(vent) ? { type, to: vent } : undefined;
    case 'sabotage':
      return system && { type, system };
    case 'shut':
      return room && { type, room };
    case 'fix':
      return at && { type, at };
    case 'report':
      return body && { type, body };
    case 'watch':
      return what && { type, what, rounds: readRounds(field('rounds'), notes) };
  }
}

/** A whole number of rounds within bounds, or the longest if none is given. */
function readRounds(text: string | null, notes: Note[]): number {
  if (text === null) return LONGEST_WAIT;
  const given = Number(text);
  const rounds = Number.isNaN(given) ? 1 : Math.round(Math.min(LONGEST_WAIT, Math.max(1, given)));
  if (rounds !== given)
    notes.push({ code: 'order/rounds', text: `${text} rounds were read as ${rounds}` });
  return rounds;
}

/** The word of the list in any case and with spaces around it. */
function findWord<T extends string>(list: readonly T[], text: string | null): T | undefined {
  const name = text?.trim().toLowerCase();
  return list.find((word) => word.toLowerCase() === name);
}
