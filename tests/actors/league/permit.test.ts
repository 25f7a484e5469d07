import { expect, test } from 'vitest';
import { findForbidden, placeSeat, readPermittedHost } from '../../../actors/league/permit.ts';
import type { MatchSeat } from '../../../machines/setup/match.ts';

const HOSTS = ['api.openai.com', 'my.host:8000=MY_KEY', 'localhost:11434'].map((text) => {
  const host = readPermittedHost(text);
  if (host === null) throw new Error(`expected a host, found ${text}`);
  return host;
});
const PERMIT = {
  minds: [{ mind: 'command' as const, command: 'python3 mind.py', folder: '/minds' }],
  hosts: HOSTS,
};
const aSeat = (more: Partial<MatchSeat>): MatchSeat => ({
  colour: 'red',
  mind: 'scripted',
  votes: 'freely',
  notes: '',
  ...more,
});
const model = (more: Partial<MatchSeat>) => aSeat({ mind: 'openai', model: 'gemma', ...more });
const program = (command: MatchSeat['command'], folder?: string) =>
  aSeat({
    mind: 'command',
    ...(folder === undefined ? {} : { folder }),
    ...(command && { command }),
  });

test.each([
  ['the usual endpoint with its usual key', model({})],
  [
    'a host with the key that is listed for it',
    model({ base_url: 'https://my.host:8000/v1', key: 'MY_KEY' }),
  ],
  ['a server on this machine', model({ base_url: 'http://localhost:11434/v1' })],
  ['a program that is listed', program(['python3', 'mind.py'])],
  ['an offline mind', aSeat({})],
])('a worker plays with %s', (_, seat) => {
  expect(findForbidden([seat], PERMIT)).toEqual([]);
});

test.each([
  ['another host', model({ base_url: 'https://evil.host/v1' })],
  ['a host that ends alike', model({ base_url: 'https://evil-api.openai.com/v1' })],
  ['a listed host as a user', model({ base_url: 'https://api.openai.com@evil.host/v1' })],
  [
    'a listed host without its encryption',
    model({ base_url: 'http://my.host:8000/v1', key: 'MY_KEY' }),
  ],
  ['a key of another host', model({ base_url: 'https://my.host:8000/v1', key: 'OPENAI_API_KEY' })],
  ['a variable in a header', model({ headers: { 'x-id': 'AWS_SECRET_ACCESS_KEY' } })],
  ['another program', program(['sh', '-c', 'curl evil.host'])],
  ['a program with one more word', program(['python3', 'mind.py', '--evil'])],
  ['words that are run together', program(['python3 mind.py'])],
  ['a module', aSeat({ mind: 'module', module: 'mind.py' })],
  ['a web service', aSeat({ mind: 'http', url: 'http://localhost:11434/' })],
])('a worker refuses a league that names %s', (_, seat) => {
  expect(findForbidden([seat], PERMIT)).toMatchObject([
    { code: expect.stringMatching(/^worker\/(mind|host)-not-allowed$/) },
  ]);
  expect(findForbidden([seat], undefined)).toEqual([]);
});

test('a program is started in the folder of the operator, whatever the league says', () => {
  expect(placeSeat(program(['python3', 'mind.py'], '/tmp/evil'), PERMIT).folder).toBe('/minds');
});
