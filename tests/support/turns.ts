/**
 * Turns: a whole run tries a sixth of the tests that take longest, by the seed of the day, so that it stays short; all
 * others it tries always. A run of files that are named tries all of their tests, and so does TEST_ALL=1.
 */
import { readFileSync } from 'node:fs';
import { beforeEach } from 'vitest';
import { dealTurns, drawTurn, nameTurn, readTurns, TURNS, WAITS } from './turnsList.ts';

if (process.env['TEST_IN_TURN'] === '1') {
  // Drawn, not counted: other tests count days, and what waits for both may never come.
  const today = drawTurn(Number(process.env['FC_SEED'] ?? 0));
  const turns = dealTurns(readTurns(readFileSync(TURNS, 'utf8')));
  beforeEach(({ task, skip }) => {
    const turn = turns.get(nameTurn(task.file.name, task.fullTestName));
    skip(turn !== undefined && turn !== today, WAITS);
  });
}
