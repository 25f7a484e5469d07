/** The features of one model behind one endpoint, learned from refusals. The first call learns, and others wait. */
import { z } from 'zod';
import { orAbort } from '../port.ts';

/** The field that lets a provider find a game's cache again. An endpoint may refuse it. */
export const CACHE_KEY = 'prompt_cache_key';

/** Ways to ask for an object, the strictest first. */
export const ANSWER_MODES = ['json_schema', 'json_object', 'tool', 'text'] as const;
export type AnswerMode = (typeof ANSWER_MODES)[number];

/** Parts of a request that an endpoint may refuse. The last one is for refusals that nobody understands. */
export type RequestPart =
  | 'format'
  | 'tools'
  | 'bounds'
  | 'system'
  | 'roles'
  | 'token-name'
  | 'token-limit'
  | 'stream'
  | 'no-stream'
  | 'parameter'
  | 'unknown';

const LONGEST_NAME = 2_000;
const MOST_DROPPED = 64;
/** The largest factor on the token limit, for a model that has only sent thoughts. */
const MOST_ROOM = 16;

export const capabilitiesSchema = z
  .strictObject({
    modes: z
      .array(z.enum(ANSWER_MODES))
      .min(1)
      .refine((modes) => new Set(modes).size === modes.length, 'expected each way to ask once')
      .readonly(),
    /** Where the rules go: in a system message, or before the first user message. */
    system: z.enum(['system', 'merged']),
    joinsRoles: z.boolean(),
    tokenName: z.enum(['max_tokens', 'max_completion_tokens']).nullable(),
    dropped: z.array(z.string().max(LONGEST_NAME)).max(MOST_DROPPED).readonly(),
    isBare: z.boolean(),
    /** Streaming: as requested, always (the endpoint accepts no other way), or never. */
    streaming: z.enum(['as-wished', 'always', 'never']),
    takesBounds: z.boolean().default(true),
    /** Answers were cut though the model does not think: every request says how long they may be. */
    isWordy: z.boolean().default(false),
    /** Factor on the token limit: a model that thinks needs more. */
    room: z.int().min(1).max(MOST_ROOM),
    thinks: z.boolean(),
  })
  .readonly();
export type Capabilities = z.infer<typeof capabilitiesSchema>;

const UNTRIED: Capabilities = {
  modes: ANSWER_MODES,
  system: 'system',
  joinsRoles: false,
  tokenName: 'max_tokens',
  dropped: [],
  isBare: false,
  streaming: 'as-wished',
  takesBounds: true,
  isWordy: false,
  room: 1,
  thinks: false,
};

/** Hosts that are known to refuse `prompt_cache_key`, so that no run has to find out. */
const REFUSING_CACHE_KEY = ['api.groq.com', 'api.cerebras.ai', 'generativelanguage.googleapis.com'];

export function presumeCapabilities(baseUrl: string): Capabilities {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  return REFUSING_CACHE_KEY.includes(host) ? { ...UNTRIED, dropped: [CACHE_KEY] } : UNTRIED;
}

