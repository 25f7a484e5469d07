/** Thoughts on the ship: one short sentence for each move, honest and in many words, for whoever watches. */
import type { System } from '../../../../machines/rules/ship/map.ts';
import type { Colour, Place } from '../../../../machines/types.ts';
import { type Chance, pick } from '../chance.ts';
import { placeName } from '../places.ts';
import { PHRASES, type Theme } from './phrases.ts';

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

/** A phrase of the theme with its facts. */
export function thought(theme: Theme, facts: Facts, chance: Chance): string {
  const phrase = pick(chance, WORDS_LANE, PHRASES[theme]) ?? '';
  return phrase.includes('{') ? filled(phrase, facts) : phrase;
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
