/**
 * Laws of how answers of minds are read (rulings 9, 15, 17, 38, 48 and 49). Each table has what a field may hold and what
 * is read from it. All pairs of fields are tried, so that none affects another, and each answer also as text.
 */
import { isDeepStrictEqual } from 'node:util';
import { REPLY_READERS } from '../../actors/engine/consult.ts';
import { readSaid } from '../../actors/minds/openai/answer.ts';
import type { MindRequest } from '../../machines/request.ts';
import {
  INTENTS,
  type IntentType,
  LONGEST_WAIT,
  type Order,
} from '../../machines/rules/ship/orders.ts';
import type { ActionView } from '../../machines/rules/ship/views.ts';
import type { Bid } from '../../machines/types.ts';
import { combineChoices } from '../models/closings.ts';
import { keepFact } from '../models/secrets.ts';
import { isSame, sortFields } from './property.ts';

type ReadCase = readonly [wire: unknown, read: unknown, note?: string];
type ReadCases = Readonly<Record<string, readonly ReadCase[]>>;

/** What explains a name or an order, and what takes it back or makes it conditional. */
const EXPLAINED = [' (my task is there)', ' [it is near]', '.'];
const DOUBTED = [
  ...[' (unless pink is there)', ' (if it is safe)', ' (not yet)', " (but don't)", ' (or Storage)'],
  ...[' (maybe later)', ' (next round)', ' (cancelled)', ' (later)', ' [pending]'],
];

const names = (read: 'vote_action' | 'target'): readonly ReadCase[] => {
  const [misread, unknown] =
    read === 'target' ? ['reply/read-as', 'reply/target'] : ['vote/read-as', 'vote/unknown'];
  return [
    ...[null, undefined, '', '  ', 'null', 'None'].map((wire): ReadCase => [wire, null]),
    ...['red', 'RED', ' Red '].map((wire): ReadCase => [wire, 'red']),
    ...['red.', '"red"', 'VOTE(red)', 'red red', 'player red', `red${EXPLAINED[0]}`].map(
      (wire): ReadCase => [wire, 'red', misread],
    ),
    ...['redd', 'mauve', 'red or blue', 'red blue', 'not red', '0', `red${DOUBTED[0]}`].map(
      (wire): ReadCase => [wire, null, unknown],
    ),
    [7, null, 'reply/field'],
    ...(read === 'target'
      ? [['skip', null, unknown] as const]
      : [['skip', 'skip'] as const, ['SKIP_VOTE()', 'skip', misread] as const]),
  ];
};

/** The fields of a reply. Undefined leaves a field out, and a reading of undefined is a fault. */
const REPLY: ReadCases = {
  desire_to_speak: [
    ...[0, 1, 5, 10, '7', ' 10 '].map((wire): ReadCase => [wire, Number(wire)]),
    ...[null, undefined].map((wire): ReadCase => [wire, 0]),
    [-1, 0, 'reply/desire'],
    [11, 10, 'reply/desire'],
    [4.4, 4, 'reply/desire'],
    [4.5, 5, 'reply/desire'],
    ['99', 10, 'reply/desire'],
    ...['8/10', '4/5', '80%', 'high'].map((wire): ReadCase => [wire, 8, 'reply/desire']),
    ['three', 3, 'reply/desire'],
    ...['', 'much', 'NaN', true, []].map((wire): ReadCase => [wire, undefined]),
  ],
  message: [
    ...[null, undefined, '', 'null', 'N/A'].map((wire): ReadCase => [wire, '']),
    ...['hm', ' hm ', 'hm\n'].map((wire): ReadCase => [wire, 'hm']),
    [' ', ' '],
    [7, '', 'reply/field'],
  ],
  target: names('target'),
  vote_action: names('vote_action'),
  internal_thought: [
    ...[undefined, '', 'why me'].map((wire): ReadCase => [wire, wire ?? '']),
    [7, '', 'reply/field'],
  ],
  scratchpad_updates: [
    ...[undefined, null, {}].map((wire): ReadCase => [wire, {}]),
    [{ main_scratch: 'a', meeting_scratch: null }, { main: 'a' }],
    // An empty page empties it.
    [
      { main_scratch: '', meeting_scratch: 'b' },
      { main: '', meeting: 'b' },
    ],
    ['a', {}, 'reply/field'],
  ],
};

