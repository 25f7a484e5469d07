import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  LONGEST,
  readGame,
  type readMatch,
  readMeeting,
} from '../../../actors/engine/configFile.ts';
import { prepare } from '../../../machines/setup/prepare.ts';

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

function changed(from: string, to: string): string {
  expect(GOOD).toContain(from);
  return GOOD.replace(from, to);
}

function complaints(text: string, read: typeof readMatch = readMeeting): readonly string[] {
  const reading = read(text);
  return reading.ok ? [] : reading.notes.map((note) => `${note.code}: ${note.text}`);
}

test('a good file becomes a match, and its omitted fields are filled in', () => {
  const reading = readMeeting(GOOD);
  expect(reading).toMatchObject({ ok: true, value: { name: 'The body in Electrical' } });
  expect(reading.ok && reading.value.seats[0]).toMatchObject({ role: 'crewmate', dead: false });
});

test.each([
  ['the line breaks of Windows', GOOD.replaceAll('\n', '\r\n')],
  ['a byte order mark', `\uFEFF${GOOD}`],
  ['comments', `# yaml-language-server: $schema=schema.json\n${GOOD}`],
  ['a reference', changed('persona: leader', 'persona: &p leader\n    notes: *p')],
  ['JSON', JSON.stringify({ name: 'x', call: { by: 'red' }, seats: [] })],
])('%s are fine', (_, text) => expect(complaints(text)).toEqual([]));

/** A text in the file, its replacement, and the complaint. */
const MISTAKES = `
  mention: 2 → mentoin: 2 → unknown-key: line 4, options.weights.mentoin: there is no "mentoin"; did you mean "mention"?
  role: impostor → zzzzzzzz: 1 → unknown-key: line 9, seats.1.zzzzzzzz: there is no "zzzzzzzz" (there are: colour, role, dead,
  temperament: diplomat → temperament: diplomat, age: 5 → unknown-key: line 10, seats.1.persona.age: there is no "age" (there are: name, temperament, notes, language)
  colour: green → colour: geren → unknown-colour: line 11, seats.2.colour: expected one of red, blue,
  role: impostor → role: Imposter → unknown-value: line 9, seats.1.role: expected one of crewmate, impostor, found "Imposter"; did you mean "impostor"?
  name: the smooth one,  →  → missing-key: line 10, seats.1.persona.name is missing: expected text
  dead: true → dead: maybe → type: line 14, seats.3.dead: expected true or false, found "maybe"
  discussion_time: 30 → discussion_time: 31 → range: line 4, options.discussion_time: expected a multiple of 15, found 31
  name: The body in Electrical → name: "" → expected at least 1 character, found 0 characters
`
  .trim()
  .split('\n')
  .map((row) => row.trim().split(' → '));

describe('a mistake', () => {
  test.each([
    ...MISTAKES,
    ['about:', 'abuot:', 'unknown-key: line 2, abuot: there is no "abuot"; did you mean "about"?'],
    ['colour: green', 'colour: geren', 'found "geren"; did you mean "green"?'],
    ['colour: green', 'colour: 7', 'tan, coral, found 7'],
    ['leader', 'leeder', 'unknown-value: line 7, seats.0.persona: expected one of leader,'],
    ['about: A test.', 'about: 5', 'type: line 2, about: expected text, found 5'],
    ['ago: 20', 'ago: -1', 'range: line 13, seats.2.saw.0.ago: expected at least 0, found -1'],
    ['ago: 20', 'ago: .nan', 'type: line 13, seats.2.saw.0.ago: expected a number, found NaN'],
    ['discussion_time: 30', 'discussion_time: 900', 'expected at most 120, found 900'],
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
  ])('%j instead of %j', (from = '', to = '', words = '') => {
    const told = complaints(changed(from, to));
    expect(told.join('\n')).toContain(words);
    for (const line of told) expect(line).toMatch(/^match\/[a-z-]+: [^\n]+$/);
  });

  test('does not hide another one', () => {
    const told = complaints(changed('about:', 'abuot:').replace('leader', 'leeder'));
    expect(told.map((line) => line.split(':')[0])).toEqual([
      'match/unknown-value',
      'match/unknown-key',
    ]);
  });
});

/** Nine references to nine references to … : a few lines that stand for 43 million words. */
const BOMB = Array.from({ length: 9 }, (_, level) => {
  const item = level === 0 ? 'x' : `*a${level - 1}`;
  return `k${level}: &a${level} [${Array.from({ length: 9 }, () => item).join(', ')}]\n`;
}).join('');

