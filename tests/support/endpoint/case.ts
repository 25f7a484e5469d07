/**
 * A case describes how one endpoint misbehaves: a list of conditions on a request. The first that holds chooses
 * the reply. If none holds the endpoint answers well.
 */
import type { Asked } from './asked.ts';
import type { Sent } from './sent.ts';

export type Step = { readonly when: (asked: Asked) => boolean; readonly sends: Sent };

export function atFirst(sends: Sent, requests = 1): Step {
  return { when: ({ turn }) => turn < requests, sends };
}

export const always = (sends: Sent): Step => ({ when: () => true, sends });

export const whenever = (when: (asked: Asked) => boolean, sends: Sent): Step => ({ when, sends });

export function without(name: string, sends: Sent): Step {
  return { when: ({ body }) => name in body, sends };
}

/** Rows of the table whose endpoints misbehave in one way, by their numbers. */
export function rowsOf(
  misbehave: (sends: Sent) => Step,
  rows: Readonly<Record<string, Sent>>,
): Readonly<Record<string, readonly Step[]>> {
  return Object.fromEntries(Object.entries(rows).map(([row, sends]) => [row, [misbehave(sends)]]));
}
