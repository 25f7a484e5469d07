/**
 * The style guide as tests: plants violations that the linter must catch, and checks the rules that it cannot express.
 */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { writeOverrides } from '../scripts/rooms.ts';
import { PURE } from '../vitest.config.ts';
import { FENCES } from './lint/fences.ts';
import { HABITS } from './lint/habits.ts';
import { type Remark, remarksOn } from './lint/plant.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const imported = (names: readonly string[]) => names.map((name) => `import '${name}';\n`).join('');
const habitFile = (folder: string, index: number, side: string) =>
  `${folder}/habit${index}${side}.ts`;
const sample = 'export const face = () => Math.random();\n';
const longTest = `export function long() {\n${"  import.meta.resolve('x');\n".repeat(80)}}\n`;

describe('fences', () => {
  let remarks: readonly Remark[] = [];
  const on = (path: string) => remarks.filter((remark) => remark.path === path);

  beforeAll(() => {
    remarks = remarksOn({
      ...Object.fromEntries(
        FENCES.map(({ file, allowed, forbidden }) => [file, imported([...allowed, ...forbidden])]),
      ),
      ...Object.fromEntries(
        HABITS.flatMap(({ folder, refused, passes }, index) => [
          [habitFile(folder, index, 'Refused'), `${refused}\n`],
          [habitFile(folder, index, 'Passes'), `${passes}\n`],
        ]),
      ),
      'tests/planted.test.ts': imported(['vitest', './bench/bench.ts', '../cli/glassbox.ts']),
      'tests/chance.test.ts': sample,
      'tests/long.test.ts': longTest,
      'tests/bench/planted.ts': imported(['../setup.ts', '../../actors/engine/match.ts']),
      'vitest.config.ts': 'export default {};\n',
      'machines/fit.ts': "import { fit } from './rules/dice.ts';\nfit('a page', () => 1);\n",
      'machines/egg.ts': "import type { Hen } from './hen.ts';\nexport type Egg = { hen: Hen };\n",
      'machines/hen.ts': "import type { Egg } from './egg.ts';\nexport type Hen = { egg: Egg };\n",
      'machines/chick.ts':
        "import type { Egg } from './egg.ts';\nexport type Chick = { egg: Egg };\n",
    });
  });

  test.each(FENCES)('$name ($file)', ({ file, allowed, forbidden, message }) => {
    const caught = on(file).filter(({ rule }) => rule === 'lint/style/noRestrictedImports');
    const expected = forbidden.map((_, index) => allowed.length + index + 1);
    expect(caught.map(({ line }) => line)).toEqual(expected);
    for (const { text } of caught) expect(text).toContain(message);
  });

  test.each(HABITS.map((habit, index) => ({ ...habit, index })))(
    '$name ($folder)',
    ({ folder, index, rule = 'plugin', message = '' }) => {
      const caught = on(habitFile(folder, index, 'Refused')).filter(
        (remark) => remark.rule === rule,
      );
      expect(caught).not.toEqual([]);
      expect(caught[0]?.text).toContain(message);
      expect(
        on(habitFile(folder, index, 'Passes')).filter((remark) => remark.rule === rule),
      ).toEqual([]);
    },
  );

  test('the linter finds an import cycle, of types too', () => {
    const circles = remarks.filter(({ rule }) => rule === 'lint/suspicious/noImportCycles');
    expect(circles.map(({ path }) => path).sort()).toEqual(['machines/egg.ts', 'machines/hen.ts']);
  });

  test.each([
    'machines/fit.ts',
    'tests/planted.test.ts',
    'tests/chance.test.ts',
    'tests/long.test.ts',
    'tests/bench/planted.ts',
    'vitest.config.ts',
  ])('the linter accepts %s', (path) => {
    expect(on(path)).toEqual([]);
  });
});

const ignored = read('.gitignore')
  .split('\n')
  .filter((line) => line.endsWith('/'))
  .map((line) => line.slice(0, -1));
const folders = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  .map(({ name }) => name)
  .filter((name) => !ignored.includes(name));