describe('files that are not a match', () => {
  test.each([
    [
      'an empty file',
      '',
      'not-a-match: expected the keys name, call and seats, found an empty file',
    ],
    ['a comment', '# later\n', 'found an empty file'],
    ['a list', '- a\n- b\n', 'found a list'],
    ['a word', 'hello\n', 'found a single value'],
    ['bytes', 'name: \u0000', 'not-text: line 1: expected text in UTF-8, found other bytes'],
    ['another encoding', 'a: 1\nname: caf\uFFFD', 'not-text: line 2'],
    ['an open bracket', 'name: [a\n b: c\n', 'not-yaml: line 1, column 8: expected YAML, found'],
    ['a tab', 'name: x\ncall:\n\tby: red\n', 'not-yaml: line 3, column 1: expected spaces'],
    ['two documents', 'a: 1\n---\nb: 2\n', 'not-yaml: line 2, column 1: expected one match'],
    [
      'a key that is there twice',
      `${GOOD}name: again\n`,
      'duplicate-key: line 15: "name" is there already, in line 1',
    ],
    ['references without end', BOMB, 'not-yaml: expected plain YAML, found: Excessive alias count'],
    ['a reference to itself', 'a: &a [*a]\n', 'match/'],
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
    expect(complaints(keys).join('\n')).toContain('match/missing-key: call is missing: ');
  });

  test('a misspelt key that is also missing is reported once', () => {
    const seats = ['red', 'blue', 'green'].map((colour) => `  - { colour: ${colour} }\n`).join('');
    expect(complaints(`name: a\ncall: { by: red }\nseats:\n${seats}  - { color: pink }\n`)).toEqual(
      ['match/unknown-key: line 7, seats.3.color: there is no "color"; did you mean "colour"?'],
    );
  });
});

/* Lobby files: read like match files, with complaints of their own. */

const example = (name: string) =>
  readFileSync(new URL(`../../../examples/${name}`, import.meta.url), 'utf8');

const GOOD_GAME = `name: Four on a small ship
options: { kill_cooldown: 25, voting_time: 60 }
map:
  name: the annexe
  button: Cafeteria
  openings: { Admin hallway: [Cafeteria, Admin, Storage] }
seats:
  - { colour: red, role: impostor }
  - colour: blue
    persona: leader
  - colour: green
  - colour: pink
`;

const gameComplaints = (text: string) => complaints(text, readGame);

test('a good file becomes a match, and its omitted fields are filled in or left to the seed', () => {
  const reading = readGame(GOOD_GAME);
  expect(reading).toMatchObject({ ok: true, value: { name: 'Four on a small ship' } });
  if (!reading.ok) return;
  expect(reading.value.seats[1]).toEqual({
    colour: 'blue',
    persona: 'leader',
    mind: 'scripted',
    votes: 'freely',
    notes: '',
  });
  expect(prepare(reading.value, 1)).toMatchObject({ ok: true });
});

test('a game file may be JSON, and may name its map', () => {
  expect(gameComplaints('{"name":"x","map":"skeld","seats":[]}')).toEqual([]);
});

describe('a mistake', () => {
  test.each([
    [
      'kill_cooldown: 25',
      'kill_cooldwn: 25',
      'unknown-key: line 2, options.kill_cooldwn: there is no "kill_cooldwn"; did you mean "kill_cooldown"?',
    ],
    ['voting_time: 60', 'votig_time: 60', 'did you mean "voting_time"?'],
    [
      'kill_cooldown: 25',
      'kill_cooldown: 24',
      'range: line 2, options.kill_cooldown: expected a multiple of 2.5, found 24',
    ],
    [
      'kill_cooldown: 25',
      'kill_cooldown: 7.5',
      'range: line 2, options.kill_cooldown: expected at least 10, found 7.5',
    ],
    ['kill_cooldown: 25', 'kill_cooldown: 62.5', 'expected at most 60, found 62.5'],
    [
      'kill_cooldown: 25',
      'impostors: 4',
      'range: line 2, options.impostors: expected at most 3, found 4',
    ],
    [
      'kill_cooldown: 25',
      'kill_distance: far',
      'unknown-value: line 2, options.kill_distance: expected one of short, normal, long, found "far"',
    ],
    ['colour: green', 'colour: geren', 'unknown-colour: line 11, seats.2.colour'],
    [
      'role: impostor',
      'dead: true',
      'misplaced-key: line 8, seats.0.dead: "dead" belongs to a match that starts at the table, with "call"; this one is a whole game',
    ],
    ['persona: leader', 'persona: leeder', 'did you mean "leader"?'],
    [
      'Admin hallway:',
      'Admin halway:',
      'unknown-key: line 6, map.openings.Admin halway: there is no "Admin halway"; did you mean "Admin hallway"?',
    ],
    ['Storage]', 'Storagee]', 'found "Storagee"; did you mean "Storage"?'],
    [
      'button: Cafeteria',
      'buton: Cafeteria',
      'unknown-key: line 5, map.buton: there is no "buton"; did you mean "button"?',
    ],
    [
      GOOD_GAME.slice(GOOD_GAME.indexOf('map'), GOOD_GAME.indexOf('seats')),
      'map: skedl\n',
      'unknown-value: line 3, map: expected one of skeld, found "skedl"; did you mean "skeld"?',
    ],
    [
      GOOD_GAME.slice(GOOD_GAME.indexOf('seats')),
      '',
      'missing-key: seats is missing: expected a list',
    ],
  ])('%j instead of %j', (from, to, words) => {
    expect(GOOD_GAME).toContain(from);
    const told = gameComplaints(GOOD_GAME.replace(from, to));
    expect(told.join('\n')).toContain(words);
    for (const line of told) expect(line).toMatch(/^match\/[a-z-]+: [^\n]+$/);
  });

  test('a misspelt key inside a choice is reported once', () => {
    expect(gameComplaints(GOOD_GAME.replace('button:', 'buton:'))).toHaveLength(1);
  });
});

