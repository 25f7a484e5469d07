/**
 * Evidence: what one crewmate saw and heard of a game, stretch by stretch between meetings.
 *
 * It is read through that player's own lens, so nothing gets into it that the player was not shown. What is said at the
 * table is no evidence: anybody may lie. Heads at the Admin table, the light of a camera and the task bar are not read.
 */
import {
  type Lens,
  lensFor,
  type SeenEvent,
  type SeenGame,
  type SeenLine,
  type SeenOf,
} from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { gameIn } from '../../machines/journal/opening.ts';
import {
  firstKillCooldown,
  type GameOptions,
  readGameOptions,
  rounds,
} from '../../machines/rules/options.ts';
import { readMap } from '../../machines/setup/match.ts';
import {
  COLOURS,
  type Colour,
  type Deed,
  type Outcome,
  type Place,
  type Room,
  type ShipMap,
} from '../../machines/types.ts';

/** A crewmate who looks, and what everybody knows of the game from its start. */
export type Witness = {
  readonly seat: Colour;
  readonly map: ShipMap;
  readonly options: GameOptions;
  readonly confirmEjects: boolean;
  /** Everybody else who plays, in the order of the seats. */
  readonly others: readonly Colour[];
  /** How many impostors there may be: one number where the lobby shows it. */
  readonly teamSizes: readonly number[];
};

/** How far a player can see in a round: what decides it besides where they are. */
export type Visibility = {
  readonly isDark: boolean;
  /** Rooms whose doors are shut. */
  readonly shut: readonly Room[];
};

/** What somebody was seen at, as far as it tells where they were: what one does while standing tells no more. */
export type GlimpsedDeed = 'passing' | 'standing' | 'visual' | 'vent' | 'kill' | 'dead';
export type GlimpsedAt = {
  readonly who: Colour;
  readonly place: Place;
  readonly did: GlimpsedDeed;
};

/** A round as the witness lived through it. */
export type WitnessedRound = {
  readonly round: number;
  readonly from: Place;
  /** The places that the witness entered, in order. */
  readonly path: readonly Place[];
  /** Whether the witness looked at the cameras. */
  readonly atScreens: boolean;
  /** Whom the witness may have been following; null for nobody. */
  readonly following: Colour | null;
  /** As the round began, and when everybody had moved. */
  readonly before: Visibility;
  readonly after: Visibility;
  readonly glimpses: readonly GlimpsedAt[];
  /** Who left the game in this round. */
  readonly departed: readonly Colour[];
};

/** The rounds from one meeting to the next, and the call that ended them. */
export type ActionStretch = {
  /** Rounds until the first kill is possible. */
  readonly killWait: number;
  /** Others who were alive as it began. */
  readonly living: readonly Colour[];
  readonly rounds: readonly WitnessedRound[];
  readonly call: {
    readonly by: Colour;
    readonly kind: 'body' | 'button';
    readonly body: Colour | null;
    readonly place: Place | null;
  };
  /** Who turned out to have been killed, when everybody was called in. */
  readonly killed: readonly Colour[];
};

/** The end of a meeting, as it was announced to everybody. */
export type Announcement = {
  readonly sentence: string;
  readonly outcome: Outcome;
  readonly ejected: Colour | null;
  /** Others who were alive as it was announced. */
  readonly living: readonly Colour[];
};

/** Everything up to a meeting. */
export type Evidence = {
  readonly witness: Witness;
  /** One for each meeting so far, the last one included. */
  readonly stretches: readonly ActionStretch[];
  /** One for each meeting that is over and had a result; null where it had none. */
  readonly announcements: readonly (Announcement | null)[];
};

/**
 * What a crewmate knows at each meeting of a recorded game that they were alive for, in order. Empty for an impostor, a
 * colour that does not play, and a journal that is not of a game.
 */
