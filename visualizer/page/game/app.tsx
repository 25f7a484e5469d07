import { computed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { capitalize } from '../../../machines/text.ts';
import { notice } from '../frame/address.ts';
import { set } from '../frame/fieldEvents.ts';
import { Icon } from '../frame/head.tsx';
import { HelpSheet } from '../frame/keyboard.tsx';
import { onDemand } from '../frame/onDemand.tsx';
import { Announced, Button, Dialog, Panel, PaneTabs } from '../frame/panel.tsx';
import { toggleFold, unfolded } from '../frame/preferences.ts';
import { areCallsOpen } from './calls/calls.ts';
import { COMMANDS } from './commands.ts';
import { PageHeader } from './header.tsx';
import { COLUMNS, listTabs, PANELS, type PanelEntry } from './panels.ts';
import { SeatRow } from './players.tsx';
import { isEpisodeOn } from './state/episode.ts';
import { isPlaying, speed } from './state/navigation.ts';
import { currentTurn, freeSeats, seatStatus, shipTurn, takeSeatAgain } from './state/seat.ts';
import {
  areLanesOpen,
  enlarge,
  enlarged,
  isLoading,
  isPlain,
  moment,
  pane,
  problem,
  stage,
  step,
  story,
  UNREADABLE,
} from './state/session.ts';
import { openFile } from './state/start.ts';
import { describePhase, markPhases } from './story/phases.ts';
import { describeStep } from './story/sentences.ts';
import { Timeline } from './timeline.tsx';

const hasBegun = computed(() => moment.value !== undefined);

const isInMeeting = computed(
  () => moment.value?.meeting != null && moment.value.ship?.lastRound == null,
);

const Episode = onDemand(async () => (await import('./episode.tsx')).Episode);
const CallsDrawer = onDemand(async () => (await import('./calls/drawer.tsx')).CallsDrawer);
const Transcript = onDemand(async () => (await import('./transcript.tsx')).Transcript);
const LanesPanel = onDemand(async () => (await import('./panels/lanes.tsx')).LanesPanel);

export function App() {
  // A forged journal can break drawing at any moment.
  useErrorBoundary(set(problem, UNREADABLE));
  if (problem.value !== '') return <OpenFile sentence={problem.value} />;
  if (isLoading.value) return <p class="loading">Reading the journal…</p>;
  if (!hasBegun.value) return <p class="loading">Nothing has happened yet.</p>;
  if (isEpisodeOn.value) return <Episode />;
  if (isPlain.value) return <Transcript />;
  return (
    <Surface>
      <SkipLink />
      {import.meta.env.MODE === 'play' ? <SeatOffers /> : null}
      {/* First for the keyboard; the style puts it below everything. */}
      <Timeline />
      <PageHeader />
      <SeatRow />
      <PhaseStrip />
      <PaneTabs names={listTabs()} current={pane} />
      <main>
        {COLUMNS.map((column) => (
          <div key={column} class={`column ${column}`}>
            {PANELS.filter((each) => each.column === column).map((each) => (
              <PanelView key={each.id} panel={each} />
            ))}
          </div>
        ))}
        {areLanesOpen.value && currentTurn.value === null ? <LanesPanel /> : null}
      </main>
      <Status />
      <GameHelp />
      <Dialog name="calls" isOpen={areCallsOpen}>
        {areCallsOpen.value ? <CallsDrawer /> : null}
      </Dialog>
    </Surface>
  );
}

function Surface({ children }: { readonly children: ComponentChildren }) {
  const now = moment.value;
  const isAboard = now?.ship != null;
  const plays = seatStatus.value !== null && !seatStatus.value.isOver;
  const large = PANELS.find(({ id }) => id === enlarged.value);
  return (
    <div
      class="app"
      data-pane={pane.value}
      data-moment={now?.name}
      data-scene={isAboard && (!isInMeeting.value || shipTurn.value !== null) ? 'ship' : 'table'}
      data-phase={now?.meeting?.phase ?? undefined}
      data-stage={stage.value?.kind}
      data-ship={isAboard || undefined}
      data-asked={currentTurn.value?.offer.kind}
      data-plays={plays || undefined}
      data-meeting={(isInMeeting.value && !plays) || undefined}
      data-enlarged={plays || large?.isShown?.() === false ? undefined : large?.id}
    >
      {children}
    </div>
  );
}

function SeatOffers() {
  return freeSeats.value.map((free) => (
    <p key={free.seat} class="seat-offer">
      You played {capitalize(free.seat)} in this browser.{' '}
      <Button text="Take the seat again" act={() => takeSeatAgain(free)} />
    </p>
  ));
}

function SkipLink() {
  return (
    // biome-ignore lint/a11y/useValidAnchor: it goes to its target; the address stays that of the moment.
    <a
      class="skip"
      href="#feed"
      onClick={(event) => {
        event.preventDefault();
        pane.value = 'story';
        enlarged.value = null;
        setTimeout(() => document.querySelector<HTMLElement>('#feed .scroll')?.focus(), 0);
      }}
    >
      Skip to what happens
    </a>
  );
}

function PhaseStrip() {
  const now = moment.value;
  if (now?.meeting == null || !isInMeeting.value) return null;
  return (
    <section class="phases" aria-label="Phases of the meeting">
      <ol>
        {markPhases(now.meeting).map(({ phase, place }) => (
          <li key={phase} data-place={place} aria-current={place === 'here' ? 'step' : undefined}>
            {capitalize(phase)}
            <span class="vh">{place === 'here' ? '' : `, ${place}`}</span>
          </li>
        ))}
      </ol>
      <p>{describePhase(now)}</p>
    </section>
  );
}

function PanelView({ panel }: { readonly panel: PanelEntry }) {
  const { id, panes, grows, hiddenIn, isShown, describe, Component } = panel;
  const title = typeof panel.title === 'string' ? panel.title : panel.title();
  if (isShown !== undefined && !isShown()) return null;
  const isFolded = describe !== undefined && !unfolded.value.includes(id);
  return (
    <Panel
      id={id}
      title={title}
      aside={<PanelAside panel={panel} title={title} isFolded={isFolded} />}
      isFolded={isFolded}
      isCurrent={panes.includes(pane.value)}
      grows={grows}
      hiddenIn={hiddenIn}
    >
      <Component />
    </Panel>
  );
}

type PanelAsideProps = Readonly<{ panel: PanelEntry; title: string; isFolded: boolean }>;

function PanelAside({ panel, title, isFolded }: PanelAsideProps) {
  const { id, Aside, describe, canFillPage } = panel;
  return (
    <>
      {Aside === undefined ? null : (
        <span class="beside">
          <Aside />
        </span>
      )}
      {describe === undefined ? null : (
        <button
          type="button"
          class="fold"
          aria-expanded={!isFolded}
          aria-label={`${title}: ${describe()}`}
          onClick={() => toggleFold(id)}
        >
          {describe()}
        </button>
      )}
      {canFillPage === true ? (
        <Button
          class="enlarge"
          label={`${title} on the whole page`}
          text={<Icon name="enlarge" />}
          isOn={enlarged.value === id}
          act={enlarge(id)}
        />
      ) : null}
    </>
  );
}

/** One line for screen readers: whole sentences, and none while playback is faster than speech. */
function Status() {
  const isTooFast = isPlaying.value && speed.value > 1;
  return (
    <Announced
      notice={notice.value}
      text={isTooFast ? '' : describeStep(story.value, step.value)}
    />
  );
}

function GameHelp() {
  return (
    <HelpSheet keys={COMMANDS}>
      Players hold meetings inside a glass box. In every tick each of them bids for the floor; the
      highest priority speaks. You see the thought beside the speech, every bid term by term, every
      vote as it is turned, and the ghosts whom nobody hears. <b>Table</b> hides every secret,{' '}
      <b>Glass</b> hides nothing, and a player’s lens shows what that player sees.
    </HelpSheet>
  );
}

function OpenFile({ sentence }: { readonly sentence: string }) {
  return (
    <main class="open">
      <h1>
        <span class="league">The Glass Box League</span>
        No journal to show
      </h1>
      <p class="sentence" role="alert">
        {sentence}
      </p>
      <label class="file">
        <span>Open a journal from this device</span>
        <input
          type="file"
          accept=".jsonl,application/jsonl"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file !== undefined) void openFile(file);
          }}
        />
      </label>
      <p class="hint">It stays on this device: the page makes no network request.</p>
    </main>
  );
}
