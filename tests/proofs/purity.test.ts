import { check } from 'glass-box-checker';
import { expect, test } from 'vitest';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import { classicTable, houseTable } from '../../proofs/models/meeting.ts';
import { describeLong } from '../support/seeds.ts';
import { aModel, KNOBS } from './models.ts';

const TABLES = [
  { name: 'house, two players', setting: houseTable({ players: 2 }) },
  { name: 'house, three players', setting: houseTable({ players: 3 }) },
  { name: 'classic, three players', setting: classicTable({ players: 3 }) },
];

describeLong.each(TABLES)('$name', ({ setting }) => {
  test('a step changes none of its inputs and can be repeated', () => {
    const model = aModel(setting, { ...KNOBS, stops: true });
    const found = check({ ...model, properties: [] }, { isSymmetric: true, purity: 'each-step' });
    expect(found.broken).toBeNull();
    expect(found.ended).toBeNull();
    expect(found.states).toBeGreaterThan(100);
  });
});

test('a meeting that keeps its book in place is found out', () => {
  const machine = meetingMachine.provide({
    guards: {
      everyoneVoted: ({ context }: { readonly context: { readonly tick: number } }) => {
        Object.assign(context, { tick: context.tick + 1 });
        return false;
      },
    } as never,
  });
  const model = aModel(houseTable({ players: 2 }), KNOBS, machine);
  expect(check({ ...model, properties: [] }).broken?.code).toBe('machine/changes-its-context');
});
