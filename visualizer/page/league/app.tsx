/** The page of a league: the leaderboard and what belongs to it, or one persona. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Panel } from '../frame/panel.tsx';
import { Board } from './board.tsx';
import { Comparisons } from './comparisons.tsx';
import { Games } from './games.tsx';
import type { League } from './league.ts';
import { Measures } from './measures.tsx';
import { PersonaPage } from './persona.tsx';
import { address, board, league, look, models, placeOf, shown } from './state.ts';
import { Summary } from './summary.tsx';
import { Status, Top } from './top.tsx';
import { HeadToHead } from './versus.tsx';
import { counted } from './words.ts';

/** Games of the whole league that are listed. */
const RECENT = 20;

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

function content(now: League): ComponentChildren {
  const { persona } = address.value;
  if (persona === null) return <Overview league={now} />;
  const place = placeOf(persona);
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
        Nobody in this league is called <b>{id}</b>.
      </p>
      <a href={board.value}>← All personas</a>
    </main>
  );
}

/** Whom one looked at last, so that going back leads to where one was. */
let last: string | null = null;

function Overview({ league: now }: { readonly league: League }) {
  useEffect(() => {
    if (last !== null) rowOf(last)?.querySelector('a')?.focus();
    return () => {
      last = address.value.persona;
    };
  }, []);
  const { standings } = now;
  return (
    <main data-view="league">
      {now.about === '' ? null : <p class="about">{now.about}</p>}
      <Summary league={now} />
      <Panel id="leaderboard" title="Leaderboard" aside={<Filter />}>
        <Board />
      </Panel>
      <Comparisons comparisons={standings.comparisons} levels={standings.levels} />
      <HeadToHead places={shown.value} versus={standings.versus} />
      <Measures places={shown.value} />
      <Panel id="games" title="Latest games">
        <Games games={now.games.slice(0, RECENT)} />
      </Panel>
    </main>
  );
}

function rowOf(id: string): Element | undefined {
  const rows = document.querySelectorAll('.board [data-persona]');
  return [...rows].find((row) => row.getAttribute('data-persona') === id);
}

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
        <label>
          <span class="vh">Model</span>
          <select
            value={model}
            onChange={({ currentTarget }) => look({ model: currentTarget.value })}
          >
            <option value="">All models</option>
            {models.value.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
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
