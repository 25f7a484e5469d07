/** The look: theme, layout and whether single keys do something; kept by the browser where it keeps things. */
import { effect, signal } from '@preact/signals';

export const THEMES = ['auto', 'dark', 'light'] as const;
export type Theme = (typeof THEMES)[number];

export const theme = signal<Theme>(THEMES.find((each) => each === kept('theme')) ?? 'auto');
export const areLettersOn = signal(kept('letters') !== 'off');
export const isStream = new URLSearchParams(location.search).has('stream');

/** Files that are opened from disk may have no storage. */
function kept(name: string): string | null {
  try {
    return localStorage.getItem(`glassbox ${name}`);
  } catch {
    return null;
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`glassbox ${name}`, value);
  } catch {
    // Then it is asked again next time.
  }
}

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto';
  keep('theme', theme.value);
}

export function keepLetters(areOn: boolean): void {
  areLettersOn.value = areOn;
  keep('letters', areOn ? 'on' : 'off');
}

/** Writes the look into the document. */
export function keepLook(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
  });
  if (isStream) document.documentElement.dataset['layout'] = 'stream';
}
