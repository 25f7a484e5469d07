import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BLANK_PADS,
  consolidatePads,
  PAGE_LENGTH,
  updatePads,
  writeMechanicalLine,
} from '../../../machines/rules/pads.ts';
import type { Pads, PadUpdates } from '../../../machines/types.ts';
import { law } from '../builders.ts';

const PADS: Pads = { main: 'kept', meeting: 'Red avoids questions' };

describe('an update replaces the page it names', () => {
  test.each<[PadUpdates, Pads]>([
    [{}, PADS],
    [{ meeting: 'new' }, { main: 'kept', meeting: 'new' }],
    [{ main: 'new' }, { main: 'new', meeting: 'Red avoids questions' }],
    [{ meeting: '' }, { main: 'kept', meeting: '' }],
    [{ main: '' }, { main: '', meeting: 'Red avoids questions' }],
    [
      { main: 'a', meeting: 'b' },
      { main: 'a', meeting: 'b' },
    ],
  ])('%j', (updates, pads) => {
    expect(updatePads(PADS, updates)).toEqual(pads);
  });
});

describe('ruling 27: the meeting’s page is erased whatever fails', () => {
  test.each<[string, Pads, PadUpdates | null, string]>([
    ['the player’s own text is kept', PADS, { main: 'Red lied' }, 'Red lied'],
    ['even an empty one', PADS, { main: '' }, ''],
    ['without one the engine adds its line to what stood there', PADS, {}, 'kept\nthe line'],
    ['also when the reply failed', PADS, null, 'kept\nthe line'],
    ['and alone on an empty page', BLANK_PADS, null, 'the line'],
    ['a note on the meeting’s page saves nothing', PADS, { meeting: 'keep me' }, 'kept\nthe line'],
  ])('%s', (_, pads, updates, main) => {
    expect(consolidatePads(pads, updates, 'the line')).toEqual({ main, meeting: '' });
  });

  test.each([
    ['red', 'ejected', 'red', 'Meeting: I voted red; red was ejected.'],
    ['skip', 'skipped', null, 'Meeting: I voted skip; nobody was ejected (skipped).'],
    [undefined, 'tie', null, 'Meeting: I did not vote; nobody was ejected (tie).'],
    [undefined, 'unconverged', null, 'Meeting: I did not vote; nobody was ejected (unconverged).'],
  ] as const)(
    'the engine’s line for a vote of %s and the outcome %s, %s',
    (ballot, outcome, ejected, line) => {
      expect(writeMechanicalLine(ballot, outcome, ejected)).toBe(line);
    },
  );
});

describe('a page holds 4000 characters and keeps its end', () => {
  test.each([
    [3999, 3999],
    [4000, 4000],
    [4001, 4000],
  ])('of %i it keeps %i', (given, kept) => {
    const text = `${'a'.repeat(given - 1)}z`;
    expect(updatePads(BLANK_PADS, { main: text }).main).toBe(text.slice(-kept));
    expect(updatePads(BLANK_PADS, { meeting: text }).meeting).toHaveLength(kept);
    expect(consolidatePads(BLANK_PADS, { main: text }, '').main).toHaveLength(kept);
  });

  test('the engine’s line survives on a full page', () => {
    const { main } = consolidatePads(
      { main: 'a'.repeat(PAGE_LENGTH), meeting: '' },
      null,
      'the line',
    );
    expect(main).toHaveLength(PAGE_LENGTH);
    expect(main.endsWith('a\nthe line')).toBe(true);
  });
});

law(
  'pages never grow beyond their length however often they are written',
  fc.property(
    fc.array(
      fc.record({ main: fc.string({ maxLength: 3000 }), meeting: fc.string({ maxLength: 3000 }) }),
    ),
    (updates) => {
      let pads = BLANK_PADS;
      for (const update of updates)
        pads = consolidatePads(updatePads(pads, update), null, update.meeting);
      expect(pads.main.length).toBeLessThanOrEqual(PAGE_LENGTH);
      expect(pads.meeting).toBe('');
    },
  ),
);
