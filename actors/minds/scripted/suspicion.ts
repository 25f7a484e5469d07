/**
 * How much a player suspects each of the others, and the main reason. The transcript is weighed line by line: a
 * suspect's word counts less. Points have no unit; about 60 is "I would vote for them".
 */
import type { AnnouncedResult } from '../../../machines/rules/record.ts';
import type { BySeat, Colour, Role } from '../../../machines/types.ts';
import { findFirstLook, type SeenAt, shareAtBody } from './death.ts';
import type { TableClaim, TableClaimOf } from './hearing.ts';
import {
  countSteps,
  type EjectionVote,
  findClash,
  findConfirmation,
  hasMissed,
  NEXT_ROOM,
  type PastMeetings,
} from './memory.ts';
import { isFinding, type MeetingScene } from './ownEyes.ts';
import type { SuspicionCharge, SuspicionReason } from './reasons.ts';
import type { TableClaims, ToldSight } from './tableClaims.ts';
import type { TableTraits } from './traits.ts';

export type Suspicion = {
  readonly seat: Colour;
  readonly pressure: number;
  readonly reason: SuspicionReason | null;
};

type Mindset = Pick<MeetingScene, 'known' | 'body' | 'victim' | 'finder'> & {
  readonly past: PastMeetings;
  readonly votes: readonly EjectionVote[];
  /** A suspicion out of nothing, and how much their word is liked, each from 0 up to 1, for each rival. */
  readonly hunches: ReadonlyMap<Colour, number>;
  readonly likings: ReadonlyMap<Colour, number>;
  readonly odds: BySeat<number>;
};

type SuspicionInput = {
  readonly mindset: Mindset;
  readonly role: Role;
  readonly partners: readonly Colour[];
  readonly traits: TableTraits;
  readonly rivals: readonly Colour[];
  readonly window: number;
  readonly recollected: readonly SuspicionCharge[];
  readonly told: AnnouncedResult | null;
};

/** Heat that makes a player's word worthless. */
const DISCREDITED = 80;
/** How much an impostor makes of any charge against the crew. */
const OPPORTUNISM = 1.1;
/** Witnesses of an act, or share of the others as accusers, that make a partner impossible to save. */
const CAUGHT_BY = 2;
const CAUGHT_BY_SHARE = 0.4;
const SHIELDED = -120;
const TRUSTED = -15;

/** Evidence that no player overrates or underrates. */
const STRONG: ReadonlySet<SuspicionReason['type']> = new Set([
  'witnessed',
  'atBody',
  'clash',
  'falsehood',
  'told',
  'defended',
  'only',
  'hunch',
]);

type SuspicionEntry = { -readonly [Key in keyof Suspicion]: Suspicion[Key] } & { weight: number };
type SuspicionBook = {
  readonly judge: SuspicionInput;
  readonly entries: Map<Colour, SuspicionEntry>;
  readonly talked: Set<Colour>;
  /** Players placed by others, who need no story. */
  readonly placed: Set<Colour>;
  readonly witnesses: Map<Colour, Set<Colour>>;
  /** Which share of the time of death each rival can have spent at the body, by own eyes. */
  readonly shares: ReadonlyMap<Colour, number>;
};

function blame(
  book: SuspicionBook,
  seat: Colour,
  points: number,
  reason: SuspicionReason | null = null,
): void {
  const entry = book.entries.get(seat);
  if (entry === undefined) return;
  const { role, partners } = book.judge;
  // An impostor never brings up an own sighting of a partner.
  const loyal =
    role === 'impostor' &&
    partners.includes(seat) &&
    reason?.type !== 'told' &&
    reason?.type !== 'named';
  if (loyal && points > 0) return;
  const isWeak = reason !== null && !STRONG.has(reason.type);
  const felt = isWeak ? points * weighPrejudice(book, seat) : points;
  entry.pressure += felt;
  if (reason === null || (reason.type === 'hunch' && entry.reason !== null)) return;
  if (entry.reason?.type !== 'hunch' && felt <= entry.weight) return;
  entry.reason = reason;
  entry.weight = felt;
}

