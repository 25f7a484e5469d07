import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type {
  LeaguePersona,
  LeagueReport,
  ListedGame,
  MemoryVersion,
  PlacedLesson,
  Rating,
} from '../../../analysis/league/types.ts';
import { capitalize, formatPercent, quoteWord } from '../../../machines/text.ts';
import { Chip, Plays } from '../frame/chip.tsx';
import { Panel } from '../frame/panel.tsx';
import { Rated, type RatedAs, shareOf } from './leaderboard.tsx';
import { Axis, Won } from './plot.tsx';
import { positionOn as placeOn, type RankedPersona } from './ranking.ts';
import { board, gameIn, hasMoved, places, progress, scale } from './state.ts';
import { OwnMeasures, Rivals } from './tables.tsx';
import { counted, humanise } from './words.ts';

type PersonaPageProps = Readonly<{ place: RankedPersona; league: LeagueReport }>;

export function PersonaPage({ place, league }: PersonaPageProps) {
  const { row, persona } = place;
  const recent = league.games.filter(({ seats }) => seats.some(({ id }) => id === row.id));
  return (
    <main class="persona" data-view="persona">
      <PersonaHead place={place} />
      <div class="halves">
        <div>
          <Panel
            id="standing"
            title="Ratings"
            aside={<span>{counted(row.all.games, 'game')}</span>}
          >
            <Standing place={place} />
          </Panel>
          <Panel id="memory" title="Lessons">
            <Memory persona={persona} />
          </Panel>
          <Panel id="rivals" title="Head to head">
            <Rivals id={row.id} versus={league.standings.versus} />
          </Panel>
          <Panel id="manner" title="Statistics">
            <OwnMeasures row={row} />
          </Panel>
        </div>
        <div>
          <Panel id="record" title="Games won">
            <Record place={place} />
          </Panel>
          <Panel id="versions" title="Versions of its memory">
            <Versions persona={persona} />
          </Panel>
          <Panel id="recent" title="Latest games">
            <Games games={recent.slice(0, RECENT)} id={row.id} />
          </Panel>
        </div>
      </div>
    </main>
  );
}

