/**
 * Asides: what is promised about a meeting that its own search can't answer, each asked in a search of its own.
 *
 * They depend on less than the meeting does (the weights, or the options), so what was found once serves all subjects
 * that have the same.
 */
import { evenHanded, silentAtMost } from './arbiter.ts';
import type { Asked, Searching } from './asked.ts';
import type { Run, RunOptions } from './run.ts';
import { SECRETS, type Secret, secretKept } from './secrets.ts';
import type { Subject } from './subject.ts';

type Options = Pick<RunOptions, 'only'> & Searching & { readonly isInterference: boolean };

/** Past this the plots against one player are too many to be searched by the way. */
const MOST_PLOTTED = 6;
/** The room in which secrets are looked for has so many living players. */
const IN_ROOM = 3;

type Question = {
  readonly name: string;
  /** Whether it is asked when nobody asks for it by name. */
  readonly isDue: (subject: Subject, options: Options) => boolean;
  /** All that decides the answer. */
  readonly key: (subject: Subject) => unknown;
  readonly ask: (subject: Subject, options: Searching) => Asked;
};

const QUESTIONS: readonly Question[] = [
  {
    name: 'silent-at-most-w',
    isDue: ({ players }) => players <= MOST_PLOTTED,
    key: ({ setting, players }) => [setting.options.weights, players],
    ask: ({ setting, players }, options) => silentAtMost(setting.options.weights, players, options),
  },
  {
    name: 'no-seat-is-preferred',
    isDue: () => true,
    key: ({ setting }) => setting.options.weights,
    ask: ({ setting }, options) => evenHanded(setting.options.weights, options),
  },
  ...SECRETS.map(
    (name: Secret): Question => ({
      name,
      isDue: ({ players, ghosts }, { isInterference }) =>
        isInterference || (players === IN_ROOM && ghosts > 0),
      key: ({ setting }) => setting.options,
      ask: ({ setting }, options) => secretKept(name, setting.options, options),
    }),
  ),
];

/** The names of all promises that are asked in this way. */
export const ASIDES: readonly string[] = QUESTIONS.map(({ name }) => name);

/** A run with what was asked beside it. */
export function withAsides(run: Run, options: Options): Run {
  const asked = QUESTIONS.filter(({ name, isDue }) =>
    options.only === null ? isDue(run.subject, options) : options.only.includes(name),
  ).map((question) => answer(question, run.subject, options));
  return {
    ...run,
    judged: [...run.judged, ...asked.map(({ verdict }) => verdict)],
    asides: asked.map(({ aside }) => aside),
  };
}

const answers = new Map<string, Asked>();

function answer({ name, key, ask }: Question, subject: Subject, options: Options): Asked {
  const { states, seconds } = options.budget;
  const known = JSON.stringify([name, key(subject), `${states}`, `${seconds}`]);
  const found = answers.get(known) ?? ask(subject, options);
  answers.set(known, found);
  return found;
}
