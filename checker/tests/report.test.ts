import { expect, test } from 'vitest';
import { createMachine } from 'xstate';
import { check } from '../check.ts';
import { never, sometimes } from '../claims.ts';
import { renderReport } from '../report.ts';
import { createModel } from './machines.ts';

const machine = createMachine({
  id: 'door',
  initial: 'shut',
  states: {
    shut: { on: { open: 'open' } },
    open: { on: { shut: 'shut', lock: { guard: () => false, target: 'locked' } } },
    locked: {},
  },
});

test('a report', () => {
  const model = createModel(
    machine,
    ['open', 'shut', 'lock'],
    [
      {
        name: 'shut',
        sentence: 'It is always shut.',
        kind: 'always',
        holds: ({ at }) => at === 'shut',
      },
      {
        name: 'opens',
        sentence: 'It eventually opens.',
        kind: 'eventually',
        holds: ({ at }) => at === 'open',
      },
      { name: 'real', sentence: 'It is a door.', kind: 'always', holds: () => true },
      {
        name: 'unlocks',
        sentence: 'To unlock opens.',
        kind: 'step',
        when: () => false,
        holds: () => true,
      },
    ],
  );
  expect(renderReport(check(model)).split('\n')).toEqual([
    'door: 2 states, 6 steps, depth 1, compiled, all of it',
    ...['  ✗ shut: violated. It is always shut.', '      0. shut', '      1. open → open'],
    ...['  ✗ opens: violated. It eventually opens.', '      0. shut', '    ↺ 1. shut → shut'],
    ...['  ✓ real: proved. It is a door.', '  ∅ unlocks: vacuous. To unlock opens.'],
    ...['      it applied to no step', '  seen: states 2/3, transitions 2/3, guard outcomes 1/2'],
    ...['    never reached: locked', '    never taken: open ─lock→ locked [(inline)]'],
    '    its guard never passes: open ─lock→ locked [(inline)]',
  ]);
});

test('a property without a sentence is called by its name', () => {
  const property = { name: 'shut', kind: 'always', holds: () => true };
  const found = check(createModel(machine, [], [property as never]));
  expect(renderReport(found)).toContain('\n  ✓ proved. shut\n');
});

test('a fault of the machine is told once', () => {
  const breaking = createMachine({
    id: 'bell',
    initial: 'still',
    states: { still: { on: { ring: { guard: () => unwired(), target: 'still' } } } },
  });
  const unwired = (): boolean => {
    throw new Error('no wire (yet)');
  };
  const model = createModel(
    breaking,
    ['ring'],
    [{ name: 'real', sentence: 'It is a bell.', kind: 'always', holds: () => true }],
  );
  expect(renderReport(check(model)).split('\n')).toEqual([
    'bell: 1 state, 0 steps, depth 0, compiled, ended by an error',
    ...['  ! no wire (yet)', '      0. still', '      1. ring → it throws'],
    ...['  ? real: incomplete. It is a bell.', '      an error ended the search'],
    '  seen: states 1/1, transitions 0/1, guard outcomes 0/2',
    '    never taken: still ─ring→ still [(inline)]',
  ]);
});

test('a state that was never seen is not called violated, and a machine without guards has no outcomes', () => {
  const chart = { id: 'bell', initial: 'still', states: { still: {} } };
  const purple = ({ at }: { readonly at: string }) => at === 'purple';
  const properties = [sometimes('It is purple.', purple), never('It is never purple.', purple)];
  const found = check(createModel(createMachine(chart), [], properties));
  expect(renderReport(found).split('\n').slice(1)).toEqual([
    '  ✗ never seen. It is purple.',
    '  ✓ proved. It is never purple.',
    '  seen: states 1/1, transitions 0/0',
  ]);
});
