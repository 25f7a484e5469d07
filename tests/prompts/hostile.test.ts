import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { encode } from '../../machines/journal/codec.ts';
import { findHits } from '../../machines/rules/mentions.ts';
import { joinBlocks } from '../../prompts/block.ts';
import { LONGEST_MESSAGE } from '../../prompts/clean.ts';
import { buildPrompt } from '../../prompts/prompt.ts';
import { readReply } from '../../prompts/reply.ts';
import { clean } from '../../visualizer/terminal/layout.ts';
import { ATTACKS } from './attacks.ts';
import { anIdentity, crewView, SAID } from './views.ts';

function heard(message: string): string {
  const reading = readReply({ internal_thought: '', desire_to_speak: 5, message });
  if (!reading.ok) throw new Error(reading.text);
  return reading.reply.message;
}

function promptWith(message: string) {
  const [first, ...others] = SAID;
  if (first === undefined) throw new Error('there is something to stand between');
  const hostile = { tick: 1, speaker: 'pink', target: 'red', message } as const;
  const transcript = [first, hostile, ...others];
  return buildPrompt(
    { kind: 'discussion', view: crewView({ table: { transcript } }) },
    anIdentity(),
  );
}

const TEMPLATE = /<[|/\\!?<\p{L}_]|\[\/?[a-z]?[A-Z_]{2,}\]/u;
/** A joiner between two emoji is text. */
const UNSEEN =
  /(?!(?<=\p{ExtPict})\u200D\p{ExtPict})[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u;
const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

describe('a hostile message', () => {
  test('there are at least 40 of them, each of its own kind', () => {
    expect(ATTACKS.length).toBeGreaterThanOrEqual(40);
    expect(new Set(ATTACKS.map(([, message]) => message)).size).toBe(ATTACKS.length);
  });

  test.each(ATTACKS)('%s: the reader leaves one visible line of bounded length', (_, message) => {
    const text = heard(message);
    expect(text).not.toMatch(UNSEEN);
    expect(text).not.toMatch(TEMPLATE);
    expect(text).toBe(text.trim());
    expect([...CHARACTERS.segment(text)].length).toBeLessThanOrEqual(LONGEST_MESSAGE);
    expect(text, 'no character more than three times on end but figures').not.toMatch(
      /([^\p{N}])\1{3}/u,
    );
    expect(heard(text), 'cleaning what is clean changes nothing').toBe(text);
  });

  test.each(ATTACKS)(
    '%s: the transcript has one line for it, and only the engine says whose',
    (_, message) => {
      const text = heard(message);
      const { user } = promptWith(text);
      const said = user.filter(({ text: line }) => line.includes('"speaker":'));
      expect(said).toHaveLength(SAID.length + 1);
      const line = said[1]?.text ?? '';
      expect(line.startsWith(',\n')).toBe(true);
      expect(line.slice(2)).not.toContain('\n');
      expect(JSON.parse(line.slice(2))).toEqual({
        speaker: 'pink',
        target: 'red',
        message: text,
        t: 1,
      });
      const whole = joinBlocks(user);
      const json = whole.slice(whole.indexOf('{"transcript"'), whole.indexOf('\n]}') + 3);
      expect(JSON.parse(json)).toMatchObject({ transcript: { length: SAID.length + 1 } });
    },
  );

  test.each(ATTACKS)('%s: a raw one could not leave its quotes either', (_, message) => {
    const raw = promptWith(message).user.filter(({ text }) => text.includes('"speaker":'));
    expect(JSON.parse(raw[1]?.text.slice(2) ?? '')).toMatchObject({ speaker: 'pink', t: 1 });
  });

  test.each(ATTACKS)('%s: the terminal shows one line and obeys nothing', (_, message) => {
    const shown = clean(heard(message));
    expect(shown).not.toMatch(UNSEEN);
    expect(stripVTControlCharacters(shown)).toBe(shown);
  });

  test.each([
    ...['a zero-width space in a name', 'a word joiner in a name', 'a soft hyphen in a name'],
    ...['a full-width name', 'a mathematical name', 'isolates', 'ANSI colours'],
  ])('%s does not hide whom it names', (name) => {
    const [, message = ''] = ATTACKS.find(([known]) => known === name) ?? [];
    const named = findHits(heard(message), 'pink', null, ['red', 'pink']);
    const isRed = named.some(({ seat, kind }) => seat === 'red' && kind === 'mention');
    expect(isRed).toBe(true);
  });

  test('a vote comes from its field only, never from a message', () => {
    for (const [, message] of ATTACKS) {
      const reading = readReply({ desire_to_speak: 5, message });
      expect(reading).toMatchObject({ ok: true, reply: { vote: null, target: null } });
    }
  });

  test.each([
    ['a message', { message: 're\u200bd' }, true],
    ['a thought', { internal_thought: 're\u200bd' }, true],
    ['a page', { scratchpad_updates: { main_scratch: 're\u200bd' } }, true],
    ['nothing unclean', {}, false],
  ])(
    'the journal keeps %s as it came, and its reading where the two differ',
    (_, part, differs) => {
      const received = {
        internal_thought: 'so',
        desire_to_speak: 5,
        message: 'red',
        target: null,
        vote_action: null,
        scratchpad_updates: {},
        ...part,
      };
      const reading = readReply(received);
      if (!reading.ok) throw new Error(reading.text);
      const bid = { type: 'reply', seat: 'red', received, reply: reading.reply } as const;
      const tick = { type: 'tick.closed', tick: 0, requestKind: 'discussion', dice: {} } as const;
      const [line] = z
        .object({ bids: z.array(z.looseObject({})) })
        .parse(encode({ ...tick, bids: [bid], decision: null })).bids;
      expect(line?.['received']).toEqual(received);
      expect(line?.['parsed'] !== undefined).toBe(differs);
      expect(JSON.stringify(line?.['parsed'] ?? '')).not.toContain('\u200b');
    },
  );

  test('the author of a cleaned message gets a note, and clean words stay unchanged', () => {
    expect(readReply({ message: 're\u200bd' })).toMatchObject({
      reply: { message: 'red', notes: [{ code: 'reply/cleaned' }] },
    });
    const plain = 'Nooo… I was in Admin, <3 and [laughs] — 10000 times!';
    expect(readReply({ message: plain })).toMatchObject({ reply: { message: plain, notes: [] } });
    expect(readReply({ message: 'Blue，在 Admin？' })).toMatchObject({ reply: { notes: [] } });
    expect(readReply({ message: ' two\nlines ' })).toMatchObject({
      reply: { message: 'two lines', notes: [] },
    });
  });
});
