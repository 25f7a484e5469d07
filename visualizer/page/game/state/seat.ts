/**
 * The seat that a person plays in this tab. The token comes with the link. The tab stores it, so that a reload keeps
 * the seat and a copied link reveals nothing. The browser remembers it, so that another tab can take over.
 */
import { batch, computed, effect, signal } from '@preact/signals';
import type { SeatStatus } from '../../../../machines/turnPrompt.ts';
import type { Colour } from '../../../../machines/types.ts';
import { tryStorage } from '../../frame/preferences.ts';
import type { TurnOrder } from '../story/turnMap.ts';
import { isPlain, pane } from './session.ts';

const TOKEN_KEY = 'seat';

let token = '';

/** Takes the ticket of the address, or the one stored in this tab. Returns its source. */
export function takeSeatToken(hash: string): 'link' | 'tab' | null {
  const given = new URLSearchParams(hash.replace(/^#/, '')).get('seat') ?? '';
  token = given === '' ? (tryStorage(() => sessionStorage.getItem(TOKEN_KEY)) ?? '') : given;
  if (token === '') return null;
  tryStorage(() => sessionStorage.setItem(TOKEN_KEY, token));
  tryStorage(() => localStorage.setItem(TOKEN_KEY, [token, ...listRemembered()].join(' ')));
  return given === '' ? 'tab' : 'link';
}

const MOST_REMEMBERED = 8;

function listRemembered(): readonly string[] {
  const kept = tryStorage(() => localStorage.getItem(TOKEN_KEY)) ?? '';
  const tokens = kept.split(' ').filter((each) => each !== '' && each !== token);
  return tokens.slice(0, MOST_REMEMBERED - 1);
}

export type FreeSeat = { readonly seat: Colour; readonly token: string };
export const freeSeats = signal<readonly FreeSeat[]>([]);

export async function findFreeSeats(): Promise<void> {
  const found = await Promise.all(listRemembered().map(lookAtSeat));
  freeSeats.value = found.filter((each) => each !== null);
}

async function lookAtSeat(remembered: string): Promise<FreeSeat | null> {
  try {
    const response = await fetch(`seat/look?seat=${encodeURIComponent(remembered)}`);
    const { seat, isAway } = await response.json();
    return isAway === true ? { seat, token: remembered } : null;
  } catch {
    // Of another game that was served here.
    return null;
  }
}

export function takeSeatAgain({ token: remembered }: FreeSeat): void {
  location.hash = `seat=${remembered}`;
  location.reload();
}

export function formatSeatQuery(before: '?' | '&'): string {
  return token === '' ? '' : `${before}seat=${encodeURIComponent(token)}`;
}

/** A turn stays in sight while it is open. */
export function togglePlain(): void {
  if (currentTurn.value === null) isPlain.value = !isPlain.value;
}

async function postForSeat(path: string, fields: object): Promise<string | null> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ seat: token, ...fields }),
    });
    return response.ok ? null : (await response.text()).trim();
  } catch {
    return 'The server does not answer. Is the game still running?';
  }
}

export const seatStatus = signal<SeatStatus | null>(null);
/** Whether the player is dead, as the last question said. */
export const isDead = signal(false);
export const justWatches = signal(true);
export const currentTurn = computed(() => {
  const asked = seatStatus.value?.asked ?? null;
  return asked?.offer.you.isDead === true && justWatches.value ? null : asked;
});
/** Whether a game goes on in which this tab may be asked. */
export const isPlayingSeat = computed(() => {
  const { isOver = true, attendance = 'left' } = seatStatus.value ?? {};
  return !isOver && attendance !== 'left' && !(isDead.value && justWatches.value);
});
/** The open turn on the ship; null at the table, and while no question is open. */
export const shipTurn = computed(() => {
  const offer = currentTurn.value?.offer ?? null;
  return offer?.scene == null ? null : { ...offer, scene: offer.scene };
});
export const chosenOrder = signal<TurnOrder | null>(null);
export const secondsLeft = signal(0);
/** Why the last answer was refused; '' if it was accepted. */
export const refusal = signal('');
export const isListening = signal(false);

/** The draft. It survives a missed deadline, so that it can be said a tick later. */
export const message = signal('');
export const thought = signal('');
export const notes = signal<string | null>(null);

const SECOND_MS = 1000;
let deadline = 0;

/** Holds the seat while the page is open. Calls back once with null if the ticket fits no seat. */
export function holdSeat(onSeat: (seat: Colour | null) => void): void {
  const events = new EventSource(`seat${formatSeatQuery('?')}`);
  events.onmessage = ({ data }) => {
    const next: SeatStatus = JSON.parse(String(data));
    const isFirst = seatStatus.value === null;
    updateSeat(next);
    if (isFirst) onSeat(next.seat);
  };
  events.onerror = () => {
    // The browser reconnects after a cut. A closed source means a refusal.
    if (events.readyState !== EventSource.CLOSED || seatStatus.value !== null) return;
    token = '';
    tryStorage(() => sessionStorage.removeItem(TOKEN_KEY));
    onSeat(null);
  };
  effect(() => {
    if (currentTurn.value === null) return;
    const timer = setInterval(() => {
      secondsLeft.value = Math.max(0, Math.ceil((deadline - performance.now()) / SECOND_MS));
    }, SECOND_MS / 4);
    return () => clearInterval(timer);
  });
}

function updateSeat(next: SeatStatus): void {
  const isNew = next.asked?.id !== seatStatus.value?.asked?.id;
  batch(() => {
    deadline = performance.now() + (next.asked?.ms ?? 0);
    secondsLeft.value = Math.ceil((next.asked?.ms ?? 0) / SECOND_MS);
    if (isNew) {
      chosenOrder.value = null;
      showPaneOf(next);
      refusal.value = '';
      notes.value = null;
    }
    if (next.isOver) isListening.value = false;
    if (next.asked !== null) isDead.value = next.asked.offer.you.isDead;
    seatStatus.value = next;
    if (isNew && currentTurn.value !== null) isPlain.value = false;
  });
  if (isNew) passIfDead();
}

function passIfDead(): void {
  const asked = seatStatus.value?.asked ?? null;
  if (asked !== null && currentTurn.value === null)
    void postForSeat('seat', { id: asked.id, answer: { action: null } });
}

export function watchOnly(isOn: boolean): void {
  justWatches.value = isOn;
  passIfDead();
}

/** A narrow screen shows the map on the ship and the story at the table. */
let isAtShip: boolean | null = null;

function showPaneOf({ asked }: SeatStatus): void {
  if (asked === null || (asked.offer.you.isDead && justWatches.value)) return;
  const isShip = asked.offer.scene !== null;
  if (isShip !== isAtShip) pane.value = isShip ? 'ship' : 'story';
  isAtShip = isShip;
}

export async function sendAnswer(reply: object): Promise<void> {
  const open = currentTurn.peek();
  if (open === null) return;
  const { page } = open.offer.notes;
  const own = thought.peek().trim();
  const written = notes.peek();
  const why = await postForSeat('seat', {
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

export function giveOrder({ action }: TurnOrder): void {
  void sendAnswer({ action });
}

export async function leaveSeat(): Promise<void> {
  refusal.value = (await postForSeat('seat/leave', {})) ?? '';
}
