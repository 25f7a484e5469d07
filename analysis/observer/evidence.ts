/**
 * The evidence of one crewmate between meetings, read through that player's lens. It ignores talk, because anybody may
 * lie, and also the Admin table, the camera light and the task bar.
 */
import {
  lensFor,
  type SeenEvent,
  type SeenGame,
  type SeenLine,
  type SeenOf,
} from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { gameIn } from '../../machines/journal/opening.ts';
import { firstKillCooldown, readGameOptions, rounds } from '../../machines/rules/options.ts';
import { readMap } from '../../machines/setup/match.ts';
import { readField } from '../../machines/text.ts';
import {
  COLOURS,
  type Colour,
  type Deed,
  type Outcome,
  type Place,
  type Room,
} from '../../machines/types.ts';

export type Witness = Readonly<ReturnType<typeof witnessOf>>;

/** Light and doors, which limit sight in a round. */
export type Visibility = { readonly isDark: boolean; readonly shut: readonly Room[] };

/** A visible deed, as far as it shows the player's movement. All deeds of a standing player are `standing`. */
const MOVING = ['passing', 'visual', 'vent', 'kill', 'dead'] as const;
export type GlimpsedDeed = (typeof MOVING)[number] | 'standing';
type GlimpsedAt = { readonly who: Colour; readonly place: Place; readonly did: GlimpsedDeed };

/** A round from the witness's point of view. */
export type WitnessedRound = {
  readonly round: number;
  readonly from: Place;
  /** The places that the witness entered, in order. */
  readonly path: readonly Place[];
  /** The witness watched the cameras. */
  readonly atScreens: boolean;
  /** The player whom the witness may have been following. */
  readonly following: Colour | null;
  /** At the start of the round, and after all moves. */
  readonly before: Visibility;
  readonly after: Visibility;
  readonly glimpses: readonly GlimpsedAt[];
  readonly departed: readonly Colour[];
};

/** The rounds between two meetings, and the call that ended them. */
export type ActionStretch = {
  /** Rounds until the first kill is possible. */
  readonly killWait: number;
  /** Other players alive at the start. */
  readonly living: readonly Colour[];
  readonly rounds: readonly WitnessedRound[];
  readonly call: {
    readonly by: Colour;
    readonly kind: 'body' | 'button';
    readonly body: Colour | null;
    readonly place: Place | null;
  };
  /** Victims that the call revealed. */
  readonly killed: readonly Colour[];
};

export type Announcement = {
  readonly sentence: string;
  readonly outcome: Outcome;
  readonly ejected: Colour | null;
  /** Other players alive at the announcement. */
  readonly living: readonly Colour[];
};

export type Evidence = {
  readonly witness: Witness;
  /** One for each meeting so far, including the current one. */
  readonly stretches: readonly ActionStretch[];
  /** One for each finished meeting; null without a result. */
  readonly announcements: readonly (Announcement | null)[];
};

/**
 * The evidence of a crewmate at each meeting that they attended alive. Empty for an impostor, an absent colour, and a
 * journal without a game.
 */
export function collectEvidence(lines: readonly Line[], seat: Colour): readonly Evidence[] {
  const look = lensFor({ type: 'player', seat });
  let diary: Diary | null = null;
  const found: Evidence[] = [];
  for (const line of lines) {
    if (line.channel === 'ghosts') continue;
    const seen = look(line);
    if (seen === null) continue;
    const game = gameIn(seen);
    const own = game?.seats.find(({ colour }) => colour === seat);
    if (game !== null && own?.role === 'crewmate') diary = new Diary(witnessOf(game, seat));
    if (diary === null) return found;
    const evidence = diary.read(seen);
    if (evidence !== null) found.push(evidence);
    if (diary.isOver) return found;
  }
  return found;
}

