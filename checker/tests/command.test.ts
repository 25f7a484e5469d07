import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const FOLDER = mkdtempSync(join(tmpdir(), 'glass-box-checker-'));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

const COMMAND = fileURLToPath(new URL('../command/main.ts', import.meta.url));
const XSTATE = pathToFileURL(fileURLToPath(import.meta.resolve('xstate'))).href;

const DOOR = `import { assign, createMachine } from '${XSTATE}';
export const door = createMachine({ id: 'door', context: { locked: false }, initial: 'shut', states: {
  shut: { on: { OPEN: 'open', LOCK: { actions: assign({ locked: true }) } } },
  open: { on: { SHUT: 'shut' } },
} });
const isBad = ({ at, context }: any) => at === 'open' && context.locked;
`;
const SAFE = `{ name: 'safe', sentence: 'It is never open and locked.', kind: 'never', holds: isBad }`;
const FILES: Readonly<Record<string, string>> = {
  'door.ts': `${DOOR}export const properties = [${SAFE}];`,
  'alone.ts': `${DOOR}export const defaults = false; export const properties = [${SAFE}];`,
  'declared.ts': `${DOOR}export const properties = [{ ...${SAFE}, expect: 'violated' }];`,
  'vacuous.ts': `${DOOR}export const events = ['OPEN', 'SHUT'];
export const properties = [{ name: 'locks', sentence: 'x', kind: 'step', when: ({ event }: any) => event.type === 'LOCK', holds: () => true }];`,
  'bare.ts': `${DOOR}export const world = ({ at }: any) => [{ type: at === 'open' ? 'SHUT' : 'OPEN' }];`,
  'two.ts': `${DOOR}export const other = createMachine({ id: 'other' });`,
  'none.ts': 'export const x = 1;',
  'syntax.ts': 'export const = 1;',
  'thrown.ts': "throw new Error('there is no such thing');",
  'kind.ts': `${DOOR}export const properties = [{ name: 'a', sentence: 'b', kind: 'mostly' }];`,
  'reads.ts': `import { createMachine } from '${XSTATE}';
export default createMachine({ id: 'code', initial: 'a', states: { a: { on: { LOCK: { guard: ({ event }: any) => event.code === 7, target: 'b' } } }, b: { type: 'final' } } });`,
  'wild.ts': `import { createMachine } from '${XSTATE}';
export default createMachine({ id: 'wild', on: { GO: { actions: 'go' }, '*': { actions: 'note' } } });`,
  'talks.ts': `console.log('hello'); process.stdout.write('there'); setInterval(() => {}, 1000); ${DOOR}export const defaults = false; export const events = [{ type: 'OPEN', n: 1n }, 'LOCK', 'SHUT']; export const properties = [${SAFE}];`,
  'input.ts': `import { createMachine } from '${XSTATE}';
export default createMachine({ id: 'in', context: ({ input }: any) => ({ n: input.n }), initial: 'a', states: { a: { type: 'final' } } });`,
  'nameless.ts': `import { createMachine } from '${XSTATE}';
export default createMachine({ id: 'nameless', initial: 'a', states: { a: { after: { later: 'b' } }, b: { type: 'final' } } });`,
  'stuck.ts': `import { createMachine } from '${XSTATE}';
export default createMachine({ id: 'stuck', initial: 'a', states: { a: { on: { GO: 'b' } }, b: {} } });`,
  'typo.ts': `import { setup } from '${XSTATE}';
export default setup({ guards: { isLocked: () => true } }).createMachine({ id: 'typo', initial: 'a', states: { a: { on: { GO: { guard: 'isLoked' } } } } });`,
  'grows.ts': `import { assign, createMachine } from '${XSTATE}';
export default createMachine({ id: 'grows', context: { n: 1 }, on: { UP: { actions: assign({ n: ({ context }) => (context.n * 3) % 8 }) } } });
export const properties = [
  { name: 'by one', sentence: 'It grows by one.', kind: 'step', holds: ({ after }: any) => 'it is ' + after.context.n },
  { name: 'nine', sentence: 'It may be nine.', kind: 'sometimes', holds: ({ context }: any) => context.n === 9 },
];`,
  'tsx.mjs': '',
  'exits.ts': `${DOOR}process.exit(0);`,
  'exits-late.ts': `${DOOR}let asked = 0; export const world = () => { if (asked++ > 1) process.exit(0); return [{ type: 'OPEN' }]; };`,
  'endless.ts': `${DOOR}export const world = () => { console.error('it is on'); for (;;); };`,
  'sends.ts': `${DOOR}process.send?.('hi'); process.send?.(null); export const events = ['OPEN', 'LOCK', 'SHUT'];`,
  'waits.ts': `${DOOR}await new Promise(() => {});`,
  'rejects.ts': `${DOOR}Promise.reject(new Error('lost')); await new Promise((go) => setTimeout(go, 50));`,
  'throws-late.ts': `${DOOR}setTimeout(() => { throw new Error('later'); }); await new Promise((go) => setTimeout(go, 50));`,
  'enum.ts': 'export enum A { b }',
  'extension.ts': "import { x } from './none';",
  'type.ts': "import { LoadedQuestion } from './none.ts'; export const x: LoadedQuestion = 1;",
  'page.tsx': 'export const x = <a />;',
  'common.cjs': `Object.defineProperty(exports, '__esModule', { value: true }); const { createMachine } = require('${fileURLToPath(XSTATE).replace('.mjs', '.js')}');
const name = 'default'; exports[name] = createMachine({ id: 'common', initial: 'a', states: { a: { on: { GO: 'b' } }, b: { type: 'final' } } });`,
  'object.ts': `import { createMachine } from '${XSTATE}';
export default { machine: createMachine({ id: 'object', initial: 'a', states: { a: { type: 'final' } } }), defaults: false };`,
  'null.ts': `import { createMachine } from '${XSTATE}';
export default createMachine({ id: 'null', initial: 'a', states: { a: { on: { GO: { target: null } } } } });`,
  'proto.ts': `import { createMachine } from '${XSTATE}';
export default createMachine({ id: 'proto', initial: 'a', states: { a: { on: { GO: '__proto__' } }, ['__proto__']: {} } });`,
  'async.ts': `${DOOR}export const world = async () => [{ type: 'OPEN' }];`,
  'empty.ts': `${DOOR}export const properties = [];`,
  'careless.ts': `${DOOR}export const properties = [{ name: 'a', sentence: 'b', kind: 'always', holds: ({ at }: any) => { if (at === 'open') throw new Error('oh'); return true; } }];`,
  'set.ts': `import { createMachine } from '${XSTATE}';
export default createMachine({ id: 'set', context: { seen: new WeakSet() } });`,
  'impure.ts': `import { assign, createMachine } from '${XSTATE}';
export default createMachine({ id: 'list', context: { list: [] }, on: { ADD: { actions: assign(({ context }) => { context.list.push(1); return {}; }) } } });`,
  'count.ts': `import { assign, createMachine } from '${XSTATE}';
export default createMachine({ id: 'count', context: { n: [0, 0, 0, 0, 0, 0, 0] }, on: { UP: { actions: assign(({ context, event }) => ({ n: context.n.with(event.at, (context.n[event.at] + 1) % 9) })) } } });
const events = [0, 1, 2, 3, 4, 5, 6].map((at) => ({ type: 'UP', at }));
let asked = 0;
export const world = () => { if (asked++ === 5000) console.error('it is on'); return events; };`,
  text: 'a text',
  'events.json': '["OPEN", "SHUT", { "type": "LOCK" }]',
  'events.ts': "export const events = ['OPEN', 'SHUT', { type: 'LOCK' }];",
  'shut.json': '["OPEN", "SHUT"]',
  'misspelt.json': '["OPNE"]',
  'numbers.json': '[1]',
  'object.json': '{}',
  'broken.json': '[',
};
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(FOLDER, name), text);