test.each([
  ['an empty file', '', 'match/not-a-match: expected the keys name and seats, found an empty file'],
  ['a list', '- a\n', 'match/not-a-match: expected the keys name and seats, found a list'],
  ['two documents', 'a: 1\n---\nb: 2\n', 'match/not-yaml: line 2, column 1: expected one match'],
  [
    'a key twice',
    `${GOOD_GAME}name: again\n`,
    'match/duplicate-key: line 13: "name" is there already',
  ],
  ['2 MB', 'a'.repeat(2_000_000), `match/too-long: expected at most ${LONGEST} characters`],
])('%s is no match', (_, text, words) => expect(gameComplaints(text)[0]).toContain(words));

describe.each(['skeld', 'classic-skeld', 'with-you'])('examples/%s.yaml', (name) => {
  const text = example(`${name}.yaml`);
  const reading = readGame(text);

  test('is read without complaint, introduces itself, and tells editors its schema', () => {
    expect(gameComplaints(text)).toEqual([]);
    expect(reading.ok && reading.value.about).toMatch(/^[A-Z].{30,150}\.$/);
    expect(text).toMatch(/^# yaml-language-server: \$schema=match\.schema\.json\n/);
  });

  test('gives a crew, whatever the seed', () => {
    for (let seed = 0; seed < 20; seed++)
      expect(reading.ok && prepare(reading.value, seed)).toMatchObject({ ok: true });
  });
});

describe('a match that mixes the two kinds', () => {
  const TABLE =
    'belongs to a match that starts at the table, with "call"; this one is a whole game';
  const WHOLE = 'belongs to a whole game; this match has "call", so it starts at the table';
  const AT_TABLE = `name: x\ncall: { by: red }\n`;

  test.each([
    [
      'call: { by: red }',
      'line 2, call: with "call" a match starts at the table; leave "call" out',
    ],
    ['seats: [{ colour: red, saw: [] }]', `line 2, seats.0.saw: "saw" ${TABLE}`],
    ['seats: [{ colour: red, dead: 7 }]', `line 2, seats.0.dead: "dead" ${TABLE}`],
    ['seats: [{ colour: red, leaves: never }]', `line 2, seats.0.leaves: "leaves" ${TABLE}`],
  ])('as a whole game: %s', (rubbish, sentence) => {
    const text = `name: x\n${rubbish}\n${rubbish.startsWith('seats') ? '' : 'seats: []\n'}`;
    expect(gameComplaints(text).join('\n')).toContain(`match/misplaced-key: ${sentence}`);
  });

  test.each([
    ['options: { kill_cooldown: 25 }', `line 3, options.kill_cooldown: "kill_cooldown" ${WHOLE}`],
    ['options: { impostors: many }', `line 3, options.impostors: "impostors" ${WHOLE}`],
    ['seats: [{ colour: red, learned: 3 }]', `line 3, seats.0.learned: "learned" ${WHOLE}`],
  ])('at the table: %s', (rubbish, sentence) => {
    const text = `${AT_TABLE}${rubbish}\n${rubbish.startsWith('seats') ? '' : 'seats: []\n'}`;
    expect(complaints(text).join('\n')).toContain(`match/misplaced-key: ${sentence}`);
  });

  test('a meeting without a call is reported as such in a file of whole games', () => {
    const [told] = complaints('name: x\nseats: []\n');
    expect(told).toMatch(/^match\/missing-key: call is missing: .*it is a whole game$/);
  });
});
