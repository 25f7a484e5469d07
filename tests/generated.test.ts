/** What people and editors are told about the files of a match is made from the tables that decide it. */
import { expect, test } from 'vitest';
import { MINDS } from '../machines/rules/mindKinds.ts';
import { GAME_OPTIONS, MEETING_OPTIONS, type OptionRow } from '../machines/rules/options.ts';
import { glassbox } from './cli/shell.ts';
import { expectGolden, expectGoldenPart } from './support/golden.ts';

test.each(['match', 'league'])(
  'examples/%s.schema.json, for editors, is what "glassbox schema" prints',
  async (kind) => {
    const { exit, out, err } = await glassbox(['schema', '--of', kind]);
    expect([exit, err]).toEqual([0, '']);
    expectGolden(`examples/${kind}.schema.json`, out);
  },
);

test('examples/minds/messages.schema.json is what "glassbox schema mind" prints', async () => {
  const { exit, out, err } = await glassbox(['schema', 'mind']);
  expect([exit, err]).toEqual([0, '']);
  expectGolden('examples/minds/messages.schema.json', out);
});

test.each([
  { path: 'docs/weights.md', name: 'options of a meeting', rows: MEETING_OPTIONS },
  { path: 'docs/skeld.md', name: 'options of a game', rows: GAME_OPTIONS },
])('$path tells the $name as their rows do', ({ path, name, rows }) => {
  expectGoldenPart(path, name, optionTable(rows));
});

test('docs/models.md tells the kinds of minds with their traits', () => {
  const yes = (is: boolean) => (is ? 'yes' : '');
  const rows = MINDS.map(({ kind, help, canLearn, isRemote, isPerson }) => [
    coded(kind),
    help,
    yes(isRemote),
    yes(canLearn),
    yes(!isPerson),
  ]);
  const titles = ['mind', 'who decides', 'asks a model', 'plays in leagues', 'for `fork --mind`'];
  expectGoldenPart('docs/models.md', 'kinds of minds', table(titles, rows));
});

function optionTable(rows: readonly OptionRow[]): string {
  return table(
    ['option', 'default', 'range', 'step', 'unit', 'source', 'meaning'],
    rows.flatMap((row) => (row.type === 'group' ? [] : [cellsOf(row)])),
  );
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [titles, titles.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}

type SingleRow = Exclude<OptionRow, { type: 'group' }>;

function cellsOf(row: SingleRow): readonly string[] {
  const [range, step, unit] =
    row.type === 'number'
      ? [`${row.range.least} to ${row.range.most}`, String(row.range.step), row.unit ?? '']
      : [row.type === 'choice' ? row.choices.map(coded).join(', ') : '', '', ''];
  return [coded(row.yaml), defaultOf(row), range, step, unit, row.source, row.help];
}

function defaultOf(row: SingleRow): string {
  if (row.defaultText !== undefined) return row.defaultText;
  if (row.default === null) return 'never';
  return typeof row.default === 'number' ? String(row.default) : coded(row.default);
}

function coded(text: unknown): string {
  return `\`${text}\``;
}
