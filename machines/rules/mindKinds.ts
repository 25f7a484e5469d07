/**
 * The kinds of minds, one entry each. The choices in files, flags and docs come from this list, and the program treats
 * a seat by the traits of its kind. `actors/minds/kinds.ts` creates the minds.
 */

type MindTraits = {
  readonly kind: string;
  /** The page's words for the mind. */
  readonly label: string;
  /** Asked at an endpoint: needs a model, may need a key, costs money and takes real time. */
  readonly isRemote: boolean;
  /** A program of the operator's own that gets each request as data. */
  readonly isOwn: boolean;
  /** A person, or a program that sits down like one and gets more time to answer. */
  readonly isPerson: boolean;
  /** Takes lessons from one game to the next, so it can play in a league. */
  readonly canLearn: boolean;
  readonly isAtOnce: boolean;
};

export const MINDS = [
  {
    kind: 'scripted',
    label: 'a script',
    isRemote: false,
    isOwn: false,
    isPerson: false,
    canLearn: true,
    isAtOnce: true,
  },
  {
    kind: 'silent',
    label: 'silent',
    isRemote: false,
    isOwn: false,
    isPerson: false,
    canLearn: false,
    isAtOnce: true,
  },
  {
    kind: 'openai',
    label: 'a model',
    isRemote: true,
    isOwn: false,
    isPerson: false,
    canLearn: true,
    isAtOnce: false,
  },
  {
    kind: 'command',
    label: 'a program',
    isRemote: false,
    isOwn: true,
    isPerson: false,
    canLearn: true,
    isAtOnce: false,
  },
  {
    kind: 'http',
    label: 'a web service',
    isRemote: false,
    isOwn: true,
    isPerson: false,
    canLearn: true,
    isAtOnce: false,
  },
  {
    kind: 'module',
    label: 'a module',
    isRemote: false,
    isOwn: true,
    isPerson: false,
    canLearn: true,
    isAtOnce: false,
  },
  {
    kind: 'human',
    label: 'a person',
    isRemote: false,
    isOwn: false,
    isPerson: true,
    canLearn: false,
    isAtOnce: false,
  },
  {
    kind: 'outside',
    label: 'an outside player',
    isRemote: false,
    isOwn: false,
    isPerson: true,
    canLearn: false,
    isAtOnce: false,
  },
] as const satisfies readonly MindTraits[];

export type MindKind = (typeof MINDS)[number]['kind'];

/** For editors and docs. Separate, because the page does not need it. */
export const MIND_HELP: Readonly<Record<MindKind, string>> = {
  scripted: 'an offline mind that plays by the temperament of its persona',
  silent: 'a mind that never answers',
  openai: 'a language model at an endpoint that speaks the OpenAI protocol',
  command:
    'a program of your own, in any language, that reads requests and writes answers as lines of JSON',
  http: 'a web service of your own that gets the same requests by POST',
  module: 'a module of your own in JavaScript or TypeScript that runs in this process',
  human: 'a person who plays in a browser or a terminal',
  outside: 'a program that takes the seat through `glassbox serve` or the library',
};
export type OwnKind = Extract<(typeof MINDS)[number], { isOwn: true }>['kind'];
type WithKind = { readonly mind: MindKind };

export const MIND_KINDS: readonly MindKind[] = MINDS.map(({ kind }) => kind);
export const LEARNING_KINDS = MIND_KINDS.filter((kind) => traitsOf({ mind: kind }).canLearn);
/** Kinds that can take over a seat in the middle of a recorded game. */
export const SUCCESSOR_KINDS = MIND_KINDS.filter((kind) => !isPerson({ mind: kind }));

export function isRemote(seat: WithKind): boolean {
  return traitsOf(seat).isRemote;
}

export function isOwn<S extends WithKind>(seat: S): seat is S & { readonly mind: OwnKind } {
  return traitsOf(seat).isOwn;
}

/** Takes real time, persons excluded. Its games run one after another on the real clock. */
export function isSlow(seat: WithKind): boolean {
  return isRemote(seat) || isOwn(seat);
}

/** A journal omits the mind of the dead. */
export function isPerson({ mind }: WithKind): boolean {
  return MINDS.some(({ kind, isPerson: plays }) => plays && kind === mind);
}

/** A player with such a mind never enters a thinking state. */
export function isAtOnce(kind: MindKind | null): boolean {
  return kind !== null && traitsOf({ mind: kind }).isAtOnce;
}

function traitsOf({ mind }: WithKind): MindTraits {
  const traits = MINDS.find(({ kind }) => kind === mind);
  if (traits === undefined) throw new Error(`expected a kind of mind, found ${mind}`);
  return traits;
}
