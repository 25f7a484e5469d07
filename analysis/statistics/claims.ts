/**
 * Claims: who is said to have been where and when, as far as plain patterns can tell.
 *
 * It reads what was said at the table, of whoever has a place in it: "I was in Admin", "I saw Red in the MedBay
 * hallway about ten seconds before the call". It understands no irony and little grammar; what it does not understand
 * is no claim. How minds hear each other is their own affair and is not asked here.
 */
import { COLOURS, type Colour, HALLWAYS, type Place, ROOMS } from '../../machines/types.ts';
import { secondsIn } from './times.ts';

export type Claim = {
  readonly by: Colour;
  readonly about: Colour;
  readonly place: Place;
  /** Seconds before the call; null where no time was given: at some moment since the last meeting. */
  readonly ago: number | null;
};

export type Said = {
  readonly speaker: Colour;
  readonly target: Colour | null;
  readonly message: string;
};

/** What people call a place besides its name. */
const SHORT: Readonly<Record<string, Place>> = {
  caf: 'Cafeteria',
  nav: 'Navigation',
  comms: 'Communications',
  oxygen: 'O2',
  elec: 'Electrical',
  'med bay': 'MedBay',
};
const PLACE_OF: ReadonlyMap<string, Place> = new Map<string, Place>([
  ...[...ROOMS, ...HALLWAYS].map((place) => [place.toLowerCase(), place] as const),
  ...Object.entries(SHORT),
]);
/** Longest first, so that "Admin hallway" is not read as "Admin". */
const PLACE = [...PLACE_OF.keys()].toSorted((one, other) => other.length - one.length).join('|');
const HERE = `(?:the )?(?<place>${PLACE})\\b`;
/** Where somebody was seen; of oneself one also says where one came from, and that was earlier. */
const AT = `(?:in|at|inside|through|from) ${HERE}`;
const NAME = COLOURS.join('|');

const OWN = new RegExp(
  `\\bI(?:['’]m| am| was| stayed| stood| worked| waited)(?: \\w+){0,4}? (?:in|at|inside) ${HERE}`,
  'i',
);
const SAW =
  'I(?: \\w+){0,2}? (?:saw|seen|passed|met|noticed|spotted|watched|caught)(?! the (?:body|visual))';
const SIGHTING = new RegExp(`\\b${SAW}\\b(?<between>.{1,60}?) ${AT}`, 'i');
const LAST = new RegExp(`\\blast I saw of (?<who>${NAME}) was ${AT}`, 'i');
const TOGETHER = new RegExp(`\\b(?<who>${NAME}) was with me ${AT}`, 'i');
const NEGATION = /\b(?:not|never|nobody|no one)\b|n['’]t\b/i;
const NAMED = new RegExp(`\\b(${NAME})\\b`, 'gi');
const THEM = /\b(?:them|they|their|him|her)\b/i;
const YOU = /\byou\b/i;

/** Everything that a message claims about places. */
export function claimsIn({ speaker, target, message }: Said): readonly Claim[] {
  const claims: Claim[] = [];
  let subject = target;
  for (const sentence of message.split(/(?<=[.!?…])\s+/)) {
    // The next sentence may be about whom this one names.
    const named = namesIn(sentence).filter((colour) => colour !== speaker);
    if (!sentence.endsWith('?')) {
      for (const clause of sentence.split(/[;:]|,? \b(?:but|yet)\b/)) {
        const found = claimed(clause, { speaker, subject: named[0] ?? subject, target });
        claims.push(...found);
      }
    }
    subject = named.at(-1) ?? subject;
  }
  return claims;
}

type Talk = {
  readonly speaker: Colour;
  /** Whom "them" means. */
  readonly subject: Colour | null;
  readonly target: Colour | null;
};

function claimed(clause: string, { speaker: by, subject, target }: Talk): readonly Claim[] {
  const ago = secondsIn(clause);
  const claim = (about: Colour | null, match: RegExpExecArray): readonly Claim[] => {
    // What is denied after the claim does not take it back.
    if (NEGATION.test(clause.slice(0, match.index + match[0].length))) return [];
    const place = PLACE_OF.get(match.groups?.['place']?.toLowerCase() ?? '');
    return about !== null && place !== undefined ? [{ by, about, place, ago }] : [];
  };
  const together = TOGETHER.exec(clause);
  if (together !== null) {
    return [by, colourOf(together.groups?.['who'])].flatMap((about) => claim(about, together));
  }
  const last = LAST.exec(clause);
  if (last !== null) return claim(colourOf(last.groups?.['who']), last);
  const sighting = SIGHTING.exec(clause);
  if (sighting !== null) {
    const between = sighting.groups?.['between'] ?? '';
    const pronoun = THEM.test(between) ? subject : YOU.test(between) ? target : null;
    return claim(namesIn(between)[0] ?? pronoun, sighting);
  }
  const own = OWN.exec(clause);
  return own === null ? [] : claim(by, own);
}

function namesIn(text: string): readonly Colour[] {
  return [...text.matchAll(NAMED)].flatMap(([name]) => colourOf(name) ?? []);
}

function colourOf(name: string | undefined): Colour | null {
  return COLOURS.find((colour) => colour === name?.toLowerCase()) ?? null;
}
