import { expect, test } from 'vitest';
import * as library from '../actors/index.ts';
import * as unstable from '../actors/unstable.ts';
import stability from '../api-stability.json' with { type: 'json' };

const LEVELS = ['stable', 'experimental', 'unstable'];

test.each([
  ['glass-box-league', library],
  ['glass-box-league/unstable', unstable],
] as const)('%s: every value that is exported has its stability listed', (name, exported) => {
  const listed: Readonly<Record<string, string>> = stability[name];
  expect(Object.keys(listed)).toEqual(expect.arrayContaining(Object.keys(exported)));
  expect(Object.values(listed).filter((level) => !LEVELS.includes(level))).toEqual([]);
  // A name that starts with a small letter is a value.
  const values = Object.keys(listed).filter((one) => /^[a-z]/.test(one));
  expect(values.filter((one) => !(one in exported))).toEqual([]);
});
