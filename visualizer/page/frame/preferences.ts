/** Preferences: theme and single keys. The browser stores them where it stores anything. */
import { effect, signal } from '@preact/signals';
import { adoptSuits } from './chip.tsx';

export const THEMES = ['auto', 'dark', 'light'] as const;
export type Theme = (typeof THEMES)[number];

export const theme = signal<Theme>('auto');
export const areSingleKeysOn = signal(true);
export const unfolded = signal<readonly string[]>([]);

/** A browser that stores nothing works all the same: files that are opened from disk may have no storage. */
export function tryStorage<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}

function readStored(name: string): string | null {
  return tryStorage(() => localStorage.getItem(`glassbox ${name}`));
}

function store(name: string, value: string): void {
  tryStorage(() => localStorage.setItem(`glassbox ${name}`, value));
}

/** Each switch changes what is seen. A choice that equals the system's follows the system. */
export function switchTheme(): void {
  const ofSystem = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const other = ofSystem === 'dark' ? 'light' : 'dark';
  theme.value = theme.value === other ? 'auto' : other;
  store('theme', theme.value);
}

export function allowSingleKeys(areOn: boolean): void {
  areSingleKeysOn.value = areOn;
  store('letters', areOn ? 'on' : 'off');
}

export function toggleFold(panel: string): void {
  const others = unfolded.value.filter((each) => each !== panel);
  unfolded.value = others.length < unfolded.value.length ? others : [...others, panel];
  store('unfolded', unfolded.value.join(' '));
}

export function applyPreferences(): void {
  adoptSuits();
  theme.value = THEMES.find((each) => each === readStored('theme')) ?? 'auto';
  areSingleKeysOn.value = readStored('letters') !== 'off';
  unfolded.value = (readStored('unfolded') ?? '').split(' ');
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
  });
}
