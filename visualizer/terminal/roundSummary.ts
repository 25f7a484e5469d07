/** Several quiet rounds as one paragraph. Players with the same route share one entry. */
import {
  actionIn,
  type CurrentAction,
  livingOn,
  roleOf,
  type SeenRound,
  type ShipState,
  thoughtIn,
} from '../../machines/journal/projection.ts';
import type { Colour, Deed, Place } from '../../machines/types.ts';
import { withArticle } from '../text.ts';
import {
  type Blocks,
  INDENT,
  joinPhrases,
  type Phrase,
  paragraph,
  type ScreenBlock,
  styled,
  WIDE_DOT,
} from './layout.ts';
import { clockLead, conjugate, describeTask, listNames, name } from './phrases.ts';

type Rounds = readonly SeenRound[];
type WayStop = { readonly place: Place; readonly did: readonly string[] };

export function renderRoundSummary(rounds: Rounds, before: ShipState, after: ShipState): Blocks {
  const first = rounds[0];
  if (first === undefined) return [];
  const items = [
    ...listWays(rounds, before),
    ...listLonelyPairs(before, after),
    ...(before.lens.type === 'player' ? describeSights(rounds, before.lens.seat) : []),
  ];
  if (items.length === 0) return [];
  return [paragraph([clockLead(first.round ?? before.round)], joinPhrases(items, WIDE_DOT))];
}

function listWays(rounds: Rounds, before: ShipState): readonly Phrase[] {
  const ways = before.seats
    .map(({ colour }) => ({ seat: colour, stops: stopsOf(colour, rounds, before) }))
    .filter(({ stops }) => stops.length > 0);
  const alike = Map.groupBy(ways, ({ seat, stops }) =>
    JSON.stringify([stops, before.places[seat] === stops[0]?.place]),
  );
  return [...alike.values()].map((group) => {
    const seats = group.map(({ seat }) => seat);
    return describeWay(group[0]?.stops ?? [], seats, before);
  });
}

function describeWay(
  stops: readonly WayStop[],
  seats: readonly Colour[],
  { places, losses }: ShipState,
): Phrase {
  const [lead] = seats;
  const start = lead === undefined ? undefined : places[lead];
  const isGhost = losses.some(({ seat }) => seat === lead);
  const way = stops.flatMap(({ place, did }, index) => {
    const stays = index === 0 && place === start;
    const deeds = did.map((words) => conjugate(words, seats.length)).join(', ');
    const goes = stays ? ` in ${withArticle(place)}` : ` → ${place}`;
    const does = deeds === '' ? '' : stays ? ` ${deeds}` : `, ${deeds}`;
    return [styled(goes, 'dim'), styled(does)];
  });
  return [...listNames(seats), ...(isGhost ? [styled(' (ghost)', 'dim')] : []), ...way];
}

/** Stops of a player. An idle player has none, and a walking player is named on arrival. */
function stopsOf(seat: Colour, rounds: Rounds, before: ShipState): readonly WayStop[] {
  let place = before.places[seat];
  let aim = before.actions[seat];
  const start = place;
  const stops: WayStop[] = [];
  for (const round of rounds) {
    const end = round.paths?.[seat]?.at(-1);
    aim = actionIn(round, seat) ?? aim;
    place = end ?? place;
    if (place === undefined) continue;
    if (end === undefined) addStop(stops, place, listDeeds(round, seat, place, aim));
  }
  return stops.filter(
    ({ place: where, did }, index) => did.length > 0 || index > 0 || where !== start,
  );
}

function addStop(stops: WayStop[], place: Place, did: readonly string[]): void {
  const last = stops.at(-1);
  if (last?.place !== place) {
    stops.push({ place, did });
    return;
  }
  const more = did.filter((words) => !last.did.includes(words));
  if (more.length > 0) stops[stops.length - 1] = { place, did: [...last.did, ...more] };
}

function listDeeds(
  { events = [], deeds = {} }: SeenRound,
  seat: Colour,
  place: Place,
  aim: CurrentAction | undefined,
): readonly string[] {
  const steps = events.flatMap((event) =>
    event.type === 'task.stepped' && event.seat === seat ? [describeTask(event.task ?? '')] : [],
  );
  if (steps.length > 0) return steps;
  const deed = deeds[seat];
  if (deed === 'task' && aim?.type === 'fake') return [`pretend to ${describeTask(aim.task)}`];
  if (deed === 'fixing') return ['work at the console'];
  if (deed === 'watching') return [place === 'Security' ? 'watch the cameras' : 'read the table'];
  return [];
}

