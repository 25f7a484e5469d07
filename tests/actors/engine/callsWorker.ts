/** Counts in a thread of its own how often a game and reading its journal use a schema. */
import { parentPort } from 'node:worker_threads';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { readJournal } from '../../../actors/engine/journal/reader.ts';
import { beginJournal } from '../../../actors/engine/journal/recorder.ts';
import { MemorySink } from '../../../actors/engine/journal/sink.ts';
import { startMatch } from '../../../actors/engine/match.ts';
import { plainGame } from '../../../machines/setup/prepare.ts';
import { callsIn, countCalls } from '../../bench/calls.ts';
import { readyMatch } from '../../support/matches.ts';

const PLAYERS = 8;
const SEED = 1;
const PARSES = '/zod/v4/core/parse.js';
const sink = new MemorySink();
const ready = readyMatch(plainGame(PLAYERS), SEED);
const played = await countCalls(async () => {
  const recorder = beginJournal(ready.headers, { sink });
  await startMatch({ ...ready, clock: new SimulatedClock(), recorder }).result;
});
const read = await countCalls(async () => readJournal(sink.text));
parentPort?.postMessage({
  lines: sink.text.split('\n').length - 1,
  parses: { playing: callsIn(played, PARSES), reading: callsIn(read, PARSES) },
});
