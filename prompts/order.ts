/**
 * The order: a mind's reply in the action phase, and how it is read.
 *
 * The action is an object with a `type` and its fields. Null, or a type of null, continues the current intent. Small
 * mistakes are corrected and noted. Anything else is a fault, and the player waits.
 */

import { z } from 'zod';
import {
  type Decision,
  INTENTS,
  type Intent,
  LONGEST_WAIT,
} from '../machines/rules/ship/orders.ts';
import { TASK_IDS } from '../machines/rules/ship/tasks.ts';
import { isRecord } from '../machines/text.ts';
import { COLOURS, type Note, PLACES, ROOMS, SYSTEMS } from '../machines/types.ts';
import { cleanPage } from './clean.ts';
import {
  flatPads,
  isWirePads,
  leaveOutMisshapen,
  noteReadings,
  padsSchema,
  parseJson,
  readAs,
  readPads,
} from './reply.ts';

/** The wire form with every field. */
export type WireOrder = {
  readonly internal_thought: string;
  readonly action: Intent | null;
  readonly scratchpad_updates: {
    readonly main_scratch?: string;
    readonly meeting_scratch?: string;
  };
};

const orderSchema = z.object({
  internal_thought: z.string().nullish(),
  action: z.unknown(),
  scratchpad_updates: padsSchema,
  read_as: readAs,
  ...flatPads,
});

export type OrderReading =
  | { readonly ok: true; readonly decision: Decision }
  | { readonly ok: false; readonly code: string; readonly text: string };

/** Accepts an object, or text that is one. */
export function readOrder(received: unknown): OrderReading {
  const value = typeof received === 'string' ? parseJson(received) : received;
  const notes: Note[] = [];
  if (isWireOrder(value)) return normaliseOrder(value, notes);
  const checked = orderSchema.safeParse(leaveOutMisshapen(orderSchema, value, notes));
  if (!checked.success) {
    return failOrder(
      'order/not-an-order',
      `expected a JSON object with an action, found ${shown(received)}`,
    );
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
    const text = `action: expected null or an object with a type (${INTENTS.join(', ')}) and what it needs, found ${shown(action)}`;
    return failOrder('order/no-action', text);
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
  if (typeof action === 'string') return readIntent(readWord(action), notes);
  if (typeof action !== 'object') return undefined;
  const field = (name: string): string | null => {
    const value: unknown = Reflect.get(action, name);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
  };
  if (Reflect.get(action, 'type') === null) return null;
  const type = findWord(INTENTS, field('type'));
  if (type === null) return undefined;
  return buildIntent(type, field, notes);
}

/** An action in one word, such as "wait" or "button". */
function readWord(text: string): unknown {
  const type = findWord(INTENTS, text);
  return type === null ? undefined : { type };
}

function buildIntent(
  type: Intent['type'],
  field: (name: string) => string | null,
  notes: Note[],
): Intent | undefined {
  switch (type) {
    case 'wait':
      return { type, rounds: readRounds(field('rounds') ?? '1', notes) };
    case 'surface':
    case 'button':
      return { type };
    case 'go': {
      const to = findWord(PLACES, field('to'));
      return to === null ? undefined : { type, to };
    }
    case 'follow': {
      const whom = findWord(COLOURS, field('whom'));
      return whom === null ? undefined : { type, whom, rounds: readRounds(field('rounds'), notes) };
    }
    case 'kill': {
      const whom = findWord(COLOURS, field('whom'));
      return whom === null ? undefined : { type, whom };
    }
    case 'task':
    case 'fake': {
      const task = findWord(TASK_IDS, field('task'));
      return task === null ? undefined : { type, task };
    }
    case 'vent': {
      const to = Number(field('to') ?? Number.NaN);
      return Number.isInteger(to) ? { type, to } : undefined;
    }
    case 'sabotage': {
      const system = findWord(SYSTEMS, field('system'));
      return system === null ? undefined : { type, system };
    }
    case 'shut': {
      const room = findWord(ROOMS, field('room') ?? field('to'));
      return room === null ? undefined : { type, room };
    }
    case 'fix': {
      const at = findWord(ROOMS, field('at') ?? field('to'));
      return at === null ? undefined : { type, at };
    }
    case 'report': {
      const body = findWord(COLOURS, field('body') ?? field('whom'));
      return body === null ? undefined : { type, body };
    }
    case 'watch': {
      const what = findWord(['cameras', 'admin'] as const, field('what'));
      return what === null ? undefined : { type, what, rounds: readRounds(field('rounds'), notes) };
    }
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

/** The word of the list in any case and with spaces around it. Null if there is none. */
function findWord<T extends string>(list: readonly T[], text: string | null): T | null {
  if (text === null) return null;
  const name = text.trim().toLowerCase();
  return list.find((word) => word.toLowerCase() === name) ?? null;
}

function failOrder(code: string, text: string): OrderReading {
  return { ok: false, code, text };
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`;
}
