/** The keys of a journal: each does what a button does. */

import { isHelpOpen, type KeyHelp } from '../../frame/help.tsx';
import { type Act, FAR, listenTo } from '../../frame/keyboard.ts';
import { nextTheme } from '../../frame/look.ts';
import { areCallsOpen } from './calls.ts';
import { copyLink, useLens } from './lenses.ts';
import { isPlain } from './plain.ts';
import { markRange } from './range.ts';
import { isSearchWanted } from './search.ts';
import { length } from './session.ts';
import { changeSpeed, hopMark, hopStretch, isFollowing, jump, togglePlay, walk } from './travel.ts';

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

export const KEYS: readonly KeyHelp[] = [
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

export function listenToKeys(): void {
  listenTo(ACTS);
}