function weighPrejudice({ judge }: SuspicionBook, seat: Colour): number {
  if (judge.role === 'impostor') return 1;
  return 1 + (2 * (judge.mindset.hunches.get(seat) ?? 0.5) - 1) * judge.traits.bias;
}

function trust(book: SuspicionBook, seat: Colour): void {
  const entry = book.entries.get(seat);
  if (entry === undefined) return;
  entry.pressure = Math.min(entry.pressure, 0) + TRUSTED;
  entry.reason = null;
  entry.weight = 0;
}

function weighWord({ judge, entries }: SuspicionBook, by: Colour): number {
  const most = judge.role === 'impostor' ? OPPORTUNISM : judge.traits.credulity;
  return most * Math.max(0, 1 - Math.max(0, entries.get(by)?.pressure ?? 0) / DISCREDITED);
}

/** For other talk than testimony: there liking counts too. */
function weighLikedWord(book: SuspicionBook, by: Colour): number {
  const { mindset, traits, role } = book.judge;
  const liked = role === 'impostor' ? 0.5 : (mindset.likings.get(by) ?? 0.5);
  return weighWord(book, by) * (1 + (2 * liked - 1) * traits.bias);
}

/** Returns the other witnesses of the same deed. */
function noteWitness({ witnesses }: SuspicionBook, who: Colour, by: Colour): readonly Colour[] {
  const known = witnesses.get(who) ?? new Set();
  const others = [...known].filter((one) => one !== by);
  witnesses.set(who, known.add(by));
  return others;
}

/** An impostor does not suspect a partner, unless everybody saw the partner's deed. */
function shieldPartners(book: SuspicionBook, claims: TableClaims): void {
  for (const partner of book.judge.partners) {
    const entry = book.entries.get(partner);
    if (entry === undefined || isCaught(book, partner, claims)) continue;
    entry.pressure = SHIELDED;
    entry.reason = null;
  }
}

function isCaught({ judge }: SuspicionBook, seat: Colour, claims: TableClaims): boolean {
  const speakers = listSpeakers(claims, seat);
  const accusers = speakers(['deed', 'charge', 'push']).size;
  return speakers(['deed']).size >= CAUGHT_BY || accusers > judge.rivals.length * CAUGHT_BY_SHARE;
}

function listSpeakers({ all }: TableClaims, seat: Colour) {
  const about = all.filter((item) => 'who' in item && item.who === seat);
  return (types: readonly TableClaim['type'][]) =>
    new Set(about.filter(({ type }) => types.includes(type)).map(({ by }) => by));
}

const POINTS = {
  toldDeed: 58,
  /** Each further witness of the same deed, who is not alone any more. */
  toldAgain: 40,
  toldAtBody: 26,
  toldLastWith: 16,
  toldFollower: 3,
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
  /** One's own charge: people believe their own words. */
  stated: 6,
  mute: 6,
  found: -5,
  /** Can't have been at the body while the victim died: by own eyes, and as told. */
  alibi: -26,
  toldAlibi: -18,
  /** For the remaining players, when no other suspect is left. */
  open: 18,
  /** Kept from an earlier meeting. */
  watched: 9,
  cleared: -10,
  proven: -90,
  votedRight: -9,
  votedWrong: 4,
  spared: 7,
  misled: 8,
  defended: 18,
} as const;
const OPEN_SHARE = 0.5;
/** Lines after which somebody who has not told their place is dodging: at a large table as many as could have spoken. */
const DODGING_LINES = 7;
const LATELY_SECONDS = 15;
const SLANDER_FACTOR = 1.5;

type OpinionSoFar = { readonly book: SuspicionBook; readonly claims: TableClaims; counted: number };

