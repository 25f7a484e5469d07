/** Reasons: why somebody is suspected, each with the facts that are needed to say it. */

import type { Told } from '../../../machines/rules/views.ts';
import type { Colour, Place, Role, Sighting } from '../../../machines/types.ts';
import type { Heard, Ledger } from './claims.ts';
import {
  clashing,
  confirming,
  type Highlights,
  type Memory,
  missed,
  NEXT_ROOM,
  type Past,
  steps,
} from './memory.ts';
import type { Traits } from './traits.ts';

export type Reason =
  /** Own eyes: a vent or a kill. */
  | {
      readonly type: 'witnessed';
      readonly deed: 'vent' | 'kill';
      readonly place: Place;
      readonly ago: number;
    }
  /** Own eyes: somebody at the body. */
  | { readonly type: 'atBody'; readonly body: Colour; readonly place: Place }
  /** Own eyes: the last who was seen with the victim. */
  | {
      readonly type: 'lastWith';
      readonly body: Colour;
      readonly place: Place;
      readonly ago: number;
    }
  /** Own eyes: somebody went after the player and did nothing else. */
  | { readonly type: 'followed'; readonly place: Place; readonly ago: number }
  /** Own eyes: somebody where the body lay. */
  | { readonly type: 'near'; readonly place: Place; readonly ago: number }
  /** Their story against an own sighting. */
  | { readonly type: 'clash'; readonly said: Place; readonly seen: Sighting }
  /** They claim a room in which the player was, without them. */
  | { readonly type: 'absent'; readonly place: Place }
  /** They said about `about` what the player knows to be false; `about` may be the player. */
  | { readonly type: 'falsehood'; readonly about: Colour }
  | { readonly type: 'told'; readonly by: Colour }
  /** `by` saw them at the body, or with the victim when nobody else was. */
  | { readonly type: 'company'; readonly by: Colour }
  /** They came after `by` and did nothing. */
  | { readonly type: 'shadowed'; readonly by: Colour }
  | { readonly type: 'placed'; readonly by: Colour; readonly place: Place }
  /** Their story against what `by` saw. */
  | {
      readonly type: 'contradicted';
      readonly by: Colour;
      readonly said: Place;
      readonly place: Place;
    }
  | { readonly type: 'named'; readonly by: Colour }
  /** They were under suspicion in a meeting before this one. */
  | { readonly type: 'earlier' }
  /** They pushed for `friend`, who turned out to be crew. */
  | { readonly type: 'misled'; readonly friend: Colour }
  /** They stood up for `friend`, who turned out to be an impostor. */
  | { readonly type: 'defended'; readonly friend: Colour }
  /** They have told nobody where they were. */
  | { readonly type: 'mute' }
  | { readonly type: 'hunch' };

const NOTES: Readonly<Record<Reason['type'], string>> = {
  witnessed: 'I saw it',
  atBody: 'stood at the body',
  lastWith: 'was last with the victim',
  followed: 'came after me',
  near: 'was near the body',
  clash: 'was not where they say',
  absent: 'was not in the room they name',
  falsehood: 'said what is not so',
  told: 'a witness says so',
  company: 'was seen with the victim',
  shadowed: 'went after somebody',
  placed: 'was seen nearby',
  contradicted: 'was seen elsewhere',
  named: 'others name them',
  earlier: 'was suspect before',
  misled: 'pushed for one of the crew',
  defended: 'stood up for an impostor',
  mute: 'has told nothing',
  hunch: 'a feeling',
};

/** A reason as players note it for themselves: a few words in brackets. */
export function inNotes({ type }: Reason): string {
  return NOTES[type];
}

/*
 * Recollection: what a player's own eyes make of the others, before anybody has said a word.
 *
 * The hour of death is unknown: it lies after the last time that the victim was seen alive, by oneself or as told. What
 * was seen before that clears nobody and burdens nobody.
 */

/** What one thing adds to the suspicion of somebody; points below 0 clear them. */
export type Charge = {
  readonly seat: Colour;
  readonly points: number;
  readonly reason: Reason | null;
};

