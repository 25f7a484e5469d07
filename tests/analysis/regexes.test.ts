import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findInjections, findReveals } from '../../analysis/counts/messages.ts';
import { findHits } from '../../machines/rules/mentions.ts';
import { findClaims } from '../../prompts/claims/claims.ts';
import { findRegexes } from '../support/regexesOf.ts';
import { listRepetitions } from '../support/repetitions.ts';

const READERS = globSync([
  'prompts/claims/*.ts',
  'analysis/counts/messages.ts',
  'machines/rules/mentions.ts',
  'actors/minds/scripted/*.ts',
]).toSorted();

test("a message that repeats a reader's loop 200 times is read to its end", async () => {
  const messages = new Set<string>();
  let count = 0;
  for (const path of READERS) {
    for (const regex of await findRegexes(path)) {
      count += 1;
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

test.each(['already', 'a bit', 'ok so'])(
  'a message that says "Red" and 200 times "%s" is read to its end',
  (words) => {
    const message = `Red ${`${words} `.repeat(200)}xyzzy. Blue was in Admin.`;
    expect(readAll(message)).toEqual(['place blue Admin']);
  },
);

function readAll(message: string): readonly string[] {
  const said = { speaker: 'white', role: 'impostor', partners: [], thought: '', message } as const;
  findReveals(said);
  findInjections(message);
  findHits(message, 'white', null, ['red', 'white']);
  return findClaims({ speaker: 'white', target: null, message }).map((claim) =>
    claim.type === 'place' ? `place ${claim.about} ${claim.place}` : `${claim.type} ${claim.about}`,
  );
}
