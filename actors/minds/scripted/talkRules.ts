/** The rules of talk: each proposes one speech act with its urgency, or none. The player takes the most urgent. */
import { findNames } from '../../../machines/rules/mentions.ts';
import { neighbours, SKELD } from '../../../machines/rules/ship/map.ts';
import { capitalize } from '../../../machines/text.ts';
import type { Colour, Place } from '../../../machines/types.ts';
import { findNearestStop } from './alibi.ts';
import { drawFraction } from './chance.ts';
import type { TableClaim, TableClaimOf } from './hearing.ts';
import {
  cannotBoth,
  countSteps,
  findClash,
  findConfirmation,
  isHallway,
  NEXT_ROOM,
} from './memory.ts';
import { isFinding } from './ownEyes.ts';
import {
  createAct,
  findTopSuspect,
  hasSaid,
  isShielded,
  pressureOn,
  type SpeechAct,
  type TalkRule,
  type TalkSituation,
} from './situation.ts';
import { namePlace } from './wording.ts';

/** Share of impostors who invent a sighting among few; each further player may know better. */
const INVENTIVE = 0.55;
const FEW_EARS = 6;
const FRAME_LANE = 101;

const opens: TalkRule = (at) => {
  const { view, me, claims, alibi, victim } = at;
  const { call, tick } = view.table;
  if (call.by !== me || claims.words.has(me) || tick > 2) return null;
  const facts = {
    place: call.place,
    body: victim,
    empty: call.place !== null && sawSomebody(at, call.place) ? null : call.place,
    earlier: alibi.stops[0]?.place ?? null,
  };
  if (call.kind === 'body') return createAct('openBody', 13, facts);
  if (victim !== null) return createAct('openMissing', 13, facts);
  const top = findTopSuspect(at)?.seat ?? null;
  const who = top !== null && at.past.watched.has(top) && canAccuse(at, top) ? top : null;
  return createAct('openButton', 13, { ...facts, who }, who);
};

/** Seconds before the call within which a player saw whom they met where the body lay. */
const BY_THE_BODY = 10;

function sawSomebody({ view, known, victim }: TalkSituation, there: Place): boolean {
  return (
    view.you.role !== 'impostor' &&
    known.others.some(
      ({ who, place, ago }) => who !== victim && place === there && ago <= BY_THE_BODY,
    )
  );
}

const tellsDeed: TalkRule = (at) => {
  const seen = at.highlights.deeds.find(
    ({ who }) => at.rivals.includes(who) && !at.view.you.partners.includes(who),
  );
  if (seen === undefined || (seen.did !== 'vent' && seen.did !== 'kill')) return null;
  const { who, place, ago, did: deed } = seen;
  const facts = { who, place, ago, deed };
  if (!hasSaid(at, 'deed', who)) return createAct('deed', 10, facts, who);
  const isDenied = at.newClaims.some(
    ({ type, by }) =>
      by === who && (type === 'denial' || type === 'charge' || type === 'whereabouts'),
  );
  return isDenied && countOwn(at, 'deed') < 3 ? createAct('insist', 8, facts, who) : null;
};

const tellsAtBody: TalkRule = (at) => {
  // Who knows an impostor reports nobody else.
  const isKnown = at.rivals.some((who) => at.odds[who] === 1);
  const seen = at.highlights.atBody.find(
    ({ who, ago }) =>
      canAccuse(at, who) &&
      !hasVotedElsewhere(at, who) &&
      (at.odds[who] === 1 || (at.odds[who] !== 0 && !isKnown)) &&
      !hasSaid(at, 'company', who) &&
      !hasSaid(at, 'deed', who) &&
      !isFinding(at, who, ago),
  );
  if (seen === undefined) return null;
  const { who, place, ago } = seen;
  return createAct('atBody', 9, { who, place, ago, body: at.victim }, who);
};

