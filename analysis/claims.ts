/**
 * Claims: who is said to have been where and when, as far as plain patterns can tell.
 *
 * It reads the messages of the table that name a place: "I was in Admin", "I saw Red in the MedBay
 * hallway about ten seconds before the call". It understands no irony and little grammar; what it does not understand
 * is no claim. How minds understand each other is their own affair and is not asked here. `Testimony` holds claims
 * against where the players truly were.
 */

import type { SeenGame, SeenLine, SeenOf } from '../machines/journal/lens.ts';
import { gameIn } from '../machines/journal/opening.ts';
import { SECONDS_PER_ROUND } from '../machines/rules/options.ts';
import { COLOURS, type Colour, HALLWAYS, type Place, ROOMS, SYSTEM } from '../machines/types.ts';

/** Longest phrases first: "a minute and a half" must not be read as "a minute". */
const TIME_PHRASES: readonly (readonly [words: string, seconds: number])[] = [
  ['two and a half minutes', 150],
  ['a minute and a half', 90],
  ['half a minute', 30],
  ['two minutes', 120],
  ['three minutes', 180],
  ['four minutes', 240],
  ['a minute', 60],
];
const TENS: Readonly<Record<string, number>> = {
  ten: 10,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
};
const SPOKEN_NUMBER = new RegExp(`\\b(${Object.keys(TENS).join('|')})(-five)? seconds?\\b`, 'i');
const WRITTEN_NUMBER = /\b(\d{1,3}) ?(s|secs?|seconds?|m|mins?|minutes?)\b/i;
const NOW = /\b(?:right|just) before\b|\bwhen (?:the|it|they) \w+/i;
const NOW_SECONDS = 5;
const SECONDS_PER_MINUTE = 60;

/** The time that a text tells, in seconds before the call; null when it tells none. */
export function readSeconds(text: string): number | null {
  const [, digits, unit] = WRITTEN_NUMBER.exec(text) ?? [];
  if (digits !== undefined) {
    return Number(digits) * (unit?.toLowerCase().startsWith('m') ? SECONDS_PER_MINUTE : 1);
  }
  const [, ten, five] = SPOKEN_NUMBER.exec(text) ?? [];
  if (ten !== undefined) return (TENS[ten.toLowerCase()] ?? 0) + (five === undefined ? 0 : 5);
  const lower = text.toLowerCase();
  const phrase = TIME_PHRASES.find(([words]) => lower.includes(words));
  return phrase?.[1] ?? (NOW.test(text) ? NOW_SECONDS : null);
}

/** Half of the rounding of a spoken time: people round to five seconds in the last minute, and more coarsely before. */
function roundingSlack(seconds: number): number {
  if (seconds <= SECONDS_PER_MINUTE) return 3;
  return seconds <= 2 * SECONDS_PER_MINUTE ? 12 : 25;
}

export type Claim = {
  readonly by: Colour;
  readonly about: Colour;
  readonly place: Place;
  /** Seconds before the call; null where no time was given: at some moment since the last meeting. */
  readonly ago: number | null;
};

type SpokenMessage = {
  readonly speaker: Colour;
  readonly target: Colour | null;
  readonly message: string;
};

/** What people call a place besides its name. */
const SHORT_NAMES: Readonly<Record<string, Place>> = {
  caf: 'Cafeteria',
  nav: 'Navigation',
  comms: 'Communications',
  oxygen: 'O2',
  elec: 'Electrical',
  'med bay': 'MedBay',
};
const PLACE_OF: ReadonlyMap<string, Place> = new Map<string, Place>([
  ...[...ROOMS, ...HALLWAYS].map((place) => [place.toLowerCase(), place] as const),
  ...Object.entries(SHORT_NAMES),
]);
/** Longest first, so that "Admin hallway" is not read as "Admin". */
const PLACE = [...PLACE_OF.keys()].toSorted((one, other) => other.length - one.length).join('|');
const HERE = `(?:the )?(?<place>${PLACE})\\b`;
/** Where a player was seen. A player also says where they came from, and that was earlier. */
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
export function findClaims({ speaker, target, message }: SpokenMessage): readonly Claim[] {
  const claims: Claim[] = [];
  let subject = target;
  for (const sentence of message.split(/(?<=[.!?…])\s+/)) {
    // The next sentence may be about whom this one names.
    const named = findNames(sentence).filter((colour) => colour !== speaker);
    if (!sentence.endsWith('?')) {
      for (const clause of sentence.split(/[;:]|,? \b(?:but|yet)\b/)) {
        const found = claimsInClause(clause, { speaker, subject: named[0] ?? subject, target });
        claims.push(...found);
      }
    }
    subject = named.at(-1) ?? subject;
  }
  return claims;
}

type ClauseContext = {
  readonly speaker: Colour;
  /** Whom "them" means. */
  readonly subject: Colour | null;
  readonly target: Colour | null;
};

