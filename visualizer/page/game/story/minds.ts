/** Minds: what everybody last thought and noted, as far as the lens shows it. */
import type { SeenLine, SeenOf } from '../../../../machines/journal/lens.ts';
import type { BySeat, Colour } from '../../../../machines/types.ts';
import { aimOf, thoughtOf } from '../../../terminal/orders.ts';
import { readingOf } from '../../../terminal/reading.ts';
import { taskName } from './rounds.ts';

/** A scratchpad; `before` is what it was until the last change, so that the change can be shown. */
export type Pad = { readonly main: string; readonly meeting: string; readonly before: string };

export type Minds = {
  readonly thoughts: BySeat<string>;
  /** What they set out to do on the ship. */
  readonly aims: BySeat<string>;
  readonly pads: BySeat<Pad>;
  /** Whose scratchpad the last line changed. */
  readonly noted: Colour | null;
};

export const BLANK: Minds = { thoughts: {}, aims: {}, pads: {}, noted: null };
const EMPTY: Pad = { main: '', meeting: '', before: '' };

/** The minds once a line has been seen. */
export function thought(minds: Minds, line: SeenLine): Minds {
  const quiet = minds.noted === null ? minds : { ...minds, noted: null };
  switch (line.type) {
    case 'round.closed':
      return ordered(quiet, line);
    case 'tick.closed':
    case 'turn.closed':
      return bidden(quiet, line);
    case 'phase.entered':
      return line.phase === 'interrupt' ? { ...quiet, thoughts: {}, aims: {} } : quiet;
    case 'pads.noted':
      return line.seat === undefined ? quiet : written(quiet, line.seat, line);
    case 'pads.consolidated': {
      const { seat, main, line: added } = line;
      if (seat === undefined) return quiet;
      const old = quiet.pads[seat]?.main ?? '';
      const kept = main ?? [old, added ?? ''].filter((text) => text !== '').join('\n');
      return written(quiet, seat, { main: kept });
    }
    case 'pads.erased': {
      const pads = Object.entries(quiet.pads).map(([seat, pad]) => [seat, { ...pad, meeting: '' }]);
      return { ...quiet, pads: Object.fromEntries(pads) };
    }
    default:
      return quiet;
  }
}

function ordered(minds: Minds, { orders = [] }: SeenOf<'round.closed'>): Minds {
  if (orders.length === 0) return minds;
  const thoughts = orders.flatMap((order) =>
    order.fault === undefined ? [[order.seat, thoughtOf(order)] as const] : [],
  );
  const aims = orders.flatMap((order) => {
    const aim = aimOf(order);
    const what =
      aim === null ? '' : `${aim.type}${aim.task === '' ? '' : ` · ${taskName(aim.task)}`}`;
    return aim === null ? [] : [[order.seat, what] as const];
  });
  return {
    ...minds,
    thoughts: { ...minds.thoughts, ...Object.fromEntries(thoughts) },
    aims: { ...minds.aims, ...Object.fromEntries(aims) },
  };
}

function bidden(minds: Minds, { bids = [] }: SeenOf<'tick.closed' | 'turn.closed'>): Minds {
  if (bids.length === 0) return minds;
  const thoughts = bids.map((bid) => [bid.seat, readingOf(bid).thought] as const);
  return { ...minds, thoughts: { ...minds.thoughts, ...Object.fromEntries(thoughts) } };
}

function written(
  minds: Minds,
  seat: Colour,
  { main, meeting }: { readonly main?: string | undefined; readonly meeting?: string | undefined },
): Minds {
  const old = minds.pads[seat] ?? EMPTY;
  const before = main === undefined ? old.meeting : old.main;
  const pad = { main: main ?? old.main, meeting: meeting ?? old.meeting, before };
  return { ...minds, pads: { ...minds.pads, [seat]: pad }, noted: seat };
}
