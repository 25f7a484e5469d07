/**
 * Speech: an act put into the words of a temperament, filled with facts.
 *
 * A player says no sentence twice, and avoids turns of phrase that somebody used already. Templates are cut into
 * pieces once, so that filling one is a few joins.
 */
import { COLOURS, type Colour, TEMPERAMENTS, type Temperament } from '../../../machines/types.ts';
import { ACTS, type Act, type ActType, type Facts } from './acts.ts';
import { type Chance, fraction, pick } from './chance.ts';
import { type Ledger, turnOf } from './ledger.ts';
import { ACCUSER } from './phrases/accuser.ts';
import { DIPLOMAT } from './phrases/diplomat.ts';
import { FOLLOWER } from './phrases/follower.ts';
import { JOKER } from './phrases/joker.ts';
import { LEADER } from './phrases/leader.ts';
import { OBSERVER } from './phrases/observer.ts';
import { type Phrases, PLAIN } from './phrases/plain.ts';
import { CLAUSES } from './phrases/reasons.ts';
import { SCEPTIC } from './phrases/sceptic.ts';
import { AFTERTHOUGHTS, type Part, THOUGHTS } from './phrases/thoughts.ts';
import type { Reason } from './reasons.ts';
import { spoken } from './times.ts';

export const VOICES: Readonly<Record<Temperament, Phrases>> = {
  leader: LEADER,
  observer: OBSERVER,
  accuser: ACCUSER,
  joker: JOKER,
  follower: FOLLOWER,
  sceptic: SCEPTIC,
  diplomat: DIPLOMAT,
};

/** Whose words are wanted, and what may not be said again. */
export type Speaker = {
  readonly temperament: Temperament;
  readonly chance: Chance;
  readonly record: Ledger;
  readonly ownLines: readonly string[];
};

/** Text before each slot, and the text after the last one. */
type Template = {
  readonly pieces: readonly string[];
  readonly slots: readonly string[];
  /** The turn of phrase; null where it depends on the facts. */
  readonly turn: string | null;
};

/** Longest message, in characters: what a reader takes in at a glance. */
export const LONGEST = 200;
/** Share of messages that start from the plain phrases rather than from the voice's own. */
const PLAIN_SHARE = 0.3;
/** Lanes of chance, apart from those of the rules of talk. */
const LANE = { start: 40, plain: 41, about: 42, clause: 43, thought: 44, after: 45 } as const;
const AFTERTHOUGHT_SHARE = 0.35;
/** Slots whose words are more than a name, a room or a time. */
const TURNING: ReadonlySet<string> = new Set(['reason', 'others', 'deed']);
/** What stands for a fact in a turn of phrase, as in `turnOf`. */
const SIGNS: Readonly<Record<string, string>> = {
  who: '@',
  by: '@',
  friend: '@',
  body: '@',
  place: '#',
  earlier: '#',
  said: '#',
  when: '~',
};

const NAMES: ReadonlyMap<Colour, string> = new Map(
  COLOURS.map((colour) => [colour, colour.charAt(0).toUpperCase() + colour.slice(1)]),
);
const templates = new Map<string, Template>();
const choices = new Map<
  string,
  { readonly own: readonly string[]; readonly plain: readonly string[] }
>(
  TEMPERAMENTS.flatMap((voice) =>
    ACTS.map(
      (type) =>
        [`${voice} ${type}`, { own: VOICES[voice][type] ?? [], plain: PLAIN[type] }] as const,
    ),
  ),
);

export function nameOf(colour: Colour): string {
  return NAMES.get(colour) ?? colour;
}

/** The sentence for an act; null when everything fit has been said already. */
export function say({ type, facts }: Act, speaker: Speaker): string | null {
  const { own, plain } = choices.get(`${speaker.temperament} ${type}`) ?? { own: [], plain: [] };
  const start = fraction(speaker.chance, LANE.start);
  const plainFirst = own.length === 0 || fraction(speaker.chance, LANE.plain) < PLAIN_SHARE;
  const first = sayable(plainFirst ? plain : own, facts, speaker, start);
  if (first?.isFresh) return first.text;
  const second = sayable(plainFirst ? own : plain, facts, speaker, start);
  if (second?.isFresh) return second.text;
  return type === 'quip' ? null : (first?.text ?? second?.text ?? null);
}

