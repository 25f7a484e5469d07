/**
 * Collects the utterances of recorded games that the corpus only points to: `node tests/corpus/collect.ts CLONE`, where
 * CLONE is a working copy of the repository that docs/deduction.md names. Each text is checked against its hash, and names
 * are written as in our games. The result stays on this machine: git ignores it.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isRecorded, readUtterances, writeRecorded } from './corpus.ts';

const game = z.looseObject({
  players: z.array(z.looseObject({ num: z.string(), color: z.string() })),
  turns: z.array(
    z.looseObject({
      step: z.int(),
      action: z.string().optional(),
      speech: z.string().nullable().optional(),
    }),
  ),
});

function readGame(path: string): z.infer<typeof game> {
  const text = readFileSync(path, 'utf8');
  return game.parse(JSON.parse(text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))));
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The speech of a step by its hash: a field of its own, in older games a part of the action. */
function findSpeech({ turns }: z.infer<typeof game>, step: number, hash: string): string | null {
  const said = turns
    .filter((turn) => turn.step === step)
    .map(({ speech, action = '' }) => speech || (/^SPEAK: ([\s\S]*)/.exec(action)?.[1] ?? ''));
  return said.find((text) => hashOf(text) === hash) ?? null;
}

/** "Player 3: lime", "Player 3 (lime)" and "Player 3" are Lime, as players are called in our games. */
function writeNames(text: string, { players }: z.infer<typeof game>): string {
  const colours = new Map(players.map(({ num, color }) => [num, color]));
  return text
    .trim()
    .replace(/^"([\s\S]+)"$/, '$1')
    .replace(/\bPlayer (\d)(?:: ?\w+\b| ?\(\w+\))?/g, (found, number: string) => {
      const colour = colours.get(number);
      return colour === undefined ? found : `${colour.charAt(0).toUpperCase()}${colour.slice(1)}`;
    });
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(64);
}

const [clone] = process.argv.slice(2);
if (clone === undefined) {
  fail('Expected the folder of a working copy: node tests/corpus/collect.ts CLONE');
}
const lines = readUtterances()
  .filter(isRecorded)
  .map(({ id, path = '', step = 0, sha256 = '' }) => {
    const file = join(clone, path);
    if (!existsSync(file))
      fail(`Expected the file ${file}, found none: is ${clone} a working copy?`);
    const found = readGame(file);
    const speech = findSpeech(found, step, sha256);
    if (speech === null)
      fail(`Expected a speech with the hash ${sha256} in step ${step} of ${file}.`);
    return { id, text: writeNames(speech, found) };
  });
writeRecorded(lines);
console.log(`${lines.length} utterances`);
