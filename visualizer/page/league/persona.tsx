/** The page of a persona: how good it is, what it has learned and where, and how it plays. */
import { useEffect, useRef } from 'preact/hooks';
import { Panel } from '../frame/panel.tsx';
import { Games } from './games.tsx';
import type { League } from './league.ts';
import { OwnMeasures } from './measures.tsx';
import { Memory, Versions } from './memory.tsx';
import type { Place } from './order.ts';
import { Record, Standing } from './standing.tsx';
import { board, hasMoved, places } from './state.ts';
import { Rivals } from './versus.tsx';
import { counted } from './words.ts';

/** Games of a persona that are listed. */
const RECENT = 15;

export function PersonaPage({ place, league }: { readonly place: Place; readonly league: League }) {
  const { row, persona } = place;
  const recent = league.games.filter(({ seats }) => seats.some(({ id }) => id === row.id));
  return (
    <main class="persona" data-view="persona">
      <Head place={place} />
      <div class="halves">
        <div>
          <Panel
            id="standing"
            title="How good it is"
            aside={<span>{counted(row.all.games, 'game')}</span>}
          >
            <Standing place={place} />
          </Panel>
          <Panel id="memory" title="What it has learned">
            <Memory persona={persona} />
          </Panel>
          <Panel id="rivals" title="Head to head">
            <Rivals id={row.id} versus={league.standings.versus} />
          </Panel>
          <Panel id="manner" title="How it plays">
            <OwnMeasures row={row} />
          </Panel>
        </div>
        <div>
          <Panel id="record" title="What it has won">
            <Record place={place} />
          </Panel>
          <Panel id="versions" title="How it came to know that">
            <Versions persona={persona} />
          </Panel>
          <Panel id="recent" title="Its latest games">
            <Games games={recent.slice(0, RECENT)} id={row.id} />
          </Panel>
        </div>
      </div>
    </main>
  );
}

function Head({ place }: { readonly place: Place }) {
  const { persona, rank, row } = place;
  const heading = useRef<HTMLHeadingElement>(null);
  // Who follows a link goes on reading at its end.
  useEffect(() => {
    if (!hasMoved.value) return;
    scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [row.id]);
  return (
    <header class="who">
      <a class="back" href={board.value}>
        ← All personas
      </a>
      <p class="place">
        {row.all.games === 0 ? (
          <span class="quiet">no game yet</span>
        ) : (
          <>
            <b>{rank}</b> <small>of {places.value.length}</small>
          </>
        )}
      </p>
      <div>
        <h2 ref={heading} tabIndex={-1}>
          {persona.name}
        </h2>
        <p class="tags">
          <span>{persona.model}</span>
          <span>{persona.temperament}</span>
          <span>strategy: {persona.level}</span>
          <span>{persona.learns ? 'learns' : 'does not learn'}</span>
        </p>
        {persona.character === null ? null : <p class="character">{persona.character}</p>}
        {persona.voice === null ? null : <p class="voice">{persona.voice}</p>}
      </div>
    </header>
  );
}
