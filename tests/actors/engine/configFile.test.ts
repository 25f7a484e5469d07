/** Scenario files: every mistake is told with its line, what was expected and what was found. */
import { describe, expect, test } from 'vitest';
import { LONGEST, readMeeting } from '../../../actors/engine/configFile.ts';

const GOOD = `name: The body in Electrical
about: A test.
call: { by: red, report: pink, place: Electrical }
options: { discussion_time: 30, weights: { mention: 2 } }
seats:
  - colour: red
    persona: leader
  - colour: blue
    role: impostor
    persona: { name: the smooth one, temperament: diplomat }
  - colour: green
    saw:
      - { ago: 20, who: blue, place: Admin }
  - { colour: pink, dead: true }
`;

/** The good file with one thing in it changed. */
function changed(from: string, to: string): string {
  expect(GOOD).toContain(from);
  return GOOD.replace(from, to);
}

function complaints(text: string): readonly string[] {
  const reading = readMeeting(text);
  return reading.ok ? [] : reading.notes.map((note) => `${note.code}: ${note.text}`);
}

test('a good file becomes a scenario, with what is left out filled in', () => {
  const reading = readMeeting(GOOD);
  expect(reading).toMatchObject({ ok: true, match: { name: 'The body in Electrical' } });
  expect(reading.ok && reading.match.seats[0]).toMatchObject({ role: 'crewmate', dead: false });
});

test.each([
  ['the line breaks of Windows', GOOD.replaceAll('\n', '\r\n')],
  ['a byte order mark', `\uFEFF${GOOD}`],
  ['comments', `# yaml-language-server: $schema=schema.json\n${GOOD}`],
  ['a reference', changed('persona: leader', 'persona: &p leader\n    notes: *p')],
  ['JSON', JSON.stringify({ name: 'x', call: { by: 'red' }, seats: [] })],
])('%s are fine', (_, text) => {
  expect(complaints(text)).toEqual([]);
});

describe('a mistake', () => {
  test.each([
    ['about:', 'abuot:', 'unknown-key: line 2, abuot: there is no "abuot"; did you mean "about"?'],
    [
      'mention: 2',
      'mentoin: 2',
      'unknown-key: line 4, options.weights.mentoin: there is no "mentoin"; did you mean "mention"?',
    ],
    [
      'role: impostor',
      'zzzzzzzz: 1',
      'unknown-key: line 9, seats.1.zzzzzzzz: there is no "zzzzzzzz" (there are: colour, role, dead,',
    ],
    [
      'temperament: diplomat',
      'temperament: diplomat, age: 5',
      'unknown-key: line 10, seats.1.persona.age: there is no "age" (there are: name, temperament, notes)',
    ],
    [
      'colour: green',
      'colour: geren',
      'unknown-colour: line 11, seats.2.colour: expected one of red, blue,',
    ],
    ['colour: green', 'colour: geren', 'found "geren"; did you mean "green"?'],
    ['colour: green', 'colour: 7', 'tan, coral, found 7'],
    [
      'role: impostor',
      'role: Imposter',
      'unknown-value: line 9, seats.1.role: expected one of crewmate, impostor, found "Imposter"; did you mean "impostor"?',
    ],
    ['leader', 'leeder', 'unknown-value: line 7, seats.0.persona: expected one of leader,'],
    [
      'name: the smooth one, ',
      '',
      'missing-key: line 10, seats.1.persona.name is missing: expected text',
    ],
    ['about: A test.', 'about: 5', 'type: line 2, about: expected text, found 5'],
    [
      'dead: true',
      'dead: maybe',
      'type: line 14, seats.3.dead: expected true or false, found "maybe"',
    ],
    ['ago: 20', 'ago: -1', 'range: line 13, seats.2.saw.0.ago: expected at least 0, found -1'],
    ['ago: 20', 'ago: .nan', 'type: line 13, seats.2.saw.0.ago: expected a number, found NaN'],
    [
      'discussion_time: 30',
      'discussion_time: 31',
      'range: line 4, options.discussion_time: expected a multiple of 15, found 31',
    ],
    ['discussion_time: 30', 'discussion_time: 900', 'expected at most 120, found 900'],
    [
      'name: The body in Electrical',
      'name: ""',
      'expected at least 1 character, found 0 characters',
    ],
    [
      'name: The body in Electrical',
      `name: ${'x'.repeat(121)}`,
      'range: line 1, name: expected at most 120 characters, found 121 characters',
    ],
    [GOOD.slice(GOOD.indexOf('call'), GOOD.indexOf('options')), '', 'missing-key: call is missing'],
    ['seats:\n', 'seats: red\nrest:\n', 'type: line 5, seats: expected a list, found "red"'],
    ['- colour: red\n    persona: leader', '- red', 'line 6, seats.0: expected keys with values'],
    ['about:', '__proto__:', 'unknown-key: line 2, __proto__: there is no "__proto__"'],
    ['about:', '? [a, b]\n:', 'unknown-key:'],
  ])('%j instead of %j', (from, to, words) => {
    const told = complaints(changed(from, to));
    expect(told.join('\n')).toContain(words);
    for (const line of told) expect(line).toMatch(/^scenario\/[a-z-]+: [^\n]+$/);
  });

  test('does not hide another one', () => {
    const told = complaints(changed('about:', 'abuot:').replace('leader', 'leeder'));
    expect(told.map((line) => line.split(':')[0])).toEqual([
      'scenario/unknown-value',
      'scenario/unknown-key',
    ]);
  });
});

