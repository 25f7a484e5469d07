/** Sheets: what lies over the page, and what waits for words. */
import { signal } from '@preact/signals';

export const isHelpOpen = signal(false);
/** Counts up each time somebody wants to search. */
export const isSearchWanted = signal(0);
/** What was done that can't be seen otherwise, such as "Link copied". */
export const notice = signal('');
