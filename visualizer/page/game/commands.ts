import { toggle } from '../frame/fieldEvents.ts';
import type { IconName } from '../frame/head.tsx';
import { FAR_STEPS, isHelpOpen, type KeyCommand } from '../frame/keyboard.tsx';
import { switchTheme } from '../frame/preferences.ts';
import { areCallsOpen } from './calls/calls.ts';
import { PANELS } from './panels.ts';
import { copyMomentLink } from './state/address.ts';
import { EPISODE_KEYS, holdEpisode } from './state/episode.ts';
import {
  changeSpeed,
  jumpTo,
  jumpToMoment,
  jumpToPhase,
  markRange,
  stepBy,
  stepStage,
  togglePlay,
} from './state/navigation.ts';
import { togglePlain } from './state/seat.ts';
import { areLanesOpen, length, switchLens } from './state/session.ts';

function press(
  key: string,
  does: string,
  act: () => void,
  [icon, label]: readonly [icon?: IconName, label?: string] = [],
): KeyCommand {
  const tool = icon === undefined ? {} : { tool: { icon, label: label ?? '', act } };
  return { keys: [key.toUpperCase()], does, actions: { [key]: act }, ...tool };
}

export const COMMANDS: readonly KeyCommand[] = [
  {
    keys: ['Space'],
    does: 'play and pause',
    actions: { ' ': () => holdEpisode() || togglePlay() },
  },
  {
    keys: ['←', '→', 'H', 'L'],
    does: 'one step back or forward, ten with Shift',
    actions: {
      ArrowLeft: ({ shiftKey, repeat }) => stepBy(shiftKey ? -FAR_STEPS : -1, repeat),
      ArrowRight: ({ shiftKey, repeat }) => stepBy(shiftKey ? FAR_STEPS : 1, repeat),
      h: ({ repeat }) => stepBy(-1, repeat),
      H: ({ repeat }) => stepBy(-FAR_STEPS, repeat),
      l: ({ repeat }) => stepBy(1, repeat),
      L: ({ repeat }) => stepBy(FAR_STEPS, repeat),
    },
  },
  {
    keys: ['J', 'K'],
    does: 'one visible step of a tick back or forward: asked, each bid, scored, floor, message',
    actions: { j: () => stepStage(-1), k: () => stepStage(1) },
  },
  {
    keys: ['[', ']'],
    does: 'previous and next phase',
    actions: { '[': () => jumpToPhase(-1), ']': () => jumpToPhase(1) },
  },
  {
    keys: [',', '.'],
    does: 'previous and next moment',
    actions: { ',': () => jumpToMoment(-1), '.': () => jumpToMoment(1) },
  },
  {
    keys: ['Home', 'End'],
    does: 'beginning and end',
    actions: { Home: () => jumpTo(0), End: () => jumpTo(length.value - 1) },
  },
  {
    keys: ['−', '+'],
    does: 'slower and faster',
    actions: { '-': () => changeSpeed(-1), '+': () => changeSpeed(1), '=': () => changeSpeed(1) },
  },
  {
    keys: ['1', '2', '3'],
    does: 'lens: table, one player, glass',
    actions: {
      '1': () => switchLens('table'),
      '2': () => switchLens('player'),
      '3': () => switchLens('glass'),
    },
  },
  ...PANELS.flatMap(({ commands = [] }) => commands),
  press('m', 'prompts, answers and cost of the players', toggle(areCallsOpen), [
    'calls',
    'Model calls',
  ]),
  press('d', 'messages between the actors', toggle(areLanesOpen), ['lanes', 'Actor lanes']),
  press('r', 'begin, end or clear a range', markRange),
  ...EPISODE_KEYS,
  press('p', 'the whole transcript as plain text', togglePlain, ['text', 'Plain text']),
  press('t', 'dark or light', switchTheme),
  press('c', 'copy a link to this moment', copyMomentLink, ['link', 'Copy a link to this moment']),
  press('?', 'show this help', toggle(isHelpOpen)),
];
