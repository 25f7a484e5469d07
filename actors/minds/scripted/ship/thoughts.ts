/** One short thought for each move on the ship, shown to viewers. A phrase names each thing at most once. */
import { capitalize, SYSTEM_NAMES } from '../../../../machines/text.ts';
import type { Colour, Place, Role, System } from '../../../../machines/types.ts';
import { type MindChance, pick } from '../chance.ts';
import moves from '../phrases/moves.json' with { type: 'json' };
import { namePlace } from '../wording.ts';

type MoveTheme = keyof typeof moves.crewmate | keyof typeof moves.impostor;

type ShipFacts = {
  readonly who?: Colour;
  readonly place?: Place;
  readonly task?: string;
  readonly system?: System;
};

const WORDS_LANE = 0;

export type ShipThought = { readonly theme: MoveTheme; readonly facts?: ShipFacts };

export function sayThought(
  { theme, facts = {} }: ShipThought,
  role: Role,
  chance: MindChance,
): string {
  const phrase = pick(chance, WORDS_LANE, findPhrases(theme, role)) ?? '';
  return phrase.includes('{') ? fillPhrase(phrase, facts) : phrase;
}

const PHRASES: Readonly<Record<MoveTheme, readonly string[]>> = {
  ...moves.crewmate,
  ...moves.impostor,
};
/** Phrases of an impostor who makes a crewmate's move for another reason. */
const INSTEAD: Readonly<Partial<Record<MoveTheme, readonly string[]>>> = moves.impostorInstead;

function findPhrases(theme: MoveTheme, role: Role): readonly string[] {
  return (role === 'impostor' ? INSTEAD[theme] : undefined) ?? PHRASES[theme];
}

function fillPhrase(phrase: string, facts: ShipFacts): string {
  const text = phrase
    .replace('{who}', nameOrSomebody(facts.who))
    .replace('{place}', facts.place === undefined ? 'there' : namePlace(facts.place))
    .replace('{task}', facts.task ?? 'this')
    .replace('{system}', facts.system === undefined ? 'this' : SYSTEM_NAMES[facts.system]);
  return capitalize(text);
}

function nameOrSomebody(who: Colour | undefined): string {
  return who === undefined ? 'somebody' : capitalize(who);
}
