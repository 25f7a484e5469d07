/** What is worked out of the match that is open, for the card at its end. */
import { computed } from '@preact/signals';
import { allCalls } from './calls/calls.ts';
import { sumCalls } from './calls/recordedCalls.ts';
import { placedTurns } from './stakes.tsx';
import { moment, whyNotes } from './state/session.ts';
import { type CardFact, listFindings } from './story/cards.ts';

const isOver = computed(() => {
  const { ending, ship, meeting } = moment.value ?? {};
  return ending != null || (ship === null && meeting?.isOver === true);
});

/** Nothing before the match is over, whatever the lens: a card that is looked back at is drawn then, too. */
export const findings = computed((): readonly CardFact[] => {
  if (!isOver.value) return [];
  const [turn = null] = placedTurns.value;
  const errors = whyNotes.value?.reasoning?.errors ?? null;
  return listFindings({ turn, errors, spent: sumCalls(allCalls.value) });
});
