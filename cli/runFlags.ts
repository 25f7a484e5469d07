/** What the command line says about a run. */
import type { Lens } from '../machines/journal/lens.ts';
import type { RuleSet } from '../machines/types.ts';
import type { LiveFlag } from './live.ts';
import type { ModelFlags } from './modelFlags.ts';
import type { PlayFlags } from './playFlags.ts';

export type RunFlags = ModelFlags &
  PlayFlags & {
    /** Where journals go without `out`. */
    readonly folder: string;
    /** Whether somebody wants to be told the game even where there is no terminal. */
    readonly isAsked: boolean;
    readonly games: number;
    readonly players?: number;
    readonly impostors?: number;
    readonly seed?: number;
    readonly config?: string;
    readonly rules?: RuleSet;
    readonly jobs: number;
    readonly faultRate?: number;
    readonly out?: string;
    readonly lens: Lens;
    readonly speed?: number;
    readonly json?: boolean;
    readonly quiet?: boolean;
    /** Shown in the browser as it happens; without a word of it, the one game that is told. */
    readonly live?: LiveFlag;
    /** Says what a game would ask of models, and asks nobody. */
    readonly dryRun?: boolean;
  };

/** Flags with a seed, drawn where none was given. */
export type SeededRunFlags = RunFlags & { readonly seed: number };
