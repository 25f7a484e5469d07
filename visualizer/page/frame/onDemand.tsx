import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { notice } from './address.ts';
import { set, write } from './fieldEvents.ts';

export const NOT_LOADED = 'A part of this page did not load. Check your connection and try again.';

/** A part of the page that a first game does not need: it loads when it is first drawn. */
export function onDemand(load: () => Promise<FunctionComponent>): FunctionComponent {
  const part = signal<FunctionComponent | null>(null);
  return () => {
    useEffect(() => {
      load().then(write(part), set(notice, NOT_LOADED));
    }, []);
    const Part = part.value;
    return Part === null ? <p class="loading">Loading…</p> : <Part />;
  };
}
