/** The ghosts in print: set apart by a line of their own, because the living never hear them. */
import type { SeenOf } from '../../machines/journal/lens.ts';
import { readBid } from '../../machines/journal/projection.ts';
import type { Colour } from '../../machines/types.ts';
import { type Ink, ink } from './ink.ts';
import { keptBlocks } from './minds.ts';
import { type Block, INDENT, paragraph } from './page.ts';
import { player } from './seats.ts';

const MARGIN = `${INDENT}┊ `;

export function galleryBlocks({ present, budget }: SeenOf<'gallery.opened'>): readonly Block[] {
  if (budget === undefined || present !== true) return [];
  return [murmur([ink(`the ghosts watch, with ${budget} turns of talk`, 'dim')])];
}

export function joinedBlocks({ seat }: SeenOf<'ghost.joined'>): readonly Block[] {
  return seat === undefined ? [] : [murmur([...player(seat), ink(' joins the ghosts', 'dim')])];
}

export function turnBlocks({ occasion, said, bids = [] }: SeenOf<'turn.closed'>): readonly Block[] {
  if (said !== null && said !== undefined) {
    return [murmur([...ghost(said.speaker), ink(` “${said.message}”`, 'dim')])];
  }
  if (occasion !== 'reaction') return [];
  return bids.flatMap((bid) => {
    const { thought } = readBid(bid);
    return thought.trim() === ''
      ? []
      : [murmur([...ghost(bid.seat), ink(` thinks: ${thought}`, 'dim', 'italic')])];
  });
}

export function ghostKeptBlocks(line: SeenOf<'pads.consolidated'>): readonly Block[] {
  return keptBlocks(line, MARGIN);
}

function ghost(seat: Colour): readonly Ink[] {
  return [...player(seat), ink(' (ghost)', 'dim')];
}

function murmur(text: readonly Ink[]): Block {
  return paragraph([ink(MARGIN, 'dim')], text);
}