/** Nine references to nine references to … : a few lines that stand for 43 million words. */
const BOMB = Array.from({ length: 9 }, (_, level) => {
  const item = level === 0 ? 'x' : `*a${level - 1}`;
  return `k${level}: &a${level} [${Array.from({ length: 9 }, () => item).join(', ')}]\n`;
}).join('');

describe('what is no scenario', () => {
  test.each([
    [
      'an empty file',
      '',
      'not-a-scenario: expected the keys name, call and seats, found an empty file',
    ],
    ['a comment', '# later\n', 'found an empty file'],
    ['a list', '- a\n- b\n', 'found a list'],
    ['a word', 'hello\n', 'found a single value'],
    ['bytes', 'name: \u0000', 'not-text: line 1: expected text in UTF-8, found other bytes'],
    ['another encoding', 'a: 1\nname: caf\uFFFD', 'not-text: line 2'],
    ['an open bracket', 'name: [a\n b: c\n', 'not-yaml: line 1, column 8: expected YAML, found'],
    ['a tab', 'name: x\ncall:\n\tby: red\n', 'not-yaml: line 3, column 1: expected spaces'],
    ['two documents', 'a: 1\n---\nb: 2\n', 'not-yaml: line 2, column 1: expected one scenario'],
    [
      'a key that is there twice',
      `${GOOD}name: again\n`,
      'duplicate-key: line 15: "name" is there already, in line 1',
    ],
    ['references without end', BOMB, 'not-yaml: expected plain YAML, found: Excessive alias count'],
    ['a reference to itself', 'a: &a [*a]\n', 'scenario/'],
    ['brackets without end', '['.repeat(LONGEST), 'not-yaml: line 1'],
    [
      '2 MB',
      'a'.repeat(2_000_000),
      `too-long: expected at most ${LONGEST} characters, found 2000000`,
    ],
  ])('%s', (_, text, words) => {
    const [told = '', ...others] = complaints(text);
    expect(told).toContain(words);
    expect(told.length).toBeLessThan(400);
    expect(others.length).toBeLessThan(9);
  });

  test('a file of the longest length is read in a moment', () => {
    const key = (index: number) => `k${index}: 1\n`;
    const keys = Array.from({ length: LONGEST / 20 }, (_, index) => key(index)).join('');
    expect(complaints(keys).join('\n')).toContain('scenario/missing-key: call is missing: ');
  });

  test('a key that is missing because it is misspelt is told once', () => {
    const seats = ['red', 'blue', 'green'].map((colour) => `  - { colour: ${colour} }\n`).join('');
    expect(complaints(`name: a\ncall: { by: red }\nseats:\n${seats}  - { color: pink }\n`)).toEqual(
      ['scenario/unknown-key: line 7, seats.3.color: there is no "color"; did you mean "colour"?'],
    );
  });
});
