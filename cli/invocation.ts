/** The invocation: how this program was called, so that what it suggests can be typed, and where from. */
import { basename, relative } from 'node:path';

/** npm runs scripts in the folder of the package; paths are meant from where the user stands. */
export function goWhereTheUserStands(): void {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  if (script !== 'start' || folder === undefined) return;
  try {
    process.chdir(folder);
  } catch {
    // The folder is gone; the one of the package is as good as any.
  }
}

/** What to type to run another command of this program. */
export function command(...words: readonly string[]): string {
  return [program(), ...words.map(quoted)].join(' ');
}

function program(): string {
  if (process.env['npm_lifecycle_event'] === 'start') return 'npm -s start --';
  const [, script = 'glassbox'] = process.argv;
  const isSource = script.endsWith('.ts');
  return isSource ? `node ${quoted(relative(process.cwd(), script))}` : basename(script);
}

/** A word as a shell takes it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