const SEEN_POINTS = {
  witnessed: 120,
  visual: -90,
  atBody: 50,
  lastWith: 22,
  followed: 26,
  lurkedThere: 24,
  lurkedNear: 10,
  wasThere: 12,
  passedBy: 4,
  elsewhere: -3,
  fixed: -6,
} as const;
/** Without a last sight of the victim, seconds before the meeting in which being beside the body means something. */
const FRESH = 45;
/** The victim may be seen dead so late that no sighting matters any more. */
const STALE = 120;
/** A last sight of the victim is good for so many seconds more or less. */
const BLUR = 5;
/** Alibis that the player can give somebody count so many times at most. */
const MOST_ALIBIS = 4;

export type Scene = {
  readonly known: Memory;
  readonly highlights: Highlights;
  readonly body: Place | null;
  readonly victim: Colour | null;
};

/** Seconds before the call in which the victim must have died; `told` is the latest that others saw of them. */
export function deathWindow({ highlights: { last } }: Scene, told: number | null): number {
  const latest = Math.min(last?.seen.ago ?? STALE, told ?? STALE);
  return latest < STALE ? latest + BLUR : FRESH;
}

/** `window` is how long ago the victim can have died. */
export function recollected(scene: Scene, window: number): readonly Charge[] {
  const { known, highlights, body, victim } = scene;
  const charges: Charge[] = [];
  for (const { who, did, place, ago } of highlights.deeds) {
    if (did !== 'vent' && did !== 'kill') continue;
    const reason = { type: 'witnessed', deed: did, place, ago } as const;
    charges.push({ seat: who, points: SEEN_POINTS.witnessed, reason });
  }
  for (const { who } of highlights.visuals)
    charges.push({ seat: who, points: SEEN_POINTS.visual, reason: null });
  for (const { who, place } of highlights.atBody) {
    const reason = victim === null ? null : ({ type: 'atBody', body: victim, place } as const);
    charges.push({ seat: who, points: SEEN_POINTS.atBody, reason });
  }
  charges.push(...lastCompany(scene, window));
  for (const { who, place, ago } of highlights.followers) {
    const reason = { type: 'followed', place, ago } as const;
    charges.push({ seat: who, points: SEEN_POINTS.followed, reason });
  }
  for (const [who, seen] of known.byWho) {
    if (who !== victim && body !== null) charges.push(...walks(who, seen, body, window));
  }
  return charges;
}

/** Who was alone with the victim at the last sight of them. */
function lastCompany({ highlights: { last }, victim }: Scene, window: number): readonly Charge[] {
  if (last === null || victim === null || last.seen.ago > window) return [];
  const { place, ago } = last.seen;
  const points = SEEN_POINTS.lastWith / Math.max(1, last.company.length);
  return last.company.map((seat) => ({
    seat,
    points,
    reason: { type: 'lastWith', body: victim, place, ago },
  }));
}

/** Where somebody was seen while the victim can have died: the worst of it, and what speaks for them. */
function walks(
  seat: Colour,
  seen: readonly Sighting[],
  body: Place,
  window: number,
): readonly Charge[] {
  let worst: Charge | null = null;
  let alibis = 0;
  let fixed = false;
  for (const { place, ago, did } of seen) {
    if (ago > window) break;
    fixed ||= did === 'fixing';
    const points = did === 'vent' || did === 'kill' ? 0 : pointsFor(did, steps(place, body));
    if (points < 0) alibis += 1;
    if (points > (worst?.points ?? 0))
      worst = { seat, points, reason: { type: 'near', place, ago } };
  }
  const cleared =
    Math.min(alibis, MOST_ALIBIS) * SEEN_POINTS.elsewhere + (fixed ? SEEN_POINTS.fixed : 0);
  return [
    ...(worst === null ? [] : [worst]),
    ...(cleared === 0 ? [] : [{ seat, points: cleared, reason: null }]),
  ];
}

