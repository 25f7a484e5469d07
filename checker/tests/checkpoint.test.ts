/** A search that was ended, kept and continued ends with exactly what it ends with when nothing ends it. */
import { describe, expect, test } from 'vitest';
import { assign, createMachine } from 'xstate';
import { type CheckOptions, type CheckResult, check, checkInTurns } from '../check.ts';
import type { Model, Property, SearchBudget } from '../model.ts';
import { tape } from '../selftest/trials.ts';
import { checkInWorkers, loadModel } from '../workers/checkInWorkers.ts';
import { type Box, type BoxEvent, factored, PROPERTIES, scrapsOf, whole } from './box.ts';
import { charts, SEED } from './law.ts';
import * as models from './workerModels.ts';

// What decides nothing here is which context and which events a model has.
type AnyModel = Model<never, never>;

/** All that a search says, but how long it took and how much room it made for itself. */
function read({ seconds: _, bytes: __, checkpoint, ...found }: CheckResult<unknown>) {
  return { ...found, isOpen: checkpoint !== null };
}

function keep({ checkpoint }: CheckResult<unknown>): Uint8Array | undefined {
  return checkpoint === null ? undefined : new Uint8Array(Buffer.concat([...checkpoint()]));
}

/** Ends a search by one budget after another, each time in what might be another process; the last has none. */
function searchInPieces(
  create: () => AnyModel,
  options: CheckOptions,
  budgets: readonly SearchBudget[],
): { readonly found: CheckResult<unknown>; readonly cuts: number } {
  let resume: Uint8Array | undefined;
  let cuts = 0;
  for (const budget of budgets) {
    const found = check(create(), { ...options, now: createClock(), budget, resume });
    if (found.ended === null) break;
    // What ends before it has come to where it was keeps what was kept before.
    const kept = keep(found);
    if (kept !== undefined) cuts += 1;
    resume = kept ?? resume;
  }
  return { found: check(create(), { ...options, resume }), cuts };
}

/** A clock that goes on by one whenever it is asked: a budget of seconds ends a search anywhere. */
function createClock(): () => number {
  let asked = 0;
  return () => asked++;
}

const INFINITE = Number.POSITIVE_INFINITY;
const ofStates = (states: number): SearchBudget => ({ states, seconds: INFINITE });
const ofLooks = (seconds: number): SearchBudget => ({ states: INFINITE, seconds });

/** How often it applies depends on which whole events are drawn. */
const DRAWN: Property<Box, BoxEvent> = {
  name: 'first-1-then-0',
  sentence: '',
  kind: 'step',
  when: ({ event }) =>
    event.type === 'slips' && event.slips[0]?.vote === 1 && event.slips[1]?.vote === 0,
  holds: () => true,
};
const box = (voters: number) => factored({ voters, properties: [...PROPERTIES, DRAWN] });
const twoEvents = () => {
  const one = box(3);
  return { ...one, factored: { ...one.factored, scraps: scrapsOf(3) } };
};
const SIZE = { k: 4, modulus: 3 };

const MODELS: readonly (readonly [string, () => unknown, CheckOptions])[] = [
  ['counters', () => models.counting(SIZE), { keepsGraph: true }],
  ['some properties of them', () => models.counting(SIZE), { only: ['climbs', 'first-turns'] }],
  ['counters modulo symmetry', () => models.symmetric(SIZE), { isSymmetric: true }],
  ['counters by XState’s engine', () => models.counting(SIZE), { engine: 'xstate' }],
  ['sets, timers and children', () => models.coded(), {}],
  ['history', () => models.remembering(), {}],
  ['a box, whole', () => whole({ voters: 3, properties: PROPERTIES }), {}],
  ['a box, slip by slip', () => box(3), {}],
  ['the same modulo symmetry', () => box(4), { isSymmetric: true }],
  ['two factored events at once', twoEvents, {}],
  ['the same two modulo symmetry', twoEvents, { isSymmetric: true }],
];

describe.each(MODELS)('%s', (_, build, options) => {
  // Their contexts and events are their own.
  const create = () => build() as AnyModel;
  const uncut = read(check(create(), options));
  const { states } = uncut;

  test('ended at any number of states', () => {
    const step = Math.max(1, Math.floor(states / charts(12, 100_000)));
    for (let at = 1; at < states; at += step) {
      const { found, cuts } = searchInPieces(create, options, [ofStates(at)]);
      expect(cuts).toBe(1);
      expect(read(found)).toEqual(uncut);
    }
  });

  test('ended again and again', () => {
    const tenth = Array.from({ length: 10 }, (_, index) => Math.ceil((states * (index + 1)) / 11));
    const { found, cuts } = searchInPieces(create, options, tenth.map(ofStates));
    expect(cuts).toBeGreaterThan(1);
    expect(read(found)).toEqual(uncut);
    // A budget that is smaller than what was kept ends before that is found again, and loses nothing.
    const back = [ofStates(states - 1), ofStates(1), ofStates(states - 1)];
    expect(read(searchInPieces(create, options, back).found)).toEqual(uncut);
  });

  test('shown every state again, in the same order', () => {
    const shown = (resume?: Uint8Array, budget?: SearchBudget) => {
      const seen: number[] = [];
      const onState = (_: unknown, number: number) => seen.push(number);
      const found = check(create(), {
        ...{ ...options, onState, resume },
        ...(budget === undefined ? {} : { budget }),
      });
      return { seen, kept: keep(found) };
    };
    const { kept } = shown(undefined, ofStates(Math.ceil(states / 2)));
    expect(shown(kept).seen).toEqual([...Array(states).keys()]);
  });
});

