/**
 * The transcript as players read it: the JSON of the design, one line for each message, whole and from the beginning.
 *
 * Each line is a block of its own and is written once and for all: what follows a line, be it a comma or the end of
 * the list, belongs to what comes after it.
 */
import type { Utterance } from '../machines/types.ts';
import { type Block, shared } from './block.ts';

/** Everything that was said; `TRANSCRIPT_END` has to follow. */
export function transcriptBlocks(transcript: readonly Utterance[]): readonly Block[] {
  return [
    shared('{"transcript": ['),
    ...transcript.map((said, index) => shared(`${index === 0 ? '' : ','}\n${lineOf(said)}`)),
  ];
}

export const TRANSCRIPT_END = '\n]}';

/** Keys in the order of the design. Only the message is a player's own text; it can't leave its quotes. */
function lineOf({ speaker, target, message, t }: Utterance): string {
  const addressed = target === null ? '' : `"target": "${target}", `;
  return `{"speaker": "${speaker}", ${addressed}"message": ${JSON.stringify(message)}, "t": ${t}}`;
}

/** What the ghosts said among themselves, in the same form. */
export function chatText(chat: readonly { speaker: string; message: string }[]): string {
  const lines = chat.map(
    ({ speaker, message }) => `\n{"speaker": "${speaker}", "message": ${JSON.stringify(message)}}`,
  );
  return `{"ghost_chat": [${lines.join(',')}\n]}`;
}
