/** The process in which the small proofs judge a mutant: it prints which property noticed, as JSON. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [path = '', mutant = '', named] = process.argv.slice(2);
const target = pathToFileURL(resolve(path)).href;

registerHooks({
  load: (url, context, next) =>
    url === target
      ? { format: 'module-typescript', source: readFileSync(mutant, 'utf8'), shortCircuit: true }
      : next(url, context),
});

const { findProofNotice, PROOF_KINDS } = await import('./smallProofs.ts');
const kind = PROOF_KINDS.find((one) => one === named);
if (kind === undefined) throw new Error(`expected ${PROOF_KINDS.join(' or ')}, found ${named}`);
console.log(JSON.stringify(findProofNotice(kind)));
