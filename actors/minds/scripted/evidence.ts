/** Evidence: the rules of talk for what the player knows by themselves, said once and stood by. */

import type { Colour, Room } from '../../../machines/types.ts';
import { act, type Rule } from './acts.ts';
import { fraction } from './chance.ts';
import { hasSaid, isShielded, type Situation } from './situation.ts';
import { neighbours, steps } from './skeld.ts';

/** Seconds in which being seen near the body is worth saying. */
const FRESH = 45;
/** Share of impostors who invent a sighting. */
const INVENTIVE = 0.45;
const FRAME_LANE = 101;

/** The caller says what happened. */
export const opens: Rule = ({ view, me, record, alibi }) => {
  const { call, tick } = view.table;
  if (call.by !== me || record.words.has(me) || tick > 2) return null;
  const facts = { place: call.place, body: call.body, earlier: alibi.stops[0]?.place ?? null };
  return act(call.kind === 'body' ? 'openBody' : 'openButton', 13, facts);
};

export const tellsDeed: Rule = (at) => {
  const seen = at.known.others.find(
    ({ who, did }) =>
      (did === 'vent' || did === 'kill') &&
      at.rivals.includes(who) &&
      !at.view.you.partners.includes(who),
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

export const tellsVisual: Rule = (at) => {
  const seen = at.known.others.find(
    ({ who, did }) => did === 'visual' && at.rivals.includes(who) && !hasSaid(at, 'support', who),
  );
  if (seen === undefined) return null;
  const pressed = at.since.some((item) => item.type === 'charge' && item.who === seen.who);
  return act('visual', pressed ? 8 : 5, { who: seen.who, place: seen.place, ago: seen.ago });
};

/** Somebody was about where the body lay. */
export const tellsNear: Rule = (at) => {
  const body = at.view.table.call.place;
  if (body === null) return null;
  const seen = at.known.others.find(
    ({ who, did, place, ago }) =>
      ago <= FRESH &&
      (did === 'lurking'
        ? steps(place, body) <= 1
        : did === 'passing' && place === body && at.view.table.call.by !== who) &&
      at.rivals.includes(who) &&
      !isShielded(at, who) &&
      !hasSaid(at, 'sighting', who),
  );
  if (seen === undefined) return null;
  const facts = { who: seen.who, place: seen.place, ago: seen.ago };
  return seen.did === 'lurking'
    ? act('near', 7, facts, seen.who)
    : act('close', 5.5, facts, seen.who);
};

/** A sighting that hurts nobody, but helps to put the evening together. */
export const tellsSighting: Rule = (at) => {
  const seen = at.known.others.find(
    ({ who, did }) =>
      (did === 'passing' || did === 'task') &&
      at.rivals.includes(who) &&
      !hasSaid(at, 'sighting', who) &&
      !hasSaid(at, 'deed', who),
  );
  if (seen === undefined) return null;
  const told = at.own.filter(({ type }) => type === 'sighting').length;
  return act('sighting', 4.6 - told * 0.9, { who: seen.who, place: seen.place, ago: seen.ago });
};

export const tellsAlibi: Rule = (at) => {
  if (at.own.some(({ type }) => type === 'whereabouts')) return null;
  const [stop, ...rest] = at.alibi.stops;
  if (stop === undefined) return at.ownLines.length > 0 ? null : act('lost', 3.5);
  const earlier = rest.find(({ place }) => place !== stop.place)?.place ?? null;
  return act('alibi', 4.4, { ...stop, earlier, friend: at.alibi.company });
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
  const body = at.view.table.call.place;
  const own = at.alibi.stops[0];
  if (role !== 'impostor' || body === null || own === undefined) return null;
  if (fraction(at.settledChance, FRAME_LANE) > INVENTIVE) return null;
  if (at.record.lines < 3 || at.own.some(({ type }) => type === 'sighting')) return null;
  const victim = scapegoat(at);
  if (victim === null || at.known.others.some(({ who }) => who === victim)) return null;
  return act(
    'frame',
    5.6,
    { who: victim, place: towards(own.place, body), ago: own.ago + 5 },
    victim,
  );
};

/** The crewmate who is suspected most already. */
function scapegoat(at: Situation): Colour | null {
  const crew = at.judged.filter(({ seat }) => !at.view.you.partners.includes(seat));
  return crew[0]?.seat ?? null;
}

function towards(from: Room, body: Room): Room {
  return neighbours(from).reduce(
    (best, room) => (steps(room, body) < steps(best, body) ? room : best),
    from,
  );
}