const tellsNear: TalkRule = (at) => {
  const { body } = at;
  if (body === null) return null;
  const seen = at.highlights.near.find(
    ({ who, did, place, ago }) =>
      ago <= at.window &&
      did !== 'visual' &&
      did !== 'fixing' &&
      (did === 'lurking' || place === body || ago <= at.window / 2) &&
      at.view.table.call.by !== who &&
      canAccuse(at, who) &&
      !hasSaid(at, 'sighting', who),
  );
  if (seen === undefined) return null;
  const { who, place, ago } = seen;
  if (seen.did === 'lurking') return createAct('near', 7, { who, place, ago }, who);
  return createAct('close', place === body ? 5.5 : 5, { who, place, ago }, who);
};

const tellsFollower: TalkRule = (at) => {
  const seen = at.highlights.followers.find(
    ({ who }) => canAccuse(at, who) && !hasSaid(at, 'sighting', who),
  );
  if (seen === undefined) return null;
  const { who, place, ago } = seen;
  return createAct('followed', at.claims.lines > 6 ? 3.2 : 4.6, { who, place, ago }, who);
};

const tellsLast: TalkRule = (at) => {
  const { last } = at.highlights;
  if (last === null || at.victim === null || hasSaid(at, 'sighting', at.victim)) return null;
  const { place, ago } = last.seen;
  const [alone, ...more] = last.company;
  if (alone !== undefined && more.length === 0 && canAccuse(at, alone))
    return createAct('lastSeen', 6.4, { who: alone, body: at.victim, place, ago }, alone);
  // An impostor does not mention having been alone with the victim.
  if (at.view.you.role === 'impostor' && last.company.length === 0) return null;
  return createAct('lastAlone', ago <= at.window ? 4.8 : 3.4, { body: at.victim, place, ago });
};

const tellsClash: TalkRule = (at) => {
  const found = at.suspects.find(
    ({ seat, reason }) =>
      (reason?.type === 'clash' || reason?.type === 'absent') &&
      !isShielded(at, seat) &&
      !hasSaid(at, 'charge', seat),
  );
  const { seat: who, reason } = found ?? {};
  if (who === undefined) return null;
  if (reason?.type === 'absent')
    return createAct('falsehood', 6, { who, place: reason.place }, who);
  if (reason?.type !== 'clash') return null;
  const { said, place, ago } = reason;
  const isTold = hasSaid(at, 'sighting', who) && !at.newClaims.some(({ by }) => by === who);
  return isTold ? null : createAct('clash', 7.8, { who, said, place, ago }, who);
};

/** An impostor in need places a crewmate near the body: next to their own story, so that both hold. */
const frames: TalkRule = (at) => {
  const { role } = at.view.you;
  const own = at.alibi.stops[0];
  if (role !== 'impostor' || at.body === null || own === undefined) return null;
  const share = INVENTIVE * Math.min(1, FEW_EARS / at.rivals.length) ** 2;
  if (drawFraction(at.settledChance, FRAME_LANE) > share) return null;
  if (at.claims.lines < 3 || countOwn(at, 'sighting') > 0) return null;
  const victim = at.suspects.find(({ seat }) => !at.view.you.partners.includes(seat))?.seat;
  if (victim === undefined || at.known.byWho.has(victim)) return null;
  const seen = { place: findNextDoor(own.place, at.body), ago: own.ago + 5 };
  if (at.claims.sights.get(victim)?.some((told) => cannotBoth(told, seen))) return null;
  return createAct('frame', 5.6, { who: victim, ...seen }, victim);
};

function findNextDoor(from: Place, body: Place): Place {
  const doors = neighbours(SKELD, from).flatMap((hall) => [hall, ...neighbours(SKELD, hall)]);
  return doors
    .filter((place) => countSteps(from, place) <= NEXT_ROOM)
    .reduce(
      (best, place) => (countSteps(place, body) < countSteps(best, body) ? place : best),
      from,
    );
}

function canAccuse(at: TalkSituation, who: Colour): boolean {
  return at.rivals.includes(who) && !isShielded(at, who) && !at.view.you.partners.includes(who);
}

function hasVotedElsewhere({ view: { you } }: TalkSituation, who: Colour): boolean {
  return you.ballot !== null && you.ballot !== 'skip' && you.ballot !== who;
}

const DOUBTED_PRESSURE = 20;
const OLD_SECONDS = 120;
const FADE_PER_SIGHTING = 0.9;

