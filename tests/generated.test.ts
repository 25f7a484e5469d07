/** Docs and editor schemas are generated from the tables that the code reads. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createMatch } from '../actors/engine/match.ts';
import { MIND_FAULTS } from '../actors/minds/own/protocol.ts';
import { writeRequest } from '../actors/minds/own/requestMessage.ts';
import { collectPrompts } from '../analysis/models/prompts.ts';
import { TABLE_NAMES } from '../analysis/tables/columns.ts';
import { writeDictionary } from '../analysis/tables/dictionary.ts';
import {
  isRemote,
  LEARNING_KINDS,
  MIND_HELP,
  MIND_KINDS,
  SUCCESSOR_KINDS,
} from '../machines/rules/mindKinds.ts';
import { GAME_OPTIONS, MEETING_OPTIONS, type OptionRow } from '../machines/rules/optionRows.ts';
import { SCORE_TERMS } from '../machines/rules/scoreTerms.ts';
import { computeSilenceBound, defaultWeights } from '../machines/rules/weights.ts';
import { plainGame } from '../machines/setup/prepare.ts';
import { pickIdentity } from '../prompts/personas.ts';
import { glassbox } from './cli/shell.ts';
import { expectGolden, expectGoldenPart } from './support/golden.ts';

const EXAMPLES = fileURLToPath(new URL('../examples/minds', import.meta.url));

test.each(['match', 'league'])(
  'examples/%s.schema.json, for editors, is what "glassbox schema" prints',
  async (kind) => {
    const { exit, out, err } = await glassbox(`schema --of ${kind}`);
    expect([exit, err]).toEqual([0, '']);
    expectGolden(`examples/${kind}.schema.json`, out);
  },
);

test('examples/minds/messages.schema.json is what "glassbox schema mind" prints', async () => {
  const { exit, out, err } = await glassbox('schema mind');
  expect([exit, err]).toEqual([0, '']);
  expectGolden('examples/minds/messages.schema.json', out);
});

test.each([
  { path: 'docs/weights.md', name: 'options of a meeting', rows: MEETING_OPTIONS },
  { path: 'docs/skeld.md', name: 'options of a game', rows: GAME_OPTIONS },
])('$path tells the $name as their rows do', ({ path, name, rows }) => {
  expectGoldenPart(path, name, optionTable(rows));
});

test('docs/weights.md has the formula of the priority and an example of the bound', () => {
  const terms = SCORE_TERMS.map(({ yaml, sign, weight, label }) => [
    sign === '+' ? ' + ' : ' − ',
    weight === null ? label : `${yaml}·[${label}]`,
  ]);
  const formula = terms.flat().join('').slice(' + '.length);
  expectGoldenPart('docs/weights.md', 'priority', `\`\`\`\nP = ${formula}\n\`\`\`\n`);
  const { arithmetic } = computeSilenceBound(defaultWeights(7), 7);
  expectGoldenPart(
    'docs/weights.md',
    'bound',
    `\`\`\`\n${arithmetic.replace('; ', '\n')}\n\`\`\`\n`,
  );
});

test('docs/journal.md tells the terms of a score as their rows do', () => {
  const rows = SCORE_TERMS.map(({ key, sign, help }) => [coded(key), sign, help]);
  expectGoldenPart(
    'docs/journal.md',
    'terms of the score',
    table(['term', 'sign', 'meaning'], rows),
  );
});

test('docs/models.md lists the kinds of minds with their traits', () => {
  const yes = (is: boolean) => (is ? 'yes' : '');
  const rows = MIND_KINDS.map((kind) => [
    coded(kind),
    MIND_HELP[kind],
    yes(isRemote({ mind: kind })),
    yes(LEARNING_KINDS.includes(kind)),
    yes(SUCCESSOR_KINDS.includes(kind)),
  ]);
  const titles = ['mind', 'who decides', 'asks a model', 'plays in leagues', 'for `fork --mind`'];
  expectGoldenPart('docs/models.md', 'kinds of minds', table(titles, rows));
});

test('docs/tables.md lists every table and column', () => {
  expectGoldenPart('docs/tables.md', 'tables', `\n${writeDictionary(TABLE_NAMES, '###')}\n\n`);
});

test('docs/minds.md prints the shortest example mind', () => {
  const text = readFileSync(`${EXAMPLES}/random_player.py`, 'utf8');
  expectGoldenPart('docs/minds.md', 'random_player.py', `\`\`\`python\n${text}\`\`\`\n`);
});

test('docs/minds.md lists every fault of a mind', () => {
  const rows = Object.entries(MIND_FAULTS).map(([code, means]) => [coded(`mind/${code}`), means]);
  expectGoldenPart('docs/minds.md', 'faults', table(['code', 'what was wrong'], rows));
});

test.each([
  ['a request of a meeting', 'discussion'],
  ['a request on the ship', 'action'],
])('docs/minds.md shows %s of a real game, cut short', async (name, kind) => {
  const creation = createMatch(plainGame(6), 2);
  if (!creation.ok) throw new Error('a plain game makes sense');
  const all = await collectPrompts(creation.ready);
  const found = all.filter(({ request }) => request.kind === kind).at(2)?.request;
  if (found === undefined) throw new Error(`a game has a request of the kind ${kind}`);
  const frame = { game: '8f1c…', identity: pickIdentity(found.view.you.persona, 'game') };
  const times = { table: 60_000, ship: 60_000 };
  const message = cutShort(writeRequest(found, 3, { ...frame, times }));
  const text = JSON.stringify(message, null, 1)
    .replace(/\n {3,}/g, ' ')
    .replace(/\n {2}([}\]])/g, ' $1');
  expectGoldenPart('docs/minds.md', name, `\`\`\`json\n${text}\n\`\`\`\n`);
});

const LONGEST_TEXT = 40;
const MOST_SHOWN = 2;

/** A copy of a value with long texts and lists cut short. */
function cutShort(value: unknown): unknown {
  if (typeof value === 'string' && value.length > LONGEST_TEXT)
    return `${value.slice(0, LONGEST_TEXT)}…`;
  if (Array.isArray(value)) {
    const shown = value.slice(0, MOST_SHOWN).map(cutShort);
    return value.length > MOST_SHOWN ? [...shown, '…'] : shown;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  // Records by place or option have many keys; messages and views have names that should be seen.
  const isRecord =
    entries.length > MOST_SHOWN &&
    entries.every(([key]) => /^[A-Z]|_(?:ms|rounds|seconds)$/.test(key));
  const shown = entries.slice(0, isRecord ? MOST_SHOWN : entries.length);
  const cut = shown.map(([key, one]) => [
    key,
    ['options', 'schema'].includes(key) ? {} : cutShort(one),
  ]);
  return Object.fromEntries(isRecord ? [...cut, ['…', '…']] : cut);
}

function optionTable(rows: readonly OptionRow[]): string {
  return table(['option', 'default', 'range', 'source', 'meaning'], flatten(rows).map(cellsOf));
}

/** Each row, with the names of its groups before its own. */
function flatten(rows: readonly OptionRow[], prefix = ''): readonly SingleRow[] {
  return rows.flatMap((row) => {
    const yaml = `${prefix}${row.yaml}`;
    return row.type === 'group' ? flatten(row.rows, `${yaml}.`) : [{ ...row, yaml }];
  });
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [titles, titles.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}

type SingleRow = Exclude<OptionRow, { type: 'group' }>;

function cellsOf(row: SingleRow): readonly string[] {
  return [coded(row.yaml), defaultOf(row), rangeOf(row), row.source, row.help];
}

function rangeOf(row: SingleRow): string {
  if (row.type === 'switch') return '';
  if (row.type === 'choice') return row.choices.map(coded).join(', ');
  const { least, most, step } = row.range;
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `${least} to ${most}`;
  const steps = step === 1 ? '' : `, step ${step}`;
  return `${row.unit === undefined ? range : `${range} ${row.unit}`}${steps}`;
}

function defaultOf(row: SingleRow): string {
  if (row.defaultText !== undefined) return row.defaultText;
  if (row.default === null) return 'never';
  return typeof row.default === 'number' ? String(row.default) : coded(row.default);
}

function coded(text: unknown): string {
  return `\`${text}\``;
}
