/** The seats: everybody in the journal in one row, with what is known of them and how long they have been silent. */

import {
  type KnownPlayer,
  livingIn,
  type PlayerFate,
} from '../../../../machines/journal/projection.ts';
import { longestSilence } from '../../../../machines/rules/weights.ts';
import type { Ballot } from '../../../../machines/types.ts';
import { CODES, candidateName, capitalize } from '../../../text.ts';
import { focus, moment, story } from '../state/session.ts';
import { toggleFocus } from '../state/travel.ts';
import { readWeights } from '../story/bids.ts';
import type { Moment } from '../story/story.ts';
import { Chip } from './seat.tsx';
import { Thinking } from './waiting.tsx';

const FATES: Readonly<Record<PlayerFate, string>> = {
  living: '',
  killed: '✕ killed',
  ejected: '⏏ ejected',
  left: '⊘ left',
  dead: '✕ dead',
};

export function Seats() {
  const now = moment.value;
  if (now === undefined) return null;
  return (
    <section aria-label="Players">
      <ul class="seats">
        {now.players.map((member) => (
          <li key={member.seat}>
            <Seat member={member} now={now} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Seat({ member, now }: { readonly member: KnownPlayer; readonly now: Moment }) {
  const { seat, role, persona, fate } = member;
  const { meeting: sitting } = now;
  const isOn = sitting?.phase === 'discussion' || sitting?.phase === 'voting';
  const isTalking = isOn && sitting?.tick?.floor === seat;
  const hasVoted = isOn && seat in sitting.locked;
  return (
    <button
      type="button"
      class="seat"
      data-seat={seat}
      data-fate={fate}
      data-floor={isTalking || undefined}
      aria-pressed={focus.value === seat}
      title={`Look at ${capitalize(seat)}`}
      onClick={() => toggleFocus(seat)}
    >
      <Chip seat={seat} />
      <span class="name">{capitalize(seat)}</span>
      <span class="role" data-role={role ?? undefined}>
        {fate === 'living' ? (role ?? persona) : FATES[fate]}
      </span>
      <span class="flags">
        {isTalking ? <span title="Has the floor">▸ floor</span> : null}
        {hasVoted ? <Voted ballot={sitting.locked[seat] ?? null} /> : null}
        <Thinking seat={seat} />
      </span>
      {fate === 'living' ? <Silence member={member} now={now} /> : null}
    </button>
  );
}

/** Whom for, where the lens shows it. */
function Voted({ ballot }: { readonly ballot: Ballot | null }) {
  if (ballot === null) return <span title="Has voted">✓ voted</span>;
  return (
    <span class="ballot" title={`Votes for ${candidateName(ballot)}`}>
      ✓ votes {ballot === 'skip' ? '—' : CODES[ballot]}
    </span>
  );
}

/** Ticks of silence against the longest silence that the weights allow. */
function Silence({
  member: { seat },
  now,
}: {
  readonly member: KnownPlayer;
  readonly now: Moment;
}) {
  const { meeting: sitting, players: crew } = now;
  if (sitting === null || sitting.isOver || sitting.tick === null) return null;
  const score = sitting.tick.scores?.find((each) => each.seat === seat);
  const weights = readWeights(story.value.moments[0]?.line);
  if (score === undefined || weights === null) return null;
  const bound = longestSilence(weights, livingIn(crew).length);
  const silent = sitting.tick.floor === seat ? 0 : (score.silent_ticks ?? 0) + 1;
  const share = Math.min(1, silent / bound);
  const words = `silent for ${silent} of at most ${Number.isFinite(bound) ? bound : 'any number of'} ticks`;
  return (
    <span class="silence" title={capitalize(words)}>
      <span class="vh">{words}</span>
      <span class="meter" aria-hidden="true" style={`--share: ${share.toFixed(3)}`} />
      <span class="ticks" aria-hidden="true">
        {silent}/{Number.isFinite(bound) ? bound : '∞'}
      </span>
    </span>
  );
}
