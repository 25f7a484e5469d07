import type { Line, LineOf } from '../machines/journal/lines.ts';
import { gameIn } from '../machines/journal/opening.ts';
import { NUDGE, SYSTEM } from '../machines/types.ts';

/** `target` is there only when a player is addressed; a visible silence has the message "". */
export type TranscriptEntry = {
  readonly speaker: string;
  readonly target?: string;
  readonly message: string;
  readonly t: number;
};

export type Transcript = { readonly transcript: readonly TranscriptEntry[] };

export function readTranscript(lines: readonly Line[]): Transcript {
  return { transcript: lines.flatMap(readEntries) };
}

/** The transcripts of all meetings of a game in order, or null if the lines are no game. */
export function readTranscripts(
  lines: readonly Line[],
): { readonly meetings: readonly Transcript[] } | null {
  if (lines.every((line) => gameIn(line) === null)) return null;
  const meetings: Line[][] = [];
  for (const line of lines) {
    if (line.type === 'meeting.called') meetings.push([]);
    meetings.at(-1)?.push(line);
  }
  return { meetings: meetings.map(readTranscript) };
}

function readEntries(line: Line): readonly TranscriptEntry[] {
  if (line.type !== 'tick.closed') return [];
  const { said, nudge, tick } = line;
  return [
    ...(said === null ? [] : [writeEntry(said)]),
    ...(nudge === null ? [] : [{ speaker: SYSTEM, message: NUDGE, t: tick }]),
  ];
}

/** The keys are in the order of the design. */
function writeEntry({ speaker, target, message, tick: t }: SpokenLine): TranscriptEntry {
  return target === undefined ? { speaker, message, t } : { speaker, target, message, t };
}

type SpokenLine = NonNullable<LineOf<'tick.closed'>['said']>;
