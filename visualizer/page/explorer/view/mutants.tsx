/** The mutants: what was broken on purpose, and which property noticed; a row leads to the run that shows it. */

import type { ExplorerMutant } from '../../../../proofs/explorer/report.ts';
import { Panel } from '../../frame/panel.tsx';
import { report, run, visit } from '../state/visit.ts';
import { Mark, type Mood } from './words.tsx';

export function MutantPane() {
  const all = report.value?.mutants ?? [];
  const kinds = [...Map.groupBy(all, ({ kind }) => kind)];
  return (
    <Panel
      id="properties"
      title="Mutants"
      aside={`${all.filter(({ by }) => by !== null).length} noticed`}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard. */}
      <section class="scroll" tabIndex={0} aria-label="Mutants and who noticed them">
        {kinds.map(([kind, same]) => (
          <div key={kind}>
            <h3 class="group">
              {kind === 'chart' ? 'Of the chart' : 'Of a rule'} <span>{same.length}</span>
            </h3>
            <ul class="properties">
              {same.map((mutant) => (
                <Row key={mutant.broken} mutant={mutant} />
              ))}
            </ul>
          </div>
        ))}
      </section>
    </Panel>
  );
}

function moodOf({ by, excuse }: ExplorerMutant): Mood {
  if (by !== null) return excuse === null ? 'kept' : 'open';
  return excuse === null ? 'broken' : 'declared';
}

function Row({ mutant }: { readonly mutant: ExplorerMutant }) {
  const { broken, by, where, excuse, run: key } = mutant;
  const isChosen = key !== null && run.value?.key === key;
  return (
    <li data-mutant={broken}>
      <button
        type="button"
        aria-pressed={isChosen}
        disabled={key === null}
        onClick={() => (key === null ? undefined : visit(key))}
      >
        <Mark mood={moodOf(mutant)} />
        <span class="name">{broken}</span>
        <span class="kind">{where ?? ''}</span>
        <span class="said">{by ?? excuse ?? 'no property fails'}</span>
      </button>
    </li>
  );
}
