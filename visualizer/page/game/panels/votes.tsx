import {
  countTurned,
  livingIn,
  type MeetingState,
} from '../../../../machines/journal/projection.ts';
import type { Ballot, Colour } from '../../../../machines/types.ts';
import { candidateName } from '../../../text.ts';
import { Chip } from '../../frame/chip.tsx';
import { Icon } from '../../frame/head.tsx';
import { memo } from '../../frame/panel.tsx';
import { Candidate, Player } from '../players.tsx';
import { settledMoment } from '../state/session.ts';

function isTurning({ turned, sentence }: MeetingState): boolean {
  return turned.length > 0 || sentence !== '';
}

/** "2 of 7 locked", and later "Skip 3, Red 1". */
export function describeVotes(): string {
  const now = settledMoment.value;
  if (now?.meeting == null) return '';
  const { locked, turned } = now.meeting;
  if (!isTurning(now.meeting))
    return `${Object.keys(locked).length} of ${livingIn(now.players).length} locked`;
  const counts = countTurned(turned);
  return counts.map(({ candidate, votes }) => `${candidateName(candidate)} ${votes}`).join(', ');
}

export function Votes() {
  const meeting = settledMoment.value?.meeting ?? null;
  if (meeting === null) return null;
  return (
    <>
      {isTurning(meeting) ? <VoteCount meeting={meeting} /> : <LockedVotes meeting={meeting} />}
      {meeting.sentence === '' ? null : <p class="sentence">{meeting.sentence}</p>}
    </>
  );
}

function LockedVotes({ meeting }: { readonly meeting: MeetingState }) {
  const crew = settledMoment.value?.players ?? [];
  const seats = crew.filter(({ fate, seat }) => fate === 'living' || seat in meeting.locked);
  return (
    <ul class="locks">
      {seats.map(({ seat }) => (
        <LockedVote key={seat} seat={seat} ballot={meeting.locked[seat]} />
      ))}
    </ul>
  );
}

type LockedVoteProps = {
  readonly seat: Colour;
  /** Null if the lens hides it; undefined if there is none yet. */
  readonly ballot: Ballot | null | undefined;
};

const LockedVote = memo(({ seat, ballot }: LockedVoteProps) => (
  <li data-seat={seat} data-locked={ballot !== undefined || undefined}>
    <Player seat={seat} />
    {ballot === undefined ? (
      <span class="pending">open</span>
    ) : (
      <span class="ballot">
        <Icon name="lock" /> {ballot === null ? 'locked' : <Candidate ballot={ballot} />}
      </span>
    )}
  </li>
));

function VoteCount({ meeting }: { readonly meeting: MeetingState }) {
  const counts = countTurned(meeting.turned);
  const voters = (candidate: string) =>
    meeting.turned.filter(({ ballot, isVoid }) => ballot === candidate && !isVoid);
  return (
    <ul class="count">
      {counts.map(({ candidate, votes }) => (
        <li key={candidate} data-candidate={candidate}>
          <Candidate ballot={candidate} />
          <span class="voters">
            {voters(candidate).map(({ voter, index }) =>
              voter === null ? (
                <span key={index} class="chip" data-seat="skip">
                  ?
                </span>
              ) : (
                <Chip key={index} seat={voter} />
              ),
            )}
          </span>
          <b class="votes">{votes}</b>
        </li>
      ))}
    </ul>
  );
}
