/** The command line itself: errors for misspelt words, and the help. */
import { afterAll, describe, expect, test } from 'vitest';
import { createModelOptions } from '../../cli/flags.ts';
import manifest from '../../package.json' with { type: 'json' };
import { SCENARIO } from './matches.ts';
import { aPlace, warmGlassbox } from './session.ts';
import { contents, expectEnd, expectQuiet, failureLine, glassbox, jsonLines } from './shell.ts';

const { cwd, run, done } = aPlace({ 'a.yaml': SCENARIO, 'b.jsonl': '' });
afterAll(() => expect(contents(cwd)).toEqual(['a.yaml', 'b.jsonl']));
const WHOLE = 'expected a whole number from 0 to 9007199254740991, found';
const SPEEDS = 'expected slow, normal, fast, max or a factor from 0.1 to 100, found';

describe.concurrent('refused as usage', () => {
  test.each([
    ['run a.yaml --sed 7', 'unknown-option', "unknown option '--sed'; did you mean --seed?"],
    ['wach', 'unknown-command', 'there is no command "wach"; did you mean "watch"?'],
    ['wach game.jsonl', 'unknown-command', 'did you mean "watch"?'],
    ['a.yaml --seed 7', 'no-command', '"run" plays a match file'],
    ['b.jsonl', 'no-command', '"watch" or "view" shows a journal'],
    ['run a.yaml -n 2', 'one-meeting', '-n: expected a whole game'],
    ['run -n 2 --out x.jsonl', 'out', '--out x.jsonl: expected a folder for 2 games'],
    ['run --modle x', 'unknown-option', "'--modle'; did you mean --model?"],
    ['run --effrot x', 'unknown-option', "'--effrot'; did you mean --effort?"],
    ['run --rules clasic', 'invalid-argument', 'found "clasic"; did you mean "classic"?'],
    ['run --lens tabel', 'invalid-argument', 'found "tabel"; did you mean "table"?'],
    ['run --lens player:rde', 'invalid-argument', 'did you mean "player:red"?'],
    ['run --speed fsat', 'invalid-argument', 'found "fsat"; did you mean "fast"?'],
    ['run --seat rde', 'invalid-argument', 'found "rde"; did you mean "red"?'],
    ['run --mind slient', 'invalid-argument', 'did you mean "silent"?'],
    ['run a.yaml b.yaml', 'excess-arguments', 'Expected 1 argument but got 2'],
    ['prompt --player red', 'missing-argument', 'expected an argument <match>, found none'],
    ['fork', 'missing-mandatory-option-value', 'expected --at <moment>, found none'],
    ['run a.yaml --seed', 'option-missing-argument', '--seed: expected a value, found none'],
    ['run a.yaml --seed -1', 'invalid-argument', `--seed: ${WHOLE} "-1"`],
    ['run a.yaml --seed 1.5', 'invalid-argument', `--seed: ${WHOLE} "1.5"`],
    ['run a.yaml --seed abc', 'invalid-argument', `--seed: ${WHOLE} "abc"`],
    ['run a.yaml --seed 1e400', 'invalid-argument', `--seed: ${WHOLE} "1e400"`],
    ['run a.yaml --lens player:nobody', 'invalid-argument', 'player:COLOUR such as player:red'],
    ['run a.yaml --fault-rate 2', 'invalid-argument', 'expected a share from 0 to 1, found "2"'],
    ['run a.yaml --vote-after 10001', 'invalid-argument', 'from 0 to 10000, found "10001"'],
    ['run a.yaml --max-ticks 0', 'invalid-argument', 'from 1 to 100000, found "0"'],
    ['run a.yaml --speed 0', 'invalid-argument', `--speed: ${SPEEDS} "0"`],
    ['run a.yaml --speed warp', 'invalid-argument', `--speed: ${SPEEDS} "warp"`],
    ['run a.yaml --speed Infinity', 'invalid-argument', `--speed: ${SPEEDS} "Infinity"`],
    ['run a.yaml --rules chess', 'invalid-argument', 'expected one of house, classic, found'],
    ['run a.yaml --out -', 'invalid-argument', '--out: expected the name of a file, found "-"'],
    ['chart --format png', 'invalid-argument', 'expected one of mermaid, json, svg, found "png"'],
  ])('%s', async (line, code, words) => {
    const [command = '', ...rest] = line.split(' ');
    const { exit, out, err } = await run([command, '--json', ...rest]);
    expect(exit).toBe(2);
    const [failure = '', help = ''] = err.split('\n');
    expect(failure).toMatch(failureLine(`usage/${code}: `));
    expect(failure).toContain(words);
    expect(help).toMatch(/^For help: .*glassbox\.ts (?:\w+ )?--help$/);
    const problems = [{ code: `usage/${code}` }];
    expect(jsonLines(out)).toMatchObject([{ type: 'error', v: 1, exit: 2, problems }]);
  });

  test('help with what is no command', async () => {
    const found = await glassbox('help nothing', { cwd });
    const text = 'there is no command "nothing" (commands: play, run,';
    expectEnd(found, 2, `usage/unknown-command: ${text}`);
    expect(found.out).toBe('');
  });

  test.each([
    ['league', 'no-command: expected a command of "league" (run, worker,', 'league '],
    ['league statsu', 'unknown-command: there is no command "statsu"; did you', 'league '],
    ['league run', 'missing-argument: expected an argument <file>, found none', 'league run '],
  ])('%s: says what there is in a group, and where help is', async (line, words, help) => {
    const found = await run(line);
    const advice = new RegExp(`\\nFor help: .*glassbox\\.ts ${help}--help\\n$`);
    expectEnd(found, 2, `usage/${words}`, advice);
    expect(found.out).toBe('');
  });

  test.each([
    ['a word', (word: string) => [word]],
    ['an option', (word: string) => [`--${word.slice(2)}`]],
    ['a value', (word: string) => ['run', '--players', word]],
  ])('%s that is long is shown up to 300 characters', async (_, words) => {
    for (const length of [300, 301, 6000]) {
      const { exit, err } = await run(words('xy'.repeat(length).slice(0, length)));
      expect(exit).toBe(2);
      expect(err.includes('…')).toBe(length > 300);
      expect(err.length).toBeLessThan(1000);
    }
  });

  test('without --json nothing is on stdout', async () => {
    const found = await run('run a.yaml --lens player:coral');
    const seated = 'coral has no seat (seated: red, blue, green, pink, orange)';
    expectEnd(found, 2, `lens/not-seated: --lens player:coral: ${seated}`);
    expect(found.out).toBe('');
  });
});
const COMMANDS =
  'play run resume fork view watch export why report transcript chart schema completion'.split(' ');
