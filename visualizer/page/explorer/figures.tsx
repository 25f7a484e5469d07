import { formatCount as count } from '../../../machines/text.ts';
import type { ExplorerRun, SearchFigures as Found } from '../../../proofs/report/explorerReport.ts';
import { Lines } from '../frame/panel.tsx';
import { report, run } from './visit.ts';
import { type Mood, moodOf } from './words.tsx';

export function Figures() {
  const here = run.value;
  if (here === null) return <p class="figures">No run to show.</p>;
  const figures = [
    ...(report.value?.about === 'mutants' ? killFigures() : verdictFigures(here)),
    ...(here.figures === null ? [] : searchFigures(here.figures)),
  ];
  return (
    <section class="figures" aria-label="Figures">
      {/* On a phone it scrolls, and must be reachable by keyboard. */}
      <dl tabIndex={0}>
        {figures.map((figure) => (
          <Figure key={figure.name} {...figure} />
        ))}
      </dl>
      <details class="caveats">
        <summary>How it was checked</summary>
        <Lines texts={caveats(here)} />
      </details>
    </section>
  );
}

function killFigures(): readonly FigureProps[] {
  const all = report.value?.mutants ?? [];
  const killed = all.filter(({ by }) => by !== null).length;
  const open = all.length - killed;
  return [
    { name: 'mutants', value: count(all.length) },
    { name: 'killed', value: count(killed) },
    ...(open === 0 ? [] : [{ name: 'survive unnoticed', value: count(open), mood: 'broken' }]),
  ];
}

function verdictFigures({ properties }: ExplorerRun): readonly FigureProps[] {
  const moods = properties.map(moodOf);
  const many = (...which: readonly Mood[]) => moods.filter((mood) => which.includes(mood)).length;
  const broken = many('broken');
  const rest = [
    { name: 'broken as declared', found: many('declared'), mood: '' },
    { name: 'did not apply', found: many('silent'), mood: '' },
    { name: 'open', found: many('open'), mood: 'open' },
  ];
  return [
    { name: 'kept', value: count(many('kept', 'seen')) },
    { name: 'broken', value: count(broken), mood: broken > 0 ? 'broken' : '' },
    ...rest.flatMap(({ found, ...one }) => (found === 0 ? [] : { ...one, value: count(found) })),
  ];
}

const MEGABYTE = 1_000_000;

function searchFigures(figures: Found): readonly FigureProps[] {
  const { states, transitions, depth, seconds, keptBytes, peakBytes, symmetry, ended } = figures;
  const memory = `${Math.round(peakBytes / MEGABYTE)} MB`;
  const kept = `${(keptBytes / MEGABYTE).toFixed(1)} MB hold the states`;
  return [
    { name: symmetry === null ? 'states' : 'states, alike as one', value: count(states) },
    { name: 'moves', value: count(transitions) },
    { name: 'depth', value: count(depth) },
    { name: 'seconds', value: seconds.toFixed(seconds < 10 ? 2 : 0) },
    { name: 'memory', value: memory, title: `${kept}; the process used up to ${memory}.` },
    ended === null
      ? { name: 'search', value: 'closed' }
      : { name: 'search', value: 'cut off', mood: 'open' },
  ];
}

type FigureProps = Readonly<{ name: string; value: string; mood?: string; title?: string }>;

function Figure({ name, value, mood = '', title = '' }: FigureProps) {
  return (
    <div class="figure" data-mood={mood || undefined} title={title || undefined}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function caveats({ world, figures, asides, bound }: ExplorerRun): readonly string[] {
  return [
    ...(world === '' ? [] : [`The world: ${world}.`]),
    ...(figures === null ? [] : searchWords(figures)),
    ...asides.map(
      ({ about, states, transitions, seconds, ended, asked }) =>
        `Beside it, for ${asked.join(', ')}: ${about}; ${count(states)} states, ${count(transitions)} moves, ${seconds.toFixed(2)} s${ended === null ? '' : `, ended by ${ended}`}.`,
    ),
    ...(bound === '' ? [] : [`The bound on silence: ${bound} ticks.`]),
  ];
}

function searchWords(figures: Found): readonly string[] {
  const { engine, slow, symmetry, frontier, ended, broken, states, seconds } = figures;
  const rate = seconds > 0 ? ` ${count(Math.round(states / seconds))} states a second.` : '';
  return [
    ended === null
      ? `The search is complete: it visited every reachable state.${rate}`
      : `The search was ended by ${ended}; ${count(frontier)} states remain unvisited, so an undecided property is not proved.${rate}`,
    symmetry === null
      ? 'No states were merged by symmetry.'
      : `One state stands for all states that differ only by an exchange of equals (${symmetry}).`,
    'States are compared as a whole, without fingerprints, so two states are never confused.',
    engine === 'compiled'
      ? 'The machine’s own guards and actions ran, called directly.'
      : `XState itself ran the machine: ${slow ?? 'it was requested'}.`,
    ...(broken === null ? [] : [`The machine itself broke: ${broken}.`]),
  ];
}
