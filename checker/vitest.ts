/** Importing this file adds `expect(machine).toSatisfy(property, { events })`. vitest's own `toSatisfy` keeps working. */
import { expect } from 'vitest';
import type { AnyStateMachine, ContextFrom, EventFromLogic, EventObject } from 'xstate';
import { check, type MachineQuestion } from './machine.ts';
import type { Property } from './model.ts';
import { renderReport } from './report.ts';

export type ClaimOf<M extends AnyStateMachine> =
  | Property<ContextFrom<M>, EventFromLogic<M>>
  | readonly Property<ContextFrom<M>, EventFromLogic<M>>[];

/** The options of a check, without the properties. */
export type QuestionOf<M extends AnyStateMachine> = Omit<MachineQuestion<M>, 'properties'>;

declare module 'vitest' {
  // These must be the parameters of vitest's own declaration.
  interface Assertion<R extends void | Promise<void> = void, T = unknown> {
    toSatisfy: {
      /** Asserts that every property of this machine is proved. */
      (
        claim: T extends AnyStateMachine ? ClaimOf<T> : never,
        ...question: T extends AnyStateMachine ? [question?: QuestionOf<T>] : never
      ): R;
      // biome-ignore lint/suspicious/noExplicitAny: vitest's own matcher has it so.
      (matcher: (value: any) => boolean, message?: string): R;
    };
  }
}

expect.extend({
  toSatisfy(received: unknown, claim: unknown, question: unknown) {
    if (typeof claim === 'function') {
      return {
        pass: Boolean(Reflect.apply(claim, undefined, [received])),
        message: () =>
          typeof question === 'string'
            ? question
            : `expected ${this.utils.stringify(received)} ${this.isNot ? 'not ' : ''}to satisfy ${this.utils.stringify(claim)}`,
      };
    }
    const properties = Array.isArray(claim) ? claim : [claim];
    // The declaration above gives the types.
    const asked = {
      defaults: false,
      ...(question as object),
      properties,
    } as MachineQuestion<AnyStateMachine>;
    const found = check(received as AnyStateMachine, asked);
    const results: readonly { readonly verdict: { readonly type: string } }[] = found.results;
    return {
      pass: found.broken === null && results.every(({ verdict }) => verdict.type === 'proved'),
      message: () =>
        `expected every property ${this.isNot ? 'not ' : ''}to be proved, found:\n${[renderReport<EventObject>(found), ...found.warnings].join('\n')}`,
    };
  },
});
