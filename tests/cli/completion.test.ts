/** Completion: the words offered for a command line, and the effect of Tab in a real shell. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { SCENARIO } from './matches.ts';
import { aPlace } from './session.ts';
import { expectEnd } from './shell.ts';

const LAUNCHER = fileURLToPath(new URL('../../cli/launcher.js', import.meta.url));
const SHIM = `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(LAUNCHER)} "$@"\n`;
const { cwd, run, done } = aPlace({
  'a.yaml': SCENARIO,
  'b.jsonl': '',
  'b\u001b[2J\n.jsonl': '',
  'bin/glassbox': SHIM,
});
chmodSync(join(cwd, 'bin/glassbox'), 0o755);

describe.concurrent('completion offers', () => {
  test.each([
    ['wa', 'watch'],
    ['league st', 'status'],
    ['run --ru', '--rules'],
    ['run --seed 7 --ru', '--rules'],
    ['run --rules ', 'house classic'],
    ['watch --lens player:c', 'player:cyan player:coral'],
    ['watch --lens=player:cy', '--lens=player:cyan'],
    ['watch ', 'b.jsonl'],
    ['run ', 'electrical a.yaml'],
    ['run --seed ', ''],
    ['run --provider oll', 'ollama'],
    ['completion z', 'zsh'],
  ])('for "%s" the words "%s"', async (line, offered) => {
    const out = await done(`completion --offers -- ${line}`);
    const words = out.split('\n').map((row) => row.split('\t')[0]);
    expect(words.join(' ').trimEnd()).toBe(offered);
  });

  test('no script for an unknown shell', async () => {
    const text = 'expected one of bash, zsh, fish, powershell, found "tcsh"';
    expectEnd(await run('completion tcsh'), 2, text);
  });
});

test('in PowerShell, which no package of Debian has, every condition opens a block', async () => {
  const script = await done('completion powershell');
  const conditions = script.split('\n').filter((row) => row.trim().startsWith('if '));
  expect(conditions.length).toBeGreaterThan(1);
  for (const row of conditions) expect(row).toMatch(/\) \{(?: .* \})?$/);
  expect(script.split('{').length).toBe(script.split('}').length);
});

/** The words that a shell offers when Tab is pressed at the end of a line. */
const SHELLS: readonly (readonly [string, readonly string[], (line: string) => string])[] = [
  // Like readline, it splits words at the characters of COMP_WORDBREAKS.
  [
    'bash',
    ['--norc', '--noprofile', '-c'],
    (line) => `
    eval "$(glassbox completion bash)"
    COMP_LINE=${JSON.stringify(line)} COMP_POINT=${line.length}
    COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'
    _glassbox; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  // Without a terminal, compadd prints the words that it would offer.
  [
    'zsh',
    ['-f', '-c'],
    (line) => `
    autoload -Uz compinit && compinit -u -d ${JSON.stringify(join(cwd, 'dump'))}
    eval "$(glassbox completion zsh)"
    compadd() { printf '%s\\n' "\${offers[@]}" }
    words=(${line}${line.endsWith(' ') ? "''" : ''}) CURRENT=\${#words}
    _glassbox`,
  ],
  ['fish', ['-N', '-c'], (line) => `glassbox completion fish | source; complete -C "${line}"`],
];

describe.each(SHELLS)('in %s', (shell, options, script) => {
  const isHere = ['/usr/bin', '/bin', '/usr/local/bin'].some((bin) => existsSync(join(bin, shell)));
  if (!isHere) console.log(`skipped: no ${shell} here: apt-get install ${shell}`);

  test.skipIf(!isHere).each([
    ['glassbox wat', 'watch'],
    ['glassbox watch --lens tab', 'table'],
    ['glassbox watch --lens player:gre', 'player:green'],
    ['glassbox run --mind comm', 'command:'],
  ])('Tab behind "%s" completes "%s"', (line, offered) => {
    const { stdout, stderr } = spawnSync(shell, [...options, script(line)], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(cwd, 'bin')}:${process.env['PATH']}`, HOME: cwd },
    });
    expect(stderr).toBe('');
    const words = stdout.trimEnd().split('\n');
    // Bash completes only the part after the colon.
    const isCut = shell === 'bash' && line.includes(':');
    const whole = isCut ? offered.replace(/^.*:(?=.)/, '') : offered;
    expect(words.map((row) => row.split('\t')[0])).toEqual([whole]);
  });
});