test('ended within the drafts of one state', () => {
  // The first state alone has 3^8 drafts, and the clock is looked at every 1,024 of them.
  const create = () => box(8) as unknown as AnyModel;
  const uncut = read(check(create(), {}));
  const cut = check(create(), { now: createClock(), budget: ofLooks(4) });
  expect(cut.frontier).toBe(cut.states);
  expect(cut.parts?.drafts).toBeGreaterThan(1024);
  const { found, cuts } = searchInPieces(create, {}, [ofLooks(4), ofLooks(6), ofLooks(5)]);
  expect(cuts).toBe(3);
  expect(read(found)).toEqual(uncut);
});

describe('in turns and in workers', () => {
  const source = {
    module: new URL('../../checker/tests/workerModels.ts', import.meta.url).href,
    export: 'counting',
    argument: { k: 4, modulus: 4 },
  };
  const SHARED = { workers: 2, fewest: 0 };

  test('what one thread has kept two go on with, and the other way round', async () => {
    const model = await loadModel<never, never>(source);
    const uncut = read(check(model));
    const alone = keep(check(model, { budget: ofStates(60) }));
    const together = keep(await checkInWorkers(source, { ...SHARED, budget: ofStates(60) }));
    expect(read(await checkInWorkers(source, { ...SHARED, resume: alone }))).toEqual(uncut);
    expect(read(await checkInWorkers(source, { ...SHARED, resume: together }))).toEqual(uncut);
    expect(read(check(model, { resume: together }))).toEqual(uncut);
  });

  test('an interruption ends a search where it is, and it goes on', async () => {
    const model = await loadModel<never, never>(source);
    const interruption = new AbortController();
    const onState = (_: unknown, number: number) => {
      if (number === 40) interruption.abort();
    };
    const { signal } = interruption;
    const cut = await checkInTurns(model, { signal, onState });
    expect(cut).toMatchObject({ ended: 'an interruption', frontier: expect.any(Number) });
    expect(cut.states).toBeLessThan(60);
    expect(cut.results.filter(({ verdict }) => verdict.type === 'proved')).toEqual([]);
    const resume = keep(cut);
    expect(read(await checkInTurns(model, { resume }))).toEqual(read(check(model)));
  });
});

describe('what is no checkpoint of this search is refused in a sentence', () => {
  const model = () => models.counting(SIZE) as unknown as AnyModel;
  const kept = keep(check(model(), { budget: ofStates(20) })) ?? new Uint8Array();
  const refusal = (bytes: Uint8Array, created = model(), options: CheckOptions = {}) => {
    try {
      check(created, { ...options, resume: bytes });
    } catch (error) {
      const { code, message } = error as Error & { readonly code: string };
      return { code, message };
    }
    return null;
  };

  test.each([
    { what: 'nothing', bytes: new Uint8Array() },
    { what: 'something else', bytes: new TextEncoder().encode('{"type":"journal"}') },
    { what: 'its name alone', bytes: kept.slice(0, 16) },
    { what: 'its head alone', bytes: kept.slice(0, 28) },
    { what: 'half of it', bytes: kept.slice(0, kept.length >> 1) },
    { what: 'all but its last byte', bytes: kept.slice(0, -1) },
    { what: 'one byte more', bytes: Buffer.concat([kept, Uint8Array.of(0)]) },
  ])('$what is damaged', ({ bytes }) => {
    expect(refusal(bytes)).toMatchObject({ code: 'checkpoint/damaged' });
  });

  test(`any byte that is another one (seed ${SEED})`, () => {
    const step = Math.max(1, Math.floor(kept.length / charts(400, 1_000_000)));
    for (let at = SEED % step; at < kept.length; at += step) {
      const bytes = kept.slice();
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      expect(refusal(bytes)?.code).toMatch(/^checkpoint\/(damaged|other-version)$/);
    }
    expect(refusal(kept)).toBeNull();
  });

  test.each([
    { what: 'other properties', model: model(), options: { only: ['climbs'] } },
    { what: 'another engine', model: model(), options: { engine: 'xstate' as const } },
    { what: 'another name', model: { ...model(), name: 'abacus' }, options: {} },
    {
      what: 'another machine',
      model: { ...model(), machine: tape },
      options: {},
    },
    { what: 'other rules', model: model(), options: { binding: { 'the rules': '2' } } },
  ])('$what: of another search', ({ model: other, options }) => {
    const found = refusal(kept, other, options);
    expect(found?.code).toBe('checkpoint/other-search');
    expect(found?.message).toMatch(/^expected a search with the [a-z]+ .+, found one with /);
  });

  test('a machine that reads the same and does something else by now', () => {
    const counting = (most: { readonly n: number }): AnyModel => {
      const machine = createMachine({
        types: {} as { context: { readonly n: number } },
        id: 'count',
        context: { n: 0 },
        on: { go: { actions: assign({ n: ({ context }) => (context.n + 1) % most.n }) } },
      });
      const model = { name: 'count', machine, world: () => [{ type: 'go' }], properties: [] };
      return model as unknown as AnyModel;
    };
    const before = keep(check(counting({ n: 100 }), { budget: ofStates(50) }));
    expect(refusal(before ?? new Uint8Array(), counting({ n: 30 }))).toEqual({
      code: 'checkpoint/other-search',
      message: expect.stringContaining('state 30 is not found again'),
    });
  });

  test('nothing is kept of what is closed, or broken', () => {
    expect(check(model()).checkpoint).toBeNull();
    const throwing = models.throwing(SIZE) as unknown as AnyModel;
    expect(check(throwing)).toMatchObject({ broken: expect.anything(), checkpoint: null });
  });
});