/** The first sentence of a list that nobody used in this turn of phrase; else one that the speaker did not use. */
function sayable(
  list: readonly string[],
  facts: Facts,
  speaker: Speaker,
  start: number,
): { readonly text: string; readonly isFresh: boolean } | null {
  const from = Math.floor(start * list.length);
  let fallback: string | null = null;
  for (let index = 0; index < list.length; index++) {
    const source = list[(index + from) % list.length] ?? '';
    const text = filled(source, facts, speaker.chance);
    if (text === null || text.length > LONGEST || speaker.ownLines.includes(text)) continue;
    const turn = template(source).turn ?? turnOf(text);
    if (!speaker.record.turns.has(turn)) return { text, isFresh: true };
    fallback ??= text;
  }
  return fallback === null ? null : { text: fallback, isFresh: false };
}

/** What goes with the act in the player's head. */
export function think(
  type: ActType | 'listen' | 'listenSuspect',
  facts: Facts,
  part: Part,
  speaker: Omit<Speaker, 'record' | 'ownLines'>,
): string {
  const list = THOUGHTS[part][type];
  const shift = fraction(speaker.chance, LANE.thought);
  const from = Math.floor(shift * list.length);
  let thought: string | null = null;
  for (let index = 0; index < list.length && thought === null; index++) {
    thought = filled(list[(index + from) % list.length] ?? '', facts, speaker.chance);
  }
  const after = fraction(speaker.chance, LANE.after) < AFTERTHOUGHT_SHARE;
  const tag = after
    ? ` ${pick(speaker.chance, LANE.thought, AFTERTHOUGHTS[speaker.temperament]) ?? ''}`
    : '';
  return `${thought ?? 'Listening.'}${tag}`;
}

/** A template with its facts; null when one of them is missing. */
export function filled(source: string, facts: Facts, chance: Chance): string | null {
  const { pieces, slots } = template(source);
  let text = pieces[0] ?? '';
  for (const [index, slot] of slots.entries()) {
    const word = wordFor(slot, facts, chance);
    if (word === null) return null;
    const begins = text === '' || /[.!?] $/.test(text);
    text += (begins ? capital(word) : word) + (pieces[index + 1] ?? '');
  }
  return capital(text);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function template(source: string): Template {
  const known = templates.get(source);
  if (known !== undefined) return known;
  const parts = source.split(/[{}]/);
  const slots = parts.filter((_, index) => index % 2 === 1);
  const made = {
    pieces: parts.filter((_, index) => index % 2 === 0),
    slots,
    turn: slots.some((slot) => TURNING.has(slot))
      ? null
      : turnOf(
          capital(
            parts.map((part, index) => (index % 2 === 0 ? part : (SIGNS[part] ?? part))).join(''),
          ),
        ),
  };
  templates.set(source, made);
  return made;
}

function wordFor(slot: string, facts: Facts, chance: Chance): string | null {
  switch (slot) {
    case 'who':
    case 'by':
    case 'friend':
    case 'body':
      return facts[slot] === undefined || facts[slot] === null
        ? null
        : namedBy(chance.colour, facts[slot]);
    case 'place':
    case 'earlier':
    case 'said':
      return facts[slot] ?? null;
    case 'when':
      return typeof facts.ago === 'number' ? spoken(facts.ago, fraction(chance, LANE.about)) : null;
    case 'deed':
      return facts.deed === undefined ? null : facts.deed === 'kill' ? 'make the kill' : 'vent';
    case 'others':
      return listed(facts.others ?? []);
    case 'reason':
      return facts.reason === undefined || facts.reason === null
        ? null
        : clause(facts.reason, facts, chance);
    default:
      return null;
  }
}

/** A name as `speaker` says it: nobody speaks of themselves by name. */
function namedBy(speaker: Colour, seat: Colour): string {
  return seat === speaker ? 'me' : nameOf(seat);
}

function listed(seats: readonly Colour[]): string | null {
  const names = seats.map(nameOf);
  const last = names.pop();
  if (last === undefined) return null;
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}

/** A reason as a clause that begins in lower case, unless it begins with "I" or a name. */
export function clause(reason: Reason, facts: Facts, chance: Chance): string | null {
  const list = CLAUSES[reason.type];
  const text = filled(
    pick(chance, LANE.clause, list) ?? '',
    { ...facts, ...reasonFacts(reason) },
    chance,
  );
  if (text === null) return null;
  const keeps = /^(?:I\b|[A-Z][a-z]*(?: saw| sounded| puts| met| has))/.test(text);
  return keeps ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

function reasonFacts(reason: Reason): Facts {
  switch (reason.type) {
    case 'clash':
      return { said: reason.said, place: reason.seen.place, ago: reason.seen.ago };
    case 'falsehood':
      return { friend: reason.about };
    case 'witnessed':
    case 'near':
    case 'absent':
    case 'told':
    case 'placed':
    case 'contradicted':
    case 'named':
      return reason;
    case 'mute':
    case 'hunch':
      return {};
    default:
      return reason satisfies never;
  }
}
