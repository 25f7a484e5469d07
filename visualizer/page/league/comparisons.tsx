/** Comparisons: two held against each other, by how much they differ and how easily chance alone would do that. */
import { Panel } from '../frame/panel.tsx';
import type { Against } from './league.ts';
import { Axis, Plot } from './plot.tsx';
import { differenceScale } from './scale.ts';
import { chance, counted, signed } from './words.ts';

export function Comparisons({
  comparisons,
  levels,
}: {
  readonly comparisons: readonly Against[];
  readonly levels: readonly Against[];
}) {
  return (
    <>
      {comparisons.length === 0 ? null : (
        <Panel id="comparisons" title="Held against each other">
          <List list={comparisons} />
        </Panel>
      )}
      {levels.length === 0 ? null : (
        <Panel id="levels" title="What strategy is worth">
          <List list={levels} />
        </Panel>
      )}
    </>
  );
}

function List({ list }: { readonly list: readonly Against[] }) {
  const scale = differenceScale(list.map(({ result }) => result));
  return (
    <>
      <ul class="against">
        <li aria-hidden="true">
          <span class="plot scale">
            <Axis scale={scale} word={(tick) => (tick === 0 ? 'no difference' : signed(tick))} />
          </span>
        </li>
        {list.map(({ one, other, result }) => {
          const { difference, least, most, p, cases, isPaired } = result;
          return (
            <li key={`${one}\n${other}`}>
              <p>
                <b>{one}</b> against <b>{other}</b>
              </p>
              <Plot spread={{ value: difference, least, most }} scale={scale} />
              <p class="figures">
                <b>{signed(difference)} points</b> ({signed(least)} to {signed(most)}), {chance(p)},{' '}
                {isPaired
                  ? counted(cases, 'mirrored pair')
                  : `${counted(cases, 'game')}, not mirrored`}
                . {verdict(one, { least, most })}
              </p>
            </li>
          );
        })}
      </ul>
      <p class="legend">
        Points are games of a hundred that the first one wins more often. In mirrored pairs one has
        taken the other’s seat in the same game; without them games count as if they were
        independent.
      </p>
    </>
  );
}

function verdict(
  one: string,
  { least, most }: { readonly least: number; readonly most: number },
): string {
  if (least > 0) return `Better: ${one}.`;
  if (most < 0) return `Worse: ${one}.`;
  return 'Either may be better.';
}
