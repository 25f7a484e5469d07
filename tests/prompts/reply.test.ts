import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonical } from '../../machines/journal/canonical.ts';
import { COLOURS, type Reply } from '../../machines/types.ts';
import { readOrder } from '../../prompts/order.ts';
import { copyJson, readColour, readReply } from '../../prompts/reply.ts';
import { aReply, law } from '../machines/builders.ts';

function read(received: unknown): Reply | string {
  const reading = readReply(received);
  return reading.ok ? reading.reply : reading.code;
}

function notes(received: unknown): readonly string[] {
  const reading = readReply(received);
  return reading.ok ? reading.reply.notes.map(({ code }) => code) : [];
}

const FULL = {
  internal_thought: 'Red is deflecting hard, classic impostor',
  desire_to_speak: 7,
  message: 'Red, where were you?',
  target: 'red',
  vote_action: null,
  scratchpad_updates: { meeting_scratch: 'Red avoiding questions.' },
};
const READ = aReply({
  thought: FULL.internal_thought,
  desire: 7,
  message: FULL.message,
  target: 'red',
  pads: { meeting: 'Red avoiding questions.' },
});

describe('the reply of the design', () => {
  test.each<[string, unknown, Reply]>([
    ['as an object', FULL, READ],
    ['as JSON text', JSON.stringify(FULL), READ],
    ['with fields that nobody knows', { ...FULL, mood: 'grim', seat: 'blue' }, READ],
    ['of nothing at all is a reply that says nothing', {}, aReply()],
    [
      'of nulls as well',
      { message: null, target: null, scratchpad_updates: null, internal_thought: null },
      aReply(),
    ],
    [
      'with both scratchpads',
      { scratchpad_updates: { main_scratch: 'a', meeting_scratch: '' } },
      aReply({ pads: { main: 'a', meeting: '' } }),
    ],
    ['with a scratchpad of null', { scratchpad_updates: { main_scratch: null } }, aReply()],
  ])('%s', (_, received, reply) => {
    expect(read(received)).toEqual(reply);
  });

  test.each<[string, unknown, string]>([
    ['text that is no JSON', 'I think red did it', 'reply/not-json'],
    ['broken JSON', '{"message": "hi"', 'reply/not-json'],
    ['no text', '', 'reply/not-json'],
    ['nothing', undefined, 'reply/not-json'],
    ['a list', [FULL], 'reply/not-a-reply'],
    ['JSON of a list', '[]', 'reply/not-a-reply'],
    ['null', null, 'reply/not-a-reply'],
    ['JSON of null', 'null', 'reply/not-a-reply'],
    ['a number', 7, 'reply/not-a-reply'],
    ['JSON of a number', '7', 'reply/not-a-reply'],
  ])('ruling 3: %s is a fault, never a vote', (_, received, code) => {
    expect(read(received)).toBe(code);
  });

  test.each<[string, unknown]>([
    ['message', 7],
    ['message', { text: 'hi' }],
    ['message', ['I was in Electrical.']],
    ['internal_thought', false],
    ['target', 3],
    ['vote_action', 1],
    ['vote_action', false],
    ['vote_action', { vote: 'blue' }],
    ['scratchpad_updates', 'x'],
    ['scratchpad_updates', []],
    ['scratchpad_updates', { main_scratch: 7 }],
    ['main_scratch', 7],
    ['read_as', 'x'],
  ])('a %s of a wrong shape costs itself and a note: %j', (name, field) => {
    const { [name]: _, ...others }: Readonly<Record<string, unknown>> = FULL;
    const without = readReply(others);
    const found = readReply({ ...others, [name]: field });
    if (!without.ok || !found.ok) throw new Error('expected a reply');
    const { notes, ...reply } = found.reply;
    expect(reply).toEqual({ ...without.reply, notes: undefined });
    const shown = JSON.stringify(field);
    expect(notes).toEqual([
      { code: 'reply/field', text: `${name} was left out: its shape is wrong (${shown})` },
    ]);
  });

  test('a note of a wrong shape quotes no more than a little', () => {
    const found = readReply({ message: ['x'.repeat(1000)] });
    if (!found.ok) throw new Error('expected a reply');
    expect(found.reply.notes[0]?.text.length).toBeLessThan(200);
  });

  test('a fault says which field, and quotes no more than a little', () => {
    const reading = readReply({ desire_to_speak: ['x'.repeat(1000)] });
    if (reading.ok) throw new Error('expected a fault');
    expect(reading.text).toContain('desire_to_speak');
    expect(reading.text.length).toBeLessThan(200);
  });

  test("a client's corrections become at most eight notes of 200 characters", () => {
    const readings = Array.from({ length: 9 }, () => 'ab '.repeat(67).trim().concat('c'));
    const found = readReply({ ...FULL, read_as: readings });
    if (!found.ok) throw new Error('expected a reply');
    expect(found.reply.notes).toEqual(
      Array.from({ length: 8 }, () => ({ code: 'reply/read-as', text: 'ab '.repeat(67).trim() })),
    );
  });
});

