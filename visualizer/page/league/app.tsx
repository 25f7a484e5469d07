import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { LeagueReport, Standings } from '../../../analysis/league/types.ts';
import {
  capitalize,
  formatCount,
  formatDuration,
  formatPercent,
  formatRate,
} from '../../../machines/text.ts';
import { COLOURS } from '../../../machines/types.ts';
import { formatRange, formatShare, formatTenths, splitPercent } from '../../text.ts';
import { copyLinkTo, notice } from '../frame/address.ts';
import { Chip } from '../frame/chip.tsx';
import { Head, ThemeTool, Tool } from '../frame/head.tsx';
import { Announced, Lines, Panel, Select } from '../frame/panel.tsx';
import { Board } from './leaderboard.tsx';
import { Games, PersonaPage } from './persona.tsx';
import { Plot, toSpread, Won } from './plot.tsx';
import { SHARES } from './ranking.ts';
import {
  address,
  board,
  findPlace,
  isCut,
  league,
  look,
  models,
  progress,
  shown,
} from './state.ts';
import { Comparisons, HeadToHead, Measures } from './tables.tsx';
import { counted, endingOf, logOdds } from './words.ts';

export function App() {
  if (league.value === null) return <p class="loading">There is no league in this file.</p>;
  return (
    <div class="whole" data-games={league.value.standings.games}>
      <Top />
      {content(league.value)}
      <Status />
    </div>
  );
}

function content(now: LeagueReport): ComponentChildren {
  const { persona } = address.value;
  if (persona === null) return <Overview league={now} />;
  const place = findPlace(persona);
  return place === undefined ? (
    <Unknown id={persona} />
  ) : (
    <PersonaPage {...{ place, league: now }} />
  );
}

function Unknown({ id }: { readonly id: string }) {
  return (
    <main class="unknown" data-view="unknown">
      <p role="alert">
        This league has no persona <b>{id}</b>.
      </p>
      <a href={board.value}>← All personas</a>
    </main>
  );
}

let last: string | null = null;

function Overview({ league: now }: { readonly league: LeagueReport }) {
  useEffect(() => {
    const row = `.board [data-persona="${CSS.escape(last ?? '')}"]`;
    if (last !== null) document.querySelector<HTMLElement>(`${row} a`)?.focus();
    return () => {
      last = address.value.persona;
    };
  }, []);
  const { standings } = now;
  return (
    <main data-view="league">
      {now.about === '' ? null : <p class="about">{now.about}</p>}
      <Damages league={now} />
      <Summary league={now} />
      <Panel id="leaderboard" title="Leaderboard" aside={<Filter />}>
        <Board />
      </Panel>
      <Comparisons {...standings} games={standings.games - standings.unfinished} />
      <HeadToHead places={shown.value} versus={standings.versus} />
      <Measures places={shown.value} />
      <Panel id="games" title="Latest games">
        <Games games={now.games.slice(0, RECENT)} />
      </Panel>
    </main>
  );
}

const SHOWN_DAMAGES = 10;

function Damages({ league: { damages } }: { readonly league: LeagueReport }) {
  if (damages.length === 0) return null;
  const rest = damages.length - SHOWN_DAMAGES;
  return (
    <div class="damages" role="alert">
      <p>{counted(damages.length, 'damage')} in the results, which are left out of this page:</p>
      <Lines texts={damages.slice(0, SHOWN_DAMAGES)} />
      {rest > 0 ? <p>and {rest} more</p> : null}
    </div>
  );
}

const RECENT = 20;

/** Only where there is something to choose from. */
const FEW = 6;

function Filter() {
  const all = league.value?.personas.length ?? 0;
  const { model, find } = address.value;
  const isOn = model !== '' || find !== '';
  return (
    <search class="filter">
      {isOn ? <span role="status">{counted(shown.value.length, 'persona')}</span> : null}
      {models.value.length > 1 ? (
        <Select
          label="Model"
          isBare
          value={model}
          options={[['', 'All models'], ...models.value.map((each) => [each, each] as const)]}
          onChoose={(chosen) => look({ model: chosen })}
        />
      ) : null}
      {all >= FEW || find !== '' ? (
        <label>
          <span class="vh">Find a persona</span>
          <input
            type="search"
            placeholder="Find a persona"
            value={find}
            onInput={({ currentTarget }) => look({ find: currentTarget.value })}
          />
        </label>
      ) : null}
    </search>
  );
}

