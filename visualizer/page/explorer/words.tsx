import { capitalize } from '../../../machines/text.ts';
import { COLOURS } from '../../../machines/types.ts';
import type { ExplorerProperty } from '../../../proofs/report/explorerReport.ts';
import { Chip } from '../frame/chip.tsx';
import { report } from './visit.ts';

const QUOTED = /(“[^”]*”)/;
const NAMED = new RegExp(`\\b(${COLOURS.join('|')})\\b`, 'i');

export function Words({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split(QUOTED)
        .map((part, index) =>
          part.startsWith('“') ? <q key={`${index}`}>{part.slice(1, -1)}</q> : seated(part),
        )}
    </>
  );
}

/** Players, unless it is a stranger's machine. */
function seated(text: string) {
  if (report.value?.about === 'machine') return text;
  return text.split(NAMED).map((part, index) => {
    const seat = COLOURS.find((colour) => colour === part.toLowerCase());
    if (seat === undefined) return part;
    return (
      <span key={`${index}`} class="player">
        <Chip seat={seat} />
        {capitalize(part)}
      </span>
    );
  });
}

export type Mood = 'kept' | 'seen' | 'declared' | 'broken' | 'open' | 'silent';

/** How a verdict looks: broken as declared is no alarm. */
export function moodOf({ verdict, asDeclared, kind }: ExplorerProperty): Mood {
  if (!asDeclared) return verdict === 'violated' || verdict === 'proved' ? 'broken' : 'open';
  if (verdict === 'violated') return 'declared';
  if (verdict === 'vacuous') return 'silent';
  return kind === 'sometimes' ? 'seen' : 'kept';
}

const MARKS: Readonly<Record<Mood, string>> = {
  kept: '✓',
  seen: '◉',
  declared: '↯',
  broken: '✗',
  open: '?',
  silent: '·',
};

export function Mark({ mood }: { readonly mood: Mood }) {
  return (
    <span class="verdict-mark" data-mood={mood} aria-hidden="true">
      {MARKS[mood]}
    </span>
  );
}

export function placeWords(at: string): string {
  return at.replaceAll('.', ' › ');
}
