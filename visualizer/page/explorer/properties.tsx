import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { pluralize } from '../../../machines/text.ts';
import type { ExplorerMutant, ExplorerProperty } from '../../../proofs/report/explorerReport.ts';
import { write } from '../frame/fieldEvents.ts';
import { Choice, Panel, Scroll } from '../frame/panel.tsx';
import { choose, property, report, run, visit } from './visit.ts';
import { Mark, type Mood, moodOf } from './words.tsx';

const FILTERS = ['all', 'with a run', 'not kept'] as const;
const filter = signal<(typeof FILTERS)[number]>('all');

const ORDER: readonly Mood[] = ['broken', 'open', 'declared', 'kept', 'seen', 'silent'];
const HEADINGS: Readonly<Record<Mood, string>> = {
  broken: 'Broken',
  open: 'Open',
  declared: 'Broken, as declared',
  kept: 'Kept',
  seen: 'Reachable, as shown',
  silent: 'Did not apply',
};

export function PropertyPane() {
  const all = run.value?.properties ?? [];
  const shown = all.filter(isShown);
  return (
    <Panel
      id="properties"
      title="Properties"
      aside={
        <Choice names={FILTERS} chosen={filter.value} onChoose={write(filter)} class="small" />
      }
    >
      <Scroll label="Properties and their verdicts">
        {ORDER.map((mood) => (
          <Group key={mood} mood={mood} all={shown.filter((one) => moodOf(one) === mood)} />
        ))}
        {shown.length === 0 ? <p class="quiet">No property matches.</p> : null}
      </Scroll>
    </Panel>
  );
}

function isShown(one: ExplorerProperty): boolean {
  if (filter.value === 'with a run') return one.trace !== null;
  return filter.value === 'all' || !['kept', 'seen', 'silent'].includes(moodOf(one));
}

function Group({ mood, all }: { readonly mood: Mood; readonly all: readonly ExplorerProperty[] }) {
  if (all.length === 0) return null;
  return (
    <>
      <h3 class="group" data-mood={mood}>
        {HEADINGS[mood]} <span>{all.length}</span>
      </h3>
      <ul class="properties">
        {all.map((one) => (
          <PropertyRow key={one.name} one={one} />
        ))}
      </ul>
    </>
  );
}

function PropertyRow({ one }: { readonly one: ExplorerProperty }) {
  const { name, sentence, kind, said, trace } = one;
  const isChosen = property.value?.name === name;
  const isPlain = moodOf(one) === 'kept' && trace === null;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <li ref={row} data-property={name}>
      <button type="button" aria-pressed={isChosen} title={sentence} onClick={() => choose(name)}>
        <Mark mood={moodOf(one)} />
        <span class="name">{name}</span>
        <span class="kind">{kind}</span>
        <span class={isPlain ? 'said vh' : 'said'}>{said}</span>
        {trace === null ? null : (
          <span class="length">{pluralize(trace.steps.length, 'step')}</span>
        )}
      </button>
    </li>
  );
}

export function MutantPane() {
  const all = report.value?.mutants ?? [];
  const kinds = [...Map.groupBy(all, ({ kind }) => kind)];
  return (
    <Panel
      id="properties"
      title="Mutants"
      aside={`${all.filter(({ by }) => by !== null).length} noticed`}
    >
      <Scroll label="Mutants and who noticed them">
        {kinds.map(([kind, same]) => (
          <div key={kind}>
            <h3 class="group">
              {kind === 'chart' ? 'Of the chart' : 'Of a rule'} <span>{same.length}</span>
            </h3>
            <ul class="properties">
              {same.map((mutant) => (
                <MutantRow key={mutant.broken} mutant={mutant} />
              ))}
            </ul>
          </div>
        ))}
      </Scroll>
    </Panel>
  );
}

function MutantRow({ mutant }: { readonly mutant: ExplorerMutant }) {
  const { broken, by, where, run: key } = mutant;
  const isChosen = key !== null && run.value?.key === key;
  return (
    <li data-mutant={broken}>
      <button
        type="button"
        aria-pressed={isChosen}
        disabled={key === null}
        onClick={() => (key === null ? undefined : visit(key))}
      >
        <Mark mood={by === null ? 'broken' : 'kept'} />
        <span class="name">{broken}</span>
        <span class="kind">{where ?? ''}</span>
        <span class="said">{by ?? 'no property fails'}</span>
      </button>
    </li>
  );
}
