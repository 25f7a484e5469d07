/** Stretches: the parts of a journal as the timeline shows them, from one change of phase to the next. */
import type { Phase } from '../../../../machines/types.ts';
import type { Moment } from './moment.ts';

export type Stretch = {
  readonly from: number;
  readonly kind: Phase | 'ship' | 'end';
  /** "Meeting 2, discussion". */
  readonly name: string;
};

/** The stretch that begins with a moment; null where the one before it goes on. */
export function stretchOf(before: Stretch | null, moment: Moment, from: number): Stretch | null {
  const kind = kindOf(moment, before?.kind ?? 'ship');
  const { number = 1 } = moment.meeting ?? {};
  const isNew = kind === 'interrupt' && moment.line.type === 'phase.entered';
  if (before !== null && before.kind === kind && !isNew) return null;
  const meeting = moment.ship === null ? 'The meeting' : `Meeting ${number}`;
  const name = kind === 'ship' || kind === 'end' ? NAMES[kind] : `${meeting}, ${kind}`;
  return { from, kind, name };
}

const NAMES = { ship: 'On the ship', end: 'The end' } as const;

function kindOf(
  { line, meeting: sitting, ship }: Moment,
  before: Stretch['kind'],
): Stretch['kind'] {
  switch (line.type) {
    case 'game.closed':
      return 'end';
    case 'round.closed':
    case 'game.opened':
      return 'ship';
    case 'meeting.closed':
      return ship === null ? 'end' : before;
    case 'journal.opened':
      return 'interrupt';
    default:
      return before === 'ship' && line.type !== 'phase.entered'
        ? before
        : (sitting?.phase ?? before);
  }
}
