/** Games: by name, with a link where somebody serves the page of each, and with the path of the journal otherwise. */
import { Chip } from '../game/players.tsx';
import type { Game } from './league.ts';
import { gameIn, progress } from './state.ts';
import { counted, spoken } from './words.ts';

/** "game 12", linked as far as there is something to link to. */
export function GameName({ slot }: { readonly slot: number }) {
  const journal = gameIn(slot)?.journal ?? null;
  const name = `game ${slot + 1}`;
  if (journal === null) return <span>{name}</span>;
  if (progress.value !== null) return <a href={`game/${slot + 1}`}>{name}</a>;
  return (
    <span>
      {name} <code class="path">{journal}</code>
    </span>
  );
}

/** Games, the latest first; of one persona, if it is given, with its part in them. */
export function Games({
  games,
  id = null,
}: {
  readonly games: readonly Game[];
  readonly id?: string | null;
}) {
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
            {game.winner === null ? 'nobody won:' : `${game.winner} won by`} {spoken(game.reason)}
          </span>
          <span class="quiet">
            {counted(game.rounds, 'round')}, {counted(game.meetings, 'meeting')}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Part({ game, id }: { readonly game: Game; readonly id: string }) {
  const seats = game.seats.filter((seat) => seat.id === id);
  const [first] = seats;
  if (first === undefined) return null;
  return (
    <>
      <span class="part">
        {seats.map(({ colour }) => (
          <Chip key={colour} seat={colour} />
        ))}{' '}
        <span class="vh">{seats.map(({ colour }) => colour).join(', ')} </span>
        {first.role}
      </span>
      <span class="result" data-won={game.winner === null ? undefined : String(first.won)}>
        {game.winner === null ? '– unfinished' : first.won ? '✓ won' : '✕ lost'}
      </span>
    </>
  );
}
