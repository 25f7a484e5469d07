/** The state of the page: the league that is shown, how far it is, and what of it is looked at. */
import { computed, effect, signal } from '@preact/signals';
import { type Address, addressIn, hashOf } from './address.ts';
import type { Game, League, Progress } from './league.ts';
import { filtered, type Place, placesOf, sorted } from './order.ts';
import { ratingScale } from './scale.ts';

export const league = signal<League | null>(null);
/** Null for a file, which stays as it is. */
export const progress = signal<Progress | null>(null);
export const isCut = signal(false);
export const address = signal<Address>(addressIn(location.hash));

/** Everybody, the strongest first. */
export const places = computed(() => (league.value === null ? [] : placesOf(league.value)));
/** Those who are shown, in the order that was asked for. */
export const shown = computed(() =>
  sorted(filtered(places.value, address.value), address.value.sorting),
);
export const models = computed(() =>
  [...new Set(places.value.map(({ persona }) => persona.model))].toSorted(),
);
export const scale = computed(() => ratingScale(league.value?.standings.rows ?? []));
const games = computed(() => new Map(league.value?.games.map((game) => [game.slot, game]) ?? []));

export function gameIn(slot: number): Game | undefined {
  return games.value.get(slot);
}

export function placeOf(id: string): Place | undefined {
  return places.value.find(({ row }) => row.id === id);
}

/** Changes what is looked at, without a step in the history of the browser. */
export function look(change: Partial<Address>): void {
  address.value = { ...address.value, ...change };
  history.replaceState(null, '', hashOf(address.value));
}

/** The leaderboard as it was looked at last, to go back to. */
export const board = signal(hashOf({ ...address.value, persona: null }));

/** Somebody has followed a link in the page, and reads on at its end. */
export const hasMoved = signal(false);

export function keepAddress(): void {
  addEventListener('hashchange', () => {
    hasMoved.value = true;
    address.value = addressIn(location.hash);
  });
  effect(() => {
    if (address.value.persona === null) board.value = hashOf(address.value);
  });
}
