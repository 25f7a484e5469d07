/** Unplayable scenarios: each fails with a sentence and a code, and leaves no file behind. */
import { describe, expect, test } from 'vitest';
import { COLOURS } from '../../machines/types.ts';
import { SCENARIO } from './matches.ts';
import { aPlace } from './session.ts';
import { contents, expectEnd, glassbox, jsonLines } from './shell.ts';

const CALL = 'name: x\ncall: { by: red }\n';

function seats(count: number, more: (index: number) => string = () => ''): string {
  const rows = COLOURS.slice(0, count).map(
    (colour, at) => `  - { colour: ${colour}${more(at)} }\n`,
  );
  return `${CALL}seats:${count === 0 ? ' []' : ''}\n${rows.join('')}`;
}

const IMPOSTOR = () => ', role: impostor';
const BOMB = Array.from({ length: 9 }, (_, level) => {
  const item = level === 0 ? 'x' : `*a${level - 1}`;
  return `k${level}: &a${level} [${Array.from({ length: 9 }, () => item).join(', ')}]\n`;
}).join('');

const replaced = (was: string, is: string) => SCENARIO.replace(was, is);
const withSilence = (silence: string) =>
  `${SCENARIO}options: { weights: { silence: { ${silence} } } }\n`;

describe.concurrent('refused as configuration', () => {
  test.each<[string, string | Buffer, string, string]>([
    [
      'an unknown colour',
      replaced('orange', 'oragne'),
      'match/unknown-colour',
      'a.yaml: line 9, seats.4.colour: expected one of red, blue,',
    ],
    ['no seats', seats(0), 'match/seats', 'a.yaml: expected 4 to 15 seats, found 0'],
    ['one seat', seats(1), 'match/seats', 'found 1'],
    ['three seats', seats(3), 'match/seats', 'found 3'],
    ['sixteen seats', seats(16), 'match/seats', 'found 16'],
    ['impostors only', seats(5, IMPOSTOR), 'match/all-impostors', 'found only impostors'],
    [
      'the same colour twice',
      replaced('orange', 'green'),
      'match/duplicate-seat',
      'found green more than once',
    ],
    [
      'a caller without a seat',
      replaced('by: red', 'by: coral'),
      'match/not-seated',
      'expected a call by or about a seated player (red, blue, green, pink, orange), found coral',
    ],
    [
      'a cap that starves',
      withSilence('cap: 10'),
      'weights/starve',
      'Δ = 10 desire + 5 die + 2 mention + 3 accusation + 1 voted = 21',
    ],
    [
      'no boost at all',
      withSilence('slope: 0'),
      'weights/starve',
      'expected a slope of at least 1',
    ],
    [
      'a typo in a key',
      replaced('seats:', 'saets:'),
      'match/unknown-key',
      'there is no "saets"; did you mean "seats"?',
    ],
    ['what is no YAML', 'name: [a\n b: c\n', 'match/not-yaml', 'line 1, column 8: expected YAML'],
    ['a list', '- a\n', 'match/not-a-match', 'found a list'],
    ['an empty file', '', 'match/not-a-match', 'found an empty file'],
    [
      'bytes',
      Buffer.from('\x7fELF\xff\0', 'latin1'),
      'match/not-text',
      'found that it is a program',
    ],
    ['2 MB', 'a'.repeat(2_000_000), 'match/too-long', 'expected at most'],
    ['references without end', BOMB, 'match/not-yaml', 'Excessive alias count'],
    [
      'a key that is there twice',
      `${SCENARIO}name: y\n`,
      'match/duplicate-key',
      '"name" is there already, in line 1',
    ],
  ])('%s', async (_, text, code, words) => {
    const { cwd, run } = aPlace({ 'a.yaml': text });
    const found = await run('run a.yaml --json');
    expectEnd(found, 78, `${code}: a.yaml: `, words);
    for (const line of found.err.trimEnd().split('\n'))
      expect(line).toMatch(/^glassbox: \S.* \[[a-z-]+\/[a-z-]+\]$/);
    const last = jsonLines(found.out).at(-1);
    expect(last).toMatchObject({ type: 'error', v: 1, exit: 78 });
    expect(JSON.stringify(last)).toContain(`{"code":"${code}","text":"a.yaml: `);
    expect(contents(cwd)).toEqual(['a.yaml']);
  });
});

describe.concurrent('refused as no input', () => {
  test.each([
    ['run gone.yaml', 'gone.yaml: no such file or folder; expected a match'],
    ['run folder', 'folder: it is a folder; expected a match'],
    ['watch gone.jsonl', 'gone.jsonl: no such file or folder; expected a journal'],
    ['transcript folder', 'folder: it is a folder; expected a journal'],
    ['transcript a.yaml/b', 'a.yaml/b: a part of the path is no folder'],
  ])('%s', async (line, words) => {
    const { cwd, run } = aPlace({ 'a.yaml': SCENARIO, 'folder/x': '' });
    const found = await run(line);
    expectEnd(found, 66, `input/cannot-read: cannot read ${words}`);
    expect(found.out).toBe('');
    expect(contents(cwd)).toEqual(['a.yaml', 'folder', 'folder/x']);
  });
});

test('of very many mistakes the first are listed', async () => {
  const keys = Array.from({ length: 100 }, (_, index) => `k${index}: 1\n`).join('');
  const found = await glassbox('run - -q', { input: SCENARIO + keys });
  expectEnd(found, 78, 'standard input: line 10, k0: there is no "k0"');
  expect(found.err.split('\n').length).toBeLessThan(25);
});
