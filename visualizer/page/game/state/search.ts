/** Search: what waits for words. */
import { signal } from '@preact/signals';

/** Counts up each time somebody wants to search. */
export const isSearchWanted = signal(0);