/** A judge of the rivals, most suspected first. Weighs each claim once, unless more than the transcript changes. */
export function createJudge(): (
  judge: SuspicionInput,
  claims: TableClaims,
) => readonly Suspicion[] {
  let last: OpinionSoFar | null = null;
  return (judge, claims) => {
    if (last === null || !canGoOn(last, judge, claims))
      last = { book: judgeBeforehand(judge), claims, counted: 0 };
    const { book } = last;
    for (const item of claims.all.slice(last.counted)) {
      const found = weigh(book, item);
      if (found !== null) blame(book, found.seat, found.points, found.reason);
      compareStories(book, item, claims);
    }
    last.counted = claims.all.length;
    const entries = new Map([...book.entries].map(([seat, entry]) => [seat, { ...entry }]));
    return concludeOpinion({ ...book, judge, entries }, claims);
  };
}

const LASTING = ['window', 'mindset', 'role', 'traits'] as const;

function canGoOn(last: OpinionSoFar, judge: SuspicionInput, claims: TableClaims): boolean {
  const before = last.book.judge;
  return (
    last.claims === claims &&
    LASTING.every((part) => before[part] === judge[part]) &&
    before.partners.join() === judge.partners.join() &&
    before.rivals.join() === judge.rivals.join()
  );
}

function judgeBeforehand(judge: SuspicionInput): SuspicionBook {
  const { hunches, past, finder, votes } = judge.mindset;
  const book: SuspicionBook = {
    judge,
    entries: new Map(
      judge.rivals.map((seat) => [seat, { seat, pressure: 0, reason: null, weight: 0 }]),
    ),
    talked: new Set(),
    placed: new Set(),
    witnesses: new Map(),
    shares: measureShares(judge),
  };
  for (const seat of judge.rivals) {
    blame(book, seat, (hunches.get(seat) ?? 0) * judge.traits.hunch, { type: 'hunch' });
    if (past.watched.has(seat)) blame(book, seat, POINTS.watched, { type: 'earlier' });
    if (past.cleared.has(seat)) blame(book, seat, POINTS.cleared);
    if (seat === finder) blame(book, seat, POINTS.found);
  }
  for (const vote of votes) rememberVote(book, vote);
  for (const { seat, points, reason } of judge.recollected) blame(book, seat, points, reason);
  return book;
}

/** Weighs the talk as a whole; uses up `book`. */
function concludeOpinion(book: SuspicionBook, claims: TableClaims): readonly Suspicion[] {
  const { judge } = book;
  weighAlibis(book, claims);
  if (claims.lines >= Math.max(DODGING_LINES, judge.rivals.length)) blameTheMute(book);
  reviewEjection(book, claims);
  applyKnowledge(book);
  shieldPartners(book, claims);
  return [...book.entries.values()].sort((one, other) => other.pressure - one.pressure);
}

function rememberVote(book: SuspicionBook, { ejected, role, by, others }: EjectionVote): void {
  if (role === 'impostor') {
    for (const seat of by) blame(book, seat, POINTS.votedRight);
    for (const seat of others)
      blame(book, seat, POINTS.spared, { type: 'spared', friend: ejected });
  } else {
    for (const seat of by)
      blame(book, seat, POINTS.votedWrong, { type: 'votedWrong', friend: ejected });
  }
}

function charge(seat: Colour, points: number, reason: SuspicionReason | null = null) {
  return { seat, points, reason };
}

function weigh(book: SuspicionBook, item: TableClaim): SuspicionCharge | null {
  const { me } = book.judge.mindset.known;
  const { by } = item;
  if (by === me) return item.type === 'charge' ? charge(item.who, POINTS.stated) : null;
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
      if (item.who === me) return charge(by, POINTS.named);
      return charge(item.who, POINTS.named * weighLikedWord(book, by), { type: 'named', by });
    case 'support': {
      const points = item.visual ? POINTS.visualTold : POINTS.supported;
      return charge(item.who, points * weighLikedWord(book, by));
    }
    case 'push':
      if (item.who === 'skip') return null;
      return charge(item.who, POINTS.pushed * weighLikedWord(book, by), { type: 'named', by });
    case 'question':
    case 'denial':
      return null;
    default:
      return item satisfies never;
  }
}

