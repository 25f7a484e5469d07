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
  /** The same for editors and documents. */
  readonly help: string;
  /** Asked at an endpoint: it needs a model, may need a key, costs money and takes real time. */
  readonly isRemote: boolean;
  /** Played by a person, who is waited for longer and makes mistakes without help. */
  readonly isPerson: boolean;
  /** Takes lessons from one game to the next, so that it can play in a league. */
  readonly canLearn: boolean;
};

export const MINDS = [
  {
    kind: 'scripted',
    label: 'a script',
    help: 'an offline mind that plays by the temperament of its persona',
    isRemote: false,
    isPerson: false,
    canLearn: true,
  },
  {
    kind: 'silent',
    label: 'silent',
    help: 'a mind that never answers',
    isRemote: false,
    isPerson: false,
    canLearn: false,
  },
  {
    kind: 'openai',
    label: 'a model',
    help: 'a language model at an endpoint that speaks the OpenAI protocol',
    isRemote: true,
    isPerson: false,
    canLearn: true,
  },
  {
    kind: 'human',
    label: 'a person',
    help: 'a person who plays in a browser or a terminal',
    isRemote: false,
    isPerson: true,
    canLearn: false,
  },
] as const satisfies readonly MindTraits[];

export type MindKind = (typeof MINDS)[number]['kind'];
type WithKind = { readonly mind: MindKind };

export const MIND_KINDS: readonly MindKind[] = MINDS.map(({ kind }) => kind);
/** Kinds that can play in a league. */
export const LEARNING_KINDS = MIND_KINDS.filter((kind) => traitsOf({ mind: kind }).canLearn);
/** Kinds that can take over a seat in the middle of a recorded game. */
export const SUCCESSOR_KINDS = MIND_KINDS.filter((kind) => !isPerson({ mind: kind }));

export function isRemote(seat: WithKind): boolean {
  return traitsOf(seat).isRemote;
}

export function isPerson(seat: WithKind): boolean {
  return traitsOf(seat).isPerson;
}

function traitsOf({ mind }: WithKind): MindTraits {
  const traits = MINDS.find(({ kind }) => kind === mind);
  if (traits === undefined) throw new Error(`expected a kind of mind, found ${mind}`);
  return traits;
}
