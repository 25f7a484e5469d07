/** The panels of the page. Layout, headings, tabs and keys come from this list. */
import type { ComponentType } from 'preact';
import { formatClock } from '../../text.ts';
import { toggle } from '../frame/fieldEvents.ts';
import type { KeyCommand } from '../frame/keyboard.tsx';
import { onDemand } from '../frame/onDemand.tsx';
import { Bids, describeBidsTick } from './panels/bids.tsx';
import { ChartSwitches, Statecharts, states } from './panels/chart.tsx';
import { Feed, FollowButton } from './panels/feed.tsx';
import { describeGallery, describeMinds, Gallery, Minds } from './panels/minds.tsx';
import { FutureButton, Moments, startSearch } from './panels/moments.tsx';
import { describeNext, describeWays } from './panels/next.tsx';
import { describePromises, hasPromises, Promises } from './panels/promises.tsx';
import { isMapShown, Ship } from './panels/ship.tsx';
import { Countdown, isTurnShown, Turn } from './panels/turn.tsx';
import { describeVotes, Votes } from './panels/votes.tsx';
import { isFollowing } from './state/navigation.ts';
import { currentTurn } from './state/seat.ts';
import { enlarge, focus, isFutureShown, moment, settledMoment } from './state/session.ts';

export const COLUMNS = ['left', 'middle', 'right'] as const;

export type PanelEntry = {
  readonly id: string;
  readonly title: string | (() => string);
  /** Its column on a wide screen, below the earlier panels of that column. */
  readonly column: (typeof COLUMNS)[number];
  readonly panes: readonly string[];
  readonly grows?: true;
  readonly hiddenIn?: readonly ('ship' | 'play' | 'paper')[];
  readonly isInJournal?: () => boolean;
  readonly isShown?: () => boolean;
  readonly Aside?: ComponentType;
  /** In meetings the panel is folded into this line until somebody opens it. */
  readonly describe?: (() => string) | undefined;
  readonly canFillPage?: true;
  readonly Component: ComponentType;
  readonly commands?: readonly KeyCommand[];
};

const TURN: PanelEntry = {
  id: 'turn',
  title: () => (currentTurn.value === null ? 'Your seat' : 'Your turn'),
  column: 'right',
  panes: [],
  isShown: isTurnShown,
  Aside: Countdown,
  Component: Turn,
};

export const PANELS: readonly PanelEntry[] = [
  {
    id: 'feed',
    title: 'What happens',
    column: 'middle',
    panes: ['story'],
    grows: true,
    Aside: FollowButton,
    Component: Feed,
    commands: [
      { keys: ['F'], does: 'follow what happens, or stay', actions: { f: toggle(isFollowing) } },
    ],
  },
  ...(import.meta.env.MODE === 'play' ? [TURN] : []),
  {
    id: 'bids',
    title: 'Bids for the floor',
    column: 'right',
    panes: ['bids'],
    hiddenIn: ['ship', 'play'],
    Aside: describeBidsTick,
    Component: Bids,
  },
  {
    id: 'votes',
    title: 'Votes',
    column: 'right',
    panes: ['bids'],
    hiddenIn: ['ship'],
    isShown: () => settledMoment.value?.meeting != null,
    Aside: describeVotes,
    describe: describeVotes,
    Component: Votes,
  },
  {
    id: 'ship',
    title: 'The ship',
    column: 'left',
    panes: ['ship'],
    isInJournal: () => moment.value?.ship != null,
    isShown: isMapShown,
    Aside: () => formatClock(moment.value?.ship?.round ?? 0),
    canFillPage: true,
    Component: Ship,
  },
  {
    id: 'chart',
    title: 'Statechart',
    column: 'left',
    panes: ['chart'],
    grows: true,
    hiddenIn: ['play'],
    Aside: ChartSwitches,
    canFillPage: true,
    Component: Statecharts,
    commands: [
      {
        keys: ['S'],
        does: 'the statechart on the whole page, and back',
        actions: { s: enlarge('chart') },
      },
    ],
  },
  {
    id: 'next',
    title: 'What can happen next',
    column: 'left',
    panes: ['chart'],
    hiddenIn: ['play', 'paper'],
    isShown: () => states.value.rest !== undefined,
    Aside: describeWays,
    // In a wide window it stands beside the chart, which needs the room elsewhere.
    get describe() {
      return matchMedia('(max-width: 1679px)').matches ? describeNext : undefined;
    },
    Component: onDemand(async () => (await import('./panels/nextRows.tsx')).NextRows),
  },
  {
    id: 'proved',
    title: 'Proved from here',
    column: 'left',
    panes: ['chart'],
    hiddenIn: ['play'],
    isShown: hasPromises,
    // On a low screen the chart needs the room.
    get describe() {
      return matchMedia('(max-height: 799px)').matches ? describePromises : undefined;
    },
    Component: Promises,
  },
  {
    id: 'ghosts',
    title: 'Ghost gallery',
    column: 'middle',
    panes: ['bids', 'minds'],
    hiddenIn: ['ship'],
    isShown: () => describeGallery() !== '',
    Aside: () => 'the living cannot hear this',
    describe: describeGallery,
    Component: Gallery,
  },
  {
    id: 'minds',
    title: 'Minds',
    column: 'right',
    panes: ['minds'],
    Aside: () => (focus.value === null ? 'everyone' : 'one player'),
    describe: describeMinds,
    Component: Minds,
  },
  {
    id: 'moments',
    title: 'Moments',
    column: 'right',
    panes: ['moments'],
    hiddenIn: ['paper'],
    Aside: FutureButton,
    Component: Moments,
    commands: [
      { keys: ['/'], does: 'search', actions: { '/': startSearch } },
      { keys: ['A'], does: 'show or hide what is to come', actions: { a: toggle(isFutureShown) } },
    ],
  },
];

export function listTabs(): readonly string[] {
  const here = PANELS.filter(({ isInJournal }) => isInJournal?.() ?? true);
  return [...new Set(here.flatMap(({ panes }) => panes))];
}
