/** Failures of the command: a sentence, a stable code and an exit status. */

/** The same as those of `glassbox check`. */
export const EXIT_STATUS = {
  asDeclared: 0,
  violated: 1,
  usage: 2,
  /** A machine that can't be checked. */
  unusable: 3,
  /** Nothing was found, and that says too little: a property that never applied, a part of the chart never reached. */
  gate: 4,
  /** A budget ended the search before it was closed. */
  incomplete: 5,
  noInput: 66,
  internal: 70,
  cannotWrite: 73,
} as const;

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
  return new CommandFailure(
    EXIT_STATUS.usage,
    'usage/arguments',
    `${text}. For help: npx glass-box-checker --help`,
  );
}
