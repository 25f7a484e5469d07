/** The scene: what the teller remembers of the lines so far, because a later line is told with it. */
import type { Lens, SeenLine } from '../../machines/journal/lens.ts';
import type { Ballot, BySeat, Colour } from '../../machines/types.ts';
import { readingOf } from './reading.ts';
import type { Names } from './seats.ts';

export type Scene = {
  readonly lens: Lens;
  readonly names: Names;
  /** Ticks of talk. */
  readonly ticks: number;
  /** Who had the floor last. */
  readonly speaker: Colour | null;
  /** What everybody thought in the last tick, as far as the lens shows it. */
  readonly thoughts: BySeat<string>;
  /** The count of the ballots that are turned; void ones don't count. */
  readonly turned: readonly { readonly candidate: Ballot; readonly votes: number }[];
};

export function opening(lens: Lens, names: Names): Scene {
  return { lens, names, ticks: 0, speaker: null, thoughts: {}, turned: [] };
}

/** The scene once a line has been seen. */
export function after(scene: Scene, line: SeenLine): Scene {
  switch (line.type) {
    case 'journal.opened':
      return opening(scene.lens, scene.names);
    // A game has many meetings, and each is told by itself.
    case 'phase.entered':
      return line.phase === 'interrupt' ? opening(scene.lens, scene.names) : scene;
    case 'tick.closed': {
      const isTalk = line.occasion === 'discussion' || line.occasion === 'voting';
      const thoughts = (line.bids ?? []).map((bid) => [bid.seat, readingOf(bid).thought] as const);
      return {
        ...scene,
        ticks: scene.ticks + Number(isTalk),
        speaker: line.floor ?? null,
        thoughts: Object.fromEntries(thoughts),
      };
    }
    case 'ballot.turned':
      return line.ballot === undefined || line.void === true
        ? scene
        : { ...scene, turned: counted(scene.turned, line.ballot) };
    default:
      return scene;
  }
}

/** One more vote; the candidates stay in the order of their votes, the earlier one first where they are level. */
function counted(turned: Scene['turned'], ballot: Ballot): Scene['turned'] {
  const known = turned.some(({ candidate }) => candidate === ballot);
  const next = known
    ? turned.map((each) => (each.candidate === ballot ? { ...each, votes: each.votes + 1 } : each))
    : [...turned, { candidate: ballot, votes: 1 }];
  return next.toSorted((one, other) => other.votes - one.votes);
}
