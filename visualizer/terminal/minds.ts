/** What is in the minds, in print: thoughts, notebooks, and replies that could not be used. */
import type { SeenOf } from '../../machines/journal/lens.ts';
import { ink } from './ink.ts';
import { type Block, INDENT, paragraph } from './page.ts';
import { player } from './seats.ts';

/** Characters of a notebook that are printed; the journal has it whole. */
const NOTE_LENGTH = 280;

/** A thought below what it belongs to; nothing where it is unknown or empty. */
export function thoughtBlock(thought: string | undefined, indent: string): readonly Block[] {
  if (thought === undefined || thought.trim() === '') return [];
  return [paragraph([ink(`${indent}~ `, 'dim')], [ink(thought, 'dim', 'italic')])];
}

export function notedBlocks({ seat, main, meeting }: SeenOf<'pads.noted'>): readonly Block[] {
  if (seat === undefined) return [];
  const pages = [
    { title: 'meeting page', text: meeting },
    { title: 'main page', text: main },
  ];
  return pages.flatMap(({ title, text }) =>
    text === undefined
      ? []
      : [
          paragraph(
            [ink(INDENT)],
            [...player(seat), ink(` notes (${title}): `, 'dim'), ink(clipped(text), 'dim')],
          ),
        ],
  );
}

export function keptBlocks(
  { seat, main, line }: SeenOf<'pads.consolidated'>,
  indent = INDENT,
): readonly Block[] {
  if (seat === undefined) return [];
  const kept = main ?? null;
  const what =
    kept === null
      ? [ink(' wrote nothing; the engine adds: ', 'dim'), ink(clipped(line ?? ''))]
      : [ink(' keeps: ', 'dim'), ink(clipped(kept))];
  return [paragraph([ink(indent)], [...player(seat), ...what])];
}

/** The code of the fault by which a mind lets its player leave. */
const LEAVING = 'seat/left';

/** A fault in words. Who leaves is told as such in the next line, and is no fault to people. */
export function faultBlocks({ seat, code, streak }: SeenOf<'seat.faulted'>): readonly Block[] {
  if (code === LEAVING) return [];
  if (seat === undefined) return [];
  const times = streak === undefined || streak < 2 ? '' : `, ${streak} times in a row`;
  const what = ink(` gives no usable reply (${code ?? 'unknown'}${times})`, 'red');
  return [paragraph([ink(INDENT)], [...player(seat), what])];
}

function clipped(text: string): string {
  const letters = Array.from(text);
  return letters.length <= NOTE_LENGTH ? text : `${letters.slice(0, NOTE_LENGTH).join('')}…`;
}
