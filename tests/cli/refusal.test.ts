/** Unplayable scenarios: each fails with a sentence and a code, and leaves no file behind. */
import { describe, expect, test } from 'vitest';
import { COLOURS } from '../../machines/types.ts';
import { SCENARIO } from './scenario.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, contents, failureLine, glassbox, jsonLines } from './shell.ts';

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

describe.concurrent('refused as configuration', () => {
  test.each<[string, string | Buffer, string, string]>([
    [
      'an unknown colour',
      SCENARIO.replace('orange', 'oragne'),
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
      SCENARIO.replace('orange', 'green'),
      'match/duplicate-seat',
      'found green more than once',
    ],
    [
      'a caller without a seat',
      SCENARIO.replace('by: red', 'by: coral'),
      'match/not-seated',
      'expected a call by or about a seated player (red, blue, green, pink, orange), found coral',
    ],
    [
      'a cap that starves',
      `${SCENARIO}options: { weights: { silence: { cap: 10 } } }\n`,
      'weights/starve',
      'Δ = 10 desire + 5 die + 2 mention + 3 accusation + 1 voted = 21',
    ],
    [
      'no boost at all',
      `${SCENARIO}options: { weights: { silence: { slope: 0 } } }\n`,
      'weights/starve',
      'expected a slope of at least 1',
    ],
    [
      'a typo in a key',
      SCENARIO.replace('seats:', 'saets:'),
      'match/unknown-key',
      'there is no "saets"; did you mean "seats"?',
    ],
    ['what is no YAML', 'name: [a\n b: c\n', 'match/not-yaml', 'line 1, column 8: expected YAML'],
    ['a list', '- a\n', 'match/not-a-match', 'found a list'],
    ['an empty file', '', 'match/not-a-match', 'found an empty file'],
    [
      'bytes',
      Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0xff, 0x00]),
      'match/not-text',
      'expected a match, found that it is a program',
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
    const cwd = aFolder({ 'a.yaml': text });
    const { exit, out, err } = await warmGlassbox(['run', 'a.yaml', '--json'], { cwd });
    expect(exit).toBe(78);
    expect(err).toMatch(failureLine(`${code}: a.yaml: `));
    expect(err).toContain(words);
    for (const line of err.trimEnd().split('\n'))
      expect(line).toMatch(/^glassbox: \S.* \[[a-z-]+\/[a-z-]+\]$/);
    const last = jsonLines(out).at(-1);
    expect(last).toMatchObject({ type: 'error', v: 1, exit: 78 });
    expect(JSON.stringify(last)).toContain(`{"code":"${code}","text":"a.yaml: `);
    expect(contents(cwd)).toEqual(['a.yaml']);
  });
});

describe.concurrent('refused as no input', () => {
  test.each([
    ['run', 'gone.yaml', 'cannot read gone.yaml: no such file or folder; expected a match'],
    ['run', 'folder', 'cannot read folder: it is a folder; expected a match'],
    ['watch', 'gone.jsonl', 'cannot read gone.jsonl: no such file or folder; expected a journal'],
    ['transcript', 'folder', 'cannot read folder: it is a folder; expected a journal'],
    ['transcript', 'a.yaml/b', 'cannot read a.yaml/b: a part of the path is no folder'],
  ])('%s %s', async (command, path, words) => {
    const cwd = aFolder({ 'a.yaml': SCENARIO, 'folder/x': '' });
    const { exit, out, err } = await warmGlassbox([command, path], { cwd });
    expect({ exit, out }).toEqual({ exit: 66, out: '' });
    expect(err).toMatch(failureLine(`input/cannot-read: ${words}`));
    expect(contents(cwd)).toEqual(['a.yaml', 'folder', 'folder/x']);
  });
});

test('of very many mistakes the first are listed', async () => {
  const keys = Array.from({ length: 100 }, (_, index) => `k${index}: 1\n`).join('');
  const { exit, err } = await glassbox(['run', '-', '-q'], { input: SCENARIO + keys });
  expect(exit).toBe(78);
  expect(err).toContain('standard input: line 10, k0: there is no "k0"');
  expect(err.split('\n').length).toBeLessThan(25);
});
