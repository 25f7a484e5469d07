/**
 * The checker in an empty folder: the tarball, a machine that fetches and tries again, the compiler, the command, the
 * matcher, and an actor that runs. XState comes from the registry, or from here where that can't be reached.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { packAll } from '../../scripts/copy.ts';
import { run } from '../../scripts/run.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'glassbox-checker-'));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

const STRANGER = join(FOLDER, 'stranger');
const MODULES = join(STRANGER, 'node_modules');
const here = (path: string) => resolve('node_modules', path);
const write = (name: string, text: string) => writeFileSync(join(STRANGER, name), text);

/** Installs the tarball: by npm, or by hand where the registry can't be reached. */
function install(tarball: string): void {
  mkdirSync(STRANGER);
  write('package.json', '{ "name": "stranger", "private": true, "type": "module" }\n');
  if (spawnSync('npm', ['ping']).status === 0) {
    run('npm', ['install', '--prefer-offline', tarball, 'xstate@5.33.3'], STRANGER);
    return;
  }
  mkdirSync(join(MODULES, '.bin'), { recursive: true });
  run('tar', ['-xzf', tarball, '-C', MODULES], '.');
  renameSync(join(MODULES, 'package'), join(MODULES, 'glass-box-checker'));
  symlinkSync(here('xstate'), join(MODULES, 'xstate'), 'dir');
  const { bin } = JSON.parse(readFileSync(join(MODULES, 'glass-box-checker/package.json'), 'utf8'));
  const program = join(MODULES, 'glass-box-checker', bin['glass-box-checker']);
  symlinkSync(program, join(MODULES, '.bin/glass-box-checker'));
  run('chmod', ['+x', program], '.');
}

const [tarball] = packAll(FOLDER, ['checker']);
if (tarball === undefined) throw new Error('the checker was not packed');
install(tarball.path);
for (const name of ['vitest', '@types']) {
  if (!existsSync(join(MODULES, name))) symlinkSync(here(name), join(MODULES, name), 'dir');
}

/** Fetches, and tries again as long as it may. */
write(
  'retry.machine.ts',
  `import { always, assumeComes, check, leadsTo } from 'glass-box-checker';
import { assign, fromPromise, setup } from 'xstate';
export const machine = setup({ types: { context: {} as { tries: number }, events: {} as { type: 'FETCH' } }, actors: { fetchPage: fromPromise(async () => 'page') } }).createMachine({
  id: 'retry', context: { tries: 0 }, initial: 'idle',
  states: {
    idle: { on: { FETCH: 'loading' } },
    loading: { entry: assign({ tries: ({ context }) => context.tries + 1 }), invoke: { id: 'page', src: 'fetchPage', onDone: 'success', onError: [{ guard: ({ context }) => context.tries < 3, target: 'waiting' }, { target: 'failure' }] } },
    waiting: { after: { 1000: 'loading' } }, success: { type: 'final' }, failure: { type: 'final' },
  },
});
export const events = [{ type: 'FETCH' }] as const;
export const found = check(machine, { events, properties: [always('It tries at most three times.', ({ context }) => context.tries <= 3), leadsTo('It comes to an end.', ({ at }) => at === 'loading', ({ isDone }) => isDone, { fair: [assumeComes('FETCH')] })] });
`,
);

/** The compiler's errors for a file, or an empty text. */
function compile(...files: readonly string[]): string {
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024'];
  const libraries = ['--skipLibCheck', '--types', 'node', '--allowImportingTsExtensions'];
  const options = { cwd: STRANGER, encoding: 'utf8' } as const;
  return spawnSync(here('.bin/tsc'), [...flags, ...libraries, ...files], options).stdout;
}

function command(...words: readonly string[]) {
  const PATH = `${resolve(process.execPath, '..')}:${process.env['PATH']}`;
  const options = { cwd: STRANGER, encoding: 'utf8', env: { ...process.env, PATH } } as const;
  const all = ['--no-install', 'glass-box-checker', ...words];
  const { status, stdout, stderr } = spawnSync('npx', all, options);
  return { exit: status, out: stdout, err: stderr };
}

const runProgram = (name: string, text: string) => {
  write(name, text);
  return run(process.execPath, [name], STRANGER).trim();
};

describe('a machine in ten lines', () => {
  test('type-checks, and is proved', () => {
    expect(compile('retry.machine.ts')).toBe('');
    const program = `import { found } from './retry.machine.ts';
console.log(found.states, found.warnings.length, ...found.results.map(({ verdict }) => verdict.type));`;
    // Idle; three times loading, a success each, twice waiting; and failure.
    expect(runProgram('prove.ts', program)).toBe('10 0 proved proved proved proved');
  });

  test('a misspelt event is refused by the compiler, and so is a wrong name in the context', () => {
    const line = (text: string) => `import { always, check } from 'glass-box-checker';
import { machine } from './retry.machine.ts';
${text}
`;
    const misspelt = "check(machine, { events: [{ type: 'FECTH' }], properties: [] });";
    const context =
      "check(machine, { properties: [always('x', ({ context }) => context.tires > 0)] });";
    for (const wrong of [misspelt, context]) {
      write('wrong.ts', line(wrong));
      expect(compile('wrong.ts')).toContain('error TS');
      write('expected.ts', line(`// @ts-expect-error it is misspelt\n${wrong}`));
      expect(compile('expected.ts')).toBe('');
    }
  });
});