function run(line: string, env = process.env) {
  const words = line.split(' ').filter((word) => word !== '');
  const options = { cwd: FOLDER, encoding: 'utf8', env } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...words], options);
  return { exit: status, out: stdout, err: stderr };
}

describe('the exit code and the report', () => {
  test.each([
    [
      'check door.ts --events events.json',
      1,
      /✗ safe: violated.*\n\s+0\. shut {3}locked: false\n\s+1\. LOCK → shut {3}locked: false → true\n\s+2\. OPEN → open\n/,
    ],
    ['check door.ts --events events.ts', 1, /✗ safe: violated/],
    [
      'check door.ts --events events.json --engine xstate',
      1,
      /door: 4 states.*, xstate, all of it/,
    ],
    ['check door.ts --events shut.json', 0, /✓ safe: proved/],
    ['check door.ts --events shut.json --coverage', 4, /never taken: shut ─LOCK→/],
    ['check alone.ts --events shut.json', 0, /^(?!.*never gets stuck)/s],
    ['check declared.ts --events events.json', 0, /✗ safe: violated/],
    ['check declared.ts --events shut.json', 1, /✓ safe: proved/],
    ['check vacuous.ts', 4, /∅ locks: vacuous/],
    ['check bare.ts', 0, /It never gets stuck[\s\S]*exports no "properties"/],
    ['check two.ts --export other --events events.json', 2, /^$/],
    ['check two.ts --export door --events events.json', 0, /^door: 4 states/],
    [
      'check door.ts --events events.json --max-states 1',
      5,
      /\? safe: incomplete[\s\S]*bound its events with "world"/,
    ],
    ['check impure.ts --events ./add.json', 66, /^$/],
    ['check door.ts', 1, /✗ safe: violated/],
    ['check input.ts', 3, /^(?!.*never reached).*if the machine needs an input: --input/s],
    ['check nameless.ts', 3, /^(?!.*needs an input).*does not have: the delay "later"\. Add/s],
    [
      'check stuck.ts',
      1,
      /1\. GO → b\n[\s\S]*\n {2}\(if the machine may end .* "final"; if an event is/,
    ],
    ['check bare.ts', 0, /^(?![\s\S]*may end where)/],
    ['check typo.ts', 3, /the guard "isLoked" \(it has isLocked\)\. Add .*\n {2}\? /],
    ['check input.ts --input {"n":1}', 0, /never fails/],
    ['check common.cjs', 0, /^common: 2 states/],
    ['check object.ts', 0, /^object: 1 state,/],
    ['--help', 0, /^Usage: glass-box-checker check/],
    ['--version', 0, /^\d+\.\d+\.\d+\n$/],
  ])('%s: %i', (line, exit, printed) => {
    const found = run(line);
    expect(found.exit, found.err).toBe(exit);
    expect(found.out).toMatch(printed);
    if (found.out !== '') expect(found.err).toBe('');
  });

  test('a module that cannot be imported with tsx either is not advised to use it', () => {
    const { exit, err } = run('check extension.ts', {
      ...process.env,
      NODE_OPTIONS: '--import ./tsx.mjs',
    });
    expect(exit).toBe(3);
    expect(err).toContain('extension.ts cannot be imported: Cannot find module');
    expect(err).not.toContain('npm install');
  });

  test('a machine that is not pure ends with 3, and says who did it', () => {
    writeFileSync(join(FOLDER, 'add.json'), '["ADD"]');
    const { exit, out } = run('check impure.ts --events add.json');
    expect(exit).toBe(3);
    expect(out).toContain('! the action ');
    expect(out).toContain(' on ADD. Expected a new value');
  });
});

describe('a mistake prints a sentence with a code and never a stack', () => {
  test.each([
    ['', 2, /expected "check" and one module, found nothing/, 'usage/arguments'],
    ['prove door.ts', 2, /found prove door\.ts/, 'usage/arguments'],
    ['check door.ts two.ts', 2, /one module, found check door\.ts two\.ts/, 'usage/arguments'],
    ['check door.ts --wat', 2, /Unknown option '--wat'/, 'usage/arguments'],
    ['check door.ts --sarif x', 2, /--sarif was removed: use --json or --junit/, 'usage/removed'],
    ['check door.ts --resume=x', 2, /--resume was removed: .* --max-states/, 'usage/removed'],
    ['check reads.ts', 2, /takes LOCK and reads code of LOCK/, 'usage/arguments'],
    ['check wild.ts', 2, /takes \*, GO and reads any event \(\*\)/, 'usage/arguments'],
    ['check door.ts --events misspelt.json', 2, /found OPNE in misspelt/, 'usage/arguments'],
    ['check door.ts --events numbers.json', 2, /event 1 of .*, found 1/, 'usage/arguments'],
    ['check door.ts --events object.json', 2, /to be a list, found \{\}/, 'usage/arguments'],
    ['check door.ts --events broken.json', 2, /expected JSON in broken/, 'usage/arguments'],
    ['check door.ts --events nix.json', 66, /cannot read nix\.json: /, 'input/cannot-open'],
    [
      'check door.ts --events events.json --property x',
      2,
      /\("safe", .*\), found "x"/,
      'usage/arguments',
    ],
    ['check door.ts --events events.json --max-states 0', 2, /above 0, found 0/, 'usage/arguments'],
    ['check door.ts --events events.json --engine x', 2, /compiled or xstate/, 'usage/arguments'],
    ['check bare.ts --input {', 2, /expected JSON in --input/, 'usage/arguments'],
    [
      'check two.ts --events events.json',
      2,
      /found 2 \(door, other\): name one/,
      'usage/arguments',
    ],
    ['check nix.ts', 66, /cannot read the module nix\.ts: no such file/, 'input/cannot-open'],
    ['check none.ts', 3, /a machine of XState .*, found x/, 'model/no-machine'],
    ['check syntax.ts', 3, /syntax\.ts cannot be imported: /, 'model/cannot-import'],
    ['check exits.ts', 3, /ended the check before its verdict \(exit status 0\)/, 'model/ended'],
    ['check exits-late.ts', 3, /before its verdict \(exit status 0\)/, 'model/ended'],
    ['check waits.ts', 3, /before its verdict/, 'model/ended'],
    ['check rejects.ts', 3, /outside of the machine: lost/, 'model/threw'],
    ['check throws-late.ts', 3, /outside of the machine: later/, 'model/threw'],
    ['check enum.ts', 3, /NODE_OPTIONS='--import tsx' npx/, 'model/cannot-import'],
    ['check extension.ts', 3, /NODE_OPTIONS='--import tsx' npx/, 'model/cannot-import'],
    ['check page.tsx', 3, /NODE_OPTIONS='--import tsx' npx/, 'model/cannot-import'],
    ['check thrown.ts', 3, /there is no such thing/, 'model/cannot-import'],
    ['check kind.ts', 3, /to be one of always, .* found "mostly"/, 'model/unusable'],
    ['check null.ts', 3, /target of null\.a\|GO\|0 to .*, found null\. Leave/, 'model/unusable'],
    ['check proto.ts', 3, /another name for the state proto\.__proto__/, 'model/unusable'],
    ['check async.ts', 3, /"world" to give a list .*, found a promise\./, 'model/threw'],
    ['check empty.ts', 3, /at least one, found \[\]/, 'model/unusable'],
    ['check careless.ts --events events.json', 3, /codec of careless\.ts threw: oh/, 'model/threw'],
    ['check set.ts', 3, /seen is a WeakSet/, 'model/unidentifiable'],
    [
      'check door.ts --events events.json --junit /nix/x',
      73,
      /to \/nix\/x: ENOENT/,
      'output/cannot-write',
    ],
  ])('%s: %i', (line, exit, text, code) => {
    const { err, ...found } = run(line);
    expect(found.exit, err).toBe(exit);
    expect(err).toMatch(text);
    expect(err).toMatch(/^glass-box-checker: [^\n]+\n$/);
    expect(err.endsWith(`[${code}]\n`), err).toBe(true);
  });
});

test('neither messages of a module nor a long limit end the check', () => {
  const { exit, out, err } = run('check sends.ts --max-seconds 9999999');
  expect(err).toBe('');
  expect([exit, out]).toEqual([0, run('check sends.ts').out]);
});

// It takes six seconds of a whole core.
test.runIf(process.env['TEST_LONG'] === '1')('a guard that never returns ends the check', () => {
  const { exit, err } = run('check endless.ts --max-seconds 1');
  expect(exit).toBe(3);
  expect(err).toMatch(/did not return within 6 seconds: .* \[model\/endless-function\]\n$/);
});

describe('for other programs', () => {
  test('--json prints one line, also for a mistake', () => {
    const { out, exit } = run('check door.ts --events events.json --json');
    const found = JSON.parse(out);
    expect(exit).toBe(1);
    expect(found).toMatchObject({ type: 'check.result', v: 1, exit: 1, states: 4, warnings: [] });
    expect(found.properties).toMatchObject([
      { name: 'safe', asDeclared: false, verdict: { type: 'violated' } },
      { name: 'It never gets stuck.', asDeclared: true },
      { name: 'It never fails.', asDeclared: true },
    ]);
    expect(found.coverage.states).toEqual({ seen: 2, all: 2 });
    const wrong = run('check none.ts --json');
    expect(JSON.parse(wrong.out)).toMatchObject({ type: 'error', v: 1, code: 'model/no-machine' });
  });

  test('what the module prints never mixes with the result, and nothing keeps it running', () => {
    const { out, err, exit } = run('check talks.ts --json');
    expect(JSON.parse(out).properties).toMatchObject([
      { verdict: { trace: { events: [{ type: 'LOCK' }, { type: 'OPEN', n: '1n' }] } } },
    ]);
    expect({ err, exit }).toEqual({ err: 'hello\nthere', exit: 1 });
    expect(run('check talks.ts').out).toContain('2. OPEN {"n":"1n"}');
    expect(JSON.parse(run('check exits.ts --json').out)).toMatchObject({ code: 'model/ended' });
  });

  test('JUnit XML names the property and the machine', () => {
    run('check door.ts --events events.json --junit x.xml');
    const xml = readFileSync(join(FOLDER, 'x.xml'), 'utf8');
    expect(xml).toContain(
      '<testsuites name="glass-box-checker" tests="3" failures="1" errors="0">',
    );
    expect(xml).toContain('<testcase classname="door" name="safe">');
    run('check door.ts --events events.json --max-states 1 --junit x.xml');
    expect(readFileSync(join(FOLDER, 'x.xml'), 'utf8')).toContain('<error type="incomplete"');
    run('check grows.ts --junit x.xml');
    const grown = readFileSync(join(FOLDER, 'x.xml'), 'utf8');
    expect(grown).toMatch(
      />✗ by one: violated\. It grows by one\.\n +it is 3\n +0\. .*\n +1\. UP → /,
    );
    expect(grown).toContain('>✗ nine: never seen. It may be nine.</failure>');
    run('check impure.ts --events add.json --junit x.xml');
    expect(readFileSync(join(FOLDER, 'x.xml'), 'utf8')).toContain(
      'name="machine/changes-its-context"',
    );
  });

  test('an output replaces its older self only, in one step, and follows no dangling link', () => {
    const at = (name: string) => join(FOLDER, name);
    const command = 'check door.ts --events events.json --junit';
    writeFileSync(at('notes.xml'), 'my notes');
    expect(run(`${command} notes.xml`)).toMatchObject({
      exit: 73,
      err: expect.stringMatching(/notes\.xml: it is there and .* \[output\/cannot-write\]\n$/),
    });
    expect(readFileSync(at('notes.xml'), 'utf8')).toBe('my notes');
    symlinkSync(at('elsewhere.xml'), at('link.xml'));
    symlinkSync(at('elsewhere.xml'), at('y.xml.part'));
    for (const name of ['link.xml', 'y.xml', 'y.xml'])
      expect(run(`${command} ${name}`).exit).toBe(1);
    expect(existsSync(at('elsewhere.xml'))).toBe(false);
    expect(existsSync(at('y.xml.part'))).toBe(false);
    expect(readFileSync(at('y.xml'), 'utf8')).toBe(readFileSync(at('link.xml'), 'utf8'));
  });

  test.runIf(process.platform === 'linux')('a full disk leaves the older output whole', () => {
    const path = join(FOLDER, 'full.xml');
    writeFileSync(path, '<?xml of old');
    const words = `exec ${process.execPath} ${COMMAND} check door.ts --events events.json --junit full.xml`;
    const full = spawnSync('bash', ['-c', `ulimit -f 0; ${words}`], { cwd: FOLDER });
    expect(full.status, String(full.stderr)).toBe(73);
    expect(readFileSync(path, 'utf8')).toBe('<?xml of old');
    expect(existsSync(`${path}.part`)).toBe(false);
  });
});

describe('a search that ends early', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('by %s is incomplete', async (signal) => {
    const words = ['check', 'count.ts', '--max-states', '100000000'];
    const running = spawn(process.execPath, [COMMAND, ...words], { cwd: FOLDER });
    let out = '';
    running.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    // Millions of states are left, and it tells when some thousands have been looked at.
    await once(running.stderr, 'data');
    running.kill(signal);
    const [status] = await once(running, 'close');
    expect(status).toBe(5);
    expect(out).toContain('ended by an interruption');
  });

  test('by a second signal while a function never returns ends at once', async () => {
    const running = spawn(process.execPath, [COMMAND, 'check', 'endless.ts'], { cwd: FOLDER });
    let err = '';
    running.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    await once(running.stderr, 'data');
    running.kill('SIGINT');
    running.kill('SIGTERM');
    const [status] = await once(running, 'close');
    expect(status).toBe(3);
    expect(err).toContain('ended the check before its verdict (signal SIGKILL)');
  });
});