export function collectEvidence(lines: readonly Line[], seat: Colour): readonly Evidence[] {
  const lens: Lens = { type: 'player', seat };
  const look = lensFor(lens);
  let diary: Diary | null = null;
  const found: Evidence[] = [];
  for (const line of lines) {
    if (line.channel === 'ghosts') continue;
    const seen = look(line);
    if (seen === null) continue;
    if (seen.type === 'match.opened') diary = openDiary(seen, seat);
    if (diary === null) return found;
    const evidence = diary.read(seen);
    if (evidence !== null) found.push(evidence);
    if (diary.isOver) return found;
  }
  return found;
}

function openDiary(header: SeenOf<'match.opened'>, seat: Colour): Diary | null {
  const game = gameIn(header);
  const own = game?.seats.find(({ colour }) => colour === seat);
  return game === null || own?.role !== 'crewmate' ? null : new Diary(witnessOf(game, seat));
}

/** A side that is no more than the other has lost. */
function witnessOf(game: SeenGame, seat: Colour): Witness {
  const { seats, map } = game;
  const options = readGameOptions(game);
  const others = COLOURS.filter(
    (colour) => colour !== seat && seats.some((one) => one.colour === colour),
  );
  const most = Math.floor((seats.length - 1) / 2);
  const sizes = Array.from({ length: most }, (_, index) => index + 1);
  return {
    seat,
    map: readMap({ map }),
    options,
    confirmEjects: game.options.confirm_ejects,
    others,
    teamSizes: options.showImpostors ? [options.impostors] : sizes,
  };
}

/** Reads what a player is shown, line by line. */
class Diary {
  readonly #witness: Witness;
  readonly #stretches: ActionStretch[] = [];
  readonly #announcements: (Announcement | null)[] = [];
  #rounds: WitnessedRound[] = [];
  #place: Place;
  #following: Colour | null = null;
  /** Whether what the witness set out to watch last were the cameras. */
  #screens = false;
  #now: Visibility = CLEAR;
  #gone = new Set<Colour>();
  #atStart: readonly Colour[];
  #isAtTable = false;
  isOver = false;

  constructor(witness: Witness) {
    this.#witness = witness;
    this.#place = witness.map.button;
    this.#atStart = witness.others;
  }

  /** What is known as a meeting begins; null for every other line. */
  read(line: SeenLine): Evidence | null {
    switch (line.type) {
      case 'round.closed':
        this.#readRound(line);
        return null;
      case 'meeting.called':
        return this.#readCall(line);
      case 'seat.departed':
        if (line.seat !== undefined) this.#leave(line.seat);
        return null;
      case 'verdict.announced':
        this.#readVerdict(line);
        return null;
      case 'meeting.closed':
        this.#returnToShip();
        return null;
      case 'game.closed':
        this.isOver = true;
        return null;
      default:
        return null;
    }
  }

