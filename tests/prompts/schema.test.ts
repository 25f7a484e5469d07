import { describe, expect, test } from 'vitest';
import type { WireField, WireSchema } from '../../prompts/block.ts';
import { readOrder } from '../../prompts/order.ts';
import { buildPrompt, type PromptRequest } from '../../prompts/prompt.ts';
import { readReflection } from '../../prompts/reflection.ts';
import { readReply } from '../../prompts/reply.ts';
import {
  anIdentity,
  aReflection,
  crewMoment,
  crewView,
  ghostView,
  impostorMoment,
} from './views.ts';

const ASKED: readonly (readonly [name: string, asked: PromptRequest])[] = [
  ['discussion', { kind: 'discussion', view: crewView() }],
  ['voting', { kind: 'voting', view: crewView() }],
  ['reaction', { kind: 'reaction', view: crewView() }],
  ['consolidation', { kind: 'consolidation', view: crewView() }],
  ['ghost', { kind: 'ghost', view: ghostView() }],
  ['action of the crew', { kind: 'action', view: crewMoment() }],
  ['action of impostors', { kind: 'action', view: impostorMoment() }],
  ['reflection', { kind: 'reflection', view: aReflection('crewmate') }],
];

const schemaOf = (asked: PromptRequest) => buildPrompt(asked, anIdentity()).schema;

function fieldsOf(schema: WireSchema): readonly WireField[] {
  const own = Object.values(schema.properties);
  return own.flatMap((field) => ('properties' in field ? [field, ...fieldsOf(field)] : [field]));
}

function emptiest(schema: WireSchema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [name, emptyValue(field)]),
  );
}

/** The longest value of a schema. */
function fillUp(field: WireField): unknown {
  if ('properties' in field)
    return Object.fromEntries(
      Object.entries(field.properties).map(([name, one]) => [name, fillUp(one)]),
    );
  if (field.type === 'array') return [];
  const words = 'enum' in field ? (field.enum ?? []) : ['x'.repeat(field.maxLength ?? 2)];
  return words.toSorted((one, other) => (other ?? '').length - (one ?? '').length)[0];
}

function emptyValue(field: WireField): unknown {
  if ('properties' in field) return emptiest(field);
  if (Array.isArray(field.type)) return null;
  if (field.type === 'array') return [];
  return field.type === 'integer' ? 0 : '';
}

describe.each(ASKED)('%s', (_, asked) => {
  const schema = schemaOf(asked);

  test('every key is required, other keys are refused, and the thought comes first', () => {
    const records = [schema, ...fieldsOf(schema).filter((field) => 'properties' in field)];
    for (const record of records) {
      expect(record.required).toEqual(Object.keys(record.properties));
      expect(record.required.length).toBeGreaterThan(0);
      expect(record.additionalProperties).toBe(false);
    }
    expect(schema.required[0]).toBe('internal_thought');
  });

  test('the longest answer now has few enough characters for its tokens', () => {
    const { schemaNow = schema, maxTokens } = buildPrompt(asked, anIdentity());
    const longest = JSON.stringify(fillUp(schemaNow), null, 2);
    expect(longest.length / maxTokens).toBeLessThan(2.7);
  });

  test('uses no schema keyword that an endpoint refuses', () => {
    const words = new Set<string>();
    JSON.stringify(schema, (key, value: unknown) => {
      words.add(key);
      return value;
    });
    for (const refused of ['$schema', '$ref', 'anyOf', 'oneOf', 'const', 'default', 'pattern']) {
      expect([...words]).not.toContain(refused);
    }
    for (const field of fieldsOf(schema)) expect(field.type).toBeDefined();
  });

  test('a reply with nothing in it is read', () => {
    const reply = emptiest(schema);
    const read = { action: readOrder, reflection: readReflection };
    const reader =
      asked.kind in read ? read[asked.kind === 'action' ? 'action' : 'reflection'] : readReply;
    expect(reader(reply)).toMatchObject({ ok: true });
  });
});

test('the discussion tick has the fields of the design, in its order', () => {
  expect(schemaOf({ kind: 'discussion', view: crewView() }).required).toEqual([
    ...['internal_thought', 'desire_to_speak', 'message', 'target', 'vote_action'],
    'scratchpad_updates',
  ]);
});

test('a vote is for a seat of the table, the same in every meeting, and a ghost has no field for one', () => {
  const { vote_action: vote } = schemaOf({ kind: 'voting', view: crewView() }).properties;
  expect(vote).toMatchObject({
    enum: ['red', 'blue', 'green', 'pink', 'black', 'white', 'skip', null],
  });
  expect(schemaOf({ kind: 'ghost', view: ghostView() }).required).not.toContain('vote_action');
});

