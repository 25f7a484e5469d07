/**
 * The story: tells a game between its meetings.
 *
 * Quiet rounds are kept until there is enough to tell of them, or something grave happens, or another line comes; so
 * hundreds of rounds become a page.
 */
import type { SeenLine, SeenOf } from '../../machines/journal/lens.ts';
import {
  type Projection,
  type SeenRound,
  type ShipState,
  thoughtIn,
} from '../../machines/journal/projection.ts';
import { alarmBlocks, countdownBlocks } from './alarm.ts';
import { boardBlocks } from './board.ts';
import { finaleBlocks } from './finale.ts';
import { calledBlocks } from './header.ts';
import { ink } from './ink.ts';
import { musingBlock, musingIn, shocksIn } from './musing.ts';
import { type Block, banner, blank, INDENT, paragraph } from './page.ts';
import { passageBlocks } from './passage.ts';
import { clock } from './rounds.ts';
import type { ShipProjection } from './scene.ts';
import { listed } from './seats.ts';

/** Rounds that are told as one: 20 seconds, and 10 where every second counts. */
const PASSAGE = 8;
const TENSE_PASSAGE = 4;
/** Rounds from one board to the next where nobody is killed: half a minute. */
const BOARD = 12;

export type Story = {
  /** After the last line. */
  readonly ship: ShipState;
  /** The ship before the rounds that are not told yet. */
  readonly before: ShipState;
  readonly pending: readonly SeenRound[];
  readonly last: SeenRound | null;
  /** The thought that was told last. */
  readonly mused: string;
  /** The round in which the board was shown. */
  readonly shown: number;
  /** A meeting is over, and nobody has gone back to work yet. */
  readonly isResting: boolean;
};
/** The story so far, and what of it is to be printed now. */
export type Told = { readonly story: Story; readonly blocks: readonly Block[] };

export function opened(ship: ShipState): Story {
  return { ship, before: ship, pending: [], last: null, mused: '', shown: 0, isResting: true };
}

/** What a line adds to the story; whatever is not of the ship is told elsewhere, after what was kept back. */
export function told(story: Story, line: SeenLine, state: ShipProjection): Told {
  const { ship } = state;
  if (line.type === 'round.closed') return roundTold(story, line, state);
  const { story: flushed, blocks } = caughtUp(story);
  const next = { ...flushed, ship, before: ship };
  switch (line.type) {
    case 'meeting.closed':
      return { story: { ...next, isResting: true, last: null, shown: ship.round }, blocks };
    case 'end.asked':
      return { story: next, blocks: [...blocks, remark('Somebody asks for the end.')] };
    case 'game.closed':
      return { story: next, blocks: [...blocks, ...finaleBlocks(line, state)] };
    default:
      return { story: next, blocks };
  }
}

/** Tells what was kept back. */
export function caughtUp(story: Story): Told {
  const { ship, before, pending, mused } = story;
  const musing = musingIn(pending, before);
  // Nobody needs to read a thought twice.
  const isNew = musing !== null && musing.thought !== mused;
  const blocks = [...passageBlocks(pending, before, ship), ...(isNew ? [musingBlock(musing)] : [])];
  const next = { ...story, before: ship, pending: [] };
  return { story: isNew ? { ...next, mused: musing.thought } : next, blocks };
}

function roundTold(story: Story, round: SeenRound, state: ShipProjection): Told {
  const { ship } = state;
  const { ship: before, last } = story;
  const rest = story.isResting ? returnBlocks(before, state) : [];
  const shocks = shocksIn(round, last, before);
  const alarms = [...shocks.map(musingBlock), ...alarmBlocks(round, before)];
  const flushed = alarms.length === 0 ? { story, blocks: [] } : caughtUp(story);
  const next: Story = {
    ...flushed.story,
    ship,
    pending: [...flushed.story.pending, round],
    last: round,
    mused: shocks.at(-1)?.thought ?? flushed.story.mused,
    isResting: false,
  };
  const blocks = [...rest, ...flushed.blocks, ...alarms];
  const { sabotage } = ship;
  const enough = sabotage !== null && sabotage.left !== null ? TENSE_PASSAGE : PASSAGE;
  const isKill = (round.events ?? []).some(({ type }) => type === 'player.killed');
  // A passage of one's own ways is told after the alarm, and the board after that.
  const isOwn = ship.lens.type === 'player';
  const isDue = ship.round - story.shown >= BOARD && alarms.length > 0 && !isOwn;
  if (isKill || isDue) return boarded(next, blocks);
  return next.pending.length < enough ? { story: next, blocks } : passed(next, blocks);
}

/** Tells a passage that is long enough, and now and then how the game stands. */
function passed(story: Story, blocks: readonly Block[]): Told {
  const { story: next, blocks: passage } = caughtUp(story);
  const { ship } = next;
  const all = [...blocks, ...passage, ...countdownBlocks(ship)];
  return ship.round - story.shown < BOARD ? { story: next, blocks: all } : boarded(next, all);
}

function boarded(story: Story, blocks: readonly Block[]): Told {
  const { ship } = story;
  return { story: { ...story, shown: ship.round }, blocks: [...blocks, ...boardBlocks(ship)] };
}

function returnBlocks({ round }: ShipState, { meetings }: Projection): readonly Block[] {
  const title = meetings === 0 ? 'To work' : `${clock(round)} Back to work`;
  return [blank(), banner(title)];
}

function remark(text: string): Block {
  return paragraph([ink(INDENT)], [ink(text, 'yellow')]);
}

/** How a meeting of a game is called: with the caller's thought, as far as it is seen, and who else is missing. */
export function callBlocks(
  { last, ship }: Story,
  line: SeenOf<'meeting.called'>,
): readonly Block[] {
  const thought = last === null || line.by === undefined ? undefined : thoughtIn(last, line.by);
  const dead = ship.losses.flatMap(({ seat, how }) => (how === 'killed' ? [seat] : []));
  const fresh = dead.filter((seat) => seat !== line.body && !ship.knownLost.includes(seat));
  const missing =
    fresh.length === 0
      ? []
      : [
          paragraph(
            [ink(INDENT)],
            [...listed(fresh), ink(` ${fresh.length === 1 ? 'is' : 'are'} missing`, 'yellow')],
          ),
        ];
  return [...calledBlocks(line, thought), ...missing];
}
