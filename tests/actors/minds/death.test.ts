import { expect, test } from 'vitest';
import { estimateDeath, findFirstLook, shareAtBody } from '../../../actors/minds/scripted/death.ts';
import type { Place } from '../../../machines/types.ts';
import { aView, line, replyTo, seen } from './sitting.ts';

test.each([
  ['in the same room', 'Electrical', 30, 35],
  ['in the hallway before it', 'Electrical hallway', 30, 32.5],
  ['in the room behind that', 'Storage', 30, 30],
  ['so late that they must have run', 'Storage', 2.5, 5],
] as const)('a victim seen %s died no earlier than the walk allows', (_, place, ago, from) => {
  expect(estimateDeath('Electrical', [{ place, ago }])).toBe(from);
});

test('the latest sight of the victim counts, and without one the time is short', () => {
  const sights = [
    { place: 'Electrical', ago: 60 },
    { place: 'Electrical', ago: 20 },
  ] as const;
  expect(estimateDeath('Electrical', sights)).toBe(25);
  expect(estimateDeath('Electrical', [null])).toBe(45);
});

test('a body that was seen before the report ends the time of death', () => {
  const bodies = [seen('white', 'Electrical', 'dead', 5), seen('white', 'Electrical', 'dead', 15)];
  expect(findFirstLook(bodies, 'white')).toBe(15);
  expect(findFirstLook(bodies, 'pink')).toBe(0);
});

const TIME = { from: 30, until: 0 };

const stood = (place: Place, ...times: readonly number[]) => times.map((ago) => ({ place, ago }));

test.each([
  ['nobody has seen', [], 1],
  ['stood at the body all the time', stood('Electrical', 0, 15, 30), 1],
  ['was far away all the time', stood('Navigation', 0, 10, 20, 30), 0],
  ['was next door too often to walk over', stood('Storage', 0, 5, 10, 15, 20, 25, 30), 0],
])('who %s can have been there in a share of the time', (_, sights, share) => {
  expect(shareAtBody(sights, 'Electrical', TIME)).toBe(share);
});

test('a gap that is just long enough for the walk and back is no alibi, and a shorter one is', () => {
  const gap = (seconds: number) =>
    [
      { place: 'Storage', ago: 0 },
      { place: 'Storage', ago: seconds },
      { place: 'Storage', ago: 30 },
    ] as const;
  expect(shareAtBody(gap(10), 'Electrical', { from: 10, until: 0 })).toBeGreaterThan(0);
  expect(shareAtBody(gap(7.5), 'Electrical', { from: 7.5, until: 0 })).toBe(0);
});

test('who found the body is not blamed for standing at it, and who stood there before is', () => {
  const sightings = (who: 'yellow' | 'blue', ago: number) => [
    seen('red', 'Storage', 'task', 30),
    seen('red', 'Electrical', 'passing', ago),
    seen('white', 'Electrical', 'dead', ago),
    seen(who, 'Electrical', 'lurking', ago),
  ];
  const transcript = [line('yellow', 'White is dead in Electrical.')];
  const told = (who: 'yellow' | 'blue', ago: number) =>
    replyTo(aView({ sightings: sightings(who, ago), transcript }), 'accuser').message;
  expect(told('blue', 5)).toMatch(/Blue/);
  expect(told('yellow', 5)).not.toMatch(/Yellow/);
  expect(told('yellow', 15)).toMatch(/Yellow/);
});

test.each([3, 5, 24])(
  'with %d ticks of voting everybody has voted before the time is up',
  (ticks) => {
    const view = aView({ tick: 3 + ticks - 1 });
    const timed = {
      ...view,
      table: { ...view.table, clock: { openAfter: 3, closeAfter: 3 + ticks } },
    };
    for (const temperament of ['leader', 'observer', 'sceptic', 'follower'] as const)
      expect(replyTo(timed, temperament).vote).not.toBeNull();
  },
);
