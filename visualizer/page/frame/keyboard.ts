/** The keyboard: keys do what buttons do. None is heard while somebody writes, and single ones can be switched off. */
import { areLettersOn } from './look.ts';

export type Act = (event: KeyboardEvent) => void;

/** Steps with Shift. */
export const FAR = 10;

/** Where typing means something else. */
const WRITTEN = 'input:not([type=range]), textarea, select, [contenteditable]';
/** What has a use for these itself. */
const OWN: Readonly<Record<string, string>> = {
  ' ': 'button, summary, input, a',
  ArrowLeft: 'input',
  ArrowRight: 'input',
  Home: 'input',
  End: 'input',
};
const SCROLLING: readonly string[] = ['Home', 'End'];

export function listenTo(acts: Readonly<Record<string, Act>>): void {
  addEventListener('keydown', (event) => {
    const act = acts[event.key];
    if (act === undefined || !isForUs(event)) return;
    event.preventDefault();
    act(event);
  });
}

function isForUs(event: KeyboardEvent): boolean {
  const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (ctrlKey || metaKey || altKey || event.defaultPrevented) return false;
  if (document.querySelector('dialog[open]') !== null && key !== '?') return false;
  if (key.length === 1 && key !== ' ' && !areLettersOn.value) return false;
  if (!(target instanceof Element)) return true;
  if (target.closest(WRITTEN) !== null) return false;
  // A list that has the focus itself is scrolled.
  if (SCROLLING.includes(key) && target.matches('.scroll')) return false;
  const own = OWN[key];
  // The range steps by one itself; ten steps are ours everywhere.
  return own === undefined || shiftKey || target.closest(own) === null;
}