/** A witness whom one's own eyes or another witness bear out is no liar. */
function weighDeed(book: SuspicionBook, { by, who }: TableClaimOf<'deed'>): SuspicionCharge | null {
  const { known } = book.judge.mindset;
  if (who === known.me)
    return charge(by, POINTS.falsehood * SLANDER_FACTOR, { type: 'falsehood', friend: who });
  const others = noteWitness(book, who, by);
  if (known.byWho.get(who)?.some(({ did }) => did === 'vent' || did === 'kill')) trust(book, by);
  if (others.length > 0) for (const witness of [by, ...others]) trust(book, witness);
  const points = others.length > 0 ? POINTS.toldAgain : POINTS.toldDeed;
  return charge(who, points * weighWord(book, by), { type: 'told', by });
}

function weighStory(
  book: SuspicionBook,
  item: TableClaimOf<'whereabouts'>,
): SuspicionCharge | null {
  const { window, mindset } = book.judge;
  const { known, body } = mindset;
  const { by, place: said, ago } = item;
  const isFirst = !book.talked.has(by);
  book.talked.add(by);
  const seen = findClash(known, by, item);
  if (seen !== null)
    return charge(by, POINTS.clash, { type: 'clash', said, place: seen.place, ago: seen.ago });
  if (findConfirmation(known, by, item) !== null) return charge(by, isFirst ? POINTS.confirmed : 0);
  if (hasMissed(known, by, item)) return charge(by, POINTS.absent, { type: 'absent', place: said });
  if (!isFirst) return null;
  const isNear = body !== null && countSteps(said, body) <= NEXT_ROOM && (ago ?? 0) <= window;
  return charge(by, isNear ? POINTS.nearby : POINTS.answered);
}

function weighSighting(
  book: SuspicionBook,
  item: TableClaimOf<'sighting'>,
): SuspicionCharge | null {
  const { window, mindset } = book.judge;
  const { known, body, victim } = mindset;
  const { by, who, place, ago, manner } = item;
  if (ago !== null && findClash(known, who, item) !== null)
    return charge(by, POINTS.falsehood, { type: 'falsehood', friend: who });
  book.placed.add(who);
  if (who === known.me || who === victim) return null;
  const word = weighLikedWord(book, by);
  const isHarmless =
    manner === 'kindly' || isFinding(mindset, who, ago ?? 0) || (ago ?? 0) > window;
  const away = body === null || isHarmless ? Infinity : countSteps(place, body);
  if (away > NEXT_ROOM) return charge(who, POINTS.answered * word);
  if (away === NEXT_ROOM) return charge(who, POINTS.placedNextDoor * word);
  const points =
    (away === 0 ? POINTS.placedThere : POINTS.placedNear) + (manner === 'idle' ? POINTS.idle : 0);
  return charge(who, points * word, { type: 'placed', by, place });
}

function weighCompany(book: SuspicionBook, item: TableClaimOf<'company'>): SuspicionCharge | null {
  const { window, mindset } = book.judge;
  const { by, who, whom, ago } = item;
  if (who === mindset.known.me) return null;
  const word = weighLikedWord(book, by);
  if (whom === by) return charge(who, POINTS.toldFollower * word, { type: 'shadowed', by });
  const isNews =
    whom === null
      ? !isFinding(mindset, who, ago ?? 0)
      : whom === mindset.victim && (ago ?? 0) <= window;
  if (!isNews) return null;
  const points = whom === null ? POINTS.toldAtBody : POINTS.toldLastWith;
  return charge(who, points * word, { type: 'company', by });
}

/** A story that can't be true with what somebody else saw speaks against its teller, once for each witness. */
function compareStories(book: SuspicionBook, item: TableClaim, claims: TableClaims): void {
  const conflicts = claims.conflicts.get(item);
  if (conflicts === undefined) return;
  const { me } = book.judge.mindset.known;
  for (const { story, seen } of conflicts) {
    const { by, place } = seen;
    if (story.who === me || by === me) continue;
    const reason = { type: 'contradicted', by, said: story.place, place } as const;
    blame(book, story.who, POINTS.contradicted * weighLikedWord(book, by), reason);
  }
}

