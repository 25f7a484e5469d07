/** The kinds of minds, for files, flags and docs. Code reads the traits. `actors/minds/kinds.ts` creates the minds. */

type MindTraits = {
  /** The page's words for the mind. */
  readonly label: string;
  /** Asked at an endpoint: needs a model, may need a key, costs money and takes real time. */
  readonly isRemote?: true;
  /** A program of the operator's own that gets each request as data. */
  readonly isOwn?: true;
  /** A person, or a program that sits down like one and gets more time to answer. */
  readonly isPerson?: true;
  /** Takes lessons from one game to the next, so it can play in a league. */
  readonly canLearn?: true;
  /** A player with such a mind never enters a thinking state. */
  readonly isAtOnce?: true;
};

export const MINDS = {
  scripted: { label: 'a script', canLearn: true, isAtOnce: true },
  silent: { label: 'silent', isAtOnce: true },
  openai: { label: 'a model', isRemote: true, canLearn: true },
  command: { label: 'a program', isOwn: true, canLearn: true },
  http: { label: 'a web service', isOwn: true, canLearn: true },
  module: { label: 'a module', isOwn: true, canLearn: true },
  human: { label: 'a person', isPerson: true },
  outside: { label: 'an outside player', isPerson: true },
} as const satisfies Readonly<Record<string, MindTraits>>;

export type MindKind = keyof typeof MINDS;

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
export type OwnKind = {
  [K in MindKind]: (typeof MINDS)[K] extends { readonly isOwn: true } ? K : never;
}[MindKind];
type WithKind = { readonly mind: MindKind };

export const MIND_KINDS = Object.keys(MINDS).filter((kind): kind is MindKind => kind in MINDS);
export const LEARNING_KINDS = MIND_KINDS.filter(
  (kind) => traitsOf({ mind: kind }).canLearn === true,
);
/** Kinds that can take over a seat in the middle of a recorded game. */
export const SUCCESSOR_KINDS = MIND_KINDS.filter((kind) => !isPerson({ mind: kind }));

export function isRemote(seat: WithKind): boolean {
  return traitsOf(seat).isRemote === true;
}

export function isOwn<S extends WithKind>(seat: S): seat is S & { readonly mind: OwnKind } {
  return traitsOf(seat).isOwn === true;
}

/** Takes real time, persons excluded. Its games run one after another on the real clock. */
export function isSlow(seat: WithKind): boolean {
  return isRemote(seat) || isOwn(seat);
}

export function isPerson(seat: WithKind): boolean {
  return traitsOf(seat).isPerson === true;
}

export function isAtOnce(kind: MindKind | null): boolean {
  return kind !== null && traitsOf({ mind: kind }).isAtOnce === true;
}

/** None where a journal omits the mind of the dead. */
function traitsOf({ mind }: WithKind): Partial<MindTraits> {
  return MINDS[mind] ?? {};
}