/** Capabilities after a refusal of a request made with `used`, as others may have learned more. Null if none is left. */
export function adaptCapabilities(
  known: Capabilities,
  used: Capabilities,
  mode: AnswerMode,
  { what, parameter }: { readonly what: RequestPart; readonly parameter: string | null },
): Capabilities | null {
  switch (what) {
    case 'format':
    case 'tools': {
      const modes = known.modes.filter((one) => one !== mode);
      return modes.length === 0 ? null : { ...known, modes };
    }
    case 'bounds':
      return { ...known, takesBounds: false };
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

export function listPlainer(known: Capabilities, hasCacheKey: boolean): readonly Capabilities[] {
  const { modes } = known;
  const keyless = { ...known, dropped: [...new Set([...known.dropped, CACHE_KEY])] };
  const forms = modes.slice(1).map((_, index) => ({ ...known, modes: modes.slice(index + 1) }));
  const merged = { system: 'merged', joinsRoles: true } as const;
  const bare = { tokenName: null, isBare: true } as const;
  const last = { ...known, modes: modes.slice(-1), ...merged, ...bare };
  return [
    ...(hasCacheKey ? [keyless, { ...keyless, takesBounds: false }] : []),
    ...forms,
    { ...known, ...merged },
    { ...known, ...bare },
    last,
  ];
}

function dropParameter(known: Capabilities, used: Capabilities, parameter: string | null) {
  if (parameter === null || used.dropped.includes(parameter)) return null;
  if (parameter === used.tokenName) return { ...known, tokenName: null };
  return { ...known, dropped: [...new Set([...known.dropped, parameter])] };
}

/** A way that got no answer for this many questions in a row, while another way did, is tried last. */
const MOST_MISSES = 2;

/** The minimum factor for a model whose thoughts were seen: the next ones may be longer. */
const ROOM_TO_THINK = 4;

export type CapabilityKeeper = { keep(capabilities: Capabilities): void; forget(): void };

export class CapabilityCache {
  capabilities: Capabilities;
  mostRoom = MOST_ROOM;
  readonly #presumed: Capabilities;
  readonly #keeper: CapabilityKeeper | null;
  readonly #misses = new Map<AnswerMode, number>();
  #isKnown: boolean;
  /** Loaded from an earlier process and not yet confirmed by an answer. */
  #isUnproved: boolean;
  /** Counts how often the capabilities were forgotten. */
  generation = 0;
  #first: Promise<void> | null = null;

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

  get isProved(): boolean {
    return this.#isKnown && !this.#isUnproved;
  }

  /** Whether there are ways to ask again: what is remembered is discarded unless an answer has confirmed it. */
  startOver(generation: number): boolean {
    if (generation < this.generation) return true;
    if (!this.#isUnproved || isNoPlainer(this.capabilities, this.#presumed)) return false;
    this.generation += 1;
    this.#isUnproved = false;
    this.#isKnown = false;
    this.capabilities = this.#presumed;
    this.#keeper?.forget();
    return true;
  }

  note(learned: Partial<Pick<Capabilities, 'room' | 'isWordy' | 'thinks'>>): void {
    this.capabilities = { ...this.capabilities, ...learned };
  }

  /** A question was answered after other ways failed. Only a model that `thinks` keeps the room that it took. */
  noteAnswered(mode: AnswerMode, room: number, tried: Iterable<AnswerMode>, thinks = false): void {
    this.#isUnproved = false;
    this.#misses.delete(mode);
    for (const other of tried) {
      const misses = (this.#misses.get(other) ?? 0) + 1;
      this.#misses.set(other, misses);
      if (misses === MOST_MISSES) this.#putLast(other);
    }
    const { capabilities: known } = this;
    if (thinks && !known.thinks) this.note({ thinks, room: Math.max(known.room, ROOM_TO_THINK) });
    if (this.capabilities.thinks) this.note({ room: Math.max(room, this.capabilities.room) });
    this.#keeper?.keep(this.capabilities);
  }

  #putLast(mode: AnswerMode): void {
    const others = this.capabilities.modes.filter((one) => one !== mode);
    if (others.length === this.capabilities.modes.length) return;
    this.capabilities = { ...this.capabilities, modes: [...others, mode] };
    this.#misses.delete(mode);
  }

  /** Runs a call; one at a time until the first success. An aborted call checks the signal itself. */
  async call<T>(
    run: () => Promise<T>,
    isLearned: (result: T) => boolean,
    signal: AbortSignal,
  ): Promise<T> {
    while (this.#first !== null && !signal.aborted) await orAbort(this.#first, signal);
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

function isNoPlainer(known: Capabilities, presumed: Capabilities): boolean {
  return (
    presumed.modes.every((mode) => known.modes.includes(mode)) &&
    known.dropped.every((name) => presumed.dropped.includes(name)) &&
    FORMS.every((name) => known[name] === presumed[name])
  );
}

/** Capabilities that change the form of a request, except modes and dropped fields. */
const FORMS = ['system', 'joinsRoles', 'tokenName', 'isBare', 'streaming', 'takesBounds'] as const;
