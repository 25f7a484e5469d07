/** The panels of the page, in the order in which they stand. The layout, the headings, the tabs of a narrow screen and the keys follow it. */
import type { ComponentType } from 'preact';
import type { KeyCommand } from '../frame/keyboard.tsx';
import { Bids, BidsTick } from './panels/bids.tsx';
import { ChartSwitches, Statecharts } from './panels/chart.tsx';
import { Feed, FollowButton } from './panels/feed.tsx';
import { Gallery, hasGhostMessages, Minds, MindsShown } from './panels/minds.tsx';
import { Moments, startSearch } from './panels/moments.tsx';
import { isMapShown, Ship, ShipClock } from './panels/ship.tsx';
import { Countdown, isTurnShown, nameTurn, Turn } from './panels/turn.tsx';
import { hasVotes, Votes, VotesSoFar } from './panels/votes.tsx';
import { isFollowing } from './state/navigation.ts';
import type { Pane } from './state/session.ts';

export const COLUMNS = ['left', 'middle', 'right'] as const;

export type PanelEntry = {
  readonly id: string;
  /** The heading; a function where it changes. */
  readonly title: string | (() => string);
  readonly column: (typeof COLUMNS)[number];
  /** Where a narrow screen shows it. */
  readonly panes: readonly Pane[];
  /** Without it the panel is always there. */
  readonly isShown?: () => boolean;
  /** Stands beside the heading. */
  readonly Aside?: ComponentType;
  readonly Component: ComponentType;
  readonly commands?: readonly KeyCommand[];
};

export const PANELS: readonly PanelEntry[] = [
  {
    id: 'ship',
    title: 'The ship',
    column: 'left',
    panes: ['ship'],
    isShown: isMapShown,
    Aside: ShipClock,
    Component: Ship,
  },
  {
    id: 'chart',
    title: 'Statechart',
    column: 'left',
    panes: ['chart'],
    Aside: ChartSwitches,
    Component: Statecharts,
  },
  {
    id: 'feed',
    title: 'What happens',
    column: 'middle',
    panes: ['story'],
    Aside: FollowButton,
    Component: Feed,
    commands: [
      {
        keys: ['F'],
        does: 'follow what happens, or stay',
        actions: {
          f: () => {
            isFollowing.value = !isFollowing.value;
          },
        },
      },
    ],
  },
  {
    id: 'ghosts',
    title: 'Ghost gallery',
    column: 'middle',
    panes: ['table', 'minds'],
    isShown: hasGhostMessages,
    Aside: () => 'the living cannot hear this',
    Component: Gallery,
  },
  {
    id: 'turn',
    title: nameTurn,
    column: 'right',
    panes: [],
    isShown: isTurnShown,
    Aside: Countdown,
    Component: Turn,
  },
  {
    id: 'bids',
    title: 'Bids for the floor',
    column: 'right',
    panes: ['table'],
    Aside: BidsTick,
    Component: Bids,
  },
  {
    id: 'votes',
    title: 'Votes',
    column: 'right',
    panes: ['table'],
    isShown: hasVotes,
    Aside: VotesSoFar,
    Component: Votes,
  },
  {
    id: 'minds',
    title: 'Minds',
    column: 'right',
    panes: ['minds'],
    Aside: MindsShown,
    Component: Minds,
  },
  {
    id: 'moments',
    title: 'Moments',
    column: 'right',
    panes: ['moments'],
    Component: Moments,
    commands: [{ keys: ['/'], does: 'search', actions: { '/': startSearch } }],
  },
];
