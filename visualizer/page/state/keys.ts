/** The keys: each does what a button does. None is heard while somebody writes, and single ones can be switched off. */

import { areCallsOpen } from './calls.ts';
import { copyLink, useLens } from './lenses.ts';
import { areLettersOn, nextTheme } from './look.ts';
import { isPlain } from './plain.ts';
import { markRange } from './range.ts';
import { length } from './session.ts';
import { isHelpOpen, isSearchWanted } from './sheets.ts';
import { changeSpeed, hopMark, hopStretch, isFollowing, jump, togglePlay, walk } from './travel.ts';

/** Steps with Shift. */
const FAR = 10;

type Act = (event: KeyboardEvent) => void;

const ACTS: Readonly<Record<string, Act>> = {
  ' ': () => togglePlay(),
  ArrowLeft: ({ shiftKey }) => walk(shiftKey ? -FAR : -1),
  ArrowRight: ({ shiftKey }) => walk(shiftKey ? FAR : 1),
  h: () => walk(-1),
  H: () => walk(-FAR),
  l: () => walk(1),
  L: () => walk(FAR),
  '[': () => hopStretch(-1),
  ']': () => hopStretch(1),
  ',': () => hopMark(-1),
  '.': () => hopMark(1),
  Home: () => jump(0),
  End: () => jump(length.value - 1),
  '-': () => changeSpeed(-1),
  '+': () => changeSpeed(1),
  '=': () => changeSpeed(1),
  f: () => {
    isFollowing.value = !isFollowing.value;
  },
  '1': () => useLens('table'),
  '2': () => useLens('player'),
  '3': () => useLens('glass'),
  t: () => nextTheme(),
  c: () => copyLink(),
  m: () => {
    areCallsOpen.value = !areCallsOpen.value;
  },
  p: () => {
    isPlain.value = !isPlain.value;
  },
  r: () => markRange(),
  '/': () => {
    isSearchWanted.value += 1;
  },
  '?': () => {
    isHelpOpen.value = !isHelpOpen.value;
  },
};

export const KEYS: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['Space'], does: 'play and pause' },
  { keys: ['←', '→', 'H', 'L'], does: 'a step back and on, with Shift ten' },
  { keys: ['[', ']'], does: 'the phase before and after' },
  { keys: [',', '.'], does: 'the moment before and after' },
  { keys: ['Home', 'End'], does: 'the beginning and the end' },
  { keys: ['−', '+'], does: 'slower and faster' },
  { keys: ['1', '2', '3'], does: 'the lenses Table, one player, Glass' },
  { keys: ['F'], does: 'follow what happens, or stay' },
  { keys: ['/'], does: 'search' },
  { keys: ['M'], does: 'what minds were asked, answered and cost' },
  { keys: ['R'], does: 'begin a range, end it, clear it' },
  { keys: ['P'], does: 'the whole transcript as plain text' },
  { keys: ['T'], does: 'dark, light, or as the system has it' },
  { keys: ['C'], does: 'copy a link to this moment' },
  { keys: ['?'], does: 'this sheet' },
];

/** Where typing means something else. */
const WRITTEN = 'input:not([type=range]), textarea, select, [contenteditable]';
/** What has a use for these itself. */
const OWN: Readonly<Record<string, string>> = {
  ' ': 'button, summary, input, a',
  ArrowLeft: 'input',
  ArrowRight: 'input',
  Home: 'input, .scroll',
  End: 'input, .scroll',
};

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (ctrlKey || metaKey || altKey || event.defaultPrevented) return;
    if (document.querySelector('dialog[open]') !== null && key !== '?') return;
    if (key.length === 1 && key !== ' ' && !areLettersOn.value) return;
    if (target instanceof Element) {
      if (target.closest(WRITTEN) !== null) return;
      const own = OWN[key];
      // The range steps by one itself; ten steps are ours everywhere.
      if (own !== undefined && !shiftKey && target.closest(own) !== null) return;
    }
    const act = ACTS[key];
    if (act === undefined) return;
    event.preventDefault();
    act(event);
  });
}
