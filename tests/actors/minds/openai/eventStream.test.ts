import { describe, expect, test } from 'vitest';
import { StreamedAnswer, type StreamOutcome } from '../../../../actors/minds/openai/eventStream.ts';

type Read = { readonly outcome: StreamOutcome; readonly written: string; readonly length: number };

function readPieces(pieces: readonly string[]): Read {
  const stream = new StreamedAnswer();
  const written = pieces.map((piece) => stream.feed(piece).written).join('');
  const { length } = stream;
  return { written, length, outcome: stream.end() };
}

function readLines(...lines: readonly string[]): StreamOutcome {
  return readPieces([lines.join('\n')]).outcome;
}

function eventsOf(chunks: readonly unknown[]): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
}

const readChunks = (...chunks: readonly unknown[]): Read => readPieces([eventsOf(chunks)]);

function bodyOf({ outcome }: Read): unknown {
  if (outcome.type !== 'whole') throw new Error(`expected a whole answer, found ${outcome.type}`);
  return outcome.body;
}

const END = { finish_reason: 'stop' };

function messageOf(...deltas: readonly object[]): unknown {
  const chunks = deltas.map((delta) => ({ choices: [{ delta }] }));
  const body = bodyOf(readChunks(...chunks, { choices: [{ delta: {}, ...END }] }));
  return Reflect.get(Object(Reflect.get(Object(body), 'choices')[0]), 'message');
}

describe('wherever a text is cut', () => {
  const chunk = (content: string) => JSON.stringify({ choices: [{ delta: { content } }] });
  /** Line breaks of three kinds, one after another; an event over several lines; and no break at the end. */
  const TEXT = [
    '\uFEFFevent: message\r',
    `data: ${chunk('a')}\r\n\r\n`,
    ': a sign of life\r\r',
    'data: {"choices":\r\ndata: [{"delta":\rdata: {"content": "b"}}]\ndata: }\r\n\n',
    `data: ${chunk('c\uFEFF')}\n\n`,
    'data: {"choices":\r\n\n',
    `data: ${JSON.stringify({ choices: [{ delta: {}, ...END }] })}`,
  ].join('');
  // One event has no end before its empty line: all others are read, and yet the answer is not whole.
  const EXPECTED = {
    outcome: { type: 'broken', body: { choices: [{ ...END, message: { content: 'abc\uFEFF' } }] } },
    written: 'abc\uFEFF',
    length: 4,
  };

  test('at once', () => expect(readPieces([TEXT])).toEqual(EXPECTED));

  test('in two', () => {
    for (let at = 0; at <= TEXT.length; at++)
      expect(readPieces([TEXT.slice(0, at), TEXT.slice(at)]), `cut at ${at}`).toEqual(EXPECTED);
  });

  test('in single letters, with nothing between them', () => {
    expect(readPieces([...TEXT].flatMap((letter) => ['', letter]))).toEqual(EXPECTED);
  });

  test('a mark of the order of bytes is one at the beginning only', () => {
    const line = `data: ${chunk('a')}`;
    expect(readPieces(['', `\uFEFF${line}`]).outcome.type).toBe('broken');
    for (const pieces of [[`\uFEFF\uFEFF${line}`], [':\n', `\uFEFF${line}`]])
      expect(readPieces(pieces).outcome.type).toBe('none');
  });
});

