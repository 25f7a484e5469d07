/** Renders the result of a check as text. */
import type { EventObject } from 'xstate';
import type { CheckResult } from './check.ts';
import type { CoverageReport } from './coverage.ts';
import type { PropertyResult, Trace } from './model.ts';
import { writeValue } from './writeValue.ts';

/** For fewer states the initial allocation distorts the bytes per state. */
const MANY_STATES = 10_000;

const MARKS = { proved: '✓', violated: '✗', incomplete: '?', vacuous: '∅' } as const;

export function renderReport<E extends EventObject>(checked: CheckResult<E>): string {
  const { model, states, transitions, depth, engine, ended, broken, results, bytes } = checked;
  const size = states < MANY_STATES ? '' : `, ${Math.round(bytes / states)} bytes kept for each`;
  const extent = ended === null ? 'all of it' : `ended by ${ended}`;
  return [
    `${model}: ${states} states, ${transitions} steps, depth ${depth}, ${engine}${size}, ${extent}`,
    ...(broken === null ? [] : [`  ! ${broken.message}`, ...renderTrace(broken.trace)]),
    ...results.flatMap(renderResult),
    ...renderCoverage(checked.coverage),
  ].join('\n');
}

function renderResult<E extends EventObject>(result: PropertyResult<E>): readonly string[] {
  const { name, sentence, verdict } = result;
  const head = `  ${MARKS[verdict.type]} ${name}: ${verdict.type}. ${sentence}`;
  if (verdict.type === 'violated') return [head, ...renderTrace(verdict.trace)];
  return verdict.type === 'proved' ? [head] : [head, `      ${verdict.why}`];
}

/** The events of a run, one per line. The arrow marks the start of the loop. */
export function renderTrace<E extends EventObject>(trace: Trace<E>): readonly string[] {
  const { events, loop, excludedBy } = trace;
  const lines = events.map((event, index) => {
    const { type, ...rest } = event;
    const details = Object.keys(rest).length === 0 ? '' : ` ${writeValue(rest)}`;
    return `    ${index === loop ? '↺' : ' '} ${index + 1}. ${type}${details}`;
  });
  return excludedBy.length === 0
    ? lines
    : [...lines, `      cannot happen if you assume: ${excludedBy.join('; ')}`];
}

function renderCoverage(coverage: CoverageReport): readonly string[] {
  const { states, transitions, guards, unreached, untaken } = coverage;
  const asked = guards === null ? '' : `, guard outcomes ${guards.seen}/${guards.all}`;
  return [
    `  seen: states ${states.seen}/${states.all}, transitions ${transitions.seen}/${transitions.all}${asked}`,
    ...unreached.map((leaf) => `    never reached: ${leaf}`),
    ...untaken.map(({ edge }) => `    never taken: ${edge}`),
    ...(guards?.neverTrue ?? []).map((edge) => `    its guard never passes: ${edge}`),
  ];
}