describe('ruling 38: desire is clamped to 0..10 and rounded, and noted when that changed it', () => {
  test.each<[unknown, number, boolean]>([
    [0, 0, false],
    [10, 10, false],
    [7, 7, false],
    [11, 10, true],
    [1e9, 10, true],
    [-1, 0, true],
    [-0.4, 0, true],
    [7.4, 7, true],
    [7.5, 8, true],
    [9.9, 10, true],
    [0.4, 0, true],
    ['8', 8, false],
    [' 3 ', 3, false],
    ['6.0', 6, false],
    ['１０', 10, true],
    ['7/10', 7, true],
    ['4 of 5', 8, true],
    ['80%', 8, true],
    ['8 (urgent)', 8, true],
    ['94.5%', 9, true],
    ['4,5', 5, true],
    ['high', 8, true],
    [' High ', 8, true],
    ['~7', 7, true],
    [0.8, 1, true],
    [70, 10, true],
    ['70', 10, true],
    ['11', 10, true],
    ['2.6', 3, true],
  ])('%j is read as %i, noted: %s', (wire, desire, noted) => {
    expect(read({ desire_to_speak: wire })).toMatchObject({ desire });
    expect(notes({ desire_to_speak: wire })).toEqual(noted ? ['reply/desire'] : []);
  });

  test('a missing desire is 0, and so is null: nothing was asked for', () => {
    expect(read({})).toEqual(aReply());
    expect(read({ desire_to_speak: null })).toEqual(aReply());
  });

  test('a desire of −0 is 0', () => expect(read({ desire_to_speak: -0 })).toEqual(aReply()));

  test.each<[string, unknown]>([
    ['a word', 'x'],
    ['nothing in quotes', ''],
    ['a space', ' '],
    ['a part of a word', '8th'],
    ['a range', '0 to 10'],
    ['NaN', Number.NaN],
    ['true', true],
    ['a list', [7]],
    ['an object', { value: 7 }],
  ])('%s is not a number: a fault', (_, wire) => {
    expect(read({ desire_to_speak: wire })).toBeOneOf(['reply/desire', 'reply/not-a-reply']);
  });

  law(
    'ruling 38: whatever number is sent, a whole number from 0 to 10 is read, the nearest there is',
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (wire) => {
      const reading = readReply({ desire_to_speak: wire });
      if (!reading.ok) throw new Error(reading.text);
      const nearest = COLOURS.slice(0, 11).map((_, desire) => Math.abs(desire - wire));
      expect(Math.abs(reading.reply.desire - wire)).toBe(Math.min(...nearest));
      expect(Number.isInteger(reading.reply.desire)).toBe(true);
    }),
  );
});

