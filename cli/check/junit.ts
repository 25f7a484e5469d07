/** JUnit: verdicts as the XML that build servers read. What was not decided is an error there, never a pass. */
import type { Case } from './cases.ts';

export function junit(cases: readonly Case[]): string {
  const suites = [...Map.groupBy(cases, ({ suite }) => suite)].map(
    ([name, members]) =>
      `${head('testsuite', name, members)}\n${members.map(testcase).join('\n')}\n  </testsuite>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `${head('testsuites', 'glassbox check', cases)}`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function head(element: string, name: string, cases: readonly Case[]): string {
  const failures = cases.filter(({ result }) => isFailure(result)).length;
  const errors = cases.filter(({ result }) => result === 'incomplete').length;
  const indent = element === 'testsuite' ? '  ' : '';
  return `${indent}<${element} name="${escaped(name)}" tests="${cases.length}" failures="${failures}" errors="${errors}">`;
}

function isFailure(result: Case['result']): boolean {
  return result === 'broken' || result === 'vacuous';
}

function testcase({ suite, name, sentence, result, text }: Case): string {
  const open = `    <testcase classname="${escaped(suite)}" name="${escaped(name)}"`;
  if (result === 'kept') return `${open}/>`;
  const element = isFailure(result) ? 'failure' : 'error';
  return `${open}>\n      <${element} type="${result}" message="${escaped(sentence)}">${escaped(text)}</${element}>\n    </testcase>`;
}

/** Text in XML 1.0, which has no place for most control characters. */
function escaped(text: string): string {
  return text
    .replace(NO_XML, '\uFFFD')
    .replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
    .toWellFormed();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML can't hold.
const NO_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