const TERMINAL = 80;
const linesIn = (text: string) => text.trimEnd().split('\n');
const widest = (text: string) => Math.max(...linesIn(text).map((line) => line.length));

describe.concurrent('help', () => {
  test.each(COMMANDS)('of glassbox %s fits a terminal and has examples', async (command) => {
    const out = expectQuiet(await run(`${command} --help`));
    expect(out).toMatch(new RegExp(`^Usage: glassbox ${command}`));
    expect(out).toMatch(/\nExamples:\n {2}glassbox /);
    expect(widest(out)).toBeLessThanOrEqual(TERMINAL);
    expect(out).not.toMatch(/default: (?:\{|null|false)/);
  });

  test('names at most fifteen commands in 24 lines, and all of them with --all', async () => {
    const out = await done('--help');
    expect(linesIn(out).length).toBeLessThan(23);
    expect(widest(out)).toBeLessThanOrEqual(TERMINAL);
    expect(out.match(/^ {2}[a-z]+ {2}/gm)?.length).toBeLessThanOrEqual(15);
    const all = await done('help --all');
    for (const command of COMMANDS) expect(all).toContain(`  ${command} `);
  });

  test('of run has at most 40 lines', async () => {
    expect(linesIn(await done('run --help')).length).toBeLessThanOrEqual(40);
  });

  test('help of the model options lists each of them and explains profiles', async () => {
    const out = await done('help models');
    for (const { long } of createModelOptions()) expect(out).toContain(`  ${long}`);
    expect(out).toContain('--profile NAME');
    expect(widest(out)).toBeLessThanOrEqual(TERMINAL);
  });

  test('comes with a version', async () => {
    const { exit, out } = await glassbox('--version', { cwd });
    expect({ exit, out }).toEqual({ exit: 0, out: `${manifest.version}\n` });
  });

  test('in a clone names npx glassbox', async () => {
    const env = { npm_lifecycle_event: 'start', INIT_CWD: cwd };
    const { err } = await warmGlassbox('watch b.jsonl --nope', { cwd: '/', env });
    expect(err).toContain('For help: npx glassbox watch --help\n');
  });
});
