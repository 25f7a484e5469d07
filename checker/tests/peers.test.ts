/** The workflow of the packages copies this file to a fresh folder and runs it at both ends of each peer's range. */
import 'glass-box-checker/vitest';
import { check, never } from 'glass-box-checker';
import { expect, test } from 'vitest';
import { assign, setup } from 'xstate';

const door = setup({
  types: { context: {} as { locked: boolean }, events: {} as { type: 'OPEN' | 'SHUT' | 'LOCK' } },
}).createMachine({
  context: { locked: false },
  initial: 'shut',
  states: {
    shut: { on: { OPEN: 'open', LOCK: { actions: assign({ locked: true }) } } },
    open: { on: { SHUT: 'shut' }, after: { 1000: 'shut' } },
  },
});
const question = { events: [{ type: 'OPEN' }, { type: 'SHUT' }, { type: 'LOCK' }] } as const;
const claim = never<{ locked: boolean }, { type: 'OPEN' | 'SHUT' | 'LOCK' }>(
  'It is never open and locked.',
  ({ at, context }) => at === 'open' && context.locked,
);

test.each(['compiled', 'xstate'] as const)('a machine is searched by the %s engine', (engine) => {
  const found = check(door, { ...question, engine, properties: [claim] });
  expect([found.engine, found.states]).toEqual([engine, 4]);
  expect(found.results.map(({ verdict }) => verdict.type)).toEqual([
    'violated',
    'proved',
    'proved',
  ]);
});

test('the matcher fails with the run, and leaves that of vitest as it is', () => {
  expect(() => expect(door).toSatisfy(claim, question)).toThrow('2. OPEN → open');
  expect(door).not.toSatisfy(claim, question);
  expect(4).toSatisfy((value: number) => value > 3);
});