function listLonelyPairs(before: ShipState, after: ShipState): readonly Phrase[] {
  if (after.lens.type !== 'glass') return [];
  return lonelyPairs(after).flatMap(([one, other]) => {
    const wasSo = lonelyPairs(before).some(([a, b]) => a === one && b === other);
    const place = after.places[one];
    if (wasSo || place === undefined) return [];
    const where = styled(` in ${withArticle(place)}`, 'yellow');
    return [[name(one), styled(' is alone with ', 'yellow'), name(other), where]];
  });
}

function lonelyPairs(ship: ShipState): readonly (readonly [Colour, Colour])[] {
  const there = livingOn(ship).filter((seat) => !ship.inVents.includes(seat));
  return there.flatMap((one) => {
    if (roleOf(ship, one) !== 'impostor') return [];
    const others = there.filter((seat) => seat !== one && ship.places[seat] === ship.places[one]);
    const [other] = others;
    const isPair = other !== undefined && others.length === 1;
    return isPair && roleOf(ship, other) === 'crewmate' ? [[one, other] as const] : [];
  });
}

/** Words for sightings, the most telling first. Grave sightings have their own lines. */
const SIGHT_WORDS = [
  ['visual', 'sees', ' at work that shows'],
  ['task', 'sees', ' at work'],
  ['fixing', 'sees', ' at the console'],
  ['watching', 'sees', ' at the screens'],
  ['lurking', 'sees', ' standing'],
  ['passing', 'passes', ''],
] as const satisfies readonly (readonly [Deed, string, string])[];

/** "passes Blue and Green in the Admin hallway": of each player who was met, the most telling sight. */
function describeSights(rounds: Rounds, eyes: Colour): readonly Phrase[] {
  const best = new Map<Colour, Readonly<{ rank: number; place: Place }>>();
  for (const { seen = {} } of rounds) {
    for (const [who, place, did] of seen[eyes] ?? []) {
      const rank = SIGHT_WORDS.findIndex(([deed]) => deed === did);
      if (rank < 0 || who === eyes || rank >= (best.get(who)?.rank ?? SIGHT_WORDS.length)) continue;
      best.set(who, { rank, place });
    }
  }
  const groups = Map.groupBy(best, ([, { rank, place }]) => `${rank} ${place}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const [, { rank, place }] = first;
    const [, verb, doing] = SIGHT_WORDS[rank] ?? SIGHT_WORDS[0];
    const where = `${doing} in ${withArticle(place)}`;
    return [
      [styled(`${verb} `, 'dim'), ...listNames(group.map(([who]) => who)), styled(where, 'dim')],
    ];
  });
}

type ThoughtLine = { readonly seat: Colour; readonly thought: string };

/** Orders whose reasons are printed when they are carried out. */
const GRAVE = new Set<string>(['kill', 'vent', 'surface', 'sabotage', 'shut', 'report', 'button']);

/** The player's own last thought of these rounds; through the glass, the last one that names another player. */
export function thoughtWorthTelling(
  rounds: Rounds,
  { lens, seats }: ShipState,
): ThoughtLine | null {
  if (lens.type === 'table') return null;
  const names = seats.map(({ colour }) => colour);
  const thoughts = rounds.flatMap((round) =>
    (round.orders ?? []).flatMap(({ seat }) => {
      const thought = quietThought(round, seat);
      const isShown =
        lens.type === 'player' ? seat === lens.seat : namesAnother(thought, names, seat);
      return isShown && thought.trim() !== '' ? [{ seat, thought }] : [];
    }),
  );
  return thoughts.at(-1) ?? null;
}

/** The next thoughts of players who saw something terrible in the round before, unless they did it or call now. */
export function shockedThoughts(
  round: SeenRound,
  last: SeenRound | null,
  ship: ShipState,
): readonly ThoughtLine[] {
  if (last === null) return [];
  return (round.orders ?? []).flatMap(({ seat }) => {
    const sights = last.seen?.[seat] ?? [];
    const isShaken = sights.some(([, , did]) => did === 'kill' || did === 'vent' || did === 'dead');
    if (!isShaken || roleOf(ship, seat) === 'impostor') return [];
    const thought = quietThought(round, seat);
    return thought.trim() === '' ? [] : [{ seat, thought }];
  });
}

function quietThought(round: SeenRound, seat: Colour): string {
  return GRAVE.has(actionIn(round, seat)?.type ?? '') ? '' : (thoughtIn(round, seat) ?? '');
}

export function renderThoughtLine({ seat, thought }: ThoughtLine): ScreenBlock {
  const text = [name(seat), styled(': ', 'dim'), styled(thought, 'dim', 'italic')];
  return paragraph([styled(`${INDENT}~ `, 'dim')], text);
}

function namesAnother(thought: string, names: readonly Colour[], self: Colour): boolean {
  return names.some(
    (colour) => colour !== self && new RegExp(`\\b${colour}\\b`, 'iu').test(thought),
  );
}
