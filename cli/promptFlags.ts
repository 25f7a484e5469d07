/** What the command line says about the prompt that is meant. */
import type { Colour, Level, RequestKind } from '../machines/types.ts';

export type PromptFlags = {
  readonly player: Colour;
  readonly tick?: number;
  readonly round?: number;
  /** Which meeting of a journal, from 1. */
  readonly meeting?: number;
  readonly seed: number;
  readonly level?: Level;
  readonly occasion?: RequestKind;
  readonly json?: boolean;
};