/** A page beside `scratchpad_updates` counts only if that has none. */
const FLAT = ['', 'c'].flatMap((flat) =>
  [undefined, null, '', 'a'].map((own) => ({
    wire: { scratchpad_updates: { main_scratch: own }, main_scratch: flat },
    row: [own, { main: own ?? flat }, 'reply/flat-notes'] as const,
  })),
);

const FIELDS: Readonly<Record<string, string>> = {
  desire_to_speak: 'desire',
  vote_action: 'vote',
  internal_thought: 'thought',
  scratchpad_updates: 'pads',
};

const inOrder = (value: object) => JSON.stringify(sortFields(value));

export const ANSWER_READERS = { ...REPLY_READERS, readSaid } as const;
type Readers = typeof ANSWER_READERS;
type ReadRows = readonly (readonly [field: string, row: ReadCase])[];

const isFault = (rows: ReadRows) => rows.some(([, [, read]]) => read === undefined);
const readingOf = (rows: ReadRows) =>
  Object.fromEntries(rows.map(([name, [, read]]) => [FIELDS[name] ?? name, read]));

function areNoted(notes: readonly { readonly code: string }[], rows: ReadRows): boolean {
  const expected = rows.flatMap(([, [, , note]]) => note ?? []);
  return isSame(notes.map(({ code }) => code).toSorted(), expected.toSorted());
}

function isReplyRead({ readReply }: Readers, wire: object, rows: ReadRows): boolean {
  return [wire, JSON.stringify(wire)].every((received) => {
    const reading = readReply(received);
    if (!reading.ok) return isFault(rows);
    const { notes, ...reply } = reading.reply;
    const isRead = inOrder(reply) === inOrder(readingOf(rows)) && areNoted(notes, rows);
    return isRead && !isFault(rows);
  });
}

/** The first case of each field says nothing. */
const NOTHING_SAID = Object.fromEntries(
  Object.entries(REPLY).flatMap(([name, [first]]) =>
    first === undefined ? [] : [[name, first] as const],
  ),
);

function* misreadReplies(readers: Readers = ANSWER_READERS): Generator<unknown> {
  const list = Object.entries(REPLY);
  for (const [at, [one, rows]] of list.entries())
    for (const [other, others] of list.slice(at + 1))
      for (const row of rows)
        for (const second of others) {
          const all = Object.entries({ ...NOTHING_SAID, [one]: row, [other]: second });
          const wire = Object.fromEntries(all.map(([name, [sent]]) => [name, sent]));
          if (!isReplyRead(readers, wire, all)) yield wire;
        }
  for (const { wire, row } of FLAT) {
    const all = Object.entries({ ...NOTHING_SAID, scratchpad_updates: row });
    if (!isReplyRead(readers, wire, all)) yield wire;
  }
  for (const received of [null, 'red', '[]', '', 5, '{"message":']) {
    if (readers.readReply(received).ok) yield received;
  }
  yield* uncleaned(readers);
  yield* misfound(readers);
}

/** Every three runs of one or four of these. */
const RUNS = ['a', '!', '7', '٣', 'é', '–', ' ', '\n'].flatMap((sign) => [sign, sign.repeat(4)]);

/** A line with single spaces, and at most three of a sign in a row, unless it is a digit. */
function cleaned(line: string): string {
  const signs = [...line.replaceAll(/\s+/g, ' ')];
  const isFlood = (sign: string, at: number) =>
    at > 2 && !/\p{N}/u.test(sign) && signs.slice(at - 3, at).every((other) => other === sign);
  return signs.filter((sign, at) => !isFlood(sign, at)).join('');
}