describe('ruling 17: colours are normalised, anything else names nobody', () => {
  test.each([
    ['red', 'red'],
    ['RED', 'red'],
    [' Red ', 'red'],
    ['\tred\n', 'red'],
    ['gray', 'gray'],
    ['grey', null],
    ['r e d', null],
    ['reds', null],
    ['player_1', null],
    ['1', null],
    ['', null],
  ] as const)('%j is %s', (text, colour) => {
    expect(readColour(text)).toBe(colour);
  });

  test.each([
    ['RED ', 'red', []],
    ['skip', 'skip', []],
    ['Skip', 'skip', []],
    [' SKIP', 'skip', []],
    [null, null, []],
    ['none', null, []],
    ['null', null, []],
    ['', null, []],
    ['  ', null, []],
    ['null (keep discussing)', null, []],
    ['None, keep discussing.', null, []],
    ['keep discussing', null, []],
    ['mauve', null, ['vote/unknown']],
    ['skip vote', 'skip', ['vote/read-as']],
    ['SKIP_VOTE()', 'skip', ['vote/read-as']],
    ['skip_vote', 'skip', ['vote/read-as']],
    ['"skip".', 'skip', ['vote/read-as']],
    ['VOTE(green)', 'green', ['vote/read-as']],
    ['vote("Green")', 'green', ['vote/read-as']],
    ['vote: green', 'green', ['vote/read-as']],
    ['Vote for green!', 'green', ['vote/read-as']],
    ['vote green', 'green', ['vote/read-as']],
    ['Green.', 'green', ['vote/read-as']],
    ["'green'", 'green', ['vote/read-as']],
    ['VOTE()', null, ['vote/unknown']],
    ['VOTE(mauve)', null, ['vote/unknown']],
    ['dark green', null, ['vote/unknown']],
    ["don't vote green", null, ['vote/unknown']],
    ['skip green', null, ['vote/unknown']],
    ['red, blue', null, ['vote/unknown']],
    ['system', null, ['vote/unknown']],
    ['Player Red', 'red', ['vote/read-as']],
    ['**Red**', 'red', ['vote/read-as']],
    ['🔴 Red', 'red', ['vote/read-as']],
    ['ＲＥＤ', 'red', ['vote/read-as']],
    ['@red!', 'red', ['vote/read-as']],
    ['red（他最可疑）', 'red', ['vote/read-as']],
    ['Red (he vented)', 'red', ['vote/read-as']],
    ['skip (not enough evidence)', 'skip', ['vote/read-as']],
    ['<b>red</b>', 'red', ['vote/read-as']],
    ['red (not blue)', 'red', ['vote/read-as']],
    ['red (not blue, not green)', 'red', ['vote/read-as']],
    ['r\u200Be\u200Bd', 'red', ['vote/read-as']],
    ['red'.padEnd(200), 'red', []],
    ['red'.padEnd(201), null, ['vote/unknown']],
    ['red (no, he is innocent)', null, ['vote/unknown']],
    ['red (or blue)', null, ['vote/unknown']],
    ['not (red)', null, ['vote/unknown']],
    ['(not) red', null, ['vote/unknown']],
    ['red (sus) is innocent', null, ['vote/unknown']],
    ['不要red', null, ['vote/unknown']],
  ] as const)('a vote for %j is read as %s with notes %j', (wire, vote, noted) => {
    expect(read({ vote_action: wire })).toMatchObject({ vote });
    expect(notes({ vote_action: wire })).toEqual(noted);
  });

  test.each([
    [' Blue', 'blue', []],
    ['', null, []],
    [null, null, []],
    ['WHITE.', 'white', ['reply/read-as']],
    ['the Blue player', 'blue', ['reply/read-as']],
    ['Blue’s friend', null, ['reply/target']],
    ['everyone', null, ['reply/target']],
    ['skip', null, ['reply/target']],
  ] as const)('a target %j is read as %s with notes %j', (wire, target, noted) => {
    expect(read({ target: wire })).toMatchObject({ target });
    expect(notes({ target: wire })).toEqual(noted);
  });

  test.each([
    [{ scratchpad_updates: { meeting_scratch: 'a' } }, { meeting: 'a' }, []],
    [{ meeting_scratch: 'a' }, { meeting: 'a' }, ['reply/flat-notes']],
    [{ main_scratch: 'a' }, { main: 'a' }, ['reply/flat-notes']],
    [{ 'scratchpad_updates.meeting_scratch': 'a' }, { meeting: 'a' }, ['reply/flat-notes']],
    [{ 'scratchpad_updates.main_scratch': 'a' }, { main: 'a' }, ['reply/flat-notes']],
    [{ meeting_scratch: null }, {}, []],
    // The field in its proper place wins.
    [
      { scratchpad_updates: { meeting_scratch: 'a' }, meeting_scratch: 'b' },
      { meeting: 'a' },
      ['reply/flat-notes'],
    ],
    [
      { scratchpad_updates: { main_scratch: '' }, main_scratch: 'b' },
      { main: '' },
      ['reply/flat-notes'],
    ],
  ])('notes in %j are read as %j with notes %j', (wire, pads, noted) => {
    expect(read(wire)).toMatchObject({ pads });
    expect(notes(wire)).toEqual(noted);
  });

  test('ruling 17: the note quotes the vote, and no more of it than helps', () => {
    const reading = readReply({ vote_action: 'm'.repeat(500) });
    if (!reading.ok) throw new Error(reading.text);
    expect(reading.reply.notes[0]?.text).toContain('mmm…');
    expect(reading.reply.notes[0]?.text.length).toBeLessThan(140);
  });

  test.each([
    [{ vote_action: 'Player Red' }, 'vote_action "Player Red" was read as red: write red'],
    [{ target: '🔴 Red' }, 'target "🔴 Red" was read as red: write red'],
    [{ target: 'mauve' }, 'target "mauve" is no player and was ignored'],
    [{ target: 'Red or so' }, 'target "Red or so" says more than a name and was ignored'],
    [{ vote_action: 'mauve' }, 'your vote for "mauve" names no player and was not counted'],
    [
      { vote_action: 'dark Green' },
      'your vote for "dark Green" says more than a name and was not counted: write one name, or skip',
    ],
    [
      { vote_action: 'm'.repeat(60) },
      `your vote for "${'m'.repeat(60)}" names no player and was not counted`,
    ],
    [
      { vote_action: 'm'.repeat(61) },
      `your vote for "${'m'.repeat(57)}…" names no player and was not counted`,
    ],
    [
      { desire_to_speak: '7/10' },
      'desire_to_speak 7/10 was read as 7: write a whole number from 0 to 10',
    ],
  ])('the note of %j says what to write', (wire, text) => {
    const reading = readReply(wire);
    expect(reading).toMatchObject({ ok: true, reply: { notes: [{ text }] } });
  });

  test('all that was mended is noted at once', () => {
    expect(notes({ desire_to_speak: 12, target: 'x', vote_action: 'y' })).toEqual([
      'reply/desire',
      'reply/target',
      'vote/unknown',
    ]);
  });
});