describe('an action in the flat form', () => {
  const UNUSED = {
    to: null,
    vent: null,
    whom: null,
    task: null,
    system: null,
    what: null,
    rounds: null,
  };
  test.each([
    ['nothing new', { type: null }, null],
    ['a walk', { type: 'go', to: 'Admin' }, { type: 'go', to: 'Admin' }],
    ['a fix', { type: 'fix', to: 'Reactor' }, { type: 'fix', at: 'Reactor' }],
    ['doors', { type: 'shut', to: 'Storage' }, { type: 'shut', room: 'Storage' }],
    ['a body', { type: 'report', whom: 'white' }, { type: 'report', body: 'white' }],
    ['a vent', { type: 'vent', vent: '3' }, { type: 'vent', to: 3 }],
    ['a vent as a place', { type: 'vent', to: '3' }, { type: 'vent', to: 3 }],
    ['a kill', { type: 'kill', whom: 'white' }, { type: 'kill', whom: 'white' }],
    ['a short wait', { type: 'wait' }, { type: 'wait', rounds: 1 }],
    ['a task', { type: 'task', task: 'fix-wiring' }, { type: 'task', task: 'fix-wiring' }],
    [
      'a field of its own before the one for all',
      { type: 'report', body: 'white', whom: 'red' },
      { type: 'report', body: 'white' },
    ],
    ['a room before a place', { type: 'fix', at: 'O2', to: 'Admin' }, { type: 'fix', at: 'O2' }],
    [
      'doors of a room before a place',
      { type: 'shut', room: 'Storage', to: 'Admin' },
      { type: 'shut', room: 'Storage' },
    ],
    ['a vent before a place', { type: 'vent', vent: '3', to: '4' }, { type: 'vent', to: 3 }],
  ])('%s', (_, action, intent) => {
    expect(readOrder({ action: { ...UNUSED, ...action } })).toMatchObject({
      ok: true,
      decision: { intent },
    });
  });
});

describe('rounds', () => {
  test.each([
    ['of a wait are one without a number', { type: 'wait' }, 1, false],
    ['of following are the most without a number', { type: 'follow', whom: 'red' }, 24, false],
    ['of watching too', { type: 'watch', what: 'admin' }, 24, false],
    ['of a number are so many', { type: 'watch', what: 'admin', rounds: 5 }, 5, false],
    ['are at most 24', { type: 'wait', rounds: 25 }, 24, true],
    ['are at least one', { type: 'wait', rounds: 0 }, 1, true],
    ['are whole', { type: 'wait', rounds: 2.6 }, 3, true],
    ['may have their unit', { type: 'wait', rounds: '4 rounds' }, 4, false],
    ['in words are one', { type: 'wait', rounds: 'few' }, 1, true],
  ])('%s', (_, action, rounds, isNoted) => {
    const reading = readOrder({ action });
    expect(reading).toMatchObject({ decision: { intent: { rounds } } });
    const notes = reading.ok ? reading.decision.notes : null;
    expect(notes?.map(({ code }) => code)).toEqual(isNoted ? ['order/rounds'] : []);
  });

  test.each([
    [{ type: 'follow', whom: '🔴 White', rounds: 3 }, 3],
    [{ type: 'follow', whom: '🔴 White' }, 8],
    ['follow white', 8],
  ])('of %j in other words are its own, or those of the choice', (action, rounds) => {
    expect(readOrder({ action }, impostorMoment())).toMatchObject({
      decision: { intent: { type: 'follow', whom: 'white', rounds } },
    });
  });
});

test('the only order of a list is the order, and of two none is', () => {
  const order = { type: 'go', to: 'Admin' };
  expect(readOrder({ action: [order] })).toMatchObject({ decision: { intent: order } });
  expect(readOrder({ action: [order, order] })).toMatchObject({ code: 'order/no-action' });
});

