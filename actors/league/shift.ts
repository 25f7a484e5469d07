/** A shift: a worker's part in a league on many machines. It takes a game over, has it played, and hands it in. */
import type { Store } from '../stores/store.ts';
import type { Assignment } from './assignment.ts';
import type { SlotOutcome } from './playing.ts';
import { StoreTape } from './storeTape.ts';
import type { Tape } from './thinkers.ts';

/** What has become of a game here; `late` when another worker has taken it over or handed it in. */
export type Handed = 'recorded' | 'late';

/** A game that is paused, such as by a spent budget: nobody else could go on with it now. */
export class Paused extends Error {}

/** Who plays. A game that takes real time is kept on a tape while it is on; `onBreak` says how to break it off. */
export type ShiftPlayer = {
  readonly isSlow: (game: Assignment) => boolean;
  readonly play: (
    game: Assignment,
    tape: Tape | null,
    onBreak: (breakOff: () => void) => void,
  ) => Promise<SlotOutcome>;
};

/**
 * Plays a game and records it. The journal is there before the result, and whoever was taken for dead and comes back
 * finds the door shut. Throws when the game breaks down, so that the queue gives it to somebody once more.
 */
export async function playShift(
  store: Store,
  game: Assignment,
  player: ShiftPlayer,
): Promise<Handed> {
  const { league, slot } = game;
  const epoch = await store.claim({ league, slot });
  for await (const _there of store.results(league, slot, slot + 1)) return 'late';
  const breaks: (() => void)[] = [];
  const tape = player.isSlow(game)
    ? await tapeFor(store, game, epoch, () => {
        for (const breakOff of breaks) breakOff();
      })
    : null;
  const outcome = await player.play(game, tape, (breakOff) => breaks.push(breakOff));
  if (tape !== null && !(await tape.end())) return 'late';
  if (outcome.type === 'aborted') throw new Paused(outcome.text);
  if (outcome.type !== 'played') throw new Error(outcome.text);
  if (tape === null && outcome.journal !== null) {
    const said = await store.append({ league, slot }, epoch, 0, outcome.journal);
    if (said !== 'appended') return 'late';
  }
  return (await store.record(outcome.result, epoch)) === 'recorded' ? 'recorded' : 'late';
}

async function tapeFor(
  store: Store,
  { league, slot }: Assignment,
  epoch: number,
  onLost: () => void,
): Promise<StoreTape> {
  const { text, pieces } = await store.pieces({ league, slot });
  return new StoreTape(store, { league, slot }, { epoch, past: text, pieces }, onLost);
}