/** The possible time of the victim's death, in seconds before the call. */
function timeOfDeath({ mindset, window }: SuspicionInput) {
  const { known, victim } = mindset;
  return { from: window, until: Math.min(window, findFirstLook(known.bodies, victim)) };
}

function measureShares(judge: SuspicionInput): ReadonlyMap<Colour, number> {
  const { known, body } = judge.mindset;
  if (body === null) return new Map();
  const time = timeOfDeath(judge);
  const share = (seat: Colour) => shareAtBody(known.byWho.get(seat) ?? [], body, time);
  return new Map(judge.rivals.map((seat) => [seat, share(seat)]));
}

/** What walking times say: who can have been at the body while the victim died, by own eyes and by testimony. */
function weighAlibis(book: SuspicionBook, { sights }: TableClaims): void {
  const { mindset, rivals } = book.judge;
  const { body } = mindset;
  if (body === null) return;
  const time = timeOfDeath(book.judge);
  const byAge = (one: SeenAt, other: SeenAt) => one.ago - other.ago;
  const open: Colour[] = [];
  for (const seat of rivals) {
    const share = book.shares.get(seat) ?? 1;
    blame(book, seat, POINTS.alibi * (1 - share));
    const told = share === 0 ? [] : listBelievable(book, seat, sights.get(seat) ?? []);
    const all = [...(mindset.known.byWho.get(seat) ?? []), ...told];
    const rest = told.length === 0 ? share : shareAtBody(all.sort(byAge), body, time);
    if (rest < share) blame(book, seat, POINTS.toldAlibi * (share - rest));
    if (rest > OPEN_SHARE) open.push(seat);
  }
  const closed = 1 - open.length / Math.max(1, rivals.length);
  for (const seat of open) blame(book, seat, POINTS.open * closed ** 2, { type: 'open' });
}

function listBelievable(
  { judge, entries }: SuspicionBook,
  seat: Colour,
  told: readonly ToldSight[],
): readonly ToldSight[] {
  return told.filter(
    ({ by }) =>
      by !== seat &&
      by !== judge.mindset.known.me &&
      (entries.get(by)?.pressure ?? 0) < DISCREDITED / 2,
  );
}

const CERTAIN_GUILT = 130;

function applyKnowledge({ judge, entries }: SuspicionBook): void {
  for (const entry of entries.values()) {
    const share = judge.mindset.odds[entry.seat];
    if (share === 0) {
      entry.pressure = Math.min(entry.pressure, 0) + POINTS.proven;
      entry.reason = null;
    } else if (share === 1) {
      entry.pressure = Math.max(entry.pressure, 0) + CERTAIN_GUILT;
      if (entry.reason?.type !== 'witnessed') entry.reason = { type: 'only' };
    }
  }
}

function blameTheMute(book: SuspicionBook): void {
  const { known } = book.judge.mindset;
  for (const { seat } of book.entries.values()) {
    const seen = known.byWho.get(seat)?.[0];
    const isPlaced = book.placed.has(seat) || (seen !== undefined && seen.ago <= LATELY_SECONDS);
    if (!book.talked.has(seat) && !isPlaced) blame(book, seat, POINTS.mute, { type: 'mute' });
  }
}

/** With the ejected player's role known, earlier words about them are judged again. */
function reviewEjection(book: SuspicionBook, claims: TableClaims): void {
  const { ejected, role } = book.judge.told ?? { ejected: null, role: null };
  if (ejected === null || role === null) return;
  const speakers = listSpeakers(claims, ejected);
  if (role === 'impostor') {
    for (const by of speakers(['deed', 'charge', 'company', 'push'])) trust(book, by);
    for (const by of speakers(['support']))
      blame(book, by, POINTS.defended, { type: 'defended', friend: ejected });
    return;
  }
  for (const by of speakers(['charge', 'push']))
    blame(book, by, POINTS.misled, { type: 'misled', friend: ejected });
  for (const by of speakers(['deed']))
    blame(book, by, POINTS.falsehood * SLANDER_FACTOR, { type: 'falsehood', friend: ejected });
}
