/** The sitting: what is on the table in the meeting that is on, as far as the lens shows it. */
import type { SeenLine, SeenOf } from '../../../../machines/journal/lens.ts';
import type { Ballot, BySeat, Colour, Outcome, Phase } from '../../../../machines/types.ts';

export type SeenTick = SeenOf<'tick.closed'>;

/** A ballot that was turned; the voter is null where votes are anonymous. */
export type Turned = {
  readonly index: number;
  readonly voter: Colour | null;
  readonly ballot: Ballot;
  readonly isVoid: boolean;
};

export type Sitting = {
  /** Which meeting of the journal, from 1. */
  readonly number: number;
  readonly call: SeenOf<'meeting.called'> | null;
  readonly refusal: string;
  readonly phase: Phase | null;
  /** The last tick of talk. */
  readonly tick: SeenTick | null;
  /** Ticks of talk so far. */
  readonly ticks: number;
  /** Who has voted, and for whom; null where that is hidden. */
  readonly locked: BySeat<Ballot | null>;
  readonly turned: readonly Turned[];
  readonly poll: SeenOf<'poll.closed'> | null;
  readonly sentence: string;
  readonly outcome: Outcome | null;
  readonly ejected: Colour | null;
  readonly isOver: boolean;
};

function convened(number: number): Sitting {
  return {
    ...{ number, call: null, refusal: '', phase: null, tick: null, ticks: 0, locked: {} },
    ...{ turned: [], poll: null, sentence: '', outcome: null, ejected: null, isOver: false },
  };
}

/** The sitting once a line has been seen. It stays until the next one, so that its end can be looked at. */
export function sat(sitting: Sitting | null, line: SeenLine): Sitting | null {
  if (line.channel === 'ghosts') return sitting;
  if (line.type === 'phase.entered' && line.phase === 'interrupt')
    return { ...convened((sitting?.number ?? 0) + 1), phase: 'interrupt' };
  if (line.type === 'meeting.refused')
    return {
      ...convened((sitting?.number ?? 0) + 1),
      refusal: line.note?.text ?? 'The call breaks a rule.',
    };
  return sitting === null ? null : told(sitting, line);
}

function told(sitting: Sitting, line: SeenLine): Sitting {
  switch (line.type) {
    case 'meeting.called':
      return { ...sitting, call: line };
    case 'phase.entered':
      return { ...sitting, phase: line.phase ?? null };
    case 'tick.closed':
      return line.occasion === 'discussion' || line.occasion === 'voting'
        ? { ...sitting, tick: line, ticks: sitting.ticks + 1 }
        : sitting;
    case 'vote.locked':
      if (line.seat === undefined) return sitting;
      return { ...sitting, locked: { ...sitting.locked, [line.seat]: line.ballot ?? null } };
    case 'vote.cleared': {
      const kept = Object.entries(sitting.locked).filter(([seat]) => seat !== line.seat);
      return { ...sitting, locked: Object.fromEntries(kept) };
    }
    case 'poll.closed':
      return { ...sitting, poll: line };
    case 'ballot.turned':
      return turned(sitting, line);
    case 'verdict.told':
    case 'meeting.closed':
      return {
        ...sitting,
        outcome: line.outcome ?? sitting.outcome,
        ejected: line.ejected ?? null,
        ...(line.type === 'meeting.closed' ? { isOver: true } : { sentence: line.sentence ?? '' }),
      };
    default:
      return sitting;
  }
}

function turned(sitting: Sitting, line: SeenOf<'ballot.turned'>): Sitting {
  const { index = sitting.turned.length, ballot } = line;
  if (ballot === undefined) return sitting;
  const voter = line.voter ?? line.by ?? null;
  const next = { index, voter, ballot, isVoid: line.void === true };
  return { ...sitting, turned: [...sitting.turned, next] };
}

/** The count of the ballots that are turned, most votes first; void ones do not count. */
export function tally(
  ballots: readonly Turned[],
): readonly { readonly candidate: Ballot; readonly votes: number }[] {
  const groups = Map.groupBy(
    ballots.filter(({ isVoid }) => !isVoid),
    ({ ballot }) => ballot,
  );
  return [...groups]
    .map(([candidate, votes]) => ({ candidate, votes: votes.length }))
    .toSorted((one, other) => other.votes - one.votes);
}
