/** States are equal if nothing distinguishes them. Values without an identity are refused with their path. */

import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assign, cancel, createMachine, fromCallback, raise, sendTo } from 'xstate';
import { check } from '../check.ts';
import { ValueIdentity } from '../identity.ts';
import { law } from './law.ts';
import { createModel, encodeSet, flags, TAPE_STATES, tape } from './machines.ts';

function circle(): unknown {
  const inner: Record<string, unknown> = {};
  inner['back'] = { inner };
  return inner;
}

function remembering(value: unknown) {
  return createMachine({ id: 'keeper', context: { deep: { list: [1, value] } } });
}

class Money {
  readonly cents: number;
  constructor(cents: number) {
    this.cents = cents;
  }
}

class Refusal extends Error {
  readonly #code: number;
  constructor(code: number) {
    super('refused');
    this.#code = code;
  }
  get code() {
    return this.#code;
  }
}

describe('a value without an identity is refused with its path', () => {
  test.each([
    { what: 'a class', value: new Money(1), path: 'deep.list[1]', found: 'a Money' },
    {
      what: 'an error with a private field',
      value: new Refusal(1),
      path: 'deep.list[1]',
      found: 'a Refusal',
    },
    { what: 'a cycle', value: circle(), path: 'deep.list[1].back.inner', found: 'part of itself' },
    {
      what: 'a Map in a Map',
      value: new Map([[1, new WeakMap()]]),
      path: 'deep.list[1][1]',
      found: 'a WeakMap',
    },
  ])('$what', ({ value, path, found }) => {
    expect(() => check(createModel(remembering(value)))).toThrow(
      expect.objectContaining({ code: 'model/unidentifiable', path, found }),
    );
  });

  test('a value that appears later is refused as well', () => {
    const machine = createMachine({
      id: 'late',
      types: {} as { context: { seen: unknown } },
      context: { seen: null },
      on: { look: { actions: assign({ seen: () => new WeakSet() }) } },
    });
    expect(() => check(createModel(machine, ['look']))).toThrow('seen is a WeakSet');
  });

  test('with a codec a Set of three flags has eight states', () => {
    const model = {
      ...createModel(
        flags,
        [0, 1, 2].map((at) => ({ type: 'flip', at })),
      ),
      codec: encodeSet,
    };
    expect(check(model)).toMatchObject({ states: 8, transitions: 24 });
  });
});

const odd = Object.assign([1], { more: 1 });
const hidden = Object.defineProperty({}, 'a', { value: 1, enumerable: false });
const named = Symbol('name');

test('the advice for a class without a name is code, too', () => {
  const machine = createMachine({ id: 'hidden', context: { maybe: new (class {})() } });
  expect(() => check(createModel(machine, []))).toThrow(
    /maybe is a class without a name: .* \(value instanceof ItsClass \?/,
  );
});

/** Two values of each class that JavaScript has, or null where the content of an object cannot be read. */
const BUILT_IN: Readonly<Record<string, readonly [one: unknown, other: unknown] | null>> = {
  Object: [{ [named]: 1 }, { [named]: 2 }],
  Array: [odd, [1]],
  Function: [() => 1, () => 2],
  Symbol: [Symbol('x'), Symbol('x')],
  Number: [Number('abc'), 0],
  BigInt: [Object(1n), Object(2n)],
  Boolean: [Object(true), Object(false)],
  String: [Object('a'), Object('b')],
  Date: [new Date(0), new Date(Number.NaN)],
  RegExp: [/a/g, /a/i],
  Map: [new Map([[1, 2]]), new Map([[1, 3]])],
  Set: [new Set([1]), new Set([{}])],
  ArrayBuffer: [new ArrayBuffer(1), new ArrayBuffer(2)],
  DataView: [new DataView(new ArrayBuffer(1)), new DataView(new ArrayBuffer(2))],
  AggregateError: [new AggregateError([1], 'x'), new AggregateError([2], 'x')],
  ...Object.fromEntries(
    [Error, TypeError, RangeError, EvalError, ReferenceError, SyntaxError, URIError].map((made) => [
      made.name,
      [Object.assign(new made('x'), { code: 1 }), new made('x', { cause: 1 })],
    ]),
  ),
  ...Object.fromEntries(
    Object.getOwnPropertyNames(globalThis)
      .filter((name) => /^(Big)?(Ui|I)nt\d+(Clamped)?Array$|^Float\d+Array$/.test(name))
      .map((name) => {
        const made = Reflect.get(globalThis, name);
        return [name, [new made(1), new made(2)]];
      }),
  ),
  Promise: null,
  WeakMap: null,
  WeakSet: null,
  URL: null,
  AbortController: null,
  Headers: null,
};
const SAMPLES: Readonly<Record<string, () => unknown>> = {
  Promise: () => Promise.resolve(),
  URL: () => new URL('a:b'),
};

describe('objects of every built-in class are told apart, or refused', () => {
  test.each(Object.entries(BUILT_IN))('%s', (name, pair) => {
    const identity = new ValueIdentity();
    if (pair === null) {
      const value = SAMPLES[name]?.() ?? Reflect.construct(Reflect.get(globalThis, name), []);
      expect(() => identity.of(value)).toThrow(`is a ${name}: it has no exact identity`);
    } else expect(identity.of({ in: pair[0] })).not.toBe(identity.of({ in: pair[1] }));
  });

  test('with keys that are hidden, from another realm, without a prototype', () => {
    const identity = new ValueIdentity();
    expect(identity.of(hidden)).not.toBe(identity.of({ a: 1 }));
    expect(identity.of([undefined])).not.toBe(identity.of(new Array(1)));
    const [one, other] = runInNewContext(
      '[1, 1].map((n) => ({ a: [n, new Map([[n, new Date(n)]])] }))',
    );
    expect(identity.of(one)).toBe(identity.of(other));
    expect(identity.of(runInNewContext('({ a: [1] })'))).toBe(identity.of({ a: [1] }));
    expect(identity.of(Object.create(null))).not.toBe(identity.of({}));
  });
});

describe('distinct values', () => {
  test.each([
    { one: 0, other: -0 },
    { one: 1, other: '1' },
    { one: null, other: undefined },
    { one: {}, other: [] },
    { one: {}, other: { a: undefined } },
    { one: { a: 1 }, other: { b: 1 } },
    { one: [[1], 2], other: [1, [2]] },
    { one: [0], other: { 0: 0 } },
    { one: true, other: 'true' },
    { one: 1n, other: 1 },
  ])('$one and $other', ({ one, other }) => {
    const identity = new ValueIdentity();
    expect(identity.of(one)).not.toBe(identity.of(other));
    expect(identity.of({ in: [one] })).not.toBe(identity.of({ in: [other] }));
  });

  test('the order of names is not', () => {
    const identity = new ValueIdentity();
    expect(identity.of({ a: 1, b: { c: 2, d: 3 } })).toBe(identity.of({ b: { d: 3, c: 2 }, a: 1 }));
  });

  law(
    'values have the same number exactly when they are written the same',
    fc.property(fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 60 }), (values) => {
      const identity = new ValueIdentity();
      const texts = new Map<string, number>();
      for (const value of [...values, ...structuredClone(values)]) {
        const text = sortedText(value);
        const number = identity.of(value);
        expect(texts.get(text) ?? number).toBe(number);
        texts.set(text, number);
      }
      expect(new Set(texts.values()).size).toBe(texts.size);
    }),
  );
});

