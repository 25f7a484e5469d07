/** A moment: everything that the page shows of one step of the journal. Moments share what has not changed. */
import type { Lens, SeenLine } from '../../../../machines/journal/lens.ts';
import {
  emptyProjection,
  next,
  type Projection,
  readBid,
} from '../../../../machines/journal/projection.ts';
import type { Colour } from '../../../../machines/types.ts';
import type { Finder } from './chart.ts';
import { litIn } from './chart.ts';
import { type Course, coursed, NOWHERE } from './course.ts';

export type Moment = Projection & {
  /** What has just happened. */
  readonly line: SeenLine;
  /** What it is called in an address: "42", or "g3" among the ghosts. */
  readonly name: string;
  readonly course: Course;
  /** States that are lit, and the transitions that led there. */
  readonly lit: readonly string[];
  readonly trail: readonly string[];
  /** How many items of the feed, of the gallery and of the marks are told by now. */
  readonly told: number;
  readonly haunted: number;
  readonly marked: number;
};

/** Something that a ghost said. */
export type Haunt = {
  readonly step: number;
  readonly speaker: Colour;
  readonly message: string;
  readonly thought: string;
};

/** What a line is seen with. */
export type Eyes = { readonly lens: Lens; readonly find: Finder };

/** The moment after a line, without what is counted in the story. */
export function nextMoment(before: Moment | null, line: SeenLine, { lens, find }: Eyes): Moment {
  const course = coursed(before?.course ?? NOWHERE, line);
  const trail = course.trail.flatMap((hop) => find(hop)?.id ?? []);
  const isSame = course.meeting === before?.course.meeting && course.game === before.course.game;
  return {
    line,
    name: nameOf(line),
    ...next(before ?? emptyProjection(lens), line),
    course,
    lit: isSame && before !== null ? before.lit : litIn(course),
    trail,
    told: before?.told ?? 0,
    haunted: before?.haunted ?? 0,
    marked: before?.marked ?? 0,
  };
}

function nameOf({ channel, seq }: SeenLine): string {
  return channel === 'ghosts' ? `g${seq}` : `${seq}`;
}

/** Lines that change what is known and show nothing: the count would spoil the reveal. */
export function isSilent(line: SeenLine): boolean {
  switch (line.type) {
    case 'poll.counted':
    case 'pads.erased':
    case 'gallery.opened':
    case 'gallery.closed':
      return true;
    case 'turn.closed':
      return line.said == null;
    case 'pads.consolidated':
      return line.channel === 'ghosts';
    default:
      return false;
  }
}

export function hauntOf(line: SeenLine, step: number): Haunt | null {
  if (line.type !== 'turn.closed' || line.said == null) return null;
  const { speaker, message } = line.said;
  const bid = line.bids?.find(({ seat }) => seat === speaker);
  return { step, speaker, message, thought: bid === undefined ? '' : readBid(bid).thought };
}
