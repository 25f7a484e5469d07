import { expect, test } from 'vitest';
import {
  findEndpoint,
  findSeatProblems,
  overrideSeats,
} from '../../../../actors/minds/openai/seats.ts';
import { gameMatchSchema } from '../../../../machines/setup/match.ts';

const headers = { 'api-key': 'AZURE_KEY' };
const seat = { colour: 'red', mind: 'openai', model: 'gpt' };
const parse = (fields: object) =>
  gameMatchSchema.safeParse({ name: 'a game', seats: [{ ...seat, ...fields }] });
const seatsOf = (fields: object) => parse(fields).data?.seats ?? [];

test('headers of a seat name variables, and their values reach the endpoint alone', () => {
  const [red] = seatsOf({ base_url: 'http://localhost/v1/chat/completions/', headers });
  if (red === undefined) throw new Error('no seat');
  expect(JSON.stringify(red)).not.toContain('secret');
  expect(findEndpoint(red, { AZURE_KEY: ' secret-1\n' })).toEqual({
    baseUrl: 'http://localhost/v1',
    model: 'gpt',
    apiKey: null,
    headers: { 'api-key': 'secret-1' },
  });
});

test('a value in place of a variable is refused, and not repeated', () => {
  const read = parse({ headers: { 'api-key': 'sk-0123456789abcdef' } });
  expect(read.success).toBe(false);
  expect(read.error?.message).not.toContain('sk-');
});

test('a variable of a header that is not set is a problem of the seat', () => {
  const found = findSeatProblems(overrideSeats(seatsOf({ key: 'KEY' }), { headers }), { KEY: 'x' });
  expect(found.map(({ text }) => text)).toEqual([expect.stringContaining('variable AZURE_KEY')]);
  expect(findSeatProblems(seatsOf({ headers, key: 'KEY' }), { KEY: 'x', AZURE_KEY: 'y' })).toEqual(
    [],
  );
});

test('a pasted path of completions still finds the key of the provider', () => {
  const [red] = seatsOf({ base_url: 'https://api.openai.com/v1/chat/completions' });
  expect(red && findEndpoint(red, { OPENAI_API_KEY: 'k' })).toMatchObject({ apiKey: 'k' });
});