describe('a line', () => {
  const CHUNK = JSON.stringify({ choices: [{ delta: { content: 'a' }, ...END }] });
  test.each([
    [`data: ${CHUNK}`, 'whole'],
    [`data:${CHUNK}`, 'whole'],
    [`data:   ${CHUNK}  `, 'whole'],
    [`data: [${CHUNK}]`, 'whole'],
    [`id: 7\ndata: ${CHUNK}`, 'whole'],
    // Unknown fields and lines without a field are ignored.
    [`data ${CHUNK}`, 'none'],
    [`Data: ${CHUNK}`, 'none'],
    [` data: ${CHUNK}`, 'none'],
    [`: ${CHUNK}`, 'none'],
    [`message: ${CHUNK}`, 'none'],
    [CHUNK, 'none'],
    // Signs of life.
    ['data: ping', 'none'],
    ['data: 7', 'none'],
    ['data: null', 'none'],
    ['data:', 'none'],
    ['event: ping', 'none'],
    ['error: hm', 'none'],
    ['', 'none'],
    // An event that ends within its JSON has come, and is torn.
    [`data: ${CHUNK}\n\ndata: {"a`, 'broken'],
    [`data: {"a\n\ndata: ${CHUNK}`, 'broken'],
    [`data:  [1,\n\ndata: ${CHUNK}`, 'broken'],
    [`data: {"a"\n\ndata: {"b"`, 'none'],
    // A sign of life in the middle of an event is a part of it.
    [`data: {"id":\ndata: 7,\n\ndata: "choices": []}`, 'none'],
    [`data: {"id":\ndata: 7,\ndata: "choices": []}\n\ndata: ${CHUNK}`, 'whole'],
  ])('%j is %s', (text, type) => expect(readPieces([text]).outcome.type).toBe(type));

  test('of an event that is named counts for that event only', () => {
    const failed = readLines('event:  error ', `data: ${CHUNK}`, '', `data: ${CHUNK}`, '');
    expect(failed).toMatchObject({ type: 'whole', body: { error: { choices: [{}] } } });
    expect(readLines('event: error', '', `data: ${CHUNK}`, '')).toEqual({
      type: 'whole',
      body: { choices: [{ ...END, message: { content: 'a' } }] },
    });
    const inLines = readLines('event: error', 'data: {"message":', 'data: "busy"}', '');
    expect(inLines).toMatchObject({ type: 'whole', body: { error: { message: 'busy' } } });
  });
});

describe('the mark of the end', () => {
  test('is known at once, with white space about it, and is something that came', () => {
    const stream = new StreamedAnswer();
    expect([stream.isDone, stream.hasBegun]).toEqual([false, false]);
    stream.feed('data: ping\n\n');
    expect([stream.isDone, stream.hasBegun]).toEqual([false, false]);
    stream.feed('data:  [DONE] \n');
    expect([stream.isDone, stream.hasBegun]).toEqual([true, true]);
    expect(stream.end()).toEqual({ type: 'whole', body: { choices: [] } });
  });

  test('is none in a chunk', () => {
    const stream = new StreamedAnswer();
    stream.feed(eventsOf([{ choices: [{ delta: { content: '[DONE]' } }] }]));
    expect([stream.isDone, stream.hasBegun]).toEqual([false, true]);
  });

  test.each([
    ['a choice', { choices: [{ delta: { content: 'a' } }] }],
    ['a message', { message: { content: 'a' } }],
  ])('does not end %s that has given no reason', (_, chunk) => {
    const text = `${eventsOf([chunk])}data: [DONE]\n\n`;
    expect(readPieces([text]).outcome.type).toBe('broken');
  });

  test('may be asked for twice', () => {
    const stream = new StreamedAnswer();
    stream.feed('data: {"choices":[{"delta":{"content":"a"}}]}');
    const first = structuredClone(stream.end());
    expect(stream.end()).toEqual(first);
  });
});

describe('a reason to end', () => {
  test.each([
    [{ finish_reason: 'stop' }, 'whole'],
    [{ stop_reason: 'end_turn' }, 'whole'],
    [{ finish_reason: null, stop_reason: 'end_turn' }, 'whole'],
    [{ done: true }, 'whole'],
    [{ done: false }, 'broken'],
    [{ done: 'yes' }, 'broken'],
    [{ finish_reason: '' }, 'broken'],
    [{ finish_reason: 7 }, 'broken'],
    [{ finish_reason: null }, 'broken'],
    [{}, 'broken'],
  ])('%j: %s', (reason, type) => {
    expect(readChunks({ choices: [{ delta: {}, ...reason }] }).outcome.type).toBe(type);
    expect(readChunks({ message: { content: 'a' }, ...reason }).outcome.type).toBe(type);
  });

  test('once given stays, whatever follows', () => {
    const later = { choices: [{ delta: {}, finish_reason: null }] };
    const empty = { choices: [{ delta: {}, finish_reason: '' }] };
    const first = { choices: [{ delta: { content: 'a' }, ...END }] };
    expect(bodyOf(readChunks(first, later, empty))).toEqual({
      choices: [{ ...END, message: { content: 'a' } }],
    });
  });

  test('the reason to end is the one of the first choice, in any order', () => {
    const choice = (index: number, more: object) => ({ choices: [{ index, delta: {}, ...more }] });
    expect(readChunks(choice(0, {}), choice(1, END)).outcome.type).toBe('broken');
    expect(readChunks(choice(1, {}), choice(0, END)).outcome.type).toBe('whole');
    expect(readChunks(choice(0, END), choice(1, {})).outcome.type).toBe('whole');
  });
});

