/** Reads command lines as lines of JSON, runs them one after the other, and prints the outcome of each. */
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runCaught } from './caught.ts';

const home = process.cwd();
// Commands print how to run them again.
process.argv[1] = fileURLToPath(new URL('../../cli/glassbox.ts', import.meta.url));

for await (const line of createInterface({ input: process.stdin })) {
  const { args, cwd = home, env = {} } = JSON.parse(line);
  const before = { ...process.env };
  process.chdir(cwd);
  Object.assign(process.env, env);
  const finished = await runCaught(args);
  // A command may have read more variables from a file.
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  // JSON leaves U+2028 and U+2029 as they are, but readers of lines break at them.
  const answer = JSON.stringify(finished).replace(/[\u2028\u2029]/g, (one) =>
    one === '\u2028' ? '\\u2028' : '\\u2029',
  );
  process.stdout.write(`${answer}\n`);
}
// Ends everything that a command has left behind.
process.exit(0);