/** An impostor clears nobody for good: the fewer there are to suspect, the worse for them. */
const tellsVisual: TalkRule = (at) => {
  if (at.view.you.role === 'impostor') return null;
  const seen = at.highlights.visuals.find(
    ({ who }) => at.rivals.includes(who) && !hasSaid(at, 'support', who),
  );
  if (seen === undefined) return null;
  const { who, place, ago } = seen;
  const isPressed = at.newClaims.some((item) => item.type === 'charge' && item.who === who);
  return createAct('visual', isPressed ? 8.4 : 6.4, { who, place, ago });
};

const tellsPair: TalkRule = (at) => {
  const seen = at.highlights.pairs.find(
    ({ who }) =>
      at.rivals.includes(who) &&
      !hasSaid(at, 'support', who) &&
      !hasSaid(at, 'deed', who) &&
      pressureOn(at, who) <= DOUBTED_PRESSURE,
  );
  if (seen === undefined) return null;
  const { who, place, ago } = seen;
  const isPressed = at.newClaims.some((item) => isAimedAt(item, who));
  return createAct('pair', isPressed ? 6.2 : 4.8, { who, place, ago }, isPressed ? null : who);
};

const tellsSighting: TalkRule = (at) => {
  const seen = at.highlights.best.find(
    ({ who, ago, did }) =>
      ago <= OLD_SECONDS &&
      did !== 'lurking' &&
      did !== 'visual' &&
      at.rivals.includes(who) &&
      !isShielded(at, who) &&
      !hasSaid(at, 'sighting', who) &&
      !hasSaid(at, 'deed', who),
  );
  if (seen === undefined) return null;
  const { who, place, ago, did } = seen;
  const urgency = (ago <= at.window ? 4.6 : 3.6) - countOwn(at, 'sighting') * FADE_PER_SIGHTING;
  return createAct(isHallway(place) ? 'passed' : 'sighting', urgency, { who, place, ago, did });
};

const tellsAlibi: TalkRule = (at) => {
  if (countOwn(at, 'whereabouts') > 0) return null;
  const story = tellStory(at);
  if (story === null) return at.ownLines.length > 0 ? null : createAct('lost', 3.5);
  return createAct('alibi', 4.4, { ...story, friend: at.alibi.company });
};

function tellStory({ alibi }: TalkSituation) {
  const [stop, ...rest] = alibi.stops;
  if (stop === undefined) return null;
  const room = rest.find(({ place }) => place !== stop.place && !isHallway(place));
  return { ...stop, earlier: room?.place ?? null };
}

const NEWS_LINES = 4;
const ENOUGH_VOICES = 2;
const MOST_DEFENCES = 6;

const SAME_MOMENT_SECONDS = 10;

const TESTIMONY: ReadonlySet<TableClaim['type']> = new Set(['deed', 'company', 'charge']);

type AimedClaim = Extract<TableClaim, { who: unknown }>;

function isAimedAt(item: TableClaim, who: Colour): item is AimedClaim {
  return 'who' in item && item.who === who;
}

const defends: TalkRule = (at) => {
  if (countOwn(at, 'denial') >= MOST_DEFENCES) return null;
  const open = at.claims.all.flatMap((item) => {
    const charge = isAimedAt(item, at.me) ? readCharge(at, item) : null;
    return charge === null || isAnswered(at, charge) || hasClearedMe(at, item.by) ? [] : [charge];
  });
  const gravest = (['deed', 'place', 'past', 'word'] as const).flatMap(
    (topic) => open.findLast((charge) => charge.topic === topic) ?? [],
  )[0];
  if (gravest === undefined) return null;
  const { item, topic, place, friend } = gravest;
  const { by } = item;
  if (place !== null)
    return answerSighting(at, { by, place, ago: 'ago' in item ? item.ago : null });
  if (friend !== null) return createAct('denyPast', 8, { by, friend }, by);
  const facts = { by, ...at.alibi.stops[0], friend: findWitness(at, by) };
  if (topic === 'deed') return createAct('denyDeed', 9.5, facts, by);
  return createAct('deny', item.type === 'push' ? 7 : 8, facts, by);
};