function* uncleaned(readers: Readers): Generator<unknown> {
  const dense = (text: string) => text.replaceAll(/\s/g, '');
  for (const runs of combineChoices([RUNS, RUNS, RUNS])) {
    const text = runs.join('');
    const said = text.trim() === '' ? text : cleaned(text.trim());
    const main = text.split('\n').map(cleaned).join('\n');
    const wire = { message: text, scratchpad_updates: { main_scratch: text } };
    const row: ReadCase =
      dense(said) === dense(text) ? [text, said] : [text, said, 'reply/cleaned'];
    const pads: ReadCase = [null, { main }];
    const all = Object.entries({ ...NOTHING_SAID, message: row, scratchpad_updates: pads });
    if (!isReplyRead(readers, wire, all)) yield wire;
  }
}

/** Two whole answers, a part of each, and something else. */
const [RED, BLUE] = [{ vote_action: 'red' }, { vote_action: 'blue' }];
const WHOLE = { message: 'I was here.', desire_to_speak: 5 };
const OBJECTS: readonly object[] = [
  { ...WHOLE, ...RED },
  { ...WHOLE, ...BLUE },
  RED,
  BLUE,
  { n: 1 },
];
const SCHEMA = { properties: { message: {}, desire_to_speak: {}, vote_action: {} } };
const TALK = { kind: 'discussion' } as MindRequest; // a text is read by its kind

/** Whole answers count if they agree. A part counts only alone, and its vote never does. */
function meantBy(objects: typeof OBJECTS, isAlone: boolean): object {
  const [whole, ...others] = new Set(objects.filter((one) => 'message' in one));
  if (whole !== undefined) return others.length === 0 ? whole : {};
  const isPart = isAlone && objects.every((one) => 'vote_action' in one);
  return isPart ? { vote_action: null } : {};
}

function* misfound({ readSaid: find }: Readers): Generator<unknown> {
  const lists = [1, 2, 3].map((length) => Array<typeof OBJECTS>(length).fill(OBJECTS));
  for (const objects of lists.flatMap(combineChoices<object>)) {
    const inside = objects.map((one) => JSON.stringify(one)).join('\n');
    const cut = inside.slice(0, -1);
    const said = [`It is clear to all.\n${inside}`, `${inside}\nThat is all of it.`];
    for (const text of [inside, ...said, cut]) {
      const isAlone = text === inside && objects.length === 1;
      const meant = text === cut ? {} : meantBy(objects, isAlone);
      const found = find(text, TALK, { schema: SCHEMA });
      const answer: { readonly read_as?: unknown } = typeof found === 'object' ? (found ?? {}) : {};
      const { read_as: _, ...fields } = answer;
      if (!isSame(fields, meant)) yield text;
    }
  }
}

const word = <T extends string>(...known: readonly T[]): readonly ReadCase[] => [
  ...known.flatMap((one) =>
    [one, one.toUpperCase(), ` ${one} `].map((wire): ReadCase => [wire, one]),
  ),
  ...['', ' ', 'nowhere', null, undefined, -1].map((wire): ReadCase => [wire, undefined]),
];
const rounds = (without: number): readonly ReadCase[] => [
  ...[1, 2, LONGEST_WAIT, '3'].map((wire): ReadCase => [wire, Number(wire)]),
  ...[undefined, null].map((wire): ReadCase => [wire, without]),
  ...[0, '', 'long'].map((wire): ReadCase => [wire, 1, 'order/rounds']),
  [2.4, 2, 'order/rounds'],
  [99, LONGEST_WAIT, 'order/rounds'],
];
const VENTS: readonly ReadCase[] = [
  ...[0, 3, '0', ' 12 '].map((wire): ReadCase => [wire, Number(wire)]),
  ...['', ' ', '1.5', 1.5, -1, 'x', null, undefined, [0]].map(
    (wire): ReadCase => [wire, undefined],
  ),
];
const COLOURS_READ = word('red', 'blue');
const TASKS_READ = word('fix-wiring');