describe('values that JSON can express', () => {
  const nest = (depth: number, wrap: (inner: unknown) => object) =>
    Array.from({ length: depth }).reduce<unknown>(wrap, null);
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  test.each<[string, unknown, boolean]>([
    ['null', null, true],
    ['text', 'x', true],
    ['a number', 1.5, true],
    ['a nested value', { a: [{ b: false }] }, true],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), true],
    ['NaN', Number.NaN, false],
    ['NaN inside an object', { a: [Number.NaN] }, false],
    ['infinity', Number.POSITIVE_INFINITY, false],
    ['nothing', undefined, false],
    ['a field of nothing', { a: undefined }, false],
    ['a function', () => 1, false],
    ['a date', new Date(0), false],
    ['a map', new Map(), false],
    ['a big integer', 1n, false],
    ['itself inside', circle, false],
    ['objects 21 deep', nest(21, (inner) => ({ inner })), true],
    ['objects 22 deep', nest(22, (inner) => ({ inner })), false],
    ['lists 21 deep', nest(21, (inner) => [inner]), true],
    ['lists 22 deep', nest(22, (inner) => [inner]), false],
  ])('%s: %s', (_, value, fine) => expect(copyJson(value) !== undefined).toBe(fine));

  law(
    'every JSON value can',
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const given: unknown = JSON.parse(JSON.stringify(value));
      expect(copyJson(given)).toEqual(given);
    }),
  );
});

test('fields are in the order of the journal, and one called __proto__ is kept', () => {
  const given: unknown = JSON.parse('{"b":1,"a":0,"__proto__":{"d":[{"f":1,"e":0}],"c":2}}');
  const copy = copyJson(given);
  expect(JSON.stringify(copy)).toBe(canonical(given));
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});

