/** The summary: how the games went as a whole, before anybody is ranked. */
import { COLOURS } from '../../../machines/types.ts';
import { Panel } from '../frame/panel.tsx';
import { Chip } from '../game/players.tsx';
import type { League, Standings } from './league.ts';
import { Plot, spreadOf, Won } from './plot.tsx';
import { SHARES } from './scale.ts';
import { progress } from './state.ts';
import { counted, endingOf, logOdds, percent, percents, whole } from './words.ts';

export function Summary({ league }: { readonly league: League }) {
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

function Played({ league }: { readonly league: League }) {
  const { standings, players, rules, seating, isMirrored, isLearning, seed, engine } = league;
  const done = progress.value?.done ?? standings.games;
  const { of } = standings;
  const open = of - done;
  return (
    <>
      <p class="big">
        {whole(done)} <small>of {whole(of)}</small>
      </p>
      <progress max={of} value={done} aria-label="Games that are over">
        {percent(done / of)}
      </progress>
      {open > 0 ? (
        <p class="quiet">
          {counted(open, 'game')} open: what was broken off is played again when the league is run.
        </p>
      ) : null}
      <p class="quiet">
        {players} players, {rules} rules,{' '}
        {seating === 'sides' ? 'one persona a side' : 'mixed tables'}
        {isMirrored ? ', every table twice with seats exchanged' : ''}
        {isLearning ? '' : ', nobody learns'}. Seed {seed}, version {engine}.
      </p>
    </>
  );
}

function Sides({ standings }: { readonly standings: Standings }) {
  const { wins, sides } = standings;
  const { crew, impostors } = wins;
  if (crew.interval === null) return <p class="quiet">Nobody has won yet.</p>;
  return (
    <>
      <p class="split" style={{ '--crew': `${100 * crew.interval.share}%` }}>
        <span class="crew">
          <b>{percent(crew.interval.share)}</b> crew
        </span>
        <span class="impostors">
          impostors <b>{percent(impostors.interval?.share ?? 0)}</b>
        </span>
      </p>
      <Plot spread={spreadOf(crew.interval)} scale={SHARES} />
      <p class="quiet">
        The crew wins {percents(crew.interval)} % of games
        {crew.few ? ' (too few games)' : ''}. Between equals the impostors win{' '}
        <b>{percent(sides.value)}</b> ({percents(sides)}): that is what the rules give them
        (β&nbsp;=&nbsp;{logOdds(sides.value)}).
      </p>
    </>
  );
}

function Endings({ standings }: { readonly standings: Standings }) {
  const most = standings.endings[0]?.games ?? 1;
  if (standings.endings.length === 0) return <p class="quiet">No game has ended yet.</p>;
  return (
    <ul class="bars">
      {standings.endings.map(({ ending, games }) => (
        <li key={ending} style={{ '--share': games / most }}>
          <span class="what">{endingOf(ending)}</span>
          <span class="count">
            {whole(games)} <small>{percent(games / standings.games)}</small>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Where the seats are fair, no colour stands out. */
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
                <span class="vh">{colour}</span>
                <Won share={found.share} />
              </li>,
            ];
      })}
    </ul>
  );
}
