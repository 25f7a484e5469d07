/** Removed commands and flags: each answers with an error that names its replacement. */
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../cli/glassbox.ts';
import { REMOVED } from '../../cli/usage.ts';
import { aPlace } from './session.ts';
import { expectEnd } from './shell.ts';

const program = await createProgram();
const { run } = aPlace();

function isPresent(words: readonly string[]): boolean {
  let command = program;
  for (const [index, word] of words.entries()) {
    const option = command.options.find(({ long }) => long === word);
    const value = words[index + 1];
    if (word.startsWith('-'))
      return (
        option !== undefined && (value === undefined || option.argChoices?.includes(value) === true)
      );
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) return false;
    command = next;
  }
  return true;
}

const gone = REMOVED.filter(([was]) => !isPresent(was.split(' ')));

describe.concurrent('a removed word ends as a usage error that names its replacement', () => {
  test.each(gone)('%s', async (was, instead) => {
    const found = await run(was);
    expectEnd(found, 2, `usage/removed-${was.includes('--') ? 'flag' : 'command'}: `, instead);
    expect(found.out).toBe('');
  });
});

test('each removed word is listed once', () => {
  const words = REMOVED.map(([was]) => was);
  expect(new Set(words).size).toBe(words.length);
});
