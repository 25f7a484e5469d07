/** Started with a planted fault: runs storms of these seeds until a promise is broken, and prints which one, or null. */
import { runStorm } from './storm.ts';

process.stdout.write(JSON.stringify(await hunt((process.argv[2] ?? '').split(',').map(Number))));

async function hunt(seeds: readonly number[]): Promise<object | null> {
  for (const seed of seeds) {
    const { breach } = await runStorm(seed);
    if (breach !== null) return { seed, promise: breach.promise };
  }
  return null;
}
