/** Lobby files: read like scenario files, with complaints of their own. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { LONGEST, readLobby } from '../../../actors/engine/configFile.ts';
import { gameMatchSchema } from '../../../machines/setup/match.ts';
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
  const reading = readLobby(text);
  return reading.ok ? [] : reading.notes.map(({ code, text: words }) => `${code}: ${words}`);
}

test('a good file becomes a lobby, with what is left out filled in or left to the seed', () => {
  const reading = readLobby(GOOD);
  expect(reading).toMatchObject({ ok: true, lobby: { name: 'Four on a small ship' } });
  if (!reading.ok) return;
  expect(reading.lobby.seats[1]).toEqual({
    colour: 'blue',
    persona: 'leader',
    mind: 'scripted',
    votes: 'freely',
    notes: '',
  });
  expect(prepare(reading.lobby, 1)).toMatchObject({ ok: true });
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
      'unknown-key: line 8, seats.0.dead: there is no "dead" (there are: colour,',
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
  const reading = readLobby(text);

  test('is read without complaint, introduces itself, and tells editors its schema', () => {
    expect(complaints(text)).toEqual([]);
    expect(reading.ok && reading.lobby.about).toMatch(/^[A-Z].{30,150}\.$/);
    expect(text).toMatch(/^# yaml-language-server: \$schema=lobby\.schema\.json\n/);
  });

  test('gives a crew, whatever the seed', () => {
    for (let seed = 0; seed < 20; seed++)
      expect(reading.ok && prepare(reading.lobby, seed)).toMatchObject({ ok: true });
  });
});

test('the schema that editors use is that of the lobby', () => {
  expect(JSON.parse(example('lobby.schema.json'))).toEqual(
    JSON.parse(JSON.stringify(z.toJSONSchema(gameMatchSchema, { io: 'input' }))),
  );
});
