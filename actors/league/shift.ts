/** A shift: a worker's part in a league on many machines. It takes a game over, has it played, and hands it in. */
import type { Store } from '../stores/store.ts';
import type { Assignment } from './assignment.ts';
import type { SlotOutcome } from './playing.ts';

/** What has become of a game here; `late` when another worker has taken it over or handed it in. */
export type Handed = 'recorded' | 'late';

/**
 * Plays a game and records it. The journal is there before the result, and whoever was taken for dead and comes back
 * finds the door shut. Throws when the game breaks down, so that the queue gives it to somebody once more.
 */
export async function playShift(
  store: Store,
  game: Assignment,
  player: (game: Assignment) => Promise<SlotOutcome>,
): Promise<Handed> {
  const { league, slot } = game;
  const epoch = await store.claim({ league, slot });
  for await (const _there of store.results(league, slot, slot + 1)) return 'late';
  const outcome = await player(game);
  if (outcome.type !== 'played') throw new Error(outcome.text);
  if (outcome.journal !== null) {
    const said = await store.append({ league, slot }, epoch, 0, outcome.journal);
    if (said !== 'appended') return 'late';
  }
  return (await store.record(outcome.result, epoch)) === 'recorded' ? 'recorded' : 'late';
}
