/** Lobby files: read like scenario files, with complaints of their own. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { LONGEST, readGame, readMeeting } from '../../../actors/engine/configFile.ts';
import { prepare } from '../../../machines/setup/prepare.ts';

const example = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url)), 'utf8');

const GOOD = `name: Four on a small ship
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

function complaints(text: string): readonly string[] {
  const reading = readGame(text);
  return reading.ok ? [] : reading.notes.map(({ code, text: words }) => `${code}: ${words}`);
}

test('a good file becomes a lobby, with what is left out filled in or left to the seed', () => {
  const reading = readGame(GOOD);
  expect(reading).toMatchObject({ ok: true, match: { name: 'Four on a small ship' } });
  if (!reading.ok) return;
  expect(reading.match.seats[1]).toEqual({
    colour: 'blue',
    persona: 'leader',
    mind: 'scripted',
    votes: 'freely',
    notes: '',
  });
  expect(prepare(reading.match, 1)).toMatchObject({ ok: true });
});

test('JSON is fine, and so is The Skeld by its name', () => {
  expect(complaints('{"name":"x","map":"skeld","seats":[]}')).toEqual([]);
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
      GOOD.slice(GOOD.indexOf('map'), GOOD.indexOf('seats')),
      'map: skedl\n',
      'unknown-value: line 3, map: expected one of skeld, found "skedl"; did you mean "skeld"?',
    ],
    [GOOD.slice(GOOD.indexOf('seats')), '', 'missing-key: seats is missing: expected a list'],
  ])('%j instead of %j', (from, to, words) => {
    expect(GOOD).toContain(from);
    const told = complaints(GOOD.replace(from, to));
    expect(told.join('\n')).toContain(words);
    for (const line of told) expect(line).toMatch(/^game\/[a-z-]+: [^\n]+$/);
  });

  test('a key that is missing because it is misspelt is told once, inside a choice too', () => {
    expect(complaints(GOOD.replace('button:', 'buton:'))).toHaveLength(1);
  });
});

test.each([
  ['an empty file', '', 'game/not-a-lobby: expected the keys name and seats, found an empty file'],
  ['a list', '- a\n', 'game/not-a-lobby: expected the keys name and seats, found a list'],
  ['two documents', 'a: 1\n---\nb: 2\n', 'game/not-yaml: line 2, column 1: expected one lobby'],
  ['a key twice', `${GOOD}name: again\n`, 'game/duplicate-key: line 13: "name" is there already'],
  ['2 MB', 'a'.repeat(2_000_000), `game/too-long: expected at most ${LONGEST} characters`],
])('%s is no lobby', (_, text, words) => {
  expect(complaints(text)[0]).toContain(words);
});

describe.each(['skeld', 'classic-skeld', 'with-you'])('examples/%s.yaml', (name) => {
  const text = example(`${name}.yaml`);
  const reading = readGame(text);

  test('is read without complaint, introduces itself, and tells editors its schema', () => {
    expect(complaints(text)).toEqual([]);
    expect(reading.ok && reading.match.about).toMatch(/^[A-Z].{30,150}\.$/);
    expect(text).toMatch(/^# yaml-language-server: \$schema=lobby\.schema\.json\n/);
  });

  test('gives a crew, whatever the seed', () => {
    for (let seed = 0; seed < 20; seed++)
      expect(reading.ok && prepare(reading.match, seed)).toMatchObject({ ok: true });
  });
});

/** Files that are half a meeting and half a game: each is told which key belongs where. */
describe('a match that mixes the two kinds', () => {
  const TABLE =
    'belongs to a match that starts at the table, with "call"; this one is a whole game';
  const WHOLE = 'belongs to a whole game; this match has "call", so it starts at the table';
  const AT_TABLE = `name: x\ncall: { by: red }\n`;

  test.each([
    [
      'call: { by: red }',
      'line 2, call: with "call" a match starts at the table: play it with "meet"',
    ],
    ['seats: [{ colour: red, saw: [] }]', `line 2, seats.0.saw: "saw" ${TABLE}`],
    ['seats: [{ colour: red, dead: 7 }]', `line 2, seats.0.dead: "dead" ${TABLE}`],
    ['seats: [{ colour: red, leaves: never }]', `line 2, seats.0.leaves: "leaves" ${TABLE}`],
  ])('as a whole game: %s', (rubbish, sentence) => {
    const text = `name: x\n${rubbish}\n${rubbish.startsWith('seats') ? '' : 'seats: []\n'}`;
    expect(complaints(text).join('\n')).toContain(`game/misplaced-key: ${sentence}`);
  });

  test.each([
    ['map: skeld', `line 3, map: "map" ${WHOLE}`],
    ['options: { kill_cooldown: 25 }', `line 3, options.kill_cooldown: "kill_cooldown" ${WHOLE}`],
    ['options: { impostors: many }', `line 3, options.impostors: "impostors" ${WHOLE}`],
    ['seats: [{ colour: red, learned: 3 }]', `line 3, seats.0.learned: "learned" ${WHOLE}`],
  ])('at the table: %s', (rubbish, sentence) => {
    const text = `${AT_TABLE}${rubbish}\n${rubbish.startsWith('seats') ? '' : 'seats: []\n'}`;
    const reading = readMeeting(text);
    const notes = reading.ok ? [] : reading.notes.map((note) => `${note.code}: ${note.text}`);
    expect(notes.join('\n')).toContain(`scenario/misplaced-key: ${sentence}`);
  });

  test('a meeting without a call is told where whole games are played', () => {
    const reading = readMeeting('name: x\nseats: []\n');
    expect(reading.ok ? '' : reading.notes[0]?.text).toMatch(/^call is missing: .*"run --config"$/);
  });
});
