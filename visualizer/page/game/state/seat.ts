/** The seat: what is asked of whoever plays in this page, how much time is left, and what they answer. */
import { batch, computed, effect, signal } from '@preact/signals';
import type { Seating } from '../../../../machines/turnPrompt.ts';
import type { Colour } from '../../../../machines/types.ts';
import { dropTicket, ticketQuery, writeWithTicket } from '../source/ticket.ts';

/** How the seat stands; null where nobody plays in this page. */
export const seating = signal<Seating | null>(null);
export const asked = computed(() => seating.value?.asked ?? null);
/** Seconds that are left to answer. */
export const secondsLeft = signal(0);
/** Why the last answer was not taken; '' when it was. */
export const refusal = signal('');
/** Whether the page passes by itself until somebody names the player. */
export const isListening = signal(false);

/** What is being written. It stays when the time is up, so that it can be said a tick later. */
export const message = signal('');
export const thought = signal('');
export const notes = signal<string | null>(null);

const SECOND = 1000;
let until = 0;

/** Holds the seat for as long as the page is open; hears null once where the ticket is of no seat. */
export function holdSeat(onSeat: (seat: Colour | null) => void): void {
  const events = new EventSource(`seat${ticketQuery('?')}`);
  events.onmessage = ({ data }) => {
    const next: Seating = JSON.parse(String(data));
    const isFirst = seating.value === null;
    take(next);
    if (isFirst) onSeat(next.seat);
  };
  events.onerror = () => {
    // A cut is mended by the browser; what is closed was refused.
    if (events.readyState !== EventSource.CLOSED || seating.value !== null) return;
    dropTicket();
    onSeat(null);
  };
  keepTime();
}

function take(next: Seating): void {
  const isNew = next.asked?.id !== asked.value?.id;
  batch(() => {
    until = performance.now() + (next.asked?.ms ?? 0);
    secondsLeft.value = Math.ceil((next.asked?.ms ?? 0) / SECOND);
    if (isNew) {
      refusal.value = '';
      notes.value = null;
    }
    if (next.isOver) isListening.value = false;
    seating.value = next;
  });
}

function keepTime(): void {
  const title = document.title;
  effect(() => {
    document.title = asked.value === null ? title : `● Your turn · ${title}`;
    if (asked.value === null) return;
    const timer = setInterval(() => {
      secondsLeft.value = Math.max(0, Math.ceil((until - performance.now()) / SECOND));
    }, SECOND / 4);
    return () => clearInterval(timer);
  });
}

/** Answers what is asked, with the thought and the notes that were written. */
export async function answer(reply: object): Promise<void> {
  const open = asked.peek();
  if (open === null) return;
  const { page } = open.offer.notes;
  const own = thought.peek().trim();
  const written = notes.peek();
  const why = await writeWithTicket('seat', {
    id: open.id,
    answer: {
      ...reply,
      ...(own === '' ? {} : { internal_thought: own }),
      ...(written === null ? {} : { scratchpad_updates: { [page]: written } }),
    },
  });
  batch(() => {
    refusal.value = why ?? '';
    if (why !== null) return;
    message.value = '';
    thought.value = '';
  });
}

/** Leaves the game for good. */
export async function leaveSeat(): Promise<void> {
  refusal.value = (await writeWithTicket('seat/leave', {})) ?? '';
}
