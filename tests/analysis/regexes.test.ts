/** What a message says can't make its reading slow: no regular expression reads a text in two ways. */
import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findClaims } from '../../analysis/claims/claims.ts';
import { findInjections, findReveals } from '../../analysis/messages.ts';
import { findHits } from '../../machines/rules/mentions.ts';
import { findAmbiguities } from '../support/ambiguity.ts';
import { findRegexes } from '../support/regexesOf.ts';
import { listRepetitions } from '../support/repetitions.ts';

describe('two ways through one text', () => {
  test.each([
    [/(?: (?:a|b|a))*/, 'doubling'],
    [/(?: (?:a|b|a b))*/, 'doubling'],
    [/(?: (?:a|b|ab))*/, null],
    [/(?: ?(?:a|b|ab))*/, 'doubling'],
    [/(?: ?(?:a|b|ab)\b)*/, null],
    [/(?: ?(?:a|b|ab)\B)*/, 'doubling'],
    [/(?:a?b?)*/, 'doubling'],
    [/(?:[ab]|a)+/, 'doubling'],
    [/(?:[ab]|c)+/, null],
    [/(?:\w+)*/, 'doubling'],
    [/(?:\w+ )*/, null],
    [/(?:\w{1,2})*/, 'doubling'],
    [/(?:A|a)*/, null],
    [/(?:A|a)*/i, 'doubling'],
    [/\s*x?\s*/, 'power'],
    [/\s*x\s*/, null],
    [/\w+ ?\w+/, 'power'],
    [/(?:a|b)*(?: c)?(?:d)*/, null],
    [/(?:a|b)*(?: c)?(?:a)*/, 'power'],
    [/x(?=(?:a|a)*y)/, 'doubling'],
    [/(?<!(?:a|a)*)x/, 'doubling'],
  ])('%s', (regex, type) => {
    expect(findAmbiguities(regex)[0]?.type ?? null).toBe(type);
  });
});

/** Everything that reads what players have said. */
const READERS = globSync([
  'analysis/claims/*.ts',
  'analysis/messages.ts',
  'machines/rules/mentions.ts',
  'actors/minds/scripted/*.ts',
]).toSorted();

test('no reader has such an expression, and what their loops read is read 200 times over', async () => {
  const messages = new Set<string>();
  let count = 0;
  for (const path of READERS) {
    for (const regex of await findRegexes(path)) {
      count += 1;
      expect([path, regex.source, findAmbiguities(regex)]).toEqual([path, regex.source, []]);
      for (const texts of listRepetitions(regex)) {
        for (const [index, text] of texts.entries()) {
          messages.add(text).add(text + (texts[index + 1] ?? ''));
        }
      }
    }
  }
  expect(count).toBeGreaterThan(150);
  expect(messages.size).toBeGreaterThan(500);
  for (const text of messages) readAll(`Red${text.repeat(200)} xyzzy`);
}, 60_000);

test.each(['already', 'a bit', 'ok so'])('"Red %s …" is read to its end', (words) => {
  const message = `Red ${`${words} `.repeat(200)}xyzzy. Blue was in Admin.`;
  expect(readAll(message)).toEqual(['place blue Admin']);
});

/** What is claimed by a message that every reader has read. */
function readAll(message: string): readonly string[] {
  const said = { speaker: 'white', role: 'impostor', partners: [], thought: '', message } as const;
  findReveals(said);
  findInjections(message);
  findHits(message, 'white', null, ['red', 'white']);
  return findClaims({ speaker: 'white', target: null, message }).map((claim) =>
    claim.type === 'place' ? `place ${claim.about} ${claim.place}` : `${claim.type} ${claim.about}`,
  );
}
