/** Thoughts on the ship: one short sentence for each move, honest and in many words, for whoever watches. */
import type { System } from '../../../../machines/rules/ship/map.ts';
import type { Colour, Place, Role } from '../../../../machines/types.ts';
import { type Chance, pick } from '../chance.ts';
import { placeName } from '../places.ts';
import { DARK_PHRASES, SLY } from './darkPhrases.ts';
import { PHRASES } from './phrases.ts';

/** What a move is about. */
export type Theme = keyof typeof PHRASES | keyof typeof DARK_PHRASES;

/** What a phrase may name. */
export type Facts = {
  readonly who?: Colour;
  readonly place?: Place;
  readonly task?: string;
  readonly system?: System;
};

/** Lane of the dice that picks the words. */
const WORDS_LANE = 0;

const SYSTEM_NAMES: Readonly<Record<System, string>> = {
  reactor: 'the reactor',
  o2: 'the oxygen',
  lights: 'the lights',
  comms: 'the comms',
};

/** What goes with a move in the player's head. */
export type Musing = { readonly theme: Theme; readonly facts?: Facts };

/** A phrase of the theme with its facts. */
export function thought({ theme, facts = {} }: Musing, role: Role, chance: Chance): string {
  const phrase = pick(chance, WORDS_LANE, phrasesOf(theme, role)) ?? '';
  return phrase.includes('{') ? filled(phrase, facts) : phrase;
}

const ALL: Readonly<Record<Theme, readonly string[]>> = { ...PHRASES, ...DARK_PHRASES };
const SLY_ALL: Readonly<Partial<Record<Theme, readonly string[]>>> = SLY;

function phrasesOf(theme: Theme, role: Role): readonly string[] {
  return (role === 'impostor' ? SLY_ALL[theme] : undefined) ?? ALL[theme];
}

function filled(phrase: string, facts: Facts): string {
  const text = phrase
    .replace('{who}', named(facts.who))
    .replace('{place}', facts.place === undefined ? 'there' : placeName(facts.place))
    .replace('{task}', facts.task ?? 'this')
    .replace('{system}', facts.system === undefined ? 'this' : SYSTEM_NAMES[facts.system]);
  return capital(text);
}

function named(who: Colour | undefined): string {
  return who === undefined ? 'somebody' : capital(who);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
