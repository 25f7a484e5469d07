/** Mending: what can mean one thing is read as the schema has it; a ballot is never made of anything else. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repairTypes } from '../../../../actors/minds/openai/answer.ts';
import { readReply } from '../../../../prompts/reply.ts';
import { TABLE } from '../../../support/endpoint/table.ts';
import { ask, GOOD, QUESTION } from './asking.ts';

const { schema } = QUESTION;

test.each([
  ['8/10', 8],
  ['7 of 10', 7],
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

test('what is right is left as it is', () => {
  expect(repairTypes(GOOD, schema)).toEqual({ value: GOOD, isRepaired: false });
});

test('no ballot is made', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (vote) => {
      const read = repairTypes({ vote_action: vote }, schema).value;
      expect(read).toEqual({ vote_action: typeof vote === 'number' ? String(vote) : vote });
    }),
  );
});

test('row 28 becomes a reply that can be read', async () => {
  const { reply } = await ask(TABLE['28'] ?? []);
  expect(reply).toMatchObject({ ok: true, isRepaired: true, calls: 1 });
  expect(reply.ok && readReply(reply.received)).toMatchObject({
    ok: true,
    reply: { desire: 8, pads: { meeting: 'note' } },
  });
});
