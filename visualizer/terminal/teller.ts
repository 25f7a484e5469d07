/**
 * The teller: tells a meeting or a whole game in a terminal, line by line, as it happens.
 *
 * It takes lines of the journal and looks at them through its lens before anything else, so what it prints can't hold
 * more than the lens shows. A field that is missing is hidden, and is simply not told.
 */

import { type Lens, lensFor, type SeenLine } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { emptyProjection, next } from '../../machines/journal/projection.ts';
import type { Phase } from '../../machines/types.ts';
import { galleryBlocks, ghostKeptBlocks, joinedBlocks, turnBlocks } from './ghosts.ts';
import { calledBlocks, gameTitleBlocks, titleBlocks } from './header.ts';
import { ink } from './ink.ts';
import { faultBlocks, keptBlocks, notedBlocks } from './minds.ts';
import { type Block, banner, blank, INDENT, laidOut, paragraph } from './page.ts';
import {
  clearedBlocks,
  closedBlocks,
  departedBlocks,
  endBlocks,
  lockedBlocks,
  refusedBlocks,
  turnedBlocks,
  verdictBlocks,
} from './poll.ts';
import type { Scene } from './scene.ts';
import type { Names } from './seats.ts';
import { callBlocks, caughtUp, opened, type Story, told } from './story.ts';
import { tickBlocks } from './talk.ts';

export type TellerOptions = {
  readonly lens: Lens;
  /** Whether the terminal takes colours; the caller has asked NO_COLOR and the stream. */
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Names to put beside the colours. */
  readonly names?: Names;
};

/**
 * Tells one line of the journal after the other: each call returns the lines to print, perhaps none. Quiet rounds of a
 * game are kept until there is more to tell; `end` returns what is left of them when no line comes any more.
 */
export type Teller = { (line: Line): readonly string[]; end(): readonly string[] };

export function teller({ lens, names = {}, ...page }: TellerOptions): Teller {
  const see = lensFor(lens);
  let state = emptyProjection(lens);
  let story: Story | null = null;
  const printed = (blocks: readonly Block[]) => blocks.flatMap((block) => laidOut(block, page));
  const tell = (line: Line) => {
    const seen = see(line);
    if (seen === null) return [];
    state = next(state, seen);
    const scene = { state, names };
    const { ship } = state;
    if (ship === null) return printed(blocksOf(seen, scene));
    const after = told(story ?? opened(ship), seen, { ...state, ship });
    story = after.story;
    const blocks = seen.type === 'meeting.called' ? callBlocks(story, seen) : blocksOf(seen, scene);
    return printed([...after.blocks, ...blocks]);
  };
  const end = () => {
    if (story === null) return [];
    const after = caughtUp(story);
    story = after.story;
    return printed(after.blocks);
  };
  return Object.assign(tell, { end });
}

function blocksOf(line: SeenLine, scene: Scene): readonly Block[] {
  switch (line.type) {
    case 'journal.opened':
      return titleBlocks(line, scene);
    case 'game.opened':
      return gameTitleBlocks(line, scene);
    // The story tells these.
    case 'round.closed':
    case 'end.asked':
    case 'game.closed':
      return [];
    case 'meeting.called':
      return calledBlocks(line);
    case 'meeting.refused':
      return [
        paragraph([ink(INDENT)], [ink(`No meeting: ${line.note?.text ?? 'refused'}`, 'yellow')]),
      ];
    case 'phase.entered':
      return line.phase === undefined ? [] : [blank(), banner(PHASE_TITLES[line.phase])];
    case 'tick.closed':
      return tickBlocks(line, scene);
    case 'stop.asked':
      return [paragraph([ink(INDENT)], [ink('Somebody asks for the end.', 'yellow')])];
    case 'pads.noted':
      return notedBlocks(line);
    case 'pads.consolidated':
      return line.channel === 'ghosts' ? ghostKeptBlocks(line) : keptBlocks(line);
    case 'seat.faulted':
      return faultBlocks(line);
    case 'meeting.closed':
      return [blank(), ...endBlocks(line, scene)];
    default:
      return pollBlocks(line, scene);
  }
}

type Told =
  | 'journal.opened'
  | 'game.opened'
  | 'round.closed'
  | 'end.asked'
  | 'game.closed'
  | 'meeting.called'
  | 'meeting.refused'
  | 'phase.entered'
  | 'tick.closed'
  | 'stop.asked'
  | 'pads.noted'
  | 'pads.consolidated'
  | 'seat.faulted'
  | 'meeting.closed';

function pollBlocks(line: Exclude<SeenLine, { type: Told }>, scene: Scene): readonly Block[] {
  switch (line.type) {
    case 'vote.locked':
      return lockedBlocks(line, scene);
    case 'vote.refused':
      return refusedBlocks(line);
    case 'vote.cleared':
      return clearedBlocks(line);
    case 'seat.departed':
      return departedBlocks(line);
    case 'poll.closed':
      return closedBlocks(line);
    case 'ballot.turned':
      return turnedBlocks(line, scene);
    case 'verdict.told':
      return verdictBlocks(line);
    default:
      return ghostBlocks(line);
  }
}

type Unsaid = Extract<SeenLine, { channel: 'ghosts' } | { type: 'poll.counted' | 'pads.erased' }>;

function ghostBlocks(line: Exclude<Unsaid, { type: 'pads.consolidated' }>): readonly Block[] {
  switch (line.type) {
    case 'gallery.opened':
      return galleryBlocks(line);
    case 'ghost.joined':
      return joinedBlocks(line);
    case 'turn.closed':
      return turnBlocks(line);
    // The count would spoil the reveal, and the other two tell nothing that people watch for.
    case 'poll.counted':
    case 'pads.erased':
    case 'gallery.closed':
      return [];
    default:
      return line satisfies never;
  }
}

const PHASE_TITLES: Readonly<Record<Phase, string>> = {
  interrupt: 'A meeting is called',
  discussion: 'Discussion',
  voting: 'Voting',
  reveal: 'Reveal',
  reaction: 'Reaction',
  consolidation: 'Consolidation',
};
