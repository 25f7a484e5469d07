/**
 * Versions of what decides how a game goes. Each is raised by one when what it names changes; results carry them, and a
 * league belongs to the ones that it began with, so that ratings never mix two games that only look alike.
 */
export const VERSIONS = {
  /** The rules of meetings and of the ship. */
  rules: 2,
  /** What models are sent. */
  prompts: 2,
  /** The offline minds. */
  minds: 2,
} as const;

/**
 * What is asked beside the game, and how offline minds answer it. No game goes another way by it, so it is no version of the
 * engine: a journal with beliefs says it itself. Figures of two versions are not to be compared.
 */
export const BELIEFS_VERSION = 1;

/** The version of a program with those of what it plays: "0.1.0+rules2.prompts2.minds2". */
export function writeEngineVersion(program: string): string {
  const parts = Object.entries(VERSIONS).map(([name, version]) => `${name}${version}`);
  return `${program}+${parts.join('.')}`;
}

/** The version of this program, as `package.json` has it: what writes journals reads no file, and also runs in a browser. */
const PROGRAM = '0.1.0';

/** What journals and results say that they were played by. */
export const ENGINE = writeEngineVersion(PROGRAM);
