import { signal } from '@preact/signals';
import { type ComparedPair, describeSeparation } from '../../../analysis/league/separation.ts';
import type {
  Measure,
  Standings,
  StandingsRow,
  VersusShare,
  WinShare,
} from '../../../analysis/league/types.ts';
import { capitalize, formatCount, formatPercent } from '../../../machines/text.ts';
import { ROLES, type Role } from '../../../machines/types.ts';
import { write } from '../frame/fieldEvents.ts';
import { Choice, ColumnTitles, Panel, Scroll } from '../frame/panel.tsx';
import { Axis, Plot, Won } from './plot.tsx';
import { differenceScale, findMeasure, listMeasures, type RankedPersonas } from './ranking.ts';
import { findPlace, personaLink } from './state.ts';
import { chance, counted, humanise, short, signed } from './words.ts';

type ComparisonsProps = Pick<Standings, 'comparisons' | 'levels' | 'games'>;

export function Comparisons({ comparisons, levels, games }: ComparisonsProps) {
  const lists = [
    { id: 'comparisons', title: 'Comparisons', list: comparisons },
    { id: 'levels', title: 'Levels of strategy', list: levels },
  ];
  return lists
    .filter(({ list }) => list.length > 0)
    .map(({ id, title, list }) => (
      <Panel key={id} id={id} title={title}>
        <ComparisonList {...{ list, games }} />
      </Panel>
    ));
}

type ComparisonListProps = Readonly<{ list: readonly ComparedPair[]; games: number }>;

function ComparisonList({ list, games }: ComparisonListProps) {
  const scale = differenceScale(list.map(({ result }) => rangeOf(result)));
  return (
    <>
      <ul class="against">
        <li aria-hidden="true">
          <span class="plot scale">
            <Axis scale={scale} word={(tick) => (tick === 0 ? 'no difference' : signed(tick))} />
          </span>
        </li>
        {list.map((pair) => {
          const { one, other, result } = pair;
          const { difference, cases, isPaired } = result;
          return (
            <li key={`${one}\n${other}`}>
              <p>
                <b>{one}</b> against <b>{other}</b>
              </p>
              <Plot spread={{ value: difference, ...rangeOf(result) }} scale={scale} />
              <p class="figures">
                <b>{signed(difference)} points</b>
                {sayHowSure(result)}{' '}
                {isPaired
                  ? counted(cases, 'mirrored pair')
                  : `${counted(cases, 'game')}, not mirrored`}
                . {capitalize(describeSeparation(pair, games))}.
              </p>
            </li>
          );
        })}
      </ul>
      <p class="legend">
        Points are how many games of a hundred a side wins more often with the first one in it than
        with the other one. In mirrored pairs one has taken the other’s seat in the same game.
      </p>
    </>
  );
}

function rangeOf({ difference, least, most }: ComparedPair['result']) {
  return { least: least ?? difference, most: most ?? difference };
}

function sayHowSure({ least, most, p }: ComparedPair['result']): string {
  if (least === null || most === null || p === null) return ', too few games to say more:';
  return ` (${signed(least)} to ${signed(most)}), ${chance(p)},`;
}

const MOST = 20;

type HeadToHeadProps = Readonly<{ places: RankedPersonas; versus: readonly VersusShare[] }>;

