/** What models are writing, shown word by word below what the terminal prints and in the page. */
import { WritingBoard } from '../actors/minds/writing.ts';
import { realTime } from '../actors/ports/time.ts';
import type { LivePage } from './live.ts';
import type { ShownModels } from './models.ts';

type WritingPlaces = {
  readonly thinking: ShownModels;
  /** Whether it is shown in this terminal, where there is one. */
  readonly isInTerminal: boolean;
  /** The page that shows it; null without one. */
  readonly host: LivePage | null;
  /** Whether people play: then nobody sees it. */
  readonly hasPeople: boolean;
};

/** Asks models to write as streams, and shows what they write; null where nobody looks through the glass. */
export function showWriting({
  thinking,
  isInTerminal,
  host,
  hasPeople,
}: WritingPlaces): WritingBoard | null {
  const isPrinted = isInTerminal && hasTerminal();
  const isInPage = host?.broadcast.widest.type === 'glass';
  if (hasPeople || !(isPrinted || isInPage)) return null;
  const board = new WritingBoard(realTime);
  if (isInPage) board.watch((writing) => host?.reportWriting(writing));
  if (isPrinted) board.watch((writing) => thinking.costLine.write(writing));
  thinking.onWriting = (asked, words) => board.note(asked, words);
  if (!thinking.isStreamChosen) thinking.streams = true;
  return board;
}

function hasTerminal(): boolean {
  return process.stdout.isTTY === true && process.stderr.isTTY === true;
}
