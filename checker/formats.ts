/** Writes results for other programs: verdicts as JUnit XML, and runs as a vitest test that replays them on plain XState. */
import type { PropertyResult } from './model.ts';
import type { TraceStep } from './steps.ts';
import { writeSource } from './values.ts';

export type ReportCase = {
  /** The subject: "house, 3 players", or a machine. */
  readonly suite: string;
  readonly name: string;
  readonly sentence: string;
  readonly result: 'kept' | 'broken' | 'vacuous' | 'incomplete';
  readonly text: string;
};

/** A vacuous or incomplete property is never broken. */
export function createCase(
  suite: string,
  judged: Omit<PropertyResult<unknown>, 'kind'>,
  text: string,
): ReportCase {
  const { name, sentence, expected, verdict } = judged;
  const { type } = verdict;
  const odd = type === 'vacuous' || type === 'incomplete' ? type : 'broken';
  return { suite, name, sentence, result: type === expected ? 'kept' : odd, text };
}

export function createFaultCase(suite: string, name: string, text: string): ReportCase {
  const sentence = 'The machine can be stepped, and is pure.';
  return { suite, name, sentence, result: 'broken', text };
}

/** Renders verdicts as JUnit XML. An undecided property is an error, never a pass. */
export function renderJunit(cases: readonly ReportCase[], tool: string): string {
  const suites = [...Map.groupBy(cases, ({ suite }) => suite)].map(
    ([suite, members]) =>
      `${renderHead('testsuite', suite, members)}\n${members.map(renderTestcase).join('\n')}\n  </testsuite>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `${renderHead('testsuites', tool, cases)}`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function renderHead(element: string, name: string, cases: readonly ReportCase[]): string {
  const failures = cases.filter(({ result }) => isFailure(result)).length;
  const errors = cases.filter(({ result }) => result === 'incomplete').length;
  const indent = element === 'testsuite' ? '  ' : '';
  return `${indent}<${element} name="${escapeXml(name)}" tests="${cases.length}" failures="${failures}" errors="${errors}">`;
}

function isFailure(result: ReportCase['result']): boolean {
  return result === 'broken' || result === 'vacuous';
}

function renderTestcase({ suite, name, sentence, result, text }: ReportCase): string {
  const open = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}"`;
  if (result === 'kept') return `${open}/>`;
  const element = isFailure(result) ? 'failure' : 'error';
  return `${open}>\n      <${element} type="${result}" message="${escapeXml(sentence)}">${escapeXml(text)}</${element}>\n    </testcase>`;
}

function escapeXml(text: string): string {
  return text
    .replace(NO_XML, '\uFFFD')
    .replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
    .toWellFormed();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML can't hold.
const NO_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

export type ReplayedRun = {
  readonly title: string;
  /** `source` is the event as source text, if the event itself is not at hand. */
  readonly steps: readonly (Pick<TraceStep<object>, 'event' | 'value'> & {
    readonly status: string;
    readonly source?: string | undefined;
  })[];
};

export type TestedMachine = {
  readonly module: string;
  /** The name under which the module exports it. */
  readonly machine: string;
  readonly input?: unknown;
  /** The input as source text, if the input itself is not at hand. */
  readonly source?: string | undefined;
};

export function writeVitest(
  runs: readonly ReplayedRun[],
  { module, machine, input, source: inputSource = writeSource(input) }: TestedMachine,
): string {
  const name = machine === 'default' ? 'machine' : machine;
  const imported = machine === 'default' ? name : `{ ${name} }`;
  const first = inputSource === 'undefined' ? name : `${name}, ${inputSource}`;
  const tests = runs.map(({ title, steps: [start, ...steps] }) =>
    [
      `test(${JSON.stringify(title)}, () => {`,
      `  let [snapshot] = initialTransition(${first});`,
      `  expect(snapshot.value).toEqual(${writeSource(start?.value)});`,
      ...steps.flatMap(({ event, value, status, source = writeSource(event) }) => [
        `  [snapshot] = transition(${name}, snapshot, ${source} as never);`,
        `  expect([snapshot.status, snapshot.value]).toEqual(${writeSource([status, value])});`,
      ]),
      '});',
    ].join('\n'),
  );
  return [
    "import { expect, test } from 'vitest';",
    "import { initialTransition, transition } from 'xstate';",
    `import ${imported} from ${JSON.stringify(module)};`,
    '',
    tests.join('\n\n'),
    '',
  ].join('\n');
}
