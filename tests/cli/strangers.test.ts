/** Keys are for the endpoints that the user has named, whatever files of other people say, and reach no file. */
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { findSecret } from '../../actors/minds/secrets.ts';
import { forged } from '../actors/engine/journal/records.ts';
import { readOld } from '../journals/corpus.ts';
import { anEndpoint, modelOf } from '../support/endpoint/opened.ts';
import { FOUR } from './matches.ts';
import { aPlace } from './session.ts';
import { expectEnd, jsonLines } from './shell.ts';

const SECRET = 'sk-secret-of-the-user-000';

/** A round in which somebody without a seat kills. */
const IMPOSSIBLE = forged(readOld('game-classic'), (row, index) =>
  index === 2
    ? { ...row, events: [{ type: 'player.killed', by: 'banana', victim: 'red', place: 'Admin' }] }
    : row,
);

/** A place whose user keeps state in a folder of it, with an interrupted match of models. */
async function aBegunMatch() {
  const own = await anEndpoint();
  const env = { GLASSBOX_STATE: 'state', MY_KEY: SECRET, AWS_SECRET_ACCESS_KEY: SECRET };
  const place = aPlace({ 'm.yaml': FOUR }, env);
  await place.done(`run m.yaml --max-ticks 3 --out whole.jsonl -q ${modelOf(own).join(' ')}`);
  const lines = place.read('whole.jsonl').split('\n').slice(0, 8);
  place.write('a.jsonl', `${lines.join('\n')}\n`);
  return { ...place, own };
}

test('your own match is continued without a flag, and its endpoint is kept for you alone', async () => {
  const { run, own, cwd } = await aBegunMatch();
  const before = own.asked.length;
  expectEnd(await run('resume a.jsonl -q'), 0);
  expect(own.asked.length).toBeGreaterThan(before);
  const kept = join(cwd, 'state/endpoints.jsonl');
  expect(jsonLines(readFileSync(kept, 'utf8'))).toEqual([{ baseUrl: own.baseUrl, variables: [] }]);
  expect([statSync(kept).mode & 0o777, statSync(join(cwd, 'state')).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);
});

test.each([
  ['another host', (evil: string) => ({ base_url: evil }), ''],
  ['a key for a host of your own', () => ({ key: 'AWS_SECRET_ACCESS_KEY' }), ''],
  ['a header with a variable', () => ({ headers: { 'x-id': 'MY_KEY' } }), ''],
  ['another host, for your model', (evil: string) => ({ base_url: evil }), ' --model gemma'],
  ['a key, for your host', () => ({ key: 'MY_KEY' }), ' --base-url OWN'],
])('a journal that names %s is refused before anything is sent', async (_, edit, flags) => {
  const { run, read, write, own } = await aBegunMatch();
  const evil = await anEndpoint();
  const spoil = (journal: string) =>
    forged(journal, (row) => {
      const match = Object(row['match']);
      if (!Array.isArray(match.seats)) return row;
      const seats = match.seats.map((seat: object) => ({ ...seat, ...edit(evil.baseUrl) }));
      return { ...row, match: { ...match, seats } };
    });
  write('b.jsonl', spoil(read('a.jsonl')));
  write('c.jsonl', spoil(read('whole.jsonl')));
  const before = own.asked.length;
  const more = flags.replace('OWN', own.baseUrl);
  const journal = read('b.jsonl');
  for (const line of ['resume b.jsonl', 'fork b.jsonl --at 0', 'why c.jsonl --samples 2']) {
    const { err, out, exit } = await run(`${line}${more}`);
    expect(exit, err).toBe(2);
    expect(err).toMatch(/names endpoints.*--endpoint-from-journal.*\[model\/not-trusted\]/);
    expect(`${err}${out}`).not.toContain(SECRET);
  }
  expect(read('b.jsonl')).toBe(journal);
  expect([evil.asked.length, own.asked.length]).toEqual([0, before]);
  expectEnd(await run(`resume b.jsonl -q --endpoint-from-journal${more}`), 0);
});

test.each([
  'watch',
  'transcript',
  'report --stats',
  'report --tables csv --out t',
  'export --out x.html',
  'export --out x.svg',
  'verify',
  'resume',
  'fork --at 3 --out y.jsonl',
  'why',
  'prompt --player red --round 0',
])('a journal that no game can have written ends "%s" with status 65', async (line) => {
  const { run, write } = aPlace();
  const { damages } = readJournal(IMPOSSIBLE);
  expect(damages).toMatchObject([{ code: 'journal/impossible', line: 3 }]);
  write('c.jsonl', IMPOSSIBLE);
  const [command = '', ...more] = line.split(' ');
  const end = await run([command, 'c.jsonl', ...more]);
  expectEnd(end, 65, 'no game produces this line', '[journal/impossible]');
});

test.each(['--discard', "x'; rm -rf ~ #"])(
  'a league called %j is not repeated as a part of a command',
  async (name) => {
    const league = `name: ${JSON.stringify(name)}
games: 1
players: 4
options: { max_rounds: 2 }
personas: [{ name: one }, { name: two }, { name: three }, { name: four }]
`;
    const { run } = aPlace({ 'l.yaml': league });
    const { err } = await run('league run l.yaml --store s.db --out games --jobs 1');
    expect(err).toMatch(/^How they play: .* league show LEAGUE --store s\.db --stats$/m);
  },
);

test('a folder that others can write to is not trusted, and nothing is kept there', async () => {
  const { run, cwd } = await aBegunMatch();
  chmodSync(join(cwd, 'state'), 0o777);
  expectEnd(await run('resume a.jsonl -q'), 2, 'other users', '[model/not-trusted]');
});

const WORD = 'hush-hush-hush';
const MODEL = 'mind: openai, model: gemma';

test.each([
  ['a password in an address', `${MODEL}, base_url: "http://me:${WORD}@127.0.0.1:9/v1"`],
  ['a key in the query', `${MODEL}, base_url: "http://127.0.0.1:9/v1?api-key=${WORD}"`],
  ['a token in a field of the body', `${MODEL}, extra_body: { auth: { access_token: ${WORD} } }`],
  ['a header in a field of the body', `${MODEL}, extra_body: { h: "Bearer ${WORD}" }`],
  ['a password of a web service', `mind: http, url: "http://me:${WORD}@127.0.0.1:9/"`],
  ['a key in a command', `mind: command, command: [mind, --key, sk-${WORD}]`],
])('%s is refused and repeated nowhere', async (_, fields) => {
  const seat = `{ colour: red, ${fields} }`;
  const table = `name: four
seats: [${seat}, { colour: blue }, { colour: pink }, { colour: lime }]
`;
  const { run, path } = aPlace({ 'm.yaml': table });
  const { exit, out, err } = await run('run m.yaml --out a.jsonl');
  expect(exit, err).toBe(78);
  expect(err).toMatch(/expected no secret, because journals record it.*\[mind\/secret\]/);
  expect(`${out}${err}`).not.toContain(WORD);
  expect(existsSync(path('a.jsonl'))).toBe(false);
});

test.each([
  'http://127.0.0.1:8080/v1?api-version=2024-05-01-preview',
  { prompt_cache_key: 'game-1', max_tokens: 50, reasoning_effort: 'low', keys: ['a', 'b'] },
  ['python3', 'examples/minds/logical_player.py', '--level', 'expert'],
  'https://my-resource.openai.azure.com/openai/deployments/gpt-5-mini-2025-08-07/v1',
])('no secret is seen in %j', (value) => {
  expect(findSecret(value)).toBeNull();
});
