/** Evidence: the rules of talk for what the player knows against somebody, said once and stood by. */

import type { Colour, Place } from '../../../machines/types.ts';
import { act, type Rule } from './acts.ts';
import { fraction } from './chance.ts';
import { hasSaid, isShielded, type Situation } from './situation.ts';
import { beside, NEXT_ROOM, steps } from './walk.ts';

/** Share of impostors who invent a sighting. */
const INVENTIVE = 0.55;
const FRAME_LANE = 101;

/** The caller says what happened. */
export const opens: Rule = ({ view, me, record, alibi }) => {
  const { call, tick } = view.table;
  if (call.by !== me || record.words.has(me) || tick > 2) return null;
  const facts = { place: call.place, body: call.body, earlier: alibi.stops[0]?.place ?? null };
  return act(call.kind === 'body' ? 'openBody' : 'openButton', 13, facts);
};

export const tellsDeed: Rule = (at) => {
  const seen = at.highlights.deeds.find(
    ({ who }) => at.rivals.includes(who) && !at.view.you.partners.includes(who),
  );
  if (seen === undefined || (seen.did !== 'vent' && seen.did !== 'kill')) return null;
  const facts = { who: seen.who, place: seen.place, ago: seen.ago, deed: seen.did };
  if (!hasSaid(at, 'deed', seen.who)) return act('deed', 10, facts, seen.who);
  const denied = at.since.some(
    ({ type, by }) =>
      by === seen.who && (type === 'denial' || type === 'charge' || type === 'whereabouts'),
  );
  const repeats = at.own.filter(({ type }) => type === 'deed').length;
  return denied && repeats < 3 ? act('insist', 8, facts, seen.who) : null;
};

/** Somebody stood at the body. */
export const tellsAtBody: Rule = (at) => {
  const seen = at.highlights.atBody.find(
    ({ who }) => canAccuse(at, who) && !hasSaid(at, 'company', who),
  );
  if (seen === undefined) return null;
  const { who, place, ago } = seen;
  return act('atBody', 9, { who, place, ago, body: at.victim }, who);
};

/** Somebody was about where the body lay, while the victim can have died. */
export const tellsNear: Rule = (at) => {
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
  const facts = { who: seen.who, place: seen.place, ago: seen.ago };
  if (seen.did === 'lurking') return act('near', 7, facts, seen.who);
  return act('close', seen.place === body ? 5.5 : 5, facts, seen.who);
};

/** Somebody went wherever the player went, and worked on nothing. */
export const tellsFollower: Rule = (at) => {
  const seen = at.highlights.followers.find(
    ({ who }) => canAccuse(at, who) && !hasSaid(at, 'sighting', who),
  );
  if (seen === undefined) return null;
  const { who, place, ago } = seen;
  return act('followed', 6.6, { who, place, ago }, who);
};

/** The last that the player saw of the victim, and who was with them. */
export const tellsLast: Rule = (at) => {
  const { last } = at.highlights;
  if (last === null || at.victim === null || hasSaid(at, 'sighting', at.victim)) return null;
  const { place, ago } = last.seen;
  const [alone, ...more] = last.company;
  if (alone !== undefined && more.length === 0 && canAccuse(at, alone)) {
    return act('lastSeen', 6.4, { who: alone, body: at.victim, place, ago }, alone);
  }
  // To have been the only one with the victim is nothing that an impostor would bring up.
  if (at.view.you.role === 'impostor' && last.company.length === 0) return null;
  return act('lastAlone', ago <= at.window ? 4.8 : 3.4, { body: at.victim, place, ago });
};

/** Their story is not what the player saw. */
export const tellsClash: Rule = (at) => {
  const found = at.judged.find(
    ({ seat, reason }) =>
      (reason?.type === 'clash' || reason?.type === 'absent') &&
      !isShielded(at, seat) &&
      !hasSaid(at, 'charge', seat),
  );
  if (found?.reason?.type === 'clash') {
    const { said, seen } = found.reason;
    return hasSaid(at, 'sighting', found.seat) && !at.since.some(({ by }) => by === found.seat)
      ? null
      : act('clash', 7.8, { who: found.seat, said, place: seen.place, ago: seen.ago }, found.seat);
  }
  if (found?.reason?.type !== 'absent') return null;
  return act('falsehood', 6, { who: found.seat, place: found.reason.place }, found.seat);
};

/** An impostor in need places a crewmate near the body: next to their own story, so that both hold. */
export const frames: Rule = (at) => {
  const { role } = at.view.you;
  const own = at.alibi.stops[0];
  if (role !== 'impostor' || at.body === null || own === undefined) return null;
  if (fraction(at.settledChance, FRAME_LANE) > INVENTIVE) return null;
  if (at.record.lines < 3 || at.own.some(({ type }) => type === 'sighting')) return null;
  const victim = scapegoat(at);
  if (victim === null || at.known.byWho.has(victim)) return null;
  const place = towards(own.place, at.body);
  return act('frame', 5.6, { who: victim, place, ago: own.ago + 5 }, victim);
};

/** The crewmate who is suspected most already. */
function scapegoat(at: Situation): Colour | null {
  const crew = at.judged.filter(({ seat }) => !at.view.you.partners.includes(seat));
  return crew[0]?.seat ?? null;
}

/** The place next door that is nearest to the body. */
function towards(from: Place, body: Place): Place {
  const doors = beside(from).flatMap((hall) => [hall, ...beside(hall)]);
  return doors
    .filter((place) => steps(from, place) <= NEXT_ROOM)
    .reduce((best, place) => (steps(place, body) < steps(best, body) ? place : best), from);
}

function canAccuse(at: Situation, who: Colour): boolean {
  return at.rivals.includes(who) && !isShielded(at, who) && !at.view.you.partners.includes(who);
}
