/** Runs command lines that come as lines of JSON, one after the other, and answers each with what came of it. */
import { createInterface } from 'node:readline';
import { runCaught } from './caught.ts';

for await (const line of createInterface({ input: process.stdin })) {
  const finished = await runCaught(JSON.parse(line));
  process.stdout.write(`${JSON.stringify(finished)}\n`);
}
// Whatever a command has left behind ends with it.
process.exit(0);
