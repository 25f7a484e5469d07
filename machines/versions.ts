/**
 * Versions of the parts that decide how a game goes. Raise a version when its part changes. Results carry the versions,
 * and a league keeps the ones it began with, so ratings never mix different games.
 */
export const VERSIONS = { rules: 4, prompts: 5, minds: 7 } as const;

/** The format of journals that is written. A reader refuses every other. */
export const FORMAT = 1;

/** The oldest rules whose defaults are known: a journal leaves out what was at its default (`rules/optionRows.ts`). */
export const OLDEST_RULES = 2;

/** Of belief requests and how offline minds answer them. They change no game, so a journal with beliefs carries it. */
export const BELIEFS_VERSION = 3;

/** For example "0.1.0+rules2.prompts2.minds2". */
export function writeEngineVersion(program: string): string {
  const parts = Object.entries(VERSIONS).map(([name, version]) => `${name}${version}`);
  return `${program}+${parts.join('.')}`;
}

/** Same as in `package.json`, repeated because this code also runs in a browser. */
const PROGRAM = '0.1.0';

export const ENGINE = writeEngineVersion(PROGRAM);
