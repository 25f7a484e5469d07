/** Values that no game can produce, with all hashes right, are damage to every command that reads them. */
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { EXIT } from '../../actors/files/failure.ts';
import type { GameResult } from '../../actors/stores/result.ts';
import { seal, unseal } from '../../actors/stores/seal.ts';
import { everyNth } from '../support/seeds.ts';
import { aPlace } from './session.ts';

const LEAGUE = `
name: cup
games: 2
round: 2
players: 4
options: { max_rounds: 4 }
personas: [{ name: one }, { name: two }, { name: three }, { name: four }]
`;
const HOME = aPlace({ 'cup.yaml': LEAGUE });
await HOME.done('league run cup.yaml --store s.db --out games --jobs 1');
const STORE = readFileSync(HOME.path('s.db'));

const ONE = 'scripted_one';

/** Tables with sealed texts: the column, the row that is forged, and its place. */
const SEALED = {
  result: ['body', 'slot = 0', ['result', 'cup', 0]],
  memory: ['change', `persona = '${ONE}' AND version = 1`, ['memory', ONE, 1]],
  latest: ['version', `persona = '${ONE}'`, ['latest', ONE]],
  career: ['text', `id = '${ONE}'`, ['career', ONE]],
  matter: ['value', "name = 'plan'", ['matter', 'cup', 'plan']],
} as const;

/** Replaces a part of a sealed text, and seals it again. */
function forge(table: keyof typeof SEALED, change: (text: string) => string): void {
  HOME.write('forged.db', STORE);
  const file = new DatabaseSync(HOME.path('forged.db'));
  const [column, where, place] = SEALED[table];
  const row = file.prepare(`SELECT ${column} AS text FROM ${table} WHERE ${where}`).get();
  const text = unseal(place, String(row?.['text'])) ?? '';
  const forged = change(text);
  expect(forged).not.toBe(text);
  file.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(seal(place, forged));
  file.close();
}

const READING = ['league status', 'league show', 'league export', 'league fetch --out games'];
const RESULTS = [...READING, 'league rebuild', 'report cup --journals games'];
const PERSONAS = ['persona list', `persona show ${ONE}`, `persona forget ${ONE}`];
const RUN = 'league run cup.yaml --out games';

type Result = { -readonly [Key in keyof GameResult]: GameResult[Key] };
const result = (change: (result: Result) => void) => (text: string) => {
  const value = JSON.parse(text);
  change(value);
  return JSON.stringify(value);
};
const first = (change: object) =>
  result((value) => {
    value.seats = value.seats.map((seat, index) => (index === 0 ? { ...seat, ...change } : seat));
  });

const OTHER_SIDE = { winner: 'impostors', reason: 'kills' };

const RESULT_FORGERIES: readonly (readonly [string, (text: string) => string])[] = [
  ['no players', result((value) => Object.assign(value, { seats: [] }))],
  ['a player twice', first({ colour: 'blue' })],
  ['a persona of another league', first({ persona: 'nobody' })],
  ['a loser who has won', result((value) => Object.assign(value, OTHER_SIDE))],
  ['an ending that is none', result((value) => Object.assign(value, { reason: 'magic' }))],
  ['more meetings than rounds', result((value) => Object.assign(value, { meetings: 1000 }))],
  ['more rounds than there are', result((value) => Object.assign(value, { rounds: 1000 }))],
  ['a negative counter', first({ tally: { kills: -1 } })],
  ['a counter without a name', first({ tally: { '\u001b[31m': 1 } })],
  ['a counter beyond all counts', first({ tally: { messages: 9e15 } })],
  ['a long lesson', first({ learned: ['x'.repeat(10_000)] })],
  ['lessons without end', first({ learned: Array.from({ length: 999 }, (_, at) => `${at}`) })],
  ['another seed', result((value) => Object.assign(value, { seed: 77 }))],
];

type Forgery = readonly [string, keyof typeof SEALED, (text: string) => string, readonly string[]];

const FORGERIES: readonly Forgery[] = [
  ...RESULT_FORGERIES.map(([what, change]): Forgery => [what, 'result', change, [...RESULTS, RUN]]),
  ['a memory that is no JSON', 'memory', () => 'x', [...PERSONAS, RUN]],
  ['a memory of other fields', 'memory', () => '{"a":1}', [...PERSONAS, RUN]],
  [
    'a memory without end',
    'memory',
    (text) => text.replace(/"text":"/, `"text":"${'x'.repeat(10_000)}`),
    [...PERSONAS, 'league export --format html -o cup.html', RUN],
  ],
  ['a version that is a word', 'latest', () => 'many', [...PERSONAS, RUN]],
  ['a career that is no JSON', 'career', () => 'x', [...PERSONAS, RUN]],
  ['a negative career', 'career', (text) => text.replace('"games":', '"games":-'), PERSONAS],
  [
    'a plan without personas',
    'matter',
    (text) => text.replace(/"personas":\[.*?\],"/, '"personas":[],"'),
    [...READING, RUN],
  ],
  [
    'a plan with twins',
    'matter',
    (text) => text.replace('"name":"two"', '"name":"one"'),
    [...READING, RUN],
  ],
];

test.each(everyNth(FORGERIES, 3))('%s is damage', async (_what, table, change, lines) => {
  for (const line of lines) {
    forge(table, change);
    const { exit, err } = await HOME.run(`${line} --store forged.db`);
    expect({ line, exit, err }).toEqual({ line, exit: EXIT.damaged, err: expect.anything() });
  }
});
