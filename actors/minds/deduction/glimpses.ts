/** How a move looks to a witness, by the rules of sight. Others only affect the number of beats, so all are tried. */

import { defaultOptions } from '../../../machines/rules/options.ts';
import type { KnownShip } from '../../../machines/rules/record.ts';
import type { Draft, RoundEvent, SeatDraft } from '../../../machines/rules/ship/draft.ts';
import { neighbours } from '../../../machines/rules/ship/map.ts';
import { collectSights, stepsInLight } from '../../../machines/rules/ship/sight.ts';
import type { PlayerState, World } from '../../../machines/rules/ship/world.ts';
import { COLOURS, type Colour, type Place } from '../../../machines/types.ts';
import { remember } from '../remember.ts';
import {
  type GlimpsedDeed,
  toGlimpsedDeed,
  type Visibility,
  type WitnessedRound,
} from './evidence.ts';

export type PlayerSpot = { readonly place: Place; readonly vent: number | null };

export type RoundMove = {
  readonly from: PlayerSpot;
  readonly path: readonly Place[];
  readonly to: PlayerSpot;
  /** The place of a kill before anybody moved. */
  readonly killedAt: Place | null;
  readonly name: string;
};

/** All sightings of a player in a round, as one comparable text. */
export type Glimpse = string;

const UNSEEN: Glimpse = '';

export function glimpseOf(
  sights: readonly { readonly place: Place; readonly did: GlimpsedDeed }[],
): Glimpse {
  if (sights.length === 0) return UNSEEN;
  const words = sights.map(({ place, did }) => `${place} ${did === 'visual' ? 'standing' : did}`);
  return [...new Set(words)].sort().join();
}

/** The same four play every scene, so witnesses and games share what was worked out. */
const [watcher, walker, victim, hurried] = COLOURS;
const MOST_SCENES = 2000;

export class Eyes {
  readonly #ship: KnownShip;
  readonly #scenes = new WeakMap<WitnessedRound, SeenScene>();
  /** Equal-looking rounds share one scene. */
  readonly #alike = new Map<string, SeenScene>();

  constructor(ship: KnownShip) {
    this.#ship = ship;
  }

