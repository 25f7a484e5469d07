import { computed, effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatLens } from '../../../machines/journal/lens.ts';
import { capitalize } from '../../../machines/text.ts';
import { titleMatch } from '../../identity.ts';
import { Head, ThemeTool, Tool } from '../frame/head.tsx';
import { HelpTool } from '../frame/keyboard.tsx';
import { Button, Choice } from '../frame/panel.tsx';
import { COMMANDS } from './commands.ts';
import { TableWaits } from './players.tsx';
import { currentTurn } from './state/seat.ts';
import {
  damaged,
  focus,
  isReading,
  isRecorded,
  journalName,
  length,
  lens,
  live,
  moment,
  step,
  story,
  switchLens,
  widest,
} from './state/session.ts';
import { isBeforeFloor } from './state/stages.ts';
import { describeSituation, describeTime } from './story/sentences.ts';
import { type Moment, readTitle } from './story/story.ts';

const title = computed(() => readTitle(story.value.moments[0]?.line) || journalName.value);

export function startTitling(): void {
  effect(() => {
    const turn = currentTurn.value === null ? '' : '● Your turn · ';
    document.title = `${turn}${titleMatch(title.value, moment.value?.players ?? [])}`;
  });
}

export function PageHeader() {
  const now = (
    <>
      {moment.value === undefined ? null : <Situation now={moment.value} />}
      {isReading.value ? ' · reading on…' : ''}
      {damaged.value > 0 ? <span class="damage"> · {damaged.value} damaged lines</span> : null}
    </>
  );
  return (
    <Head title={title.value} now={now} tools={<Tools />}>
      {import.meta.env.MODE === 'site' ? null : <LiveBadge />}
      <Lenses />
    </Head>
  );
}

function Situation({ now }: { readonly now: Moment }) {
  const kind = now.ship === null ? 'Recorded meeting. ' : 'Recorded game. ';
  const words = `${isRecorded.value && step.value === 0 ? kind : ''}${describeSituation(now, !isBeforeFloor.value)}`;
  return (
    <>
      <span class="situation" title={words}>
        {words}
      </span>
      <span class="brief">{describeTime(now)}</span>
    </>
  );
}

function Tools() {
  return (
    <>
      {COMMANDS.map(({ keys: [key = ''], does, tool }) =>
        tool === undefined ? null : <Tool key={key} {...tool} does={capitalize(does)} with={key} />,
      )}
      <ThemeTool with="T" />
      <HelpTool />
    </>
  );
}

function Lenses() {
  const seat = lens.value.type === 'player' ? lens.value.seat : focus.value;
  const isFixed = widest.value.type !== 'glass';
  const names = {
    table: 'Table',
    player: seat === null ? 'Player' : capitalize(seat),
    glass: 'Glass',
  } as const;
  return (
    <fieldset class="lenses">
      <legend class="vh">Lens</legend>
      <Choice
        names={['table', 'player', 'glass']}
        chosen={lens.value.type}
        onChoose={switchLens}
        texts={names}
        titles={LENS_TITLES}
        isOff={(type) => isFixed && widest.value.type !== type}
      />
    </fieldset>
  );
}

const LENS_TITLES = {
  table: 'Free of spoilers: what everyone sees (1)',
  player: 'One player’s view: choose a player first (2)',
  glass: 'Everything (3)',
} as const;

const STATE_TEXTS = {
  connecting: 'connecting…',
  on: '● live',
  cut: 'connection lost, trying again…',
  over: 'the match is over',
  next: 'the match is over',
} as const;

const NEXT_MS = 8000;

/** The next game has the same address. If the server no longer answers, the page stays as it is. */
async function openNextGame(): Promise<void> {
  try {
    await fetch('.', { method: 'HEAD' });
  } catch {
    live.value = 'over';
    return;
  }
  history.replaceState(null, '', `#lens=${formatLens(lens.value)}`);
  location.reload();
}

function LiveBadge() {
  const isNext = live.value === 'next';
  const isAtEnd = step.value >= length.value - 1;
  useEffect(() => {
    if (!isNext || !isAtEnd) return;
    const timer = setTimeout(() => void openNextGame(), NEXT_MS);
    return () => clearTimeout(timer);
  }, [isNext, isAtEnd]);
  if (live.value === null || (isRecorded.value && live.value !== 'cut')) return null;
  return (
    <>
      <TableWaits />
      <span class="live" data-state={live.value} role="status">
        {STATE_TEXTS[live.value]}
      </span>
      {isNext ? <Button class="next" text="Next game ▸" act={() => void openNextGame()} /> : null}
    </>
  );
}
