/** Renders the result of a check as text. */
import type { EventObject } from 'xstate';
import type { CheckResult } from './check.ts';
import type { CoverageReport } from './coverage.ts';
import type { PropertyResult, Trace } from './model.ts';
import type { TraceStep } from './steps.ts';
import { cutValue } from './values.ts';

/** For fewer states the initial allocation distorts the bytes per state. */
const MANY_STATES = 10_000;

const MARKS = { proved: '✓', violated: '✗', incomplete: '?', vacuous: '∅' } as const;

export function renderReport<E extends EventObject>(checked: CheckResult<E>): string {
  const { model, states, transitions, depth, engine, ended, broken, results, bytes } = checked;
  const size = states < MANY_STATES ? '' : `, ${Math.round(bytes / states)} bytes kept for each`;
  const extent = ended === null ? 'all of it' : `ended by ${ended}`;
  const report = [
    `${model}: ${states} ${states === 1 ? 'state' : 'states'}, ${transitions} steps, depth ${depth}, ${engine}${size}, ${extent}`,
    ...(broken === null ? [] : [`  ! ${broken.message}`]),
    ...(broken === null || broken.trace.events.length === 0 ? [] : renderTrace(broken.trace)),
    ...sortByRun(results).flatMap(renderResult),
    ...(states === 0 ? [] : renderCoverage(checked.coverage)),
  ].join('\n');
  // The fault has a line of its own.
  return broken === null ? report : report.replaceAll(` (${broken.message})`, '');
}

export function renderResult<E extends EventObject>(result: PropertyResult<E>): readonly string[] {
  const { name, sentence, verdict } = result;
  const title = name === sentence ? '' : `${name}: `;
  const head = `  ${MARKS[verdict.type]} ${title}${describeVerdict(result)}. ${sentence}`;
  const why = 'why' in verdict ? [`      ${verdict.why}`] : [];
  return [head, ...why, ...(verdict.type === 'violated' ? renderTrace(verdict.trace) : [])];
}

/** As people say it: "seen", "violated as declared". */
export function describeVerdict({
  kind,
  expected,
  verdict: { type },
}: Pick<PropertyResult<unknown>, 'kind' | 'expected' | 'verdict'>): string {
  if (type === 'proved' && kind === 'sometimes') return 'seen';
  if (type === 'violated' && kind === 'sometimes') return 'never seen';
  if (expected !== 'violated') return type;
  return type === 'violated' ? 'violated as declared' : `${type}, declared violated`;
}

/** The violated properties with the shortest runs come first. */
export function sortByRun<R extends Pick<PropertyResult<unknown>, 'verdict'>>(
  results: readonly R[],
): readonly R[] {
  const length = ({ verdict }: R) =>
    verdict.type === 'violated' ? verdict.trace.events.length : Number.MAX_SAFE_INTEGER;
  return results.toSorted((one, other) => length(one) - length(other));
}

/** The steps of a run, one per line: event, new state and changes of the context. The arrow marks the start of the loop. */
export function renderTrace<E extends EventObject>(trace: Trace<E>): readonly string[] {
  const { events, loop, excludedBy, steps = [] } = trace;
  const lines = [
    ...steps.slice(0, 1).map((start) => `      0.${renderState(start)}`),
    ...events.map((event, index) => {
      const step = steps[index + 1];
      const state = step === undefined ? ' it throws' : renderState(step);
      return `    ${index === loop ? '↺' : ' '} ${index + 1}. ${describeEvent(event)}${steps.length === 0 ? '' : ` →${state}`}`;
    }),
  ];
  return excludedBy.length === 0
    ? lines
    : [...lines, `      cannot happen if you assume: ${excludedBy.join('; ')}`];
}

export function describeEvent({ type, ...rest }: EventObject): string {
  return Object.keys(rest).length === 0 ? type : `${type} ${cutValue(rest)}`;
}

function renderState<E>({ at, status, changes }: TraceStep<E>): string {
  const ending = status === 'active' ? '' : ` (${status === 'error' ? 'failed' : status})`;
  const shown = changes.slice(0, MOST_CHANGES).map(({ path, from, to }) => {
    const was = from === undefined ? '' : `${cutValue(from)} → `;
    return `${path}: ${was}${cutValue(to)}`;
  });
  const more = changes.length - shown.length;
  const all = more > 0 ? [...shown, `${more} more`] : shown;
  return ` ${at}${ending}${all.length === 0 ? '' : `   ${all.join(', ')}`}`;
}

const MOST_CHANGES = 8;

function renderCoverage(coverage: CoverageReport): readonly string[] {
  const { states, transitions, guards, unreached, untaken } = coverage;
  const asked =
    guards === null || guards.all === 0 ? '' : `, guard outcomes ${guards.seen}/${guards.all}`;
  return [
    `  seen: states ${states.seen}/${states.all}, transitions ${transitions.seen}/${transitions.all}${asked}`,
    ...unreached.map((leaf) => `    never reached: ${leaf}`),
    ...untaken.map(({ edge }) => `    never taken: ${edge}`),
    ...(guards?.neverTrue ?? []).map((edge) => `    its guard never passes: ${edge}`),
  ];
}
