/** The top of the page: which league, how far it is, and the few things that concern the whole page. */

import { copyLinkTo, notice } from '../frame/address.ts';
import { Head, LinkTool, ThemeTool } from '../frame/head.tsx';
import { address, board, isCut, league, progress } from './state.ts';
import { lasting, whole } from './words.ts';

export function Top() {
  const name = league.value?.standings.league ?? '';
  return (
    <Head
      title={address.value.persona === null ? name : <a href={board.value}>{name}</a>}
      now={<How />}
      tools={
        <>
          <LinkTool
            label="Copy a link to what is shown"
            onClick={() => copyLinkTo(location.hash, 'what is shown')}
          />
          <ThemeTool />
        </>
      }
    >
      <Live />
    </Head>
  );
}

function How() {
  const standings = league.value?.standings;
  if (standings === undefined) return null;
  const done = progress.value?.done ?? standings.games;
  const { of } = standings;
  if (done >= of) return <>{whole(of)} games, all played</>;
  const { rate = null, secondsLeft = null } = progress.value ?? {};
  const pace = rate === null ? '' : `, ${speed(rate)}`;
  const left = secondsLeft === null ? '' : `, ${lasting(secondsLeft)} left`;
  return (
    <>
      {whole(done)} of {whole(of)} games{pace}
      {left}
    </>
  );
}

const SECONDS_PER_MINUTE = 60;

function speed(rate: number): string {
  if (rate >= 1) return `${rate.toFixed(1)} a second`;
  return `${(rate * SECONDS_PER_MINUTE).toFixed(1)} a minute`;
}

function Live() {
  if (progress.value === null) return null;
  const { done, of, rate } = progress.value;
  const [state, words] = isCut.value
    ? (['cut', 'cut off, trying again…'] as const)
    : done >= of
      ? (['over', 'it is over'] as const)
      : rate === null
        ? (['connecting', 'waiting for a game to end'] as const)
        : (['on', '● live'] as const);
  return (
    <span class="live" data-state={state}>
      {words}
    </span>
  );
}

/** Tenths that are announced to those who listen. */
const TENTHS = 10;

/** One line for screen readers: what was done, and each tenth of the games. */
export function Status() {
  const { done, of } = progress.value ?? { done: 0, of: 0 };
  const tenth = of === 0 ? 0 : Math.floor((TENTHS * done) / of);
  const text = tenth === 0 ? '' : `${TENTHS * tenth} % of the games are played`;
  return (
    <p class="vh" role="status">
      {notice.value === '' ? text : notice.value}
    </p>
  );
}