test('the examples of the README compile as they stand, and the first one finds what it says', () => {
  const blocks = [
    ...readFileSync('checker/README.md', 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm),
  ];
  const [first = '', matcher = ''] = blocks.map(([, text = '']) => text);
  write('readme.ts', first);
  write('door.machine.ts', first.replace('const door', 'export const door'));
  write('readme.test.ts', matcher);
  expect(compile('readme.ts', 'door.machine.ts', 'readme.test.ts')).toBe('');
  const printed = run(process.execPath, ['readme.ts'], STRANGER);
  expect(printed).toMatch(
    /✗ violated\. It is never open and locked\.\n[\s\S]*1\. LOCK → shut .*\n\s+2\. OPEN → open\n/,
  );
  expect(printed).toContain('✓ proved. It is open or shut.');
});

describe('the command', () => {
  test('checks it, and says by its status what was found', () => {
    write('events.json', '["FETCH"]');
    const stuck = command('check', './retry.machine.ts', '--events', 'events.json');
    expect(stuck.out).toMatch(/^retry: 10 states[\s\S]*✓ proved\. It never gets stuck\./);
    expect(stuck.exit, stuck.err).toBe(0);
    write(
      'claims.ts',
      `export { machine, events } from './retry.machine.ts';
import { always } from 'glass-box-checker';
export const properties = [always('It tries once.', ({ context }) => context.tries < 2)];
`,
    );
    const found = command('check', 'claims.ts', '--junit', 'x.xml', '--json');
    expect(found.exit, found.err).toBe(1);
    const { properties } = JSON.parse(found.out);
    const { events } = properties[0].verdict.trace;
    expect(events.map(({ type }: { readonly type: string }) => type)).toEqual([
      'FETCH',
      'xstate.error.actor.page',
      'xstate.after.1000.retry.waiting',
    ]);
    expect(readFileSync(join(STRANGER, 'x.xml'), 'utf8')).toContain('failures="1"');
    expect(command('check', 'nix.ts')).toMatchObject({ exit: 66 });
  });
});

test('the matcher passes, fails with a counterexample, and leaves that of vitest as it is', () => {
  write(
    'retry.test.ts',
    `import 'glass-box-checker/vitest';
import { always } from 'glass-box-checker';
import { expect, test } from 'vitest';
import { events, machine } from './retry.machine.ts';
const twice = always<{ tries: number }, { type: 'FETCH' }>('It tries at most twice.', ({ context }) => context.tries <= 2);
test('kept', async () => {
  await expect(machine).toSatisfy(always('It tries at most three times.', ({ context }) => context.tries <= 3), { events });
  expect(machine).not.toSatisfy(twice, { events });
  expect(4).toSatisfy((value: number) => value > 3);
  expect(() => expect(4).toSatisfy((value: number) => value > 4, 'too small')).toThrow('too small');
});
test('violated', () => {
  expect(machine).toSatisfy([twice], { events });
});
`,
  );
  expect(compile('retry.test.ts')).toBe('');
  const { VITEST: _, ...env } = process.env;
  const { stdout, stderr, status } = spawnSync(
    here('.bin/vitest'),
    ['run', 'retry.test.ts', '--root', '.'],
    { cwd: STRANGER, encoding: 'utf8', env: { ...env, NO_COLOR: '1' } },
  );
  expect(status).toBe(1);
  expect(stdout).toMatch(/Tests\s+1 failed \| 1 passed/);
  expect(stderr).toContain('✗ violated. It tries at most twice.');
  expect(stderr).toMatch(/3\. xstate\.after\.1000\.retry\.waiting/);
});

test('an actor that runs is observed', () => {
  const program = `import { always, eventually, observe } from 'glass-box-checker';
import { createActor, fromPromise, waitFor } from 'xstate';
import { machine } from './retry.machine.ts';
const actor = createActor(machine.provide({ actors: { fetchPage: fromPromise(async () => 'page') } }));
const seen = observe(actor, [
  always('It never tries.', ({ context }) => context.tries === 0),
  eventually('It comes to an end.', ({ isDone }) => isDone),
]);
actor.start();
actor.send({ type: 'FETCH' });
await waitFor(actor, ({ status }) => status === 'done');
console.log(JSON.stringify(seen.results().map(({ verdict }) => verdict)));
`;
  expect(JSON.parse(runProgram('observe.ts', program))).toEqual([
    { type: 'violated', at: 'loading', events: [{ type: 'FETCH' }] },
    { type: 'kept', applied: 1 },
  ]);
});
