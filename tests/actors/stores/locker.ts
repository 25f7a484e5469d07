/**
 * Takes and releases a file lock N times. Prints how often it had the lock, and how often another process had it
 * too. Arguments: the file and N.
 */
import { closeSync, openSync, rmSync } from 'node:fs';
import { lockFile } from '../../../actors/stores/sqlite.ts';

const [path = '', times = ''] = process.argv.slice(2);
const mark = `${path}.mark`;
let [held, shared] = [0, 0];

function enter(): boolean {
  try {
    closeSync(openSync(mark, 'wx'));
    return true;
  } catch {
    return false;
  }
}

for (let time = 0; time < Number(times); time++) {
  const unlock = lockFile(path);
  if (unlock === null) continue;
  held += 1;
  if (enter()) rmSync(mark);
  else shared += 1;
  unlock();
}
process.stdout.write(JSON.stringify({ held, shared }));