function pointsFor(did: Sighting['did'], away: number): number {
  if (did === 'lurking') {
    if (away === 0) return SEEN_POINTS.lurkedThere;
    return away <= NEXT_ROOM ? SEEN_POINTS.lurkedNear : SEEN_POINTS.passedBy;
  }
  if (away === 0) return SEEN_POINTS.wasThere;
  return away < NEXT_ROOM ? SEEN_POINTS.passedBy : SEEN_POINTS.elsewhere;
}

/*
 * The opinion: how much a player suspects each of the others, and for which reason most.
 *
 * It is worked out anew from what the player saw and from the whole transcript, in the order in which things were said:
 * the word of somebody who is suspected already counts for less. Points have no unit; about 60 is "I would vote for
 * them".
 */

export type Judgement = {
  readonly seat: Colour;
  readonly heat: number;
  /** What weighs most; null when there is nothing against them. */
  readonly reason: Reason | null;
};

/** What a player came to the meeting with. */
type Mindset = Pick<Scene, 'known' | 'body' | 'victim'> & {
  readonly past: Past;
  /** A suspicion out of nothing, and how much their word is liked, each from 0 up to 1, for each rival. */
  readonly hunches: ReadonlyMap<Colour, number>;
  readonly likings: ReadonlyMap<Colour, number>;
};

/** Whose opinion it is, and what it is about. */
type Judge = {
  readonly mindset: Mindset;
  readonly role: Role;
  readonly partners: readonly Colour[];
  readonly traits: Traits;
  readonly rivals: readonly Colour[];
  /** Seconds before the call in which the victim died. */
  readonly window: number;
  readonly recollected: readonly Charge[];
  /** The result once it is told. */
  readonly told: Told | null;
};

/** Heat at which a word counts for nothing. */
const DISCREDITED = 80;
/** How much an impostor makes of any charge against the crew. */
const OPPORTUNISM = 1.1;
/** A partner whom so many have seen in the act can't be saved. */
const CAUGHT_BY = 2;
/** How coolly an impostor looks at a partner. */
const SHIELDED = -120;
/** What a mind that was right keeps of an old suspicion: less than nothing. */
const TRUSTED = -15;

/** Evidence that one may make much or little of. */
const WEAK: ReadonlySet<Reason['type']> = new Set([
  'lastWith',
  'followed',
  'near',
  'absent',
  'company',
  'shadowed',
  'placed',
  'contradicted',
  'named',
  'earlier',
  'misled',
  'mute',
]);

type Entry = { seat: Colour; heat: number; reason: Reason | null; weight: number };
type Book = {
  readonly judge: Judge;
  readonly entries: Map<Colour, Entry>;
  /** Who has told a place of their own. */
  readonly talked: Set<Colour>;
  /** Who needs no story: others told where they were. */
  readonly placed: Set<Colour>;
  /** Who said of whom that they saw the deed. */
  readonly witnesses: Map<Colour, Set<Colour>>;
};

function opened(judge: Judge): Book {
  const entries = new Map<Colour, Entry>();
  for (const seat of judge.rivals) entries.set(seat, { seat, heat: 0, reason: null, weight: 0 });
  return { judge, entries, talked: new Set(), placed: new Set(), witnesses: new Map() };
}

/** The rivals, hottest first. */
function closed(book: Book, record: Ledger): readonly Judgement[] {
  shieldPartners(book, record);
  return [...book.entries.values()].sort((one, other) => other.heat - one.heat);
}

function blame(book: Book, seat: Colour, points: number, reason: Reason | null): void {
  const entry = book.entries.get(seat);
  if (entry === undefined) return;
  const { role, partners } = book.judge;
  // What an impostor saw a partner do is no charge that they would ever bring.
  const loyal =
    role === 'impostor' &&
    partners.includes(seat) &&
    reason?.type !== 'told' &&
    reason?.type !== 'named';
  if (loyal && points > 0) return;
  const felt = reason !== null && WEAK.has(reason.type) ? points * prejudice(book, seat) : points;
  entry.heat += felt;
  if (reason === null || (reason.type === 'hunch' && entry.reason !== null)) return;
  const isBetter = entry.reason?.type === 'hunch' || felt > entry.weight;
  if (!isBetter) return;
  entry.reason = reason;
  entry.weight = felt;
}

