/** A journal that is being written: its lines from the server, and who is waited for. */
import { computed, effect, signal } from '@preact/signals';
import type { SeenLine } from '../../../../machines/journal/lens.ts';
import type { Colour } from '../../../../machines/types.ts';
import type { LensStatus } from '../../../server/broadcast.ts';
import { parseLine, parseMoves } from './journal.ts';
import { formatSeatQuery } from './seat.ts';
import { type LiveRow, type LiveState, length, lens, live, step } from './session.ts';
import { receiveRows } from './stages.ts';
import { SharedStream } from './stream.ts';

/** Takes the lines and the status. Returns what ends it. */
export function listenToServer(lens: string, onState: (state: LiveState) => void): () => void {
  const waiting: LiveRow[] = [];
  let heard = '';
  const flush = () => {
    if (waiting.length > 0) receiveRows(waiting.splice(0));
  };
  onState('connecting');
  const ticket = formatSeatQuery('&');
  const path = `events?lens=${encodeURIComponent(lens)}${ticket}`;
  // What only one seat may see stays in its tab.
  const stream = new SharedStream(path, ticket === '', ({ rows, state, status, statusAt }) => {
    // Lines that arrive together render in one update.
    if (waiting.length === 0) setTimeout(flush, 0);
    for (const row of rows) {
      const line = parseLine<SeenLine>(row) ?? parseMoves(row);
      if (line !== null) waiting.push(line);
    }
    if (state === 'over' || state === 'next') flush();
    if (status !== '' && status !== heard) receiveStatus(status, Date.now() - statusAt);
    heard = status;
    onState(state);
  });
  return () => {
    waiting.length = 0;
    stream.stop();
  };
}

const received = signal<Readonly<{ status: LensStatus; at: number }> | null>(null);
const now = signal(0);

function receiveStatus(text: string, ageMs: number): void {
  const status: LensStatus = JSON.parse(text);
  now.value = performance.now();
  received.value = { status, at: now.value - ageMs };
}

const SECOND_MS = 1000;

const current = computed(() => (live.value === 'on' ? received.value : null));

/** The seconds of something that has gone on since this long before the status came. */
function countSeconds(ms: number | null | undefined): number | null {
  const { value } = current;
  if (value === null || ms == null) return null;
  return Math.max(0, Math.floor((ms + now.value - value.at) / SECOND_MS));
}

export function getThinkingSeconds(seat: Colour): number | null {
  return countSeconds(current.value?.status.thinking.find((each) => each.seat === seat)?.ms);
}

export function findFailure(seat: Colour): string {
  return current.value?.status.failures.find((each) => each.seat === seat)?.code ?? '';
}

/** The text that models are writing, through the glass and at the latest moment only. */
export const writing = computed(() =>
  lens.value.type === 'glass' && step.value >= length.value - 1
    ? (current.value?.status.writing ?? [])
    : [],
);

export function getTableSeconds(): number | null {
  return countSeconds(current.value?.status.tableMs);
}

export function getWaitedFor(): Colour | null {
  return current.value?.status.waitedFor ?? null;
}

export function startCountingSeconds(): void {
  effect(() => {
    const { value } = current;
    if (value === null || (value.status.thinking.length === 0 && value.status.tableMs === null))
      return;
    const timer = setInterval(() => {
      now.value = performance.now();
    }, SECOND_MS / 2);
    return () => clearInterval(timer);
  });
}