/** The fields of each order. Where a name is also read from another field, that is tried too. */
const ORDER: Readonly<Record<IntentType, ReadCases>> = {
  wait: { rounds: rounds(1) },
  go: { to: word('Cafeteria', 'Admin hallway') },
  follow: { whom: COLOURS_READ, rounds: rounds(LONGEST_WAIT) },
  task: { task: TASKS_READ },
  fake: { task: TASKS_READ },
  kill: { whom: COLOURS_READ },
  vent: { to: VENTS },
  surface: {},
  sabotage: { system: word('reactor', 'o2') },
  shut: { room: word('Storage') },
  fix: { at: word('Admin') },
  report: { body: COLOURS_READ },
  button: {},
  watch: { what: word('cameras', 'admin'), rounds: rounds(LONGEST_WAIT) },
};
const ALSO_FROM: Readonly<Record<string, string>> = { room: 'to', at: 'to', body: 'whom' };

function* misreadOrders({ readOrder }: Readers = ANSWER_READERS): Generator<unknown> {
  for (const type of INTENTS) {
    const fields = Object.entries(ORDER[type]);
    const choices = fields.map(([name, rows]) => rows.map((row) => [name, row] as const));
    for (const rows of combineChoices(choices))
      for (const named of [type, type.toUpperCase(), ` ${type} `])
        for (const isOther of [false, true]) {
          const sent = rows.map(([name, [wire]]) => {
            return [isOther ? (ALSO_FROM[name] ?? name) : name, wire];
          });
          const action = { type: named, ...Object.fromEntries(sent) };
          const wire = { internal_thought: '', action, scratchpad_updates: {} };
          const reading = readOrder(wire);
          const isRead = reading.ok
            ? !isFault(rows) &&
              inOrder(reading.decision.intent ?? {}) === inOrder({ type, ...readingOf(rows) }) &&
              areNoted(reading.decision.notes, rows)
            : isFault(rows);
          if (!isRead) yield wire;
        }
  }
  for (const action of [null, 'none', 'nothing', { type: null }]) {
    const reading = readOrder({ action });
    if (!reading.ok || reading.decision.intent !== null) yield { action };
  }
  yield* misreadWords(readOrder);
}

const SAID = {
  'go to Storage': { type: 'go', to: 'Storage' },
  'I will go to Admin': { type: 'go', to: 'Admin' },
  Storage: { type: 'go', to: 'Storage' },
  'kill blue': { type: 'kill', whom: 'blue' },
} as const;
const LEADS = ['', 'maybe ', 'do not ', 'if pink leaves, '];
const place = 'Cafeteria';
const ROOMS = { Cafeteria: ['Storage'], Storage: [place, 'Admin'], Admin: ['Storage'] };
/** An impostor in the Cafeteria, who may go or kill. */
const CHOOSING: unknown = {
  you: { role: 'impostor', isGhost: false, partners: [] },
  map: { places: Object.keys(ROOMS), openings: ROOMS, vents: [], doors: [], adminTable: 'Admin' },
  options: {},
  scene: {
    ...{ place, here: [{ who: 'blue', place }], vent: null, crisis: null, killWait: 0 },
    ...{ sabotageWait: 1, buttons: 0, tasks: [], bodies: [], shut: [] },
  },
};

/** Orders in words, with other words before and after them, as the action itself and as its type. */
function* misreadWords(readOrder: Readers['readOrder']): Generator<unknown> {
  const plain = [...EXPLAINED, ' because my task is there', ' now', ''];
  const tails = [...plain, ...DOUBTED, ' or wait', ' unless pink is there'];
  const around = combineChoices([LEADS, tails, ['', ...DOUBTED.slice(0, 2)]]);
  for (const [words, meant] of Object.entries(SAID))
    for (const [lead = '', tail = '', last = ''] of around) {
      const said = `${lead}${words}${tail}${last}`;
      const isMeant = lead === '' && plain.includes(tail) && last === '';
      const expected = isMeant
        ? [meant, ['order/read-as']]
        : [{ type: 'wait', rounds: 1 }, ['order/refused']];
      for (const action of [said, { type: said }]) {
        const reading = readOrder({ action }, CHOOSING as ActionView); // of the fields that are read
        const { intent = null, notes = [] } = reading.ok ? reading.decision : {};
        if (!isSame([intent, notes.map(({ code }) => code)], expected)) yield action;
      }
    }
}