type ChargeOnMe = {
  readonly item: AimedClaim;
  readonly topic: 'deed' | 'place' | 'past' | 'word';
  /** Where the player is said to have been, and about whom they are said to have been wrong. */
  readonly place: Place | null;
  readonly friend: Colour | null;
};

function readCharge(at: TalkSituation, item: AimedClaim): ChargeOnMe | null {
  const { type, by, line } = item;
  const none = { item, place: null, friend: null };
  if (type === 'deed') return { ...none, topic: 'deed' };
  const isCharged = (one: TableClaim) =>
    one.line === line && (one.type === 'charge' || one.type === 'push') && isAimedAt(one, at.me);
  if (type === 'sighting' || (type === 'company' && isAbout(at, item))) {
    const isGraveHere = type === 'company' || item.manner === 'idle' || isGrave(at, item);
    const { place } = item;
    if (place === null || !(isGraveHere || at.claims.all.some(isCharged))) return null;
    return { ...none, topic: 'place', place };
  }
  if (!isCharged(item)) return null;
  const named = findNames(at.view.table.transcript[line]?.message ?? '');
  const friend = at.view.table.record.losses.find(
    ({ who, how }) => how === 'ejected' && who !== by && named.some(({ seat }) => seat === who),
  );
  return friend === undefined
    ? { ...none, topic: 'word' }
    : { ...none, topic: 'past', friend: friend.who };
}

/** A denial after the charge answers it, if it takes up the same place or player. */
function isAnswered(at: TalkSituation, { item, place, friend }: ChargeOnMe): boolean {
  return at.ownClaims.some(({ type, line }) => {
    if (type !== 'denial' || line < item.line) return false;
    const words = at.view.table.transcript[line]?.message ?? '';
    return (
      (place === null || words.includes(namePlace(place))) &&
      (friend === null || words.includes(capitalize(friend)))
    );
  });
}

function hasClearedMe({ newClaims, claims, me }: TalkSituation, by: Colour): boolean {
  const last = claims.lastLine.get(by);
  return newClaims.some(
    (item) => item.type === 'support' && item.who === me && item.by === by && item.line === last,
  );
}

function findWitness({ alibi }: TalkSituation, to: Colour): Colour | null {
  return alibi.company === to ? null : alibi.company;
}

type SeenThere = Pick<TableClaimOf<'sighting'>, 'by' | 'place' | 'ago'>;

function isAbout({ victim }: TalkSituation, { whom, by }: TableClaimOf<'company'>): boolean {
  return whom === null || whom === victim || whom === by;
}

/** To be placed where the body lay, or where the player was not, needs an answer, however kindly it was said. */
function isGrave(at: TalkSituation, seen: SeenThere): boolean {
  const { call } = at.view.table;
  if (findClash(at.known, at.me, seen) !== null) return true;
  return seen.place === call.place && call.by !== at.me;
}

function answerSighting(at: TalkSituation, { by, place: said, ago }: SeenThere): SpeechAct {
  const isOwn = at.known.path.some(
    (own) => own.place === said && (ago === null || Math.abs(own.ago - ago) <= SAME_MOMENT_SECONDS),
  );
  if (isOwn) {
    const elsewhere = at.alibi.stops.find(({ place }) => place !== said);
    return createAct('admitPlace', 8, { by, said, ...elsewhere }, by);
  }
  const stop = findNearestStop(at.alibi.stops, ago ?? 0);
  return createAct('denyPlace', 8.6, { by, said, ...stop }, by);
}

const answers: TalkRule = (at) => {
  const question = at.newClaims.findLast((item) => item.type === 'question' && item.who === at.me);
  if (question === undefined) return null;
  const { by } = question;
  const story = tellStory(at);
  if (story === null) return createAct('lost', 8, { by }, by);
  return createAct('answer', 8.3, { ...story, by, friend: findWitness(at, by) }, by);
};

const callsLiar: TalkRule = (at) => {
  for (const item of at.newClaims) {
    if (item.type !== 'sighting' || item.ago === null || isShielded(at, item.by)) continue;
    const { by, who: friend, place: said } = item;
    const mine = findClash(at.known, friend, item);
    if (mine === null || friend === at.me || hasSaid(at, 'charge', by)) continue;
    if (at.view.you.partners.includes(friend)) continue;
    const { place, ago } = mine;
    return createAct('misplaced', 7.5, { who: by, friend, said, place, ago }, by);
  }
  return null;
};

