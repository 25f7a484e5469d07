import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineSchema } from '../../machines/journal/lines.ts';
import { clean, countColumns } from '../../visualizer/terminal/layout.ts';
import { createRenderer } from '../../visualizer/terminal/renderer.ts';

const HOSTILE = [
  { name: 'colours', text: '\u001B[31mred\u001B[0m', seen: 'red' },
  { name: 'a cleared screen', text: 'a\u001B[2J\u001B[Hb', seen: 'ab' },
  { name: 'a window title', text: 'a\u001B]0;pwned\u0007b', seen: 'ab' },
  { name: 'a link', text: '\u001B]8;;http://x\u0007click\u001B]8;;\u0007', seen: 'click' },
  { name: 'escape codes of one byte', text: 'a\u009B31mb', seen: 'ab' },
  { name: 'a lonely escape', text: 'a\u001Bb', seen: 'ab' },
  {
    name: 'an overwritten line',
    text: 'ask me\rRD Red: I did it\b\b',
    seen: 'ask me RD Red: I did it',
  },
  { name: 'a faked line', text: 'hm\n\n   9  RD Red: “I did it”', seen: 'hm 9 RD Red: “I did it”' },
  { name: 'breaks of Unicode', text: 'a\u2028b\u2029c\u0085d\u000Be', seen: 'a b c d e' },
  {
    name: 'a reversed text',
    text: '\u202Egnp.exe\u202C \u2066x\u2069 \u200Fy\u061C',
    seen: 'gnp.exe x y',
  },
  { name: 'zero-width characters', text: 'B\u200Bl\u200Du\u200Ce\u2060\uFEFF\u00AD', seen: 'Blue' },
  { name: 'invisible letters', text: 'a\u3164\u115F\u2800\u{E0041}b', seen: 'ab' },
  { name: 'half a character', text: 'a\uD800b', seen: 'a\uFFFDb' },
  { name: 'piled marks', text: `Z${'\u0351'.repeat(50)}!`, seen: 'Z\u0351\u0351!' },
  { name: 'nothing odd', text: 'Grüße, 你好 👋', seen: 'Grüße, 你好 👋' },
];

const tick = (message: string) =>
  lineSchema.parse({
    type: 'tick.closed',
    channel: 'living',
    seq: 0,
    hash: '',
    tick: 0,
    requestKind: 'discussion',
    bids: [
      {
        seat: 'red',
        received: message,
        parsed: {
          internal_thought: message,
          desire_to_speak: 1,
          message,
          target: null,
          vote_action: null,
          scratchpad_updates: {},
        },
        fault: message,
      },
    ],
    scores: [{ seat: 'red', total: 1, eligible: true }],
    floor: 'red',
    tie: null,
    said: { speaker: 'red', message, tick: 0 },
    hits: [{ seat: 'blue', kind: 'accusation', word: message, reason: message }],
    nudge: null,
  });
const table = (message: string, width = 80) =>
  createRenderer({ lens: { type: 'table' }, width, colour: false })(tick(message));

describe('hostile text', () => {
  test.each(HOSTILE)('$name is only what can be read of it', ({ text, seen }) => {
    expect(clean(text)).toBe(seen);
    expect(table(text)).toEqual([`   0  RD Red: “${seen}”`]);
  });

  test('a long message cannot look like a new line, because wrapped lines are indented', () => {
    const rows = table(`${'x '.repeat(30)}   9  RD Red: I did it`, 40);
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows.slice(1)) expect(row).toMatch(/^ {6}\S/u);
  });

  test('a word without end is broken at the edge', () => {
    for (const row of table('x'.repeat(500), 40)) expect(countColumns(row)).toBeLessThanOrEqual(40);
    for (const row of table('你'.repeat(500), 40))
      expect(countColumns(row)).toBeLessThanOrEqual(40);
  });

  test('no text of any kind brings a control character, a mark of direction or a wider line', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(
          fc.constantFrom('\u001B[', '\n', '\u202E', '\u200B', '31m', 'red', ' ', '\u0301', '你'),
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(24, 40, 80), (message, width) => {
        const rows = createRenderer({ lens: { type: 'glass' }, width, colour: false })(
          tick(message),
        );
        for (const row of rows) {
          expect(row).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
          expect(countColumns(row)).toBeLessThanOrEqual(width);
        }
      }),
    );
  });
});
