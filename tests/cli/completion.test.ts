/** Completion: the words offered for a command line, and the effect of Tab in a real shell. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { SCENARIO } from './scenario.ts';
import { warmGlassbox } from './session.ts';
import { aFolder } from './shell.ts';

const LAUNCHER = fileURLToPath(new URL('../../cli/launcher.js', import.meta.url));
const SHIM = `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(LAUNCHER)} "$@"\n`;
const cwd = aFolder({ 'a.yaml': SCENARIO, 'b.jsonl': '', 'bin/glassbox': SHIM });
chmodSync(join(cwd, 'bin/glassbox'), 0o755);

describe.concurrent('completion offers', () => {
  test.each([
    [['wa'], ['watch']],
    [['league', 'st'], ['status']],
    [['run', '--ru'], ['--rules']],
    [
      ['run', '--rules', ''],
      ['house', 'classic'],
    ],
    [
      ['watch', '--lens', 'player:c'],
      ['player:cyan', 'player:coral'],
    ],
    [['watch', '--lens=player:cy'], ['--lens=player:cyan']],
    [['watch', ''], ['b.jsonl']],
    [
      ['run', ''],
      ['electrical', 'a.yaml'],
    ],
    [['run', '--seed', ''], []],
    [['run', '--provider', 'oll'], ['ollama']],
    [['completion', 'z'], ['zsh']],
  ])('for %j the words %j', async (words, offered) => {
    const { out } = await warmGlassbox(['completion', '--offers', '--', ...words], { cwd });
    const lines = out.split('\n').slice(0, -1);
    expect(lines.map((line) => line.split('\t')[0])).toEqual(offered);
  });

  test('no script for an unknown shell', async () => {
    const { exit, err } = await warmGlassbox(['completion', 'tcsh'], { cwd });
    expect(exit).toBe(2);
    expect(err).toContain('expected one of bash, zsh, fish, powershell, found "tcsh"');
  });
});

/** The words that a shell offers when Tab is pressed at the end of a line. */
const SHELLS: Readonly<Record<string, (line: string) => string>> = {
  // Like readline, it splits words at the characters of COMP_WORDBREAKS.
  bash: (line) => `
    eval "$(glassbox completion bash)"
    COMP_LINE=${JSON.stringify(line)} COMP_POINT=${line.length}
    COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'
    _glassbox; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // Without a terminal, compadd prints the words that it would offer.
  zsh: (line) => `
    autoload -Uz compinit && compinit -u -d ${JSON.stringify(join(cwd, 'dump'))}
    eval "$(glassbox completion zsh)"
    compadd() { printf '%s\\n' "\${offers[@]}" }
    words=(${line}${line.endsWith(' ') ? "''" : ''}) CURRENT=\${#words}
    _glassbox`,
  fish: (line) => `glassbox completion fish | source; complete -C ${JSON.stringify(line)}`,
};

describe.each(Object.entries(SHELLS))('in %s', (shell, script) => {
  const isHere = ['/usr/bin', '/bin', '/usr/local/bin'].some((bin) => existsSync(join(bin, shell)));
  const skip = isHere ? false : `no ${shell} here: apt-get install ${shell}`;
  if (skip !== false) console.log(`skipped: ${skip}`);

  test.skipIf(skip !== false).each([
    ['glassbox wat', ['watch']],
    ['glassbox watch --lens tab', ['table']],
    ['glassbox watch --lens player:gre', ['player:green']],
    ['glassbox run --mind comm', ['command:']],
  ])(
    'Tab behind "%s" completes %j',
    (line, offered) => {
      const path = `${join(cwd, 'bin')}:${process.env['PATH']}`;
      const options =
        shell === 'bash'
          ? ['--norc', '--noprofile', '-c']
          : shell === 'zsh'
            ? ['-f', '-c']
            : ['-N', '-c'];
      const { stdout, stderr } = spawnSync(shell, [...options, script(line)], {
        cwd,
        encoding: 'utf8',
        env: { ...process.env, PATH: path, HOME: cwd },
      });
      expect(stderr).toBe('');
      const words = stdout
        .trimEnd()
        .split('\n')
        .map((row) => row.split('\t')[0]);
      // Bash completes only the part after the colon.
      const whole =
        shell === 'bash' && line.includes(':')
          ? offered.map((word) => word.replace(/^.*:(?=.)/, ''))
          : offered;
      expect(words).toEqual(whole);
    },
    60_000,
  );
});
