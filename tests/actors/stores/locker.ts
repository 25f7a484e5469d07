/**
 * Takes a file for this process and lets go of it, as often as it is told, and prints how often it had it and how often
 * another process had it at the same time. Words: the file, and how many times.
 */
import { closeSync, openSync, rmSync } from 'node:fs';
import { lockFile } from '../../../actors/stores/sqlite.ts';

const [path = '', times = ''] = process.argv.slice(2);
const mark = `${path}.mark`;
let [held, shared] = [0, 0];

/** Whether this process alone is in here. */
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