describe('choices', () => {
  test('choices are identified by index or place, and sorted by it', () => {
    const piece = (index: number, content: string) => ({ index, delta: { content } });
    const chunks = [
      { choices: [piece(1, 'x'), piece(0, 'a')] },
      { choices: [piece(1, 'y')] },
      { choices: [{ ...piece(0, 'b'), ...END }] },
    ];
    const read = readChunks(...chunks);
    expect(bodyOf(read)).toEqual({
      choices: [
        { index: 0, ...END, message: { content: 'ab' } },
        { index: 1, message: { content: 'xy' } },
      ],
    });
    const placed = readChunks({ choices: [{ text: 'a', ...END }, { text: 'x' }] });
    expect(bodyOf(placed)).toEqual({
      choices: [
        { ...END, text: 'a', message: {} },
        { text: 'x', message: {} },
      ],
    });
    // Those who look on are shown the first.
    expect([placed.written, placed.length]).toEqual(['a', 1]);
  });
});

describe('fields that are written piece by piece', () => {
  test.each([
    'content',
    'refusal',
    'reasoning',
    'reasoning_content',
    'thinking',
    'output_text',
    'generated_text',
    'response',
  ])('%s is put together', (name) => {
    expect(messageOf({ [name]: 'a' }, { [name]: '' }, { [name]: null }, { [name]: 'b' })).toEqual({
      [name]: 'ab',
    });
  });

  test('the text of old completions is put together', () => {
    const read = readChunks({ choices: [{ text: 'a' }] }, { choices: [{ text: 'b', ...END }] });
    expect(bodyOf(read)).toEqual({ choices: [{ ...END, text: 'ab', message: {} }] });
    expect(read.written).toBe('ab');
  });

  test('other fields are taken as they come, and nothing takes them away', () => {
    expect(messageOf({ role: 'assistant' }, { role: 'assistant' })).toEqual({ role: 'assistant' });
    expect(messageOf({ role: 'assistant' }, { role: '' }, { role: null })).toEqual({
      role: 'assistant',
    });
    expect(messageOf({ role: '' }, { audio: null })).toEqual({ role: '', audio: null });
    expect(messageOf({ a: 1 }, { a: 0 })).toEqual({ a: 0 });
    expect(messageOf({ content: 'a' }, { content: 7 })).toEqual({ content: 7 });
  });

  test('objects are put together, down to the eighth', () => {
    const nested = (depth: number, inner: object): object =>
      depth === 0 ? inner : { o: nested(depth - 1, inner) };
    const pieces = (depth: number) =>
      messageOf(nested(depth, { a: 1, content: 'x' }), nested(depth, { b: 2, content: 'y' }));
    expect(pieces(8)).toEqual(nested(8, { a: 1, b: 2, content: 'xy' }));
    expect(pieces(9)).toEqual(nested(9, { b: 2, content: 'y' }));
  });

  test('an object replaces a value of another type', () => {
    expect(messageOf({ o: [1] }, { o: { a: 1 } })).toEqual({ o: { a: 1 } });
    expect(messageOf({ o: 'x' }, { o: { a: 1 } })).toEqual({ o: { a: 1 } });
    expect(messageOf({ o: null }, { o: { a: 1 } })).toEqual({ o: { a: 1 } });
  });

  test('no piece changes what objects are', () => {
    const text = '{"choices":[{"delta":{"__proto__":{"content":"x"},"content":"a"}}]}';
    const { outcome } = readPieces([`data: ${text}\n\n${eventsOf([{ choices: [{ ...END }] }])}`]);
    expect(outcome).toEqual({
      type: 'whole',
      body: { choices: [{ ...END, message: { content: 'a' } }] },
    });
  });
});

