/** Runs command lines that come as lines of JSON, one after the other, and answers each with what came of it. */
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runCaught } from './caught.ts';

const home = process.cwd();
// Commands tell their users how to call them again.
process.argv[1] = fileURLToPath(new URL('../../cli/glassbox.ts', import.meta.url));

for await (const line of createInterface({ input: process.stdin })) {
  const { args, cwd = home, env = {} } = JSON.parse(line);
  const before = { ...process.env };
  process.chdir(cwd);
  Object.assign(process.env, env);
  const finished = await runCaught(args);
  // A command may have read more from a file.
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  // Lines are also broken where JSON leaves a break of Unicode as it is.
  const answer = JSON.stringify(finished).replace(/[\u2028\u2029]/g, (one) =>
    one === '\u2028' ? '\\u2028' : '\\u2029',
  );
  process.stdout.write(`${answer}\n`);
}
// Whatever a command has left behind ends with it.
process.exit(0);
