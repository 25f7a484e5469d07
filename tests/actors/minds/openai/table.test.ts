import { expect, test } from 'vitest';
import { TABLE } from '../../../support/endpoint/table.ts';
import { ask, summary } from './asking.ts';

const ROWS: readonly (readonly [row: string, name: string, expected: string])[] = [
  ['01', 'plain strict JSON', 'answer in json_schema, 1 call'],
  ['02', 'json_schema refused, json_object taken', 'answer in json_object, 2 calls'],
  ['03', 'json_schema not deserialised', 'answer in json_object, 2 calls'],
  ['05', 'no system message and no JSON mode, said in a list', 'answer in text, 5 calls'],
  ['07', 'roles must alternate', 'answer in json_schema, 2 calls'],
  ['08', 'max_tokens renamed, then temperature refused', 'answer in json_schema, 3 calls'],
  ['10', 'neither format nor tools', 'answer in text, 4 calls'],
  ['12', 'invalid schema', 'answer in json_object, 2 calls'],
  ['13', 'JSON that the endpoint could not generate', 'answer in json_schema, 2 calls'],
  ['14', 'fenced, with prose around it', 'answer in json_schema, 1 call'],
  ['15', 'a decoy in the thoughts', 'answer in json_schema, 1 call'],
  ['18', 'channels', 'answer in json_schema, 1 call'],
  ['19', 'cut, and a larger limit helps', 'answer in json_schema, 2 calls'],
  ['21', 'white space up to the limit', 'answer in json_object, 3 calls'],
  ['23', 'reasoning and no content', 'answer in json_schema, 2 calls'],
  ['25', 'content as an object', 'answer in json_schema, 1 call'],
  ['27', 'arguments of a tool as an object', 'answer in json_schema, 1 call'],
  ['28', 'wrong types', 'answer in json_schema, 1 call'],
  ['30', 'JSON as Python writes it', 'answer in json_schema, 1 call'],
  ['32', 'a refusal in its field', 'refusal, 1 call'],
  ['33', 'a refusal in prose', 'refusal, 1 call'],
  ['35', 'moderation of the prompt', 'moderation, 1 call'],
  ['36', '429 with Retry-After', 'answer in json_schema, 2 calls'],
  ['38', 'the limit of the day', 'daily-limit, 1 call'],
  ['39', 'no quota left', 'credits, 1 call'],
  ['41', 'no key', 'auth, 1 call'],
  ['42', 'an error within 200', 'answer in json_schema, 2 calls'],
  ['44', '429 within 200', 'answer in json_schema, 2 calls'],
  ['45', 'no choices', 'answer in json_schema, 2 calls'],
  ['47', 'a web page with 200', 'not-endpoint, 1 call'],
  ['49', 'overloaded', 'answer in json_schema, 2 calls'],
  ['50', 'the context is too short', 'context-overflow, 1 call'],
  ['52', 'the context is too short, within 200', 'context-overflow, 1 call'],
  ['54', 'an unknown model', 'not-found, 1 call'],
  ['55', 'the connection is cut', 'answer in json_schema, 2 calls'],
  ['56', 'no reply', 'answer in json_schema, 2 calls'],
  ['60', 'no usage', 'answer in json_schema, 1 call'],
  ['62', 'prose, then what was asked for', 'answer in json_schema, 2 calls'],
  ['64', 'a parameter that is forbidden', 'answer in json_schema, 2 calls'],
];

test.each(ROWS)('row %s, %s: %s', async (row, _, expected) => {
  const steps = TABLE[row];
  if (steps === undefined) throw new Error(`there is no row ${row}`);
  const outcome = await ask(steps);
  expect(summary(outcome)).toBe(expected);
  expect(outcome.fake.asked).toHaveLength(outcome.reply.calls);
  expect(outcome.calls).toHaveLength(outcome.reply.calls);
});

test('row 59, nobody waits any more: aborted, 1 call', async () => {
  const leaving = new AbortController();
  const steps = TABLE['59'] ?? [];
  const step = steps.map((one) => ({
    ...one,
    when: () => {
      setImmediate(() => leaving.abort());
      return true;
    },
  }));
  expect(summary(await ask(step, { signal: leaving.signal }))).toBe('aborted, 1 call');
});

test('every row up to the sixty-fourth is tried; the others are in `servers.test.ts`', () => {
  const rows = Object.keys(TABLE).filter((row) => Number(row) <= 64);
  expect([...ROWS.map(([row]) => row), '59'].toSorted()).toEqual(rows.toSorted());
});