const vouches: TalkRule = (at) => {
  for (const item of at.newClaims) {
    const { by: who } = item;
    if (item.type !== 'whereabouts') continue;
    if (hasSaid(at, 'support', who) || hasSaid(at, 'sighting', who)) continue;
    const seen = findConfirmation(at.known, who, item);
    if (seen === null || pressureOn(at, who) > DOUBTED_PRESSURE) continue;
    return createAct('vouch', 5.2, { who, place: seen.place, ago: seen.ago }, who);
  }
  return null;
};

const reacts: TalkRule = (at) => {
  const item = at.newClaims.findLast(
    ({ type, line }) => TESTIMONY.has(type) && line >= at.claims.lines - NEWS_LINES,
  );
  if (item === undefined || !('who' in item) || item.who === at.me || item.who === 'skip')
    return null;
  const { who, by } = item;
  const voices = at.claims.all.filter(
    ({ type, line, by: one }) =>
      line > item.line && one !== who && (type === 'charge' || type === 'support'),
  ).length;
  const hasJudged = at.ownClaims.some(
    (own) => own.type !== 'question' && isAimedAt(own, who) && own.line > item.line - NEWS_LINES,
  );
  if (voices >= ENOUGH_VOICES || hasJudged || isShielded(at, by)) return null;
  const hard = item.type === 'deed' || item.type === 'company';
  const believed = pressureOn(at, who) - pressureOn(at, by);
  if (isShielded(at, who) || believed < -4)
    return hasSaid(at, 'charge', by) ? null : createAct('doubt', hard ? 6.8 : 4.8, { who, by }, by);
  if (believed < 6 || hasSaid(at, 'charge', who)) return null;
  if (hasVotedElsewhere(at, who)) return null;
  return createAct('believe', hard ? 6.4 : 4.2, { who, by }, who);
};

const SAYABLE_HEAT = 13;
const SUM_AFTER = 6;
const ASK_LANE = 3;
const QUIP_LANE = 4;
const RECALL_LANE = 103;
const RECALL_SHARE = 0.4;
const RECALL_UNTIL_LINE = 10;
/** Urgency that each own line takes from the next quip. */
const QUIP_FADE = 1.3;

const asks: TalkRule = (at) => {
  const missing = listUntold(at);
  const silent = missing.filter((seat) => !at.claims.asked.has(seat) && !isShielded(at, seat));
  const pick = silent[Math.floor(drawFraction(at.chance, ASK_LANE) * silent.length)];
  if (pick === undefined || at.claims.lines === 0) return null;
  // A question does not reveal something the player has kept secret.
  const met = hasSaid(at, 'sighting', pick)
    ? at.highlights.best.find(({ who, ago }) => who === pick && ago <= OLD_SECONDS)
    : undefined;
  const facts = {
    who: pick,
    silent: at.claims.lastLine.has(pick) ? null : pick,
    friend: missing.find((seat) => seat !== pick) ?? null,
    place: at.body,
    body: at.victim,
    by: at.view.table.call.by === at.me || at.body !== null ? null : at.view.table.call.by,
    earlier: met?.place ?? null,
    ago: met?.ago ?? null,
  };
  return createAct('ask', 4.6 - countOwn(at, 'question') * 1.1, facts, pick);
};

const asksAll: TalkRule = (at) => {
  const { call } = at.view.table;
  if (at.claims.lines === 0 || at.claims.lines > 3 || at.ownClaims.length > 0) return null;
  const by = call.body === null && call.by !== at.me ? call.by : null;
  return createAct('askAll', 4.2, { place: at.body, body: call.body, by });
};