export function HeadToHead({ places, versus }: HeadToHeadProps) {
  if (versus.length === 0) return null;
  const list = places.slice(0, MOST);
  const shares = new Map(versus.map(({ one, other, share }) => [`${one}\n${other}`, share]));
  const rest = places.length - list.length;
  return (
    <Panel id="versus" title="Head to head" aside={<span>row against column</span>}>
      <Scroll class="wide" label="Head to head, scrolls sideways">
        <table class="versus">
          <caption class="vh">Share of games that the row won against the column</caption>
          <thead>
            <tr>
              <th scope="col">Won against</th>
              {list.map(({ persona }) => (
                <th key={persona.id} scope="col">
                  <span>{persona.name}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {list.map(({ persona: one }) => (
              <tr key={one.id}>
                <th scope="row">
                  <a href={personaLink(one.id)}>{one.name}</a>
                </th>
                {list.map(({ persona: other }) => (
                  <VersusCell
                    key={other.id}
                    isOwn={one.id === other.id}
                    share={shares.get(`${one.id}\n${other.id}`)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p class="legend">
        {rest > 0
          ? `The first ${MOST} of those above; ${rest} more are found by their names. `
          : ''}
        * Too few games: fewer than 30.
      </p>
    </Panel>
  );
}

function VersusCell({ share, isOwn }: Readonly<{ share: WinShare | undefined; isOwn: boolean }>) {
  if (share === undefined) return <td class={isOwn ? 'own' : 'none'}>{isOwn ? '' : '–'}</td>;
  const value = share.wins / share.games;
  return (
    <td
      data-side={value < 0.5 ? 'below' : 'above'}
      style={{ '--heat': `${Math.round(140 * Math.abs(value - 0.5))}%` }}
    >
      <b>{formatPercent(value)}</b>
      {share.few ? '*' : ''} <small>of {share.games}</small>
    </td>
  );
}

export function Rivals({ id, versus }: Readonly<{ id: string; versus: readonly VersusShare[] }>) {
  const own = versus.filter(({ one }) => one === id);
  if (own.length === 0)
    return <p class="quiet">It has not met another persona on the other side yet.</p>;
  return (
    <ul class="rivals">
      {own.map(({ other, share }) => (
        <li key={other}>
          <a href={personaLink(other)}>{findPlace(other)?.persona.name ?? other}</a>
          <span class="quiet">{counted(share.games, 'game')}</span>
          <span class="won">
            <Won share={share} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const role = signal<Role>('crewmate');

export function Measures({ places }: { readonly places: RankedPersonas }) {
  const rows = places.map(({ row }) => row);
  const names = listMeasures(rows, role.value);
  return (
    <Panel id="measures" title="Statistics" aside={<RoleSwitch />}>
      {names.length === 0 ? <p class="quiet">Nothing has been counted yet.</p> : null}
      <Scroll class="wide" label="Statistics, scrolls sideways">
        <table class="measures">
          <caption class="vh">As {role.value}</caption>
          <ColumnTitles names={[`As ${role.value}`, ...names.map(humanise)]} />
          <tbody>
            {places.map(({ row, persona }) => (
              <tr key={row.id}>
                <th scope="row">
                  <a href={personaLink(row.id)}>{persona.name}</a>
                </th>
                {names.map((name) => (
                  <Figure key={name} row={row} name={name} most={mostOf(rows, name)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p class="legend">
        Bars are shares of the largest figure in their column. Vote accuracy counts votes for
        impostors, of those that were for somebody; bus rate an impostor’s votes for partners;
        persuasion the ballots for a player whom they had addressed, of those locked later.
      </p>
    </Panel>
  );
}

function RoleSwitch() {
  return (
    <fieldset class="lenses">
      <legend class="vh">Role</legend>
      <Choice names={ROLES} chosen={role.value} onChoose={write(role)} class="small" />
    </fieldset>
  );
}

function mostOf(rows: readonly StandingsRow[], name: string): number {
  const values = rows.map(({ tallies }) => findMeasure(tallies[role.value], name)?.value ?? 0);
  return Math.max(0, ...values);
}

function Figure({ row, name, most }: Readonly<{ row: StandingsRow; name: string; most: number }>) {
  const measure = findMeasure(row.tallies[role.value], name);
  if (measure === undefined || measure.value === null) return <td class="none">–</td>;
  return (
    <td
      style={{ '--share': most === 0 ? 0 : measure.value / most }}
      title={`${formatCount(measure.count)} of ${formatCount(measure.of)}`}
    >
      {short(measure.value)}
    </td>
  );
}

export function OwnMeasures({ row }: { readonly row: StandingsRow }) {
  const lists = ROLES.map((which) => [which, listMeasures([row], which)] as const);
  const names = [...new Set(lists.flatMap(([, list]) => list))];
  if (names.length === 0) return <p class="quiet">Nothing has been counted yet.</p>;
  return (
    <table class="own">
      <caption class="vh">Statistics by role</caption>
      <ColumnTitles names={['Measure', ...ROLES.map((which) => `as ${which}`)]} />
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <th scope="row">{humanise(name)}</th>
            {ROLES.map((which) => (
              <OwnFigure key={which} measure={findMeasure(row.tallies[which], name)} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function OwnFigure({ measure }: { readonly measure: Measure | undefined }) {
  if (measure === undefined || measure.value === null) return <td class="none">–</td>;
  return (
    <td>
      <b>{short(measure.value)}</b>{' '}
      <small>
        {formatCount(measure.count)} of {formatCount(measure.of)}
      </small>
    </td>
  );
}
