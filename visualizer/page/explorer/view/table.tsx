/** The table of a meeting at a step: who has voted for whom, and who wanted the floor how much. */

import { livingIn, type MeetingState } from '../../../../machines/journal/projection.ts';
import { Chip } from '../../frame/chip.tsx';
import { Candidate, Player } from '../../game/players.tsx';
import { listBids } from '../../game/story/bids.ts';
import type { Moment } from '../../game/story/story.ts';

export function Ballots({
  sitting,
  now,
}: {
  readonly sitting: MeetingState;
  readonly now: Moment;
}) {
  const seats = now.players.filter(({ fate, seat }) => fate === 'living' || seat in sitting.locked);
  return (
    <ul class="ballots" aria-label={`Ballots of ${livingIn(now.players).length} living players`}>
      {seats.map(({ seat }) => {
        const ballot = sitting.locked[seat];
        return (
          <li key={seat} data-seat={seat} data-locked={ballot !== undefined || undefined}>
            <Player seat={seat} />
            <span aria-hidden="true">→</span>
            {ballot == null ? <span class="quiet">open</span> : <Candidate ballot={ballot} />}
          </li>
        );
      })}
    </ul>
  );
}

/** Of tables that are large enough for the real arbiter there are scores. */
export function Priorities({ sitting: { tick } }: { readonly sitting: MeetingState }) {
  const rows = tick === null ? [] : listBids(tick).filter(({ isEligible }) => isEligible);
  if (rows.length === 0) return null;
  return (
    <ul class="priorities" aria-label="Priorities in the last tick">
      {rows.map(({ seat, total, isWinner }) => (
        <li key={seat} data-winner={isWinner || undefined}>
          <Chip seat={seat} />
          <span class="vh">{seat} </span>
          <b>{total}</b>
          {isWinner ? <span class="mark">▸ floor</span> : null}
        </li>
      ))}
    </ul>
  );
}
