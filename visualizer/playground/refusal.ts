import type { Note } from '../../machines/types.ts';

export class Refusal extends Error {
  readonly notes: readonly Note[];

  constructor(notes: readonly Note[]) {
    super(notes.map(({ text }) => text).join('; '));
    this.notes = notes;
  }
}

export function refuse(code: string, text: string): Refusal {
  return new Refusal([{ code, text }]);
}
