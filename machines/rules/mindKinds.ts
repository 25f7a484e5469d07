/**
 * The kinds of minds that can decide for a player, each in one entry. From it come the choices of a file and of the
 * command line, the documents, and how the rest of the program treats a seat: by its traits, never by the name of its
 * kind. `actors/minds/kinds.ts` creates each.
 */

type MindTraits = {
  /** The name in files. */
  readonly kind: string;
  /** Who decides, as the page says it. */
  readonly label: string;
  /** Asked at an endpoint: it needs a model, may need a key, costs money and takes real time. */
  readonly isRemote: boolean;
  /** A program of the operator's own, which is sent each request as data. */
  readonly isOwn: boolean;
  /** Played by a person, who is waited for longer and makes mistakes without help. */
  readonly isPerson: boolean;
  /** Takes lessons from one game to the next, so that it can play in a league. */
  readonly canLearn: boolean;
  /** Answers in the moment in which it is asked. */
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
] as const satisfies readonly MindTraits[];

export type MindKind = (typeof MINDS)[number]['kind'];

/** Who decides, for editors and documents; apart, as the page has no use for it. */
export const MIND_HELP: Readonly<Record<MindKind, string>> = {
  scripted: 'an offline mind that plays by the temperament of its persona',
  silent: 'a mind that never answers',
  openai: 'a language model at an endpoint that speaks the OpenAI protocol',
  command:
    'a program of your own, in any language, that reads requests and writes answers as lines of JSON',
  http: 'a web service of your own that gets the same requests by POST',
  module: 'a module of your own in JavaScript or TypeScript that runs in this process',
  human: 'a person who plays in a browser or a terminal',
};
/** Kinds of the operator's own programs. */
export type OwnKind = Extract<(typeof MINDS)[number], { isOwn: true }>['kind'];
type WithKind = { readonly mind: MindKind };

export const MIND_KINDS: readonly MindKind[] = MINDS.map(({ kind }) => kind);
/** Kinds that can play in a league. */
export const LEARNING_KINDS = MIND_KINDS.filter((kind) => traitsOf({ mind: kind }).canLearn);
/** Kinds that can take over a seat in the middle of a recorded game. */
export const SUCCESSOR_KINDS = MIND_KINDS.filter((kind) => !isPerson({ mind: kind }));

export function isRemote(seat: WithKind): boolean {
  return traitsOf(seat).isRemote;
}

export function isOwn<S extends WithKind>(seat: S): seat is S & { readonly mind: OwnKind } {
  return traitsOf(seat).isOwn;
}

/** Whether its mind takes real time, people apart: its games are played one after another, by the real clock. */
export function isSlow(seat: WithKind): boolean {
  return isRemote(seat) || isOwn(seat);
}

export function isPerson(seat: WithKind): boolean {
  return traitsOf(seat).isPerson;
}

/** Whether a player with this mind is never seen to think. */
export function isAtOnce(kind: MindKind | null): boolean {
  return kind !== null && traitsOf({ mind: kind }).isAtOnce;
}

function traitsOf({ mind }: WithKind): MindTraits {
  const traits = MINDS.find(({ kind }) => kind === mind);
  if (traits === undefined) throw new Error(`expected a kind of mind, found ${mind}`);
  return traits;
}
