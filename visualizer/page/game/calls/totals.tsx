/** The totals of the drawer: what all requests of a journal come to, player by player. */

import { ledger } from '../state/calls.ts';
import { Player } from '../view/seat.tsx';
import { bySeat, count, duration, money, type Sum, sumOf } from './sum.ts';

const COLUMNS = ['requests', 'in', 'cached', 'out', 'time', 'cost', 'failed', 'mended'] as const;

/** What all requests of the journal come to, as far as it is told. */
export function Totals() {
  const { calls } = ledger.value;
  if (calls.length === 0) return <p class="quiet">No language model was asked in this journal.</p>;
  const all = sumOf(calls);
  return (
    <div class="totals">
      <h3>All requests of this journal</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard. */}
      <section class="wide" tabIndex={0} aria-label="Requests by player">
        <table>
          <thead>
            <tr>
              <th scope="col">player</th>
              {COLUMNS.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bySeat(calls).map(([seat, sum]) => (
              <tr key={seat} data-seat={seat}>
                <th scope="row">
                  <Player seat={seat} />
                </th>
                <Cells sum={sum} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">all</th>
              <Cells sum={all} />
            </tr>
          </tfoot>
        </table>
      </section>
      {all.isGuessed ? (
        <p class="quiet">The endpoint has not counted everything: ≈ is what was reckoned with.</p>
      ) : null}
    </div>
  );
}

function Cells({ sum }: { readonly sum: Sum }) {
  const about = sum.isGuessed ? '≈' : '';
  const cells = [
    count(sum.calls),
    `${about}${count(sum.prompt)}`,
    count(sum.cached),
    `${about}${count(sum.completion)}`,
    duration(sum.ms),
    money(sum.dollars),
    count(sum.failed),
    count(sum.mended),
  ];
  return (
    <>
      {cells.map((cell, index) => (
        <td key={COLUMNS[index]}>{cell}</td>
      ))}
    </>
  );
}
