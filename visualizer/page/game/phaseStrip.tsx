import { computed } from '@preact/signals';
import { capitalize } from '../../../machines/text.ts';
import { moment } from './state/session.ts';
import { describePhase, markPhases } from './story/phases.ts';

/** From the call until the ship goes on. */
export const isInMeeting = computed(
  () => moment.value?.meeting != null && moment.value.ship?.lastRound == null,
);

export function PhaseStrip() {
  const now = moment.value;
  if (now?.meeting == null || !isInMeeting.value) return null;
  return (
    <section class="phases" aria-label="Phases of the meeting">
      <ol>
        {markPhases(now.meeting).map(({ phase, place }) => (
          <li key={phase} data-place={place} aria-current={place === 'here' ? 'step' : undefined}>
            {capitalize(phase)}
            <span class="vh">{place === 'here' ? '' : `, ${place}`}</span>
          </li>
        ))}
      </ol>
      <p>{describePhase(now)}</p>
    </section>
  );
}
