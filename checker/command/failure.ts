/** Failures of the command: a message, a stable code and an exit status. */

/** `glassbox check` uses the same values. */
export const EXIT_STATUS = {
  asDeclared: 0,
  violated: 1,
  usage: 2,
  /** The machine cannot be checked. */
  unusable: 3,
  /**
   * Nothing was found, but the check says too little: a property never applied, or a part of the chart was not reached.
   */
  gate: 4,
  /** A budget ended the search early. */
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
