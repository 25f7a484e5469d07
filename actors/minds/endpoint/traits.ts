/**
 * Traits: what one model behind one endpoint takes, learned from its refusals and remembered.
 *
 * Everything is tried first. The first call to a model finds out, one refusal after another, and all others wait for
 * it, so that eight players who start cold pay for one discovery and not for eight.
 */
import type { Capability } from './verdict.ts';

/** Ways to ask for an object, the strictest first. */
export const MODES = ['json_schema', 'json_object', 'tool', 'text'] as const;
export type Mode = (typeof MODES)[number];

export type Traits = {
  readonly modes: readonly Mode[];
  /** Where the rules go: into a system message, or in front of the first message of the user. */
  readonly system: 'system' | 'merged';
  /** Messages of one role in a row are joined. */
  readonly joinsRoles: boolean;
  readonly tokenName: 'max_tokens' | 'max_completion_tokens' | null;
  /** Parameters that are left out. */
  readonly dropped: readonly string[];
};

export const UNTRIED: Traits = {
  modes: MODES,
  system: 'system',
  joinsRoles: false,
  tokenName: 'max_tokens',
  dropped: [],
};

/**
 * The traits after a refusal of a request that was made with `used`. Null when nothing is left to change: what was
 * refused had been changed already. Compared with what the attempt used and not with what is known by now, for others
 * may have learned meanwhile.
 */
export function adapted(
  known: Traits,
  used: Traits,
  mode: Mode,
  { what, parameter }: { readonly what: Capability; readonly parameter: string | null },
): Traits | null {
  switch (what) {
    case 'format':
    case 'tools':
      return withoutMode(known, mode);
    case 'system':
      return used.system === 'merged' ? null : { ...known, system: 'merged' };
    case 'roles':
      if (!used.joinsRoles) return { ...known, joinsRoles: true };
      return used.system === 'merged' ? null : { ...known, system: 'merged' };
    case 'token-name':
      return used.tokenName === 'max_tokens'
        ? { ...known, tokenName: 'max_completion_tokens' }
        : null;
    case 'parameter':
      return withoutParameter(known, used, parameter);
    default:
      return what satisfies never;
  }
}

function withoutMode(known: Traits, mode: Mode): Traits | null {
  const modes = known.modes.filter((one) => one !== mode);
  return modes.length === 0 ? null : { ...known, modes };
}

function withoutParameter(known: Traits, used: Traits, parameter: string | null): Traits | null {
  if (parameter === null || used.dropped.includes(parameter)) return null;
  if (parameter === used.tokenName) return { ...known, tokenName: null };
  return { ...known, dropped: [...new Set([...known.dropped, parameter])] };
}

/** What is known of one model. Shared by all games of the process. */
export class Acquaintance {
  traits: Traits = UNTRIED;
  #isKnown = false;
  #first: Promise<void> | null = null;

  /** Runs a call; while nobody has got through yet, one at a time. `isLearned` says whether it got through. */
  async call<T>(run: () => Promise<T>, isLearned: (result: T) => boolean): Promise<T> {
    while (!this.#isKnown && this.#first !== null) await this.#first;
    if (this.#isKnown) return run();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#first = promise;
    try {
      const result = await run();
      this.#isKnown ||= isLearned(result);
      return result;
    } finally {
      this.#first = null;
      resolve();
    }
  }
}
