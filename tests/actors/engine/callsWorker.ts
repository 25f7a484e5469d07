/** A thread of its own, in which it is counted how often a schema is asked: by a game, and by reading its journal. */
import { parentPort } from 'node:worker_threads';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { readJournal } from '../../../actors/engine/journal/reader.ts';
import { beginJournal } from '../../../actors/engine/journal/recorder.ts';
import { MemorySink } from '../../../actors/engine/journal/sink.ts';
import { createMatch, startMatch } from '../../../actors/engine/match.ts';
import { plainGame } from '../../../machines/setup/prepare.ts';
import { callsIn, countCalls } from '../../bench/calls.ts';

const PLAYERS = 8;
const SEED = 1;
/** What is called for every text that a schema reads, and nowhere else. */
const PARSES = '/zod/v4/core/parse.js';

const sink = new MemorySink();
const creation = createMatch(plainGame(PLAYERS), SEED);
if (!creation.ok) throw new Error('a plain game was refused');
const { ready } = creation;
const played = await countCalls(async () => {
  const recorder = beginJournal(ready.headers, { sink });
  await startMatch({ ...ready, clock: new SimulatedClock(), recorder }).result;
});
const read = await countCalls(async () => readJournal(sink.text));
parentPort?.postMessage({
  lines: sink.text.split('\n').length - 1,
  parses: { playing: callsIn(played, PARSES), reading: callsIn(read, PARSES) },
});
