/** The page: every pane in its place, or the sentence that says why there is none. */
import { signal } from '@preact/signals';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import { isStream } from '../../frame/look.ts';
import { notice } from '../../frame/notice.ts';
import { Calls } from '../calls/calls.tsx';
import { isPlain } from '../state/plain.ts';
import { isSearchWanted } from '../state/search.ts';
import { seating } from '../state/seat.ts';
import { isLoading, moment, step, story, trouble, UNREADABLE } from '../state/session.ts';
import { isPlaying, speed } from '../state/travel.ts';
import { describeStep } from '../story/sentences.ts';
import type { Moment } from '../story/story.ts';
import { Turn } from '../turn/turn.tsx';
import { Bar } from './bar.tsx';
import { Bids } from './bids.tsx';
import { ChartPanel } from './chart.tsx';
import { Feed } from './feed.tsx';
import { Help } from './help.tsx';
import { Gallery, Minds } from './minds.tsx';
import { Moments } from './moments.tsx';
import { Open } from './open.tsx';
import { Plain } from './plain.tsx';
import { Seats } from './seats.tsx';
import { ShipPanel } from './ship.tsx';
import { Stage } from './stage.tsx';
import { Timeline } from './timeline.tsx';
import { Votes } from './votes.tsx';

/** On a narrow screen one pane is shown at a time. */
const PANES = ['story', 'table', 'ship', 'chart', 'minds', 'moments'] as const;
type Pane = (typeof PANES)[number];
const pane = signal<Pane>('story');

export function App() {
  // A journal that nobody's game could have written breaks what is drawn of it at some moment.
  useErrorBoundary(() => {
    trouble.value = UNREADABLE;
  });
  useEffect(() => {
    if (isSearchWanted.value === 0) return;
    pane.value = 'moments';
    setTimeout(() => document.getElementById('search')?.focus(), 0);
  }, [isSearchWanted.value]);
  if (trouble.value !== '') return <Open sentence={trouble.value} />;
  if (isLoading.value) return <p class="loading">The journal is read…</p>;
  if (moment.value === undefined) return <p class="loading">Nothing has happened yet.</p>;
  if (isPlain.value) return <Plain />;
  const isAboard = moment.value.ship !== null;
  return (
    <div
      class="app"
      data-pane={pane.value}
      data-moment={moment.value.name}
      data-scene={isAboard ? sceneOf(moment.value) : 'table'}
      data-phase={moment.value.meeting?.phase ?? undefined}
      data-ship={isAboard || undefined}
      data-plays={seating.value === null || seating.value.isOver ? undefined : true}
    >
      <Bar />
      <Seats />
      {isStream ? <Stage /> : null}
      <Tabs isAboard={isAboard} />
      <main>
        <div class="column left">
          <ShipPanel />
          <ChartPanel />
        </div>
        <div class="column middle">
          <Feed />
          <Gallery />
        </div>
        <div class="column right">
          <Turn />
          <Bids />
          <Votes />
          <Minds />
          <Moments />
        </div>
      </main>
      <Timeline />
      <Status />
      <Help />
      <Calls />
    </div>
  );
}

/** On the ship the map is what one looks at, in a meeting the table. */
function sceneOf({ ship }: Moment): 'ship' | 'table' {
  return ship?.lastRound != null ? 'ship' : 'table';
}

function Tabs({ isAboard }: { readonly isAboard: boolean }) {
  return (
    <nav class="tabs" aria-label="Panes">
      {PANES.filter((each) => each !== 'ship' || isAboard).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={pane.value === each}
          onClick={() => {
            pane.value = each;
          }}
        >
          {each}
        </button>
      ))}
    </nav>
  );
}

/** One line for screen readers: whole sentences only, and none while it is played faster than anybody listens. */
function Status() {
  const isTooFast = isPlaying.value && speed.value > 1;
  return (
    <p class="vh" role="status" id="status">
      {notice.value === ''
        ? isTooFast
          ? ''
          : describeStep(story.value, step.value)
        : notice.value}
    </p>
  );
}