/** A crewmate, and public knowledge of the game from its start. */
function witnessOf(game: SeenGame, seat: Colour) {
  const { seats } = game;
  const options = readGameOptions(game);
  // The impostors are always fewer than the crew.
  const most = Math.floor((seats.length - 1) / 2);
  const sizes = Array.from({ length: most }, (_, index) => index + 1);
  return {
    ...{ seat, map: readMap(game), options, confirmEjects: game.options.confirm_ejects },
    /** In seat order. */
    others: COLOURS.filter((one) => one !== seat && seats.some(({ colour }) => colour === one)),
    /** The possible numbers of impostors, which is one if the lobby shows it. */
    teamSizes: options.showImpostors ? [options.impostors] : sizes,
  };
}

class Diary {
  readonly #witness: Witness;
  readonly #stretches: ActionStretch[] = [];
  readonly #announcements: (Announcement | null)[] = [];
  #rounds: WitnessedRound[] = [];
  #place: Place;
  #following: Colour | null = null;
  /** The witness last set out to watch the cameras. */
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

  /** The evidence at the start of a meeting; null for every other line. */
  read(line: SeenLine): Evidence | null {
    switch (line.type) {
      case 'round.closed':
        this.#readRound(line);
        break;
      case 'meeting.called':
        return this.#readCall(line);
      case 'seat.departed':
        if (line.seat !== undefined) this.#leave(line.seat);
        break;
      case 'verdict.announced':
        this.#readVerdict(line);
        break;
      case 'meeting.closed':
        this.#returnToShip();
        break;
      case 'game.closed':
        this.isOver = true;
        break;
      default:
    }
    return null;
  }

  #readRound({ round, paths, orders, seen, deeds, events }: SeenOf<'round.closed'>): void {
    const { seat, map } = this.#witness;
    const [from, before] = [this.#place, this.#now];
    const path = paths?.[seat] ?? [];
    const departed = (events ?? []).flatMap((event) =>
      event.type === 'seat.departed' && event.seat !== undefined ? [event.seat] : [],
    );
    for (const order of orders ?? []) {
      // Without an action the previous one continues.
      const action = readField('parsed' in order ? order.parsed : order.received, 'action') ?? null;
      if (action === null) continue;
      this.#following = followedBy(action, this.#following);
      this.#screens = readField(action, 'what') === 'cameras';
    }
    for (const event of events ?? []) this.#now = afterEvent(this.#now, event);
    const sights = seen?.[seat] ?? [];
    const isWatching = deeds?.[seat] === 'watching' && (path.at(-1) ?? from) === map.cameras?.at;
    // If the Admin table is in the same room, the order tells which of the two the witness watched.
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

  #readCall({ by, kind, body = null, place, dead }: SeenOf<'meeting.called'>): Evidence | null {
    const { seat, options, map } = this.#witness;
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
      call: { by, kind, body, place: map.places.find((one) => one === place) ?? null },
      killed: (dead ?? []).filter((who) => this.#atStart.includes(who)),
    });
    for (const who of dead ?? []) this.#leave(who);
    const [stretches, announcements] = [[...this.#stretches], [...this.#announcements]];
    return { witness: this.#witness, stretches, announcements };
  }

  #readVerdict({ sentence, outcome, ejected = null }: SeenOf<'verdict.announced'>): void {
    if (sentence === undefined || outcome === undefined) return;
    this.#announcements[this.#stretches.length - 1] = {
      sentence,
      outcome,
      ejected,
      living: this.#witness.others.filter((who) => !this.#gone.has(who)),
    };
    if (ejected === this.#witness.seat) this.isOver = true;
    else if (ejected !== null) this.#leave(ejected);
  }

  /** All players return to the button and doors open, but darkness stays. */
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

/** Applies an event that precedes the sightings of its round. */
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

/** Doors open after the sightings of a round. */
function afterClocks(now: Visibility, event: SeenEvent): Visibility {
  if (event.type !== 'doors.opened') return now;
  return { ...now, shut: now.shut.filter((room) => room !== event.room) };
}

export function toGlimpsedDeed(did: Deed): GlimpsedDeed {
  return MOVING.find((one) => one === did) ?? 'standing';
}

/** The player whom an action lets the witness follow. */
function followedBy(action: unknown, before: Colour | null): Colour | null {
  if (readField(action, 'type') !== 'follow') return null;
  const whom = readField(action, 'whom');
  return COLOURS.find((colour) => colour === whom) ?? before;
}