describe('content in parts', () => {
  const part = (text: string) => ({ type: 'text', text });
  test.each([
    [
      [{ content: [part('a')] }, { content: [part('b')] }],
      [part('a'), part('b')],
    ],
    [
      [{ content: 'a' }, { content: [part('b')] }],
      [part('a'), part('b')],
    ],
    [[{ content: '' }, { content: [part('b')] }], [part('b')]],
    [[{ content: null }, { content: [part('b')] }], [part('b')]],
    [
      [{ content: [part('a')] }, { content: 'b' }],
      [part('a'), part('b')],
    ],
    [[{ content: { a: 1 } }, { content: 'b' }], 'b'],
  ])('%j', (deltas, content) => expect(messageOf(...deltas)).toEqual({ content }));

  test('content in parts is shown as it comes, except parts without words', () => {
    const content = [part('a'), { type: 'image' }, { text: 7 }, null, part('b')];
    const read = readChunks({ choices: [{ delta: { content } }] });
    expect([read.written, read.length]).toEqual(['ab', 2]);
  });
});

describe('a message in place of a piece', () => {
  function followed(...messages: readonly unknown[]): unknown {
    const chunks = messages.map((message) => ({ choices: [{ message }] }));
    return Reflect.get(Object(bodyOf(readChunks(...chunks, { choices: [END] }))), 'choices');
  }

  test.each([
    // All that has been said by now, again and again.
    [[{ content: 'a' }, { content: 'ab' }, { content: 'ab' }], { content: 'ab' }],
    // The next piece of it.
    [[{ content: 'a' }, { content: 'b' }], { content: 'ab' }],
    [[{ content: 'ab' }, { content: 'a' }], { content: 'aba' }],
    [[{ content: 'a' }, null, 7, { role: 'assistant' }], { content: 'a', role: 'assistant' }],
    [[{ role: 'assistant' }, { content: 'a' }], { content: 'a', role: 'assistant' }],
    [
      [{ role: 'assistant' }, { content: 'undefined' }],
      { content: 'undefined', role: 'assistant' },
    ],
  ])('%j', (messages, message) => expect(followed(...messages)).toEqual([{ ...END, message }]));

  test('counts where the pieces beside it say nothing', () => {
    const read = (delta: object, message: object) =>
      bodyOf(readChunks({ choices: [{ message }] }, { choices: [{ delta, ...END }] }));
    const whole = { content: 'whole' };
    const silent = [{}, { role: 'assistant' }, { content: '' }, { content: null }];
    for (const delta of silent)
      expect(read(delta, whole)).toEqual({ choices: [{ ...END, message: whole }] });
    const speaking = [
      { content: 'a' },
      { function_call: { name: 'x' } },
      { tool_calls: [{ id: 'a' }] },
    ];
    for (const delta of speaking)
      expect(read(delta, whole)).toEqual({ choices: [{ ...END, message: delta }] });
  });

  test('counts where no piece of it comes, and not beside one', () => {
    const both = { choices: [{ delta: { role: 'x' }, message: { content: 'a' }, ...END }] };
    expect(bodyOf(readChunks(both))).toEqual({ choices: [{ ...END, message: { role: 'x' } }] });
    const nothing = { choices: [{ delta: null, message: { content: 'a' }, ...END }] };
    expect(bodyOf(readChunks(nothing))).toEqual({
      choices: [{ ...END, message: { content: 'a' } }],
    });
  });

  test.each([{}, { message: null }, { message: 7 }])('that is %j is none', (more) => {
    const started = { choices: [{ delta: { role: 'assistant' } }] };
    expect(bodyOf(readChunks(started, { choices: [{ ...more, ...END }] }))).toEqual({
      choices: [{ ...END, message: { role: 'assistant' } }],
    });
  });

  test('a message may be at the top, as in Ollama', () => {
    const read = readChunks(
      { model: 'm', message: { role: 'assistant', content: 'a' }, done: false },
      { model: 'm', message: { role: 'assistant', content: 'b' }, done: true },
    );
    expect(bodyOf(read)).toEqual({
      model: 'm',
      message: { role: 'assistant', content: 'ab' },
      done: true,
    });
    expect([read.written, read.length]).toEqual(['ab', 2]);
  });

  test('at the top counts for nothing beside choices', () => {
    const chunk = { message: 'ok', choices: [{ delta: { content: 'a' }, ...END }] };
    expect(bodyOf(readChunks(chunk))).toEqual({
      message: 'ok',
      choices: [{ ...END, message: { content: 'a' } }],
    });
  });
});

