/**
 * The story: tells a game between its meetings.
 *
 * Quiet rounds are kept until there is enough to tell of them, or something grave happens, or another line comes; so
 * hundreds of rounds become a page.
 */
import type { Lens, SeenLine, SeenOf } from '../../machines/journal/lens.ts';
import { alarmBlocks, countdownBlocks } from './alarm.ts';
import { boardBlocks } from './board.ts';
import { finaleBlocks } from './finale.ts';
import { calledBlocks } from './header.ts';
import { ink } from './ink.ts';
import { musingBlock, musingIn, shocksIn } from './musing.ts';
import { type Round, thoughtIn } from './orders.ts';
import { type Block, banner, blank, INDENT, paragraph } from './page.ts';
import { passageBlocks } from './passage.ts';
import { clock } from './rounds.ts';
import { listed } from './seats.ts';
import { embarked, sailed, type Voyage } from './voyage.ts';

/** Rounds that are told as one: 20 seconds, and 10 where every second counts. */
const PASSAGE = 8;
const TENSE_PASSAGE = 4;
/** Rounds from one board to the next where nobody is killed: half a minute. */
const BOARD = 12;

export type Story = {
  readonly voyage: Voyage;
  /** The voyage before the rounds that are not told yet. */
  readonly before: Voyage;
  readonly pending: readonly Round[];
  readonly last: Round | null;
  /** The thought that was told last. */
  readonly mused: string;
  /** The round in which the board was shown. */
  readonly shown: number;
  /** A meeting is over, and nobody has gone back to work yet. */
  readonly isResting: boolean;
};
/** The story so far, and what of it is to be printed now. */
export type Told = { readonly story: Story; readonly blocks: readonly Block[] };

export function opened(line: SeenOf<'game.opened'>, lens: Lens): Story {
  const voyage = embarked(line, lens);
  return { voyage, before: voyage, pending: [], last: null, mused: '', shown: 0, isResting: true };
}

/** What a line adds to the story; whatever is not of the ship is told elsewhere, after what was kept back. */
export function told(story: Story, line: SeenLine): Told {
  if (line.type === 'round.closed') return roundTold(story, line);
  const { story: flushed, blocks } = caughtUp(story);
  const voyage = sailed(flushed.voyage, line);
  const next = { ...flushed, voyage, before: voyage };
  switch (line.type) {
    case 'meeting.closed':
      return { story: { ...next, isResting: true, last: null, shown: voyage.round }, blocks };
    case 'end.asked':
      return { story: next, blocks: [...blocks, remark('Somebody asks for the end.')] };
    case 'game.closed':
      return { story: next, blocks: [...blocks, ...finaleBlocks(line, voyage)] };
    default:
      return { story: next, blocks };
  }
}

/** Tells what was kept back. */
export function caughtUp(story: Story): Told {
  const { voyage, before, pending, mused } = story;
  const musing = musingIn(pending, before);
  // Nobody needs to read a thought twice.
  const isNew = musing !== null && musing.thought !== mused;
  const blocks = [
    ...passageBlocks(pending, before, voyage),
    ...(isNew ? [musingBlock(musing)] : []),
  ];
  const next = { ...story, before: voyage, pending: [] };
  return { story: isNew ? { ...next, mused: musing.thought } : next, blocks };
}

function roundTold(story: Story, round: Round): Told {
  const { voyage, last } = story;
  const rest = story.isResting ? returnBlocks(voyage) : [];
  const shocks = shocksIn(round, last, voyage);
  const alarms = [...shocks.map(musingBlock), ...alarmBlocks(round, voyage)];
  const flushed = alarms.length === 0 ? { story, blocks: [] } : caughtUp(story);
  const next: Story = {
    ...flushed.story,
    voyage: sailed(voyage, round),
    pending: [...flushed.story.pending, round],
    last: round,
    mused: shocks.at(-1)?.thought ?? flushed.story.mused,
    isResting: false,
  };
  const blocks = [...rest, ...flushed.blocks, ...alarms];
  const { crisis } = next.voyage;
  const enough = crisis !== null && crisis.left !== null ? TENSE_PASSAGE : PASSAGE;
  const isKill = (round.events ?? []).some(({ type }) => type === 'player.killed');
  // A passage of one's own ways is told after the alarm, and the board after that.
  const isOwn = next.voyage.lens.type === 'player';
  const isDue = next.voyage.round - story.shown >= BOARD && alarms.length > 0 && !isOwn;
  if (isKill || isDue) return boarded(next, blocks);
  return next.pending.length < enough ? { story: next, blocks } : passed(next, blocks);
}

/** Tells a passage that is long enough, and now and then how the game stands. */
function passed(story: Story, blocks: readonly Block[]): Told {
  const { story: next, blocks: passage } = caughtUp(story);
  const { voyage } = next;
  const all = [...blocks, ...passage, ...countdownBlocks(voyage)];
  return voyage.round - story.shown < BOARD ? { story: next, blocks: all } : boarded(next, all);
}

function boarded(story: Story, blocks: readonly Block[]): Told {
  const { voyage } = story;
  return { story: { ...story, shown: voyage.round }, blocks: [...blocks, ...boardBlocks(voyage)] };
}

function returnBlocks({ round, meetings }: Voyage): readonly Block[] {
  const title = meetings === 0 ? 'To work' : `${clock(round)} Back to work`;
  return [blank(), banner(title)];
}

function remark(text: string): Block {
  return paragraph([ink(INDENT)], [ink(text, 'yellow')]);
}

/** How a meeting of a game is called: with the caller's thought, as far as it is seen, and who else is missing. */
export function callBlocks(
  { last, voyage }: Story,
  line: SeenOf<'meeting.called'>,
): readonly Block[] {
  const thought = last === null || line.by === undefined ? undefined : thoughtIn(last, line.by);
  const dead = voyage.losses.flatMap(({ seat, how }) => (how === 'killed' ? [seat] : []));
  const fresh = dead.filter((seat) => seat !== line.body && !voyage.mourned.includes(seat));
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