function claimsInClause(
  clause: string,
  { speaker: by, subject, target }: ClauseContext,
): readonly Claim[] {
  const ago = readSeconds(clause);
  const claim = (about: Colour | null, match: RegExpExecArray): readonly Claim[] => {
    // What is denied after the claim does not take it back.
    if (NEGATION.test(clause.slice(0, match.index + match[0].length))) return [];
    const place = PLACE_OF.get(match.groups?.['place']?.toLowerCase() ?? '');
    return about !== null && place !== undefined ? [{ by, about, place, ago }] : [];
  };
  const together = TOGETHER.exec(clause);
  if (together !== null) {
    return [by, readColour(together.groups?.['who'])].flatMap((about) => claim(about, together));
  }
  const last = LAST.exec(clause);
  if (last !== null) return claim(readColour(last.groups?.['who']), last);
  const sighting = SIGHTING.exec(clause);
  if (sighting !== null) {
    const between = sighting.groups?.['between'] ?? '';
    const pronoun = THEM.test(between) ? subject : YOU.test(between) ? target : null;
    return claim(findNames(between)[0] ?? pronoun, sighting);
  }
  const own = OWN.exec(clause);
  return own === null ? [] : claim(by, own);
}

function findNames(text: string): readonly Colour[] {
  return [...text.matchAll(NAMED)].flatMap(([name]) => readColour(name) ?? []);
}

function readColour(name: string | undefined): Colour | null {
  return COLOURS.find((colour) => colour === name?.toLowerCase()) ?? null;
}

/** Where a game on The Skeld begins, and where all players are again after a meeting. */
const TABLE: Place = 'Cafeteria';

export type ClaimTruth = 'true' | 'false' | 'unverifiable';

/** Where the players truly were in each round since the last meeting, and whether a claim fits. */
export class Whereabouts {
  readonly #seats: readonly Colour[];
  readonly #start: Place;
  readonly #now = new Map<Colour, Place>();
  /** The places of each player in each round since the last meeting. */
  readonly #past = new Map<Colour, (readonly Place[])[]>();

  constructor(game: Pick<SeenGame, 'seats' | 'map'>) {
    this.#seats = game.seats.map(({ colour }) => colour);
    this.#start = game.map === 'skeld' ? TABLE : game.map.button;
    this.gather();
  }

  /** Everybody is at the table: the past does not count any more. */
  gather(): void {
    for (const seat of this.#seats) {
      this.#now.set(seat, this.#start);
      this.#past.set(seat, []);
    }
  }

  /** A round is over. */
  pass({ paths = {}, events = [] }: Pick<SeenOf<'round.closed'>, 'paths' | 'events'>): void {
    for (const seat of this.#seats) {
      const vented = events.flatMap((event) =>
        event.type === 'vent.used' && event.seat === seat ? (event.place ?? []) : [],
      );
      const places = [this.#now.get(seat) ?? this.#start, ...(paths[seat] ?? []), ...vented];
      this.#past.get(seat)?.push(places);
      this.#now.set(seat, places.at(-1) ?? this.#start);
    }
  }

  /** Whether a claim that is made now fits. What lies before the last meeting is unverifiable. */
  judge(claim: Claim): ClaimTruth {
    const rounds = this.#rounds(claim);
    if (rounds === null) return 'unverifiable';
    return rounds.some((places) => places.includes(claim.place)) ? 'true' : 'false';
  }

  /** Where they truly were in the time that a claim is about, in order, each place once. */
  placesIn(claim: Claim): readonly Place[] {
    return [...new Set((this.#rounds(claim) ?? []).flat())];
  }

  /** The rounds that a claim is about; null where nothing is known of them. */
  #rounds({ about, ago }: Claim): readonly (readonly Place[])[] | null {
    const past = this.#past.get(about);
    if (past === undefined || past.length === 0) return null;
    if (ago === null) return past;
    const last = past.length - 1;
    const middle = last - ago / SECONDS_PER_ROUND;
    // A round more on either side: a time falls into a round, not onto its border.
    const slack = roundingSlack(ago) / SECONDS_PER_ROUND + 1;
    if (middle + slack < 0) return null;
    return past.slice(Math.max(0, Math.ceil(middle - slack)), middle + slack + 1);
  }
}

export type JudgedClaim = Claim & {
  readonly truth: ClaimTruth;
  /** Where they truly were in the time that the claim is about, in order. */
  readonly places: readonly Place[];
};

/**
 * What is claimed at the table, held against where the players truly were. It takes the lines of a game one by one, through
 * the glass: a lens that hides places would make liars of the honest.
 */
export class Testimony {
  #whereabouts: Whereabouts | null = null;

  /** What the next line claims; a meeting that is no part of a game has no truth to it. */
  hear(line: SeenLine): readonly JudgedClaim[] {
    if (line.channel === 'ghosts') return [];
    switch (line.type) {
      case 'match.opened': {
        const game = gameIn(line);
        this.#whereabouts = game === null ? null : new Whereabouts(game);
        return [];
      }
      case 'round.closed':
        this.#whereabouts?.pass(line);
        return [];
      case 'meeting.closed':
        this.#whereabouts?.gather();
        return [];
      case 'tick.closed':
        return this.#said(line.said ?? null);
      default:
        return [];
    }
  }

  #said(said: Extract<SeenLine, { type: 'tick.closed' }>['said'] | null): readonly JudgedClaim[] {
    const whereabouts = this.#whereabouts;
    if (said == null || said.speaker === SYSTEM || whereabouts === null) return [];
    const { speaker, target = null, message } = said;
    return findClaims({ speaker, target, message }).map((claim) => ({
      ...claim,
      truth: whereabouts.judge(claim),
      places: whereabouts.placesIn(claim),
    }));
  }
}