describe('the usage', () => {
  test.each([
    [[{ choices: [], usage: { a: 1 } }], 'whole'],
    [[{ choices: [], usage: null }], 'broken'],
    [[{ choices: [], usage: { a: 1 } }, { choices: [{ delta: { content: 'b' } }] }], 'broken'],
  ])('%j after the last words makes the answer %s', (chunks, type) => {
    const said = { choices: [{ delta: { content: 'a' } }], usage: { a: 1 } };
    expect(readChunks(said, ...chunks).outcome.type).toBe(type);
  });

  test('is the last that was counted', () => {
    const usages = [{ a: 1, b: 1 }, { a: 2 }, null, 7].map((usage) => ({ choices: [], usage }));
    expect(readChunks(...usages).outcome).toEqual({
      type: 'broken',
      body: { choices: [], usage: { a: 2 } },
    });
  });
});

describe('an error', () => {
  test.each([
    [{ error: { message: 'busy' } }, { message: 'busy' }],
    [{ error: 'busy' }, 'busy'],
    [
      { object: 'error', message: 'busy' },
      { object: 'error', message: 'busy' },
    ],
    // Of several the first.
    [{ error: 'busy' }, 'busy', { error: 'gone' }],
  ])('%j makes the answer one', (chunk, error, ...more) => {
    const started = { choices: [{ delta: { content: 'a' } }] };
    expect(readChunks(started, chunk, ...more).outcome).toMatchObject({
      type: 'whole',
      body: { error, choices: [{ message: { content: 'a' } }] },
    });
  });

  test.each([[{ error: null }], [{ error: false }], [{ error: '' }], [{ object: 'chunk' }]])(
    '%j is none',
    (chunk) => {
      const { outcome } = readChunks(chunk);
      expect(outcome.type).toBe('broken');
      expect(outcome).not.toHaveProperty('body.error');
    },
  );

  test.each([
    ['event: error\ndata: gone', { message: 'gone' }],
    ['event: error\ndata: 7', { message: '7' }],
    ['event: error\ndata: {"error":null,"message":"gone"}', { error: null, message: 'gone' }],
    ['error: {"message":"gone"}', { message: 'gone' }],
    ['error: {"error":{"message":"gone"}}', { message: 'gone' }],
  ])('%j says so in its line', (text, error) => {
    expect(readPieces([text]).outcome).toMatchObject({ type: 'whole', body: { error } });
  });
});