const files = globSync(`{${folders.join(',')}}/**/*.{ts,tsx,js,css,html,grit}`, { cwd: ROOT });
const sources = files.filter((path) => !/(?:^|\/)tests\//.test(path));
const code = files.filter((path) => path.endsWith('.ts'));

/** Past this a file is more than one subject. */
const MOST_LINES = 800;

/** A type or interface that a file declares at its top. */
const TYPE_NAME = /^(?:export )?(?:type|interface) (\w+)/gm;

const linesIn = (path: string) => read(path).trimEnd().split('\n').length;

describe('files', () => {
  test('the search finds sources', () => {
    expect(sources).toContain('machines/types.ts');
    expect(code).toContain('tests/tidy.test.ts');
  });

  test(`no source has more than ${MOST_LINES} lines`, () => {
    const long = sources.filter((path) => linesIn(path) > MOST_LINES);
    expect(long.map((path) => `${path}: ${linesIn(path)} lines`)).toEqual([]);
  });

  test('no file has a mark of unfinished work', () => {
    // In brackets, so that this line does not find itself.
    const marks = /\b(?:TO[D]O|FIX[M]E|X[X]X)\b/;
    expect(files.filter((path) => marks.test(read(path)))).toEqual([]);
  });

  test('a type name is declared in one file only', () => {
    const declared = new Map<string, Set<string>>();
    for (const path of sources.filter((path) => /\.tsx?$/.test(path)))
      for (const [, name = ''] of read(path).matchAll(TYPE_NAME))
        declared.set(name, (declared.get(name) ?? new Set()).add(path));
    expect([...declared].filter(([, paths]) => paths.size > 1)).toEqual([]);
  });

  test('no file has a vague name', () => {
    const vague = /^(?:utils?|helpers?|index|managers?|handlers?|services?)$/i;
    const words = (path: string) => basename(path).split(/[-._]|(?=[A-Z])/);
    const named = code.filter((path) => path !== 'actors/index.ts');
    expect(named.filter((path) => words(path).some((word) => vague.test(word)))).toEqual([]);
  });

  test('machines spell colour the British way, as players read it', () => {
    const machines = code.filter((path) => path.startsWith('machines/'));
    expect(machines.filter((path) => /color/i.test(read(path)))).toEqual([]);
  });

  test('biome.rooms.json is what scripts/rooms.ts writes', () => {
    expect(read('biome.rooms.json')).toBe(writeOverrides());
  });

  test('every folder with code is linted', () => {
    const config = z.object({ files: z.object({ includes: z.array(z.string()) }) });
    const { includes } = config.parse(JSON.parse(read('biome.json'))).files;
    const linted = folders.filter((folder) => code.some((path) => path.startsWith(`${folder}/`)));
    expect(includes).toEqual(expect.arrayContaining(linted.map((folder) => `${folder}/**`)));
  });

  test.each(folders)('ARCHITECTURE.md describes %s/', (folder) => {
    expect(existsSync(join(ROOT, 'ARCHITECTURE.md')), 'there is an ARCHITECTURE.md').toBe(true);
    expect(read('ARCHITECTURE.md')).toMatch(new RegExp(`(?<![\\w/])${folder}/`));
  });
});

const pins = z.record(z.string(), z.string()).default({});
const manifest = z
  .object({ dependencies: pins, devDependencies: pins, optionalDependencies: pins, scripts: pins })
  .parse(JSON.parse(read('package.json')));

describe('files that share a process', () => {
  /** A support file is loaded once in a process, so its hooks run after the first test file only. */
  const hooked = globSync('tests/**/*.ts', { cwd: ROOT }).filter(
    (path) => !path.endsWith('.test.ts') && /^(before|after)(All|Each)\(/m.test(read(path)),
  );

  function reach(path: string, seen = new Set<string>()): ReadonlySet<string> {
    if (seen.has(path) || !existsSync(join(ROOT, path))) return seen;
    seen.add(path);
    for (const [, name = ''] of read(path).matchAll(/from '(\.[^']+\.ts)'/g)) {
      reach(join(dirname(path), name), seen);
    }
    return seen;
  }

  test('import no support file whose hooks would run after the first of them only', () => {
    expect(hooked).toContain('tests/models/llama.ts');
    expect(reach('tests/models/smollm2.test.ts')).toContain('tests/models/llama.ts');
    const pure = PURE.flatMap((pattern) => globSync(pattern, { cwd: ROOT }));
    expect(pure.length).toBeGreaterThan(100);
    const found = pure.filter((path) => {
      const reached = reach(path);
      return hooked.some((file) => reached.has(file));
    });
    expect(found).toEqual([]);
  });
});

describe('dependencies', () => {
  test.each(
    Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    }),
  )('%s is pinned (%s)', (_, version) => {
    expect(version).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
  });

  test('the lock file names no registry address', () => {
    // A workspace is a link, "resolved" to its folder.
    expect(read('package-lock.json')).not.toMatch(/"resolved": "(?!checker"|scripts\/glassbox")/);
  });

  const workflows = globSync('.github/workflows/*.yml', { cwd: ROOT }).toSorted();
  const findIn = (path: string, pattern: RegExp) =>
    [...read(path).matchAll(pattern)].map(([, found = '']) => found);

  test('every workflow action is pinned by its full hash', () => {
    const uses = workflows.flatMap((path) => findIn(path, /uses:\s*(.+)$/gm));
    expect(uses).not.toEqual([]);
    for (const used of uses) expect(used).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test.each(workflows)('%s runs only npm scripts and files that exist', (path) => {
    const scripts = findIn(path, /npm run ([\w:]+)/g);
    expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
    const named = findIn(path, /run: (?:cp|bash|node)(?: --\S+)* (\S+)/g);
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  test('a workflow may only read the sources, and that of the pages may write pages', () => {
    const allowed = workflows.map((path) => [
      basename(path),
      findIn(path, /^permissions:\n((?: {2}\S.*\n)+)/gm),
      findIn(path, /^ +([\w-]+): write$/gm),
    ]);
    const reading = ['  contents: read\n'];
    expect(allowed).toEqual([
      ['check.yml', reading, []],
      ['packages.yml', reading, []],
      ['pages.yml', reading, ['pages', 'id-token']],
    ]);
  });
});
