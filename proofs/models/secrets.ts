/**
 * Secrets: what ghosts say, what players think and who is who, asked of two copies of a whole meeting that get the same
 * public inputs. The charts, the letters, the bid stream and the lenses are those that run.
 */

import { encode } from '../../machines/journal/codec.ts';
import { throughLens } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { ARBITER, GALLERY, MEETING, playerId } from '../../machines/messages.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import type { Colour } from '../../machines/types.ts';
import type { Company, Cue, Ensemble, Performed, Rest, Sight } from './ensemble.ts';
import {
  CHAT,
  GHOST,
  ghostDoses,
  isOver,
  LIVING,
  publicDoses,
  type RoomDose,
  restOf,
  SEATED,
  same,
  talk,
  thinking,
} from './room.ts';

type Seen = { readonly state: Ensemble; readonly seen: readonly unknown[] };

/** Two rooms side by side, as a search for interference takes them. */
export type RoomDuet = {
  readonly name: string;
  readonly sentence: string;
  readonly starts: readonly (readonly [Seen, Seen])[];
  readonly inputs: (left: Ensemble, right: Ensemble) => readonly RoomDose[];
  readonly step: (state: Ensemble, cue: Cue) => Seen;
  readonly look: (state: Ensemble) => unknown;
  readonly whole: (state: Ensemble) => unknown;
  readonly isReleased?: (left: Ensemble, right: Ensemble) => boolean;
};

/** The table as it is: the meeting, the arbiter and whoever lives, with what each of them waits for. */
function tableOf(ensemble: Ensemble): unknown {
  const { standings } = restOf<Table>(ensemble, MEETING).context;
  const present = LIVING.filter((seat) => standings[seat] === 'living').map(playerId);
  const names = [MEETING, ARBITER, ...present];
  return [ensemble.basket, ...names.map((name) => wholeOf(ensemble, name))];
}

export type Haunting = {
  /** What is looked at between steps; the whole table where nothing else is said. */
  readonly look?: RoomDuet['look'];
  /** Sees all that is shown. */
  readonly onSights?: (sights: readonly Sight[]) => void;
  readonly leavers?: readonly Colour[];
};

/** All that the living may see is compared: every request of theirs and every fact; and then what `look` adds. */
export function ghostDuet(
  { begin, perform }: Company,
  { look = tableOf, onSights = () => {}, leavers = [] }: Haunting = {},
): RoomDuet {
  const see = (sights: readonly Sight[]) => {
    onSights(sights);
    return sights.filter((sight) =>
      sight.type === 'asked' ? sight.request.occasion !== 'ghost' : sight.type === 'told',
    );
  };
  const first = answered(begin(), see);
  return {
    name: 'ghosts-do-not-interfere',
    sentence: 'Nothing that ghosts do changes anything for the living.',
    starts: [[first, first]],
    inputs: (left, right) =>
      isOver(left)
        ? []
        : [
            ...publicDoses(left, right, (seat, isTalk) => same(talk(seat, isTalk))),
            ...leavers.map((seat) => both({ type: 'leave', seat })),
            ...ghostDoses(right, CHAT),
          ],
    step: (state, cue) => answered(perform(state, cue), see),
    look,
    whole,
  };
}

const both = (cue: Cue) => ({ left: cue, right: cue });

const SECRET = { thought: 'I am the killer', pads: { meeting: 'blue knows' } };

/** Red thinks one thing or another, notes it or not, and does the same. */
export function thoughtDuet({ begin, perform }: Company): RoomDuet {
  const others = SEATED.filter((seat) => seat !== 'red');
  const see = (sights: readonly Sight[]) => through(sights, others);
  const first = answered(begin(), see);
  const names = [MEETING, ARBITER, GALLERY, ...others.map(playerId)];
  return {
    name: 'thoughts-do-not-interfere',
    sentence: 'What a player thinks and notes reaches nobody else.',
    starts: [[first, first]],
    inputs: (left, right) =>
      isOver(left)
        ? []
        : [
            ...publicDoses(left, right, (seat, isTalk) =>
              talk(seat, isTalk).map(
                (reply) => [reply, seat === 'red' ? { ...reply, ...SECRET } : reply] as const,
              ),
            ),
            ...ghostDoses(right, CHAT.slice(1)).map((dose) => ({ ...dose, left: dose.right })),
          ],
    step: (state, cue) => answered(perform(state, cue), see),
    look: (ensemble) => names.map((name) => wholeOf(ensemble, name)),
    whole,
  };
}

/**
 * Whether a confirmed ejection tells something: who was ejected, or, by how many impostors remain, who of those that
 * have left was one.
 */
function isKnown(ensemble: Ensemble): boolean {
  const { ejected, poll, standings } = restOf<Table>(ensemble, MEETING).context;
  return ejected !== null || (poll !== null && Object.values(standings).includes('departed'));
}

/** Two meetings that differ in who is who, through the eyes of one player; `isConfirmed` lets an ejection tell. */
export function roleDuet(
  observer: Colour,
  [left, right]: readonly [Company, Company],
  isConfirmed: boolean,
): RoomDuet {
  const see = (sights: readonly Sight[]) => through(sights, [observer]);
  const { perform } = left;
  return {
    name: 'roles-do-not-interfere',
    sentence:
      'Who is who shows in nothing that a crewmate may see, but for what a confirmed ejection tells.',
    starts: [[answered(left.begin(), see), answered(right.begin(), see)]],
    inputs: (one, other) =>
      isOver(one) ? [] : publicDoses(one, other, (seat, isTalk) => same(talk(seat, isTalk))),
    step: (state, cue) => answered(perform(state, cue), see),
    look: (ensemble) => [
      thinking(ensemble),
      wholeOf(ensemble, ARBITER),
      wholeOf(ensemble, playerId(observer)),
    ],
    whole,
    ...(isConfirmed ? { isReleased: (one, other) => isKnown(one) && isKnown(other) } : {}),
  };
}

/** What these players see: what they are asked, and the journal through their own eyes. */
function through(sights: readonly Sight[], observers: readonly Colour[]): readonly unknown[] {
  return sights.flatMap((sight): readonly unknown[] => {
    if (sight.type === 'asked') return observers.includes(sight.seat) ? [sight] : [];
    if (sight.type === 'murmured') return [];
    const line = { ...encode(sight.fact), channel: 'living', seq: 0, hash: '' } as unknown as Line; // as the recorder writes it
    return observers
      .map((seat) => throughLens(line, { type: 'player', seat }, { dead: [GHOST] }))
      .filter((seen) => seen !== null);
  });
}

const wholes = new WeakMap<Rest, unknown>();

/** All that an actor is, as plain data. */
function wholeOf(ensemble: Ensemble, name: string): unknown {
  const rest = restOf(ensemble, name);
  const known = wholes.get(rest) ?? [
    rest.place.name,
    rest.context,
    rest.timers.map(({ id }) => id),
    rest.status,
  ];
  wholes.set(rest, known);
  return known;
}

/** All that a room is. */
function whole(ensemble: Ensemble): unknown {
  const { actors, basket, routing } = ensemble;
  return [basket, routing, ...Object.keys(actors).map((name) => wholeOf(ensemble, name))];
}

function answered(
  { ensemble, sights }: Performed,
  see: (sights: readonly Sight[]) => readonly unknown[],
): Seen {
  return { state: ensemble, seen: see(sights) };
}
