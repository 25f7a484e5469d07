/** The votes: who has locked one, then one ballot after another, and the sentence. */

import {
  countTurned,
  livingIn,
  type MeetingState,
} from '../../../../machines/journal/projection.ts';
import { Icon } from '../../frame/icon.tsx';
import { Panel } from '../../frame/panel.tsx';
import { moment } from '../state/session.ts';
import { Candidate, Chip, Player } from './seat.tsx';

export function Votes() {
  const now = moment.value;
  const sitting = now?.meeting ?? null;
  if (now === undefined || sitting === null) return null;
  const locked = Object.keys(sitting.locked).length;
  const living = livingIn(now.players).length;
  const isTurning = sitting.turned.length > 0 || sitting.sentence !== '';
  const aside = isTurning ? `${sitting.turned.length} turned` : `${locked} of ${living} locked`;
  return (
    <Panel id="votes" title="Votes" aside={aside}>
      {isTurning ? <Count sitting={sitting} /> : <Locks sitting={sitting} />}
      {sitting.sentence === '' ? null : <p class="sentence">{sitting.sentence}</p>}
    </Panel>
  );
}

function Locks({ sitting }: { readonly sitting: MeetingState }) {
  const crew = moment.value?.players ?? [];
  const seats = crew.filter(({ fate, seat }) => fate === 'living' || seat in sitting.locked);
  return (
    <ul class="locks">
      {seats.map(({ seat }) => {
        const ballot = sitting.locked[seat];
        return (
          <li key={seat} data-seat={seat} data-locked={ballot !== undefined || undefined}>
            <Player seat={seat} />
            {ballot === undefined ? (
              <span class="pending">open</span>
            ) : (
              <span class="ballot">
                <Icon name="lock" /> {ballot === null ? 'locked' : <Candidate ballot={ballot} />}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Count({ sitting }: { readonly sitting: MeetingState }) {
  const counts = countTurned(sitting.turned);
  const voters = (candidate: string) =>
    sitting.turned.filter(({ ballot, isVoid }) => ballot === candidate && !isVoid);
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
