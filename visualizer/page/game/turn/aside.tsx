/** What a player keeps to themselves: a thought that nobody hears before the end, and the notes. */
import type { Offer } from '../../../../machines/turnPrompt.ts';
import { notes, thought } from '../state/seat.ts';

const LONGEST_THOUGHT = 2000;
const PAGES = {
  main_scratch: 'Notes that you keep for the whole game',
  meeting_scratch: 'Notes of this meeting',
} as const;

export function Aside({
  offer,
  isOpen = false,
}: {
  readonly offer: Offer;
  readonly isOpen?: boolean;
}) {
  return (
    <details class="own" open={isOpen}>
      <summary>Thought and notes</summary>
      <label>
        <span>Your thought: nobody hears it before the end</span>
        <input
          type="text"
          maxLength={LONGEST_THOUGHT}
          value={thought.value}
          onInput={({ currentTarget }) => {
            thought.value = currentTarget.value;
          }}
        />
      </label>
      <label>
        <span>{PAGES[offer.notes.page]}</span>
        <textarea
          rows={3}
          value={notes.value ?? offer.notes.text}
          onInput={({ currentTarget }) => {
            notes.value = currentTarget.value;
          }}
        />
      </label>
    </details>
  );
}