describe('calls of tools', () => {
  const given = (text: string, more: object = {}) => ({ ...more, function: { arguments: text } });
  const named = (text: string, more: object = {}) => ({
    ...more,
    function: { name: 'reply', arguments: text },
  });
  const joined = (...calls: readonly (readonly object[])[]) =>
    messageOf(...calls.map((tool_calls) => ({ tool_calls })));

  test.each([
    [
      'pieces belong to the call of their index',
      [
        [named('a', { index: 0, id: 'A' }), named('x', { index: 1, id: 'X' })],
        [given('b', { index: 0 }), given('y', { index: 1 })],
        [given('c', { index: 0, id: 'A' })],
      ],
      [named('abc', { index: 0, id: 'A' }), named('xy', { index: 1, id: 'X' })],
    ],
    [
      'without an index to the last call',
      [[named('a', { id: 'A' })], [given('b')], [given('c', { id: '' }), given('d')]],
      [named('abcd', { id: 'A' })],
    ],
    [
      'another id begins another call, with an index',
      [[named('a', { index: 0, id: 'A' })], [named('x', { index: 0, id: 'X' })]],
      [named('a', { index: 0, id: 'A' }), named('x', { index: 0, id: 'X' })],
    ],
    [
      'and without one, and the same id does not',
      [[named('a', { id: 'A' })], [given('x', { id: 'X' })], [named('y', { id: 'X' })]],
      [named('a', { id: 'A' }), named('xy', { id: 'X' })],
    ],
    [
      'a name without an id begins another call behind one that has an id',
      [[named('a', { id: 'A' })], [named('x')], [given('y')]],
      [named('a', { id: 'A' }), named('xy')],
    ],
    [
      'and not where an index says that it does not',
      [[named('a', { index: 0, id: 'A' })], [named('b', { index: 0 })]],
      [named('ab', { index: 0, id: 'A' })],
    ],
    [
      'an empty name begins no other call',
      [[named('a', { id: 'A' })], [{ function: { name: '', arguments: 'b' } }]],
      [named('ab', { id: 'A' })],
    ],
    [
      'a name that is repeated, without ids, begins none',
      [[named('a')], [named('b')], [given('c')]],
      [named('abc')],
    ],
    [
      'of several with one index the last goes on',
      [
        [named('a', { index: 0, id: 'A' })],
        [named('x', { index: 0, id: 'X' })],
        [given('y', { index: 0 })],
      ],
      [named('a', { index: 0, id: 'A' }), named('xy', { index: 0, id: 'X' })],
    ],
  ])('%s', (_, pieces, calls) => expect(joined(...pieces)).toEqual({ tool_calls: calls }));

  test('there are at most 128', () => {
    const many = Array.from({ length: 129 }, (_, index) => named('a', { index, id: `${index}` }));
    expect(joined(many)).toEqual({ tool_calls: many.slice(0, 128) });
    expect(joined(...many.map((one) => [one]))).toEqual({ tool_calls: many.slice(0, 128) });
    // The calls that there are go on.
    const more = [given('b', { index: 127 })];
    const last = named('ab', { index: 127, id: '127' });
    expect(joined(many, more)).toEqual({ tool_calls: [...many.slice(0, 127), last] });
  });

  test('that are no list are taken as they come', () => {
    expect(messageOf({ tool_calls: 'x' }, { tool_calls: [named('a')] })).toEqual({
      tool_calls: [named('a')],
    });
  });

  test.each([
    ['of the first index', { tool_calls: [given('x', { index: 1 }), given('a', { index: 0 })] }],
    ['without an index', { tool_calls: [given('x', { index: 1 }), given('a')] }],
    ['as they were once', { function_call: { arguments: 'a' } }],
    ['without a function around', { tool_calls: [{ arguments: 'a' }] }],
  ])('are shown as they are written: %s', (_, delta) => {
    const read = readChunks({ choices: [{ delta }] });
    expect([read.written, read.length]).toEqual(['a', 1]);
  });

  test('of another index than the first are not shown', () => {
    const delta = { tool_calls: [given('x', { index: 1 })] };
    expect(readChunks({ choices: [{ delta }] })).toMatchObject({ written: '', length: 0 });
  });
});

describe('words of a stream', () => {
  const written = (...deltas: readonly object[]) =>
    eventsOf(deltas.map((delta) => ({ choices: [{ delta }] })));

  test('see each word once, the answer and its thoughts apart; the length is of both', () => {
    const stream = new StreamedAnswer();
    const first = written(
      { reasoning: '12' },
      { reasoning_content: '345' },
      { refusal: '6789' },
      { content: 'ab' },
      { content: null },
    );
    expect(stream.feed(first)).toEqual({ written: 'ab', thoughts: '12345' });
    expect(stream.length).toBe(11);
    expect(stream.feed(written({ content: 'c' }))).toEqual({ written: 'c', thoughts: '' });
    expect(stream.feed(written({ thinking: 'd' }))).toEqual({ written: '', thoughts: 'd' });
    expect(stream.length).toBe(13);
  });

  test('see thoughts in parts as thoughts, and not as the answer', () => {
    const stream = new StreamedAnswer();
    const parts = [
      { type: 'reasoning', text: 'hm' },
      { type: 'thinking', thinking: [{ type: 'text', text: 'so' }] },
      { type: 'text', text: 'a' },
    ];
    expect(stream.feed(written({ content: parts }))).toEqual({ written: 'a', thoughts: 'hmso' });
    expect(stream.length).toBe(5);
  });
});
