import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repairTypes } from '../../../../actors/minds/openai/answer.ts';
import { readReply } from '../../../../prompts/reply.ts';
import { TABLE } from '../../../support/endpoint/table.ts';
import { GOOD } from '../../../support/endpoint/words.ts';
import { ask, QUESTION } from './asking.ts';

const { schema } = QUESTION;

test.each([
  ['3 rounds', 3],
  ['8 or so', '8 or so'],
  ['7-8', '7-8'],
  // The reader of the reply knows the scale.
  ['8/10', '8/10'],
  ['7 of 10', '7 of 10'],
  ['80%', '80%'],
  [' 3 ', 3],
  ['2.5', 2.5],
  ['-1', -1],
  ['high', 'high'],
  ['8th', '8th'],
  ['', ''],
  [true, true],
])('a desire of %j is read as %j', (desire, read) => {
  expect(repairTypes({ desire_to_speak: desire }, schema).value).toEqual({ desire_to_speak: read });
});

test('notes that are a text are the notes', () => {
  expect(repairTypes({ scratchpad_updates: 'Red vague' }, schema)).toEqual({
    value: { scratchpad_updates: { meeting_scratch: 'Red vague' } },
    isRepaired: true,
  });
});

test('notes under names in another spelling are the notes', () => {
  expect(repairTypes({ scratchpad_updates: { 'Meeting Scratch': 'Red' } }, schema).value).toEqual({
    scratchpad_updates: { meeting_scratch: 'Red' },
  });
});

test('a correct answer stays as it is', () => {
  expect(repairTypes(GOOD, schema)).toEqual({ value: GOOD, isRepaired: false });
});

test.each([null, [], 7, true])('notes that are %j stay as they are', (notes) => {
  const value = { scratchpad_updates: notes };
  expect(repairTypes(value, schema)).toEqual({ value, isRepaired: false });
});

test('repairing a vote turns a number into a text, takes a list of one apart, and changes nothing else', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (vote) => {
      const read = repairTypes({ vote_action: vote }, schema).value;
      const only: unknown = Array.isArray(vote) && vote.length === 1 ? vote[0] : vote;
      expect(read).toEqual({ vote_action: typeof only === 'number' ? String(only) : only });
    }),
  );
});

test.each([
  ['30', 'JSON as Python writes it', true],
  ['14', 'JSON in a fence', false],
  ['188', 'a call as text', true],
])('row %s, %s, was repaired: %s', async (row, _, isRepaired) => {
  const { reply, calls } = await ask(TABLE[row] ?? []);
  expect(reply.ok).toBe(true);
  expect(calls[0]?.repaired ?? false).toBe(isRepaired);
});

test('the record of a call keeps the beginning of an answer that broke off', async () => {
  const { calls } = await ask(TABLE['184'] ?? []);
  expect(calls[0]?.reply).toMatch(/^\{"internal_thought"/);
});

test('row 28 becomes a reply that can be read', async () => {
  const { reply } = await ask(TABLE['28'] ?? []);
  expect(reply).toMatchObject({ ok: true, calls: 1 });
  expect(reply.ok && readReply(reply.received)).toMatchObject({
    ok: true,
    reply: { desire: 8, pads: { meeting: 'note' } },
  });
});
