import { expect, test } from 'vitest';
import { assign, setup } from 'xstate';
import { never } from '../claims.ts';
import { createExplorerRun } from '../explorerRun.ts';
import { check, type MachineQuestion, prepareMachine } from '../machine.ts';

const lift = setup({
  types: { context: {} as { floor: number }, events: {} as { type: 'UP' | 'DOWN' | 'STOP' } },
  guards: { isLow: ({ context }) => context.floor < 3, isHigh: ({ context }) => context.floor > 0 },
}).createMachine({
  context: { floor: 0 },
  initial: 'going',
  states: {
    going: {
      on: {
        UP: { guard: 'isLow', actions: assign({ floor: ({ context }) => context.floor + 1 }) },
        DOWN: { guard: 'isHigh', actions: assign({ floor: ({ context }) => context.floor - 1 }) },
        STOP: 'stopped',
      },
    },
    stopped: { after: { 1000: 'going' } },
  },
});

const question: MachineQuestion<typeof lift> = {
  events: [{ type: 'UP' }, { type: 'DOWN' }, { type: 'STOP' }],
  properties: [
    never('It never stops at the top.', ({ at, context }) => at === 'stopped' && context.floor > 2),
  ],
  keepsGraph: true,
};

test.each(['compiled', 'xstate'] as const)(
  'a walk has the states of the search with every way on, and the guards that refuse (%s)',
  (engine) => {
    const found = check(lift, { ...question, engine });
    const { model } = prepareMachine(lift, question as never);
    const run = createExplorerRun(model, found, { key: 'lift', showsContext: true });
    expect(run.dots).toEqual(run.states.map((_, state) => state));
    expect(run.states).toHaveLength(8);
    for (const { offers, from } of run.states) {
      for (const { ways, taken, refused } of offers ?? []) {
        for (const { leads } of ways) expect(run.states[leads]).toBeDefined();
        expect(taken.length > 0 || refused !== null).toBe(true);
      }
      if (from === null) continue;
      const found = run.states[from.state]?.offers?.[from.offer]?.ways[from.way]?.leads;
      expect(run.states[found ?? -1]?.from).toEqual(from);
    }
    const [start] = run.states;
    const down = start?.offers?.find(({ type }) => type === 'DOWN');
    expect(down?.refused).toEqual([1]);
    const stopped = run.states.find(({ at }) => at === 'stopped');
    expect(stopped?.offers?.map(({ type, taken }) => [type.slice(0, 12), taken.length])).toEqual([
      ['xstate.after', 1],
      ...['UP', 'DOWN', 'STOP'].map((type) => [type, 0]),
    ]);
    const [top] = run.properties;
    expect(top?.trace?.steps.map(({ happened }) => happened)).toEqual(['UP', 'UP', 'UP', 'STOP']);
    expect(top?.trace?.steps[0]?.changes).toEqual([{ path: 'floor', was: '0', is: '1' }]);
  },
);

test('a step that throws ends the run that leads to it and is shown with its error', () => {
  const machine = setup({}).createMachine({
    initial: 'a',
    states: { a: { on: { GO: 'b' } }, b: { on: { BANG: { guard: () => JSON.parse('{') } } } },
  });
  const asked = { events: [{ type: 'GO' }, { type: 'BANG' }], keepsGraph: true };
  const found = check(machine, asked);
  const { model } = prepareMachine(machine, asked);
  const [fault] = createExplorerRun(model, found, { key: 'bang' }).properties;
  expect(fault).toMatchObject({ name: 'machine/threw', asDeclared: false });
  expect(fault?.trace?.steps.map(({ to }) => to)).toEqual(['b', '']);
});

test('a walk through a whole machine tries the events of each state, also of those found last', () => {
  const unasked = { ...question, properties: [] };
  const { model } = prepareMachine(lift, unasked as never);
  const run = createExplorerRun(model, check(lift, unasked), { key: 'lift' });
  expect(run.dots).toHaveLength(8);
  expect(run.states.filter(({ offers }) => offers === null)).toEqual([]);
});
