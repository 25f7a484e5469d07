/** Running a command line in this process, with all that it prints caught. */
import { createProgram, runCommandLine } from '../../cli/glassbox.ts';
import type { Finished } from './shell.ts';

/** `keep` selects the part of a printed text to keep. The default keeps all of it. */
export async function runCaught(
  words: readonly string[],
  keep: (text: string, side: 'out' | 'err') => string = (text) => text,
): Promise<Finished & { readonly exit: number }> {
  const printed = { out: '', err: '' };
  const { stdout, stderr } = process;
  const [out, err] = [stdout.write, stderr.write];
  const catching =
    (side: 'out' | 'err') =>
    (text: string | Uint8Array, ...rest: unknown[]) => {
      printed[side] += keep(String(text), side);
      for (const done of rest) if (typeof done === 'function') done();
      return true;
    };
  Object.assign(stdout, { write: catching('out') });
  Object.assign(stderr, { write: catching('err') });
  process.exitCode = 0;
  try {
    const exit = await runCommandLine(words, await createProgram());
    return { ...printed, exit };
  } finally {
    Object.assign(stdout, { write: out });
    Object.assign(stderr, { write: err });
    process.exitCode = 0;
  }
}
