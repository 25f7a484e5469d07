/** docs/statistics.md defines exactly the figures that the commands print as text, JSON and CSV. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { COLOURS } from '../../machines/types.ts';
import { aPlace } from './session.ts';
import { expectQuiet } from './shell.ts';

const PAGE = readFileSync(new URL('../../docs/statistics.md', import.meta.url), 'utf8');
const ROWS = PAGE.split('\n')
  .filter((line) => /^\| `/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const NAMES = new Set(
  ROWS.flatMap(([names = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)),
);
const LABELS = new Set(ROWS.flatMap(([, labels = '']) => labels.split(', ')));

const LEAGUE = `
name: cup
seed: 9
games: 6
players: 5
seating: sides
compare: [[one, two]]
personas:
  - { name: one, temperament: follower }
  - { name: two, temperament: joker, level: advanced }
  - { name: three, temperament: observer }
`;

/** Figure names that come from data: codes and kinds. */
const DATA = ['reveals', 'injections', 'invalid_votes', 'faults', 'failures'];

function keysIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) => [
    key,
    ...(DATA.includes(key) ? [] : keysIn(field)),
  ]);
}

/** Titles of columns and rows in text tables, without player names and endings. */
function labelsIn(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const cells = line.trim().split(/ {2,}/);
    if (cells.length < 2) return [];
    const isTitle = (lines[index - 1] ?? '') === '';
    if (isTitle && !/\d/.test(line)) return cells;
    return line.startsWith('  ') ? [] : [cells[0] ?? ''];
  });
}

/** Players, personas and sides, which head rows and columns of their own. */
const WHO = new RegExp(
  `^(?:scripted_\\w+|crewmates|impostors|as crewmate|\\d+|(?:${COLOURS.join('|')})(?:, [\\w ]+)?)$`,
  'i',
);

describe('docs/statistics.md', () => {
  const printed = new Map<string, string>();
  const COMMANDS = [
    'league show',
    'league show --json',
    'league show --stats --versus --levels',
    'league export cup --format csv',
    'league export cup --format json',
    'report --stats journals/league-cup',
    'report --stats journals/league-cup --json',
    'report --stats journals/league-cup/0001.jsonl',
    'report --stats journals/league-cup/0001.jsonl --json',
    'report --stats meeting.jsonl',
    'report --stats meeting.jsonl --json',
  ];

  beforeAll(async () => {
    const { run, done } = aPlace({ 'cup.yaml': LEAGUE }, { REDIS_URL: '' });
    await done('league run cup.yaml --quiet');
    await done('run electrical --seed 1 --quiet --out meeting.jsonl');
    for (const command of COMMANDS) printed.set(command, expectQuiet(await run(command)));
  });
  const out = (command: string) => printed.get(command) ?? '';

  test.each(COMMANDS.filter((command) => command.endsWith('json')))(
    'defines every field of `%s`',
    (command) => {
      const keys = keysIn(JSON.parse(out(command)));
      expect(keys.length).toBeGreaterThan(20);
      expect([...new Set(keys)].filter((key) => !NAMES.has(key))).toEqual([]);
    },
  );

  test('defines every statistic of play, by its name and as it is printed', () => {
    const { rows } = JSON.parse(out('league show --json'));
    const names: readonly string[] = rows[0].tallies.impostor
      .concat(rows[0].tallies.crewmate)
      .map(({ name }: { readonly name: string }) => name);
    expect(names.length).toBeGreaterThan(40);
    expect(names.filter((name) => !NAMES.has(name))).toEqual([]);
    expect(names.filter((name) => !LABELS.has(name.replaceAll('_', ' ')))).toEqual([]);
  });

  test('defines every column of the CSV', () => {
    const [titles = ''] = out('league export cup --format csv').split('\r\n');
    const names = titles.split(',').map((title) => title.replace(/^(?:impostor|crewmate)_/, ''));
    expect(names.filter((name) => !NAMES.has(name))).toEqual([]);
  });

  test.each(COMMANDS.filter((command) => !/json$|csv/.test(command)))(
    'defines every row and column of `%s`',
    (command) => {
      const labels = labelsIn(out(command)).filter((label) => !LABELS.has(label));
      expect(labels.filter((label) => !WHO.test(label))).toEqual([]);
    },
  );
});
