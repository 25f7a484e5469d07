/** Every transition in words: how often it was taken, what its guard said, and what those need that never were. */
import type { ExplorerCoverage, ExplorerEdge } from '../../../../proofs/explorer/report.ts';
import { edges } from '../state/visit.ts';
import { count } from './words.tsx';

export function Transitions({ coverage }: { readonly coverage: ExplorerCoverage }) {
  const { missing } = coverage;
  return (
    <div class="counted">
      <details>
        <summary>
          {missing.length === 0
            ? 'Nothing was left out in all runs together'
            : `${missing.length} parts were never seen in all runs together`}
        </summary>
        <ul class="missing">
          {missing.map(({ what, nearest, needs }) => (
            <li key={what} data-gate={needs === null || undefined}>
              <code>{what}</code>
              <span>
                {needs === null ? 'nothing excuses it' : `needs ${needs}`}
                {nearest === null ? '' : `; nearest: ${nearest}`}
              </span>
            </li>
          ))}
        </ul>
      </details>
      <details>
        <summary>All transitions, counted</summary>
        <table class="transitions">
          <thead>
            <tr>
              <th scope="col">Transition</th>
              <th scope="col">taken</th>
              <th scope="col">guard yes</th>
              <th scope="col">no</th>
            </tr>
          </thead>
          <tbody>
            {edges.value.map((edge, index) => (
              <Row key={edge.id} edge={edge} index={index} coverage={coverage} />
            ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}

type RowProps = {
  readonly edge: ExplorerEdge;
  readonly index: number;
  readonly coverage: ExplorerCoverage;
};

function Row({ edge, index, coverage: { taken, passed, failed } }: RowProps) {
  const { id, source, event, targets, guard } = edge;
  const many = taken[index] ?? 0;
  const said = (answers: readonly number[] | null) =>
    guard === null || answers === null ? '–' : count(answers[index] ?? 0);
  return (
    <tr data-edge={id} data-missed={many === 0 || undefined}>
      <th scope="row">
        {source} <span class="quiet">{event}</span> →{' '}
        {targets.length === 0 ? 'stays' : targets.join(' & ')}
        {guard === null ? null : <code>{guard}</code>}
      </th>
      <td>{count(many)}</td>
      <td>{said(passed)}</td>
      <td>{said(failed)}</td>
    </tr>
  );
}
