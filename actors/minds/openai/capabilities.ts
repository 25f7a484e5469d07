/**
 * Traits: what one model behind one endpoint takes, learned from its refusals and remembered.
 *
 * Everything is tried first. The first call to a model finds out, one refusal after another, and all others wait for
 * it, so that eight players who start cold pay for one discovery and not for eight.
 */
/** The field by which a provider finds the cache of a game again; an endpoint may refuse it. */
export const CACHE_KEY = 'prompt_cache_key';

/** Ways to ask for an object, the strictest first. */
export const ANSWER_MODES = ['json_schema', 'json_object', 'tool', 'text'] as const;
export type AnswerMode = (typeof ANSWER_MODES)[number];

export const STREAMINGS = ['as-wished', 'always', 'never'] as const;

/** Parts of a request that an endpoint may not take. The last is one that nobody understands. */
export type RequestPart =
  | 'format'
  | 'tools'
  | 'system'
  | 'roles'
  | 'token-name'
  | 'token-limit'
  /** An answer that is streamed, and one that is not. */
  | 'stream'
  | 'no-stream'
  | 'parameter'
  | 'unknown';

export type Capabilities = {
  readonly modes: readonly AnswerMode[];
  /** Where the rules go: into a system message, or in front of the first message of the user. */
  readonly system: 'system' | 'merged';
  /** Messages of one role in a row are joined. */
  readonly joinsRoles: boolean;
  /** Null where no limit is sent. */
  readonly tokenName: 'max_tokens' | 'max_completion_tokens' | null;
  /** Parameters that are left out. */
  readonly dropped: readonly string[];
  /** Nothing is sent that can be left out. */
  readonly isBare: boolean;
  /** Whether answers are streamed: as it is wished, always since nothing else is taken, or never. */
  readonly streaming: (typeof STREAMINGS)[number];
  /** How many times the room that an answer needs is asked for: a model that thinks needs more. */
  readonly room: number;
  /** Thoughts have come beside an answer. */
  readonly thinks: boolean;
};

const UNTRIED: Capabilities = {
  modes: ANSWER_MODES,
  system: 'system',
  joinsRoles: false,
  tokenName: 'max_tokens',
  dropped: [],
  isBare: false,
  streaming: 'as-wished',
  room: 1,
  thinks: false,
};

/**
 * Endpoints that are known to refuse `prompt_cache_key`, by their hosts: no run finds it out again. Others that refuse
 * it are asked once more without it, and never with it again.
 */
const REFUSING_CACHE_KEY = ['api.groq.com', 'api.cerebras.ai', 'generativelanguage.googleapis.com'];

/** What is known of an endpoint before the first request. */
export function presumeCapabilities(baseUrl: string): Capabilities {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  return REFUSING_CACHE_KEY.includes(host) ? { ...UNTRIED, dropped: [CACHE_KEY] } : UNTRIED;
}

/**
 * The capabilities after a refusal of a request that was made with `used`. Null when nothing is left to change: what was
 * refused had been changed already. Compared with what the attempt used and not with what is known by now, for others
 * may have learned meanwhile.
 */
export function adaptCapabilities(
  known: Capabilities,
  used: Capabilities,
  mode: AnswerMode,
  { what, parameter }: { readonly what: RequestPart; readonly parameter: string | null },
): Capabilities | null {
  switch (what) {
    case 'format':
    case 'tools':
      return dropMode(known, mode);
    case 'system':
      return used.system === 'merged' ? null : { ...known, system: 'merged' };
    case 'roles':
      if (!used.joinsRoles) return { ...known, joinsRoles: true };
      return used.system === 'merged' ? null : { ...known, system: 'merged' };
    case 'token-name':
      return { ...known, tokenName: 'max_completion_tokens' };
    case 'token-limit':
      return { ...known, tokenName: null };
    case 'stream':
      return used.streaming === 'always' ? null : { ...known, streaming: 'never' };
    case 'no-stream':
      return used.streaming === 'never' ? null : { ...known, streaming: 'always' };
    case 'parameter':
      return dropParameter(known, used, parameter);
    case 'unknown':
      return null;
    default:
      return what satisfies never;
  }
}

/**
 * Plainer ways to ask, after a refusal that says no reason we know: without the key of the cache where one was sent, in
 * another form, without a message of the system, without anything that can be left out, and at last without all of it.
 */
export function listPlainer(known: Capabilities, hasCacheKey: boolean): readonly Capabilities[] {
  const { modes } = known;
  const keyless = { ...known, dropped: [...new Set([...known.dropped, CACHE_KEY])] };
  const forms = modes.slice(1).map((_, index) => ({ ...known, modes: modes.slice(index + 1) }));
  const merged = { system: 'merged', joinsRoles: true } as const;
  const bare = { tokenName: null, isBare: true } as const;
  const last = { ...known, modes: modes.slice(-1), ...merged, ...bare };
  return [
    ...(hasCacheKey ? [keyless] : []),
    ...forms,
    { ...known, ...merged },
    { ...known, ...bare },
    last,
  ];
}