describe('an action in other words', () => {
  const body = { victim: 'white', place: 'Storage' } as const;
  const crew = crewMoment({ scene: { bodies: [body], buttonWait: 0 } });
  const impostor = impostorMoment();
  const kill = { type: 'kill', whom: 'white' };
  const task = { type: 'task', task: 'fix-wiring' };

  test.each([
    ['kill white', impostor, kill],
    ['I kill white in Electrical.', impostor, kill],
    [{ type: 'kill white' }, impostor, kill],
    [{ type: 'kill', to: 'white' }, impostor, kill],
    [{ type: 'kill', whom: '🔴 White' }, impostor, kill],
    [{ type: 'kill' }, impostor, kill],
    [{ action: 'kill', target: 'white' }, impostor, kill],
    [{ kill: 'white' }, impostor, kill],
    ['kill green', impostor, null],
    ['kill white or pink', impostor, null],
    [{ type: 'kill', whom: 'White (the leader)' }, impostor, kill],
    [{ type: 'go', to: '**the Admin room** 🚪' }, crew, { type: 'go', to: 'Admin' }],
    ['follow white or pink', impostor, null],
    ['kill', crew, null],
    [{ type: 'vent', to: 'Electrical' }, impostor, { type: 'vent', to: 3 }],
    [{ type: 'vent' }, impostor, { type: 'vent', to: 3 }],
    ['vent 9', impostor, null],
    ['go to Storage', impostor, { type: 'go', to: 'Storage' }],
    ['Go to the MedBay hallway!', impostor, { type: 'go', to: 'MedBay hallway' }],
    ['O2', crew, { type: 'go', to: 'O2' }],
    ['go to O2 because I have a task there', crew, { type: 'go', to: 'O2' }],
    ['I will go to O2 to check on Green.', crew, { type: 'go', to: 'O2' }],
    [{ type: 'task', task: 'Fix Wiring' }, crew, task],
    ['Fix Wiring: in Storage, 2 rounds of work', crew, task],
    [{ type: 'task', task: 'fix reactor' }, crew, null],
    [{ type: 'watch', to: 'Security' }, crew, { type: 'watch', what: 'cameras' }],
    [{ type: 'report' }, crew, { type: 'report', body: 'white' }],
    ['report white', crew, { type: 'report', body: 'white' }],
    ['Press the button', crew, { type: 'button' }],
    ['wait for green', crew, { type: 'wait' }],
    ['dance', crew, null],
    ['dance with green', crew, null],
    ["don't kill white", impostor, null],
    ['report the body', crew, { type: 'report', body: 'white' }],
    ['stay here', crew, null],
    [{ type: 'go' }, crew, null],
    [{}, crew, null],
  ])(
    '%j is read if it can mean one order only, and is noted in any case',
    (action, view, intent) => {
      const reading = readOrder({ internal_thought: 'so', action }, view);
      const code = intent === null ? 'order/refused' : 'order/read-as';
      expect(reading).toMatchObject({
        ok: true,
        decision: { intent: intent ?? { type: 'wait', rounds: 1 }, notes: [{ code }] },
      });
    },
  );

  test.each([
    'stay away from MedBay hallway',
    'avoid MedBay hallway',
    'go to Admin, to find out if nobody is there',
    ...[
      'anywhere but Admin',
      'everywhere except Admin',
      'other than Admin',
      'away from Admin',
      'the room next to Admin',
      'Admin if nobody is there',
      'Admin (if nobody is there)',
      'überall außer Admin',
      'lejos de Admin',
      '除了 Admin',
      'не Admin',
    ].map((to) => ({ type: 'go', to })),
    { type: 'avoid', to: 'MedBay hallway' },
    { type: 'go', except: 'Admin' },
    { type: 'kill', whom: 'anyone except white' },
    { type: 'kill', whom: 'white/pink' },
    'kill (everyone except white)',
    { type: 'sabotage', system: 'anything but reactor' },
  ])('%j says more than a name, and is not done', (action) => {
    const view = impostorMoment({ scene: { sabotageWait: 0 } });
    const reading = readOrder({ internal_thought: 'so', action }, view);
    const text = expect.stringMatching(/says more than a name$/);
    expect(reading).toMatchObject({
      decision: { intent: { type: 'wait', rounds: 1 }, notes: [{ code: 'order/refused', text }] },
    });
  });

  test.each(['go on', 'Continue.', 'null', { type: null, to: 'Admin' }, null])(
    '%j goes on',
    (action) => {
      expect(readOrder({ action }, crew)).toMatchObject({
        ok: true,
        decision: { intent: null, notes: [] },
      });
    },
  );

  test('the notes say what was read, and what was not possible', () => {
    const noteOf = (action: unknown) => {
      const reading = readOrder({ action }, impostor);
      return reading.ok ? reading.decision.notes.map(({ text }) => text) : reading.text;
    };
    expect(noteOf('kill green')).toEqual([
      'your action "kill green" is not one order that is possible now',
    ]);
    expect(noteOf({ type: 'fake', task: 'Fix Wiring' })).toEqual([
      'your action {"type":"fake","task":"Fix Wiring"} was read as {"type":"fake","task":"fix-wiring"}',
    ]);
  });
});

describe('a reflection', () => {
  test('keeps ten lessons of two hundred characters, cleaned, and no empty ones', () => {
    const learned = ['', null, 'a\u200bsk first', 'xy'.repeat(300), ...Array(12).fill('again')];
    const reading = readReflection({ internal_thought: 'so', learned });
    if (!reading.ok) throw new Error(reading.text);
    expect(reading.learned.slice(0, 2)).toEqual(['ask first', 'xy'.repeat(100)]);
    expect(reading.learned).toHaveLength(10);
  });

  test('without a list of lessons is refused', () => {
    expect(readReflection({ learned: 'all' })).toMatchObject({
      ok: false,
      code: 'reflection/not-a-reflection',
    });
  });
});