/** By how much more or less weak evidence against somebody counts to this player. */
function prejudice({ judge }: Book, seat: Colour): number {
  if (judge.role === 'impostor') return 1;
  return 1 + (2 * (judge.mindset.hunches.get(seat) ?? 0.5) - 1) * judge.traits.bias;
}

/** Somebody's word turned out to be true: what was held against them is forgotten. */
function trust(book: Book, seat: Colour): void {
  const entry = book.entries.get(seat);
  if (entry === undefined) return;
  entry.heat = Math.min(entry.heat, 0) + TRUSTED;
  entry.reason = null;
  entry.weight = 0;
}

/** How much the word of `by` counts: nothing once they are suspected enough. */
function faith({ judge, entries }: Book, by: Colour): number {
  const most = judge.role === 'impostor' ? OPPORTUNISM : judge.traits.credulity;
  return most * Math.max(0, 1 - Math.max(0, entries.get(by)?.heat ?? 0) / DISCREDITED);
}

/** The same for what is no testimony of a deed: there, whom one likes counts too. */
function sympathy(book: Book, by: Colour): number {
  const { mindset, traits, role } = book.judge;
  const liked = role === 'impostor' ? 0.5 : (mindset.likings.get(by) ?? 0.5);
  return faith(book, by) * (1 + (2 * liked - 1) * traits.bias);
}

/** Notes that somebody bore witness, and returns the others who did so about the same player. */
function alsoSaw(book: Book, item: Heard & { type: 'deed' }): readonly Colour[] {
  const known = book.witnesses.get(item.who);
  if (known === undefined) {
    book.witnesses.set(item.who, new Set([item.by]));
    return [];
  }
  const others = [...known].filter((by) => by !== item.by);
  known.add(item.by);
  return others;
}

/** An impostor looks coolly at a partner, unless everybody has seen what the partner did. */
function shieldPartners(book: Book, record: Ledger): void {
  for (const partner of book.judge.partners) {
    const entry = book.entries.get(partner);
    if (entry === undefined || isCaught(partner, record)) continue;
    entry.heat = SHIELDED;
    entry.reason = null;
  }
}

/** Whether a partner is lost: seen in the act by enough others. */
function isCaught(seat: Colour, record: Ledger): boolean {
  const witnesses = new Set(
    record.heard.filter((item) => item.type === 'deed' && item.who === seat).map(({ by }) => by),
  );
  return witnesses.size >= CAUGHT_BY;
}

/* Weighing: what each thing heard adds to the opinion of a player, in the order in which it was said. */

const HEARD_POINTS = {
  toldDeed: 58,
  /** Each further witness of the same deed, who is not alone any more. */
  toldAgain: 40,
  toldAtBody: 34,
  toldLastWith: 16,
  toldFollower: 14,
  clash: 34,
  absent: 14,
  confirmed: -20,
  answered: -4,
  falsehood: 40,
  placedThere: 16,
  placedNear: 8,
  /** Without any work, on top. */
  idle: 4,
  placedNextDoor: 3,
  /** By their own word near the body. */
  nearby: 5,
  contradicted: 18,
  named: 7,
  supported: -10,
  visualTold: -34,
  pushed: 5,
  /** One's own charge: people believe what they have said. */
  stated: 6,
  mute: 6,
  /** Kept from an earlier meeting. */
  watched: 9,
  cleared: -10,
  misled: 8,
  defended: 18,
} as const;
/** Lines after which somebody who has not told their place is dodging. */
const DODGING_LINES = 7;
/** Who was seen so many seconds before the call needs no story. */
const LATELY = 15;
/** How much less a lie about oneself weighs for who hears it than for who was slandered. */
const SLANDER = 1.5;

