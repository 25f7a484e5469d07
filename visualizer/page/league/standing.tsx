/** The standing of a persona: its ratings among everybody's, and what it has won. */
import type { Role } from '../../../machines/types.ts';
import { Rated } from './cells.tsx';
import type { Persona, Rating } from './league.ts';
import type { Place } from './order.ts';
import { Axis, Won } from './plot.tsx';
import { placeOf as placeOn } from './scale.ts';
import { places, scale } from './state.ts';
import { percent, whole } from './words.ts';

const RATINGS = ['overall', 'impostor', 'crewmate'] as const;

/** Three ratings on the scale of everybody, who are the dots behind them. */
export function Standing({ place }: { readonly place: Place }) {
  const { row } = place;
  return (
    <>
      <dl class="standing">
        {RATINGS.map((which) => (
          <div key={which}>
            <dt>{which === 'overall' ? 'Overall' : `As ${which}`}</dt>
            <dd>
              <Rated
                rating={row.rating[which]}
                share={which === 'overall' ? row.all : row.roles[which]}
              />
              <Crowd ratings={places.value.map((one) => one.row.rating[which])} />
            </dd>
          </div>
        ))}
        <div class="axisrow" aria-hidden="true">
          <dt />
          <dd>
            <Axis scale={scale.value} word={String} />
          </dd>
        </div>
      </dl>
      <p class="legend">The small marks are all personas of this league.</p>
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

export function Record({ place }: { readonly place: Place }) {
  const { row, persona } = place;
  const { career } = persona;
  return (
    <>
      <dl class="standing">
        <div>
          <dt>All games</dt>
          <dd>
            <Won share={row.all} />
          </dd>
        </div>
        {(['impostor', 'crewmate'] as const).map((role: Role) => (
          <div key={role}>
            <dt>As {role}</dt>
            <dd>
              <Won share={row.roles[role]} />
            </dd>
          </div>
        ))}
      </dl>
      <Career career={career} />
    </>
  );
}

/** The document of the persona, over all leagues of its store. */
function Career({ career }: { readonly career: Persona['career'] }) {
  const rates = (['all', 'impostor', 'crewmate'] as const).flatMap((which) => {
    const rate = career[which];
    return rate === null ? [] : `${which === 'all' ? '' : `as ${which} `}${percent(rate)}`;
  });
  return (
    <p class="legend" data-career>
      Over all leagues, each of its seats counted: {whole(career.games)} played
      {rates.length === 0 ? '' : `, won ${rates.join(', ')}`}.
    </p>
  );
}