function PersonaHead({ place }: { readonly place: RankedPersona }) {
  const { persona, rank, row } = place;
  const heading = useRef<HTMLHeadingElement>(null);
  // A reader who follows a link continues at its target.
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
          <span>
            <Plays model={persona.model} />
          </span>
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

const RECENT = 15;

type ByRoleProps = Readonly<{
  overall: string;
  figure: (of: RatedAs) => ComponentChildren;
  children?: ComponentChildren;
}>;

function ByRole({ overall, figure, children }: ByRoleProps) {
  return (
    <dl class="standing">
      {(['overall', 'impostor', 'crewmate'] as const).map((of) => (
        <div key={of}>
          <dt>{of === 'overall' ? overall : `As ${of}`}</dt>
          <dd>{figure(of)}</dd>
        </div>
      ))}
      {children}
    </dl>
  );
}

function Standing({ place }: { readonly place: RankedPersona }) {
  const { row } = place;
  return (
    <>
      <ByRole
        overall="Overall"
        figure={(of) => (
          <>
            <Rated {...{ row, of }} />
            <Crowd ratings={places.value.map((one) => one.row.rating[of])} />
          </>
        )}
      >
        <div class="axisrow" aria-hidden="true">
          <dt />
          <dd>
            <Axis scale={scale.value} word={String} />
          </dd>
        </div>
      </ByRole>
      <p class="legend">The small marks are the other personas of this league.</p>
    </>
  );
}

function Crowd({ ratings }: { readonly ratings: readonly Rating[] }) {
  return (
    <span class="crowd" aria-hidden="true">
      {ratings.map(({ value }, index) => (
        <i key={index} style={{ left: `${(100 * placeOn(value, scale.value)).toFixed(2)}%` }} />
      ))}
    </span>
  );
}

function Record({ place }: { readonly place: RankedPersona }) {
  const { row, persona } = place;
  return (
    <>
      <ByRole overall="All games" figure={(of) => <Won share={shareOf(row, of)} />} />
      <Career career={persona.career} />
    </>
  );
}

function Career({ career }: { readonly career: LeaguePersona['career'] }) {
  const rates = (['all', 'impostor', 'crewmate'] as const).flatMap((which) => {
    const rate = career[which];
    return rate === null ? [] : `${which === 'all' ? '' : `as ${which} `}${formatPercent(rate)}`;
  });
  return (
    <p class="legend" data-career>
      Over all leagues: {counted(career.games, 'game')} in {counted(career.seats, 'seat')}
      {rates.length === 0 ? '' : `, won ${rates.join(', ')}`}.
    </p>
  );
}

function Memory({ persona }: { readonly persona: LeaguePersona }) {
  const { lessons } = persona;
  if (lessons.length === 0) return <p class="quiet">It has learned nothing yet.</p>;
  return (
    <ol class="lessons">
      {lessons.map((lesson, index) => (
        <li key={index}>
          <q>{lesson.text}</q>
          <From lesson={lesson} />
        </li>
      ))}
    </ol>
  );
}

function From({ lesson }: { readonly lesson: PlacedLesson }) {
  const { from, slot } = lesson;
  if (slot === null) return <span class="from">from {from}</span>;
  const role = from.slice(from.lastIndexOf(', as ') + 2);
  return (
    <span class="from">
      from <GameName slot={slot} />, {role}
    </span>
  );
}

const WHYS: Readonly<Record<string, string>> = {
  new: 'its first lessons',
  reflection: 'reflection after games',
  taught: 'taught by hand',
  forgotten: 'lessons forgotten by hand',
  rollback: 'an earlier version restored',
};

function Versions({ persona }: { readonly persona: LeaguePersona }) {
  const { versions, earlier } = persona;
  if (versions.length === 0) return <p class="quiet">Its memory has not changed.</p>;
  return (
    <>
      <ol class="versions">
        {versions.map((version) => (
          <li key={version.version}>
            <Step {...version} />
          </li>
        ))}
      </ol>
      {earlier === 0 ? null : (
        <p class="legend">{counted(earlier, 'older version')} are kept in the store.</p>
      )}
    </>
  );
}

function Step({ version, why, barrier, added, dropped }: MemoryVersion) {
  return (
    <>
      <p class="version">
        <b>Version {version}</b>, {WHYS[why] ?? why}
        {barrier === '' ? null : <span class="quiet"> · after round {roundIn(barrier)}</span>}
      </p>
      <ul class="changes">
        {added.map((lesson, index) => (
          <li key={index} data-change="added">
            <ins>
              <span aria-hidden="true">+</span>
              <span class="vh">learned: </span> {lesson.text}
            </ins>
            <From lesson={lesson} />
          </li>
        ))}
        {dropped.map((text, index) => (
          <li key={index} data-change="dropped">
            <del>
              <span aria-hidden="true">−</span>
              <span class="vh">gave up: </span> {text}
            </del>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A barrier is called "LEAGUE: ROUND", and rounds are counted from 0; people count from 1. */
function roundIn(barrier: string): string {
  const [, league = '', round = ''] = /^(.*): (\d+)$/s.exec(barrier) ?? [];
  return round === '' ? barrier : `${Number(round) + 1} of ${league}`;
}

type GamesProps = Readonly<{ games: readonly ListedGame[]; id?: string | null }>;

export function Games({ games, id = null }: GamesProps) {
  if (games.length === 0) return <p class="quiet">No game has ended yet.</p>;
  return (
    <ul class="games">
      {games.map((game) => (
        <li key={game.slot}>
          <span class="name">
            <GameName slot={game.slot} />
          </span>
          {id === null ? null : <Part game={game} id={id} />}
          <span class="ending">
            {game.winner === null ? 'nobody won:' : `${game.winner} won by`} {humanise(game.reason)}
          </span>
          <span class="quiet">
            {counted(game.rounds, 'round')}, {counted(game.meetings, 'meeting')}
          </span>
          <TurningPoint game={game} />
        </li>
      ))}
    </ul>
  );
}

function Part({ game, id }: { readonly game: ListedGame; readonly id: string }) {
  const seats = game.seats.filter((seat) => seat.id === id);
  const [first] = seats;
  if (first === undefined) return null;
  return (
    <>
      <span class="part">
        {seats.map(({ colour }) => (
          <Chip key={colour} seat={colour} />
        ))}{' '}
        <span class="vh">{seats.map(({ colour }) => capitalize(colour)).join(', ')} </span>
        {first.role}
      </span>
      <span class="result" data-won={game.winner === null ? undefined : String(first.won)}>
        {game.winner === null ? '– no winner' : first.won ? '✓ won' : '✕ lost'}
      </span>
    </>
  );
}

/** "game 12", linked where the page is served; a file has the command that opens it. */
function GameName({ slot }: { readonly slot: number }) {
  const journal = gameIn(slot)?.journal ?? null;
  const name = `game ${slot + 1}`;
  if (journal === null) return <span>{name}</span>;
  if (progress.value !== null) return <a href={`game/${slot + 1}`}>{name}</a>;
  return (
    <span>
      {name} <code class="path">glassbox view {quoteWord(journal)}</code>
    </span>
  );
}

function TurningPoint({ game: { slot, turn } }: { readonly game: ListedGame }) {
  if (turn === undefined) return null;
  const { at, when, from, to, what } = turn;
  const words = `Turning point: crew ${formatPercent(from)} → ${formatPercent(to)} ${when}${what === '' ? '' : `, ${what}`}`;
  return (
    <span class="turning">
      {progress.value === null ? (
        `${words} (moment ${at})`
      ) : (
        <a href={`game/${slot + 1}#t=${at}&lens=glass`}>{words}</a>
      )}
    </span>
  );
}
