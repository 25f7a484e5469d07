/** The command line itself: what is misspelt is refused with a sentence, and what is asked for is explained. */
import { afterAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { SCENARIO } from './scenario.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, contents, failureLine, glassbox, jsonLines, sh } from './shell.ts';

const cwd = aFolder({ 'a.yaml': SCENARIO, 'b.jsonl': '' });
afterAll(() => expect(contents(cwd)).toEqual(['a.yaml', 'b.jsonl']));

const WHOLE = 'expected a whole number from 0 to 9007199254740991, found';
const SPEEDS = 'expected slow, normal, fast, max or a factor from 0.1 to 100, found';

describe.concurrent('refused as usage', () => {
  test.each([
    ['meet a.yaml --sed 7', 'unknown-option', "unknown option '--sed'; did you mean --seed?"],
    ['wach', 'unknown-command', 'no command and no file "wach"; did you mean "watch"?'],
    ['meet a.yaml b.yaml', 'excess-arguments', 'Expected 1 argument but got 2'],
    ['replay', 'missing-argument', "missing required argument 'journals'"],
    ['fork', 'missing-mandatory-option-value', 'expected --at <moment>, found none'],
    ['meet a.yaml --seed', 'option-missing-argument', '--seed: expected a value, found none'],
    ['meet a.yaml --seed -1', 'invalid-argument', `--seed: ${WHOLE} "-1"`],
    ['meet a.yaml --seed 1.5', 'invalid-argument', `--seed: ${WHOLE} "1.5"`],
    ['meet a.yaml --seed abc', 'invalid-argument', `--seed: ${WHOLE} "abc"`],
    ['meet a.yaml --seed 1e400', 'invalid-argument', `--seed: ${WHOLE} "1e400"`],
    ['meet a.yaml --lens player:nobody', 'invalid-argument', 'player:COLOUR such as player:red'],
    ['meet a.yaml --fault-rate 2', 'invalid-argument', 'expected a share from 0 to 1, found "2"'],
    ['meet a.yaml --vote-after 10001', 'invalid-argument', 'from 0 to 10000, found "10001"'],
    ['meet a.yaml --max-ticks 0', 'invalid-argument', 'from 1 to 100000, found "0"'],
    ['meet a.yaml --speed 0', 'invalid-argument', `--speed: ${SPEEDS} "0"`],
    ['meet a.yaml --speed warp', 'invalid-argument', `--speed: ${SPEEDS} "warp"`],
    ['meet a.yaml --speed Infinity', 'invalid-argument', `--speed: ${SPEEDS} "Infinity"`],
    ['meet a.yaml --rules chess', 'invalid-argument', 'expected one of house, classic, found'],
    ['meet a.yaml --out -', 'invalid-argument', '--out: expected the name of a file, found "-"'],
    ['chart --format png', 'invalid-argument', 'expected one of mermaid, json, svg, found "png"'],
  ])('%s', async (line, code, words) => {
    const [command = '', ...rest] = line.split(' ');
    const { exit, out, err } = await warmGlassbox([command, '--json', ...rest], { cwd });
    expect(exit).toBe(2);
    const [failure = '', help = ''] = err.split('\n');
    expect(failure).toMatch(failureLine(`usage/${code}: `));
    expect(failure).toContain(words);
    expect(help).toMatch(/^For help: .*glassbox\.ts (?:\w+ )?--help$/);
    expect(jsonLines(out)).toMatchObject([
      { type: 'error', v: 1, exit: 2, problems: [{ code: `usage/${code}` }] },
    ]);
  });

  test('help with what is no command', async () => {
    const { exit, out, err } = await glassbox(['help', 'nothing'], { cwd });
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toMatch(
      failureLine('usage/unknown-command: there is no command "nothing" (commands: run, meet,'),
    );
  });

  test.each([
    [['league'], 'no-command: expected a command of "league" (run, worker,', 'league '],
    [['league', 'statsu'], 'unknown-command: there is no command "statsu"; did you', 'league '],
    [['league', 'run'], "missing-argument: missing required argument 'file'", 'league run '],
  ])('%j: says what there is in a group, and where help is', async (args, words, help) => {
    const { exit, out, err } = await warmGlassbox(args, { cwd });
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toMatch(failureLine(`usage/${words}`));
    expect(err).toMatch(new RegExp(`\\nFor help: .*glassbox\\.ts ${help}--help\\n$`));
  });

  test.each([
    ['a word', (word: string) => [word]],
    ['an option', (word: string) => [`--${word.slice(2)}`]],
    ['a value', (word: string) => ['run', '--players', word]],
  ])('%s that is long is shown up to 300 characters', async (_, words) => {
    for (const [length, isWhole] of [
      [300, true],
      [301, false],
      [6000, false],
    ] as const) {
      const { exit, err } = await warmGlassbox(words('xy'.repeat(length).slice(0, length)));
      expect(exit).toBe(2);
      expect(err.includes('…')).toBe(!isWhole);
      expect(err.length).toBeLessThan(1000);
    }
  });

  test('without --json nothing is on stdout', async () => {
    const { exit, out, err } = await warmGlassbox(['meet', 'a.yaml', '--lens', 'player:coral'], {
      cwd,
    });
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toMatch(
      failureLine(
        'lens/not-seated: --lens player:coral: coral has no seat (seated: red, blue, green, pink, orange)',
      ),
    );
  });
});

const COMMANDS = [
  '',
  'run',
  'meet',
  'watch',
  'transcript',
  'stats',
  'replay',
  'chart',
  'schema',
  'complete',
];
const TERMINAL = 80;

describe.concurrent('help', () => {
  test.each(COMMANDS)('of glassbox %s fits a terminal and has examples', async (command) => {
    const { exit, out, err } = await warmGlassbox([command, '--help'].filter(Boolean), { cwd });
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toMatch(new RegExp(`^Usage: glassbox ${command}`));
    expect(out).toMatch(/\nExamples:\n {2}glassbox /);
    expect(out.split('\n').filter((line) => line.length > TERMINAL)).toEqual([]);
    expect(out).not.toMatch(/default: (?:\{|null|false)/);
  });

  test('names every command', async () => {
    const { out } = await warmGlassbox(['help'], { cwd });
    for (const command of COMMANDS) expect(out).toContain(`  ${command}`);
  });

  test('comes with a version', async () => {
    const { exit, out } = await glassbox(['--version'], { cwd });
    expect({ exit, out }).toEqual({ exit: 0, out: `${manifest.version}\n` });
  });

  test('of npm is in the words of npm', async () => {
    const env = { npm_lifecycle_event: 'start', INIT_CWD: cwd };
    const { err } = await warmGlassbox(['watch', 'b.jsonl', '--nope'], { cwd: '/', env });
    expect(err).toContain('For help: npm -s start -- watch --help\n');
  });
});

describe.concurrent('completion', () => {
  test('is a script that the shell can read', async () => {
    const { exit, out } = await sh(
      '$GLASSBOX complete bash | sh -c "cat; true" | tee bash.txt >/dev/null; bash -n bash.txt && cat bash.txt; rm bash.txt',
      aFolder(),
    );
    expect(exit).toBe(0);
    expect(out).toContain('glassbox complete -- ');
  });

  test.each([
    [['wa'], ['watch']],
    [['meet', '--ru'], ['--rules']],
    [
      ['meet', '--rules', ''],
      ['house', 'classic'],
    ],
    [
      ['watch', '--lens', 'player:c'],
      ['player:cyan', 'player:coral'],
    ],
    [['watch', ''], ['b.jsonl']],
  ])('of %j', async (words, offered) => {
    const { out } = await glassbox(['complete', '--', ...words], { cwd });
    const lines = out.split('\n').slice(0, -2);
    expect(lines.map((line) => line.split('\t')[0])).toEqual(offered);
  });
});
