/** Where the league comes from: out of the document, and from the server while it is being played. */
import type { League, Progress, Source } from './league.ts';
import { isCut, league, progress } from './state.ts';

/** Milliseconds between two questions how far it is. */
const ASK_MS = 2000;

export function openDocument(): void {
  const source: Source = JSON.parse(document.getElementById('source')?.textContent ?? 'null');
  league.value = source.league;
  progress.value = source.progress;
  document.title = `${source.league.standings.league} · The Glass Box League`;
  if (source.progress !== null) void follow();
}

/** Asks until all games have been counted. */
async function follow(): Promise<void> {
  while (!isOver()) {
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    if (document.hidden) continue;
    try {
      const now = await asked<Progress>('progress.json');
      if (now.counted !== league.value?.standings.games) {
        league.value = await asked<League>('league.json');
      }
      progress.value = now;
      isCut.value = false;
    } catch {
      isCut.value = true;
    }
  }
}

function isOver(): boolean {
  const standings = league.value?.standings;
  return standings !== undefined && standings.games >= standings.of;
}

async function asked<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  const value: T = await response.json();
  return value;
}