const WHOLE_REPLY = {
  ...{ internal_thought: 'why', desire_to_speak: 5, message: 'hm', target: 'blue' },
  ...{ vote_action: null, scratchpad_updates: { main_scratch: 'a', meeting_scratch: 'b' } },
};
const WHOLE_ORDER = {
  ...{ internal_thought: '', action: { type: 'go', to: 'Admin' } },
  scratchpad_updates: { main_scratch: 'a', meeting_scratch: '' },
};

/** A whole answer, and others that lack a field, have one more, or one of another kind, at every depth. */
function listShapes(whole: object): readonly object[] {
  const fields: readonly (readonly [string, unknown])[] = Object.entries(whole);
  const changed = fields.flatMap(([name, value], at) => {
    const within = typeof value === 'object' && value !== null ? listShapes(value) : [];
    return [null, '', 'x', 7, [], {}, ...within]
      .map((other) => fields.with(at, [name, other]))
      .concat([fields.toSpliced(at, 1)]);
  });
  return [fields, [...fields, ['mood', 'bad'] as const], ...changed].map(Object.fromEntries);
}

const TURN = { type: 'turn.closed', turn: 0, requestKind: 'ghost', dice: {}, said: null } as const;
const ROUND = { round: 0, events: [], paths: {}, deeds: {}, seen: {} } as const;

/** Writes an answer to a journal, and reads it without a parser. */
function keepAnswer(answer: Bid | Order): Bid | Order | null {
  const kept =
    answer.type === 'order'
      ? keepFact({ ...ROUND, type: 'round.closed', orders: [answer] })
      : keepFact({ ...TURN, bids: [answer] });
  if (kept?.type === 'round.closed') return kept.orders[0] ?? null;
  return kept?.type === 'turn.closed' ? (kept.bids[0] ?? null) : null;
}

/** A journal must give every answer back as it was read, and every fault. */
function* miswritten(keep = keepAnswer): Generator<unknown> {
  const { readReply, readOrder } = REPLY_READERS;
  const seat = 'red';
  const answers = [
    ...listShapes(WHOLE_REPLY).map((received): Bid => {
      const read = readReply(received);
      if (read.ok) return { type: 'reply', seat, received, reply: read.reply };
      return { type: 'fault', seat, code: read.code, text: read.text, received };
    }),
    ...listShapes(WHOLE_ORDER).flatMap((received): readonly Order[] => {
      const read = readOrder(received);
      return read.ok ? [{ type: 'order', seat, received, decision: read.decision }] : [];
    }),
    { type: 'fault', seat, code: 'mind/late', text: 'no answer' } as const,
  ];
  for (const answer of answers) if (!isDeepStrictEqual(keep(answer), answer)) yield answer.received;
}

export const ANSWER_LAWS = [
  {
    name: 'replies-are-read-as-written',
    sentence:
      'A reply is read field by field, in any case and with decoration: a number of desire is clamped, a vote counts only for one name, an empty page is empty, a flood is cut but no number, and a note tells each correction. Anything else is a fault, never a vote. In a text, whole answers count if they agree, a part only alone, and none that is cut.',
    find: misreadReplies,
  },
  {
    name: 'orders-are-read-as-written',
    sentence:
      'An order is read if its type and all that it needs are there, in any case. An empty or invented name, place, task or vent is none, and rounds are kept within bounds with a note. An order in words may be explained, but one that is taken back or conditional is a wait.',
    find: misreadOrders,
  },
] as const;

export const KEEPING_LAW = {
  name: 'replies-are-kept-as-read',
  sentence: 'A journal gives each reply and order back as it was read, without reading it again.',
  find: miswritten,
};