  ofMove(round: WitnessedRound, who: Colour, move: RoundMove): readonly Glimpse[] {
    const { near, known, followed } = this.sceneOf(round);
    if (isFarAway(near, move)) return NOTHING;
    const isFollowed = round.following === who;
    return remember(isFollowed ? followed : known, move.name, () => {
      const alone = this.#look(round, { move, isFollowed: false }, walker);
      if (!isFollowed) return alone;
      // The witness may or may not still follow.
      return [...new Set([...alone, ...this.#look(round, { move, isFollowed }, walker)])];
    });
  }

  /** The possible sightings of a victim, killed at a place as the round begins or dead there before. */
  ofVictim(round: WitnessedRound, place: Place, isKilledNow: boolean): readonly Glimpse[] {
    const { near, known } = this.sceneOf(round);
    if (!near.has(place)) return NOTHING;
    return remember(known, `${isKilledNow ? 'victim' : 'body'} ${place}`, () => {
      const killer = { place, vent: null };
      const move = { from: killer, path: [], to: killer, killedAt: place, name: '' };
      const scene = isKilledNow ? { move } : { move: null, body: place };
      return this.#look(round, { ...scene, isFollowed: false }, victim);
    });
  }

  /** A round has as many beats as its longest path has steps. */
  #look(round: WitnessedRound, scene: StagedRound, subject: Colour): readonly Glimpse[] {
    const { options } = this.#ship;
    const least = Math.max(1, round.path.length, scene.move?.path.length ?? 0);
    const most = Math.max(least, Math.ceil(options.playerSpeed));
    const found = new Set<Glimpse>();
    for (let beats = least; beats <= most; beats++) {
      const sights = collectSights(this.#stage(round, scene, beats))[watcher] ?? [];
      const own = sights.filter(({ who }) => who === subject);
      found.add(glimpseOf(own.map(({ place, did }) => ({ place, did: toGlimpsedDeed(did) }))));
    }
    return [...found];
  }

  #stage(round: WitnessedRound, { move, isFollowed, body }: StagedRound, beats: number): Draft {
    const { map, options } = this.#ship;
    const killedAt = move?.killedAt ?? null;
    const bodyAt = killedAt ?? body ?? null;
    const intent = intentOf(round, isFollowed);
    const own = { place: round.path.at(-1) ?? round.from, intent };
    const seats = [
      takeSeat(watcher, { ...own, place: round.from }, own, {
        path: round.path,
        deed: round.watchedCameras ? 'watching' : null,
      }),
    ];
    if (move !== null) {
      const { from, path, to } = move;
      const deed = to.vent !== null ? null : path.length > 0 ? 'passing' : 'lurking';
      seats.push(takeSeat(walker, from, to, { path, deed }));
    }
    if (bodyAt !== null)
      seats.push(takeSeat(victim, { place: bodyAt }, { place: bodyAt }, { standing: 'dead' }));
    if (beats > Math.max(1, round.path.length, move?.path.length ?? 0)) {
      const path = Array.from({ length: beats }, () => map.button);
      seats.push(takeSeat(hurried, { place: map.button }, { place: map.button }, { path }));
    }
    const ship: World['ship'] = {
      map,
      options,
      meeting: MEETING,
      computed: [],
      seats: seats.map((one) => ({ colour: one.seat, role: one.role })),
      tasks: {},
    };
    const before: World = {
      ...EMPTY,
      ...barriers(round.before),
      ship,
      standings: Object.fromEntries(
        seats.map((one) => [one.seat, killedAt === null ? one.standing : 'living']),
      ),
      players: Object.fromEntries(seats.map((one) => [one.seat, one.start])),
      bodies: bodyAt !== null && killedAt === null ? [{ victim, place: bodyAt }] : [],
    };
    const world: World = {
      ...before,
      ...barriers(round.after),
      standings: Object.fromEntries(seats.map((one) => [one.seat, one.standing])),
      players: Object.fromEntries(seats.map((one) => [one.seat, one.player])),
      bodies: bodyAt === null ? [] : [{ victim, place: bodyAt }],
    };
    const events: RoundEvent[] =
      killedAt === null ? [] : [{ type: 'player.killed', by: walker, victim, place: killedAt }];
    return { before, world, seats, draws: {}, events };
  }

  sceneOf(round: WitnessedRound): SeenScene {
    return remember(this.#scenes, round, () => {
      if (this.#alike.size > MOST_SCENES) this.#alike.clear();
      return remember(this.#alike, contextOf(round), () => {
        return { near: this.#regionAround(round), known: new Map(), followed: new Map() };
      });
    });
  }

  #regionAround(round: WitnessedRound): ReadonlySet<Place> {
    const { map, options } = this.#ship;
    const region = new Set<Place>([round.from, ...round.path]);
    // One step more than vision, for a followed player.
    for (let step = stepsInLight(options.crewVision); step >= 0; step--) {
      for (const place of [...region]) for (const next of neighbours(map, place)) region.add(next);
    }
    if (round.watchedCameras) for (const place of map.cameras?.show ?? []) region.add(place);
    return region;
  }
}

/** A round without the observed player: the places within sight, and cached sightings by move. */
export type SeenScene = {
  readonly near: ReadonlySet<Place>;
  readonly known: Map<string, readonly Glimpse[]>;
  /** The same for a player whom the witness may be following. */
  readonly followed: Map<string, readonly Glimpse[]>;
};

function isFarAway(near: ReadonlySet<Place>, { from, path, to }: RoundMove): boolean {
  return !near.has(from.place) && !near.has(to.place) && path.every((place) => !near.has(place));
}

type StagedRound = {
  readonly move: RoundMove | null;
  readonly isFollowed: boolean;
  readonly body?: Place;
};

const NOTHING: readonly Glimpse[] = [UNSEEN];

/** The rules of sight do not read it. */
const MEETING = defaultOptions(COLOURS.length);

const AT_REST: PlayerState = {
  place: 'Cafeteria',
  vent: null,
  intent: null,
  moved: false,
  stride: 0,
  killWait: 0,
  buttons: 0,
  progress: [],
};

const EMPTY = { streaks: {}, sabotageWait: 0, buttonWait: 0, barShown: 0, asks: {} } as const;

function intentOf({ watchedCameras }: WitnessedRound, isFollowed: boolean): PlayerState['intent'] {
  if (isFollowed) return { type: 'follow', whom: walker, rounds: 1 };
  return watchedCameras ? { type: 'watch', what: 'cameras', rounds: 1 } : null;
}

/** The role is invisible, so every seat is a crewmate's. */
function takeSeat(
  seat: Colour,
  start: Partial<PlayerState>,
  player: Partial<PlayerState>,
  seen: Partial<Pick<SeatDraft, 'path' | 'deed' | 'standing'>>,
): SeatDraft {
  const { path, deed = null, standing = 'living' } = seen;
  return {
    seat,
    role: 'crewmate',
    start: { ...AT_REST, ...start },
    player: { ...AT_REST, ...player },
    standing,
    path: path?.length ? path : null,
    deed,
    isFinished: false,
  };
}

function barriers({ isDark, shut }: Visibility): Pick<World, 'crisis' | 'doors'> {
  return {
    crisis: isDark ? { system: 'lights', left: null, done: [], held: 0 } : null,
    doors: shut.map((room) => ({ room, shut: 1, wait: 0 })),
  };
}

/** A key of everything that affects sight in a round except the observed player. */
function contextOf({ from, path, watchedCameras, before, after }: WitnessedRound): string {
  const words = [before, after].map(({ isDark, shut }) => `${isDark} ${shut.join()}`);
  return `${from} ${path.join()} ${watchedCameras} ${words.join(' ')}`;
}