/** The rivals, hottest first. */
export function opinion(judge: Judge, record: Ledger): readonly Judgement[] {
  const book = opened(judge);
  for (const seat of judge.rivals) {
    const hunch = (judge.mindset.hunches.get(seat) ?? 0) * judge.traits.hunch;
    blame(book, seat, hunch, { type: 'hunch' });
    if (judge.mindset.past.watched.has(seat))
      blame(book, seat, HEARD_POINTS.watched, { type: 'earlier' });
    if (judge.mindset.past.cleared.has(seat)) blame(book, seat, HEARD_POINTS.cleared, null);
  }
  for (const { seat, points, reason } of judge.recollected) blame(book, seat, points, reason);
  for (const item of record.heard) {
    const found = weigh(book, item);
    if (found !== null) blame(book, found.seat, found.points, found.reason);
    compare(book, item, record);
  }
  if (record.lines >= DODGING_LINES) chargeTheMute(book);
  if (judge.told !== null) lookBack(book, record);
  return closed(book, record);
}

function charge(seat: Colour, points: number, reason: Reason | null): Charge {
  return { seat, points, reason };
}

function weigh(book: Book, item: Heard): Charge | null {
  const { judge } = book;
  const { me } = judge.mindset.known;
  if (item.by === me)
    return item.type === 'charge' ? charge(item.who, HEARD_POINTS.stated, null) : null;
  switch (item.type) {
    case 'whereabouts':
      return weighStory(book, item);
    case 'sighting':
      return weighSighting(book, item);
    case 'company':
      return weighCompany(book, item);
    case 'deed':
      return weighDeed(book, item);
    case 'charge':
      if (item.who === me) return charge(item.by, HEARD_POINTS.named, null);
      return charge(item.who, HEARD_POINTS.named * sympathy(book, item.by), {
        type: 'named',
        by: item.by,
      });
    case 'support':
      return charge(
        item.who,
        (item.visual ? HEARD_POINTS.visualTold : HEARD_POINTS.supported) * sympathy(book, item.by),
        null,
      );
    case 'push':
      if (item.who === 'skip') return null;
      return charge(item.who, HEARD_POINTS.pushed * sympathy(book, item.by), {
        type: 'named',
        by: item.by,
      });
    case 'question':
    case 'denial':
      return null;
    default:
      return item satisfies never;
  }
}

/** A witness whom one's own eyes or another witness bear out is no liar. */
function weighDeed(book: Book, item: Heard & { type: 'deed' }): Charge {
  const { known } = book.judge.mindset;
  if (item.who === known.me)
    return charge(item.by, HEARD_POINTS.falsehood * SLANDER, {
      type: 'falsehood',
      about: item.who,
    });
  const saw = known.byWho.get(item.who)?.some(({ did }) => did === 'vent' || did === 'kill');
  const others = alsoSaw(book, item);
  if (saw === true) trust(book, item.by);
  if (others.length > 0) for (const by of [item.by, ...others]) trust(book, by);
  const points = others.length > 0 ? HEARD_POINTS.toldAgain : HEARD_POINTS.toldDeed;
  return charge(item.who, points * faith(book, item.by), { type: 'told', by: item.by });
}

function weighStory(book: Book, item: Heard & { type: 'whereabouts' }): Charge | null {
  const { window, mindset } = book.judge;
  const { known, body } = mindset;
  const { by, place, ago } = item;
  const first = !book.talked.has(by);
  book.talked.add(by);
  const seen = clashing(known, by, place, ago);
  if (seen !== null) return charge(by, HEARD_POINTS.clash, { type: 'clash', said: place, seen });
  if (confirming(known, by, place, ago) !== null)
    return charge(by, first ? HEARD_POINTS.confirmed : 0, null);
  if (missed(known, by, place, ago))
    return charge(by, HEARD_POINTS.absent, { type: 'absent', place });
  if (!first) return null;
  const near = body !== null && steps(place, body) <= NEXT_ROOM && (ago ?? 0) <= window;
  return charge(by, near ? HEARD_POINTS.nearby : HEARD_POINTS.answered, null);
}

