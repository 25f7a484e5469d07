/** A thread that plays games of leagues, one after the other, as they are handed to it. */
import { parentPort } from 'node:worker_threads';
import type { Assignment } from '../../actors/league/assignment.ts';
import { playAssignment, type SlotOutcome } from '../../actors/league/playing.ts';
import { tallyOf } from './tally.ts';

const edge = { count: tallyOf, thinkers: null };

parentPort?.on('message', async (game: Assignment) => {
  parentPort?.postMessage(await outcomeOf(game));
});

/** Whatever breaks is told, and takes nothing else along. */
async function outcomeOf(game: Assignment): Promise<SlotOutcome> {
  try {
    return await playAssignment(game, edge);
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { type: 'broken', slot: game.slot, text };
  }
}
