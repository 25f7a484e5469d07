/** Verdicts for other programs: JUnit for build servers, SARIF for code scanners. */

const RESULTS = ['kept', 'broken', 'vacuous', 'incomplete'] as const;

export type ReportCase = {
  /** What was checked: "house, 3 players", or a machine. */
  readonly suite: string;
  readonly name: string;
  readonly sentence: string;
  readonly result: (typeof RESULTS)[number];
  /** What was found; empty when there is nothing to say. */
  readonly text: string;
  readonly place: { readonly path: string; readonly line: number };
};

/** The program that reports. */
export type ReportTool = { readonly name: string; readonly version: string };

/** Verdicts as the XML that build servers read. What was not decided is an error there, never a pass. */
export function renderJunit(cases: readonly ReportCase[], { name }: ReportTool): string {
  const suites = [...Map.groupBy(cases, ({ suite }) => suite)].map(
    ([suite, members]) =>
      `${renderHead('testsuite', suite, members)}\n${members.map(renderTestcase).join('\n')}\n  </testsuite>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `${renderHead('testsuites', name, cases)}`,
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

/** Text in XML 1.0, which has no place for most control characters. */
function escapeXml(text: string): string {
  return text
    .replace(NO_XML, '\uFFFD')
    .replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
    .toWellFormed();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML can't hold.
const NO_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

/** How bad it is: what is undecided is no reason to be alarmed, and none to be calm. */
const LEVELS = {
  broken: 'error',
  vacuous: 'error',
  incomplete: 'warning',
} as const satisfies Partial<Record<ReportCase['result'], string>>;

/** Findings as code scanners read them (SARIF 2.1.0). A property that holds is no result. */
export function createSarif(cases: readonly ReportCase[], { name, version }: ReportTool): object {
  const rules = [...new Map(cases.map((found) => [found.name, found.sentence]))];
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name,
            version,
            rules: rules.map(([id, text]) => ({ id, shortDescription: { text } })),
          },
        },
        results: cases.flatMap((found) =>
          createResult(
            found,
            rules.findIndex(([id]) => id === found.name),
          ),
        ),
      },
    ],
  };
}

function createResult(
  { suite, name, sentence, result, text, place }: ReportCase,
  ruleIndex: number,
) {
  if (result === 'kept') return [];
  return [
    {
      ruleId: name,
      ruleIndex,
      level: LEVELS[result],
      message: { text: `${suite}: ${result}: ${sentence}${text === '' ? '' : `\n${text}`}` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: createUri(place.path) },
            region: { startLine: place.line },
          },
        },
      ],
      partialFingerprints: { property: `${suite}/${name}` },
    },
  ];
}

/** A path as SARIF wants it: relative to the root of the project, or whole. */
function createUri(path: string): string {
  const parts = path.replaceAll('\\', '/').split('/');
  const [first = ''] = parts;
  // A letter of a drive stays as it is.
  const encoded = parts.map((part) => (/^[A-Za-z]:$/.test(part) ? part : encodeURIComponent(part)));
  if (first === '') return `file://${encoded.join('/')}`;
  return /^[A-Za-z]:$/.test(first) ? `file:///${encoded.join('/')}` : encoded.join('/');
}
