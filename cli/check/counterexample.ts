/** A counterexample, told as a meeting: what happened step by step, what changed, and where it goes round for ever. */
import type { Trace } from 'glass-box-checker';
import type { ToMeeting } from '../../machines/messages.ts';
import { clean } from '../../visualizer/terminal/clean.ts';
import type { MeetingEvent, Run, Verdict } from './run.ts';
import { rowsOf, type Step } from './shown.ts';
import { walk } from './walk.ts';
import { changes, happening } from './words.ts';

/** A promise that was broken, and the run that breaks it. */
export type Counterexample = {
  readonly run: Run;
  readonly verdict: Verdict;
  readonly trace: Trace<MeetingEvent>;
};

/** The counterexamples of a run; what was never seen at all has none to show. */
export function counterexamples(run: Run): readonly Counterexample[] {
  return run.judged.flatMap((verdict) =>
    verdict.verdict.type === 'violated' ? [{ run, verdict, trace: verdict.verdict.trace }] : [],
  );
}

export function steps({
  run,
  trace,
  verdict,
}: Omit<Counterexample, 'verdict'> & { readonly verdict?: Verdict }): readonly Step[] {
  if (verdict?.shown !== undefined) return verdict.shown.steps;
  return walk(run.model, trace).turns.map(({ before, event, after }) => ({
    at: before.at,
    to: after.at,
    happened: happening(event),
    changes: changes(before, after),
  }));
}

export function tell(example: Counterexample): readonly string[] {
  const { run, verdict, trace } = example;
  const { rules, players } = run.subject;
  const isDeclared = verdict.expected === 'violated';
  const heading = `${isDeclared ? '✓' : '✗'} ${verdict.name}, ${rules}, ${players} players: ${verdict.sentence}`;
  if (verdict.kind === 'sometimes') return [heading, '  It was never seen.'];
  const rows = rowsOf(steps(example), trace.loop);
  if (verdict.shown !== undefined) return [heading, ...rows, `  ${verdict.shown.note}`];
  if (trace.events.length === 0) rows.push('  It is so from the beginning.');
  return [heading, ...rows, ...ending(trace, isDeclared)];
}

/** Where the machine itself broke: the way there, and what it said. */
export function crashes(run: Run): readonly (readonly string[])[] {
  const { rules, players } = run.subject;
  return run.searches.flatMap(({ broken }) => {
    if (broken === null) return [];
    const events = broken.trace.events;
    const told = steps({ run, trace: { ...broken.trace, events: events.slice(0, -1) } });
    const last = events.at(-1);
    const end = last === undefined ? 'it begins' : happening(last as ToMeeting);
    return [
      [
        `✗ ${rules}, ${players} players: the machine broke`,
        ...rowsOf(told, null),
        `  and when ${end}: ${clean(broken.message)}`,
      ],
    ];
  });
}

function ending({ loop, excludedBy }: Trace<MeetingEvent>, isDeclared: boolean): readonly string[] {
  const excuses =
    excludedBy.length === 0
      ? []
      : [`  It could not be if this were so: ${excludedBy.join('; or ')}.`];
  return [
    ...(loop === null ? [] : ['  ↺ and so on for ever']),
    ...excuses,
    ...(isDeclared ? ['  It was declared that this promise fails.'] : []),
  ];
}
