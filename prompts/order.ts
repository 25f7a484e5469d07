/** The order, and how it is read. One that makes no sense now is a wait with a note; none at all is a fault. */

import { z } from 'zod';
import {
  type Decision,
  INTENTS,
  type Intent,
  LONGEST_WAIT,
} from '../machines/rules/ship/orders.ts';
import { TASK_IDS } from '../machines/rules/ship/tasks.ts';
import type { ActionView } from '../machines/rules/ship/views.ts';
import { isRecord, parseJson, readField } from '../machines/text.ts';
import { COLOURS, type Note, PLACES, ROOMS, SYSTEMS } from '../machines/types.ts';
import { listOptions, type OrderOption } from './choices.ts';
import { cleanPage } from './clean.ts';
import { isPrivateName, listWords } from './marks.ts';
import {
  COMMON_TESTS,
  EXPLANATION,
  flatPads,
  HEDGE,
  hasOnly,
  noteReadings,
  padsSchema,
  parseFields,
  readAs,
  readPads,
  SAYS_MORE,
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

type OrderView = ActionView | null;
export type OrderReading = { readonly ok: true; readonly decision: Decision } | Unreadable;

/** Accepts an object, or text that is one. With the view, an order is read that can mean only one thing now. */
export function readOrder(received: unknown, view: OrderView = null): OrderReading {
  const value = typeof received === 'string' ? parseJson(received) : received;
  const notes: Note[] = [];
  const wire = isPlainOrder(value) ? value : parseFields(orderSchema, value, notes).data;
  if (wire === undefined) {
    const text = `expected a JSON object with an action, found ${showValue(received)}`;
    return { ok: false, code: 'order/not-an-order', text };
  }
  const { internal_thought, action, read_as } = wire;
  notes.push(...noteReadings(read_as));
  const intent = readIntent(action, view, notes);
  if (intent === undefined) {
    const text = `action: expected null or an object with a type (${INTENTS.join(', ')}) and what it needs, found ${showValue(action)}`;
    return { ok: false, code: 'order/no-action', text };
  }
  const pads = readPads(wire, notes);
  const thought = cleanPage(internal_thought ?? '');
  return { ok: true, decision: { thought, intent, pads, notes } };
}

const ORDER_TESTS = new Map([...COMMON_TESTS, ['action', () => true]]);

const isPlainOrder = (value: unknown): value is z.infer<typeof orderSchema> =>
  hasOnly(value, ORDER_TESTS) && Object.hasOwn(Object(value), 'action');

/** Null to continue, undefined if there is no action. The wire form is flat: `to` and `whom` serve every action. */
function readIntent(action: unknown, view: OrderView, notes: Note[]): Intent | null | undefined {
  const order: unknown = Array.isArray(action) && action.length === 1 ? action[0] : action;
  const fields = typeof order === 'string' ? { type: order } : (order ?? { type: null });
  if (!isRecord(fields)) return undefined;
  const type = findWord(INTENTS, textOf(fields['type']));
  const own = type && buildIntent(type, (name) => textOf(fields[name]), notes);
  // The engine says whether a whole order is possible.
  if (own !== undefined) return own;
  const { rounds, ...words } = fields;
  const said = plain(
    Object.entries(words)
      .filter(([name, word]) => textOf(word) !== null && !isPrivateName(name))
      .flatMap(([name, word]) => {
        const isField = 'type' in words && FIELDS.includes(name);
        return [isField ? '' : listWords(name).join(' '), cutExplanation(String(word))];
      })
      .join(' '),
  );
  if (words['type'] === null || GOING_ON.test(said)) return null;
  if (view === null) return undefined;
  const meant = findMeant(said, listOptions(view));
  const found = `your action ${showValue(JSON.stringify(action))}`;
  if (meant === null || hasMore(said, meant.words)) {
    const why = meant === null ? 'is not one order that is possible now' : SAYS_MORE;
    notes.push({ code: 'order/refused', text: `${found} ${why}` });
    return { type: 'wait', rounds: 1 };
  }
  const wire = { ...meant.action, rounds: rounds ?? meant.action['rounds'] };
  notes.push({ code: 'order/read-as', text: `${found} was read as ${JSON.stringify(wire)}` });
  return buildIntent(meant.action.type, (name) => textOf(readField(wire, name)), notes);
}

const GOING_ON = /^(?:null|none|nothing|go on|continue)$/;

/** Whether an action that a mind has written goes on with the last one: null, "nothing" or {"type": "none"}. */
export function isGoingOn(action: unknown): boolean {
  return readIntent(action, null, []) === null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** The only order that a text can mean. It names the target or just the action, and no other action. */
function findMeant(text: string, options: readonly OrderOption[]): OrderOption | null {
  const named = options.flatMap((option) =>
    option.words
      .map((word) => ({ option, word: plain(word) }))
      .filter(({ word }) => has(text, word)),
  );
  const able = named.filter(({ option: { action }, word }) => {
    const types = listTypes(text.replace(word, ''));
    const isWhole = named.every((other) => other.word === word || !has(other.word, word));
    // A player's name alone says nothing of what to do.
    return isWhole && (types.length === 0 ? !('whom' in action) : types.includes(action.type));
  });
  const bare = options.filter(({ action, words }) =>
    words.length === 0 ? listTypes(text).join() === action.type : text === action.type,
  );
  const [meant, other] = new Set([...able.map(({ option }) => option), ...bare]);
  return other === undefined ? (meant ?? null) : null;
}

/** Whether a text has words that may exclude, condition or choose, such as any that are not known to say nothing. */
function hasMore(text: string, words: readonly string[]): boolean {
  const others = words.some((word) => isColour(word)) ? PLACES : [...PLACES, ...COLOURS];
  const known = new Set([...words, ...others].flatMap((word) => plain(word).split(' ')));
  return text.split(' ').some((word) => !known.has(word) && !DECORATION.test(word));
}

const isColour = (word: string) => COLOURS.some((colour) => colour === word);
const DECORATION = new RegExp(
  `^(?:\\d*|type|action|target|victim|location|destination|place|player|seat|color|colour|crewmate|impostor|system|console|rooms?|area|doors?|task|body|button|the|an?|my|id|i|ll|will|am|want|to|in|into|at|on|of|for|with|here|now|please|press|do|head|enter|visit|check|return|back|stay|rounds?|work|step|seconds?|${INTENTS.join('|')})$`,
);

const REASON =
  /\b(?:because|so that|in order to|to (?:do|fix|finish|complete|check|see|find|make|get)) .*/is;

function cutExplanation(text: string): string {
  const bare = text.replace(REASON, '').replace(EXPLANATION, '');
  const words = plain(bare);
  const isNamed = NAMES.some((word) => has(words, word));
  return isNamed && !HEDGE.test(text.slice(bare.length).toLowerCase()) ? bare : text;
}

const FIELDS = ['type', 'to', 'vent', 'whom', 'task', 'system', 'what', 'room', 'at', 'body'];
/** Words without signs, and the usual word for an action. */
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(/\b(?:move|walk|travel|run)\b/g, 'go')
    .replaceAll(/\b(?:murder|eliminate)\b/g, 'kill')
    .trim();
const NAMES = [...PLACES, ...COLOURS, ...SYSTEMS].map(plain);
const has = (text: string, word: string) => ` ${text} `.includes(` ${word} `);
const listTypes = (text: string) => INTENTS.filter((type) => has(text, type));

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
  const vent = Number(/^\s*\d+\s*$/.exec(field('vent') || field('to') || '')?.[0] ?? NaN);
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
  const given = Number.parseFloat(text);
  const rounds = Number.isNaN(given) ? 1 : Math.round(Math.min(LONGEST_WAIT, Math.max(1, given)));
  if (rounds !== given)
    notes.push({ code: 'order/rounds', text: `${text} rounds were read as ${rounds}` });
  return rounds;
}

function findWord<T extends string>(list: readonly T[], text: string | null): T | undefined {
  if (text === null) return undefined;
  const name = text.trim().toLowerCase();
  return list.find((word) => word === text) ?? list.find((word) => word.toLowerCase() === name);
}