  #readRound({ round, paths, orders, seen, deeds, events }: SeenOf<'round.closed'>): void {
    const { seat, map } = this.#witness;
    const [from, before] = [this.#place, this.#now];
    const path = paths?.[seat] ?? [];
    const departed = (events ?? []).flatMap((event) =>
      event.type === 'seat.departed' && event.seat !== undefined ? [event.seat] : [],
    );
    for (const order of orders ?? []) {
      this.#following = followedBy(order, this.#following);
      this.#screens = watchesScreens(order, this.#screens);
    }
    for (const event of events ?? []) this.#now = afterEvent(this.#now, event);
    const sights = seen?.[seat] ?? [];
    const isWatching = deeds?.[seat] === 'watching' && (path.at(-1) ?? from) === map.cameras?.at;
    // Where the Admin table stands in the same room, the order says which of them it is.
    const atScreens = isWatching && (map.adminTable !== map.cameras?.at || this.#screens);
    this.#rounds.push({
      round: round ?? 0,
      from,
      path,
      atScreens,
      following: this.#following,
      before,
      after: this.#now,
      glimpses: sights.flatMap(([who, place, did]) =>
        who === seat ? [] : [{ who, place, did: toGlimpsedDeed(did) }],
      ),
      departed,
    });
    this.#place = path.at(-1) ?? from;
    for (const event of events ?? []) this.#now = afterClocks(this.#now, event);
    for (const who of departed) this.#leave(who);
  }

  #readCall({ by, kind, body, place, dead }: SeenOf<'meeting.called'>): Evidence | null {
    const { seat, options } = this.#witness;
    if (dead?.includes(seat) || by === undefined || kind === undefined) {
      this.isOver = true;
      return null;
    }
    this.#isAtTable = true;
    const isFirst = this.#stretches.length === 0;
    this.#stretches.push({
      killWait: rounds(isFirst ? firstKillCooldown(options) : options.killCooldown),
      living: this.#atStart,
      rounds: this.#rounds,
      call: { by, kind, body: body ?? null, place: asPlace(place, this.#witness.map) },
      killed: (dead ?? []).filter((who) => this.#atStart.includes(who)),
    });
    for (const who of dead ?? []) this.#leave(who);
    return {
      witness: this.#witness,
      stretches: [...this.#stretches],
      announcements: [...this.#announcements],
    };
  }

  #readVerdict({ sentence, outcome, ejected }: SeenOf<'verdict.announced'>): void {
    if (sentence === undefined || outcome === undefined) return;
    this.#announcements[this.#stretches.length - 1] = {
      sentence,
      outcome,
      ejected: ejected ?? null,
      living: this.#witness.others.filter((who) => !this.#gone.has(who)),
    };
    if (ejected === this.#witness.seat) this.isOver = true;
    else if (ejected !== undefined && ejected !== null) this.#leave(ejected);
  }

  /** Everybody is at the button again, all doors are open; the dark stays. */
  #returnToShip(): void {
    if (!this.#isAtTable) return;
    this.#isAtTable = false;
    this.#announcements[this.#stretches.length - 1] ??= null;
    this.#rounds = [];
    this.#place = this.#witness.map.button;
    this.#following = null;
    this.#now = { ...this.#now, shut: [] };
    this.#atStart = this.#witness.others.filter((who) => !this.#gone.has(who));
  }

  #leave(who: Colour): void {
    this.#gone.add(who);
    if (who === this.#witness.seat) this.isOver = true;
  }
}

const CLEAR: Visibility = { isDark: false, shut: [] };

/** What comes of an event before the players look. */
function afterEvent(now: Visibility, event: SeenEvent): Visibility {
  switch (event.type) {
    case 'sabotage.begun':
      return event.system === 'lights' ? { ...now, isDark: true } : now;
    case 'sabotage.fixed':
      return event.system === 'lights' ? { ...now, isDark: false } : now;
    case 'doors.shut':
      return event.room === undefined ? now : { ...now, shut: [...now.shut, event.room] };
    default:
      return now;
  }
}

/** Doors that open when a round is over were shut in it. */
function afterClocks(now: Visibility, event: SeenEvent): Visibility {
  if (event.type !== 'doors.opened') return now;
  return { ...now, shut: now.shut.filter((room) => room !== event.room) };
}

function asPlace(text: string | null | undefined, { places }: ShipMap): Place | null {
  return places.find((place) => place === text) ?? null;
}

/** What a deed tells of where a player was. */
export function toGlimpsedDeed(did: Deed): GlimpsedDeed {
  switch (did) {
    case 'passing':
    case 'visual':
    case 'vent':
    case 'kill':
    case 'dead':
      return did;
    default:
      return 'standing';
  }
}

type ShownOrder = NonNullable<SeenOf<'round.closed'>['orders']>[number];

/** Whom an order lets the witness follow. An order that names nothing goes on with what was before. */
function followedBy(order: ShownOrder, before: Colour | null): Colour | null {
  const action = actionOf(order);
  if (action === null) return before;
  if (fieldOf(action, 'type') !== 'follow') return null;
  const whom = fieldOf(action, 'whom');
  return COLOURS.find((colour) => colour === whom) ?? before;
}

function watchesScreens(order: ShownOrder, before: boolean): boolean {
  const action = actionOf(order);
  return action === null ? before : fieldOf(action, 'what') === 'cameras';
}

/** What an order says; null where the player goes on as before. */
function actionOf(order: ShownOrder): unknown {
  return fieldOf('parsed' in order ? order.parsed : order.received, 'action') ?? null;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined;
}
