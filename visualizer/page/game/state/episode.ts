/** Whether an episode is on the screen. What draws it loads with the first one. */
import { computed, effect, signal } from '@preact/signals';
import { notice } from '../../frame/address.ts';
import type { KeyCommand } from '../../frame/keyboard.tsx';
import { isPlaying, jumpTo } from './navigation.ts';
import { isPlayingSeat } from './seat.ts';
import { areLanesOpen, enlarged, isLoading, isRecorded, length, live, story } from './session.ts';

export const EPISODE_SECONDS = [60, 300] as const;
export type EpisodeSeconds = (typeof EPISODE_SECONDS)[number];

export const shownSeconds = signal<EpisodeSeconds | null>(null);
export const shotIndex = signal(0);
export const isHeld = signal(false);

export const isEpisodeOn = computed(
  () => shownSeconds.value !== null && story.value.feed.length > 0,
);

function startEpisode(seconds: EpisodeSeconds): void {
  if (isPlayingSeat.value) {
    notice.value = 'An episode can begin when your game is over.';
    return;
  }
  isPlaying.value = false;
  shotIndex.value = 0;
  isHeld.value = false;
  shownSeconds.value = seconds;
}

/** Leaves what fills the page; without that, goes back to the end of a game that is played now. */
function leaveOrReturn(): void {
  const isLive = live.value !== null && !isRecorded.value;
  if (shownSeconds.value !== null) shownSeconds.value = null;
  else if (enlarged.value !== null) enlarged.value = null;
  else if (areLanesOpen.value) areLanesOpen.value = false;
  else if (isLive) jumpTo(length.value - 1);
}

/** Lines of a page that is served come one after the other; the cut is made when none has come for this long. */
const SILENCE_MS = 1000;

export function startEpisodeOfAddress(): void {
  const wanted = new URLSearchParams(location.search).get('episode');
  const seconds = EPISODE_SECONDS.find((each) => `${each}` === wanted);
  if (seconds === undefined) return;
  const stop = effect(() => {
    const isThere = !isLoading.value && length.value > 0;
    if (!isThere) return;
    const wait = live.value === null ? 0 : SILENCE_MS;
    const timer = setTimeout(() => {
      stop();
      startEpisode(seconds);
    }, wait);
    return () => clearTimeout(timer);
  });
}

export const EPISODE_KEYS: readonly KeyCommand[] = [
  {
    keys: ['E', 'Shift E'],
    does: 'an episode of a minute, or of five; Space holds it',
    actions: { e: () => startEpisode(60), E: () => startEpisode(300) },
    tool: { icon: 'episode', label: 'Episode', act: () => startEpisode(60) },
  },
  {
    keys: ['Esc'],
    does: 'leave an episode or an enlarged panel, or go back to live',
    actions: { Escape: leaveOrReturn },
  },
];

export function holdEpisode(): boolean {
  if (!isEpisodeOn.value) return false;
  isHeld.value = !isHeld.value;
  return true;
}
