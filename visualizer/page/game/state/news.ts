/** News of a live game: who is being waited for and whose request failed, counted up second by second. */
import { computed, effect, signal } from '@preact/signals';
import type { Colour } from '../../../../machines/types.ts';
import type { News } from '../../../server/news.ts';
import { live } from './session.ts';

type Heard = { readonly news: News; readonly at: number };

const heard = signal<Heard | null>(null);
const now = signal(0);

/** What the server has sent. */
export function hear(text: string): void {
  const news: News = JSON.parse(text);
  now.value = performance.now();
  heard.value = { news, at: now.value };
}

const SECOND = 1000;

const current = computed(() => (live.value === 'on' ? heard.value : null));

/** Whole seconds since somebody began, or since the table is waited for. */
function seconds(ms: number, at: number): number {
  return Math.max(0, Math.floor((ms + now.value - at) / SECOND));
}

/** For how long a player thinks, in seconds; null while they do not, or where that is hidden. */
export function thinkingFor(seat: Colour): number | null {
  const { value } = current;
  const own = value?.news.thinking.find((each) => each.seat === seat);
  return value == null || own === undefined ? null : seconds(own.ms, value.at);
}

/** What went wrong with the last request of a player; '' where nothing did. */
export function troubleOf(seat: Colour): string {
  return current.value?.news.troubles.find((each) => each.seat === seat)?.code ?? '';
}

/** For how long the table is waited for, in seconds; null while it is not. */
export function tableWaits(): number | null {
  const { value } = current;
  return value == null || value.news.table === null ? null : seconds(value.news.table, value.at);
}

/** Counts on while somebody thinks; for as long as the page lives. */
export function countSeconds(): void {
  effect(() => {
    const { value } = current;
    if (value === null || (value.news.thinking.length === 0 && value.news.table === null)) return;
    const timer = setInterval(() => {
      now.value = performance.now();
    }, SECOND / 2);
    return () => clearInterval(timer);
  });
}