function Top() {
  const name = league.value?.standings.league ?? '';
  return (
    <Head
      title={address.value.persona === null ? name : <a href={board.value}>{name}</a>}
      now={<How />}
      tools={
        <>
          <Tool
            icon="link"
            label="Copy a link to this view"
            act={() => copyLinkTo(location.hash, 'what is shown')}
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
  if (done >= of) return <>{formatCount(of)} games, all played</>;
  const { rate = null, secondsLeft = null } = progress.value ?? {};
  const pace = rate === null ? '' : `, ${formatRate(rate)}`;
  const left = secondsLeft === null ? '' : `, ${formatDuration(secondsLeft)} left`;
  return (
    <>
      {formatCount(done)} of {formatCount(of)} games{pace}
      {left}
    </>
  );
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

const TENTHS = 10;

function Status() {
  const { done, of } = progress.value ?? { done: 0, of: 0 };
  const tenth = of === 0 ? 0 : Math.floor((TENTHS * done) / of);
  const text = tenth === 0 ? '' : `${TENTHS * tenth} % of the games are played`;
  return <Announced notice={notice.value} text={text} />;
}

function Summary({ league }: { readonly league: LeagueReport }) {
  const { standings } = league;
  return (
    <div class="summary">
      <Panel id="played" title="Games">
        <Played league={league} />
      </Panel>
      <Panel id="sides" title="The two sides">
        <Sides standings={standings} />
      </Panel>
      <Panel id="endings" title="How games end">
        <Endings standings={standings} />
      </Panel>
      <Panel id="colours" title="Won by colour">
        <Colours standings={standings} />
      </Panel>
    </div>
  );
}

function Played({ league }: { readonly league: LeagueReport }) {
  const { standings, players, rules, seating, isMirrored, isLearning, seed, engine } = league;
  const done = progress.value?.done ?? standings.games;
  const { of } = standings;
  const open = of - done;
  return (
    <>
      <p class="big">
        {formatCount(done)} <small>of {formatCount(of)}</small>
      </p>
      <progress max={of} value={done} aria-label="Games that are over">
        {formatPercent(done / of)}
      </progress>
      {open > 0 ? (
        <p class="quiet">
          {counted(open, 'game')} open: they are played when the league is run again.
        </p>
      ) : null}
      <p class="quiet">
        {players} players, {rules} rules,{' '}
        {seating === 'sides' ? 'one persona a side' : 'mixed tables'}
        {isMirrored ? ', every table twice with seats exchanged' : ''}
        {isLearning ? '' : ', no learning'}. Seed {seed}, version {engine}.
      </p>
    </>
  );
}

function Sides({ standings }: { readonly standings: Standings }) {
  const { wins, sides } = standings;
  const { crew, impostors } = wins;
  if (crew.interval === null) return <p class="quiet">No side has won yet.</p>;
  return (
    <>
      <p class="split" style={{ '--crew': `${100 * crew.interval.share}%` }}>
        <span class="crew">
          <b>{formatTenths(crew.interval.share)}</b> crew
        </span>
        <span class="impostors">
          impostors <b>{formatTenths(impostors.interval?.share ?? 0)}</b>
        </span>
      </p>
      <Plot spread={toSpread(crew.interval)} scale={SHARES} />
      <p class="quiet">
        The crew wins {formatShare(crew.interval, crew.games)} games
        {crew.few ? ' (too few games)' : ''}. Between equals the impostors win{' '}
        <b>{formatTenths(sides.value)}</b> ({formatRange(sides)}): that is what the rules give them
        (β&nbsp;=&nbsp;{logOdds(sides.value)}).
        {standings.unfinished === 0
          ? ''
          : ` Without a winner: ${counted(standings.unfinished, 'game')}, which are in no share and no rating.`}
      </p>
    </>
  );
}

function Endings({ standings }: { readonly standings: Standings }) {
  if (standings.endings.length === 0) return <p class="quiet">No game has ended yet.</p>;
  const parts = splitPercent(standings.endings.map(({ games }) => games));
  return (
    <ul class="bars">
      {standings.endings.map(({ ending, games }, index) => (
        <li key={ending} style={{ '--share': games / standings.games }}>
          <span class="what">{endingOf(ending)}</span>
          <span class="count">
            {formatCount(games)} <small>{parts[index]}</small>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Colours({ standings }: { readonly standings: Standings }) {
  if (standings.colours.length === 0) return <p class="quiet">No game has ended yet.</p>;
  return (
    <ul class="colours">
      {COLOURS.flatMap((colour) => {
        const found = standings.colours.find((one) => one.colour === colour);
        return found === undefined
          ? []
          : [
              <li key={colour}>
                <Chip seat={colour} />
                <span class="vh">{capitalize(colour)}</span>
                <Won share={found.share} />
              </li>,
            ];
      })}
    </ul>
  );
}