/** JSON with sorted names and the sign of zero. */
function sortedText(value: unknown): string {
  if (Object.is(value, -0)) return '-0';
  if (Array.isArray(value)) return `[${value.map(sortedText).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, part]) => `${JSON.stringify(name)}:${sortedText(part)}`,
  );
  return `{${fields.sort().join()}}`;
}

describe('what belongs to a state', () => {
  test('a paused machine remembers its state', () => {
    const found = check(createModel(tape, ['NEXT', 'PAUSE', 'BACK']));
    expect(found.states).toBe(TAPE_STATES);
    expect(found).toMatchObject({ engine: 'compiled', slow: null });
    expect(found.coverage.untaken).toEqual([]);
    expect(check(createModel(tape, ['NEXT', 'PAUSE', 'BACK']), { engine: 'xstate' }).states).toBe(
      TAPE_STATES,
    );
  });

  test('timers: armed or cancelled', () => {
    const machine = createMachine({
      id: 'egg',
      initial: 'idle',
      states: {
        idle: { on: { start: 'boiling' } },
        boiling: { after: { 1000: 'done', 500: 'soft' }, on: { start: 'boiling', stop: 'idle' } },
        soft: {},
        done: {},
      },
    });
    const found = check(createModel(machine, ['start', 'stop']));
    expect(found).toMatchObject({ states: 4, coverage: { unreached: [], untaken: [] } });
    // idle: start, stop. boiling: two timers, start, stop. soft and done: both are ignored.
    expect(found.transitions).toBe(2 + 4 + 2 + 2);
  });

  test('an event that was raised for later and is cancelled never comes', () => {
    const machine = createMachine({
      id: 'alarm',
      initial: 'calm',
      states: {
        calm: { on: { arm: 'armed' } },
        armed: {
          entry: 'arm',
          on: { disarm: { actions: 'cancel', target: 'calm' }, ring: 'ringing' },
        },
        ringing: {},
      },
    }).provide({
      actions: { arm: raise({ type: 'ring' }, { delay: 100, id: 'bell' }), cancel: cancel('bell') },
    });
    const found = check(createModel(machine, ['arm', 'disarm']));
    expect(found.states).toBe(3);
    const ring = found.coverage.matrix.filter(({ event }) => event === 'ring');
    expect(ring).toEqual([{ at: 'armed', event: 'ring', accepted: 1, ignored: 0 }]);
  });

  test('children: one that was started and never stopped', () => {
    const machine = createMachine({
      id: 'caller',
      initial: 'idle',
      states: {
        idle: { on: { call: 'calling' } },
        calling: { invoke: { id: 'line', src: fromCallback(() => {}) }, on: { hang: 'idle' } },
      },
    });
    const model = createModel(machine, ['call', 'hang']);
    const found = check({
      ...model,
      properties: [
        {
          name: 'stops',
          sentence: 'Who hangs up stops the line.',
          kind: 'step',
          when: ({ before, event }) => before.at === 'calling' && event.type === 'hang',
          holds: ({ effects }) =>
            effects.some(({ type, params }) => type === 'xstate.stopChild' && params === 'line'),
        },
      ],
    });
    expect(found).toMatchObject({
      states: 2,
      results: [{ verdict: { type: 'proved', antecedents: 1 } }],
    });
  });

  test('an event that a machine sends to itself arrives', () => {
    const machine = createMachine({
      id: 'echo',
      initial: 'quiet',
      states: {
        quiet: {
          on: {
            call: { actions: sendTo(({ self }) => self, { type: 'echo' }), target: 'waiting' },
          },
        },
        waiting: { on: { echo: 'heard' } },
        heard: {},
      },
    });
    expect(check(createModel(machine, ['call'])).coverage.unreached).toEqual([]);
  });
});
