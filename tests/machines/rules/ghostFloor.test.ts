import { expect, test } from 'vitest';
import { pickGhostUtterance, textTokens } from '../../../machines/rules/floor.ts';
import type { Bid, BySeat, Die } from '../../../machines/types.ts';
import { aBid, aFault } from '../builders.ts';

const EQUAL: BySeat<Die> = { white: { face: 3, draw: 5 }, tan: { face: 3, draw: 4 } };

test.each<[string, readonly Bid[], BySeat<Die>, string | null]>([
  [
    'the ghost with the higher desire',
    [aBid('white', { desire: 2, message: 'w' }), aBid('tan', { desire: 3, message: 't' })],
    EQUAL,
    'tan',
  ],
  [
    'plus die',
    [aBid('white', { desire: 2, message: 'w' }), aBid('tan', { desire: 3, message: 't' })],
    { ...EQUAL, white: { face: 5, draw: 0 } },
    'white',
  ],
  [
    'of equals the higher draw',
    [aBid('tan', { message: 't' }), aBid('white', { message: 'w' })],
    EQUAL,
    'white',
  ],
  [
    'whatever the order',
    [aBid('white', { message: 'w' }), aBid('tan', { message: 't' })],
    EQUAL,
    'white',
  ],
  ['nobody with nothing to say', [aBid('white', { desire: 10, message: ' ' })], EQUAL, null],
  ['nobody who failed', [aFault('white'), aBid('tan', { message: 't' })], EQUAL, 'tan'],
  ['nobody where nobody is', [], {}, null],
])('ruling 36: among ghosts is heard %s', (_, bids, dice, speaker) => {
  expect(pickGhostUtterance(bids, dice, 120)?.speaker ?? null).toBe(speaker);
});

test('a ghost’s message is trimmed', () => {
  expect(pickGhostUtterance([aBid('white', { message: ' boo ' })], EQUAL, 120)).toEqual({
    speaker: 'white',
    message: 'boo',
  });
});

test('ruling 35: a ghost is cut short like anybody else', () => {
  const said = pickGhostUtterance([aBid('white', { message: 'boo '.repeat(1000) })], EQUAL, 10);
  expect(textTokens(said?.message ?? '')).toBeLessThanOrEqual(10);
  expect(said?.message).toMatch(/^boo/);
});
