/** Witness: the rules of talk for what the player knows of innocent things: own way, company, visuals, sightings. */

import { act, type Rule } from './acts.ts';
import { isHallway } from './highlights.ts';
import { hasSaid, heat, isShielded } from './situation.ts';

/** Heat above which nobody is vouched for. */
const DOUBTED = 20;
/** Older sightings, in seconds, say nothing about this death. */
const OLD = 120;
const FADES = 0.9;

export const tellsVisual: Rule = (at) => {
  const seen = at.highlights.visuals.find(
    ({ who }) => at.rivals.includes(who) && !hasSaid(at, 'support', who),
  );
  if (seen === undefined) return null;
  const pressed = at.since.some((item) => item.type === 'charge' && item.who === seen.who);
  return act('visual', pressed ? 8 : 5, { who: seen.who, place: seen.place, ago: seen.ago });
};

/** Two who stayed together speak for each other. */
export const tellsPair: Rule = (at) => {
  const seen = at.highlights.pairs.find(
    ({ who }) =>
      at.rivals.includes(who) &&
      !hasSaid(at, 'support', who) &&
      !hasSaid(at, 'deed', who) &&
      heat(at, who) <= DOUBTED,
  );
  if (seen === undefined) return null;
  const { who, place, ago } = seen;
  const pressed = at.since.some((item) => 'who' in item && item.who === who);
  return act('pair', pressed ? 6.2 : 4.8, { who, place, ago }, pressed ? null : who);
};

/** A sighting that hurts nobody, but helps to put the evening together. */
export const tellsSighting: Rule = (at) => {
  const seen = at.highlights.best.find(
    ({ who, ago, did }) =>
      ago <= OLD &&
      did !== 'lurking' &&
      did !== 'visual' &&
      at.rivals.includes(who) &&
      !isShielded(at, who) &&
      !hasSaid(at, 'sighting', who) &&
      !hasSaid(at, 'deed', who),
  );
  if (seen === undefined) return null;
  const told = at.own.filter(({ type }) => type === 'sighting').length;
  const { who, place, ago, did } = seen;
  const fresh = ago <= at.window ? 4.6 : 3.6;
  return act(isHallway(place) ? 'passed' : 'sighting', fresh - told * FADES, {
    who,
    place,
    ago,
    did,
  });
};

export const tellsAlibi: Rule = (at) => {
  if (at.own.some(({ type }) => type === 'whereabouts')) return null;
  const [stop, ...rest] = at.alibi.stops;
  if (stop === undefined) return at.ownLines.length > 0 ? null : act('lost', 3.5);
  const earlier =
    rest.find(({ place }) => place !== stop.place && !isHallway(place))?.place ?? null;
  return act('alibi', 4.4, { ...stop, earlier, friend: at.alibi.company });
};
