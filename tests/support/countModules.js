/** Loaded before a program: counts the modules that it loads, and prints the counts as its last line of standard error. */
import { registerHooks } from 'node:module';

const counts = {};

registerHooks({
  load(url, context, next) {
    if (!url.startsWith('node:')) {
      const name = packageOf(url);
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return next(url, context);
  },
});

process.on('exit', () => process.stderr.write(`\n${JSON.stringify(counts)}\n`));

function packageOf(url) {
  return /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? 'own';
}
