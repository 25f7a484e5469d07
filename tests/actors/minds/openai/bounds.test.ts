import { expect, test } from 'vitest';
import { always } from '../../../support/endpoint/case.ts';
import { page } from '../../../support/endpoint/sent.ts';
import { testLong } from '../../../support/seeds.ts';
import { ask } from './asking.ts';

const MEBIBYTE = 1024 * 1024;

testLong('an answer of two gigabytes in two megabytes of gzip is not read', async () => {
  const { reply } = await ask([always({ type: 'bomb', bytes: 2048 * MEBIBYTE })]);
  expect(reply).toMatchObject({ ok: false, code: 'upstream' });
  expect(process.memoryUsage().arrayBuffers).toBeLessThan(200 * MEBIBYTE);
});

test.each(['<', '<s', '<style', '<style>', '<!--', '<?xml', '<a href="'])(
  'a megabyte of %j that never ends is read in linear time',
  async (unit) => {
    const text = unit.repeat(MEBIBYTE / unit.length);
    const { reply } = await ask([always(page(403, text))]);
    expect(reply).toMatchObject({ ok: false, code: 'auth', calls: 1 });
  },
);