const pushes: TalkRule = (at) => {
  const top = findTopSuspect(at);
  if (top === null || top.reason === null || findSayable(at) === null) return null;
  if (top.reason.type === 'hunch' && at.claims.lines < SUM_AFTER) return null;
  const { seat: who, reason } = top;
  const said = at.ownClaims.filter(
    (item) => (item.type === 'charge' || item.type === 'push') && item.who === who,
  ).length;
  const isKnown = at.odds[who] === 1;
  if (said >= 2 || (at.view.you.ballot !== null && !isKnown)) return null;
  const urgency = 3.6 + Math.min(isKnown ? 6 : 3, top.pressure / 25) - said * 2;
  return createAct('push', urgency, { who, reason }, who);
};

function findSayable(at: TalkSituation): Colour | null {
  const top = findTopSuspect(at);
  return top === null || top.pressure < SAYABLE_HEAT || isShielded(at, top.seat) ? null : top.seat;
}

const sumsUp: TalkRule = (at) => {
  if (at.claims.lines < SUM_AFTER || at.traits.leading < -2) return null;
  const others = listUntold(at).filter((seat) => !isShielded(at, seat));
  if (others.length === 0 || others.length > 4 || countOwn(at, 'question') > 1) return null;
  return createAct('roundup', 3.2, { others });
};

const LAST_TICKS = 4;

const warns: TalkRule = (at) => {
  const { clock, tick, votesOpen, seats } = at.view.table;
  if (clock.closeAfter === null || !votesOpen || at.traits.leading < -1) return null;
  const left = clock.closeAfter - tick;
  const missing = seats.some(({ standing, voted }) => standing === 'living' && !voted);
  if (left > LAST_TICKS || !missing) return null;
  const who = findSayable(at);
  return createAct('timeUp', 6, who === null ? {} : { who });
};

const hurries: TalkRule = (at) => {
  const { seats, votesOpen } = at.view.table;
  const voted = seats.filter((seat) => seat.voted).length;
  if (!votesOpen || at.claims.lines < at.rivals.length || (voted === 0 && at.claims.nudges === 0))
    return null;
  const late = seats.find(
    ({ standing, voted: hasVoted, colour }) =>
      standing === 'living' && !hasVoted && colour !== at.me,
  );
  return createAct('hurry', 2.6 + at.claims.nudges * 0.5, {
    friend: late?.colour ?? null,
    who: findSayable(at),
  });
};

const recalls: TalkRule = (at) => {
  const { last } = at.past;
  if (last === null || at.claims.lines === 0 || at.claims.lines > RECALL_UNTIL_LINE) return null;
  if (drawFraction(at.settledChance, RECALL_LANE) > RECALL_SHARE || at.ownLines.length > 1)
    return null;
  const { body } = at.view.table.call;
  if (last.type === 'nobody') return createAct('recallNobody', 4.1, { body });
  const facts = { friend: last.ejected, body };
  if (last.type === 'wrong') return createAct('recallWrong', 4.4, facts);
  return last.type === 'right' ? createAct('recallRight', 3.8, facts) : null;
};

const quips: TalkRule = (at) => {
  const spoken = at.ownLines.length;
  const mood = drawFraction(at.chance, QUIP_LANE) * 1.5;
  const others = at.rivals.filter((seat) => at.claims.lastLine.has(seat) && !isShielded(at, seat));
  const who = others[Math.floor((mood / 1.5) * others.length)] ?? null;
  const { place } = at.view.table.call;
  return createAct('quip', 2.4 + mood - spoken * QUIP_FADE, { who, place });
};

function countOwn({ ownClaims }: TalkSituation, type: TableClaim['type']): number {
  return ownClaims.filter((item) => item.type === type).length;
}

function listUntold(at: TalkSituation): readonly Colour[] {
  return at.rivals.filter((seat) => !at.claims.told.has(seat) && seat !== at.view.table.call.by);
}

/** Every rule proposes. The whim of chance for each depends on its place here. */
export const RULES: readonly TalkRule[] = [
  opens,
  tellsDeed,
  tellsAtBody,
  tellsNear,
  tellsLast,
  tellsFollower,
  tellsClash,
  frames,
  tellsVisual,
  tellsPair,
  tellsSighting,
  tellsAlibi,
  defends,
  answers,
  callsLiar,
  vouches,
  reacts,
  asks,
  asksAll,
  pushes,
  sumsUp,
  hurries,
  warns,
  recalls,
  quips,
];
