/** Failures of the command: a message, a stable code and an exit status. */

/** `glassbox check` uses the same values. */
export const EXIT_STATUS = {
  asDeclared: 0,
  violated: 1,
  usage: 2,
  unusable: 3,
  /** Nothing was found, but too little was seen: a property never applied, or a part of the chart was not reached. */
  gate: 4,
  incomplete: 5,
  noInput: 66,
  internal: 70,
  cannotWrite: 73,
} as const;

/** The last word of a check: its exit status and what to print. */
export type Verdict = { readonly exit: number; readonly out: string; readonly err: string };

/** The version of the JSON lines. */
export const FORMAT = 1;

export function writeFailure(failure: CommandFailure, words: readonly string[]): Verdict {
  const { exit, code, message: text } = failure;
  const line = `${JSON.stringify({ type: 'error', v: FORMAT, code, text })}\n`;
  const out = words.includes('--json') ? line : '';
  return { exit, out, err: `glass-box-checker: ${text} [${code}]\n` };
}

export class CommandFailure extends Error {
  readonly exit: number;
  readonly code: string;

  constructor(exit: number, code: string, text: string) {
    super(text);
    this.exit = exit;
    this.code = code;
  }
}

export function createUsageFailure(text: string): CommandFailure {
  const advice = 'For help: npx glass-box-checker --help';
  return new CommandFailure(EXIT_STATUS.usage, 'usage/arguments', `${text}. ${advice}`);
}

export function createUnusable(text: string, code = 'model/unusable'): CommandFailure {
  return new CommandFailure(EXIT_STATUS.unusable, code, text);
}
