/** Head to head: who wins against whom, of the games in which they were on different sides. */
import { Panel } from '../frame/panel.tsx';
import { personaLink } from './address.ts';
import type { Share, Versus } from './league.ts';
import type { Place } from './order.ts';
import { Won } from './plot.tsx';
import { placeOf } from './state.ts';
import { counted, percent } from './words.ts';

/** Rows and columns that can still be read. */
const MOST = 20;

export function HeadToHead({
  places,
  versus,
}: {
  readonly places: readonly Place[];
  readonly versus: readonly Versus[];
}) {
  if (versus.length === 0) return null;
  const list = places.slice(0, MOST);
  const shares = new Map(versus.map(({ one, other, share }) => [`${one}\n${other}`, share]));
  const rest = places.length - list.length;
  return (
    <Panel id="versus" title="Head to head" aside={<span>row against column</span>}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with keys. */}
      <section class="wide" tabIndex={0} aria-label="Head to head, scrolls sideways">
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
                  <Cell
                    key={other.id}
                    isOwn={one.id === other.id}
                    share={shares.get(`${one.id}\n${other.id}`)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="legend">
        {rest > 0
          ? `The first ${MOST} of those above; ${rest} more are found by their names. `
          : ''}
        * Too few games: fewer than 30.
      </p>
    </Panel>
  );
}

function Cell({ share, isOwn }: { readonly share: Share | undefined; readonly isOwn: boolean }) {
  if (share === undefined) return <td class={isOwn ? 'own' : 'none'}>{isOwn ? '' : '–'}</td>;
  const value = share.wins / share.games;
  return (
    <td
      data-side={value < 0.5 ? 'below' : 'above'}
      style={{ '--heat': `${Math.round(140 * Math.abs(value - 0.5))}%` }}
    >
      <b>{percent(value)}</b>
      {share.few ? '*' : ''} <small>of {share.games}</small>
    </td>
  );
}

/** One persona against everybody else. */
export function Rivals({
  id,
  versus,
}: {
  readonly id: string;
  readonly versus: readonly Versus[];
}) {
  const own = versus.filter(({ one }) => one === id);
  if (own.length === 0) return <p class="quiet">They have met nobody on the other side yet.</p>;
  return (
    <ul class="rivals">
      {own.map(({ other, share }) => (
        <li key={other}>
          <a href={personaLink(other)}>{placeOf(other)?.persona.name ?? other}</a>
          <span class="quiet">{counted(share.games, 'game')}</span>
          <span class="won">
            <Won share={share} />
          </span>
        </li>
      ))}
    </ul>
  );
}
