import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assign, createMachine } from 'xstate';
import { check } from '../check.ts';
import { compileStepper } from '../compile.ts';
import { explore } from '../explore.ts';
import { TupleTable } from '../identity.ts';
import { law } from './law.ts';
import { createCounters, createModel } from './machines.ts';

describe('counting', () => {
  test.each([
    { k: 1, modulus: 1 },
    { k: 1, modulus: 7 },
    { k: 3, modulus: 5 },
    { k: 6, modulus: 4 },
    { k: 10, modulus: 2 },
  ])(
    '$k counters modulo $modulus have modulus^k states and k moves from each',
    ({ k, modulus }) => {
      const found = check(createCounters(k, modulus));
      expect(found).toMatchObject({
        states: modulus ** k,
        transitions: k * modulus ** k,
        depth: k * (modulus - 1),
        frontier: 0,
        ended: null,
        engine: 'compiled',
      });
    },
  );

  test('both engines count alike', () => {
    const model = createCounters(3, 4);
    const fast = check(model);
    const slow = check(model, { engine: 'xstate' });
    expect(slow).toMatchObject({ states: fast.states, transitions: fast.transitions });
    expect(slow.slow).toBe('it was requested');
  });

  test('two parallel regions of m and n states have m·n places', () => {
    const ring = (length: number, event: string) => ({
      initial: 's0',
      states: Object.fromEntries(
        Array.from({ length }, (_, at) => [`s${at}`, { on: { [event]: `s${(at + 1) % length}` } }]),
      ),
    });
    const machine = createMachine({
      id: 'rings',
      type: 'parallel',
      states: { left: ring(5, 'l'), right: ring(7, 'r') },
    });
    expect(check(createModel(machine, ['l', 'r']))).toMatchObject({ states: 35, transitions: 70 });
  });

  test('a switch of k lamps in a given order has k + 1 states and a chain as its only way', () => {
    const k = 9;
    const machine = createMachine({
      types: {} as { context: { lit: number } },
      id: 'lamps',
      context: { lit: 0 },
      on: {
        next: {
          guard: ({ context }) => context.lit < k,
          actions: assign({ lit: ({ context }) => context.lit + 1 }),
        },
      },
    });
    // The last state hears "next" as well and ignores it.
    expect(check(createModel(machine, ['next']))).toMatchObject({
      states: k + 1,
      transitions: k + 1,
      depth: k,
    });
  });

  test('the way to a state is as long as its distance, for every state', () => {
    const model = createCounters(2, 6);
    const { paths, states } = explore(model, compileStepper(model.machine, undefined));
    for (let state = 0; state < states; state++) {
      expect(paths.pathTo(state).length - 1).toBe(paths.depthOf(state));
    }
    const lengths = Array.from({ length: states }, (_, state) => paths.depthOf(state));
    // Of two counters there are d + 1 sums of d while neither has gone round, and as many from the other end.
    expect(lengths.filter((length) => length === 3)).toHaveLength(4);
    expect(lengths.filter((length) => length === 10)).toHaveLength(1);
  });

  law(
    'tuples are numbered in the order in which they come, equal ones alike',
    fc.property(fc.array(fc.array(fc.integer(), { maxLength: 4 }), { maxLength: 200 }), (lists) => {
      const tuples = new TupleTable();
      const names = new Map<string, number>();
      for (const list of lists) {
        const name = list.join();
        const expected = names.get(name) ?? names.size;
        names.set(name, expected);
        expect(tuples.of(Int32Array.from(list), 0, list.length)).toBe(expected);
      }
      expect(tuples.size).toBe(names.size);
    }),
  );
});