describe('ruling 56: a thought in marks is cut from the message, and nothing else is', () => {
  const OWN = 'I am the impostor and I killed Pink.';
  test.each([
    ['paired', `<think>${OWN}</think> I was in Admin.`],
    ['of a name with another name in it', `<M2_7think>${OWN}</M2_7think> I was in Admin.`],
    ['in capitals and square brackets', `[THINK]${OWN}[/THINK] I was in Admin.`],
    ['of another shape', `◁think▷${OWN}◁/think▷I was in Admin.`],
    ['with attributes', `<reasoning effort="low">${OWN}</reasoning>I was in Admin.`],
    ['of tokens', `<|begin_of_thought|>${OWN}<|end_of_thought|>I was in Admin.`],
    ['with full-width brackets', `＜think＞${OWN}＜/think＞I was in Admin.`],
    ['with invisible letters', `<th\u200Bink>${OWN}</think>I was in Admin.`],
    ['whose beginning is missing', `${OWN}</think>I was in Admin.`],
    ['that never ends', `I was in Admin.<scratchpad>${OWN}`],
    ['in one bracket', `(thinking: ${OWN}) I was in Admin.`],
    ['in stars', `*thinks: ${OWN}* I was in Admin.`],
    [
      'in a channel',
      `<|channel|>analysis<|message|>${OWN}<|end|><|start|>assistant<|channel|>final<|message|>I was in Admin.`,
    ],
    ['in a bare channel', `analysis${OWN}assistantfinalI was in Admin.`],
    ['in a comment', `<!-- ${OWN} -->I was in Admin.`],
    ['in entities', `&lt;think&gt;${OWN}&lt;/think&gt;I was in Admin.`],
    ['that ends in braces', `{thinking}${OWN}{/thinking}I was in Admin.`],
    ['before a label', `Thought: ${OWN}\nMessage: I was in Admin.`],
    ['before what is said', `Inner monologue: ${OWN} Out loud: I was in Admin.`],
    ['before what is public', `Private: ${OWN}\n**Public:** I was in Admin.`],
    ['in an object', JSON.stringify({ internal_thought: OWN, message: 'I was in Admin.' })],
    ['before the name of the field', `internal_thought: ${OWN}\nmessage: I was in Admin.`],
    ['in Chinese', `（心想：${OWN}）I was in Admin.`],
    ['in numbered entities', `&#60;think&#62;${OWN}&#60;/think&#62;I was in Admin.`],
    ['in a mark of an everyday name', `<notes>${OWN}</notes> I was in Admin.`],
    ['in brackets that are closed', `[plan]${OWN}[/plan] I was in Admin.`],
    ['in a spoiler', `||My thought: ${OWN}|| I was in Admin.`],
    ['said to oneself', `*${OWN} I think to myself* I was in Admin.`],
    ['in quotes', `„Gedanke: ${OWN}“ I was in Admin.`],
    ['in a command', `\\think{${OWN}} I was in Admin.`],
    ['with letters of two alphabets', `<th\u0456nk>${OWN}</th\u0456nk>I was in Admin.`],
    ['with spaces', `<t h i n k>${OWN}</t h i n k>I was in Admin.`],
    ['in an escape', `\\u003cthink\\u003e${OWN}\\u003c/think\\u003eI was in Admin.`],
    ['twice', `<think>a</think>I was<reflection>b</reflection> in Admin.`],
  ])('%s', (_, message) => {
    expect(read({ message })).toMatchObject({ message: 'I was in Admin.' });
    expect(notes({ message })).toEqual(['reply/thought']);
  });

  test.each([
    'I think: Red did it.',
    'Red is lying (reason: he vented)',
    'a < b, and [Red] (I think) was there > here',
    'My *only* thought: it was Red.',
    '<3 [shrugs]',
    '[quietly] *sighs* I think it was Blue 🤔',
    'Plan: [plan] vote Blue. Then skip.',
    '[Analysis] Blue lied.',
    'if (x < 3 || y > 2) {kill} || wait',
    'Thinking about it, Blue (note: not Green) lied.',
    'My plan (secret) is none, ~Blue~.',
    'C:\\think\\x, 我认为是Blue',
    'a &lt; b',
  ])('%j stays', (message) => {
    expect(read({ message })).toMatchObject({ message });
    expect(notes({ message })).toEqual([]);
  });

  test.each(['<|im_end|></s>', '\n\nUser: What now?', '</message><vote>red</vote>'])(
    '%j at the end goes, with a note',
    (end) => {
      expect(read({ message: `I was in Admin.${end}` })).toMatchObject({
        message: 'I was in Admin.',
      });
      expect(notes({ message: `I was in Admin.${end}` })).toEqual(['reply/cleaned']);
    },
  );

  test.each([
    ['an object that it quotes stays', 'He wrote {"a": 1} to me.', 'He wrote {"a": 1} to me.', []],
    ['an object in its place goes', ' {"a": 1} ', '', ['reply/cleaned']],
    ['a word for nothing is nothing', '(N/A)', '', []],
    ['what nobody can see goes', 'I was\u0007 in Admin.', 'I was in Admin.', ['reply/cleaned']],
    ['white space at its ends is no matter', ' I was in Admin. ', 'I was in Admin.', []],
  ])('of a message %s', (_, wire, message, noted) => {
    expect(read({ message: wire })).toMatchObject({ message });
    expect(notes({ message: wire })).toEqual(noted);
  });

  test.each([`<think>${OWN}`, JSON.stringify({ internal_thought: OWN })])(
    '%s alone leaves a blank message',
    (message) => {
      expect(read({ message })).toMatchObject({ message: '' });
    },
  );
});

