/** All commands agree whether a store is sound: the same sentence, the same code, the same exit status. */
import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Command } from 'commander';
import { Redis as Client } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../actors/files/failure.ts';
import { HAS_REDIS, RedisServer } from '../actors/stores/redisServer.ts';
import { testLong } from '../support/seeds.ts';
import { aPlace } from './session.ts';
import { failureLine } from './shell.ts';

const LEAGUE = `
name: cup
games: 1
players: 4
options: { max_rounds: 2 }
personas: [{ name: one }, { name: two }, { name: three }, { name: four }]
`;
const HOME = aPlace({ 'cup.yaml': LEAGUE });
await HOME.done('league run cup.yaml --store s.db --out games --jobs 1');
const STORE = readFileSync(HOME.path('s.db'));

/** A line for each command that takes a store. */
const LINES: Readonly<Record<string, string>> = {
  'league run': 'cup.yaml --out games',
  'league fetch': '--out games',
  'league view': '--port 0 --no-open',
  'league show': '',
  'league status': '',
  'league rebuild': '',
  'league export': '',
  verify: 'cup',
  report: 'cup --journals games',
  doctor: '',
  'persona list': '',
  'persona show': 'scripted_one',
  'persona new': 'guest',
  'persona forget': 'scripted_one',
  'persona rollback': 'scripted_one --to 0',
};

function listCommands(command: Command, path: readonly string[] = []): readonly string[] {
  const isMine = command.options.some(({ long }) => long === '--store');
  const inner = command.commands.flatMap((one) => listCommands(one, [...path, one.name()]));
  return isMine ? [path.join(' '), ...inner] : inner;
}

testLong('every command that takes a store is tried', async () => {
  const { createProgram } = await import('../../cli/glassbox.ts');
  expect(listCommands(await createProgram()).toSorted()).toEqual(Object.keys(LINES).toSorted());
});

const sql = (statement: string) => (path: string) => {
  const file = new DatabaseSync(path);
  file.exec(statement);
  file.close();
};

const OTHER =
  'store/no-store: expected a store in unsound.db, found a database of another program, which is left as it is';
const DAMAGED = 'store/damaged: the store in unsound.db is damaged: ';
const NO_FILE = 'store/no-store: cannot open unsound.db as a store: it is';

const UNSOUND_FILES: readonly (readonly [string, (path: string) => void, number, string])[] = [
  [
    'is of a newer version',
    sql('PRAGMA user_version = 99'),
    ...([EXIT.damaged, 'store/version: the store in unsound.db was written by a newer'] as const),
  ],
  ['is of another program', sql('CREATE TABLE notes (text)'), EXIT.noInput, OTHER],
  ['has other columns', sql('ALTER TABLE career RENAME text TO words'), EXIT.noInput, OTHER],
  ['lacks a table', sql('DROP TABLE recorded'), EXIT.damaged, `${DAMAGED}it has no table recorded`],
  ['breaks off', (path) => writeFileSync(path, STORE.subarray(0, 20_000)), EXIT.damaged, DAMAGED],
  [
    'lacks its last page',
    (path) => writeFileSync(path, STORE.subarray(0, -4096)),
    ...([EXIT.damaged, DAMAGED] as const),
  ],
  [
    'has spoilt pages at its beginning',
    (path) => writeFileSync(path, Buffer.from(STORE).fill('x', 4096, 40_000)),
    ...([EXIT.damaged, DAMAGED] as const),
  ],
  [
    'has a spoilt page at its end',
    (path) => writeFileSync(path, Buffer.from(STORE).fill('x', STORE.length - 4096)),
    ...([EXIT.damaged, DAMAGED] as const),
  ],
  [
    'is a novel',
    (path) => writeFileSync(path, 'my novel'),
    ...([EXIT.noInput, `${NO_FILE} no SQLite database`] as const),
  ],
];

async function expectOneEnd(store: string, status: number, words: string | RegExp): Promise<void> {
  const ends = new Map<string, string>();
  for (const [command, more] of Object.entries(LINES)) {
    const line = `${command} ${more} --store ${store}`.replaceAll(/ +/g, ' ');
    const { exit, out, err } = await HOME.run(line);
    expect({ line, exit, out }).toEqual({ line, exit: status, out: '' });
    expect(err).toMatch(typeof words === 'string' ? failureLine(words) : words);
    ends.set(err, line);
  }
  expect([...ends].length, [...ends].join('\n')).toBe(1);
}

test.each(UNSOUND_FILES)(
  'a file that %s is refused by every command alike',
  async (_what, spoil, status, words) => {
    const path = HOME.path('unsound.db');
    HOME.write('unsound.db', STORE);
    spoil(path);
    const before = readFileSync(path);
    await expectOneEnd('unsound.db', status, words);
    expect(readFileSync(path).equals(before)).toBe(true);
  },
);

const KEY = '{glassbox}:v2';

const FOREIGN =
  /holds keys of another program.*: name another database of it, such as redis.*no-store\]/;
const NEWER = /holds the store of a newer version of this program: .*store\/version\]/;

type Spoil = (client: Client) => Promise<unknown>;

const UNSOUND_SERVERS: readonly (readonly [string, Spoil, number, RegExp])[] = [
  ['foreign leagues', (client) => client.set(`${KEY}:leagues`, 'mine'), EXIT.noInput, FOREIGN],
  [
    'foreign personas',
    (client) => client.hset(`${KEY}:personas`, 'mine', '1'),
    EXIT.noInput,
    FOREIGN,
  ],
  [
    'a foreign counter',
    (client) => client.hset(`${KEY}:recorded`, 'mine', '1'),
    EXIT.noInput,
    FOREIGN,
  ],
  [
    'foreign journals of a league',
    (client) => client.rpush(`${KEY}:league:cup:kept`, 'mine'),
    ...([EXIT.noInput, FOREIGN] as const),
  ],
  [
    'a foreign memory of a persona',
    (client) => client.set(`${KEY}:persona:scripted_one:memory`, 'mine'),
    ...([EXIT.noInput, FOREIGN] as const),
  ],
  [
    'the leagues of a newer version',
    (client) => client.sadd('{glassbox}:v3:leagues', 'cup'),
    ...([EXIT.damaged, NEWER] as const),
  ],
];

describe.skipIf(!HAS_REDIS)('a Redis that has', () => {
  test.each(UNSOUND_SERVERS)(
    '%s is refused by every command alike',
    async (what, spoil, status, words) => {
      const server = await RedisServer.start();
      const client = new Client(server.url);
      if (what !== 'foreign leagues') await client.sadd(`${KEY}:leagues`, 'cup');
      if (what !== 'foreign personas') await client.sadd(`${KEY}:personas`, 'scripted_one');
      await spoil(client);
      await expectOneEnd(server.url, status, words);
      client.disconnect();
      await server.end();
    },
  );
});
