/** Reports: what a check found, as text for people. */
import type { EventObject } from 'xstate';
import type { Checked } from './check.ts';
import type { Judged, Trace } from './verdict.ts';

const MARKS = { proved: '✓', violated: '✗', incomplete: '?', vacuous: '∅' } as const;

export function reported<E extends EventObject>(checked: Checked<E>): string {
  const { model, states, transitions, depth, engine, ended, broken, judged } = checked;
  const extent = ended === null ? 'all of it' : `ended by ${ended}`;
  return [
    `${model}: ${states} states, ${transitions} steps, depth ${depth}, ${engine}, ${extent}`,
    ...(broken === null ? [] : [`  ! ${broken.message}`, ...told(broken.trace)]),
    ...judged.flatMap(judgement),
    ...coverage(checked),
  ].join('\n');
}

function judgement<E extends EventObject>({
  name,
  sentence,
  verdict,
}: Judged<E>): readonly string[] {
  const head = `  ${MARKS[verdict.type]} ${name}: ${verdict.type}. ${sentence}`;
  if (verdict.type === 'violated') return [head, ...told(verdict.trace)];
  return verdict.type === 'proved' ? [head] : [head, `      ${verdict.why}`];
}

/** The events of a run, one a line; the arrow marks where it comes round again. */
function told<E extends EventObject>({ events, loop, excludedBy }: Trace<E>): readonly string[] {
  const lines = events.map((event, index) => {
    const { type, ...rest } = event;
    const details = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`;
    return `    ${index === loop ? '↺' : ' '} ${index + 1}. ${type}${details}`;
  });
  return excludedBy.length === 0
    ? lines
    : [...lines, `      cannot happen if you assume: ${excludedBy.join('; ')}`];
}

function coverage<E extends EventObject>({ coverage: seen }: Checked<E>): readonly string[] {
  const { states, transitions, guards, unreached, untaken } = seen;
  const asked = guards === null ? '' : `, guard outcomes ${guards.seen}/${guards.all}`;
  return [
    `  seen: states ${states.seen}/${states.all}, transitions ${transitions.seen}/${transitions.all}${asked}`,
    ...unreached.map((leaf) => `    never reached: ${leaf}`),
    ...untaken.map(({ edge }) => `    never taken: ${edge}`),
    ...(guards?.neverTrue ?? []).map((edge) => `    its guard never passes: ${edge}`),
  ];
}
