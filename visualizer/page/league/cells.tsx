/** The cells of the leaderboard: a figure each, and how sure it is. */
import type { ComponentChildren } from 'preact';
import { personaLink } from './address.ts';
import type { Rating } from './league.ts';
import { type Column, type Place, perGame } from './order.ts';
import { Few, Plot, Won } from './plot.tsx';
import { scale } from './state.ts';
import { dollars, points, short } from './words.ts';

export function Cell({ place, column }: { readonly place: Place; readonly column: Column }) {
  if (column !== 'name') {
    return <td data-column={column}>{figures(place, column)}</td>;
  }
  const { persona } = place;
  return (
    <th scope="row" data-column={column}>
      <a href={personaLink(persona.id)}>{persona.name}</a>
      <span class="model">{persona.model}</span>
    </th>
  );
}

function figures({ row }: Place, column: Column): ComponentChildren {
  const { all, roles, rating } = row;
  switch (column) {
    case 'rating':
      return <Rated rating={rating.overall} share={all} />;
    case 'impostor':
      return <Rated rating={rating.impostor} share={roles.impostor} />;
    case 'crew':
      return <Rated rating={rating.crewmate} share={roles.crewmate} />;
    case 'won':
      return <Won share={all} />;
    case 'impostorWon':
      return <Won share={roles.impostor} />;
    case 'crewWon':
      return <Won share={roles.crewmate} />;
    case 'games':
      return all.games;
    case 'faults':
      return eachGame(perGame(row, 'faults_per_game'), short);
    case 'tokens':
      return eachGame(perGame(row, 'tokens_per_game'), short);
    case 'cost':
      return eachGame(perGame(row, 'microdollars_per_game'), dollars);
    default:
      return null;
  }
}

function eachGame(value: number | null, word: (value: number) => string): ComponentChildren {
  return value === null ? <span class="none">–</span> : word(value);
}

export function Rated({
  rating,
  share,
}: {
  readonly rating: Rating;
  readonly share: { readonly games: number; readonly few: boolean };
}) {
  if (share.games === 0) return <span class="none">–</span>;
  return (
    <>
      <span class="figure">
        <b>{rating.value.toFixed(0)}</b>
        {share.few ? <Few /> : null} <span class="range">{points(rating)}</span>
      </span>
      <Plot spread={rating} scale={scale.value} />
    </>
  );
}
