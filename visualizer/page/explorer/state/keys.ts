/** The keys of the explorer: each does what a button does. */
import {
  bindKeys,
  FAR_STEPS,
  isHelpOpen,
  type KeyAction,
  type KeyHelp,
} from '../../frame/keyboard.tsx';
import { switchTheme } from '../../frame/preferences.ts';
import { copyLink } from './address.ts';
import { choose, jump, last, look, property, run, views, walk } from './visit.ts';

/** To the next property that has a run to walk through, or the one before. */
function hop(direction: 1 | -1): void {
  const all = run.value?.properties ?? [];
  const at = all.findIndex(({ name }) => name === property.value?.name);
  const ahead = direction === 1 ? all.slice(at + 1) : all.slice(0, Math.max(0, at)).reverse();
  const next = ahead.find(({ tale }) => tale !== null);
  if (next !== undefined) choose(next.name);
}

function lookAt(index: number): void {
  const wanted = views.value[index];
  if (wanted !== undefined) look(wanted);
}

const ACTS: Readonly<Record<string, KeyAction>> = {
  ArrowLeft: ({ shiftKey }) => walk(shiftKey ? -FAR_STEPS : -1),
  ArrowRight: ({ shiftKey }) => walk(shiftKey ? FAR_STEPS : 1),
  h: () => walk(-1),
  l: () => walk(1),
  Home: () => jump(0),
  End: () => jump(last.value),
  ',': () => hop(-1),
  '.': () => hop(1),
  '1': () => lookAt(0),
  '2': () => lookAt(1),
  '3': () => lookAt(2),
  t: () => switchTheme(),
  c: () => copyLink(),
  '?': () => {
    isHelpOpen.value = !isHelpOpen.value;
  },
};

export const KEYS: readonly KeyHelp[] = [
  { keys: ['←', '→', 'H', 'L'], does: 'a step back and on, with Shift ten' },
  { keys: ['Home', 'End'], does: 'the beginning and the end of the run' },
  { keys: [',', '.'], does: 'the property with a run before and after' },
  { keys: ['1', '2', '3'], does: 'the meeting, the statechart, the state space' },
  { keys: ['T'], does: 'dark, light, or as the system has it' },
  { keys: ['C'], does: 'copy a link to this step' },
  { keys: ['?'], does: 'this sheet' },
];

export function listenToKeys(): void {
  bindKeys(ACTS);
}
