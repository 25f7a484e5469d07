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

export function sayThought({ theme, facts = {} }: ShipThought, role: Role, chance: MindChance) {
  const instead = role === 'impostor' ? INSTEAD[theme] : undefined;
  const phrase = pick(chance, WORDS_LANE, instead ?? PHRASES[theme]) ?? '';
  return phrase.includes('{') ? fillPhrase(phrase, facts) : phrase;
}

const PHRASES: Readonly<Record<MoveTheme, readonly string[]>> = {
  ...moves.crewmate,
  ...moves.impostor,
};
/** Phrases of an impostor who makes a crewmate's move for another reason. */
const INSTEAD: Readonly<Partial<Record<MoveTheme, readonly string[]>>> = moves.impostorInstead;

function fillPhrase(phrase: string, { who, place, task = 'this', system }: ShipFacts): string {
  const text = phrase
    .replace('{who}', who === undefined ? 'somebody' : capitalize(who))
    .replace('{place}', place === undefined ? 'there' : namePlace(place))
    .replace('{task}', task)
    .replace('{system}', system === undefined ? 'this' : SYSTEM_NAMES[system]);
  return capitalize(text);
}