function weighSighting(book: Book, item: Heard & { type: 'sighting' }): Charge | null {
  const { window, mindset } = book.judge;
  const { known, body, victim } = mindset;
  const { by, who, place, ago } = item;
  if (ago !== null && clashing(known, who, place, ago) !== null)
    return charge(by, HEARD_POINTS.falsehood, { type: 'falsehood', about: who });
  book.placed.add(who);
  if (who === known.me || who === victim) return null;
  const away =
    body === null || item.manner === 'kindly' || (ago ?? 0) > window ? null : steps(place, body);
  if (away === null || away > NEXT_ROOM)
    return charge(who, HEARD_POINTS.answered * sympathy(book, by), null);
  if (away === NEXT_ROOM)
    return charge(who, HEARD_POINTS.placedNextDoor * sympathy(book, by), null);
  const points =
    (away === 0 ? HEARD_POINTS.placedThere : HEARD_POINTS.placedNear) +
    (item.manner === 'idle' ? HEARD_POINTS.idle : 0);
  return charge(who, points * sympathy(book, by), { type: 'placed', by, place });
}

function weighCompany(book: Book, item: Heard & { type: 'company' }): Charge | null {
  const { window, mindset } = book.judge;
  const { known, victim } = mindset;
  const { by, who, whom, ago } = item;
  if (who === known.me) return null;
  if (whom === by)
    return charge(who, HEARD_POINTS.toldFollower * sympathy(book, by), { type: 'shadowed', by });
  if (whom !== null && (whom !== victim || (ago ?? 0) > window)) return null;
  const points = whom === null ? HEARD_POINTS.toldAtBody : HEARD_POINTS.toldLastWith;
  return charge(who, points * sympathy(book, by), { type: 'company', by });
}

/** A story that can't be true with what somebody else saw speaks against its teller, once for each witness. */
function compare(book: Book, item: Heard, record: Ledger): void {
  const conflicts = record.conflicts.get(item);
  if (conflicts === undefined) return;
  const { me } = book.judge.mindset.known;
  for (const { story, seen } of conflicts) {
    if (story.who === me || seen.by === me) continue;
    blame(book, story.who, HEARD_POINTS.contradicted * sympathy(book, seen.by), {
      type: 'contradicted',
      by: seen.by,
      said: story.place,
      place: seen.place,
    });
  }
}

function chargeTheMute(book: Book): void {
  const { known } = book.judge.mindset;
  for (const { seat } of book.entries.values()) {
    const seen = known.byWho.get(seat)?.[0];
    const isPlaced = book.placed.has(seat) || (seen !== undefined && seen.ago <= LATELY);
    if (!book.talked.has(seat) && !isPlaced) blame(book, seat, HEARD_POINTS.mute, { type: 'mute' });
  }
}

/** With the role of the ejected told, everybody's words about them are seen in another light. */
function lookBack(book: Book, record: Ledger): void {
  const { ejected, role } = book.judge.told ?? { ejected: null, role: null };
  if (ejected === null || role === null) return;
  const about = record.heard.filter((item) => 'who' in item && item.who === ejected);
  const speakers = (types: readonly Heard['type'][]) =>
    new Set(about.filter(({ type }) => types.includes(type)).map(({ by }) => by));
  const friends = speakers(['support']);
  if (role === 'impostor') {
    for (const by of speakers(['deed', 'charge', 'company', 'push'])) trust(book, by);
    for (const by of friends)
      blame(book, by, HEARD_POINTS.defended, { type: 'defended', friend: ejected });
    return;
  }
  for (const by of speakers(['charge', 'push']))
    blame(book, by, HEARD_POINTS.misled, { type: 'misled', friend: ejected });
  for (const by of speakers(['deed']))
    blame(book, by, HEARD_POINTS.falsehood * SLANDER, { type: 'falsehood', about: ejected });
}
