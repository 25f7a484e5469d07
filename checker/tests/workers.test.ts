/** A search on several threads finds exactly what one thread finds, and ends as it does. */
import { describe, expect, test } from 'vitest';
import { type CheckOptions, check } from '../check.ts';
import { checkInWorkers, loadModel, type ModelSource } from '../workers/checkInWorkers.ts';

const MODELS = new URL('../../checker/tests/workerModels.ts', import.meta.url).href;
const SIZE = { k: 4, modulus: 4 };
/** All is left to the workers, however few states wait. */
const SHARED = { workers: 2, fewest: 0 };

function planted(name: string, argument: unknown = SIZE): ModelSource {
  return { module: MODELS, export: name, argument };
}

/** Without what differs from run to run: the time, and with it what a checkpoint says of it. */
function untimed({ seconds: _seconds, checkpoint, ...found }: ReturnType<typeof check>) {
  return { ...found, isOpen: checkpoint !== null };
}

async function both(source: ModelSource, options: CheckOptions = {}, shared = SHARED) {
  const alone = untimed(check(await loadModel(source), options));
  const together = untimed(await checkInWorkers(source, { ...options, ...shared }));
  return { alone, together };
}

describe.concurrent('two workers find what one finds', () => {
  test.each([
    ['counters with broken properties', planted('counting'), { keepsGraph: true }],
    ['some properties of the counters', planted('counting'), { only: ['climbs', 'first-turns'] }],
    ['no properties', planted('counting'), { only: [] }],
    ['counters modulo symmetry', planted('symmetric'), { isSymmetric: true }],
    ['sets, timers and children', planted('coded'), {}],
    ['a machine that throws', planted('throwing'), {}],
    ['what only XState’s engine knows', planted('remembering'), {}],
    ['what is refused after a while', planted('spawning'), {}],
    ['the slow engine', planted('counting'), { engine: 'xstate' as const }],
  ])('%s', async (_, source, options) => {
    const { alone, together } = await both(source, options);
    expect(together).toEqual(alone);
    expect(together.states).toBeGreaterThan(5);
  });

  test('what was planted is there to be found', async () => {
    const { together } = await both(planted('counting'));
    const verdicts = together.results.map(({ name, verdict }) => [name, verdict.type]);
    expect(Object.fromEntries(verdicts)).toEqual({
      low: 'violated',
      below: 'proved',
      six: 'proved',
      ninety: 'violated',
      climbs: 'violated',
      'by-one': 'proved',
      'never-asked': 'vacuous',
      'goes-on': 'proved',
      one: 'proved',
      'first-turns': 'proved',
    });
    expect((await both(planted('throwing'))).together.broken?.message).toBe('eight is too many');
    expect((await both(planted('spawning'))).together.slow).toContain('spawn');
  });

  test('more workers than work, and a search that goes on alone until they are there', async () => {
    const source = planted('counting');
    const { alone, together } = await both(source, {}, { ...SHARED, workers: 5 });
    expect(together).toEqual(alone);
    expect(untimed(await checkInWorkers(source, { workers: 3 }))).toEqual(alone);
    expect(untimed(await checkInWorkers(source, { workers: 1 }))).toEqual(alone);
  });

  test('every state is shown once, in the order of its number', async () => {
    const seen = async (workers: number) => {
      const shown: unknown[] = [];
      const onState = ({ at, context }: { at: string; context: unknown }, number: number) =>
        shown.push([number, at, context]);
      await checkInWorkers(planted('counting'), { workers, fewest: 0, onState });
      return shown;
    };
    const shown = await seen(2);
    expect(shown).toEqual(await seen(1));
    expect(shown).toHaveLength(256);
  });
});

describe.concurrent('budgets', () => {
  test.each([0, 1, 4, 5, 17, 100, 255, 256])(
    'of %d states end both at the same state',
    async (states) => {
      const options = { budget: { states, seconds: Number.POSITIVE_INFINITY } };
      const { alone, together } = await both(planted('counting'), options);
      expect(together).toEqual(alone);
      expect(together.ended).toBe(states < 256 ? `the budget of ${states} states` : null);
    },
  );

  /** A clock on which a second passes with every look. */
  const clock = () => {
    let now = 0;
    return () => now++;
  };

  test('of seconds end a shared search too, and prove nothing', async () => {
    const budget = { states: Number.POSITIVE_INFINITY, seconds: 3 };
    const found = await checkInWorkers(planted('counting'), { ...SHARED, budget, now: clock() });
    expect(found.ended).toBe('the budget of 3 seconds');
    expect(found.results.filter(({ verdict }) => verdict.type === 'proved')).toEqual([]);
  });

  test.each([1, 2])('of memory end a search of %d workers', async (workers) => {
    const budget = { states: Infinity, seconds: Infinity, bytes: 64_000_000 };
    const source = planted('counting', { k: 6, modulus: 4 });
    let used = 0;
    const memory = () => {
      used += 40_000_000;
      return used;
    };
    const found = await checkInWorkers(source, { workers, fewest: 0, budget, memory });
    expect(found.ended).toBe('the budget of 64 MB');
    expect(found.frontier).toBeGreaterThan(0);
  });

  test('progress is reported at intervals of the clock', async () => {
    const told: number[] = [];
    const onProgress = ({ states }: { states: number }) => told.push(states);
    const source = planted('counting', { k: 6, modulus: 4 });
    await checkInWorkers(source, { ...SHARED, now: clock(), onProgress });
    expect(told.length).toBeGreaterThan(3);
    expect(told).toEqual(told.toSorted((one, other) => one - other));
  });
});

describe.concurrent('what goes wrong', () => {
  test('a worker that dies ends the search with a sentence', async () => {
    await expect(checkInWorkers(planted('dying'), SHARED)).rejects.toMatchObject({
      code: 'worker/lost',
      message: 'a worker ended before the search did: exit code 3',
    });
  });

  test('a property that throws is thrown on, from wherever it was asked', async () => {
    const source = planted('mistaken');
    const model = await loadModel(source);
    expect(() => check(model)).toThrow('a mistake in a property');
    await expect(checkInWorkers(source, SHARED)).rejects.toThrow('a mistake in a property');
  });

  test('a module without such a function is refused by name', async () => {
    await expect(checkInWorkers(planted('nothing'), SHARED)).rejects.toThrow(
      /expected a function nothing in .*workerModels\.ts, which exports /,
    );
  });
});
