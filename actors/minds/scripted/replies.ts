/** Replies: the rules of talk that react to what was said: charges, questions, testimony of others. */

import type { Colour } from '../../../machines/types.ts';
import { type Act, act, type Rule } from './acts.ts';
import { nearest } from './alibi.ts';
import type { Heard } from './hearing.ts';
import { isHallway } from './highlights.ts';
import { clashing, confirming } from './memory.ts';
import { hasSaid, heat, isShielded, type Situation } from './situation.ts';

/** Lines after which a testimony is no news. */
const NEWS = 4;
/** Voices for or against a testimony that are enough. */
const ENOUGH = 2;
/** Defences after which a player lets it rest. */
const MOST_DEFENCES = 4;

/** Two times closer than this, in seconds, may mean the same moment. */
const ABOUT_THEN = 10;

/** What somebody may believe or doubt. */
const TESTIMONY: ReadonlySet<Heard['type']> = new Set(['deed', 'company', 'charge']);

type Aimed = Extract<Heard, { who: unknown }>;

function aimed(item: Heard, who: Colour): item is Aimed {
  return 'who' in item && item.who === who;
}

/** The gravest thing said against the player since they last spoke. */
export const defends: Rule = (at) => {
  const against = at.since.filter((item) => aimed(item, at.me));
  const charge =
    against.find(({ type }) => type === 'deed') ??
    against.find(
      (item) =>
        item.type === 'sighting' &&
        (against.some(({ type, by }) => type === 'charge' && by === item.by) || isGrave(at, item)),
    ) ??
    against.find((item) => item.type === 'company' && isAbout(at, item)) ??
    against.find(({ type }) => type === 'charge') ??
    against.find(({ type }) => type === 'push');
  if (
    charge === undefined ||
    at.own.filter(({ type }) => type === 'denial').length >= MOST_DEFENCES
  )
    return null;
  const facts = { by: charge.by, ...at.alibi.stops[0], friend: witness(at, charge.by) };
  if (charge.type === 'deed')
    return act('denyDeed', 9.5, { ...facts, deed: charge.deed }, charge.by);
  if (charge.type === 'sighting') return seenThere(at, charge);
  if (charge.type === 'company' && charge.place !== null)
    return seenThere(at, { ...charge, place: charge.place });
  return act('deny', charge.type === 'push' ? 7 : 8, facts, charge.by);
};

/** Who was there too and can say so, other than who is spoken to. */
function witness({ alibi }: Situation, to: Colour): Colour | null {
  return alibi.company === to ? null : alibi.company;
}

type SeenThere = Pick<Extract<Heard, { type: 'sighting' }>, 'by' | 'place' | 'ago'>;

/** To have been with the victim at the end, or at the body. */
function isAbout(
  { victim }: Situation,
  { whom, by }: Extract<Heard, { type: 'company' }>,
): boolean {
  return whom === null || whom === victim || whom === by;
}

/** To be placed where the body lay, or where the player was not, needs an answer, however kindly it was said. */
function isGrave(at: Situation, { place, ago }: SeenThere): boolean {
  const { call } = at.view.table;
  if (clashing(at.known, at.me, place, ago) !== null) return true;
  return place === call.place && call.by !== at.me;
}

/** Owns up to a place that is part of the story, and denies every other. */
function seenThere(at: Situation, { by, place: said, ago }: SeenThere): Act {
  const isOwn = at.known.path.some(
    (own) => own.place === said && (ago === null || Math.abs(own.ago - ago) <= ABOUT_THEN),
  );
  if (isOwn) {
    const elsewhere = at.alibi.stops.find(({ place }) => place !== said);
    return act('admitPlace', 8, { by, said, ...elsewhere }, by);
  }
  return act('denyPlace', 8.6, { by, said, ...nearest(at.alibi.stops, ago ?? 0) }, by);
}

export const answers: Rule = (at) => {
  const question = at.since.findLast((item) => item.type === 'question' && item.who === at.me);
  if (question === undefined) return null;
  const [stop, ...rest] = at.alibi.stops;
  if (stop === undefined) return act('lost', 8, { by: question.by }, question.by);
  const earlier =
    rest.find(({ place }) => place !== stop.place && !isHallway(place))?.place ?? null;
  return act(
    'answer',
    8.3,
    { ...stop, by: question.by, earlier, friend: witness(at, question.by) },
    question.by,
  );
};

/** Somebody said what the player knows to be false, about the player or about somebody seen elsewhere. */
export const callsLiar: Rule = (at) => {
  for (const item of at.since) {
    if (item.type !== 'sighting' || item.ago === null || isShielded(at, item.by)) continue;
    const mine = clashing(at.known, item.who, item.place, item.ago);
    if (mine === null || item.who === at.me || hasSaid(at, 'charge', item.by)) continue;
    if (at.view.you.partners.includes(item.who)) continue;
    return act(
      'misplaced',
      7.5,
      { who: item.by, friend: item.who, said: item.place, place: mine.place, ago: mine.ago },
      item.by,
    );
  }
  return null;
};

/** The player saw somebody where they say they were. */
export const vouches: Rule = (at) => {
  for (const item of at.since) {
    if (
      item.type !== 'whereabouts' ||
      hasSaid(at, 'support', item.by) ||
      hasSaid(at, 'sighting', item.by)
    )
      continue;
    const seen = confirming(at.known, item.by, item.place, item.ago);
    if (seen === null || heat(at, item.by) > 20) continue;
    return act('vouch', 5.2, { who: item.by, place: seen.place, ago: seen.ago }, item.by);
  }
  return null;
};

/** Testimony of others: believed or doubted, while it is news and few have spoken about it. */
export const reacts: Rule = (at) => {
  const item = at.since.findLast(
    ({ type, line }) => TESTIMONY.has(type) && line >= at.record.lines - NEWS,
  );
  if (
    item === undefined ||
    !('who' in item) ||
    item.who === at.me ||
    item.who === null ||
    item.who === 'skip'
  )
    return null;
  const who = item.who;
  const voices = at.record.heard.filter(
    ({ type, line, by }) =>
      line > item.line && by !== who && (type === 'charge' || type === 'support'),
  ).length;
  if (
    voices >= ENOUGH ||
    at.own.some((own) => own.type !== 'question' && aimed(own, who) && own.line > item.line - NEWS)
  )
    return null;
  const hard = item.type === 'deed' || item.type === 'company';
  const believed = heat(at, who) - heat(at, item.by);
  if (isShielded(at, item.by)) return null;
  if (isShielded(at, who) || believed < -4) {
    return hasSaid(at, 'charge', item.by)
      ? null
      : act('doubt', hard ? 6.8 : 4.8, { who, by: item.by }, item.by);
  }
  if (believed < 6 || hasSaid(at, 'charge', who)) return null;
  return act('believe', hard ? 6.4 : 4.2, { who, by: item.by }, who);
};
