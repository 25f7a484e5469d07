/** A reply is kept as it was received, and as it was parsed only where reading it took more than copying. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonical } from '../../../machines/journal/canonical.ts';
import { encode } from '../../../machines/journal/codec.ts';
import { readOrder } from '../../../prompts/order.ts';
import { readReply } from '../../../prompts/reply.ts';
import { law } from '../builders.ts';
import { intent } from './arbitraryFacts.ts';

const SENT = {
  desire_to_speak: 5,
  internal_thought: 'a',
  message: 'hi',
  scratchpad_updates: { main_scratch: 'm' },
  target: 'blue',
  vote_action: 'skip',
};
const READ = {
  thought: 'a',
  desire: 5,
  message: 'hi',
  target: 'blue',
  vote: 'skip',
  pads: { main: 'm' },
  notes: [],
} as const;

/** The text of a line with one bid. */
function writeWith(received: unknown) {
  const bid = { type: 'reply', seat: 'red', received, reply: READ } as const;
  return canonical(
    encode({
      type: 'turn.closed',
      turn: 0,
      requestKind: 'ghost',
      bids: [bid],
      dice: {},
      said: null,
    }),
  );
}

describe('a reply is kept as it was parsed', () => {
  test('never where it was received just so, whatever the order of its fields', () => {
    expect(writeWith(SENT)).not.toContain('"parsed"');
    expect(writeWith(Object.fromEntries(Object.entries(SENT).reverse()))).toBe(writeWith(SENT));
  });

  test.each<[string, unknown]>([
    ['a field more', { ...SENT, read_as: null }],
    ['a field less', Object.fromEntries(Object.entries(SENT).slice(1))],
    ['another desire', { ...SENT, desire_to_speak: 6 }],
    ['the desire as text', { ...SENT, desire_to_speak: '5' }],
    ['another thought', { ...SENT, internal_thought: 'b' }],
    ['another message', { ...SENT, message: 'hi ' }],
    ['no target', { ...SENT, target: null }],
    ['another vote', { ...SENT, vote_action: 'blue' }],
    ['another page', { ...SENT, scratchpad_updates: { main_scratch: 'n' } }],
    ['a page more', { ...SENT, scratchpad_updates: { main_scratch: 'm', meeting_scratch: '' } }],
    ['a strange page', { ...SENT, scratchpad_updates: { main_scratch: 'm', more: 1 } }],
    ['pages in a list', { ...SENT, scratchpad_updates: ['m'] }],
    ['a list', [SENT]],
    ['text', JSON.stringify(SENT)],
    ['nothing', null],
  ])('where %s was received', (_, received) => {
    expect(writeWith(received)).toContain('"parsed"');
    expect(writeWith(received)).toContain(`"received":${canonical(received)}`);
  });
});

describe('values written in the wire form', () => {
  law(
    'is read as it is for every intent, so that it is kept once',
    fc.property(fc.option(intent), (action) => {
      const sent = { internal_thought: 'x', action, scratchpad_updates: {} };
      const read = readOrder(sent);
      expect(read).toEqual({
        ok: true,
        decision: { thought: 'x', intent: action, pads: {}, notes: [] },
      });
    }),
  );

  test('is read as it is for a reply', () => {
    expect(readReply(SENT)).toEqual({ ok: true, reply: READ });
  });
});