/** Values at the border of the wire form: each field right, of another kind, or empty. */
const field = <T>(right: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 6, arbitrary: right },
    { weight: 1, arbitrary: fc.constantFrom(null, '', 3, true, {}, [], ['red']) },
  );
const pages = fc.oneof(
  fc.record({ main_scratch: field(fc.string()), meeting_scratch: field(fc.string()) }),
  fc.record({ main_scratch: field(fc.string()) }),
  fc.constantFrom<object>({}, [], { more: 'x' }),
);
const thought = field(fc.string({ unit: 'binary' }));
const wireReply = fc.record({
  internal_thought: thought,
  desire_to_speak: field(
    fc.oneof(fc.nat(10), fc.constantFrom(-1, 11, 9.5, -0, Number.NaN, Number.POSITIVE_INFINITY)),
  ),
  message: field(fc.oneof(fc.string(), fc.constantFrom(' ', 'aaaa', '<b>'))),
  target: field(fc.constantFrom(...COLOURS, 'Red ', 'nobody')),
  vote_action: field(fc.constantFrom(...COLOURS, 'skip', 'VOTE(red)', 'nobody')),
  scratchpad_updates: field(pages),
});
const wireOrder = fc.record({
  internal_thought: thought,
  action: fc.oneof(
    fc.constantFrom(null, 'wait', 'fly', {}, [], { type: null }, { type: 'go', to: 'admin' }),
    fc.record({ type: fc.constant('wait'), rounds: field(fc.nat(30)) }),
  ),
  scratchpad_updates: field(pages),
});

describe('a reply in wire form reads the same without its schema', () => {
  // An unknown field changes nothing, but sends the reply through the schema.
  law(
    'a reply',
    fc.property(wireReply, (sent) => {
      expect(readReply(sent)).toEqual(readReply({ ...sent, unknown: 1 }));
    }),
    2000,
  );
  law(
    'an order',
    fc.property(wireOrder, (sent) => {
      expect(readOrder(sent)).toEqual(readOrder({ ...sent, unknown: 1 }));
    }),
    2000,
  );
});

test('a stored value is a copy that later changes do not affect', () => {
  const given = { message: 'first', scratchpad_updates: { main_scratch: 'mine' } };
  const copy = copyJson(given);
  given.message = 'second';
  given.scratchpad_updates.main_scratch = 'yours';
  expect(copy).toEqual({ message: 'first', scratchpad_updates: { main_scratch: 'mine' } });
  expect(Object.is(copyJson(-0), 0)).toBe(true);
});

law(
  'no input of any kind makes the reader throw',
  fc.property(
    fc.oneof(
      fc.anything(),
      fc.string(),
      fc.json(),
      fc.record({ vote_action: fc.anything(), desire_to_speak: fc.anything() }),
    ),
    (received) => {
      expect(typeof readReply(received).ok).toBe('boolean');
    },
  ),
  1000,
);
