/** A writer: a process that records slots of a league, several at once, and says which were acknowledged. */
import { aResult, opened } from './kept.ts';

const [, , address = '', least = '0', most = '0', lanes = '1'] = process.argv;
const store = await opened(address);
let next = Number(least);

async function write(): Promise<void> {
  for (let slot = next++; slot < Number(most); slot = next++) {
    const said = await store.record(aResult({ slot, seed: slot }), null);
    process.stdout.write(`${slot} ${said}\n`);
  }
}

process.stdout.write('ready\n');
await Promise.all(Array.from({ length: Number(lanes) }, write));
await store.close();
