import { computed, effect, signal } from '@preact/signals';
import type {
  LeagueProgress,
  LeagueReport,
  LeagueSource,
  ListedGame,
} from '../../../analysis/league/types.ts';
import {
  COLUMNS,
  filterPlaces,
  type RankedPersona,
  rankPersonas,
  ratingScale,
  STRONGEST_FIRST,
  sortPlaces,
} from './ranking.ts';

type LeagueAddress = Readonly<ReturnType<typeof parseAddress>>;

const WHOLE = '#league';

export const league = signal<LeagueReport | null>(null);

/** Null for a file, which never changes. */
export const progress = signal<LeagueProgress | null>(null);

export const isCut = signal(false);

export const address = signal<LeagueAddress>(parseAddress(''));

export const places = computed(() => (league.value === null ? [] : rankPersonas(league.value)));

export const shown = computed(() =>
  sortPlaces(filterPlaces(places.value, address.value), address.value.sorting),
);

export const models = computed(() =>
  [...new Set(places.value.map(({ persona }) => persona.model))].toSorted(),
);

export const scale = computed(() => ratingScale(league.value?.standings.rows ?? []));

const games = computed(() => new Map(league.value?.games.map((game) => [game.slot, game]) ?? []));

export function gameIn(slot: number): ListedGame | undefined {
  return games.value.get(slot);
}

export function findPlace(id: string): RankedPersona | undefined {
  return places.value.find(({ row }) => row.id === id);
}

export function look(change: Partial<LeagueAddress>): void {
  address.value = { ...address.value, ...change };
  history.replaceState(null, '', formatAddress(address.value));
}

export const board = signal(boardAddress());

/** The reader has followed a link in the page, and reads on at its end. */
export const hasMoved = signal(false);

export function keepAddress(): void {
  address.value = parseAddress(location.hash);
  board.value = boardAddress();
  addEventListener('hashchange', () => {
    hasMoved.value = true;
    address.value = parseAddress(location.hash);
  });
  effect(() => {
    if (address.value.persona === null) board.value = boardAddress();
  });
}

function boardAddress(): string {
  return formatAddress({ ...address.value, persona: null });
}

/** The persona is the id of the one that is shown, or null for the whole league. */
function parseAddress(hash: string) {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const column = COLUMNS.find((each) => each === fields.get('sort'));
  return {
    persona: fields.get('persona'),
    sorting:
      column === undefined
        ? STRONGEST_FIRST
        : { column, isRising: fields.get('order') === 'rising' },
    model: fields.get('model') ?? '',
    find: fields.get('find') ?? '',
  };
}

/** Defaults are left out of the address. */
function formatAddress({ persona, sorting, model, find }: LeagueAddress): string {
  const fields = new URLSearchParams();
  if (persona !== null) fields.set('persona', persona);
  const { column, isRising } = sorting;
  if (column !== STRONGEST_FIRST.column || isRising) {
    fields.set('sort', column);
    if (isRising) fields.set('order', 'rising');
  }
  if (model !== '') fields.set('model', model);
  if (find !== '') fields.set('find', find);
  return fields.size === 0 ? WHOLE : `#${fields.toString()}`;
}

export function personaLink(id: string): string {
  return `#${new URLSearchParams({ persona: id }).toString()}`;
}

const ASK_MS = 2000;

export function openDocument(): void {
  const source: LeagueSource = JSON.parse(document.getElementById('source')?.textContent ?? 'null');
  league.value = source.league;
  progress.value = source.progress;
  document.title = `${source.league.standings.league} · The Glass Box League`;
  if (source.progress !== null) void follow();
}

async function follow(): Promise<void> {
  while (!isOver()) {
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    if (document.hidden) continue;
    try {
      const now = await fetchJson<LeagueProgress>('progress.json');
      if (now.counted !== league.value?.standings.games)
        league.value = await fetchJson<LeagueReport>('league.json');
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

async function fetchJson<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return await response.json();
}
