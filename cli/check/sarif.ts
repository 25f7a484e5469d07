/** SARIF 2.1.0: what was found, as code scanners read it. What is kept is no result. */

import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import manifest from '../../package.json' with { type: 'json' };
import type { Case } from './cases.ts';

/** How bad it is: what is undecided is no reason to be alarmed, and none to be calm. */
const LEVELS = {
  broken: 'error',
  vacuous: 'error',
  incomplete: 'warning',
} as const satisfies Partial<Record<Case['result'], string>>;

export function sarif(cases: readonly Case[]): object {
  const rules = [...new Map(cases.map(({ name, sentence }) => [name, sentence]))];
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'glassbox check',
            version: manifest.version,
            rules: rules.map(([id, text]) => ({ id, shortDescription: { text } })),
          },
        },
        results: cases.flatMap((found) =>
          resultOf(
            found,
            rules.findIndex(([id]) => id === found.name),
          ),
        ),
      },
    ],
  };
}

function resultOf({ suite, name, sentence, result, text, place }: Case, ruleIndex: number) {
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
            artifactLocation: { uri: uriOf(place.path) },
            region: { startLine: place.line },
          },
        },
      ],
      partialFingerprints: { promise: `${suite}/${name}` },
    },
  ];
}

/** A path as SARIF wants it: relative to the root of the project, or whole. */
function uriOf(path: string): string {
  if (isAbsolute(path)) return pathToFileURL(path).href;
  return path.split('/').map(encodeURIComponent).join('/');
}