function dropMode(known: Capabilities, mode: AnswerMode): Capabilities | null {
  const modes = known.modes.filter((one) => one !== mode);
  return modes.length === 0 ? null : { ...known, modes };
}

function dropParameter(
  known: Capabilities,
  used: Capabilities,
  parameter: string | null,
): Capabilities | null {
  if (parameter === null || used.dropped.includes(parameter)) return null;
  if (parameter === used.tokenName) return { ...known, tokenName: null };
  return { ...known, dropped: [...new Set([...known.dropped, parameter])] };
}

/** A way to ask that has got no answer in so many questions, where another one has, is tried last from then on. */
const MOST_MISSES = 2;

/** A model whose thoughts were seen gets at least so much room: the next ones may be longer. */
const ROOM_TO_THINK = 4;

/** Where what is learned outlives the process. */
export type CapabilityKeeper = {
  /** A question has been answered; this is what is known since. */
  keep(capabilities: Capabilities): void;
  /** What was remembered has proved wrong. */
  forget(): void;
};

/** What is known of one model. Shared by all games of the process. */
export class CapabilityCache {
  capabilities: Capabilities;
  readonly #presumed: Capabilities;
  readonly #keeper: CapabilityKeeper | null;
  /** Questions in a row in which a way to ask got no answer. */
  readonly #misses = new Map<AnswerMode, number>();
  #isKnown: boolean;
  /** It comes from an earlier process, and nothing has been answered by it since. */
  #isUnproved: boolean;
  #generation = 0;
  #first: Promise<void> | null = null;

  /** `presumed` is where to begin; `remembered` is from an earlier process, so that it is not found out again. */
  constructor(
    remembered: Capabilities | null = null,
    presumed: Capabilities = UNTRIED,
    keeper: CapabilityKeeper | null = null,
  ) {
    this.capabilities = remembered ?? presumed;
    this.#presumed = presumed;
    this.#keeper = keeper;
    this.#isKnown = remembered !== null;
    this.#isUnproved = remembered !== null;
  }

  /** Changes when what was remembered has proved wrong. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * No way to ask that was known to a question of this generation is left. Whether there are others again: what was
   * remembered is given up, unless it has got an answer since; the model, or its server, is another one by now.
   */
  startOver(generation: number): boolean {
    if (generation < this.#generation) return true;
    if (!this.#isUnproved || isNoPlainer(this.capabilities, this.#presumed)) return false;
    this.#generation += 1;
    this.#isUnproved = false;
    this.#isKnown = false;
    this.capabilities = this.#presumed;
    this.#keeper?.forget();
    return true;
  }

  /** The room that was known and the prompt are more than the context holds. */
  noteNoRoom(): void {
    this.capabilities = { ...this.capabilities, room: 1 };
  }

  /**
   * A question was answered in this way, with so much room, after others had got no usable answer. `thinks` says whether
   * thoughts came along.
   */
  noteAnswered(mode: AnswerMode, room: number, tried: Iterable<AnswerMode>, thinks = false): void {
    this.#isUnproved = false;
    this.#misses.delete(mode);
    for (const other of tried) {
      const misses = (this.#misses.get(other) ?? 0) + 1;
      this.#misses.set(other, misses);
      if (misses === MOST_MISSES) this.#putLast(other);
    }
    const isNew = thinks && !this.capabilities.thinks;
    this.capabilities = {
      ...this.capabilities,
      room: Math.max(room, this.capabilities.room, isNew ? ROOM_TO_THINK : 1),
      thinks: thinks || this.capabilities.thinks,
    };
    this.#keeper?.keep(this.capabilities);
  }

  #putLast(mode: AnswerMode): void {
    const others = this.capabilities.modes.filter((one) => one !== mode);
    if (others.length === this.capabilities.modes.length) return;
    this.capabilities = { ...this.capabilities, modes: [...others, mode] };
    this.#misses.delete(mode);
  }

  /**
   * Runs a call; while nobody has got through yet, one at a time. `isLearned` says whether it got through. Who gives up
   * waiting runs at once: the call itself looks at the signal first.
   */
  async call<T>(
    run: () => Promise<T>,
    isLearned: (result: T) => boolean,
    signal: AbortSignal,
  ): Promise<T> {
    while (this.#first !== null && !signal.aborted) {
      await waitOrAbort(this.#first, signal);
    }
    if (this.#isKnown || signal.aborted) return run();
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

/** Whether a model is asked in no other way than one of which nothing is known, but for the order. */
function isNoPlainer(known: Capabilities, presumed: Capabilities): boolean {
  const { modes, system, joinsRoles, tokenName, dropped, isBare, streaming } = known;
  return (
    presumed.modes.every((mode) => modes.includes(mode)) &&
    system === presumed.system &&
    joinsRoles === presumed.joinsRoles &&
    tokenName === presumed.tokenName &&
    isBare === presumed.isBare &&
    streaming === presumed.streaming &&
    dropped.every((name) => presumed.dropped.includes(name))
  );
}

async function waitOrAbort(awaited: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const leave = () => resolve();
  signal.addEventListener('abort', leave);
  await Promise.race([awaited, promise]);
  signal.removeEventListener('abort', leave);
}
