import { describe, expect, test } from 'vitest';
import { always } from '../../../support/endpoint/case.ts';
import { page, said } from '../../../support/endpoint/sent.ts';
import { testLong } from '../../../support/seeds.ts';
import { ask, atEndpoint, GOOD, GOOD_TEXT } from './asking.ts';

const MEBIBYTE = 1024 * 1024;

describe('an answer', () => {
  test.each([
    [4 * MEBIBYTE, true],
    [4 * MEBIBYTE + 1, false],
  ])('of %i bytes is read: %s', async (bytes, isRead) => {
    const envelope = JSON.stringify({ choices: [{ message: { content: GOOD_TEXT } }] });
    const { reply } = await ask([always(page(200, envelope.padEnd(bytes)))]);
    expect(reply).toMatchObject(
      isRead
        ? { ok: true, received: GOOD }
        : { ok: false, code: 'upstream', text: 'the answer has more than 4194304 bytes' },
    );
  });

  testLong('of two gigabytes in two megabytes of gzip is not read on', async () => {
    const { reply } = await ask([always({ type: 'bomb', bytes: 2048 * MEBIBYTE })]);
    expect(reply).toMatchObject({ ok: false, code: 'upstream' });
    expect(process.memoryUsage().arrayBuffers).toBeLessThan(200 * MEBIBYTE);
  });
});

test.each(['<', '<s', '<style', '<style>', '<!--', '<?xml', '<a href="'])(
  'a page of a megabyte of %j, which never ends, is gone through in one go',
  async (unit) => {
    const text = unit.repeat(MEBIBYTE / unit.length);
    const { reply } = await ask([always(page(403, text))]);
    expect(reply).toMatchObject({ ok: false, code: 'auth', calls: 1 });
  },
);

describe('a redirect', () => {
  const to = (status: number, location: string) => page(status, '', { location });

  test.each([301, 302, 303, 307, 308])(
    'of status %i carries no prompt to another origin',
    async (status) => {
      await atEndpoint([], async (other) => {
        const { reply, fake } = await ask([
          always(to(status, `${other.baseUrl}/chat/completions?key=sk-0123456789abcdef`)),
        ]);
        const { origin } = new URL(other.baseUrl);
        expect(reply).toEqual({
          ok: false,
          code: 'not-found',
          text: `it redirects to ${origin}: name that as the base URL if it is right`,
          calls: 1,
        });
        expect([fake.asked.length, other.asked.length]).toEqual([1, 0]);
      });
    },
  );

  test.each([
    [3, true],
    [4, false],
  ])('at the same origin is followed %i times: %s', async (times, isFollowed) => {
    const here = to(307, '/v1/chat/completions');
    const { reply, fake } = await ask([
      { when: ({ turn }) => turn < times, sends: here },
      always(said(GOOD)),
    ]);
    expect(reply.ok).toBe(isFollowed);
    expect(fake.asked).toHaveLength(4);
    for (const { body } of fake.asked) expect(body).toEqual(fake.asked[0]?.body);
  });
});
