/**
 * Templates: sentences with slots for facts, cut into pieces once, so that filling one is a few joins.
 *
 * A template that needs a fact that is missing is not used.
 */
import { COLOURS, type Colour, type Deed } from '../../../machines/types.ts';
import type { Facts } from './acts.ts';
import { type Chance, fraction, pick } from './chance.ts';
import { turnOf } from './ledger.ts';
import { CLAUSES } from './phrases/reasons.ts';
import { placeName } from './places.ts';
import type { Reason } from './reasons.ts';
import { spoken } from './times.ts';

/** Text before each slot, and the text after the last one. */
type Template = {
  readonly pieces: readonly string[];
  readonly slots: readonly string[];
  /** Whether each slot begins a sentence. */
  readonly begins: readonly boolean[];
  /** The turn of phrase; null where it depends on the facts. */
  readonly turn: string | null;
};

const LANE = { about: 42, clause: 43 } as const;
/** Slots whose words are more than a name, a place or a time. */
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
  doing: '~',
};
/** What somebody was doing, after "I saw Red" and "I was". */
const DOING: Readonly<Partial<Record<Deed, string>>> = {
  task: 'doing a task',
  fixing: 'fixing the sabotage',
  watching: 'watching the screens',
};

const NAMES: ReadonlyMap<Colour, string> = new Map(
  COLOURS.map((colour) => [colour, colour.charAt(0).toUpperCase() + colour.slice(1)]),
);
const templates = new Map<string, Template>();

export function nameOf(colour: Colour): string {
  return NAMES.get(colour) ?? colour;
}

/** A template with its facts; null when one of them is missing. */
export function filled(source: string, facts: Facts, chance: Chance): string | null {
  const { pieces, slots, begins } = template(source);
  let text = pieces[0] ?? '';
  for (const [index, slot] of slots.entries()) {
    const word = wordFor(slot, facts, chance);
    if (word === null) return null;
    text += (begins[index] ? capital(word) : word) + (pieces[index + 1] ?? '');
  }
  return capital(text);
}

/** The turn of phrase of a template; null where it depends on the facts. */
export function turnIn(source: string): string | null {
  return template(source).turn;
}

function capital(text: string): string {
  const first = text.charAt(0);
  const large = first.toUpperCase();
  return first === large ? text : large + text.slice(1);
}

function template(source: string): Template {
  const known = templates.get(source);
  if (known !== undefined) return known;
  const parts = source.split(/[{}]/);
  const slots = parts.filter((_, index) => index % 2 === 1);
  const pieces = parts.filter((_, index) => index % 2 === 0);
  const made = {
    pieces,
    slots,
    begins: slots.map((_, index) => /(?:^|[.!?] )$/.test(pieces[index] ?? '')),
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
      return facts[slot] === undefined || facts[slot] === null ? null : placeName(facts[slot]);
    case 'when':
      return typeof facts.ago === 'number' ? spoken(facts.ago, fraction(chance, LANE.about)) : null;
    case 'deed':
      return facts.deed === undefined ? null : facts.deed === 'kill' ? 'make the kill' : 'vent';
    case 'doing':
      return facts.did === undefined || facts.did === null ? null : (DOING[facts.did] ?? null);
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
  const source = pick(chance, LANE.clause, list) ?? '';
  const text = filled(source, { ...facts, ...reasonFacts(reason) }, chance);
  if (text === null) return null;
  const keeps = /^(?:I\b|\{)/.test(source) || /^(?:I\b)/.test(text);
  return keeps ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

function reasonFacts(reason: Reason): Facts {
  switch (reason.type) {
    case 'clash':
      return { said: reason.said, place: reason.seen.place, ago: reason.seen.ago };
    case 'falsehood':
      return { friend: reason.about };
    case 'witnessed':
    case 'atBody':
    case 'lastWith':
    case 'followed':
    case 'near':
    case 'absent':
    case 'told':
    case 'company':
    case 'shadowed':
    case 'placed':
    case 'contradicted':
    case 'named':
    case 'misled':
    case 'defended':
      return reason;
    case 'earlier':
    case 'mute':
    case 'hunch':
      return {};
    default:
      return reason satisfies never;
  }
}
